"""JAX and PyTorch differentiate the same random programs to the same numbers, twice."""

from __future__ import annotations

import numpy as np
import pytest

from symtape.calculus.derive import gradient
from symtape.calculus.terms.jacobian import jacobian
from symtape.kernels.interpret import QUIET, interpret
from symtape.program import operations as ops
from symtape.program.kinds import structural
from tests.peers.translate import Jax, Torch, run
from tests.programs import random_program
from tests.sampling import some


def ours(derived, values):
    """Compute the derived positions that are not None."""
    return [
        None if o is None else np.asarray(QUIET.run(interpret, derived.program, values, [o])[0])
        for o in derived.outputs
    ]


def floats(program, values):
    """List the inputs that can be differentiated, and those that cannot."""
    inputs = [p for p in values if program.dtypes[p].kind == "f"]
    return inputs, {p: v for p, v in values.items() if p not in inputs}


def assert_same(found, expected, seed):
    """Assert equal numbers; None stands for zero."""
    for a, wanted in zip(found, expected, strict=True):
        b = np.asarray(wanted)
        np.testing.assert_allclose(
            np.zeros_like(b) if a is None else a, b, rtol=1e-7, atol=1e-9, err_msg=f"seed {seed}"
        )


@pytest.mark.parametrize("seed", some(range(20), 8))
@pytest.mark.parametrize("sizes", [(1, 2, 3), (0, 1, 2)], ids=str)
def test_jax(seed, sizes, jax):
    """Gradient, Jacobian and Hessian of a random program are JAX's."""
    program, last, _, values = random_program(seed, 3 + seed % 4, sizes)
    inputs, fixed = floats(program, values)
    peer = Jax(jax)

    def f(*xs):
        return run(program, {**fixed, **dict(zip(inputs, xs, strict=True))}, last, peer)

    xs = [jax.numpy.asarray(values[p]) for p in inputs]
    places = tuple(range(len(xs)))
    sources = [(p,) for p in inputs]
    np.testing.assert_allclose(
        QUIET.run(interpret, program, values, [last])[0], f(*xs), rtol=1e-9, atol=1e-12
    )
    total = jax.grad(lambda *x: f(*x).sum(), places)
    first = gradient(program, [last], sources)
    assert_same(ours(first, values), total(*xs), seed)
    assert_same(ours(jacobian(program, last, sources), values), jax.jacrev(f, places)(*xs), seed)
    for k, p in enumerate(inputs[:2]):
        if first.outputs[k] is not None and values[p].size <= 12:
            second = jacobian(first.program, first.outputs[k], [(p,)])
            expected = jax.jacfwd(lambda *x, k=k: total(*x)[k], k)(*xs)
            assert_same(ours(second, values), [expected], seed)


TORCH_KINDS = {
    ops.Map,
    ops.AddN,
    ops.Einsum,
    structural.Reshape,
    structural.Slice,
    structural.Concat,
    structural.Extremum,
}


def torch_programs():
    """Choose the programs of which every step has a translation."""
    for seed in range(400):
        program, last, *_ = random_program(seed, 3)
        kinds = {type(program.steps[p][0]) for p in program.ancestors([last])}
        if kinds - {ops.Input, ops.Constant} <= TORCH_KINDS:
            yield seed


@pytest.mark.parametrize("seed", some(list(torch_programs())[:40], 8))
def test_torch(seed, torch):
    """Gradient and Jacobian of a random program are PyTorch's."""
    program, last, _, values = random_program(seed, 3)
    inputs, fixed = floats(program, values)
    peer = Torch(torch)

    def f(*xs):
        return run(program, {**fixed, **dict(zip(inputs, xs, strict=True))}, last, peer)

    xs = [torch.tensor(values[p], requires_grad=True) for p in inputs]
    out = f(*xs)
    sources = [(p,) for p in inputs]
    expected = (
        torch.autograd.grad(out.sum(), xs, allow_unused=True)
        if out.requires_grad
        else [None] * len(xs)
    )
    expected = [
        np.zeros(values[p].shape) if g is None else g.numpy()
        for g, p in zip(expected, inputs, strict=True)
    ]
    assert_same(ours(gradient(program, [last], sources), values), expected, seed)
    jacobians = torch.func.jacrev(f, tuple(range(len(xs))))(*[x.detach() for x in xs])
    assert_same(
        ours(jacobian(program, last, sources), values), [j.numpy() for j in jacobians], seed
    )
