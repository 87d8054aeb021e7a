"""Random numbers: the published vectors of Philox, TensorFlow's documented numbers, and errors."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from symtape import random
from symtape.config import threading
from symtape.ops.random.drawing import gaussian, philox
from symtape.ops.random.drawing.philox import Stream
from symtape.tape import GradientTape
from symtape.tensor.convert import convert
from symtape.tensor.variables.variable import Variable

FLOATS = ["float16", "float32", "float64"]


@pytest.fixture(autouse=True)
def unseeded():
    """Take the global seed away after each test."""
    yield
    random.set_seed(None)


def words(text):
    """Read words in hexadecimal, the lowest first, as one number."""
    return sum(int(word, 16) << 32 * k for k, word in enumerate(text.split()))


# --- the bits -------------------------------------------------------------------------------------

KNOWN = [  # Random123, kat_vectors, philox4x32 10: counter, key, result
    (
        "00000000 00000000 00000000 00000000",
        "00000000 00000000",
        "6627e8d5 e169c58d bc57ac4c 9b00dbd8",
    ),
    (
        "ffffffff ffffffff ffffffff ffffffff",
        "ffffffff ffffffff",
        "408f276d 41c83b0e a20bc7c6 6d5451fd",
    ),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
def test_philox_gives_the_published_vectors(counter, key, result):
    """The authors' known answers come out."""
    found = philox.bits(Stream(words(key), words(counter)), 4)
    assert [f"{word:08x}" for word in found.tolist()] == result.split()


@pytest.mark.parametrize("start", [2**64 - 2, 2**128 - 2, 2**32 - 1])
def test_counters_carry(start):
    """The counter is one number of 128 bits: blocks in one go are blocks one by one."""
    stream = Stream(5, start)
    single = [philox.bits(stream.skip(k), 4) for k in range(4)]
    assert np.array_equal(philox.bits(stream, 16), np.concatenate(single))


def test_long_draws_continue_short_ones():
    """How many numbers are drawn at once changes none of them."""
    long, short = (philox.bits(Stream(1, 2), n) for n in (600_000, 1000))
    assert np.array_equal(long[:1000], short)


# --- from bits to numbers -------------------------------------------------------------------------


