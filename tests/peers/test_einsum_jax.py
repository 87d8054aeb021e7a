"""The one rule for Einsum against JAX: random subscripts, with all that subscripts can say."""

from __future__ import annotations

import random

import numpy as np
import pytest

from symtape.calculus.derive import gradient
from symtape.calculus.terms.jacobian import jacobian
from symtape.codegen.compile import Source
from symtape.kernels.interpret import QUIET, interpret
from symtape.program.operations import Einsum, Input
from symtape.program.program import Builder
from tests.peers.translate import Jax, run
from tests.sampling import some


def random_contraction(seed):
    """Write a contraction with repeated and lone indices, deltas, broadcasts and empty axes."""
    rng = random.Random(seed)
    sizes = {i: rng.choice((0, 1, 2, 3, 3) if seed % 4 == 0 else (1, 2, 3)) for i in range(5)}
    terms = [
        [rng.randrange(5) for _ in range(rng.randrange(4))] for _ in range(rng.randrange(1, 4))
    ]
    known = sorted({i for term in terms for i in term})
    output = [i for i in known if rng.random() < 0.5]
    output += [i for i in output if rng.random() < 0.2]
    rng.shuffle(output)
    if rng.random() < 0.3:
        sizes[9] = rng.choice((1, 2))
        output.insert(rng.randrange(len(output) + 1), 9)
    b = Builder()
    operands = []
    for term in terms:
        b._known.clear()
        operands.append(b.append(Input("float64", tuple(sizes[i] for i in term))))
    if len(terms) > 1 and rng.random() < 0.2:  # one operand twice
        operands[-1], terms[-1] = operands[0], terms[0]
    out = b.append(Einsum.of(terms, output, sizes), *operands)
    values = np.random.default_rng(seed)
    program = b.finish()
    return program, out, {p: values.normal(size=program.shapes[p]) for p in program.inputs()}


@pytest.mark.parametrize("seed", some(range(150), 12))
def test_value_gradient_and_jacobian(jax, seed):
    """JAX contracts and differentiates to the same numbers, and so does the compiled code."""
    program, out, values = random_contraction(seed)
    sources = list(dict.fromkeys(program.steps[out][1:]))
    peer = Jax(jax)

    def value(*arrays):
        return run(program, values | dict(zip(sources, arrays, strict=True)), out, peer)

    at = [jax.numpy.asarray(values[p]) for p in sources]
    np.testing.assert_allclose(
        QUIET.run(interpret, program, values, [out])[0], value(*at), rtol=1e-12, atol=1e-12
    )
    seeds = np.cos(np.arange(np.prod(program.shapes[out]))).reshape(program.shapes[out])
    everything = range(len(sources))
    expected = jax.grad(lambda *x: (value(*x) * seeds).sum(), argnums=tuple(everything))(*at)
    b = Builder(program)
    weight = b.append(Input("float64", program.shapes[out]))
    derived = gradient(b.finish(), [out], [(p,) for p in sources], [weight])
    whole = jacobian(program, out, [(p,) for p in sources])
    rows = jax.jacobian(value, argnums=tuple(everything))(*at)
    for k in everything:
        for found, inputs, answer in (
            (derived, values | {weight: seeds}, expected[k]),
            (whole, values, rows[k]),
        ):
            wanted = [found.outputs[k]]
            interpreted = QUIET.run(interpret, found.program, inputs, wanted)[0]
            compiled = QUIET.run(
                Source(found.program, list(inputs), wanted).compile(), *inputs.values()
            )[0]
            np.testing.assert_allclose(interpreted, answer, rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(compiled, answer, rtol=1e-10, atol=1e-12)
