"""Tensors from values, and tensors of another dtype or without a gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import is_tensor, operand, tensor
from symtape.ops.elementwise.arithmetic import clip_by_value
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.operations import Cast, elementwise
from symtape.tensor import dtypes
from symtape.tensor.conversion.conversions import is_registered
from symtape.tensor.convert import convert, holds_tensor
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply1, apply2, invalid, no_cast
from symtape.tensor.indexing.slices import IndexedSlices, by_rows
from symtape.tensor.recording.logs import warn
from symtape.tensor.recording.looking import fitted, looking
from symtape.tensor.shape import TensorShape, from_argument
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.unknown_sizes import made_up
from symtape.tensor.values import look_at, shape_of


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """Make a tensor of a number, nested lists or a NumPy array; a tensor is given back as it is.

    Python floats become float32, ints int32 (int64 if they do not fit). One number fills `shape`.
    In formulas the tensor is a symbol, called `name` if that is given. Of a variable it takes the
    number that it holds, through which no gradient flows.

    Raises `TypeError` for a tensor of another dtype, or if `shape` does not fit.

    >>> constant([1.0, 2.0])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    if is_tensor(value) and not isinstance(value, Tensor):
        held = stop_gradient(convert(value))
        value = held if dtype is None else cast(held, dtype)
    if isinstance(value, Tensor):
        made: Tensor = convert(value)
        if dtype is not None and dtypes.as_dtype(dtype) is not made.dtype:
            raise TypeError(
                f"Expected tensor {look_at(made)} with dtype {dtypes.as_dtype(dtype)!r}, but got "
                f"dtype {made.dtype!r}."
            )
        if shape is None or from_argument(shape) == shape_of(made):
            return made
        return Tensor(_shaped(value, decided(made), shape))
    if isinstance(value, (list, tuple)) and holds_tensor(value):
        raise ValueError(
            "tf.constant takes values, not tensors; tf.stack or tf.convert_to_tensor join tensors"
        )
    if is_registered(value):
        raise ValueError(
            f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to "
            "a Tensor."
        )
    made = convert(value, dtype)
    if shape is not None:
        made = Tensor(_shaped(value, decided(made), shape))
    if name != "Const":
        made.label = name
    return made


def _shaped(value: Any, array: Any, shape: Any) -> Any:
    wanted = from_argument(shape)
    count = int(np.prod(wanted))
    if array.size == count:
        reshaped = np.reshape(array, wanted)
        return reshaped if reshaped.dtype == object else reshaped[()]  # text is no scalar
    if array.size == 1:
        return np.full(wanted, array, array.dtype)
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {array} (converted from "
        f"{value}) has {array.size} elements, but got `shape` {wanted} with {count} elements)."
    )


def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Tensor:
    """Make a tensor of anything that has values; lists that hold tensors are stacked.

    A tensor is given back as it is, and raises `ValueError` if it has another dtype. Of a variable
    it is what the variable holds now, as a tensor of its own.

    >>> convert_to_tensor([1, 2], dtype=dtypes.float64).numpy()
    array([1., 2.])
    """
    made = convert(value, dtype, hint=dtype_hint)
    if hasattr(value, "read_value"):  # what reads the variable later does not depend on it
        return identity(made)
    made = made.dense() if isinstance(made, IndexedSlices) else made
    if name is not None and not is_tensor(value):
        made.label = name
    return made