def reference_truncated(stream, size, width, pairs):
    """Draw truncated numbers one by one, as the definition says."""
    out = []
    for group in range(-(-size // width)):
        source = iter(pairs(stream.skip(group * width * 64)))
        taken = []
        while len(taken) < width:
            taken += [x for x in next(source) if abs(x) < 2][: width - len(taken)]
        out += taken
    return np.array(out[:size])


@pytest.mark.parametrize(("dtype", "width"), [("float32", 4), ("float64", 2)])
def test_truncated_normal_numbers_are_the_small_ones_of_each_group(dtype, width):
    """Each group takes the first numbers below 2 from the normal numbers of its own counters."""
    stream = Stream(11, 7 << 64)

    def pairs(at):
        return gaussian.normal(at, 100, np.dtype(dtype)).reshape(-1, 2).tolist()

    found = gaussian.truncated_normal(stream, 1001, np.dtype(dtype))
    assert np.array_equal(found, reference_truncated(stream, 1001, width, pairs).astype(dtype))


def test_the_single_precision_functions_are_right_to_a_unit():
    """The logarithm, sine and cosine in float32 are those of float64, rounded, or next to them."""
    u = (np.arange(1, 1 << 16, dtype=np.float32) / np.float32(1 << 16)).astype(np.float32)
    angle = (2 * np.pi * u.astype(float)).astype(np.float32)
    sine, cosine = gaussian._sin_cos(angle)
    wide = angle.astype(float)
    for found, exact in (
        (gaussian._log(u), np.log(u.astype(float))),
        (sine, np.sin(wide)),
        (cosine, np.cos(wide)),
    ):
        assert found.dtype == np.float32
        assert np.max(np.abs(found - exact) / np.spacing(np.abs(exact).astype(np.float32))) < 0.9


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.slow
def test_the_moments_are_those_of_the_distribution(dtype):
    """A million draws have the mean and variance of their distribution, to five deviations."""
    n = 1_000_000
    for sampler, mean, variance in (
        (philox.uniform, 0.5, 1 / 12),
        (gaussian.normal, 0.0, 1.0),
        (gaussian.truncated_normal, 0.0, 0.7737413),
    ):
        drawn = sampler(Stream(3, 4), n, np.dtype(dtype)).astype(float)
        assert abs(drawn.mean() - mean) < 5 * np.sqrt(variance / n) + 1e-3 * (dtype == "float16")
        assert abs(drawn.var() / variance - 1) < 0.01


# --- seeds ----------------------------------------------------------------------------------------


def test_without_a_seed_numbers_are_fresh():
    """Two draws differ, and so do those of two runs."""
    assert not np.array_equal(random.normal([8]).numpy(), random.normal([8]).numpy())
    assert not np.array_equal(random.shuffle(range(50)).numpy(), random.shuffle(range(50)).numpy())


def test_a_seed_alone_goes_on():
    """With a seed for the operation only, a second call gives other numbers, until set_seed."""
    random.set_seed(None)
    first, second = (random.normal([3], seed=9).numpy() for _ in range(2))
    random.set_seed(None)
    assert np.array_equal(random.normal([3], seed=9).numpy(), first)
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("seed", [0, True, np.int64(3), np.float64(3), convert(3), 2**40 + 3, -3])
def test_any_number_is_a_seed(seed):
    """Every kind of number repeats the same draws."""
    random.set_seed(seed)
    first = random.uniform([4]).numpy()
    random.set_seed(seed)
    assert np.array_equal(random.uniform([4]).numpy(), first)


@pytest.mark.parametrize("seed", ["a", [1, 2], np.array([3])])
def test_what_is_no_number_is_no_seed(seed):
    """Anything else is refused when it is given."""
    with pytest.raises(TypeError, match="a seed is a number"):
        random.set_seed(seed)


def test_a_generator_copies_splits_and_resets():
    """A copy goes on alone, split generators differ, and a reset starts again."""
    g = random.Generator.from_seed(1)
    copy = random.Generator(g)
    assert np.array_equal(copy.normal([3]).numpy(), g.normal([3]).numpy())
    assert copy.state.numpy().tolist() == g.state.numpy().tolist()
    one, two = g.split(2)
    assert not np.array_equal(one.normal([3]).numpy(), two.normal([3]).numpy())
    g.reset_from_seed(1)
    assert g.state.numpy().tolist() == [1, 0, 0]
    g.reset_from_key_counter(key=3, counter=[1, 2])
    assert g.state.numpy().tolist() == [1, 2, 3]
    assert random.get_global_generator() is random.get_global_generator()


def test_a_generator_keeps_the_variable_that_it_is_given():
    """A state that is a variable is moved on itself."""
    state = Variable(np.array([1, 0, 5]))
    random.Generator(state=state, alg="philox").uniform([2])
    assert state.numpy().tolist() == [513, 0, 5]


def test_a_generator_from_entropy_is_fresh():
    """Two generators without a seed give different numbers."""
    one, two = (random.Generator.from_non_deterministic_state() for _ in range(2))
    assert not np.array_equal(one.normal([4]).numpy(), two.normal([4]).numpy())


# --- shapes, parameters, the tape -----------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [[], [0], [0, 3], [1], (2, 3), np.array([2, 1]), convert([3])])
def test_shapes_and_dtypes(shape, dtype):
    """Every shape comes out as asked, in every dtype."""
    for draw in (random.normal, random.uniform, random.truncated_normal):
        drawn = draw(shape, dtype=dtype)
        assert drawn.shape == np.asarray(shape).tolist()
        assert drawn.dtype == dtype


def test_a_tape_differentiates_in_mean_and_deviation():
    """The numbers drawn are constants: m + s e has slope 1 in m and e in s."""
    mu, sigma = Variable(1.0), Variable(2.0)
    with GradientTape() as tape:
        x = random.normal([], mu, sigma, seed=1)
    by_mu, by_sigma = tape.gradient(x, [mu, sigma])
    assert float(by_mu) == 1.0
    assert float(mu) + float(sigma) * float(by_sigma) == pytest.approx(float(x), rel=1e-6)
    assert str(x.expr) == "mu + sigma*x0"


def test_a_shuffle_cuts_the_tape():
    """As in TensorFlow, no gradient flows through a shuffle."""
    x = Variable([1.0, 2.0, 3.0])
    with GradientTape() as tape:
        y = random.shuffle(x) * 2.0
    assert tape.gradient(y, x) is None


def test_a_shuffle_permutes_rows():
    """The rows are those that went in; nothing and one row stay as they are."""
    rows = np.arange(12.0).reshape(4, 3)
    shuffled = random.shuffle(rows, seed=3).numpy()
    assert sorted(shuffled.tolist()) == rows.tolist()
    assert random.shuffle(np.zeros((0, 3))).shape == (0, 3)
    assert int(random.shuffle(3)) == 3


BOUNDS = {
    "around the mean": (0.3, 1.5, -1.0, 2.0),
    "one bound": (0.3, 1.5, -1.0, np.inf),
    "the other bound": (0.3, 1.5, -np.inf, 0.9),
    "far to the right": (0.0, 1.0, 8.0, 9.0),
    "far to the left": (0.0, 1.0, -20.0, -15.0),
    "farther to the right": (0.0, 1.0, 30.0, np.inf),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_number_between_bounds_keeps_its_place_in_the_distribution(name: str) -> None:
    """Its derivatives are those of the quantile, which mpmath has with all digits."""
    parameters = [convert(x, "float64") for x in BOUNDS[name]]
    with GradientTape() as tape:
        tape.watch(parameters)
        x = random.stateless_parameterized_truncated_normal([], [5, 6], *parameters)
    found = [float(g) for g in tape.gradient(x, parameters)]
    with mpmath.workdps(260):  # far to the right the share begins after 200 nines
        mean, deviation, low, high = map(mpmath.mpf, BOUNDS[name])
        share = _share(mpmath.mpf(float(x)), mean, deviation, low, high)
        for k, own in enumerate(found):
            given = [mean, deviation, low, high]
            if mpmath.isinf(given[k]):
                assert own == 0.0
                continue

            def quantile(value: Any, k: int = k, given: Any = given) -> Any:
                moved = [*given[:k], value, *given[k + 1 :]]
                return mpmath.findroot(lambda y: _share(y, *moved) / share - 1, float(x))

            assert own == pytest.approx(float(mpmath.diff(quantile, given[k], h=1e-12)), rel=1e-7)


def _share(x: Any, mean: Any, deviation: Any, low: Any, high: Any) -> Any:
    """Give the part of a distribution between bounds that lies below a number."""
    first, last, own = (mpmath.ncdf((t - mean) / deviation) for t in (low, high, x))
    return (own - first) / (last - first)


def test_numbers_between_bounds_have_a_second_derivative() -> None:
    """The slope of a slope by a bound is that of its differences."""

    def slope(high: float) -> Any:
        bound = convert(high, "float64")
        with GradientTape() as outer:
            outer.watch(bound)
            with GradientTape() as tape:
                tape.watch(bound)
                zero, one, low = (convert(v, "float64") for v in (0.0, 1.0, -1.0))
                x = random.stateless_parameterized_truncated_normal(
                    [], [5, 6], zero, one, low, bound
                )
            first = tape.gradient(x, bound)
        return float(first), outer.gradient(first, bound), float(x)

    h, (_, second, x) = 1e-6, slope(2.0)
    share = float(_share(x, 0.0, 1.0, -1.0, 2.0))

    def first(high: float) -> float:
        y = float(mpmath.findroot(lambda y: _share(y, 0.0, 1.0, -1.0, high) - share, x))
        return share * float(mpmath.npdf(high) / mpmath.npdf(y))

    assert float(second) == pytest.approx((first(2 + h) - first(2 - h)) / (2 * h), rel=1e-5)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("size", [0, 1, 3, 65_535, 65_537, 131_075])
def test_long_draws_are_those_of_the_bits_in_their_order(size, dtype):
    """What is drawn in pieces is what the first words of the stream are as numbers."""
    stream, kind = philox.Stream(12345, 2**64 - 3), np.dtype(dtype)
    words = philox.bits(stream, size * philox.words_per_number(kind))
    found = philox.uniform(stream, size, kind)
    np.testing.assert_array_equal(found, philox.unit_floats(words, kind)[:size], strict=True)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_tape_changes_no_number_that_is_drawn(dtype):
    """What is scaled in one go has the bits of what is multiplied, and added to, step by step."""
    low, high = convert(0.3, dtype), convert(2.7, dtype)
    plain = random.stateless_uniform([3, 700], [1, 2], low, high, dtype)
    with GradientTape() as tape:
        tape.watch([low, high])
        recorded = random.stateless_uniform([3, 700], [1, 2], low, high, dtype)
    np.testing.assert_array_equal(plain, recorded, strict=True)


# Σ (r+1)·class over rows r of `stateless_categorical(sin(0 … 99,999) in rows of 50, n, [3, 4])` for
# n = 1, 3, 20, as TensorFlow 2.21 draws it with so many threads (TF_NUM_INTRAOP_THREADS).
BLOCKS = {
    1: [48801674, 146956694, 978224449],
    2: [49167744, 146956694, 980183405],
    4: [49677319, 146859912, 982123141],
    16: [50640609, 146956694, 980502014],
}


@pytest.fixture
def told():
    """Take away after the test what was told of threads."""
    yield threading.set_intra_op_parallelism_threads
    threading.set_intra_op_parallelism_threads(0)


@pytest.mark.parametrize("by", ["told", "environment", "processors"])
@pytest.mark.parametrize("threads", BLOCKS)
def test_classes_of_many_rows_are_drawn_by_the_blocks_of_threads(threads, by, told, monkeypatch):
    """Each block of rows draws for itself; how many there are, TensorFlow's settings say."""
    monkeypatch.delenv("TF_NUM_INTRAOP_THREADS", raising=False)
    if by == "told":
        told(threads)
    elif by == "environment":
        monkeypatch.setenv("TF_NUM_INTRAOP_THREADS", str(threads))
    else:
        monkeypatch.setattr("os.sched_getaffinity", lambda _: range(threads), raising=False)
    logits = np.sin(np.arange(100_000.0)).reshape(2000, 50).astype("float32")
    drawn = [random.stateless_categorical(logits, n, [3, 4]).numpy() for n in (1, 3, 20)]
    rows = np.arange(1, 2001)
    assert [int((d.sum(axis=1) * rows).sum()) for d in drawn] == BLOCKS[threads]


def test_what_is_told_of_threads_is_kept(told):
    """As TensorFlow keeps a number, and takes no truth and no float for one."""
    told(3)
    assert threading.get_intra_op_parallelism_threads() == 3
    threading.set_inter_op_parallelism_threads(2)
    assert threading.get_inter_op_parallelism_threads() == 2
    threading.set_inter_op_parallelism_threads(None)
    assert threading.get_inter_op_parallelism_threads() == 0
    for wrong in (True, 2.5, "a"):
        with pytest.raises(TypeError):
            told(wrong)
