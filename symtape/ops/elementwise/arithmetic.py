"""Functions of two tensors, element by element: sums, products, powers, bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from symtape.calls import Call
from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import (
    INEXACT,
    SUMMABLE,
    Allowed,
    allowed,
    called,
    check,
    in_turn,
    is_tensor,
    like,
    listed,
    pair,
    refusal,
    same_dtype,
    tensor,
    truth,
    truths,
)
from symtape.ops.elementwise.functions import printed
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.operations import AddN, Einsum, Map, elementwise
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import (
    NO_TRUTH,
    NUMBERS_OF,
    OP_NAMES,
    apply,
    apply1,
    apply2,
    misfit,
    not_taken,
)
from symtape.tensor.indexing.slices import by_rows, rows_of
from symtape.tensor.operators import floor_quotient, floor_remainder, refuse_quotient, true_divide
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import dtype_of, shape_of

Binary = Callable[..., Tensor]

BINARY = "x:T, y:T -> z:T"


def _by_first(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert two operands: the dtype is that of the first."""
    first = tensor(x)
    return first, convert(y, first.dtype)


def binary(
    name: str,
    body: Map | Callable[..., Any],
    summary: str,
    at: str,
    gives: str,
    kernel: str | None = None,
    kinds: Allowed | None = None,
    read: Callable[[Any, Any], tuple[Tensor, Tensor]] = pair,
) -> Binary:
    """Make a function of TensorFlow's that applies an operation, or a body, to two tensors."""
    operation = body if isinstance(body, Map) else elementwise(name, body, 2)
    if kernel is not None:
        OP_NAMES.setdefault(operation, kernel)
        kinds = kinds or allowed(NUMBERS_OF[kernel])

    def function(x: Any, y: Any, name: str | None = None) -> Tensor:
        x, y = read(x, y)
        if kinds is not None and dtype_of(x).char not in kinds.letters:
            raise refusal(kernel or "", x, kinds, BINARY)
        return apply2(operation, x, y)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}, element by element with broadcasting.\n\n"
        "    Numbers and arrays take the dtype of the tensor beside them; tensors of two dtypes\n"
        "    and shapes that do not broadcast raise `InvalidArgumentError`.\n\n"
        f"    >>> {name}({at}).numpy()\n    {printed(gives)}\n    "
    )
    return function


# fmt: off
add = binary("add", ops.add, "The sum", "[1, 2], 3", "array([4, 5], dtype=int32)", read=in_turn)
subtract = binary("subtract", ops.subtract, "The difference", "[1, 2], 3",
                  "array([-2, -1], dtype=int32)")
multiply = binary("multiply", ops.multiply, "The product", "[1, 2], 3",
                  "array([3, 6], dtype=int32)", "Mul")
pow = binary("pow", ops.power, "x to the power y", "[2.0, 3.0], 2", "[4., 9.]", "Pow")
maximum = binary("maximum", scalar.maximum,
                 "The larger of two; where they are equal, the slope is that of the first",
                 "[1.0, 5.0], 2.0", "[2., 5.]", "Maximum")
minimum = binary("minimum", scalar.minimum,
                 "The smaller of two; where they are equal, the slope is that of the first",
                 "[1.0, 5.0], 2.0", "[1., 2.]", "Minimum")
_squared_difference = elementwise("squared_difference", lambda x, y: (x - y) ** 2, 2)
_OF_DIFFERENCES = allowed(NUMBERS_OF["SquaredDifference"])
multiply_no_nan = binary("multiply_no_nan", scalar.multiply_no_nan,
                         "The product, which is 0 where y is 0 even if x is infinite or no number",
                         "[1.0, float('inf')], [2.0, 0.0]", "[2., 0.]", "MulNoNan", INEXACT,
                         read=_by_first)
_LOGARITHMIC = allowed("half, bfloat16, float, double, complex64, complex128")
xlogy = binary("xlogy", scalar.xlogy, "x log(y), which is 0 where x is 0", "[0.0, 2.0], [0.0, 1.0]",
               "[0., 0.]", "Xlogy", _LOGARITHMIC)
xlog1py = binary("xlog1py", scalar.xlog1py, "x log(1 + y), which is 0 where x is 0",
                 "[0.0, 2.0], [-1.0, 0.0]", "[0., 0.]", "Xlog1py", _LOGARITHMIC)
xdivy = binary("xdivy", scalar.xdivy, "x / y, which is 0 where x is 0", "[0.0, 2.0], [0.0, 1.0]",
               "[0., 2.]", "Xdivy", _LOGARITHMIC)
