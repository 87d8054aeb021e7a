"""Matrix notation computed to 40 digits: the text in Python's notation, read by Python.

What is judged is what is printed: brackets, orders and shapes, not only what the text was made of.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import prod
from types import MappingProxyType
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from symtape.exact import digits as exact
from symtape.forms.matrix.form import MatrixForm
from symtape.forms.matrix.nodes import inner
from symtape.forms.matrix.printers import printing, words
from symtape.program.numbers import written_number
from symtape.program.operations import Constant

DIGITS = 40
CLOSE = mp.mpf(10) ** -30


def by_entry(function: Callable[..., Any]) -> Any:
    """Apply a function to the entries of arrays of mpmath's numbers."""
    return np.vectorize(function, otypes=[object])


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Apply a function of mpmath's matrices to arrays, and to numbers as to one entry."""

    def applied(a: Any, *rest: Any) -> Any:
        found = function(mp.matrix(np.atleast_2d(a).tolist()), *rest)
        if not isinstance(found, mp.matrix):
            return found
        return np.array([[found[i, j] for j in range(found.cols)] for i in range(found.rows)])

    return applied


def _diag(v: Any) -> Any:
    out = np.full((len(v), len(v)), mp.mpf(0))
    if v.shape[1] != 1:
        return np.array([[v[i, i]] for i in range(len(v))])
    for i in range(len(v)):
        out[i, i] = v[i, 0]
    return out


def by_place(wanted: Callable[[int, int], bool]) -> Any:
    """Keep the entries at some places."""

    def applied(a: Any) -> Any:
        out = a.copy()
        for i, j in np.ndindex(*a.shape):
            out[i, j] = a[i, j] if wanted(i, j) else mp.mpf(0)
        return out

    return applied


def _pinv(a: Any) -> Any:
    """Invert by the normal equations, of whichever side is shorter."""
    m = mp.matrix(a.tolist())
    found = (m.T * m) ** -1 * m.T if m.rows >= m.cols else m.T * (m * m.T) ** -1
    return np.array([[found[i, j] for j in range(found.cols)] for i in range(found.rows)])


def _of_lower(a: Any) -> Any:
    """Give the symmetric matrix with a lower triangle."""
    return np.array([[a[max(i, j), min(i, j)] for j in range(len(a))] for i in range(len(a))])


def _signed(vectors: Any, floats: Any) -> Any:
    """Choose the signs of columns that NumPy chooses, as programs do."""
    along = np.sum(vectors.astype(float) * floats, axis=0)
    return vectors * np.where(along < 0, -1, 1)


def _eigvecs(a: Any) -> Any:
    """Give the eigenvectors of a lower triangle."""
    s = _of_lower(a)
    return _signed(_plain(lambda m: mp.eigsy(m)[1])(s), np.linalg.eigh(s.astype(float))[1])


def _singular(a: Any, side: str) -> Any:
    """Give left or right singular vectors, of the signs of NumPy's."""
    of = {"left": lambda m: mp.svd_r(m)[0], "right": lambda m: mp.svd_r(m)[2].T}
    u, _, vh = np.linalg.svd(a.astype(float), full_matrices=False)
    return _signed(_plain(of[side])(a), u if side == "left" else vh.T)


def _eye(n: int) -> Any:
    return _diag(_ones((n, 1)))


def _ones(shape: tuple[int, int]) -> Any:
    return np.full(shape, mp.mpf(1))


def _softmax(z: Any) -> Any:
    """Divide by the sum of a column, or those of the rows of a matrix."""
    return EXP(z) / np.sum(EXP(z), axis=0 if z.shape[1] == 1 else 1, keepdims=True)


