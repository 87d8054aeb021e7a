"""Operations that Keras needed: alignments, counts, bits, dropout, seen images, draws by a seed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

import symtape as tf
from symtape.errors import UnsupportedError
from symtape.stand_in.projecting import project


def chance(labels, chances):
    """Add up the chances of all sequences of classes that collapse to some labels."""
    total = 0.0
    for way in product(range(chances.shape[1]), repeat=len(chances)):
        kept = [c for k, c in enumerate(way) if c and (k == 0 or way[k - 1] != c)]
        if kept == labels:
            total += np.prod([chances[t, c] for t, c in enumerate(way)])
    return total


def test_ctc_loss_adds_up_all_alignments():
    """Each alignment is counted once: the judge lists them all."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(5, 3, 4))
    labels, lengths, steps = [[1, 2, 2], [3, 0, 0], [2, 2, 0]], [3, 1, 2], [5, 3, 4]
    found = tf.nn.ctc_loss(labels, logits, lengths, steps)
    shares = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    for k, (row, n, t) in enumerate(zip(labels, lengths, steps, strict=True)):
        assert float(found[k]) == pytest.approx(-np.log(chance(row[:n], shares[:t, k])))


def test_the_slope_of_ctc_loss():
    """The gradient is the limit of differences, and zero behind the end of a row."""
    rng = np.random.default_rng(1)
    v = tf.Variable(rng.normal(size=(4, 1, 3)))
    with tf.GradientTape() as tape:
        loss = tf.nn.ctc_loss([[1, 2]], v, [2], [3])
    slope = tape.gradient(loss, v).numpy()
    assert not slope[3].any()
    at = v.numpy()
    for place in np.ndindex(3, 1, 3):
        step = np.zeros_like(at)
        step[place] = 1e-6
        high, low = (float(tf.nn.ctc_loss([[1, 2]], at + s * step, [2], [3])[0]) for s in (1, -1))
        assert slope[place] == pytest.approx((high - low) / 2e-6, abs=1e-6)


def test_labels_that_no_alignment_has():
    """What cannot be costs inf, and labels that are dense have lengths."""
    assert np.isinf(tf.nn.ctc_loss([[1, 1]], np.zeros((2, 1, 2)), [2], [2]).numpy()).all()
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.nn.ctc_loss([[1]], np.zeros((2, 1, 2)), None, [2])


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_bits_of_two(name):
    """NumPy's functions of the same names agree, and what is no whole number is refused."""
    x, y = np.array([6, -3, 255], np.int32), np.array([3, 5, -1], np.int32)
    found = getattr(tf.bitwise, name)(x, y).numpy()
    assert found.tolist() == getattr(np, name)(x, y).tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the list of allowed values"):
        getattr(tf.bitwise, name)(1.0, 2.0)


def test_shifts_and_casts_of_bits():
    """Bits move, turn, and are read as another dtype; sizes that do not fit are refused."""
    assert tf.bitwise.left_shift([3], [2]).numpy().tolist() == [12]
    assert tf.bitwise.right_shift([-8], [1]).numpy().tolist() == [-4]
    assert tf.bitwise.invert(np.array([0], np.uint8)).numpy().tolist() == [255]
    words = tf.bitcast(np.array([1.5], np.float64), tf.uint32)
    assert words.shape == (1, 2)
    assert tf.bitcast(words, "float64").numpy().tolist() == [1.5]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot bitcast from"):
        tf.bitcast(np.zeros(3, np.float32), tf.float64)


