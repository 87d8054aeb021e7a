"""Dispatch: the one way by which every operation is applied, and recorded where a tape listens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from symtape.errors import InvalidArgumentError, ResourceExhaustedError
from symtape.kernels.interpret import KERNELS, NARROW, Kernel, whole_kernel
from symtape.program import operations as ops
from symtape.program.matrices import Part
from symtape.program.operations import Map, Operation
from symtape.tensor.recording.recorder import THREAD
from symtape.tensor.tensor import Tensor

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
WITHOUT_TRUTH: dict[Operation, str] = {
    ops.add: "bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, "
    "int64, complex64, complex128",
    ops.subtract: "bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
    "complex64, complex128, uint32, uint64",
    ops.power: "bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128",
}
"""What does not compute with booleans, though NumPy does: which dtypes TensorFlow takes."""


def apply1(operation: Operation, x: Tensor) -> Tensor:
    """Compute an operation of one tensor, and record it where a tape is listening."""
    state = THREAD.state
    a = x.raw
    kernels = KERNELS if a.dtype.kind != "V" else NARROW
    try:
        out = Tensor(state.run(kernels[operation], a))
    except (ValueError, TypeError, MemoryError) as error:
        raise _failed(operation, (x,), error) from None
    for recording in state.recordings:
        recording.record1(operation, x, out)
    return out


def apply2(operation: Operation, x: Tensor, y: Tensor) -> Tensor:
    """Compute an operation of two tensors of one dtype, and record it where a tape is listening."""
    a, b = x.raw, y.raw
    dtype = a.dtype
    if b.dtype is not dtype and b.dtype != dtype:
        raise mismatch(operation, x, y)
    state = THREAD.state
    kernels: Mapping[Operation, Kernel] = KERNELS
    if dtype.kind in "Vb":
        kernels = NARROW if dtype.kind == "V" else of_truth(operation)
    try:
        out = Tensor(state.run(kernels[operation], a, b))
    except (ValueError, TypeError, MemoryError) as error:
        raise _failed(operation, (x, y), error) from None
    for recording in state.recordings:
        recording.record2(operation, x, y, out)
    return out


def of_truth(operation: Operation) -> Mapping[Operation, Kernel]:
    """Give the kernels for booleans; raise TensorFlow's error for what does not take them."""
    if (taken := WITHOUT_TRUTH.get(operation)) is not None:
        raise InvalidArgumentError(
            message="Value for attr 'T' of bool is not in the list of allowed values: "
            f"{taken} [Op:{op_name(operation)}] name: "
        )
    return KERNELS


def apply(operation: Operation, *operands: Tensor) -> Tensor:
    """Compute an operation of any number of tensors, and record it where a tape is listening."""
    state = THREAD.state
    try:
        arrays = [x.raw for x in operands]
        kernels = KERNELS if arrays[-1].dtype.kind != "V" else NARROW
        out = Tensor(state.run(kernels[operation], *arrays))
    except (ValueError, TypeError, MemoryError) as error:
        raise _failed(operation, operands, error) from None
    for recording in state.recordings:
        recording.record(operation, operands, out)
    return out


def apply_parts(operations: Sequence[Part], x: Tensor) -> tuple[Tensor, ...]:
    """Compute a whole once, and record each of the parts that are wanted as a step of its own."""
    state = THREAD.state
    parts = state.run(whole_kernel(operations[0]), x.raw)
    made = []
    for operation in operations:
        out = Tensor(parts[operation.place])
        for recording in state.recordings:
            recording.record1(operation, x, out)
        made.append(out)
    return tuple(made)


def told(out: Tensor, operation: Operation, *operands: Tensor) -> Tensor:
    """Tell the tapes that listen what a tensor is whose value is known without being computed."""
    for recording in THREAD.state.recordings:
        recording.record(operation, operands, out)
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
) -> InvalidArgumentError:
    """Say that two operands differ in dtype, as TensorFlow does."""
    name = operation if isinstance(operation, str) else op_name(operation)
    return InvalidArgumentError(
        message=f"cannot compute {name} as input #{number}(zero-based) was expected to be a "
        f"{x.dtype.enum_name} tensor but is a {y.dtype.enum_name} tensor [Op:{name}] name: "
    )


def invalid(name: str, text: str) -> InvalidArgumentError:
    """Make the error of an operation, with the frame that TensorFlow puts around it."""
    return InvalidArgumentError.of(name, text)


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
        return invalid(name, f"Incompatible shapes: {listed}")
    if "negative integer powers" in str(error):
        return invalid(name, "Integers to negative integer powers are not allowed")
    kinds = ", ".join(x.dtype.name for x in operands)
    return invalid(name, f"{error} (operands of shapes {shapes} and dtypes {kinds})")


def listed(shape: Sequence[int]) -> str:
    """Write a shape as TensorFlow's kernels do.

    >>> listed((2, 3))
    '[2,3]'
    """
    return "[" + ",".join(map(str, shape)) + "]"
