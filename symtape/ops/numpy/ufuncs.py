"""NumPy's elementwise functions, as operations that a tape can record."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from numpy.lib.array_utils import normalize_axis_index

from symtape.ops.arguments import pair
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.truncation import truncatemod
from symtape.ops.linalg.products import matmul, matvec
from symtape.ops.reductions.reduction import (
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from symtape.ops.reductions.scan import cumprod, cumsum, cumulative_logsumexp, running_extremum
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.program import operations as ops
from symtape.program.functions import frameworks, scalar
from symtape.program.operations import Map
from symtape.tensor.dispatch import apply1, apply2
from symtape.tensor.operators import floor_divide, whole_remainder
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, look_at


def unary(name: str, body: Callable[..., Any]) -> Callable[[Tensor], Tensor]:
    """Make an elementwise operation with a name, and what applies it."""
    operation: Map = ops.elementwise(name, body)
    return lambda x: apply1(operation, x)


def binary(name: str, body: Callable[..., Any]) -> Callable[[Tensor, Tensor], Tensor]:
    """Make an elementwise operation of two operands with a name, and what applies it."""
    operation: Map = ops.elementwise(name, body, 2)
    return lambda x, y: apply2(operation, *pair(x, y))


def _matmul(x: Tensor, y: Tensor) -> Tensor:
    """Multiply as NumPy does: vectors are rows on the left and columns on the right."""
    row, column = x.ndim == 1, y.ndim == 1
    made = matmul(expand_dims(x, 0) if row else x, expand_dims(y, -1) if column else y)
    lone = [-2] * row + [-1] * column
    return squeeze(made, lone) if lone else made


def _logaddexp2(x: Any, y: Any) -> Any:
    return scalar.logaddexp(x * sp.log(2), y * sp.log(2)) / sp.log(2)


def _wide(x: Tensor) -> Tensor:
    return cast(x, np.result_type(dtype_of(x), np.float64))


def _heaviside(x: Tensor, y: Tensor) -> Tensor:
    """Give 0 or 1 by the sign, and y between them."""
    step = arithmetic.divide(arithmetic.add(elementwise.sign(x), 1.0), 2.0)
    return arithmetic.where(comparison.equal(x, 0.0), y, step)


def _without_nan(run: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Take the other number where one is nan."""

    def apply(x: Tensor, y: Tensor) -> Tensor:
        first = arithmetic.where(elementwise.is_nan(x), y, x)
        return run(first, arithmetic.where(elementwise.is_nan(y), first, y))

    return apply


def is_negative(x: Tensor) -> Tensor:
    """Say whether there is a minus: before 0, too, where one is."""
    plain = comparison.less(x, Literal.of(0, dtype_of(x)))
    if dtype_of(x).kind != "f" or np.array_equal(look_at(plain), np.signbit(look_at(x))):
        return plain
    return comparison.less(apply1(frameworks.facing_of, x), Literal.of(0, dtype_of(x)))


def _copysign(x: Tensor, y: Tensor) -> Tensor:
    size = elementwise.abs(x)
    return arithmetic.where(is_negative(y), elementwise.negative(size), size)


_ALIKE = """
    negative sign sqrt square reciprocal exp expm1 log log1p sin cos tan sinh cosh tanh floor ceil
    rint
"""
"""Functions of one argument that have the same name here."""

