"""Random numbers against TensorFlow's: equal seeds give equal bits."""

from __future__ import annotations

import numpy as np
import pytest

from symtape import random
from symtape.tape import GradientTape
from symtape.tensor.variable import Variable

SEEDS = [0, 1, 42, 2**31 - 1, 2**40 + 3, -7]
SHAPES = [[], [1], [2, 3], [0, 4], [1001], [7, 11, 13]]
FLOATS = ["float16", "float32", "float64"]


@pytest.fixture
def both(tensorflow):
    """Give TensorFlow's module and ours, without a seed afterwards."""
    yield tensorflow.random, random
    tensorflow.random.set_seed(None)
    random.set_seed(None)


def assert_equal(found, expected):
    """Assert that two tensors agree in dtype, shape and every bit."""
    assert found.dtype.name == expected.dtype.name
    assert found.numpy().tobytes() == expected.numpy().tobytes()
    assert tuple(found.shape) == tuple(expected.shape)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sequence_of_a_global_seed(both, seed):
    """A program of many kinds of draws gives TensorFlow's numbers, each with the next seed."""
    programs = []
    for module in both:
        module.set_seed(seed)
        programs.append(
            [
                draw(shape, dtype=dtype)
                for shape in SHAPES
                for dtype in FLOATS
                for draw in (module.normal, module.uniform, module.truncated_normal)
            ]
            + [module.uniform(s, -5, 1000, dtype=d) for s in SHAPES for d in ("int32", "int64")]
            + [module.shuffle(np.arange(30.0).reshape(10, 3)), module.shuffle(np.arange(100))]
        )
    for expected, found in zip(*programs, strict=True):
        assert_equal(found, expected)


SEEDED = [
    lambda m: m.normal([2], seed=1),
    lambda m: m.normal([2], seed=1),
    lambda m: m.normal([3], mean=5.0, stddev=0.1, seed=1),
    lambda m: m.normal(np.array([2]), seed=1),
    lambda m: m.normal([2, 1], seed=1),
    lambda m: m.normal([2], dtype="float64", seed=1),
    lambda m: m.uniform([5], seed=1),
    lambda m: m.uniform([5], -1.0, 3, seed=1),
    lambda m: m.uniform([5], 0, 3, seed=np.int64(1)),
    lambda m: m.uniform([5], [0.0, 1.0, 2.0, 3.0, 4.0], 5.0, seed=1),
    lambda m: m.uniform([5], maxval=9, dtype="int32", seed=1),
    lambda m: m.uniform([5], -(2**31), 2**31 - 1, dtype="int32", seed=1),
    lambda m: m.uniform([5], -(2**63), 2**63 - 1, dtype="int64", seed=1),
    lambda m: m.truncated_normal([300], mean=1.0, seed=1),
    lambda m: m.truncated_normal([300], stddev=2.0, seed=1),
    lambda m: m.shuffle([1, 2, 3, 4, 5, 6, 7, 8], seed=1),
    lambda m: m.shuffle([1, 2, 3, 4, 5, 6, 7, 8], seed=1),
    lambda m: m.shuffle([1.0, 2.0, 3.0, 4.0, 5.0], seed=1),
    lambda m: m.shuffle([[1.0, 2.0], [3.0, 4.0]], seed=1),
    lambda m: m.shuffle([[1.0, 2.0]], seed=1),
    lambda m: m.shuffle([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], seed=1),
    lambda m: m.normal([2], seed=0),
    lambda m: m.normal([2], seed=2**31 - 1),
    lambda m: m.normal([2], seed=1.5),
    lambda m: m.normal([2]),
]


@pytest.mark.parametrize("seed", [None, 0, 7])
def test_seeds_of_operations_go_on(both, seed):
    """Calls with a seed share one counter per operation and dtypes, as TensorFlow's kernels do."""
    found, expected = [], []
    for module, out in zip(both, (expected, found), strict=True):
        module.set_seed(seed)
        out += [call(module) for call in SEEDED[: -1 if seed is None else None]]
    for one, other in zip(found, expected, strict=True):
        assert_equal(one, other)


@pytest.mark.parametrize("seed", [[0, 0], [1, 2], [-5, 2**31 - 1], np.array([2**40, -(2**50)])])
def test_stateless_numbers(both, seed):
    """Stateless draws are equal for every dtype."""
    for shape in SHAPES:
        for dtype in FLOATS:
            for name in ("stateless_normal", "stateless_uniform", "stateless_truncated_normal"):
                expected, found = (getattr(m, name)(shape, seed, dtype=dtype) for m in both)
                assert_equal(found, expected)
        for dtype in ("int32", "int64", "uint32", "uint64"):
            expected, found = (
                m.stateless_uniform(shape, seed, minval=None, dtype=dtype) for m in both
            )
            assert_equal(found, expected)
        expected, found = (m.stateless_uniform(shape, seed, -3, 17, dtype="int64") for m in both)
        assert_equal(found, expected)
    for name, argument in (("split", 3), ("fold_in", 3)):
        expected, found = (getattr(m, name)(seed, argument) for m in both)
        assert_equal(found, expected)


