"""Matrix calculus where SymPy's own derivative of matrix expressions is wrong, fails or gives up.

The judge is SymPy's derivative of ordinary scalar expressions: the function is written out entry by
entry, and differentiated by each entry. Our formulas are compared with it as formulas, at rational
points to forty digits, and our numbers at floats that are exact.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from tests.sampling import some


class Case(NamedTuple):
    """A function of arrays, ours and written out with SymPy, and the shapes of its arguments.

    It is differentiated by the first argument, once and, where the result is a scalar, twice.
    """

    ours: Callable[..., Any]
    explicit: Callable[..., Any]
    shapes: dict[str, tuple[int, ...]]


def power(x: Any, n: int) -> Any:
    """Multiply a matrix by itself."""
    found = x
    for _ in range(n - 1):
        found = found @ x
    return found


def each(function: Any, array: Any) -> Any:
    """Apply a SymPy function to each entry."""
    return np.array(np.vectorize(function, otypes=[object])(array), dtype=object)


def inverse(x: Any) -> Any:
    """Invert a matrix of expressions."""
    return np.array(sp.Matrix(x).inv("ADJ").tolist(), dtype=object)


def det(x: Any) -> Any:
    """Expand a determinant."""
    return sp.Matrix(x).det("berkowitz")


def softmax(x: Any) -> Any:
    """Divide exponentials by their sum."""
    return each(sp.exp, x) / sum(each(sp.exp, x))


TWO = {"X": (2, 2)}
CASES = {
    # right in SymPy 1.14, and so must we be
    "tr(AX)": Case(
        lambda X, A: tf.linalg.trace(A @ X), lambda X, A: np.trace(A @ X), TWO | {"A": (2, 2)}),
    "tr(XᵀAX)": Case(
        lambda X, A: tf.linalg.trace(tf.transpose(X) @ A @ X),
        lambda X, A: np.trace(X.T @ A @ X), {"X": (3, 2), "A": (3, 3)}),
    "xᵀAx": Case(
        lambda x, A: tf.reduce_sum(x * tf.linalg.matvec(A, x)),
        lambda x, A: x @ A @ x, {"x": (3,), "A": (3, 3)}),
    "tr(X⁻¹)": Case(
        lambda X: tf.linalg.trace(tf.linalg.inv(X)), lambda X: np.trace(inverse(X)), TWO),
    "tr(X⁵)": Case(lambda X: tf.linalg.trace(power(X, 5)), lambda X: np.trace(power(X, 5)), TWO),
    "X⁻¹": Case(tf.linalg.inv, inverse, TWO),
    "AXB": Case(
        lambda X, A, B: A @ X @ B, lambda X, A, B: A @ X @ B,
        TWO | {"A": (3, 2), "B": (2, 1)}),
    "X³": Case(lambda X: power(X, 3), lambda X: power(X, 3), TWO),
    "X∘X": Case(lambda X: X * X, lambda X: X * X, TWO),
    # 0 in SymPy 1.14
    "tr(A) + tr(A²)": Case(
        lambda A: tf.linalg.trace(A) + tf.linalg.trace(A @ A),
        lambda A: np.trace(A) + np.trace(A @ A), {"A": (3, 3)}),
    "log det X": Case(lambda X: tf.linalg.logdet(X @ tf.transpose(X)),
                      lambda X: sp.log(det(X @ X.T)), TWO),
    "log|det X|": Case(lambda X: tf.linalg.slogdet(X)[1], lambda X: sp.log(det(X) ** 2) / 2, TWO),
    "log of det X": Case(lambda X: tf.math.log(tf.linalg.det(X) ** 2),
                         lambda X: sp.log(det(X) ** 2), TWO),
    "log tr A": Case(lambda A: tf.math.log(tf.linalg.trace(A)),
                     lambda A: sp.log(np.trace(A)), {"A": (2, 2)}),
    "exp tr(AX)": Case(lambda X, A: tf.exp(tf.linalg.trace(A @ X)),
                       lambda X, A: sp.exp(np.trace(A @ X)), TWO | {"A": (2, 2)}),
    "log Σ exp x": Case(lambda x: tf.math.log(tf.reduce_sum(tf.exp(x))),
                        lambda x: sp.log(sum(each(sp.exp, x))), {"x": (3,)}),
    "logsumexp": Case(tf.reduce_logsumexp, lambda x: sp.log(sum(each(sp.exp, x))), {"x": (3,)}),
    "Z₀₀": Case(lambda Z: Z[0, 0], lambda Z: Z[0, 0], {"Z": (3, 3)}),
    "tr(xᵀw) + b": Case(
        lambda w, x, b: tf.linalg.trace(tf.transpose(x) @ w) + b,
        lambda w, x, b: np.trace(x.T @ w) + b[()], {"w": (3, 1), "x": (3, 1), "b": ()}),
    "tr(E - A)²": Case(
        lambda A, E: tf.linalg.trace(E - A) ** 2,
        lambda A, E: np.trace(E - A) ** 2, {"A": (3, 3), "E": (3, 3)}),
    "tr(t A²)": Case(
        lambda t, A: tf.linalg.trace(t * (A @ A)), lambda t, A: np.trace(t[()] * (A @ A)),
        {"t": (), "A": (2, 2)}),
    "tr(AᵀA) + tr(BᵀB)": Case(
        lambda A, B: tf.linalg.trace(tf.transpose(A) @ A) + tf.linalg.trace(tf.transpose(B) @ B),
        lambda A, B: np.trace(A.T @ A) + np.trace(B.T @ B), {"A": (2, 3), "B": (3, 2)}),
    # without the term - p pᵀ in SymPy 1.14
    "softmax": Case(tf.nn.softmax, softmax, {"x": (3,)}),
    "exp over its sum": Case(lambda x: tf.exp(x) / tf.reduce_sum(tf.exp(x)), softmax, {"x": (3,)}),
    # entry by entry in SymPy 1.14, where a power of a matrix is meant
    "X⁴": Case(lambda X: power(X, 4), lambda X: power(X, 4), TWO),
    # left as it stands, or an error, in SymPy 1.14
    "det X": Case(tf.linalg.det, det, {"X": (3, 3)}),
    "exp.(Mx)": Case(lambda x, M: tf.exp(tf.linalg.matvec(M, x)),
                     lambda x, M: each(sp.exp, M @ x), {"x": (2,), "M": (2, 2)}),
    "two layers": Case(
        lambda x, A, B: tf.tanh(tf.linalg.matvec(B, tf.tanh(tf.linalg.matvec(A, x)))),
        lambda x, A, B: each(sp.tanh, B @ each(sp.tanh, A @ x)),
        {"x": (2,), "A": (3, 2), "B": (2, 3)}),
    "two layers by weights": Case(
        lambda A, B, x: tf.reduce_sum(
            tf.tanh(tf.linalg.matvec(B, tf.tanh(tf.linalg.matvec(A, x)))) ** 2),
        lambda A, B, x: sum(each(sp.tanh, B @ each(sp.tanh, A @ x)) ** 2),
        {"A": (2, 2), "B": (2, 2), "x": (2,)}),
    "cross entropy": Case(
        lambda x, w: tf.nn.softmax_cross_entropy_with_logits(w, x),
        lambda x, w: sum(-w * (x - sp.log(sum(each(sp.exp, x))))), {"x": (3,), "w": (3,)}),
    "-wᵀx + log Σ exp x": Case(
        lambda x, w: tf.math.log(tf.reduce_sum(tf.exp(x))) - tf.reduce_sum(w * x),
        lambda x, w: sp.log(sum(each(sp.exp, x))) - w @ x, {"x": (3,), "w": (3,)}),
    "diag(x)": Case(tf.linalg.diag, lambda x: np.diag(x), {"x": (3,)}),
    "tr(A diag(x) B)": Case(
        lambda x, A, B: tf.linalg.trace(A @ tf.linalg.diag(x) @ B @ tf.linalg.diag(x)),
        lambda x, A, B: np.trace(A @ np.diag(x) @ B @ np.diag(x)),
        {"x": (2,), "A": (2, 2), "B": (2, 2)}),
    "√tr(xᵀx)": Case(
        lambda x: tf.sqrt(tf.linalg.trace(tf.transpose(x) @ x)),
        lambda x: sp.sqrt(np.trace(x.T @ x)), {"x": (3, 1)}),
    # with sums and deltas left over in SymPy 1.14
    "Σ a²": Case(lambda a: tf.reduce_sum(a * a), lambda a: sum(a * a), {"a": (4,)}),
    "Σ tanh(Σ W a)": Case(
        lambda W, a: tf.reduce_sum(tf.tanh(tf.reduce_sum(W * a, axis=1))),
        lambda W, a: sum(each(sp.tanh, W @ a)), {"W": (2, 3), "a": (3,)}),
    "Π a": Case(tf.reduce_prod, lambda a: sp.prod(a), {"a": (4,)}),
}  # fmt: skip

ORDERS = [(name, 1) for name in CASES] + [
    (name, 2)
    for name in CASES
    if name not in {"X⁻¹", "AXB", "X³", "X∘X", "X⁴", "softmax", "exp over its sum", "exp.(Mx)"}
    and name not in {"two layers", "diag(x)"}
]


def symbols_of(case: Case) -> list[Any]:
    """Make an array of symbols for each argument."""
    return [
        np.array(
            [sp.Symbol("_".join([name, *map(str, k)]), real=True) for k in np.ndindex(*shape)],
            dtype=object,
        ).reshape(shape)
        for name, shape in case.shapes.items()
    ]


def point(case: Case) -> list[Any]:
    """Choose arrays of small binary fractions, which are exact as floats; matrices are regular."""
    rng = np.random.default_rng(len(case.shapes) + 7)
    found = []
    for shape in case.shapes.values():
        array = rng.integers(1, 16, shape) / 16.0
        if len(shape) == 2:
            array = array + np.eye(*shape)
        found.append(array)
    return found


def expected(case: Case, order: int) -> tuple[Any, list[Any]]:
    """Differentiate every entry by every entry of the first argument, `order` times."""
    arrays = symbols_of(case)
    result = each(sp.sympify, np.array(case.explicit(*arrays), dtype=object))
    for _ in range(order):
        flat = [e.diff(s) for e, s in itertools.product(result.ravel(), arrays[0].ravel())]
        result = np.array(flat, dtype=object).reshape(result.shape + arrays[0].shape)
    return result, arrays


def derived(case: Case, order: int) -> Any:
    """Give our derivative at the point, as a tensor with formulas named as in the case."""
    function = {1: tf.jacobian, 2: tf.hessian}[order](case.ours)
    names, values = list(case.shapes), point(case)
    tensors = [tf.constant(v, name=n) for n, v in zip(names, values, strict=True)]
    return function.formula(*tensors)


_DIGITS = 60
_WITHOUT_INDICES = {"log det X": "through the factor of Cholesky, whose entries have no indices"}
"""Cases whose generic entry is not asked for, and why."""


def rationals(case: Case) -> list[Any]:
    """Choose another point, of fractions that are no floats."""
    rng = np.random.default_rng(3)
    found = []
    for shape in case.shapes.values():
        own = [sp.Rational(int(k), 7) for k in rng.integers(1, 20, int(np.prod(shape)))]
        array = np.array(own, dtype=object).reshape(shape)
        found.append(array + 3 * np.eye(*shape, dtype=int) if len(shape) == 2 else array)
    return found


def numbers(case: Case, arrays: list[Any], values: list[Any]) -> dict[Any, Any]:
    """Map symbols, and entries in each notation, to numbers of many digits; matrices to arrays."""
    found: dict[Any, Any] = {}
    for (name, shape), array, value in zip(case.shapes.items(), arrays, values, strict=True):
        exact = np.array(value, dtype=object)
        for place in np.ndindex(*shape):
            number = sp.Float(sp.Rational(exact[place]), _DIGITS)
            found[array[place]] = number
            found[sp.IndexedBase(name)[place] if place else sp.Symbol(name)] = number
        if len(shape) == 2:  # what inverses and determinants are written of
            entries = [[found[array[i, j]] for j in range(shape[1])] for i in range(shape[0])]
            found[sp.MatrixSymbol(name, *shape)] = sp.ImmutableMatrix(entries)
    return found


def value_of(formula: Any, values: dict[Any, Any]) -> Any:
    """Put numbers into a formula."""
    found = sp.sympify(formula).xreplace(values)
    if found.has(sp.MatrixExpr, sp.Matrix):
        found = found.doit()
    return sp.N(found, _DIGITS)


def assert_equal_to_forty_digits(a: Any, b: Any) -> None:
    """Assert that two numbers agree."""
    assert abs(a - b) <= sp.Float(10) ** -40 * (1 + abs(b)), f"{sp.N(a, 20)} is not {sp.N(b, 20)}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "order"), some(ORDERS, 6, 1))
def test_the_formula_of_every_entry_is_right(name: str, order: int) -> None:
    """Each entry, and the generic entry with indices put in, is SymPy's derivative of the entry."""
    case = CASES[name]
    wanted, arrays = expected(case, order)
    found = derived(case, order)
    assert tuple(found.shape) == wanted.shape
    indices = sp.symbols(f"i:{wanted.ndim}", integer=True) if wanted.ndim else ()
    generic = None if name in _WITHOUT_INDICES else found.index_expr(*indices)
    entries = found.entries
    points = [numbers(case, arrays, values) for values in (point(case), rationals(case))]
    for place in some(list(np.ndindex(*wanted.shape)), 1 + wanted.size // 32):
        own = None
        if generic is not None:
            at = dict(zip(indices, map(sp.Integer, place), strict=True))
            own = generic.xreplace(at).doit(deep=True)
        for values in points:
            truth = value_of(wanted[place], values)
            assert_equal_to_forty_digits(value_of(entries[place], values), truth)
            if own is not None:
                assert_equal_to_forty_digits(value_of(own, values), truth)


@pytest.mark.parametrize(("name", "order"), some(ORDERS, 2))
def test_numbers_are_right(name: str, order: int) -> None:
    """Floats agree to their precision, and the reading to thirty digits to thirty digits."""
    case = CASES[name]
    wanted, arrays = expected(case, order)
    values = numbers(case, arrays, point(case))
    found = derived(case, order)
    try:
        precise = found.evalf(30)
    except tf.NoExactFormError:  # of sums that cancel to zero: these are exact
        precise = found.exact()
    digits = np.array(precise, dtype=object).reshape(wanted.shape)
    truths = [value_of(e, values) for e in wanted.ravel()]
    scale = max(abs(t) for t in truths)
    for ours, many, truth in zip(found.numpy().ravel(), digits.ravel(), truths, strict=True):
        assert abs(float(ours) - truth) <= scale * 1e-13
        assert abs(many - truth) <= scale * sp.Float(10) ** -28


def test_the_hessian_of_a_quadratic_form_is_the_textbooks() -> None:
    """The formulas of xᵀAx are A + Aᵀ and its product with x, whatever the numbers."""
    x, a = tf.constant([1.0, 2.0]), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    second = tf.hessian(CASES["xᵀAx"].ours).formula(x, a)
    assert str(second.index_expr()) in {"A[i, j] + A[j, i]", "A[j, i] + A[i, j]"}


@pytest.mark.parametrize(
    "judge", [test_the_formula_of_every_entry_is_right, test_numbers_are_right]
)
def test_the_judge_convicts(judge: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that differs in the ninth digit of an entry finds that ours is not what it wants."""

    def nearly(x: Any) -> Any:
        return softmax(x) + np.roll(softmax(x), 1) * sp.Rational(1, 10**9)

    wrong = Case(tf.nn.softmax, nearly, {"x": (3,)})
    monkeypatch.setitem(CASES, "softmax", wrong)
    with pytest.raises(AssertionError):
        judge("softmax", 1)
