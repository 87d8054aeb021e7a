"""How the arguments of an operation are read: tensors of the right dtype, axes, sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from symtape.calls import Call
from symtape.errors import InvalidArgumentError, NotFoundError, UnimplementedError
from symtape.tensor import dispatch, dtypes
from symtape.tensor.convert import as_operand, convert
from symtape.tensor.decided import decided, decided_truth
from symtape.tensor.dimension import Dimension
from symtape.tensor.dispatch import invalid, misfit, mismatch, not_allowed, not_of
from symtape.tensor.dtypes import OF_KERNELS
from symtape.tensor.recording.looking import sized
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of
from symtape.tensor.within import WITHIN

# --- which dtypes an operation takes --------------------------------------------------------------


class Allowed(NamedTuple):
    """The dtypes that an operation takes: TensorFlow's list of them, and NumPy's letters."""

    text: str
    letters: frozenset[str]


def allowed(text: str) -> Allowed:
    """Read TensorFlow's list of dtypes."""
    names = [OF_KERNELS.get(name, name) for name in text.split(", ")]
    letters = {np.dtype(n).char for n in names if n != "bfloat16" and not n.startswith("q")}
    same = {"q": "l", "l": "q", "Q": "L", "L": "Q"}  # two letters for integers of eight bytes
    also = {same[c] for c in letters if c in same}
    return Allowed(text, frozenset(letters | also | ({"E"} if "bfloat16" in names else set())))


FLOATS = allowed("bfloat16, half, float, double")
FEATURES = allowed("half, bfloat16, float, double")
INEXACT = allowed("bfloat16, half, float, double, complex64, complex128")
SIGNED = allowed("bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128")
SIGNED_REAL = allowed("bfloat16, half, float, double, int8, int16, int32, int64")
NUMBERS = allowed(
    "bfloat16, half, float, double, int8, int16, int32, int64, "
    "uint8, uint16, uint32, uint64, complex64, complex128"
)
PRODUCTS = allowed(
    "bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, "
    "complex64, complex128"
)
STACKED_PRODUCTS = allowed(
    "bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, "
    "complex64, complex128"
)
REALS = allowed(
    "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64"
)
ACTIVATED = allowed(REALS.text + ", qint8")
ORDERED = allowed(REALS.text + ", qint8, quint8, qint32, qint16, quint16")
SUMMABLE = allowed(
    "float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64"
)
PLACES = allowed("int32, int64")
INDICES = allowed("uint8, int8, int32, int64")
GATHERED = allowed("int16, int32, int64")
POLICIES = ("", "DEFAULT", "ERROR", "IGNORE")


def check_policy(op: str, policy: str) -> None:
    """Raise `NotFoundError` unless gathering and scattering know what to do with bad places."""
    if policy not in POLICIES:
        raise NotFoundError(
            message=f"Could not find device for node: {{{{node {op}}}}}: bad_indices_policy="
            f"{policy!r} is none of {POLICIES}"
        )


def element(name: str, at: Sequence[Any]) -> str:
    """Name an element of an argument: `indices[0,1]`, or `indices` if it has no axes."""
    return f"{name}[{','.join(map(str, at))}]" if len(at) else name


def check(
    op: str, x: Tensor, allowed: Allowed, signature: str = "x:T -> y:T", attr: str = "T"
) -> None:
    """Raise TensorFlow's `InvalidArgumentError` unless an operation takes the dtype of `x`."""
    if dtype_of(x).char not in allowed.letters:
        raise refusal(op, x, allowed, signature, attr)


def refusal(
    op: str, x: Tensor, allowed: Allowed, signature: str = "x:T -> y:T", attr: str = "T"
) -> InvalidArgumentError | TypeError:
    """Make the error for a dtype that an operation does not take; in a graph it is another."""
    if WITHIN.find is not None:
        names = [part.partition(":") for part in signature.partition(" -> ")[0].split(", ")]
        parameter = next((name for name, _, kind in names if kind == attr), attr)
        return not_allowed(parameter, x, allowed.text)
    enums = ", ".join("DT_" + name.upper() for name in allowed.text.split(", "))
    return InvalidArgumentError(
        message=f"Value for attr {attr!r} of {x.dtype.enum_name} is not in the list of allowed "
        f"values: {allowed.text}\n\t; NodeDef: {{{{node {op}}}}}; Op<name={op}; "
        f"signature={signature}; attr={attr}:type,allowed=[{enums}]> [Op:{op}] name: "
    )


def sample(dtype: dtypes.DType) -> Tensor:
    """Make a tensor of a dtype, for an error about the dtype that somebody asks for."""
    return Tensor(np.zeros((), dtype.numpy))


# --- tensors --------------------------------------------------------------------------------------


def tensor(value: Any) -> Tensor:
    """Be a tensor, or become one."""
    return value if value.__class__ is Tensor else convert(value)


def like(value: Any, other: Tensor) -> Tensor:
    """Convert what stands beside a tensor to its dtype; a tensor stays what it is."""
    if value.__class__ is Tensor:
        return value
    made: Tensor = as_operand(value, other)
    return made