def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Change the dtype.

    Floats are cut towards zero for integers, and complex numbers lose the imaginary part.
    A tensor that has the dtype is given back as it is. Integers and bool cut the gradient.

    >>> cast([1.7, -1.7], dtypes.int32).numpy()
    array([ 1, -1], dtype=int32)
    """
    target = dtypes.as_dtype(dtype)
    made = x if x.__class__ is Tensor else operand(x)
    if target is made.dtype:
        return identity(made) if made.__class__ is Literal else made  # which somebody may watch
    if isinstance(made, IndexedSlices):
        return made.changed(lambda rows: cast(rows, target))
    if dtypes.string in (target, made.dtype):
        raise no_cast(made.dtype, target)
    if made.dtype.is_complex and not target.is_complex:
        if not target.is_bool:
            warn(
                "You are casting an input of type %s to an incompatible dtype %s.  This will "
                "discard the imaginary part and may not be what you intended.",
                made.dtype.name,
                target.name,
            )
        made = apply1(ops.real, made)
        if target is made.dtype:
            return made
    return apply1(Cast(target.name), made)


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Change the dtype, holding values between the limits of both.

    Of complex numbers a real dtype takes the real part; a narrower complex one holds both parts.
    Raises `TypeError` for dtypes without limits, as bool.

    >>> saturate_cast([300, -1], dtypes.uint8).numpy()
    array([255,   0], dtype=uint8)
    """
    x, target = tensor(value), dtypes.as_dtype(dtype)
    if x.dtype.is_complex and target.is_complex:
        return _saturated_parts(x, target)
    if x.dtype.is_complex:
        warn("Casting complex to real discards imaginary part.")
        x = apply1(ops.real, x)
    low, high = (_limit(x.dtype, target.real_dtype, which) for which in ("min", "max"))
    return cast(clip_by_value(x, low, high), target)


def _saturated_parts(x: Tensor, target: dtypes.DType) -> Tensor:
    part = target.real_dtype
    if x.dtype.real_dtype.max <= part.max:
        return cast(x, target)
    real, imaginary = (saturate_cast(apply1(op, x), part) for op in (ops.real, ops.imag))
    return apply2(ops.to_complex, real, imaginary)


def _limit(source: dtypes.DType, target: dtypes.DType, which: str) -> Any:
    """Give the number of one dtype that is nearest to a limit of another and, as floats, within."""
    lowest, highest, wanted = map(_exact, (source.min, source.max, getattr(target, which)))
    wanted = min(max(wanted, lowest), highest)
    if source.is_integer:
        return source.numpy.type(int(wanted))
    near = source.numpy.type(float(wanted))
    return (
        near if abs(float(near)) <= abs(float(wanted)) else np.nextafter(near, source.numpy.type(0))
    )


def _exact(number: Any) -> int | float:
    """Give a number of NumPy's as Python's, which compares integers and floats without rounding."""
    return int(number) if isinstance(number, (int, np.integer)) else float(number)


def identity(input: Any, name: str | None = None) -> Tensor:
    """The same values as a new tensor, with the gradient passed on.

    >>> identity([1.0]).numpy()
    array([1.], dtype=float32)
    """
    return by_rows(input, lambda x: apply1(ops.identity, x))


_stop_gradient = elementwise("stop_gradient", scalar.stop, result="stopped")


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """The same values, through which no gradient flows.

    >>> stop_gradient([1.0]).numpy()
    array([1.], dtype=float32)
    """
    return by_rows(input, lambda x: apply1(_stop_gradient, x))


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """`x`, after a check of its shape, in which None stands for any size.

    Raises `InvalidArgumentError` if it has another shape.

    >>> ensure_shape([1.0, 2.0], [None]).numpy()
    array([1., 2.], dtype=float32)
    """
    x = tensor(x)
    wanted = TensorShape(shape)
    if (run := looking()) is not None:
        return made_up(x, fitted(x, wanted, run.number))
    if not wanted.is_compatible_with(x.shape):
        sizes = ",".join("?" if n is None else str(n) for n in wanted)
        raise invalid(
            "EnsureShape",
            f"Shape of tensor input [{','.join(map(str, shape_of(x)))}] is not compatible with "
            f"expected shape [{sizes}].",
        )
    return apply1(ops.identity, x)


def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """The same tensors as new ones, with gradients passed on.

    >>> [x.numpy().item() for x in identity_n([1, 2])]
    [1, 2]
    """
    parts = [*input]
    if not parts:
        raise invalid("IdentityN", "Length for attr 'T' of 0 must be at least minimum 1")
    return [identity(x) for x in parts]
