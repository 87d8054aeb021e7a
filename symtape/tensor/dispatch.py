"""Dispatch: the one way by which every operation is applied, and recorded where a tape listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from symtape.calls import Call
from symtape.errors import (
    InvalidArgumentError,
    MisfitError,
    NotFoundError,
    ResourceExhaustedError,
    UnimplementedError,
)
from symtape.kernels.interpret import BY_LETTER, KERNELS, whole_kernel
from symtape.kernels.texts import TEXTS
from symtape.program import operations as ops
from symtape.program.kinds.matrices import Part
from symtape.program.operations import Map, Operation
from symtape.tensor.dtypes import OF_KERNELS, DType
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import alike
from symtape.tensor.values import look_at
from symtape.tensor.within import WITHIN

OP_NAMES: dict[Operation, str] = {
    ops.add: "AddV2",
    ops.subtract: "Sub",
    ops.multiply: "Mul",
    ops.divide: "RealDiv",
    ops.power: "Pow",
    ops.equal: "Equal",
    ops.where: "SelectV2",
}
"""What TensorFlow calls an operation in its messages."""

FOLLOWERS: list[Callable[[Operation | str, Sequence[Tensor], Tensor], None]] = []
"""Called with each operation that is applied, its operands and its result, tapes or not.

What TensorFlow computes in another way than it is computed here is told once more by TensorFlow's
name. Whoever lays tensors out on devices that are not there follows so; else there is nobody.
"""

NO_TRUTH: set[Operation] = {ops.add, ops.subtract, ops.power, ops.negative, ops.absolute}
"""Operations that take no bool, which NumPy would count with."""
_SIGNED = "bfloat16, half, float, double, int8, int16, int32, int64"
_REAL = "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64"
_BITS = "int8, int16, int32, int64, uint8, uint16, uint32, uint64"
_QUOTIENTS = (
    "bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, "
    "complex64, complex128"
)
_BOUNDS = "bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64"
NUMBERS_OF = {
    "AddV2": "bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, "
    "int64, complex64, complex128",
    "Abs": _SIGNED,
    "Neg": f"{_SIGNED}, complex64, complex128",
    "Sub": "bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, "
    "complex128, uint32, uint64",
    **dict.fromkeys(("Mul", "FloorDiv", "TruncateDiv", "RealDiv"), _QUOTIENTS),
    "FloorMod": f"{_BITS}, bfloat16, half, float, double",
    "Pow": "bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128",
    **dict.fromkeys(("Maximum", "Minimum"), _BOUNDS),
    "SquaredDifference": "bfloat16, half, float, double, int32, int64, complex64, complex128",
    "Atan2": "bfloat16, half, float, double",
    **dict.fromkeys(("Less", "LessEqual", "Greater", "GreaterEqual"), _REAL),
    **dict.fromkeys(
        ("MatMul", "Einsum"),
        "bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, "
        "complex128",
    ),
    "BatchMatMulV2": "bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, "
    "uint64, complex64, complex128",
    "AddN": "float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, variant",
    **dict.fromkeys(("BitwiseAnd", "BitwiseOr", "BitwiseXor", "Invert"), _BITS),
    "Bitcast": "bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, "
    "int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32",
}
"""The dtypes that an operation takes, in TensorFlow's order, where texts can come to it."""


_SELDOM = "?OeE"
"""The letters of dtypes that not all operations take, or that have functions of their own."""


def apply1(operation: Operation, x: Tensor) -> Tensor:
    """Compute an operation of one tensor, and record it where a tape is listening."""
    state = THREAD.state
    a = x.raw
    letter = a.dtype.char
    kernels = KERNELS
    if letter in _SELDOM:
        if letter == "O" or (letter == "?" and operation in NO_TRUTH):
            return _of_no_numbers(operation, x)
        kernels = BY_LETTER.get(letter, KERNELS)
    try:
        out = Tensor(state.run(kernels[operation], a))
    except (ValueError, TypeError, MemoryError) as error:
        raise _failed(operation, (x,), error) from None
    for recording in state.recordings:
        recording.record1(operation, x, out)
    if FOLLOWERS:
        follow(operation, (x,), out)
    return out