@pytest.mark.parametrize("seed", [1, -5, 2**70 + 5, [1, 2], [1, 2, 3, 4], 2**128 - 3])
def test_generators(both, seed):
    """A generator draws TensorFlow's numbers and ends in TensorFlow's state."""
    runs = []
    for module in both:
        g = module.Generator.from_seed(seed)
        draws = [g.normal(s, dtype=d) for s in SHAPES for d in FLOATS]
        draws += [g.uniform(s, -1.0, 2.0, dtype=d) for s in SHAPES for d in FLOATS]
        draws += [g.truncated_normal(s, 1.0, 2.0, dtype=d) for s in SHAPES for d in FLOATS]
        draws += [g.uniform([5], 0, 99, dtype="int32"), g.uniform([5], None, dtype="int64")]
        draws += [g.uniform_full_int([3]), g.skip(5), g.make_seeds(3), g.key, g.state]
        draws += [part.normal([2]) for part in g.split(2)]
        runs.append(draws)
    for expected, found in zip(*runs, strict=True):
        assert_equal(found, expected)


def test_a_large_draw(both):
    """A million numbers agree to the last bit."""
    for name in ("normal", "uniform", "truncated_normal"):
        expected, found = (getattr(m, name)([1_000_003], seed=3) for m in both)
        assert_equal(found, expected)


def test_gradients_in_the_parameters(tensorflow, both):
    """The gradients in mean, deviation and both ends are TensorFlow's."""
    runs = []
    for tf_like, variable, tape_of in (
        (both[0], tensorflow.Variable, tensorflow.GradientTape),
        (both[1], Variable, GradientTape),
    ):
        tf_like.set_seed(3)
        a, b = variable(1.0), variable([2.0, 3.0])
        with tape_of(persistent=True) as tape:
            targets = [
                tf_like.normal([3, 2], a, b),
                tf_like.uniform([3, 2], a, b),
                tf_like.truncated_normal([3, 2], a, b),
                tf_like.stateless_normal([3, 2], [1, 2], a, b),
                tf_like.uniform([2], 0, b),
            ]
        runs.append([np.asarray(g) for t in targets for g in tape.gradient(t, [a, b])])
    for expected, found in zip(*runs, strict=True):
        if expected.dtype == object:
            assert found.dtype == object
        else:
            np.testing.assert_allclose(found, expected, rtol=1e-6)


ERRORS = [
    lambda m: m.normal(3),
    lambda m: m.normal([2.0]),
    lambda m: m.normal([-1]),
    lambda m: m.normal([2], dtype="int32"),
    lambda m: m.normal([2], mean=0, stddev=1, dtype="int32"),
    lambda m: m.normal([2], mean=[1.0, 2.0, 3.0]),
    lambda m: m.normal([2], mean=m.normal([], dtype="float64")),
    lambda m: m.uniform([2], dtype="int32"),
    lambda m: m.uniform([2], dtype="uint8"),
    lambda m: m.uniform([2], 5, 3, dtype="int32"),
    lambda m: m.uniform([2], [1, 2], 3, dtype="int32"),
    lambda m: m.uniform([2], 0, 3.5, dtype="int32"),
    lambda m: m.stateless_normal([2], [1, 2, 3]),
    lambda m: m.stateless_normal([2], [1.0, 2.0]),
    lambda m: m.stateless_uniform([2], [1, 2], 3, 2, "int32"),
    lambda m: m.stateless_uniform([2], [1, 2], 3, 2, "uint32"),
    lambda m: m.stateless_uniform([2], [1, 2], None),
    lambda m: m.Generator.from_seed(1).uniform([2], dtype="int32"),
    lambda m: m.Generator.from_seed(1).normal(3),
    lambda m: m.Generator.from_seed(1, alg="x"),
]


@pytest.mark.parametrize("call", ERRORS)
def test_errors(both, call):
    """What TensorFlow refuses is refused with the same type and the same first words."""
    errors = []
    for module in both:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - compared below
            call(module)
        errors.append(caught.value)
    expected, found = errors
    assert type(found).__name__ == type(expected).__name__
    head = str(expected).partition("\n")[0].partition(": <tf")[0]
    assert str(found).startswith(head)