def _frechet(function: Any) -> Any:
    """Take the slope from a step that mpmath's digits bear: (f(A + h G) - f(A - h G)) / 2h."""

    def slope(a: Any, direction: Any) -> Any:
        with mp.extradps(2 * mp.mp.dps):
            h = mp.mpf(10) ** (-mp.mp.dps // 3)
            up, down = (_plain(function)(a + s * h * direction) for s in (1, -1))
            return (up - down) / (2 * h)

    return slope


EXP = by_entry(mp.exp)
MPMATH = (
    "log sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh atan2 sqrt sign erf erfc erfi "
    "erfinv gamma loggamma floor besseli besselj besselk bessely fresnelc fresnels polylog zeta arg"
)
NAMES: dict[str, Any] = {name: by_entry(getattr(mp, name)) for name in MPMATH.split()} | {
    "exp": EXP, "abs": by_entry(abs), "pi": mp.pi, "E": mp.e, "I": mp.j, "mpf": mp.mpf,
    "sigmoid": by_entry(lambda z: 1 / (1 + mp.exp(-z))), "ceiling": by_entry(mp.ceil),
    "normal_cdf": by_entry(mp.ncdf), "normal_pdf": by_entry(mp.npdf),
    "normal_quantile": by_entry(lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1)),
    "Ei": by_entry(mp.ei), "maximum": by_entry(max), "minimum": by_entry(min),
    "re": by_entry(mp.re), "im": by_entry(mp.im), "conjugate": by_entry(mp.conj),
    "polygamma": by_entry(lambda n, z: mp.polygamma(int(n), z)),
    "lowergamma": by_entry(lambda a, x: mp.gammainc(a, 0, x)),
    "uppergamma": by_entry(lambda a, x: mp.gammainc(a, x)),
    "airyai": by_entry(mp.airyai), "airybi": by_entry(mp.airybi),
    "airyaiprime": by_entry(lambda z: mp.airyai(z, derivative=1)),
    "airybiprime": by_entry(lambda z: mp.airybi(z, derivative=1)),
    "elliptic_k": by_entry(mp.ellipk), "elliptic_e": by_entry(mp.ellipe),
    "expint": by_entry(mp.expint), "LambertW": by_entry(lambda z, k=0: mp.re(mp.lambertw(z, k))),
    "Si": by_entry(mp.si), "Ci": by_entry(mp.ci), "binomial": by_entry(mp.binomial),
    "betainc_regularized": by_entry(lambda *a: mp.betainc(*a, regularized=True)),
    "hyper": lambda above, below, z: by_entry(
        lambda *a: mp.hyper(a[: len(above)], a[len(above) : -1], a[-1])
    )(*above, *below, z),
    "inv": _plain(lambda a: a**-1), "matrix_power": _plain(pow),
    "det": lambda a: _plain(mp.det)(a) if a.size else mp.mpf(1),
    "cross": lambda a, b: _skew(a) @ b, "skew": lambda a: _skew(a),
    "fft": lambda a: _roots(len(a)) @ a,
    "roll": np.roll, "kron": np.kron, "commutation": lambda m, n: _commutation(m, n),
    "arange": lambda n: np.array([mp.mpf(k) for k in range(int(n))]),
    "vec": lambda a: a.T.reshape(-1, 1), "expm_frechet": _frechet(mp.expm),
    "logm_frechet": _frechet(mp.logm), "sqrtm_frechet": _frechet(mp.sqrtm),
    "expm": _plain(mp.expm), "logm": _plain(mp.logm), "sqrtm": _plain(mp.sqrtm),
    "chol": _plain(mp.cholesky), "tr": lambda a: sum(np.diag(a)), "diag": _diag,
    "norm": lambda a: mp.sqrt(sum(x * x for x in np.ravel(a))), "eye": _eye, "ones": _ones,
    "block": lambda rows: np.block([[np.atleast_2d(a) for a in row] for row in rows]),
    "logical_not": by_entry(lambda a: not a),
    "where": by_entry(lambda condition, a, b: mp.mpf(a if condition else b)),
    "tril": lambda a, k=0: by_place(lambda i, j: j - i <= k)(a),
    "triu": lambda a, k=0: by_place(lambda i, j: j - i >= k)(a),
    "rowmax": lambda a: np.max(a, axis=1, keepdims=True),
    "rowmin": lambda a: np.min(a, axis=1, keepdims=True),
    "argsort": lambda a: np.argsort(np.ravel(a), kind="stable")[:, None],
    "argmax": lambda a: np.argmax(np.ravel(a)), "argmin": lambda a: np.argmin(np.ravel(a)),
    "unvec": lambda a, m, n: a.reshape(n, m).T,
    "max": np.max, "min": np.min, "prod": np.prod, "ravel": lambda a: np.ravel(a).astype(int),
    "pinv": _pinv, "eigvals": lambda a: _plain(lambda s: mp.eigsy(s)[0])(_of_lower(a)),
    "eigvecs": _eigvecs,
    "svd_left": lambda a: _singular(a, "left"), "svd_values": _plain(lambda a: mp.svd_r(a)[1]),
    "svd_right": lambda a: _singular(a, "right"),
    "qr_orthogonal": _plain(lambda a: mp.qr(a, mode="skinny")[0]),
    "qr_triangular": _plain(lambda a: mp.qr(a, mode="skinny")[1]),
    "softmax": _softmax, "logsumexp": lambda z: mp.log(np.sum(EXP(z))),
}  # fmt: skip