def apply2(operation: Operation, x: Tensor, y: Tensor) -> Tensor:
    """Compute an operation of two tensors of one dtype, and record it where a tape is listening."""
    a, b = x.raw, y.raw
    dtype = a.dtype
    if b.dtype is not dtype and b.dtype != dtype:
        raise mismatch(operation, x, y)
    letter = dtype.char
    kernels = KERNELS
    if letter in _SELDOM:
        if letter == "O" or (letter == "?" and operation in NO_TRUTH):
            return _of_no_numbers(operation, x, y)
        kernels = BY_LETTER.get(letter, KERNELS)
    state = THREAD.state
    try:
        out = Tensor(state.run(kernels[operation], a, b))
    except (ValueError, TypeError, MemoryError) as error:
        if (pair := alike(x, y)) is not None:
            return apply2(operation, *pair)
        raise _failed(operation, (x, y), error) from None
    for recording in state.recordings:
        recording.record2(operation, x, y, out)
    if FOLLOWERS:
        follow(operation, (x, y), out)
    return out


def apply(operation: Operation, *operands: Tensor) -> Tensor:
    """Compute an operation of any number of tensors, and record it where a tape is listening."""
    state = THREAD.state
    try:
        arrays = [x.raw for x in operands]
        dtype = arrays[-1].dtype
        if dtype.kind == "O" or arrays[0].dtype.kind == "O":
            return _of_no_numbers(operation, *operands)
        kernels = BY_LETTER.get(dtype.char, KERNELS)
        out = Tensor(state.run(kernels[operation], *arrays))
    except (ValueError, TypeError, MemoryError) as error:
        raise _failed(operation, operands, error) from None
    for recording in state.recordings:
        recording.record(operation, operands, out)
    if FOLLOWERS:
        follow(operation, operands, out)
    return out


def follow(operation: Operation | str, operands: Sequence[Tensor], out: Tensor) -> Tensor:
    """Tell whoever follows operations of one, and give its result."""
    for follower in FOLLOWERS:
        follower(operation, operands, out)
    return out


def _of_no_numbers(operation: Operation, *operands: Tensor) -> Tensor:
    """Compute an operation of texts, which carry no derivative: tapes only hear of it."""
    text = next((x for x in operands if x.raw.dtype.kind == "O"), operands[0])
    kernel = TEXTS[operation] if text.raw.dtype.kind == "O" else None
    if kernel is None:
        raise not_taken(op_name(operation), text)
    try:
        out = Tensor(THREAD.state.run(kernel, *map(look_at, operands)))
    except (ValueError, TypeError, MemoryError) as error:
        raise _failed(operation, operands, error) from None
    return follow(operation, operands, out)


def not_allowed(parameter: str, x: Tensor, kinds: str) -> TypeError:
    """Say that a graph has no place for a dtype, where `kinds` are TensorFlow's names of dtypes."""
    names = ", ".join([OF_KERNELS.get(kind, kind) for kind in kinds.split(", ")])
    return TypeError(
        f"Value passed to parameter {parameter!r} has DataType {x.dtype.name} not in list of "
        f"allowed values: {names}"
    )


def not_taken(name: str, x: Tensor) -> InvalidArgumentError | NotFoundError | TypeError:
    """Make the error of an operation that takes no tensor of this dtype."""
    return not_allowed_here(name, x) or no_kernel(name, x)


def not_allowed_here(name: str, x: Tensor) -> InvalidArgumentError | TypeError | None:
    """Make the error of an operation whose definition has not this dtype; None where it has."""
    if name not in NUMBERS_OF or x.dtype.enum_name in NUMBERS_OF[name].split(", "):
        return None
    if WITHIN.find is not None:
        return not_allowed(_INPUTS.get(name, "x")[0], x, NUMBERS_OF[name])
    return InvalidArgumentError(
        message=f"Value for attr 'T' of {x.dtype.enum_name} is not in the list of allowed "
        f"values: {NUMBERS_OF[name]} [Op:{name}] name: "
    )


