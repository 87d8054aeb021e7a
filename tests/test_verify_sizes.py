# ruff: noqa: D103 - a function is described by its name
"""The judge on candidates that are right for the sizes of the example, and for no others."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape import verify

RNG = np.random.default_rng(5)
Z, Y = RNG.normal(size=(2, 3)), np.eye(3)[[0, 2]]


def entropy(z, y):
    return -tf.reduce_mean(tf.reduce_sum(y * tf.nn.log_softmax(z), axis=1))


def entropy_by_hand(z, y):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) - y


def attend(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v


def attend_back(q, k, v, u, root):
    s = q @ k.T / root
    e = np.exp(s - s.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    dp = u @ v.T
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / root
    return ds @ k, ds.T @ q, p.T @ u


def test_a_batch_size_that_is_written_in_is_refuted():
    """The counterexample has another one; labels stay choices in rows that are longer."""
    assert verify.gradient(entropy, lambda z, y: entropy_by_hand(z, y) / len(z), Z, Y, wrt="z").ok
    report = verify.gradient(entropy, lambda z, y: entropy_by_hand(z, y) / 2, Z, Y, wrt="z")
    assert report.verdict == "refuted"
    assert report.cause.startswith(
        "it is right for the sizes of the example alone: where z has shape (3, 3) and y has shape "
        "(3, 3), z: it has the factor 1.5"
    )
    assert report.counterexample["z"].shape == (3, 3)


def test_a_size_of_any_axis_is_looked_at():
    """As that of keys is, by whose root products are divided."""
    given = RNG.normal(size=(3, 2)), RNG.normal(size=(4, 2)), RNG.normal(size=(4, 5))
    assert verify.vjp(attend, lambda q, *a: attend_back(q, *a, np.sqrt(q.shape[1])), *given).ok
    report = verify.vjp(attend, lambda *a: attend_back(*a, np.sqrt(2)), *given)
    assert "where q has shape (3, 3) and k has shape (4, 3)" in report.cause


@pytest.mark.parametrize("kind", ["gradient", "hessian"])
def test_a_mean_over_a_vector_is_one_of_any_length(kind):
    """One factor for all entries is a number of entries."""
    asked, x = getattr(verify, kind), RNG.normal(size=5)
    answer = (lambda x: 2 * x) if kind == "gradient" else (lambda x: 2 * np.eye(len(x)))
    assert asked(lambda x: np.mean(x**2), lambda x: answer(x) / len(x), x).ok
    assert not asked(lambda x: np.mean(x**2), lambda x: answer(x) / 5, x).ok


def causal(x, y):
    return tf.where(np.tril(np.ones((4, 4), bool)), tf.matmul(x, y, transpose_b=True), 0.0)


def causal_by_rows(x, y, u):
    dx, dy = np.zeros_like(x), np.zeros_like(y)
    for i in range(len(x)):
        dx[i] = u[i, : i + 1] @ y[: i + 1]
        dy[: i + 1] += np.outer(u[i, : i + 1], x[i])
    return dx, dy


def test_an_array_of_the_function_itself_keeps_its_sizes():
    """A mask for four rows would be broadcast for one, which is no function of a row."""
    assert verify.vjp(causal, causal_by_rows, ROWS, ROWS**2).ok


SQUARE = Z[:, :2]
ROWS = RNG.normal(size=(4, 2))


def by_places(x):
    out = np.zeros_like(x)
    for k in range(4):
        out[k] = 2 * x[k]
    return out


def cofactors(x):
    return np.array([[x[1, 1], -x[1, 0]], [-x[0, 1], x[0, 0]]])


def of_two(x):
    p, q = x
    return np.array([-np.cos(p), 2 * q])


@pytest.mark.parametrize(
    ("f", "candidate", "x", "note"),
    [
        (lambda x: tf.reduce_sum(x**2), by_places, ROWS, "it differs"),
        (lambda x: np.sum(x**2) / 4.0, lambda x: 2 * x / len(x), ROWS, "or the function is"),
        (np.linalg.det, cofactors, SQUARE, "gives shape (2, 2)"),
        (lambda x: x[1] ** 2 - np.sin(x[0]), of_two, Z[0, :2], ""),
        (lambda x: np.sum(x**2), lambda x: 2 * x.reshape(4, 2), ROWS, "the candidate raised"),
    ],
)  # fmt: skip
def test_what_is_meant_for_the_sizes_of_the_example_is_right(f, candidate, x, note):
    """Written entry by entry, for a function with the number in it, or for so many places."""
    report = verify.gradient(f, candidate, x)
    assert report.ok, report
    told = [n for n in report.notes if "has shape" in n]
    assert len(told) == bool(note), told
    assert note in "".join(told)


def test_a_function_that_leaves_for_floats_has_other_batches():
    """Differences are taken there, too."""

    def f(x):
        return sum(float(np.tanh(row).sum()) for row in np.asarray(x).tolist()) / len(x)

    assert verify.gradient(f, lambda x: (1 - np.tanh(x) ** 2) / len(x), ROWS).ok
    report = verify.gradient(f, lambda x: (1 - np.tanh(x) ** 2) / 4, ROWS)
    assert report.cause.startswith("it is right for the sizes of the example alone")


def dense(x, w):
    return tf.tanh(x @ w)


def dense_by_hand(x, w, u):
    d = u * (1 - np.tanh(x @ w) ** 2)
    return d @ w.T, x.T @ d


def of_one_example(x, w, u):
    d = u * (1 - np.tanh(x @ w) ** 2)
    return d @ w.T, np.outer(x[0], d[0])


def of_several(x, w, u):
    d = u * (1 - np.tanh(x @ w) ** 2)
    return d @ w.T, x.T @ d * (2 if len(x) == 1 else 1)


def of_squeezed(x, w, u):
    return dense_by_hand(np.squeeze(x), w, u)


WEIGHTS = np.linspace(-1, 1, 6).reshape(3, 2)


@pytest.mark.parametrize(
    ("candidate", "count", "cause", "note"),
    [
        (dense_by_hand, 1, "", ""),
        (dense_by_hand, 2, "", ""),
        (of_one_example, 1, "it is right for the sizes of the example alone: where x has", ""),
        (of_several, 2, "it is wrong for a size of one: where x has shape (1, 3)", ""),
        (of_squeezed, 2, "", "where x has shape (1, 3) and w has shape (3, 2), the candidate r"),
    ],
)
def test_one_example_and_several_are_both_tried(candidate, count, cause, note):
    """A batch of one hides what is not added up, and one of several what is squeezed."""
    x = np.linspace(0.1, 1, 3 * count).reshape(count, 3)
    report = verify.vjp(dense, candidate, x, WEIGHTS)
    assert report.cause.startswith(cause)
    assert report.ok == (not cause)
    assert note in "".join(report.notes)


def biased(x, w, b):
    return tf.tanh(x @ w + b)


def biased_by_hand(x, w, b, u):
    d = u * (1 - np.tanh(x @ w + b) ** 2)
    return d @ w.T, x.T @ d, d.sum(0, keepdims=True)


def biased_mean(x, w, b, u):
    dx, dw, db = biased_by_hand(x, w, b, u)
    return dx, dw, db / len(x)


def distance(x, y):
    return tf.reduce_sum((x - y) ** 2, axis=1)


def distance_by_hand(x, y, u):
    d = 2 * (x - y) * u[:, None]
    return d, -d


def distance_of_one(x, y, u):
    d = 2 * (x - y) * u[0]
    return d, -d


ROW = np.array([[0.5, -1.0, 2.0]])


@pytest.mark.parametrize(
    ("f", "candidate", "inputs", "cause", "note"),
    [
        (biased, biased_by_hand, (ROW, WEIGHTS, ROW[:, :2]), "", ""),
        (biased, biased_mean, (ROW, WEIGHTS, ROW[:, :2]), "w has shape (3, 2) and b has sh", ""),
        (distance, distance_by_hand, (ROW, ROW**2), "", "for y, whose shape is (1, 3): the sum"),
        (distance, distance_of_one, (ROW, ROW**2), "x has shape (2, 3) and y has shape (2, 3)", ""),
    ],
)
def test_of_inputs_of_one_row_several_may_be_examples(f, candidate, inputs, cause, note):
    """What is right for one choice of those that have two rows is right; a sum may be noted."""
    report = verify.vjp(f, candidate, *inputs)
    assert report.ok == (not cause), report
    assert cause in report.cause
    assert note in "".join(report.notes)
    assert bool(report.notes) == bool(note)


def test_a_row_by_its_nature_is_no_batch_of_one():
    """What two rows give is not what each gives, so that the candidate is for one."""
    row = np.array([[1.0, -2.0, 0.5]])
    report = verify.vjp(
        lambda x: tf.reduce_sum(x) ** 2, lambda x, u: 2 * u * x[0].sum() + 0 * x, row
    )
    assert report.ok
    assert "where x has shape (2, 3), it differs" in "".join(report.notes)


def scores(q, k):
    return q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])


def scores_back(q, k, u, root):
    return u @ k / root, u.transpose(0, 2, 1) @ q / root


def test_numbers_of_axes_are_no_sizes_of_a_function():
    """A function that exchanges axes 1 and 2 is none for vectors of length 2."""
    given = RNG.normal(size=(2, 3, 2)), RNG.normal(size=(2, 4, 2))
    assert verify.vjp(scores, lambda q, k, u: scores_back(q, k, u, np.sqrt(q.shape[2])), *given).ok
    report = verify.vjp(scores, lambda *a: scores_back(*a, np.sqrt(2)), *given)
    assert report.cause.startswith("it is right for the sizes of the example alone: where q has")


def test_a_factor_of_two_is_no_size_where_the_candidate_has_the_size():
    """2 may be the root of a size, or half of it; 4 in the candidate is that size."""

    def f(x, y):
        return np.sum((x - y[:, None]) ** 4) / (2 * len(y))

    right = verify.gradient(
        f, lambda x, y: 2 * (x - y[:, None]) ** 3 / len(y), ROWS, ROWS[:, 0], wrt="x"
    )
    assert right.ok
    report = verify.gradient(
        f, lambda x, y: 2 * (x - y[:, None]) ** 3 / 4, ROWS, ROWS[:, 0], wrt="x"
    )
    assert report.cause.startswith("it is right for the sizes of the example alone: where x has")


def chosen(u, y):
    return sum(u[t, y[t]] for t in range(u.shape[0]))


def chosen_back(u, y):
    out = np.zeros_like(u)
    out[np.arange(len(u)), y] = 1
    return out


def test_what_a_loop_takes_beside_each_other_has_one_size():
    """Rows and their labels: a row alone has one label, though the function asks for no more."""
    u, y = RNG.normal(size=(4, 3)), np.array([0, 2, 2, 1])
    assert verify.gradient(chosen, chosen_back, u, y).ok
    report = verify.gradient(chosen, lambda u, y: np.eye(3)[y] * (np.arange(4) < 4)[:, None], u, y)
    assert "where u has shape (5, 3) and y has shape (5,)" in "".join(report.notes)


def valley(x):
    return tf.reduce_sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def valley_curvature(x, turns):
    H = np.zeros((len(x), len(x)))
    for i in range(turns):
        H[i, i] += 1200 * x[i] ** 2 - 400 * x[i + 1] + 2
        H[i + 1, i + 1] += 200
        H[i, i + 1] -= 400 * x[i]
        H[i + 1, i] -= 400 * x[i]
    return H


def test_sizes_that_slices_and_masks_have_to_do_with_are_tried():
    """Of two numbers one is left, which may be one at any size."""
    x = np.array([0.3, -1.2])
    assert not verify.hessian(valley, lambda x: valley_curvature(x, len(x) - 1), x).notes
    report = verify.hessian(valley, lambda x: valley_curvature(x, 1), x)
    assert "where x has shape (3,), it differs" in "".join(report.notes)


def attended(q, k):
    rows, columns = len(q), len(k)
    mask = np.tril(np.ones((rows, columns)), columns - rows)
    return q @ k.T * mask


def test_rows_of_a_square_are_also_tried_apart():
    """A number of queries may be another one than that of keys."""
    q, k = RNG.normal(size=(2, 3, 4))
    report = verify.vjp(attended, lambda q, k, u: (np.tril(u) @ k, np.tril(u).T @ q), q, k)
    assert "has shape (4, 4)" in report.cause + "".join(report.notes), report
    assert verify.vjp(
        attended,
        lambda q, k, u: (attended(u, np.eye(len(k))) @ k, attended(u, np.eye(len(k))).T @ q),
        q,
        k,
    ).ok


def nearest(a, b):
    return tf.linalg.lstsq(a, b)


def nearest_back(a, b, u):
    x = np.linalg.lstsq(a, b, rcond=None)[0]
    y = np.linalg.pinv(a.T @ a) @ u
    return (b - a @ x) @ y.T - a @ y @ x.T, a @ y


def test_equations_are_no_examples():
    """One equation for two unknowns has many solutions, for which another formula is right."""
    a, b = RNG.normal(size=(4, 2)), RNG.normal(size=(4, 3))
    assert verify.vjp(nearest, nearest_back, a, b).ok
    wrong = verify.vjp(nearest, lambda *given: 2 * nearest_back(*given)[1], a, b, wrt="b")
    assert not wrong.ok


def squares_of_a_block(x, u):
    found, block = np.zeros_like(x), 16
    found[:block] = 2 * x[:block] * u[:block]
    return found


def squares_but_for_a_rest(x, u):
    found = 2 * x * u
    if len(x) >= 8:
        found[len(x) // 8 * 8 :] = 0
    return found


def squares_in_blocks(x, u):
    found = np.zeros_like(x)
    for start in range(0, len(x), 16):
        own = slice(start, start + 16)
        found[own] = 2 * x[own] * u[own]
    return found


@pytest.mark.parametrize(
    ("candidate", "shape"),
    [(squares_of_a_block, "(17,)"), (squares_but_for_a_rest, "(9,)"), (squares_in_blocks, "")],
)
def test_sizes_beyond_a_block_of_the_candidate_are_tried(candidate, shape):
    """A number in its source may be the size of a block, of which an example has less."""
    report = verify.vjp(tf.square, candidate, RNG.normal(size=5))
    words = f"wrong beyond a size that it has a number for: where x has shape {shape}"
    assert report.ok != (words in report.cause), report
    assert report.ok == (not shape)


def test_a_number_of_turns_that_the_function_has_is_no_block():
    """What is iterated is a fixed point at the example, and none yet for as many rows as turns."""

    def settled(w, x):
        z = tf.zeros_like(x)
        for _ in range(60):
            z = tf.tanh(tf.linalg.matvec(w, z) + x)
        return z

    def settled_back(w, x, g):
        z = np.zeros_like(x)
        for _ in range(60):
            z = np.tanh(w @ z + x)
        slope = 1 - z * z
        u = slope * np.linalg.solve(np.eye(len(x)) - w.T * slope, g)
        return np.outer(u, z), u

    given = -0.1 - 0.02 * np.tri(3), RNG.normal(size=3)
    report = verify.vjp(settled, settled_back, *given, domain={"w": "near"})
    assert report.ok
    assert any("where w has shape (61, 61) and x has shape (61,)" in note for note in report.notes)


def recurrent(x, w):
    h = tf.zeros((), x.dtype)
    for t in range(x.shape[0]):
        h = tf.tanh(w * h + x[t])
    return h


def recurrent_back(x, w, steps):
    states = [0.0]
    for v in x:
        states.append(np.tanh(w * states[-1] + v))
    d, dx, dw = 1.0, np.zeros(len(x)), 0.0
    for t in range(len(x) - 1, max(-1, len(x) - 1 - steps), -1):
        d = d * (1 - states[t + 1] ** 2)
        dx[t], dw = d, dw + d * states[t]
        d = d * w
    return dx, dw


def test_steps_back_that_end_too_soon_are_refuted():
    """Where an example has fewer steps than a loop goes back."""

    def five_back(x, w):
        return recurrent_back(x, w, min(5, len(x)))

    x = RNG.normal(size=3)
    assert "where x has shape (6,)" in verify.gradient(recurrent, five_back, x, 0.7).cause
    assert verify.gradient(recurrent, lambda x, w: recurrent_back(x, w, len(x)), x, 0.7).ok


def linear(x, w):
    return tf.reduce_mean(tf.linalg.matvec(x, w) ** 2)


def of_rows(x, w):
    return 2 * x.T @ (x @ w) / len(x)


def of_their_sum(x, w):
    return 2 * x.T @ (x @ w)


def of_the_first(x, w):
    return 2 * x[0] * (x @ w)[0]


@pytest.mark.parametrize(
    ("candidate", "ok"), [(of_rows, True), (of_their_sum, False), (of_the_first, True)]
)
def test_one_row_that_is_not_judged_may_be_an_example(candidate, ok):
    """A mean over one example has no factor that shows; who takes the first row alone has one."""
    report = verify.gradient(
        linear, candidate, RNG.normal(size=(1, 3)), RNG.normal(size=3), wrt="w"
    )
    assert report.ok == ok, report
    assert ok or "right for the sizes of the example alone" in report.cause


@pytest.mark.parametrize(("factor", "ok"), [(len, True), (lambda _: 1, False)])
def test_a_vector_of_one_entry_may_be_of_examples(factor, ok):
    """A mean of one number is that number."""

    def by_hand(x):
        return 2 * x / factor(x)

    report = verify.gradient(lambda x: tf.reduce_mean(x**2), by_hand, np.array([1.5]))
    assert report.ok == ok, report


def test_a_choice_stays_one_where_there_are_fewer():
    """A label of three classes is none of two, and no row of zeros of fewer."""

    def loss(z, y):
        return -tf.reduce_sum(y * tf.nn.log_softmax(z))

    def by_hand(z, y):
        e = np.exp(z - z.max())
        return e / e.sum() - y

    for k in range(3):
        assert verify.gradient(loss, by_hand, Z[0], np.eye(3)[k], wrt="z").ok


def test_a_matrix_of_one_entry_is_no_transpose():
    """What shows no difference at the example is asked of two rows."""
    given = np.ones((1, 1)), np.array([2.0])
    assert verify.vjp(tf.linalg.matvec, lambda a, x, u: (np.outer(u, x), a.T @ u), *given).ok
    report = verify.vjp(tf.linalg.matvec, lambda a, x, u: (np.outer(x, u), a.T @ u), *given)
    assert not report.ok
    assert report.cause.endswith(
        "the candidate gives shape (1, 2) for a, whose shape is (2, 1): it is transposed"
    )


@pytest.mark.parametrize("wrong", [lambda x: x, lambda x: 2 * x])
def test_of_no_entries_the_shape_is_all_that_is_compared(wrong):
    """Nothing is proved of formulas that were never computed."""
    report = verify.gradient(lambda x: tf.reduce_sum(x * x), wrong, np.zeros((0, 3)))
    assert report.verdict == "measured"
    assert report.notes[0].startswith("the derivative has no entries at the example")
    assert "half precision" not in str(report)
    assert not verify.gradient(lambda x: tf.reduce_sum(x * x), lambda x: x.T, np.zeros((0, 3))).ok