def test_counts():
    """NumPy counts the same; rows are counted by themselves, and negative numbers refused."""
    numbers, weights = np.array([1, 4, 1]), np.array([0.5, 1.0, 2.0])
    assert tf.math.bincount(numbers).numpy().tolist() == np.bincount(numbers).tolist()
    assert tf.math.bincount(numbers, maxlength=2).numpy().tolist() == [0, 2]
    assert tf.math.bincount(numbers, minlength=6, binary_output=True).numpy().sum() == 2
    found = tf.math.bincount(numbers, weights=weights).numpy()
    assert found.tolist() == np.bincount(numbers, weights).tolist()
    rows = tf.math.bincount([[0, 0], [1, 2]], axis=-1).numpy()
    assert rows.tolist() == [[2, 0, 0], [0, 1, 1]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be non-negative"):
        tf.math.bincount([-1])


def test_dropout():
    """Elements are zero or larger, by the share; slopes are what elements were multiplied by."""
    x = tf.Variable(np.ones(4000, np.float32))
    tf.random.set_seed(0)
    with tf.GradientTape() as tape:
        y = tf.nn.dropout(x, 0.25)
    assert set(np.unique(y.numpy()).tolist()) == {0.0, np.float32(4 / 3)}
    assert np.mean(y.numpy() == 0) == pytest.approx(0.25, abs=0.03)
    assert tape.gradient(y, x).numpy().tolist() == y.numpy().tolist()
    whole = tf.nn.dropout(np.ones((3, 5), np.float32), 0.5, noise_shape=[3, 1]).numpy()
    assert (whole == whole[:, :1]).all()
    with pytest.raises(ValueError, match=r"in the range \[0, 1\)"):
        tf.nn.dropout(x, 1.0)
    with pytest.raises(ValueError, match="must be a floating point tensor"):
        tf.nn.dropout([1, 2], 0.5)


SEEN = {  # by TensorFlow 2.21
    ("NEAREST", "CONSTANT"): [1, 2, 9],
    ("NEAREST", "REFLECT"): [1, 2, 2],
    ("NEAREST", "WRAP"): [1, 2, 0],
    ("NEAREST", "NEAREST"): [1, 2, 2],
}


@pytest.mark.parametrize("how", SEEN)
def test_seen_images(how):
    """A shift by one shows the neighbours, and outside what the mode says."""
    image = np.arange(3.0, dtype=np.float32).reshape(1, 1, 3, 1)
    found = project(image, [[1, 0, 1, 0, 1, 0, 0, 0]], [1, 3], 9.0, *how).numpy().ravel()
    assert found.tolist() == SEEN[how]


def test_seen_images_between_pixels():
    """Half a pixel is the mean of two, and so is the gradient of both."""
    image = tf.Variable(np.arange(3.0, dtype=np.float32).reshape(1, 1, 3, 1))
    with tf.GradientTape() as tape:
        seen = project(image, [[1, 0, 0.5, 0, 1, 0, 0, 0]], [1, 2], 0.0, "BILINEAR")
    assert seen.numpy().ravel().tolist() == [0.5, 1.5]
    assert tape.gradient(seen, image).numpy().ravel().tolist() == [0.5, 1.0, 0.5]


def test_draws_by_a_seed():
    """Categories are TensorFlow's to the bit; gamma and binomial numbers have their moments."""
    logits = [[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]]
    found = tf.random.stateless_categorical(logits, 6, [3, 4]).numpy().tolist()
    assert found == [[2, 2, 1, 2, 2, 2], [0, 0, 1, 0, 0, 1]]  # TensorFlow 2.21 draws these
    gamma = tf.random.stateless_gamma([4000], [1, 2], alpha=3.0, beta=2.0).numpy()
    assert (gamma.mean(), gamma.var()) == pytest.approx((1.5, 0.75), rel=0.06)
    assert gamma.tolist() == tf.random.stateless_gamma([4000], [1, 2], 3.0, 2.0).numpy().tolist()
    counts = tf.random.stateless_binomial([4000], [1, 2], 10.0, 0.3).numpy()
    assert (counts.mean(), counts.var()) == pytest.approx((3.0, 2.1), rel=0.06)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must end with broadcasted shape"):
        tf.random.stateless_gamma([3], [1, 2], alpha=[1.0, 2.0])


def test_gamma_numbers_keep_their_places():
    """What is drawn falls with the rate as 1/rate; by the shape, at the same quantile."""
    alpha, beta = tf.constant([0.4, 3.0, 20.0], tf.float64), tf.constant(2.0, tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([alpha, beta])
        x = tf.random.stateless_gamma([5, 3], [1, 2], alpha, beta, dtype=tf.float64)
        total = tf.reduce_sum(x**2)
    np.testing.assert_allclose(
        tape.gradient(total, beta), -2 * np.sum(x.numpy() ** 2) / 2, rtol=1e-12
    )
    places, step = stats.gamma.cdf(x.numpy() * 2, alpha.numpy()), 1e-5
    moved = [stats.gamma.ppf(places, alpha.numpy() + h) / 2 for h in (step, -step)]
    slopes = 2 * x.numpy() * (moved[0] - moved[1]) / (2 * step)
    np.testing.assert_allclose(tape.gradient(total, alpha), slopes.sum(0), rtol=1e-6)


def test_narrow_numbers_are_multiplied_in_wide_ones():
    """Products of int8 are added up in int32, as with TensorFlow's `output_type`."""
    x = np.full((2, 300), 100, np.int8)
    found = tf.matmul(x, x, transpose_b=True, output_type=tf.int32)
    assert found.dtype == tf.int32
    assert found.numpy().tolist() == [[3000000] * 2] * 2
    with pytest.raises(UnsupportedError, match="cast the factors instead"):
        tf.matmul(tf.ones([1, 1]), tf.ones([1, 1]), output_type=tf.float64)


def test_rows_are_put_into_variables():
    """Rows of one place add up, and the last one is taken; what has no rows is refused."""
    v = tf.Variable([[1.0], [2.0], [3.0]])
    rows = tf.IndexedSlices([[10.0], [20.0]], [2, 2], (3, 1))
    assert v.scatter_add(rows).numpy().ravel().tolist() == [1.0, 2.0, 33.0]
    assert v.scatter_sub(rows).numpy().ravel().tolist() == [1.0, 2.0, 3.0]
    assert v.scatter_update(rows).numpy().ravel().tolist() == [1.0, 2.0, 20.0]
    with pytest.raises(TypeError, match="`sparse_delta` must be"):
        v.scatter_add(1.0)
