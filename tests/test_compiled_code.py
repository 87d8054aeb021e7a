"""What code is written: numbers among zeros, and loops over the blocks of large arrays."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.codegen.backends import backend_named
from symtape.codegen.task import Task
from symtape.kernels import kernels
from symtape.ops.nn.windows import convolution
from symtape.program.kinds.structural import Cumsum, Embed, Reshape
from symtape.program.operations import Einsum, Input, Map, multiply
from symtape.program.program import Builder
from tests.programs import Writer

NUMBERS: dict[str, tuple[Callable[..., int], float, str]] = {
    "a number": (lambda b, x, y: b.append(Reshape((), (1,)), x), 2.0, "np.array([x, x, 0.0])"),
    "an array": (lambda b, x, y: y, 5.0, "y[0]"),
    "a product": (lambda b, x, y: b.append(multiply, x, y), 10.0, "v2 = x*y"),
    "a contraction": (lambda b, x, y: b.append(Einsum.of(["", "i"], "i"), x, y), 10.0, "v2 = x*y"),
}
"""Arrays of one element, what it is of x = 2 and y = [5], and how it is written."""


@pytest.mark.parametrize("name", NUMBERS)
def test_single_elements_are_put_among_zeros(name: str) -> None:
    """An element that was a number is that number; of any other array it is taken."""
    made, expected, text = NUMBERS[name]
    w = Writer(0, (1,))
    x, y = w.input(()), w.input((1,))
    one = made(w.b, x, y)
    placed = [w.b.append(Embed(((k, 1, 1),), (3,)), one) for k in range(2)]
    total = w.b.total(placed)
    task = Task(w.b.finish(), [x, y], [total], ["x", "y"])
    code = backend_named("numpy").write(task)
    np.testing.assert_array_equal(code.run(2.0, np.array([5.0]))[0], [expected, expected, 0.0])
    assert text in code.text


def test_steps_of_one_loop_may_read_an_earlier_loop_and_what_lies_between() -> None:
    """Of two terms, one reads a loop, one a product after that loop: both are in the next one."""
    x = tf.constant(np.random.default_rng(0).normal(size=(300, 300)), name="x")

    def both(x: Any) -> Any:
        bounded = tf.tanh(x)
        weights = tf.linalg.matvec(x, tf.reduce_sum(tf.exp(bounded), axis=0))
        return tf.sin(bounded * tf.reduce_sum(bounded)) + x * weights

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = both(x)
    compiled = y.lambdify()
    (loop,) = compiled.source.split("for s in blocks(300, 54):")[1:]
    assert "np.sin(" in loop
    assert "x_s*" in loop
    np.testing.assert_array_equal(compiled(x.numpy()), y.numpy())


@pytest.mark.parametrize(
    ("function", "loops"),
    [
        (lambda x: tf.sin(tf.exp(x)), False),
        (lambda x: tf.tanh(tf.sin(tf.exp(x))), True),
        (lambda x: tf.tanh(tf.sin(tf.exp(x[:256]))), False),  # 65,536 elements are large
        (lambda x: tf.reduce_sum(tf.tanh(tf.sin(tf.exp(x))), 1), True),
    ],
    ids=["two", "three", "small", "summed"],
)
def test_three_steps_of_large_arrays_make_a_loop(function: Any, loops: bool) -> None:
    """Fewer save less than the loop costs."""
    x = tf.constant(np.random.default_rng(0).normal(size=(264, 250)), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    compiled = y.lambdify()
    assert ("blocks(" in compiled.source) is loops
    np.testing.assert_array_equal(compiled(x.numpy()), y.numpy())


def test_parts_of_different_wholes_are_computed_apart() -> None:
    """What one call gives are the parts of one factorization, however alike others are."""
    rng = np.random.default_rng(0)
    a = tf.constant(rng.normal(size=(4, 4)) + 4 * np.eye(4), name="a")
    b = tf.constant(rng.normal(size=(5, 3)), name="b")
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        (s, u, _), (s_, u_, _) = tf.linalg.svd(b), tf.linalg.svd(b, full_matrices=True)
        (q, r), (q_, r_) = tf.linalg.qr(b), tf.linalg.qr(b, full_matrices=True)
        values, vectors = tf.linalg.eigh(a)
        sign, log = tf.linalg.slogdet(a)
        small = [tf.reduce_sum(x**2 * (1.0 + x)) for x in (s, u, s_, u_, q, r, q_, r_)]
        y = tf.stack([*small, tf.reduce_sum(values**3), tf.reduce_sum(vectors**4), sign, log])
    compiled = y.lambdify([a, b])
    np.testing.assert_allclose(compiled(a.numpy(), b.numpy()), y.numpy(), rtol=1e-12)


CONTRACTED = "ii->i ii-> ij,ij->i ij,ji->i ij,ij->j ij,ji-> ij,ii->j ij,jk->ik".split()


@pytest.mark.parametrize("subscripts", CONTRACTED)
def test_rows_of_a_loop_are_contracted_where_they_are_rows(subscripts: str) -> None:
    """A diagonal has no rows, and what a loop reads by rows it does not read by columns."""
    x = tf.constant(np.random.default_rng(0).normal(size=(264, 264)), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        made = tf.tanh(tf.sin(tf.exp(x))) * x
        y = tf.einsum(subscripts, *[made, x][: subscripts.count(",") + 1])
    gradient = tape.gradient(y, x)
    for tensor in (y, gradient):
        compiled = tensor.lambdify()
        assert "blocks(" in compiled.source
        np.testing.assert_allclose(compiled(x.numpy()), tensor.numpy(), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(
    "cut",
    [np.s_[:], np.s_[1:], np.s_[:, 1:], np.s_[1:, 1:]],
    ids=["whole", "rows", "columns", "both"],
)
@pytest.mark.parametrize("whole", [False, True])
def test_rows_of_a_loop_are_added_to_zeros_where_they_belong(cut: Any, whole: bool) -> None:
    """A sum of parts is made by the loop that makes the parts, or of them as they are stored."""
    x = tf.constant(np.random.default_rng(0).normal(size=(600, 200)), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        part, rest = x[cut], x[tuple(slice(0, k) for k in x[cut].shape)]
        y = tf.reduce_sum(tf.exp(part) * tf.sin(part) ** 2 + tf.tanh(rest) * rest)
        if whole:
            y += tf.reduce_sum(x**3)
    gradient = tape.gradient(y, x)
    compiled = gradient.lambdify()
    assert "blocks(" in compiled.source
    assert "embed(" not in compiled.source
    np.testing.assert_allclose(compiled(x.numpy()), gradient.numpy(), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex128"])
@pytest.mark.parametrize(
    "subscripts", "aj,jk->k ab,b-> a,b->b abj,jk->bk aja,jk->k a,c-> a,a->".split()
)
@pytest.mark.parametrize("others", [0, 1, 3])
def test_axes_of_one_element_are_dropped_before_a_product(dtype, subscripts, others):
    """What one operand has alone is no sum, and need not be copied."""
    rng = np.random.default_rng(others)
    x, y = (
        (8 * rng.normal(size=[1 if i in "ac" else others for i in term])).astype(dtype)
        for term in subscripts.partition("->")[0].split(",")
    )
    with tf.GradientTape() as tape:
        leaves = tf.constant(x, name="x"), tf.constant(y, name="y")
        tape.watch(leaves)
        made = tf.einsum(subscripts, *leaves)
    compiled = made.lambdify()
    found = compiled(x, y)
    assert "total(" not in compiled.source
    digits = {"float16": 1e-2, "float32": 1e-5}.get(dtype, 1e-13)
    np.testing.assert_allclose(found, np.einsum(subscripts, x, y), rtol=digits, atol=digits)
    assert found.dtype == dtype


@pytest.mark.parametrize("channels", [1, 3, 16])
@pytest.mark.parametrize("batch", [0, 1])
def test_windows_are_contracted_in_the_order_that_is_read_fast(channels, batch):
    """A contraction that has to copy gives the same whichever axes run fastest in memory."""
    rng = np.random.default_rng(channels)
    x, kernel = rng.normal(size=(4, 20, 24, channels)), rng.normal(size=(3, 3, channels, 5))
    seen = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))
    first, rest = (0, 1, 2), (4, 5, 3)
    counts = (batch, 3 - batch, 3, 1)
    right = np.broadcast_to(kernel, (4,) * batch + kernel.shape)
    found = kernels.product(seen, right, first + rest, tuple(range(right.ndim)), counts)
    expected = np.einsum("nhwcij,ijcf->nhwf", seen, kernel)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex128", "int64"])
@pytest.mark.parametrize("others", [0, 1, 3, 7])
@pytest.mark.parametrize(("length", "width"), [(0, 1), (4, 4), (40, 7), (700, 7), (120, 40)])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("stride", [1, -2])
def test_lines_that_slide_are_contracted(dtype, others, length, width, turned, stride):
    """Windows of one channel give the same as their copy, whichever axes are summed."""
    rng = np.random.default_rng(length)
    line = (8 * rng.normal(size=(1, 2 * length, 1))).astype(dtype)[:, ::stride][:, :length]
    line.flags.writeable = False
    seen = kernels.windows(line, ((width, 1, 1),), 1)
    sums = (seen.shape[1] if turned else width, others)
    beside = (8 * rng.normal(size=sums)).astype(dtype)
    own = (0, 2, 1, 3) if turned else (0, 1, 2, 3)
    copied = seen[0, :, :, 0].T if turned else seen[0, :, :, 0]
    expected = copied.astype("complex128") @ beside
    first = kernels.product(seen[..., 0], beside, own[:3], (0, 1), (0, 2, 1, 1))
    second = kernels.product(beside, seen[..., 0], (1, 0), (own[2], 0, own[1]), (0, 1, 1, 2))
    digits = {"float16": 2e-2, "float32": 1e-4}.get(dtype, 1e-12)
    np.testing.assert_allclose(first[0], expected, rtol=digits, atol=40 * digits)
    np.testing.assert_allclose(second[:, 0], expected.T, rtol=digits, atol=40 * digits)
    assert first.dtype == second.dtype == dtype


def test_lines_that_slide_pass_nan_and_infinity_on():
    """Where windows have no number, sums have none; elsewhere they do."""
    line = np.ones(900)
    line[4], line[8] = np.nan, np.inf
    x, kernel = tf.constant(line[None, :, None]), tf.ones((3, 1, 1), "float64")
    found = tf.grad(lambda x, w: tf.reduce_sum(tf.nn.conv1d(x, w, 1, "VALID") ** 2), 1)(x, kernel)
    with tf.GradientTape() as tape:
        tape.watch(kernel)
        y = tf.reduce_sum(tf.nn.conv1d(x, kernel, 1, "VALID") ** 2)
    np.testing.assert_array_equal(found, tape.gradient(y, kernel))


VIEWS: dict[str, Callable[[Any], Any]] = {
    "the argument": lambda x: x * 1.0,
    "its transpose": lambda x: tf.transpose(x),
    "a row": lambda x: x[0],
    "its elements in a line": lambda x: tf.reshape(x, [4]),
    "its diagonal": lambda x: tf.linalg.diag_part(x),
}


@pytest.mark.parametrize("backend", ["numpy", "scipy"])
@pytest.mark.parametrize("name", VIEWS)
def test_a_result_is_an_array_of_its_own(name: str, backend: str) -> None:
    """Whoever writes into a result changes neither an argument nor what was recorded."""
    x, c = tf.constant(np.ones((2, 2)), name="x"), tf.constant(np.ones((2, 2)), name="c")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = VIEWS[name](x)
        z = tf.reduce_sum(x * c)
    for formula in (y, tape.gradient(z, x)):
        compiled, at = formula.lambdify(backend=backend), np.ones((2, 2))
        arguments = [at] * sum(p.kind < 3 for p in compiled.signature.parameters.values())
        compiled(*arguments)[...] = 9.0
        assert np.all(compiled(*arguments) == 1.0)
        assert np.all(at == 1.0)
    assert np.all(c.numpy() == 1.0)


def _causal(x: Any) -> Any:
    seen = tf.linalg.band_part(tf.ones(x.shape, x.dtype), -1, 0)
    return tf.reduce_sum(tf.nn.softmax(x + (1 - seen) * -1e9) ** 2)


KEPT: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a range": (lambda x: tf.reduce_sum(tf.exp(x * tf.range(3.0))), "cumulative("),
    "a mask": (_causal, "band("),
    "an identity": (lambda x: tf.linalg.det(x + tf.eye(3)), "assemble("),
    "infinities": (lambda x: tf.reduce_sum(tf.exp(x + tf.math.log(1 - tf.eye(3)))), "np.log("),
    "what differs by rows": (lambda x: tf.reduce_sum(tf.sin(x) * (tf.range(3.0) + 1)), " + 1"),
}
"""Functions of a matrix, and what of them is the same in every call."""


@pytest.mark.parametrize("backend", ["numpy", "scipy"])
@pytest.mark.parametrize("name", KEPT)
def test_what_no_argument_decides_is_computed_once(name: str, backend: str) -> None:
    """It stands before the function, and nothing of it in the function."""
    function, word = KEPT[name]
    x = tf.constant(np.random.default_rng(1).random((3, 3)), tf.float32, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    gradient = tape.gradient(y, x)
    compiled = gradient.lambdify(backend=backend)
    before, definition = compiled.source.split("def f(x):")
    assert word in before
    assert word not in definition
    for _ in range(2):
        np.testing.assert_allclose(compiled(x.numpy()), gradient, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("axis", [-1, 0])
def test_code_takes_other_labels(axis: int) -> None:
    """Where ones are is an argument; a place that is not there raises, and is no row of zeros."""
    x = tf.constant(np.random.default_rng(2).random((3, 4)), name="x")

    def loss(labels: Any) -> Any:
        hot = tf.one_hot(labels, 4, 0.9, 0.1, axis=axis, dtype=tf.float64)
        return tf.reduce_sum((hot if axis else tf.transpose(hot)) * tf.exp(x))

    def gradient(labels: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loss(labels)
        return tape.gradient(y, x)

    compiled = gradient(tf.constant([0, 2, 1], name="labels")).lambdify()
    for labels in ([0, 2, 1], [3, 3, 0]):
        expected = gradient(tf.constant(labels))
        np.testing.assert_allclose(compiled(x.numpy(), labels=np.int32(labels)), expected)
    with pytest.raises(IndexError, match="out of bounds"):
        compiled(x.numpy(), labels=np.int32([0, 4, 1]))


@pytest.mark.parametrize("values", [(0.0, -np.inf), (1.0, np.inf), (np.nan, 0.0)])
def test_what_is_not_finite_beside_ones_is_no_product(values: tuple[float, float]) -> None:
    """A mask of infinities is what it was recorded as: nothing is multiplied by one."""
    x = tf.constant(np.random.default_rng(3).random((2, 3)), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x) * tf.one_hot([0, 2], 3, *values, dtype=tf.float64)
    gradient = tape.gradient(y, x)
    np.testing.assert_array_equal(gradient.lambdify()(x.numpy()), gradient)
    np.testing.assert_array_equal(y.lambdify()(x.numpy()), y)


def test_who_calls_cannot_change_what_is_kept() -> None:
    """What is given back is made anew, also where another result reads the same."""
    x = tf.constant(np.ones((3, 3)), name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        mask = tf.linalg.band_part(tf.ones((3, 3), tf.float64), -1, 0)
        turned, y = tf.transpose(mask), x * mask
    gradient = tape.gradient(y, x)
    for compiled in (gradient.lambdify(), tf.lambdify([y, turned, mask, gradient])):
        kept = compiled(np.ones((3, 3)))
        for result in kept if isinstance(kept, (list, tuple)) else [kept]:
            result[...] = 7.0
        again = compiled(np.ones((3, 3)))
        for result in again if isinstance(again, (list, tuple)) else [again]:
            assert set(np.unique(result)) == {0.0, 1.0}


def test_what_raises_does_so_in_a_call() -> None:
    """Whoever asks for code is told of no division by zero."""
    b = Builder()
    x = b.append(Input("int64", (3,)))
    zeros = b.broadcast(b.constant(0, np.dtype(np.int64)), (3,))
    quotient = b.append(Map("floordiv", 2, "same"), b.append(Cumsum(0, False, False), zeros), zeros)
    task = Task(b.finish(), [x], [b.append(multiply, x, quotient)], ["x"])
    code = backend_named("numpy").write(task)
    with pytest.raises(ZeroDivisionError):
        code.run(np.array([1, 2, 3]))


def test_a_scalar_is_a_leaf_after_its_tape() -> None:
    """The tensor itself names the argument, also where the tape kept its value alone."""
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    del tape
    assert y.lambdify([x])(3.0) == 9.0


def test_products_beyond_all_floats_are_infinite() -> None:
    """2¹¹⁰⁰ is a number of the formula, and infinite where floats compute it."""
    x = tf.constant([1.0, -2.0], dtype=tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x
        for _ in range(1100):
            y = y * 2.0
    slope = tape.gradient(y, x)
    assert slope.lambdify()(x.numpy()).tolist() == [np.inf, np.inf]
    assert np.diag(tape.jacobian(y, x).numpy()).tolist() == [np.inf, np.inf]
    assert int(slope.exact()[0]) == 2**1100


@pytest.mark.parametrize(
    "subscripts", ["ij,jk->ik", "ij,ij->", "ij,ij->i", "bij,bjk->bik", "i,i->"]
)
def test_products_of_half_precision_are_added_up_in_single(subscripts: str) -> None:
    """Step by step and compiled: sums in float32, where NumPy has BLAS, are rounded once."""
    terms = subscripts.partition("->")[0].split(",")
    arrays = [np.random.default_rng(3).normal(size=(40,) * len(t)).astype("f2") for t in terms]
    single = np.einsum(subscripts, *[a.astype("f4") for a in arrays], optimize=True)
    x, y = map(tf.constant, arrays)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        product = tf.einsum(subscripts, x, y)
    compiled = product.lambdify()
    for found in (product.numpy(), compiled(*arrays)):
        assert found.dtype == np.float16
        np.testing.assert_allclose(found, single.astype("f2"), rtol=2**-10, atol=1e-5)
    assert ".astype(np.float32)" in compiled.source
    slopes = tape.gradient(product, [x, y], tf.ones_like(product))
    assert {g.dtype for g in slopes} == {tf.float16}


@pytest.mark.parametrize("padding", ["SAME", "VALID", [(0, 0), (1, 2), (0, 1), (0, 0)]])
@pytest.mark.parametrize("dilation", [1, 2])
def test_filters_of_few_outputs_are_laid_along_the_image(
    monkeypatch: pytest.MonkeyPatch, padding: Any, dilation: int
) -> None:
    """What an element gives to all windows is added up: the same sums, and no copy of windows."""
    rng = np.random.default_rng(4)
    x, f = (tf.constant(rng.normal(size=n)) for n in ((2, 9, 8, 6), (3, 2, 6, 3)))
    found = []
    for copied in (1 << 60, 1):
        monkeypatch.setattr(convolution, "_COPIED", copied)
        with tf.GradientTape() as tape:
            tape.watch([x, f])
            y = tf.nn.conv2d(x, f, 1, padding, dilations=dilation)
            total = tf.reduce_sum(y * y)
        kinds = {type(step[0]).__name__ for step in y.formula.program.steps}
        found.append([("Overlap" in kinds), y, *tape.gradient(total, [x, f])])
    assert [laid for laid, *_ in found] == [False, True]
    for one, other in zip(found[0][1:], found[1][1:], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_filters_are_laid_out_where_that_is_less_to_move() -> None:
    """Small images, filters of many outputs, and windows that take steps are looked at."""
    wide, deep = tf.zeros([4, 32, 32, 64]), tf.zeros([5, 5, 64, 3])
    for x, f, stride, expected in (
        (wide, deep, 1, True),
        (wide, deep, 2, False),
        (wide[:, :4, :4], deep, 1, False),
        (wide, tf.zeros([5, 5, 64, 40]), 1, False),
    ):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.conv2d(x, f, stride, "SAME")
        kinds = {type(step[0]).__name__ for step in y.formula.program.steps}
        assert ("Overlap" in kinds) is expected


DRAWN = np.random.default_rng(0).normal(size=(2, 500))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("exponent", [3, 4, 5, -2, -3, 40])
def test_powers_of_many_numbers_are_those_of_numpy(exponent: int, dtype: str) -> None:
    """Whole powers of long arrays are taken of sizes; signs, also of zeros, and digits stay."""
    x = DRAWN.astype(dtype)
    x[0, :4] = 0.0, -0.0, np.inf, -np.inf
    x[1, 0] = np.nan
    with np.errstate(all="ignore"):
        wanted = np.power(x, np.array(exponent, dtype))
        found = kernels.power(x, np.array(exponent, dtype))
    np.testing.assert_array_almost_equal_nulp(found[1, 1:], wanted[1, 1:], 2)
    np.testing.assert_array_equal(found[0, :4], wanted[0, :4])
    np.testing.assert_array_equal(np.signbit(found[0]), np.signbit(wanted[0]))
    assert np.isnan(found[1, 0])
    assert found.dtype == x.dtype


def test_powers_of_long_arrays_have_a_function() -> None:
    """A power of few numbers is written as it is shortest to read."""
    texts = []
    for n in (3, 100):
        x = tf.constant(np.linspace(-1, 1, n), name="x")
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x**5)
        formula = tape.gradient(y, x).lambdify()
        np.testing.assert_allclose(formula(x.numpy()), 5 * x.numpy() ** 4, rtol=1e-15)
        texts.append(formula.source)
    few, many = texts
    assert "5*x**4" in few
    assert "5*power(x, 4)" in many


def test_an_element_is_taken_by_one_index() -> None:
    """What takes one element, row or column has an index for it, and no axis to be dropped."""
    p = tf.constant(np.arange(12.0).reshape(3, 4), name="p")
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = p[1, 2] * p[2] * p[0, 1:4:2][1] + p[:, 3][:1]
    formula = y.lambdify()
    assert "p[1, 2]" in formula.source
    assert "p[2]" in formula.source
    np.testing.assert_array_equal(formula(p.numpy()), y.numpy())


def test_parts_are_added_to_their_places() -> None:
    """A sum of several parts at places of zeros is made in place, with what has no place."""
    u = tf.constant(DRAWN[:, :40], name="u")
    with tf.GradientTape() as tape:
        tape.watch(u)
        y = tf.reduce_sum((u[:, 1:] - u[:, :-1]) ** 2 * u[:, 1:]) + tf.reduce_sum(u**2)
    g = tape.gradient(y, u)
    formula = g.lambdify()
    assert "[:, 1:40] += " in formula.source
    assert "embed(" not in formula.source
    np.testing.assert_allclose(formula(u.numpy()), g.numpy(), rtol=1e-14)


def test_results_are_let_go_when_they_are_read_last() -> None:
    """The next results take the memory of those that nobody reads any more."""
    x = tf.constant(np.linspace(0, 1, 10_000), name="x")
    y = tf.cumsum(tf.cumsum(tf.cumsum(x)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cumsum(tf.cumsum(tf.cumsum(x)))
    assert y.lambdify().source.count("del ") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of the C library of Linux")
def test_memory_of_large_results_is_kept() -> None:
    """In a process of its own, results of 320 kB have no new pages each time."""
    code = """
import resource, numpy as np, symtape as tf
slope = tf.grad(lambda x: tf.reduce_sum(tf.tanh(x) * tf.exp(-x) / (1 + x * x) * tf.sin(x)))
x = np.linspace(0, 1, 40_000)
slope(x), slope(x)
begun = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(50):
    slope(x)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - begun)
"""
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - our own code
    assert int(told.stdout) < 50 * 40  # a result has 80 pages
