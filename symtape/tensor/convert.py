"""How Python numbers, lists and NumPy arrays become tensors, with TensorFlow's rules for dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.calls import Call
from symtape.program.kinds import structural
from symtape.program.operations import Cast, Einsum, dtype_name, real
from symtape.tensor import dtypes
from symtape.tensor.conversion.conversions import preferred, registered
from symtape.tensor.conversion.refusals import (
    NOT_OF_TRUTH,
    check_numbers,
    out_of_range,
    too_great,
    unsupported,
)
from symtape.tensor.conversion.sequences import have_room, mixed, scalar_of
from symtape.tensor.dimension import Dimension
from symtape.tensor.dispatch import apply, apply1, listed, misfit, mismatch, no_cast
from symtape.tensor.dtypes import DType
from symtape.tensor.lazy.arrays import Deferred
from symtape.tensor.recording.active import THREAD
from symtape.tensor.shape import TensorShape, fixed
from symtape.tensor.tensor import Literal, Tensor

_NOTHING = (
    "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor."
)


def as_operand(value: Any, like: Tensor) -> Any:
    """Convert what stands beside a tensor to its dtype.

    Raises `TypeError` and `ValueError` as `convert` does, of strangers too.
    """
    kind = value.__class__
    if kind is float or kind is int or kind is bool or kind is complex:
        return number_like(value, like)
    if isinstance(value, Tensor):
        return value
    if hasattr(value, "handle") and hasattr(value, "read_value"):
        return value.read()
    if isinstance(value, np.number) and like.raw.dtype.kind != "O":
        return Literal.of(value.item(), like.raw.dtype)
    if value is None:
        raise ValueError(_NOTHING)
    if isinstance(value, (str, bytes)):
        return convert(value, like.dtype)
    if isinstance(value, (np.ndarray, np.generic, list, tuple)):
        return convert(value, like.dtype)
    if hasattr(value, "__tf_tensor__"):
        return value.__tf_tensor__(like.dtype, None)
    if (made := registered(value, like.dtype)) is not None:
        return made
    if type(value) is Dimension:
        _check_sizes(value, like.dtype)
    return convert(value, like.dtype)


def _check_sizes(value: Dimension | TensorShape, wanted: DType) -> None:
    if wanted.name not in {"int32", "int64"}:
        raise TypeError(
            f"Cannot convert {type(value).__name__} {value} to dtype {wanted}. Allowed dtypes are "
            "tf.int32 and tf.int64."
        )


def _sizes(shape: TensorShape, dtype: Any) -> Any:
    """Make the array of a shape: int32, or int64 where sizes need it or it is asked for.

    Raises `TypeError` for another dtype, and `ValueError` for a size that has no room in it.
    """
    if dtype is not None:
        _check_sizes(shape, dtypes.as_dtype(dtype))
    sizes = np.array(fixed(shape), np.int64)
    made = sizes.astype(_default(sizes) if dtype is None else dtypes.as_dtype(dtype).numpy)
    if (made != sizes).any():
        raise ValueError(
            f"Cannot convert TensorShape {shape} to dtype int32; a dimension is too large. "
            "Consider using tf.int64."
        )
    return made


def number_like(number: Any, like: Tensor) -> Literal:
    """Make a Python number a literal of a tensor's dtype."""
    dtype = like.raw.dtype
    kind = dtype.kind
    fits = (
        kind in "fcV"
        or (kind in "iu" and isinstance(number, int))
        or kind == number.__class__.__name__[0]
    )
    own = number.__class__
    if own is bool:
        fits = fits and like.dtype.name not in NOT_OF_TRUTH
    if (kind == "b" or dtype.char == "E") and own is int and not -_LONG <= number < _LONG:
        raise out_of_range()
    if not fits or (own is complex and kind != "c"):
        raise TypeError(f"Cannot convert {number!r} to EagerTensor of dtype {like.dtype.enum_name}")
    try:
        return Literal.of(number, dtype)
    except OverflowError:
        if kind not in "iu":
            raise out_of_range() from None
        return Literal.of(int(to_array(number, like.dtype)), dtype)


def convert(value: Any, dtype: Any = None, *, hint: Any = None) -> Tensor:
    """Convert anything to a tensor, as `tf.convert_to_tensor`; a tensor is given back as it is.

    A variable without a handle, as libraries extend the class, is whatever its own conversion says.
    Raises `ValueError` for a tensor of another dtype, ragged sequences and None.
    """
    if isinstance(value, Tensor) or (hasattr(value, "handle") and hasattr(value, "read_value")):
        tensor: Tensor = value.read()
        if dtype is not None and dtypes.as_dtype(dtype) is not tensor.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for Tensor with "
                f"dtype {tensor.dtype.name}: {value!r}"
            )
        return tensor
    if hasattr(value, "__tf_tensor__"):
        made: Tensor = value.__tf_tensor__(None if dtype is None else dtypes.as_dtype(dtype), None)
        return made
    if (by_function := preferred(value, dtype, hint)) is not None:
        return by_function
    if type(value) is TensorShape:
        return Tensor(_sizes(value, dtype))
    if isinstance(value, (list, tuple)) and holds_tensor(value):
        return packed(value, dtype)
    if dtype is None and hint is not None:
        try:
            return _made_of(value, hint)
        except (TypeError, ValueError):
            pass
    return _made_of(value, dtype)