def no_kernel(name: str, x: Tensor) -> InvalidArgumentError | NotFoundError:
    """Make the error of an operation that has no kernel for a dtype that its definition allows.

    Within a function that TensorFlow traces the kernel is missed by another reader, in his words.
    """
    dtype = f"DT_{x.dtype.enum_name.upper()}"
    if WITHIN.find is not None:
        return InvalidArgumentError(
            message=f"No OpKernel was registered to support Op '{name}' used by "
            f"{{{{node {name}}}}} with these attrs: [T={dtype}]"
        )
    return NotFoundError(
        message=f"Could not find device for node: {{{{node {name}}}}} = {name}[T={dtype}] "
        f"[Op:{name}] name: "
    )


def apply_parts(operations: Sequence[Part], x: Tensor) -> tuple[Tensor, ...]:
    """Compute a whole once, and record each of the parts that are wanted as a step of its own."""
    state = THREAD.state
    parts = state.run(whole_kernel(operations[0]), x.raw)
    made = []
    for operation in operations:
        out = Tensor(parts[operation.place])
        for recording in state.recordings:
            recording.record1(operation, x, out)
        made.append(follow(operation, (x,), out))
    return tuple(made)


def in_one(kernel: Callable[..., Any], *operands: Tensor) -> Tensor | None:
    """Compute in one go what is recorded as several steps, unless somebody hears of these."""
    state = THREAD.state
    if state.recordings or FOLLOWERS:
        return None
    return Tensor(state.run(kernel, *[x.raw for x in operands]))


def told(out: Tensor, operation: Operation, *operands: Tensor) -> Tensor:
    """Tell the tapes that listen what a tensor is whose value is known without being computed."""
    for recording in THREAD.state.recordings:
        recording.record(operation, operands, out)
    if FOLLOWERS:
        follow(operation, operands, out)
    return out


def op_name(operation: Operation) -> str:
    """Name an operation as TensorFlow's messages do."""
    return OP_NAMES.get(operation) or (
        "".join(w.capitalize() for w in operation.name.split("_"))
        if isinstance(operation, Map)
        else type(operation).__name__
    )


def mismatch(
    operation: Operation | str, x: Tensor, y: Tensor, number: int = 1
) -> InvalidArgumentError | TypeError:
    """Say that two operands differ in dtype, as TensorFlow does."""
    name = operation if isinstance(operation, str) else op_name(operation)
    if operation is ops.add and x.raw.dtype.kind == "O":
        name = "Add"
    if WITHIN.find is None:
        return not_allowed_here(name, x) or not_of(name, x.dtype, y, number)
    if name in _LISTS:
        types = ", ".join([x.dtype.name] * number + [y.dtype.name])
        return TypeError(
            f"Tensors in list passed to {_LISTS[name]!r} of {name!r} Op have types [{types}] that "
            "don't all match."
        )
    return TypeError(
        f"Input {_input(name, number)} of {name!r} Op has type {y.dtype.name} that does not match "
        f"type {x.dtype.name} of argument {_input(name, number - 1)}."
    )


_LISTS = {"ConcatV2": "values", "Pack": "values", "AddN": "inputs", "Einsum": "inputs"}
"""What TensorFlow calls operands that are one list."""
_OF_ONE = ("All", "Any", "StringLength", "StringLower", "StringStrip", "StringUpper")
_INPUTS = {
    **dict.fromkeys(_OF_ONE, ("input",)),
    **dict.fromkeys(("Igamma", "Igammac", "Polygamma"), ("a", "x")),
    **dict.fromkeys(("LowerBound", "UpperBound"), ("sorted_inputs", "values")),
    "Atan2": ("y", "x"),
    "Betainc": ("a", "b", "x"),
    "Conv2D": ("input", "filter"),
    "MatMul": ("a", "b"),
    "MatrixSolve": ("matrix", "rhs"),
    "ScatterNd": ("indices", "updates", "shape"),
    "SelectV2": ("condition", "t", "e"),
    "Zeta": ("x", "q"),
}
"""What TensorFlow calls operands that are not x and y."""