EXACT = words.PYTHON._replace(fraction=lambda a, b: f"(mpf(1)*({a})/({b}))")
"""Python's notation, in which a third is no float."""
STACKED = EXACT._replace(is_stacked=True)
"""The same as LaTeX lays it out, with fractions before what they multiply."""


def number(value: Any) -> Any:
    """Take a float or a number of SymPy's as one of mpmath's."""
    if isinstance(value, sp.Basic):
        re, im = (mp.mpf(str(part)) for part in sp.sympify(value).as_real_imag())
        return re if im == 0 else mp.mpc(re, im)
    return mp.mpc(value) if isinstance(value, complex) else mp.mpf(float(value))


def column(array: Any) -> Any:
    """Take an array as a matrix of numbers, and a vector as a column."""
    array = np.asarray(array)
    if array.dtype.kind == "b":
        return array.reshape(array.shape if array.ndim == 2 else (-1, 1))
    made = np.array([number(x.item() if hasattr(x, "item") else x) for x in array.ravel()], object)
    return made.reshape(array.shape if array.ndim == 2 else (-1, 1)) if array.ndim else made[0]


def point(formula: Any, rng: np.random.Generator) -> dict[int, Any]:
    """Draw values of the leaves."""
    program = formula.program
    shapes = {p: program.shapes[p] for p in formula.names}
    return {p: _drawn(rng, n, program.dtypes[p]) for p, n in shapes.items()}


def _drawn(rng: np.random.Generator, shape: Any, dtype: Any) -> Any:
    parts = rng.uniform(0.3, 1.5, (2, *shape))
    return (parts[0] + 1j * parts[1] if dtype.kind == "c" else parts[0]).astype(dtype)


def inside(formula: Any, rng: np.random.Generator, symmetric: str = "") -> dict[int, Any]:
    """Draw values of the leaves until the formula has one; symmetric ones are positive definite."""
    function = formula.lambdify(list(formula.names.values()), "numpy", check=False)
    for _ in range(100):
        values = point(formula, rng)
        for p, name in formula.names.items():
            if name in symmetric:
                values[p] = values[p] + values[p].T + 2 * np.eye(len(values[p]))
        with np.errstate(all="ignore"):
            if np.all(np.isfinite(function(*values.values()))):
                break
    return values


def assert_holds(tensor: Any, rng: np.random.Generator, symmetric: str = "") -> None:
    """Assert that what is printed has, at a fresh point, the value of the program."""
    formula = tensor.formula
    form: MatrixForm = formula.matrix_form(symmetric=[*symmetric])
    values = inside(formula, rng, symmetric)
    assert_form_holds(form, formula.program, formula.position, formula.names, values)