def _made_of(value: Any, dtype: Any) -> Tensor:
    tensor = Tensor(to_array(value.array if type(value) is Deferred else value, dtype))
    is_array = isinstance(value, np.ndarray)
    for recording in THREAD.state.recordings:
        if is_array:
            recording.took_in(tensor, value)
        else:
            recording.constant(tensor)
    return tensor


def holds_tensor(value: Any) -> bool:
    """Say whether a value is a tensor or a list that holds one."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_tensor, value))
    return isinstance(value, Tensor) or hasattr(value, "read_value")


def packed(values: Sequence[Any], dtype: Any = None) -> Tensor:
    """Stack a nested list that holds tensors, so that gradients flow to them.

    With a dtype that is not that of the first tensor, all are changed to it.
    """
    known = _first_tensor(values).dtype
    wanted = known if dtype is None else dtypes.as_dtype(dtype)
    return _stacked(values, wanted, changes=wanted is not known)


def _stacked(values: Sequence[Any], wanted: DType, changes: bool) -> Tensor:
    parts = []
    for v in values:
        if not holds_tensor(v):
            parts.append(convert(v, wanted))
            continue
        is_list = isinstance(v, (list, tuple))
        part = _stacked(v, wanted, changes) if is_list else convert(v)
        parts.append(_changed(part, wanted) if changes else part)
    return stack(parts)


def _changed(part: Tensor, wanted: DType) -> Tensor:
    """Change the dtype of a tensor within a list."""
    if part.dtype is wanted:
        return part
    if wanted is dtypes.string or part.dtype is dtypes.string:
        raise no_cast(part.dtype, wanted)
    is_cut = part.dtype.is_complex and not wanted.is_complex
    return apply1(Cast(wanted.name), apply1(real, part) if is_cut else part)


def _first_tensor(values: Any) -> Tensor:
    for value in values:
        if isinstance(value, (list, tuple)):
            if holds_tensor(value):
                return _first_tensor(value)
        elif holds_tensor(value):
            return convert(value)
    raise AssertionError("called only where there is a tensor")


def stack(parts: Sequence[Tensor], axis: int = 0, name: str = "") -> Tensor:
    """Join tensors of one shape along a new axis; messages say the `name` of the call."""
    shape, call = parts[0].raw.shape, Call("Pack", many=f"N_{len(parts)}", name=name)
    for k, part in enumerate(parts):
        if part.raw.shape != shape:
            raise misfit(
                call,
                f"Shapes of all inputs must match: values[0].shape = {listed(shape)} != "
                f"values[{k}].shape = {listed(part.raw.shape)}",
            )
        if part.raw.dtype != parts[0].raw.dtype:
            raise mismatch(call, parts[0], part, k)
    rank = len(shape) + 1
    axis = axis % rank
    new = Einsum.of([range(rank - 1)], [*range(axis), rank, *range(axis, rank - 1)], {rank: 1})
    return apply(structural.Concat(axis - rank), *[apply1(new, part) for part in parts])


def to_array(value: Any, dtype: Any = None) -> Any:
    """Make the array or scalar that a tensor holds, with TensorFlow's rules for dtypes."""
    if value.__class__ is float and dtype is None and -_GREATEST <= value <= _GREATEST:
        return np.float32(value)
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if value is None:
        raise ValueError(_NOTHING)
    if type(value) is np.ndarray and value.dtype.kind == "O":
        return _of_objects(value, wanted)
    value = _by_protocol(value)
    is_python = isinstance(value, (list, tuple))
    if value.__class__ is int:
        is_python = wanted is dtypes.uint64 or not -_LONG <= value < _LONG
    scalar = scalar_of(value, wanted.name if wanted else None) if is_python else None
    array = _read(value, scalar, wanted)
    if array.dtype.kind == "O" and any([type(x) is Dimension for x in array.flat]):
        sizes = [x.__index__() if isinstance(x, Dimension) else x for x in array.flat]
        return to_array(np.array(sizes, object).reshape(array.shape).tolist(), dtype)
    if array.dtype.kind in "USO":
        return _strings(value, array, wanted)
    if wanted is None:
        keeps = isinstance(value, (np.ndarray, np.generic)) or scalar not in (None, np.int64)
        made = array if keeps else _by_default(array)
        dtypes.as_dtype(made.dtype)
        return made[()]
    if not isinstance(value, (np.ndarray, np.generic)):
        check_numbers(value, array, wanted, scalar is np.bool_)
    elif wanted is dtypes.string and array.size:
        raise unsupported(type(array.item(0)))
    return _cast(array, wanted.numpy, "ignore")[()]


