"""Comparisons and questions in `tf.experimental.numpy`, whose answers are truth values."""

from __future__ import annotations

import math
from typing import Any

from symtape.ops.arguments import like
from symtape.ops.elementwise import comparison, functions
from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions.reduction import reduce_all
from symtape.stand_in.numpy.dtypes import (
    Run,
    array,
    is_inexact,
    named,
    operand,
    promoted,
    result_type,
)
from symtape.stand_in.numpy.elementwise import imag
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def _compared(name: str, run: Run, summary: str, *, by_order: bool = True) -> Run:
    """Make a comparison; in an order truth values are 0 and 1."""

    def function(x1: Any, x2: Any) -> Any:
        kind = result_type(x1, x2)
        x, y = operand(x1, kind), operand(x2, kind)
        if by_order and kind is dtypes.bool_:
            x, y = cast(x, dtypes.int32), cast(y, dtypes.int32)
        return run(x, y)

    return named(function, name, summary)


equal = _compared("equal", comparison.equal, "Whether x = y", by_order=False)
not_equal = _compared("not_equal", comparison.not_equal, "Whether x ≠ y", by_order=False)
greater = _compared("greater", comparison.greater, "Whether x > y")
greater_equal = _compared("greater_equal", comparison.greater_equal, "Whether x ≥ y")
less = _compared("less", comparison.less, "Whether x < y")
less_equal = _compared("less_equal", comparison.less_equal, "Whether x ≤ y")


def array_equal(a1: Any, a2: Any) -> Tensor:
    """Whether two arrays have one shape and equal elements.

    >>> array_equal([1, 2], [1.0, 2.0]).numpy(), array_equal([1, 1], [1]).numpy()
    (np.True_, np.False_)
    """
    kind = result_type(a1, a2)
    x, y = operand(a1, kind), operand(a2, kind)
    if shape_of(x) != shape_of(y):
        return array(False)
    return reduce_all(comparison.equal(x, y))


def _of_truths(name: str, run: Run, summary: str) -> Run:
    def function(x1: Any, x2: Any) -> Any:
        return run(array(x1, bool), array(x2, bool))

    return named(function, name, summary)


logical_and = _of_truths("logical_and", comparison.logical_and, "Whether both are true")
logical_or = _of_truths("logical_or", comparison.logical_or, "Whether one is true")
logical_xor = _of_truths("logical_xor", comparison.logical_xor, "Whether one alone is true")


def logical_not(x: Any) -> Tensor:
    """Whether it is false.

    >>> logical_not([0, 2]).numpy()
    array([ True, False])
    """
    return comparison.logical_not(array(x, bool))


def isclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether numbers differ by no more than `atol` and `rtol` times the second one.

    >>> isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).numpy()
    array([ True, False])
    """
    x, y = promoted(a, b)
    if not is_inexact(x):
        return x == y
    real = x.dtype.real_dtype
    allowed = operand(atol, real) + operand(rtol, real) * functions.abs(y)
    found = functions.abs(x - y) <= allowed
    return found | (functions.is_nan(x) & functions.is_nan(y)) if equal_nan else found


def allclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether all numbers are close.

    >>> allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]).numpy()
    np.True_
    """
    return reduce_all(isclose(a, b, rtol, atol, equal_nan))


def iscomplex(x: Any) -> Tensor:
    """Whether the imaginary part is not zero.

    >>> iscomplex([1j, 2.0]).numpy()
    array([ True, False])
    """
    found: Tensor = imag(x) != 0
    return found


def isreal(x: Any) -> Tensor:
    """Whether the imaginary part is zero.

    >>> isreal([1j, 2.0]).numpy()
    array([False,  True])
    """
    found: Tensor = imag(x) == 0
    return found


def iscomplexobj(x: Any) -> bool:
    """Say whether the dtype is one of complex numbers.

    >>> iscomplexobj([1j])
    True
    """
    return array(x).dtype.is_complex


def isrealobj(x: Any) -> bool:
    """Say whether the dtype is not one of complex numbers.

    >>> isrealobj([1j])
    False
    """
    return not iscomplexobj(x)


def isinf(x: Any) -> Any:
    """Whether a tensor is infinite; False for one of integers.

    >>> isinf(array([1.0, math.inf])).numpy()
    array([False,  True])
    """
    return functions.is_inf(x) if x.dtype.is_floating else False


def isneginf(x: Any) -> Any:
    """Whether a tensor is minus infinity; False for one of integers.

    >>> isneginf(array([1.0, -math.inf])).numpy()
    array([False,  True])
    """
    return x == like(-math.inf, x) if x.dtype.is_floating else False


def isposinf(x: Any) -> Any:
    """Whether a tensor is plus infinity; False for one of integers.

    >>> isposinf(array([1.0, math.inf])).numpy()
    array([False,  True])
    """
    return x == like(math.inf, x) if x.dtype.is_floating else False
