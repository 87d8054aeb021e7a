"""Leaves may be called what the code for another library or compiler calls something."""

from __future__ import annotations

import random

import numpy as np
import pytest

from symtape.codegen.loops.c.code import c_source
from symtape.codegen.loops.c.library import build, caller
from tests.loop_tasks import difference, of_formula
from tests.sampling import ALL
from tests.scopes import NEUTRAL, ODD, SHAPES, compiled, failures, gradient, identifiers, renamings

LIBRARIES = {"jax": "jax", "torch": "torch", "dask": "dask", "array_api": "array_api_compat"}
HERE = [(s, b) for b in LIBRARIES for s in SHAPES if b in s.backends.split()]


@pytest.mark.parametrize(("shape", "backend"), HERE, ids=lambda p: getattr(p, "name", p))
def test_a_leaf_may_have_any_name_of_the_code(shape, backend):
    """Array libraries compute what they compute with other names."""
    pytest.importorskip(LIBRARIES[backend])
    if backend == "jax":
        pytest.importorskip("jax").config.update("jax_enable_x64", True)
    count, wrong = failures(shape, backend, rtol=1e-13, most=16 if ALL else 4)
    assert wrong == []
    assert count > 2


def odd_pairs(names: list[str], seed: int) -> list[tuple[str, str]]:
    """Give each leaf each name of the code, and pairs of odd names."""
    rng = random.Random(seed)
    pairs = [*renamings(names), *[(rng.choice(ODD), rng.choice(ODD)) for _ in range(40)]]
    return pairs if ALL else rng.sample(pairs, min(40, len(pairs)))


@pytest.mark.usefixtures("cffi")
@pytest.mark.parametrize(
    "shape", [s for s in SHAPES if "c" in s.backends.split()], ids=lambda s: s.name
)
def test_a_parameter_of_c_may_have_any_label(shape):
    """C compiles functions whose parameters are called as it, its headers or the code say."""
    found, _ = gradient(shape, NEUTRAL)
    work = of_formula(shape.name, found.formula)
    pairs = odd_pairs(identifiers(c_source(work.task).text), len(shape.name))
    made = []
    for k, pair in enumerate(pairs):
        again = dict(zip(NEUTRAL, pair, strict=True))
        task = work.task._replace(names=[again.get(n, n) for n in work.task.names])
        made.append((work._replace(name=f"{shape.name}, {pair}"), c_source(task, f"f{k}")))
    library = build(
        [source for _, source in made], ("-std=c99", "-O0", "-Wall", "-fPIC", "-shared")
    )
    wrong = [difference(w, caller(source, library)(*w.values)) for w, source in made]
    assert [w for w in wrong if w] == []
    assert len(made) > 30


@pytest.mark.parametrize("name", ["scalars", "solved", "chosen"])
def test_numba_takes_any_name(name):
    """A few names for numba itself; tests without it run the same text."""
    pytest.importorskip("numba")
    (shape,) = [s for s in SHAPES if s.name == name]
    expected = compiled(shape, "numba", NEUTRAL)(*shape.values)
    for pair in [("np", "math"), ("range", "maximum"), ("f_1", "f"), ("njit", "float64")]:
        found = compiled(shape, "numba", pair)(*shape.values)
        np.testing.assert_allclose(found, expected, rtol=1e-13)
