"""A SymPy expression as a function on tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from symtape.errors import UnsupportedError
from symtape.frontends.imported import signature_of
from symtape.frontends.sympy_functions import conditions, families, indexed, matrices, sums
from symtape.frontends.sympy_functions.axes import in_order
from symtape.frontends.sympy_functions.indexed import along
from symtape.frontends.sympy_functions.matrices import entries, matrix
from symtape.frontends.sympy_functions.reader import Reader, Rule
from symtape.frontends.sympy_functions.symbols import Symbols, Variable
from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise.conversion import cast
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_RULES: dict[Any, Rule] = {
    kind: rule
    for room in (sums, conditions, families, indexed, matrices)
    for kind, rule in room.RULES.items()
}


def from_sympy(expr: Any, variables: Sequence[Variable] | None = None) -> SympyFunction:
    """Give a SymPy expression, Matrix or array of expressions as a function on tensors.

    Its arguments are `variables`, or all that the expression has, sorted by name: symbols,
    `IndexedBase` and `MatrixSymbol`. A symbol may be an array of any shape, and is computed entry
    by entry; an `IndexedBase` is an array with as many axes as it has subscripts, which begin at 0;
    a `MatrixSymbol` is a matrix, and a vector of n numbers where it has one column. `Sum` and
    `Product` over indices with finite bounds, `Piecewise`, matrix expressions and the special
    functions that symtape has are read; indices that are free become axes of the result, in the
    order of their names. Sizes that are symbols are taken from the arrays.

    The result of a `Matrix` has the axes of the arguments first. Raises `UnsupportedError` for
    what cannot be read, which names the node; `ValueError` for variables that do not fit.

    >>> import sympy as sp
    >>> import symtape as tf
    >>> x, y = sp.symbols("x y")
    >>> f = tf.from_sympy(sp.exp(x) * sp.sin(y))
    >>> f
    <exp(x)*sin(y) of (x, y)>
    >>> float(f(0.0, 2.0).numpy().round(6))
    0.909297
    >>> [float(g.round(6)) for g in tf.grad(f, argnums=(0, 1))(0.0, 2.0)]
    [0.909297, -0.416147]
    """
    return SympyFunction(expr, variables)


class SympyFunction:
    """A SymPy expression that is called with tensors, arrays or numbers, and gives a tensor.

    Numbers and integers take the dtype of the floating arguments, float64 if there are none, and a
    complex one beside complex numbers. It is called under tapes, and by whatever takes a function:
    `tf.grad`, `tf.hessian`, `tf.value_and_grad`.

    Attributes:
        expr: The expression.
        variables: What the arguments stand for, in their order.
        names: What those are called.
    """

    def __init__(self, expr: Any, variables: Sequence[Variable] | None = None) -> None:
        self.expr = sp.sympify(expr)
        self._symbols = Symbols(self.expr, variables)
        self.variables = tuple(self._symbols.variables)
        self.names = tuple([str(v) for v in self.variables])
        self.__signature__ = signature_of(self.names)

    def __repr__(self) -> str:
        text = str(self.expr).replace("\n", " ")
        return f"<{text:.80} of ({', '.join(self.names)})>"

    def __call__(self, /, *arguments: Any) -> Tensor:
        """Compute the expression, each node once, so that active tapes record it."""
        if len(arguments) != len(self.variables):
            raise TypeError(
                f"{self!r} takes {len(self.variables)} arguments, but {len(arguments)} were given"
            )
        tensors = _of_one_dtype(arguments, self.expr)
        values: dict[Any, Tensor] = {}
        sizes: dict[sp.Symbol, int] = {}
        for variable, given, made in zip(self.variables, arguments, tensors, strict=True):
            if variable in self._symbols.integers:
                sizes[variable] = int(convert(given))
            else:
                values[variable] = _fitted(variable, made, sizes)
                if not is_tensor(given):
                    made.label = str(variable)
        _check_sizes(values, sizes)
        ranges = self._symbols.ranges(values)
        dtype = dtype_of(tensors[0]) if tensors else np.dtype(np.float64)
        return self._result(Reader(values, sizes, dtype, ranges, _RULES))

    def _result(self, reader: Reader) -> Tensor:
        e = self.expr
        if isinstance(e, sp.NDimArray):
            return entries(reader, e, e.shape)
        if getattr(e, "is_Matrix", False):
            return matrix(reader, e)
        found = reader.read(e)
        order = tuple(sorted(reader.ranges, key=str))
        for index in order:
            found = along(reader, found, index)
        return in_order(found, order)


def _of_one_dtype(arguments: Sequence[Any], expr: Any) -> list[Tensor]:
    """Make arguments tensors of one dtype: that of the floating ones, else float64.

    It is complex where a number or the expression is.
    """
    typed = [a for a in arguments if hasattr(a, "dtype")]
    kinds = {dtypes.as_dtype(a.dtype).numpy for a in typed}
    wide = [k for k in kinds if k.kind in "fcV"]
    if len({*wide}) > 1:
        raise UnsupportedError(
            f"from_sympy: arguments of the dtypes {', '.join(sorted(map(str, wide)))}; cast them "
            "to one"
        )
    dtype = wide[0] if wide else np.dtype(np.float64)
    plain = [np.asarray(a) for a in arguments if not hasattr(a, "dtype")]
    if dtype.kind != "c" and (expr.has(sp.I) or any([a.dtype.kind == "c" for a in plain])):
        dtype = np.dtype(np.complex128 if dtype.itemsize > 4 else np.complex64)
    return [cast(convert(a if hasattr(a, "dtype") else np.asarray(a)), dtype) for a in arguments]


def _fitted(variable: Variable, x: Tensor, sizes: dict[sp.Symbol, int]) -> Tensor:
    """Check the shape of an argument, and note the sizes that it has."""
    shape = getattr(variable, "shape", None)
    if isinstance(variable, sp.Symbol) or shape is None:
        return x
    if isinstance(variable, sp.MatrixSymbol) and x.ndim == 1 and shape[1] == 1:
        x = with_shape(x, (*shape_of(x), 1))
    if x.ndim != len(shape):
        raise ValueError(f"from_sympy: {variable} has the shape {shape}, not {shape_of(x)}")
    for wanted, n in zip(shape, shape_of(x), strict=True):
        if isinstance(wanted, sp.Symbol):
            sizes.setdefault(wanted, n)
    return x


def _check_sizes(values: Mapping[Any, Tensor], sizes: Mapping[sp.Symbol, int]) -> None:
    for variable, x in values.items():
        shape = getattr(variable, "shape", None)
        if isinstance(variable, sp.Symbol) or shape is None:
            continue
        wanted = tuple([sp.sympify(n).xreplace(sizes) for n in shape])
        if wanted != shape_of(x):
            shown = ", ".join(map(str, wanted))
            raise ValueError(f"from_sympy: {variable} is ({shown}), not {shape_of(x)}")