# fmt: on
NO_TRUTH |= {
    elementwise("maximum", scalar.maximum, 2),
    elementwise("minimum", scalar.minimum, 2),
    _squared_difference,
}
_atan2 = elementwise("atan2", sp.atan2, 2)
_ANGLES = allowed(NUMBERS_OF["Atan2"])
_divide_no_nan = elementwise("divide_no_nan", scalar.divide_no_nan, 2)
OP_NAMES |= {_squared_difference: "SquaredDifference", _atan2: "Atan2", _divide_no_nan: "DivNoNan"}


def squared_difference(x: Any, y: Any, name: str | None = None) -> Tensor:
    """(x - y)², element by element with broadcasting; of complex numbers |x - y|².

    >>> squared_difference([1, 5], 2).numpy(), squared_difference(2j, 0).numpy()
    (array([1, 9], dtype=int32), np.complex128(4+0j))
    """
    x, y = pair(x, y)
    check("SquaredDifference", x, _OF_DIFFERENCES, BINARY)
    if not x.dtype.is_complex:
        return apply2(_squared_difference, x, y)
    difference = apply2(ops.subtract, x, y)
    return apply2(ops.multiply, difference, apply1(ops.conj, difference))


def atan2(y: Any, x: Any, name: str | None = None) -> Tensor:
    """The angle of the point (x, y), element by element with broadcasting.

    >>> atan2([0.0], [1.0]).numpy()
    array([0.], dtype=float32)
    """
    y, x = pair(y, x)
    check("Atan2", y, _ANGLES, "y:T, x:T -> z:T")
    return apply2(_atan2, y, x)


def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient, element by element with broadcasting; of integers it is float64.

    >>> truediv([1, 3], 2).numpy()
    array([0.5, 1.5])
    """
    return true_divide(*in_turn(x, y))


def _of_quotient(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert the first operand to the dtype of a second tensor, else the second to its own."""
    return pair(x, y) if is_tensor(y) and not is_tensor(x) else in_turn(x, y)


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient `x / y`, of which one at least becomes a tensor; of integers it is float64.

    >>> divide([1, 3], 2).numpy()
    array([0.5, 1.5])
    """
    return true_divide(*_of_quotient(x, y))


def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient, which is 0 where y is 0; of integers it is float64.

    >>> divide_no_nan([1.0, 3.0], [0.0, 2.0]).numpy()
    array([0. , 1.5], dtype=float32)
    """
    x, y = _of_quotient(x, y)
    refuse_quotient(x, y, "tf.math.divide_no_nan")
    if dtype_of(x).kind in "iu":
        cast = ops.Cast("float32" if dtype_of(x).itemsize < 4 else "float64")
        x, y = apply1(cast, x), apply1(cast, y)
    return apply2(_divide_no_nan, x, y)


def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient rounded down, of floats that of x/y as it is rounded; it has no gradient.

    Raises `InvalidArgumentError` where integers are divided by 0.

    >>> floordiv([7, -7], 2).numpy()
    array([ 3, -4], dtype=int32)
    """
    return floor_quotient(*pair(x, y))


def floormod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The remainder of `floordiv`, which has the sign of `y`.

    Raises `InvalidArgumentError` where integers are divided by 0.

    >>> floormod([7, -7], 2).numpy()
    array([1, 1], dtype=int32)
    """
    return floor_remainder(*pair(x, y))


mod = floormod