def _by_protocol(value: Any) -> Any:
    """Give the array that somebody's object says it is, by one of NumPy's protocols, or the value.

    Raises `ValueError` where `__array__` gives something else.
    """
    if isinstance(value, (np.ndarray, np.generic, int, float, complex, str, bytes, list, tuple)):
        return value
    if hasattr(value, "__array__"):
        if not isinstance(made := value.__array__(), np.ndarray):
            raise ValueError("Value returned by __array__ is not a NumPy array")
        return made
    is_array = hasattr(value, "__array_interface__") or hasattr(value, "__array_struct__")
    return np.array(value) if is_array else value


def _read(value: Any, scalar: Any, wanted: DType | None) -> Any:
    """Let NumPy read a value, as it likes or as a dtype."""
    try:
        return np.array(value) if scalar is None else _of_scalars(value, scalar, wanted)
    except OverflowError:
        raise out_of_range() from None
    except FloatingPointError:
        raise too_great() from None
    except UnicodeError:  # beside texts, NumPy reads bytes as ASCII
        return np.array(value, object)
    except ValueError:
        raise ValueError("Can't convert non-rectangular Python sequence to Tensor.") from None


_GREATEST, _LONG = float(np.finfo(np.float32).max), 2**63


def _cast(array: Any, dtype: Any, over: Any) -> Any:
    """Change the dtype of an array; what has no room among fractions is infinite, or raises."""
    if array.dtype == dtype or array.dtype.kind not in "fc":
        return array.astype(dtype)
    with np.errstate(over=over):
        return array.astype(dtype)


def _of_scalars(value: Any, scalar: Any, wanted: DType | None) -> Any:
    """Make an array of a dtype: what has no room in it is infinite, if it was asked for.

    Raises `OverflowError` for whole numbers, and `FloatingPointError` for others.
    """
    if scalar is np.int64:
        return np.array(value, scalar)
    with np.errstate(over="ignore"):
        array = np.array(value, scalar)
    is_infinite = wanted is None and array.dtype.kind == "f" and np.isinf(array).any()
    if is_infinite and not have_room(value, dtype_name(array.dtype)):
        raise FloatingPointError("a number is infinite that was not")
    if scalar is np.uint64 and array.size and np.array(value, object).min() < 0:
        raise OverflowError("NumPy's own integers begin anew below 0")
    return array


def _by_default(array: Any) -> Any:
    try:
        return _cast(array, _default(array), "raise")
    except FloatingPointError:
        raise too_great() from None


def _default(array: Any) -> Any:
    """Choose the dtype of Python numbers: float32, int32 if they fit, else int64."""
    if array.dtype.kind == "f":
        return np.float32
    if array.dtype.kind in "iu":
        info = np.iinfo(np.int32)
        fits = array.size == 0 or (array.min() >= info.min and array.max() <= info.max)
        if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
            raise out_of_range()
        return np.int32 if fits else np.int64
    return array.dtype


def _all_texts(value: Any) -> bool:
    """Say whether NumPy has written no number as a text."""
    if isinstance(value, (list, tuple)):
        return all(map(_all_texts, value))
    return isinstance(value, (str, bytes, np.ndarray, np.generic))


def _of_objects(array: Any, wanted: Any) -> Any:
    """Read an array of Python's objects: texts, or with a dtype what a list of them would be."""
    if wanted is not None and array.size:
        return to_array(array.tolist(), wanted)
    for kind in (type(v) for v in array.flat if not isinstance(v, (str, bytes))):
        raise unsupported(kind)
    return _strings(array, array, wanted)


def _strings(value: Any, array: Any, wanted: DType | None) -> Any:
    if array.dtype.kind in "US" and not _all_texts(value):
        raise mixed()
    if isinstance(value, (str, bytes, list, tuple)):
        array = np.array(value, object)  # NumPy's own texts lose zeros at their end
    if array.dtype.kind == "O":
        flat = [v for v in array.flat if not isinstance(v, (str, bytes))]
        if len(flat) < array.size and flat and not isinstance(flat[0], (list, tuple)):
            raise mixed()
        if flat and flat[0] is None:
            return to_array(None)
        if flat and isinstance(flat[0], int):
            raise out_of_range()
        if (
            flat
            and isinstance(value, (list, tuple))
            and any(isinstance(v, (list, tuple)) for v in flat)
        ):
            raise ValueError("Can't convert non-rectangular Python sequence to Tensor.")
        if flat:
            raise ValueError(
                f"Attempt to convert a value ({flat[0]!r}) with an unsupported type "
                f"({type(flat[0])}) to a Tensor."
            )
    if wanted is not None and wanted is not dtypes.string:
        if isinstance(value, (np.ndarray, np.generic)):
            return array.astype(wanted.numpy)[()]  # a text of a number is that number to NumPy
        raise TypeError(f"Cannot convert {value!r:.80} to EagerTensor of dtype {wanted.enum_name}")
    out = np.empty(array.shape, object)
    for k, v in enumerate(array.flat):
        out.flat[k] = v.encode() if isinstance(v, str) else bytes(v)
    return out