UFUNCS: dict[Any, Callable[..., Tensor]] = {
    **{
        getattr(np, name): getattr(arithmetic, name)
        for name in "add subtract multiply divide maximum minimum".split()
    },
    **{
        getattr(np, name): getattr(comparison, name)
        for name in "equal not_equal less less_equal greater greater_equal".split()
    },
    **{getattr(np, name): getattr(elementwise, name) for name in _ALIKE.split()},
    **{
        getattr(np, f"arc{name}"): getattr(elementwise, f"a{name}")
        for name in "sin cos tan sinh cosh tanh".split()
    },
    np.isnan: elementwise.is_nan,
    np.isinf: elementwise.is_inf,
    np.isfinite: elementwise.is_finite,
    np.floor_divide: lambda x, y: apply2(floor_divide, *pair(x, y)),
    np.remainder: lambda x, y: whole_remainder(*pair(x, y)),
    np.power: arithmetic.pow,
    np.float_power: lambda x, y: arithmetic.pow(*map(_wide, (x, y))),
    np.matmul: _matmul,
    np.arctan2: arithmetic.atan2,
    np.hypot: binary("hypot", frameworks.hypotenuse),
    np.logaddexp: binary("logaddexp", scalar.logaddexp),
    np.logaddexp2: binary("logaddexp2", _logaddexp2),
    np.vecdot: lambda x, y: reduce_sum(arithmetic.multiply(elementwise.conj(x), y), -1),
    np.matvec: matvec,
    np.vecmat: lambda x, y: matvec(y, elementwise.conj(x), transpose_a=True),
    np.heaviside: _heaviside,
    np.fmax: _without_nan(arithmetic.maximum),
    np.fmin: _without_nan(arithmetic.minimum),
    np.fmod: lambda x, y: truncatemod(*pair(x, y)),
    np.copysign: lambda x, y: _copysign(*pair(x, y)),
    np.ldexp: lambda x, y: arithmetic.multiply(x, arithmetic.pow(2.0, cast(y, dtype_of(x)))),
    np.positive: lambda x: x,
    np.absolute: elementwise.abs,
    np.fabs: elementwise.abs,
    np.cbrt: lambda x: apply1(frameworks.cbrt, x),
    np.exp2: unary("exp2", lambda x: 2**x),
    np.log2: unary("log2", lambda x: sp.log(x) / sp.log(2)),
    np.log10: unary("log10", lambda x: sp.log(x) / sp.log(10)),
    np.deg2rad: unary("deg2rad", lambda x: x * sp.pi / 180),
    np.rad2deg: unary("rad2deg", lambda x: x * 180 / sp.pi),
    np.conjugate: elementwise.conj,
    np.trunc: unary("trunc", scalar.trunc),
}
UFUNCS |= {np.radians: UFUNCS[np.deg2rad], np.degrees: UFUNCS[np.rad2deg]}


def _divmod(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return UFUNCS[np.floor_divide](x, y), UFUNCS[np.remainder](x, y)


def _modf(x: Tensor) -> tuple[Tensor, Tensor]:
    """Part a number in a fraction and a whole number; infinities have the fraction 0."""
    whole = UFUNCS[np.trunc](x)
    fraction = arithmetic.where(elementwise.is_inf(x), 0.0, arithmetic.subtract(x, whole))
    return fraction, whole


PARTED: dict[Any, Callable[..., tuple[Tensor, ...]]] = {np.divmod: _divmod, np.modf: _modf}
"""Elementwise functions of several results."""

REDUCED: dict[Any, Callable[..., Tensor]] = {
    np.add: reduce_sum,
    np.multiply: reduce_prod,
    np.maximum: reduce_max,
    np.minimum: reduce_min,
    np.logaddexp: reduce_logsumexp,
    np.logical_and: reduce_all,
    np.logical_or: reduce_any,
}
"""What `ufunc.reduce` is."""


def _running(which: str, x: Any, axis: int = 0) -> Tensor:
    return running_extremum(which, x, normalize_axis_index(axis, np.ndim(x)))


ACCUMULATED: dict[Any, Callable[..., Tensor]] = {
    np.add: cumsum,
    np.multiply: cumprod,
    np.logaddexp: cumulative_logsumexp,
    np.maximum: partial(_running, "max"),
    np.minimum: partial(_running, "min"),
}
"""What `ufunc.accumulate` is."""

REFLECTED = {
    np.add: "__radd__",
    np.subtract: "__rsub__",
    np.multiply: "__rmul__",
    np.divide: "__rtruediv__",
    np.floor_divide: "__rfloordiv__",
    np.remainder: "__rmod__",
    np.power: "__rpow__",
    np.matmul: "__rmatmul__",
    np.bitwise_and: "__rand__",
    np.bitwise_or: "__ror__",
    np.bitwise_xor: "__rxor__",
    np.less: "__gt__",
    np.less_equal: "__ge__",
    np.greater: "__lt__",
    np.greater_equal: "__le__",
    np.equal: "__eq__",
    np.not_equal: "__ne__",
}
"""The method of a tensor that an operator of an array on its left calls."""