def clip_by_value(
    t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None
) -> Tensor:
    """`t` held between two bounds that broadcast to its shape; between and at them the slope is 1.

    >>> clip_by_value([-1.0, 0.5, 2.0], 0, 1).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    return by_rows(t, lambda x: _held(x, clip_value_min, clip_value_max))


def _held(x: Tensor, low: Any, high: Any) -> Tensor:
    for bound in (high, low):
        other = like(bound, x)
        if shape_of(other) and not _broadcasts(shape_of(other), shape_of(x)):
            raise ValueError(
                f"Shapes {shape_of(x)} and {_joint(shape_of(x), shape_of(other))} are incompatible"
            )
    return maximum(minimum(x, high), low)


def _broadcasts(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(shape, to) == to
    except ValueError:
        return True  # the operation itself says it better


def _joint(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return np.broadcast_shapes(a, b)


_CHOSEN = allowed(SUMMABLE.text + ", bool")


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`x` where `condition` is true, else `y`, with broadcasting; alone, the places where it is.

    The places are int64, one row for each true element. Raises `ValueError` if only one of `x`
    and `y` is given.

    >>> where([True, False], [1.0, 2.0], 0.0).numpy()
    array([1., 0.], dtype=float32)
    >>> where([False, True]).numpy()
    array([[1]])
    """
    if x is None and y is None:
        chosen = tensor(condition)
        check("Where", chosen, _CHOSEN, "input:T -> index:int64")
        return unsized(Tensor(np.argwhere(truths(chosen))), 0)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    chosen = truth("SelectV2", condition)
    x, y = pair(x, y)
    same_dtype("SelectV2", x, y, 2)
    try:
        return apply(ops.where, chosen, x, y)
    except InvalidArgumentError:
        shapes = [listed(shape_of(part)) for part in (chosen, x, y)]
        raise misfit(
            called("SelectV2", name, condition),
            f"condition {shapes[0]}, then {shapes[1]}, and else {shapes[2]} must be broadcastable",
        ) from None


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of tensors of one shape and dtype; of one tensor, along its first axis.

    Raises `ValueError` for no tensor at all, and `TypeError` for what cannot be gone through.

    >>> add_n([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([4., 6.], dtype=float32)
    """
    rows = convert(inputs) if is_tensor(inputs) else None
    if rows is not None and rows.ndim and shape_of(rows)[0] and dtype_of(rows).kind in "iufcV":
        labels = range(rows.ndim)
        return apply1(Einsum.of([labels], labels[1:]), rows)
    parts = [convert(v) for v in (inputs if rows is None else rows)]
    if not parts:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype "
            "and shape."
        )
    first = shape_of(parts[0])
    if dtype_of(parts[0]).kind == "b":
        raise not_taken("AddN", parts[0])
    for k, part in enumerate(parts):
        same_dtype("AddN", parts[0], part, k)
        if shape_of(part) != first:
            raise misfit(
                Call("AddN", many=f"N_{len(parts)}", name=name or ""),
                "Inputs to operation AddN of type AddN must have the same size and shape.  Input "
                f"0: {listed(first)} != input {k}: {listed(shape_of(part))}",
            )
    return apply(AddN(), *parts) if len(parts) > 1 else apply1(ops.identity, parts[0])


def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Tensor:
    """The sum of a list of tensors of one shape and dtype; see `add_n`.

    Raises `ValueError` for no list, and if they are not of `shape`, and `TypeError` if they are not
    of `tensor_dtype`.

    >>> accumulate_n([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([4., 6.], dtype=float32)
    """
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise ValueError(
            "inputs must be a list of at least one Tensor with the same dtype and shape"
        )
    made = add_n(inputs)
    if tensor_dtype is not None and tensor_dtype != made.dtype:
        raise TypeError(
            f"The `tensor_dtype` argument is {tensor_dtype}, but `input` is of type {made.dtype}. "
            "These must be equal. Try casting the input to the desired type."
        )
    if shape is not None and not made.shape.is_compatible_with(shape):
        raise ValueError(f"Shapes {made.shape} and {shape} are incompatible")
    return made


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Tensor:
    """A tensor times a number.

    Raises `ValueError` if `scalar` has axes.

    >>> scalar_mul(2.0, [1.0, 2.0]).numpy()
    array([2., 4.], dtype=float32)
    """
    factor, _ = pair(scalar, tensor(rows_of(x)))
    if shape_of(factor):
        raise ValueError(f"The input scalar must be a 0-D value. Received shape {factor.shape}.")
    return by_rows(x, lambda rows: apply2(ops.multiply, factor, rows))


def polyval(coeffs: Any, x: Any, name: str | None = None) -> Tensor:
    """c₀ xⁿ⁻¹ + … + cₙ₋₁ for a list of coefficients, by Horner's rule.

    Raises `ValueError` if `coeffs` is no list, and `InvalidArgumentError` for coefficients of
    another dtype than `x`.

    >>> polyval([1.0, 2.0, 3.0], 2.0).numpy()
    np.float32(11.0)
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = tensor(x)
    if not coeffs:
        return apply2(ops.multiply, x, like(0, x))
    first, *others = [in_turn(c, x)[0] for c in coeffs]
    for c in others:
        first = add(c, multiply(first, x))
    return first


_OF_RECIPROCALS = allowed("half, float, bfloat16, double, complex64, complex128")


def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """1 / x, which is 0 where x is 0.

    >>> reciprocal_no_nan([0.0, 2.0]).numpy()
    array([0. , 0.5], dtype=float32)
    """
    x = tensor(x)
    one = like(1, x)
    check("DivNoNan", x, _OF_RECIPROCALS, BINARY)
    return divide_no_nan(one, x)