def operand(x: Any) -> Tensor:
    """Convert an operand: a number that Python counts with is that number in a formula."""
    made = convert(x)
    return Literal.of(x, made.dtype.numpy) if x.__class__ in (float, int, complex) else made


def pair(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert two operands: the dtype is that of the first tensor among them."""
    if x.__class__ is Tensor:
        return x, like(y, x)
    if not is_tensor(x) and is_tensor(y):
        y = convert(y)
        return like(x, y), y
    x = operand(x)
    return x, like(y, x)


def in_turn(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert two operands: the first by itself, the second to its dtype if it can be."""
    first = operand(x)
    try:
        return first, like(y, first)
    except (TypeError, ValueError):
        return first, convert(y)


def alike(values: Iterable[Any]) -> list[Tensor]:
    """Convert values to the dtype of the first tensor among them, or of the first value.

    >>> [x.dtype.name for x in alike([np.ones(2), tensor(1.0)])]
    ['float32', 'float32']
    """
    given = list(values)
    known = next((tensor(x) for x in given if is_tensor(x)), None)
    if known is None and given:
        known = tensor(given[0])
    return [] if known is None else [like(x, known) for x in given]


def of_kernel(value: Any, own: dtypes.DType, kinds: Allowed) -> Tensor:
    """Convert as a kernel does that has a dtype of its own: arrays of NumPy's become that one.

    What Python writes becomes it only where the kernel does not take its dtype.

    >>> of_kernel(np.ones(2), dtypes.float32, FLOATS).dtype.name
    'float32'
    >>> of_kernel([1, 2], dtypes.float32, FLOATS).dtype.name
    'float32'
    """
    if isinstance(value, np.ndarray):
        return convert(value, own)
    return taken(value, own, kinds)


def taken(value: Any, own: dtypes.DType, kinds: Allowed) -> Tensor:
    """Convert, to a dtype if a kernel takes none that the value has by itself and it is no tensor.

    >>> taken(np.ones(2), dtypes.float32, FLOATS).dtype.name
    'float64'
    """
    x = tensor(value)
    if is_tensor(value) or dtype_of(x).char in kinds.letters:
        return x
    return convert(value, hint=own)


def called(op: str, name: str | None, *given: Any) -> Call:
    """Say how an operation was called, whose messages have no name where it takes lists.

    TensorFlow converts sizes and places that are neither tensors nor single numbers one by one, and
    does not say the name of the call then.
    """
    is_listed = any(isinstance(x, (list, tuple, np.ndarray)) for x in given)
    return Call(op, name=None if is_listed else name or "")


def is_tensor(x: Any) -> bool:
    """Say whether this is a tensor or a variable.

    >>> is_tensor(3.0), is_tensor(convert(3.0))
    (False, True)
    """
    return isinstance(x, Tensor) or hasattr(x, "read_value")


def same_dtype(op: str, first: Tensor, other: Tensor, number: int = 1) -> None:
    """Raise TensorFlow's error unless two operands have one dtype."""
    if dtype_of(first) != dtype_of(other):
        raise mismatch(op, first, other, number)


def truth(op: str, value: Any, number: int = 0) -> Tensor:
    """Convert to a tensor of bool; a tensor of another dtype is refused."""
    return of_dtype(op, value, dtypes.bool_, number)


def truths(mask: Tensor) -> Any:
    """Say which elements are not zero; raises `UnimplementedError` for float16, as TensorFlow."""
    if mask.dtype.name == "float16":
        raise UnimplementedError(message="No WhereOp available for float16/half type on CPU")
    return decided_truth(mask)


def of_dtype(op: str, value: Any, dtype: dtypes.DType, number: int = 0) -> Tensor:
    """Convert to a tensor of one dtype; a tensor of another is refused."""
    x: Tensor = convert(value) if is_tensor(value) else convert(value, dtype)
    if x.dtype is not dtype:
        raise not_of(op, dtype, x, number)
    return x


# --- axes and sizes -------------------------------------------------------------------------------


def attribute(value: Any, name: str) -> int:
    """Read a number that is no tensor in TensorFlow, as a stride; a fraction loses its part.

    Raises `TypeError` for what is no number, texts included.
    """
    if not isinstance(value, (str, bytes)):
        try:
            return int(plain(value))
        except (TypeError, ValueError):
            pass
    raise TypeError(f"Expected int for argument '{name}' not {value!r}.")


def integers(value: Any) -> list[int]:
    """Read a list of integers: a number, a sequence or a tensor."""
    if isinstance(value, int):
        return [value]
    if isinstance(value, (tuple, list)) and all([type(n) is int for n in value]):
        return list(value)
    found = plain(value)
    array = np.asarray(found if _is_even(found) else _as_whole(found))
    if array.size and array.dtype.kind not in "iu":
        shown = value if not is_tensor(value) else array
        raise TypeError(f"Cannot convert {shown!r} to EagerTensor of dtype int32")
    return [int(n) for n in array.ravel()]


def of_places(op: str, asked: Any, own: dtypes.DType, attr: str) -> dtypes.DType:
    """Read the dtype of the places or counts that a kernel gives; None is the one of its own."""
    wanted = dtypes.of_kernel(asked, own)
    if wanted.numpy.char not in PLACES.letters:
        raise refusal(op, sample(wanted), PLACES, attr=attr)
    return wanted


def whole(op: str, value: Any, attr: str, kinds: Allowed = PLACES) -> Any:
    """Read an array of integers as an operation takes them, with its error for other dtypes."""
    found = plain(value)
    x = convert(int(found) if isinstance(found, bool) else found)
    check(op, x, kinds, "", attr)
    return decided(x)


def plain(value: Any) -> Any:
    """Take the sizes or places in a tensor, and in tensors within a list, all of one dtype."""
    return _taken(value, lambda x: sized(x, decided(x)))


def valued(value: Any) -> Any:
    """Take the value of a tensor, and of tensors within a list, which are all of one dtype."""
    return _taken(value, decided)


def _taken(value: Any, read: Callable[[Tensor], Any]) -> Any:
    if is_tensor(value):
        return read(convert(value))
    if isinstance(value, (list, tuple)):
        _check_packed(value)
        return [_taken(v, read) for v in value]
    if type(value) is Dimension:
        return value.__index__()
    return value.as_list() if hasattr(value, "as_list") else value


def counted(value: Any, *, packed: bool = True) -> Any:
    """Take sizes or places that TensorFlow converts to int32, as it does unless a tensor is given.

    An array of NumPy's then loses its fractions, and so do tensors of floats within a list, where
    True is 1; beside them, as by itself, a float of Python's is refused by whoever reads what this
    gives. Tensors that are `packed` are all of one dtype.

    >>> counted(np.array([2.0, 3.7])), counted([tensor(2.0), 3])
    (array([2, 3], dtype=int32), [np.int32(2), 3])
    """
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fb":
        return value.astype(np.int32)
    if not isinstance(value, (list, tuple)):
        return value
    if packed:
        _check_packed(value)
    if not any([isinstance(n, bool) or is_tensor(n) for n in value]):
        return value
    return [_truncated(n) if is_tensor(n) else int(n) if isinstance(n, bool) else n for n in value]


def _truncated(n: Any) -> Any:
    found = plain(n)
    is_float = isinstance(found, (np.ndarray, np.generic)) and found.dtype.kind == "f"
    return sized(convert(n), found.astype(np.int32)) if is_float else found


def _check_packed(values: Sequence[Any]) -> None:
    first = None
    for k, value in enumerate(values):
        if is_tensor(value):
            part = convert(value)
            first = part if first is None else first
            if part.dtype is not first.dtype:
                raise mismatch("Pack", first, part, k)


def scalar(value: Any) -> int:
    """Read one integer; True is 1."""
    if type(value) is int:
        return value
    found = plain(value)
    if isinstance(found, SupportsIndex) and not getattr(found, "ndim", 0):
        with suppress(TypeError):
            return found.__index__()
    if not is_tensor(value) and not np.ndim(made := _as_whole(found)):
        return int(made)
    raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype int32")


def _is_even(value: Any) -> bool:
    """Say whether an array of numbers can be made of a value."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_even, value)) and len({np.shape(v) for v in value}) <= 1
    return isinstance(value, (int, float, np.generic, np.ndarray))


def _as_whole(value: Any) -> Any:
    """Convert to int32, or raise what TensorFlow raises: `TypeError` or `ValueError`."""
    return decided(convert(value, dtypes.int32))


def flag(word: str, value: Any) -> bool:
    """Read a truth value that no number stands for; None is False.

    Raises `TypeError` for anything else.
    """
    if value is None:
        return False
    if not isinstance(value, bool):
        raise TypeError(f"Expected bool for argument {word!r} not {value!r}.")
    return value


def has_fractions(value: Any) -> bool:
    """Say whether a list has floats, which TensorFlow converts to such and then refuses.

    >>> has_fractions([0.5, 1]), has_fractions(0.5)
    (True, False)
    """
    return isinstance(value, (list, tuple)) and any(isinstance(n, float) for n in value)


def axes_of(op: str, axis: Any, rank: int) -> tuple[int, ...]:
    """Read the axes of a reduction as negative numbers in order; None is all of them.

    >>> axes_of("Sum", (0, -1), 3)
    (-3, -1)
    """
    if axis is None:
        return tuple(range(-rank, 0))
    if type(axis) is int and -rank <= axis < rank:
        return (axis if axis < 0 else axis - rank,)
    if is_tensor(axis) or isinstance(axis, (str, bytes)) or has_fractions(axis):
        check(op, convert(axis), PLACES, "", "Tidx")
    found: list[int] = []
    for n in integers(counted(axis)):
        if not -rank <= n < rank:
            raise misfit(op, f"Invalid reduction dimension ({n} for input with {rank} dimension(s)")
        place = n if n < 0 else n - rank
        if place in found:
            raise invalid(
                op,
                f"Invalid reduction arguments: Axes contains duplicate dimension: {place + rank}",
            )
        found.append(place)
    return tuple(sorted(found))


listed = dispatch.listed
"""Writes a shape as TensorFlow's kernels do: for those who check arguments."""
