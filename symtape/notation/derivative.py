"""The derivative of a formula that somebody typed, with all of its readings."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.errors import (
    ExpansionError,
    NoMatrixFormError,
    NotationError,
    OpError,
    SizeWarning,
    UnsupportedError,
)
from symtape.forms.matrix.form import MatrixForm
from symtape.forms.tex.latex import Style, leaf_symbols, space
from symtape.notation.ambiguity import the_meaning
from symtape.notation.evaluation import (
    MOST_ENTRIES,
    as_typed,
    choices,
    compute,
    concrete,
    leaves,
    plain,
    values,
)
from symtape.notation.latex.formulas import variable_of
from symtape.notation.settling import Meaning
from symtape.notation.typed import kind
from symtape.tape import GradientTape
from symtape.tensor.readings.written import nothing
from symtape.tensor.recording.asked import left_side

_MOST_ORDERS = 4

_MOST_ORDERED = 2
"""So many axes have their places in matrix notation without Kronecker products."""


class _Computed(NamedTuple):
    """A formula and its derivative at some sizes."""

    sizes: Mapping[int, int]
    function: Any
    tensor: Any


class _Sized(NamedTuple):
    """A formula that holds for any size, and its matrix notation."""

    formula: Any
    form: MatrixForm


class Derivative:
    """The derivative of a typed formula by one of its variables.

    `tensor` is the derivative as a tape gives it, in float64, at sizes that were chosen or given,
    with every reading that tensors have, and `function` the value of the formula. `shapes` say
    what the variables are, in letters and numbers, and `value` is the derivative at the numbers
    that were given, or None.
    """

    def __init__(
        self,
        expression: str,
        meaning: Meaning,
        wrt: str,
        order: int,
        symmetric: Sequence[str],
        at: Mapping[str, Any] | None,
    ) -> None:
        self.expression, self.wrt, self.order = expression, wrt, order
        self.notation, self.symmetric = meaning.notation, tuple(symmetric)
        self.meaning = meaning
        self._others = self._derived()
        self._sizes, self.function, self.tensor = next(self._others)
        self.value = None if at is None else self._at(at)
        self._given = expression, meaning, wrt, order, symmetric, at

    def __reduce__(self) -> tuple[Any, ...]:
        return Derivative, self._given

    @property
    def shapes(self) -> dict[str, tuple[str | int, ...]]:
        """What the variables are: () for scalars, ("n",) for vectors, ("m", "n") for matrices."""
        return self.meaning.shapes()

    @property
    def shape(self) -> tuple[str | int, ...]:
        """The shape of the derivative."""
        own = self.meaning.variables[self.wrt]
        whole = self.meaning.root.shape + own * self.order
        return self.meaning.sizes.text(whole, self.meaning.names)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The sizes for which the formula holds; empty where it holds for any."""
        if self._holds or self._for_any is not None:
            return {}
        return {name: self._sizes[root] for root, name in self.meaning.names.items()}

    @cached_property
    def _holds(self) -> bool:
        """Whether the formula that is read is the same at other sizes."""
        other = next(self._others, None)
        return other is not None and self._recorded == self._plain(other.tensor)

    @cached_property
    def _for_any(self) -> _Sized | None:
        """What is read where sizes are counted, if it has a formula for any size.

        It is shorter where ones add up to a size than one in which that is a letter.
        """
        leaves = {str(leaf) for leaf in self.tensor.leaves}
        if self._holds and leaves.isdisjoint(self.meaning.names.values()):
            return None
        arrays, shapes = values(self.meaning, self._sizes, self.symmetric), self.shapes
        found = self._computed_at(arrays, self._sizes, is_counted=True).tensor.formula
        labels = {x.position: str(x.label) for x in found.all_leaves if x.label in shapes}
        try:
            found.any_size.call({found.names[p]: shapes[v] for p, v in labels.items()})
            style = Style("matrix", symmetric=self.symmetric, sizes="symbolic")
            with _numbers_of_the_text():
                form = found.form(style, nothing)
        except (ExpansionError, NoMatrixFormError, UnsupportedError):
            return None
        is_long = self._holds and len(form.text()) >= len(self._recorded)
        return None if is_long else _Sized(found, form)

    def text(self, notation: str = "plain") -> str:
        """Write the formula in matrix notation, "plain" or "python".

        Raises `NoMatrixFormError` where there is none; `tensor.index_expr()` has indices.
        """
        found: str
        if self._for_any is not None:
            found = self._for_any.form.text(notation)
        else:
            found = self.tensor.text(notation, symmetric=self.symmetric)
        return as_typed(found, self.meaning.variables) if notation == "plain" else found

    def latex(self, **options: Any) -> str:
        """Write the formula in LaTeX: in matrix notation as `text`, else one entry by indices.

        The options are those of `Tensor.latex`; `spaces` are those of the text, of any size.
        """
        is_alone = not (options.get("environment") or self.sizes)
        if options.get("spaces") and is_alone:
            return f"{self.latex(**{**options, 'spaces': False})} {self._spaces()}"
        own: dict[str, Any] = {"symmetric": self.symmetric, **options}
        found: str | None = None
        if self.tensor.ndim > _MOST_ORDERED and "form" not in options:
            with suppress(NoMatrixFormError):  # Kronecker products, as the text has them
                found = self._latex(form="matrix", **own)
        return found or self._latex(**own)

    def _spaces(self) -> str:
        """Say where the variables lie."""
        own = {v: (2,) * len(shape) for v, shape in self.shapes.items()}
        symbols = {str(s): t for s, t in leaf_symbols(own, sp.S.Zero).items()}
        spaces = [space(symbols[v], "f", shape) for v, shape in self.shapes.items()]
        return r"\quad\text{where}\quad " + r",\quad ".join(spaces)

    def _repr_latex_(self) -> str | None:
        """Write the formula for a notebook, and where its variables lie."""
        try:
            return f"$\\displaystyle {self.latex(spaces=True)}$"
        except (NoMatrixFormError, ExpansionError):
            return None

    def _latex(self, **options: Any) -> str:
        if self._for_any is None:
            return str(self.tensor.latex(**options))
        style = Style(**{"sizes": "symbolic", **options})
        formula = self._for_any.formula
        names = formula.names.values()
        left = left_side(self.tensor, style.lhs, names) if style.lhs else None
        with _numbers_of_the_text():
            return str(formula.latex(style, left))

    @cached_property
    def _own(self) -> str:
        return self._recorded if self._for_any is None else self.text()

    @cached_property
    def _recorded(self) -> str:
        return self._plain(self.tensor)

    def _plain(self, tensor: Any) -> str:
        names = {*self.meaning.variables, *self.meaning.names.values()}
        return plain(tensor, names, self.symmetric)

    def described(self) -> str:
        """Write the formula, below it what its variables are, and for which sizes it holds."""
        lines = [self._own, f"where {self.meaning.told()}"]
        if self.sizes:
            lines.append("for " + ", ".join([f"{k} = {n}" for k, n in self.sizes.items()]))
        if self.value is not None:
            lines.append(f"value {np.array2string(np.asarray(self.value), prefix='value ')}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Give all that is said as one mapping of texts, numbers and lists."""
        return {
            "expression": self.expression,
            "notation": self.notation,
            "wrt": self.wrt,
            "order": self.order,
            "variables": {v: list(s) for v, s in self.shapes.items()},
            "shape": list(self.shape),
            "text": self._own,
            "python": self._python(),
            "latex": self.latex(),
            "holds_for": self.sizes,
            "value": None if self.value is None else _listed(np.asarray(self.value).tolist()),
        }

    def _python(self) -> str | None:
        try:
            return self.text("python")
        except (NoMatrixFormError, ExpansionError):
            return None

    def __repr__(self) -> str:
        return self.described()

    # --- computing --------------------------------------------------------------------------------

    def _derived(self) -> Iterator[_Computed]:
        """Derive at the choices of sizes at which there is a value, of which there is one."""
        refusal: OpError | None = None
        found = 0
        for sizes in choices(self.meaning):
            try:
                made = self._computed_at(values(self.meaning, sizes, self.symmetric), sizes)
            except OpError as error:  # a matrix has no inverse at these sizes
                refusal = error
                continue
            found += 1
            yield made
        if not found:
            raise UnsupportedError(f"the formula has no value at sizes that were tried: {refusal}")

    def _computed_at(
        self, arrays: Mapping[str, Any], sizes: Mapping[int, int], *, is_counted: bool = False
    ) -> _Computed:
        own = concrete(self.meaning, self.meaning.variables[self.wrt], sizes)
        whole = concrete(self.meaning, self.meaning.root.shape, sizes)
        count = prod(whole) * prod(own) ** self.order
        if count > MOST_ENTRIES:
            raise ExpansionError(
                f"the derivative has {count} entries at the sizes that were chosen"
            )
        tensors = leaves(self.meaning, arrays, None if is_counted else sizes)
        x = tensors[self.wrt]
        found, y = _nested(lambda: compute(self.meaning, tensors, sizes), x, self.order)
        return _Computed(sizes, y, found)

    def _at(self, at: Mapping[str, Any]) -> Any:
        arrays = {v: _array(v, a) for v, a in at.items()}
        if missing := [v for v in self.meaning.variables if v not in arrays]:
            raise NotationError(f"at: there is no value for {missing[0]}")
        if unknown := [v for v in arrays if v not in self.meaning.variables]:
            raise NotationError(f"at: {unknown[0]} does not occur in the formula")
        sizes: dict[int, int] = {}
        for v, shape in self.meaning.variables.items():
            if arrays[v].ndim != len(shape):
                raise NotationError(
                    f"at: {v} is a {kind(shape)}, and its value has shape {arrays[v].shape}"
                )
            for size, n in zip(shape, arrays[v].shape, strict=True):
                root, more = self.meaning.sizes.find(size)
                expected = self.meaning.sizes.known.get(root, sizes.setdefault(root, n - more))
                if (expected := expected + more) != n:
                    raise NotationError(f"at: an axis of {v} has size {n}, and not {expected}")
        for v in self.symmetric:
            if not np.array_equal(arrays[v], arrays[v].T):
                raise NotationError(f"at: the value of {v} is not symmetric")
        for root in self.meaning.names:
            if root not in sizes:
                raise NotationError(f"at: no value tells the size {self.meaning.names[root]}")
        return self._computed_at(arrays, sizes).tensor.numpy()


@contextmanager
def _numbers_of_the_text() -> Iterator[None]:
    """Hear of no number that may be a size: nobody read one, numbers are those of the text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SizeWarning)
        yield


def _array(v: str, value: Any) -> Any:
    """Take numbers, and nothing that NumPy would make one of."""
    try:
        own = np.asarray(value)
    except ValueError:
        raise NotationError(f"at: the value of {v} has rows of other lengths") from None
    if own.dtype.kind not in "biuf" and not all(type(n) in (int, float) for n in own.flat):
        raise NotationError(f"at: the value of {v} is no number and no lists of numbers")
    try:
        return own.astype(np.float64)
    except OverflowError:
        raise NotationError(f"at: the value of {v} has a number larger than any float") from None


def _listed(value: Any) -> Any:
    """Give lists of numbers as JSON has them, which has no infinity: "inf", "-inf", "nan"."""
    if isinstance(value, list):
        return [_listed(v) for v in value]
    return value if np.isfinite(value) else str(value)


def _nested(f: Any, x: Any, order: int) -> tuple[Any, Any]:
    """Derive as often as is asked: gradients of scalars, Jacobians of what has axes."""
    with GradientTape() as tape:
        tape.watch(x)
        if order > 1:
            inner, y = _nested(f, x, order - 1)
        else:
            inner = y = f()
    take = tape.jacobian if inner.shape.rank else tape.gradient
    return take(inner, x, unconnected_gradients="zero"), y


def differentiate(
    expression: str,
    wrt: str | None = None,
    *,
    notation: str | None = None,
    order: int = 1,
    shapes: Mapping[str, Sequence[int | str]] | None = None,
    symmetric: Sequence[str] = (),
    at: Mapping[str, Any] | None = None,
) -> Derivative:
    r"""Derive a formula that is given as text by one of its variables.

    `notation` is "matrix", that of matrixcalculus.org (`*` multiplies matrices, `.*` and `./`
    entries, `'` transposes), "python" (`@` multiplies matrices, `*` entries, functions are those of
    NumPy and TensorFlow), or "latex", which a text with commands or braces is (neighbours are
    multiplied as matrices, `\odot` multiplies entries, I is the unit matrix); without it, a text
    that means something else in the first two is refused. Variables are named as in Python, or as
    LaTeX writes them, `\lambda`.
    The names a to g are scalars, other small letters vectors and capital letters matrices, unless
    the formula has a meaning only otherwise; `shapes` say so, with numbers or letters for sizes.
    In the notation "matrix", `eye` is the unit matrix, unless it is given a shape.
    Matrices that are `symmetric` equal their transposes. `at` gives numbers for all variables.
    Raises `NotationError`, which shows the place, for what cannot be read. It needs the extra
    `text`.

    >>> derivative = differentiate("norm2(A*x - y)^2", "x", notation="matrix")
    >>> derivative
    2 Aᵀ (A x - y)
    where A: m × n, x: n, y: m
    >>> print(derivative.text("python"))
    2 * A.T @ (A @ x - y)
    >>> differentiate("np.mean((X @ w - y)**2)", "w").text()
    '2 Xᵀ (X w - y) / m'
    >>> differentiate(r"\frac12 \|A x - b\|_2^2 + \lambda x^\top x", "x").text()
    'Aᵀ (A x - b) + 2 lambda x'
    """
    if not isinstance(expression, str):
        raise TypeError(
            f"differentiate() takes a formula as text, and not {expression!r:.60}; from_sympy() "
            "takes an expression of SymPy"
        )
    if not isinstance(order, int) or isinstance(order, bool) or not 1 <= order <= _MOST_ORDERS:
        raise ValueError(f"order is a number from 1 to {_MOST_ORDERS}, and not {order!r}")
    wrt = None if wrt is None else variable_of(wrt)
    shapes = {variable_of(v): own for v, own in (shapes or {}).items()}
    at = at and {variable_of(v): own for v, own in at.items()}
    symmetric = [variable_of(v) for v in symmetric]
    names = {*(at or {}), *([] if wrt is None else [wrt])}
    meaning = the_meaning(expression, notation, shapes, symmetric, names)
    if wrt is None:
        if len(meaning.variables) > 1:
            raise NotationError(
                f"say by which variable: wrt is one of {', '.join(meaning.variables)}"
            )
        (wrt,) = meaning.variables
    if wrt in meaning.rows:
        raise NotationError(f"{wrt} is each row of {meaning.rows[wrt].whole}: derive by that")
    if wrt not in meaning.variables:
        raise NotationError(
            f"{wrt or 'wrt'} does not occur in the formula: {', '.join(meaning.variables)} "
            f"{'does' if len(meaning.variables) == 1 else 'do'}"
        )
    return Derivative(expression, meaning, wrt, order, symmetric, at)