def assert_form_holds(
    form: MatrixForm,
    program: Any,
    position: int,
    names: Any,
    values: dict[int, Any],
    sizes: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Assert that a form has the value of a position, in both ways of laying it out.

    `sizes` say what the letters of sizes are.
    """
    ways = [form.lettered(own) for own in (EXACT, STACKED)]
    texts = [printing.text(form.algebra, form.matrix, own) for own in ways]
    definitions = [(name, printing.text(form.algebra, x, EXACT)) for name, x in form.parts]
    with mp.workdps(DIGITS + 10):
        truth = exact.digits(program, position, values, DIGITS)
        wanted = np.atleast_2d(column(by_vec(np.asarray(truth), form.rows)))
        leaves = {names[p]: column(v) for p, v in values.items() if p in names} | dict(sizes)
        for name, text in definitions:
            with quietly_divided():
                leaves[name] = computed(text, leaves)
        is_exact = reads_exactly(program) and not any(s.entry.has(sp.Float) for s in parts(form))
        for text in dict.fromkeys(texts):
            assert_equal(text, leaves, wanted, CLOSE if is_exact else mp.mpf("1e-14"))


def by_vec(array: Any, rows: int | None) -> Any:
    """Put the columns of matrices below each other where there are more than two axes."""
    if array.ndim < 3 or rows is None:
        return array
    sides = array.shape[:rows], array.shape[rows:]
    turned = array.transpose([*range(rows)][::-1] + [*range(rows, array.ndim)][::-1])
    return turned.reshape([prod(side) for side in sides])


def _skew(a: Any) -> Any:
    """Give the matrix that multiplies a vector by another's cross product."""
    (x,), (y,), (z,) = a
    zero = mp.mpf(0)
    return np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]])


def _roots(n: int) -> Any:
    """Give the matrix of a discrete Fourier transform."""
    return np.array([[mp.expjpi(mp.mpf(-2 * j * k) / n) for k in range(n)] for j in range(n)])


def _commutation(m: int, n: int) -> Any:
    """Give K of Magnus and Neudecker (2019), 3.7: K vec(A) = vec(Aᵀ) for A of m rows, n columns."""
    found = np.full((m * n, m * n), mp.mpf(0))
    for i, j in np.ndindex(m, n):
        found[i * n + j, j * m + i] = mp.mpf(1)
    return found


def reads_exactly(program: Any) -> bool:
    """Say whether no constant is read as another number, as the float nearest to √2 is."""
    numbers = [step[0].number for step in program.steps if isinstance(step[0], Constant)]
    floats = [float(n) for n in numbers if not isinstance(n, Fraction) and not np.iscomplexobj(n)]
    return all(not np.isfinite(n) or written_number(n) == sp.Rational(n) for n in floats)


def parts(form: MatrixForm) -> list[Any]:
    """List the matrices of which a formula is made, and itself."""
    return [form.matrix, *[x for node in form.algebra.symbols for x in inner(node)]]


@contextlib.contextmanager
def quietly_divided() -> Iterator[None]:
    """Let what is divided by zero be no number, as NumPy does it, which `where` leaves out."""
    number = type(mp.mpf(1))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("__truediv__", "__rtruediv__"):
            patch.setattr(number, name, _quietly(getattr(number, name)))
        yield


def _quietly(divide: Any) -> Any:
    def divided(a: Any, b: Any) -> Any:
        try:
            return divide(a, b)
        except ZeroDivisionError:
            return mp.nan

    return divided


class _Fractions(ast.NodeTransformer):
    """Divides whole numbers in mpmath, where Python has 17 digits."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Write `whole(1) / 3`."""
        self.generic_visit(node)
        is_whole = isinstance(node.left, ast.Constant) and isinstance(node.left.value, int)
        if isinstance(node.op, ast.Div) and is_whole:
            node.left = ast.Call(ast.Name("whole", ast.Load()), [node.left], [])
        return node


def computed(text: str, leaves: Mapping[str, Any]) -> Any:
    """Compute what a text says of some values."""
    tree = ast.fix_missing_locations(_Fractions().visit(ast.parse(text, mode="eval")))
    code = compile(tree, "<formula>", "eval")
    return eval(code, {**NAMES, "whole": mp.mpf}, leaves)  # noqa: S307 - our own text


def assert_equal(text: str, leaves: dict[str, Any], wanted: Any, close: Any) -> None:
    """Assert that a text has a value."""
    with quietly_divided():
        found = np.atleast_2d(computed(text, leaves))
    found = np.broadcast_to(found, wanted.shape) if found.size == 1 else found
    assert found.shape == wanted.shape, f"{text} has the shape {found.shape}"
    for a, b in zip(found.ravel(), wanted.ravel(), strict=True):
        assert abs(a - b) <= close * (1 + abs(b)), f"{text} is {a}, not {b}"