def _input(name: str, number: int) -> str:
    names = _INPUTS.get(name, ("x", "y"))
    return repr(names[number]) if number < len(names) else f"#{number}"


def not_of(name: str, dtype: DType, x: Tensor, number: int = 0) -> InvalidArgumentError | TypeError:
    """Say that an operand is not of the dtype that an operation takes."""
    if WITHIN.find is not None:
        return TypeError(
            f"Input {_input(name, number)} of {name!r} Op has type {x.dtype.name} that does not "
            f"match expected type of {dtype.name}."
        )
    return InvalidArgumentError(
        message=f"cannot compute {name} as input #{number}(zero-based) was expected to be a "
        f"{dtype.enum_name} tensor but is a {x.dtype.enum_name} tensor {tail(name)}"
    )


def tail(name: str) -> str:
    """Write what stands at the end of an operation's message."""
    return (name if isinstance(name, Call) else Call(name)).tail


def invalid(name: str, text: str) -> InvalidArgumentError:
    """Make the error of an operation, with the frame that TensorFlow puts around it."""
    return InvalidArgumentError.of(name, text)


def misfit(name: str, text: str) -> InvalidArgumentError:
    """Make the error of shapes that do not fit each other, or of an axis that is not there.

    Within a function that TensorFlow traces it is a `ValueError`, too: that is what TensorFlow
    raises where it knows the shapes while it traces, and else what the operation raises.
    """
    return misfit_type().of(name, text)


def misfit_type() -> type[InvalidArgumentError]:
    """Give the type of such an error."""
    return InvalidArgumentError if WITHIN.find is None else MisfitError


def exhausted(name: str, error: Exception) -> ResourceExhaustedError:
    """Make the error of an operation whose result has no room; NumPy says how large it would be."""
    return ResourceExhaustedError.of(name, f"OOM when allocating tensor: {error}")


@contextmanager
def room(name: str) -> Iterator[None]:
    """Make arrays for an operation: where there is no room, the error is the operation's.

    NumPy raises a `ValueError` for more than 2**63 bytes.
    """
    try:
        yield
    except (MemoryError, ValueError) as error:
        raise exhausted(name, error) from None


def _failed(operation: Operation, operands: Sequence[Tensor], error: Exception) -> Exception:
    """Put NumPy's complaint about an operation into TensorFlow's words."""
    name = op_name(operation)
    if isinstance(error, MemoryError):
        return exhausted(name, error)
    shapes = [list(x.raw.shape) for x in operands]
    if "broadcast" in str(error) and len(shapes) > 1:
        listed = " vs. ".join(str(s).replace(" ", "") for s in shapes)
        return misfit(name, f"Incompatible shapes: {listed}")
    if "negative integer powers" in str(error):
        return invalid(name, "Integers to negative integer powers are not allowed")
    if "not supported for the input types" in str(error):
        return not_taken(name, operands[0])
    kinds = ", ".join(x.dtype.name for x in operands)
    return invalid(name, f"{error} (operands of shapes {shapes} and dtypes {kinds})")


def listed(shape: Sequence[int]) -> str:
    """Write a shape as TensorFlow's kernels do.

    >>> listed((2, 3))
    '[2,3]'
    """
    return "[" + ",".join(map(str, shape)) + "]"


def no_cast(source: DType, target: DType) -> UnimplementedError:
    """Make the error of a change of dtype that there is not."""
    text = f"Cast {source.enum_name} to {target.enum_name} is not supported"
    return UnimplementedError(message=invalid("Cast", text).message)
