"""Infinities and nans that are told when they come up: enable_check_numerics.

Every kernel of a thread is called by one function, in whose place one stands that looks at results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.kernels.interpret import BY_LETTER, KERNELS
from symtape.program.kinds.structural import Concat, Gather, Reshape, Slice
from symtape.program.operations import Cast, Einsum, Operation, identity
from symtape.tensor.dispatch import invalid, op_name
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor

Run = Callable[..., Any]
_PRODUCT = Einsum.of([[0, 1], [1, 2]], [0, 2])
_DERIVATIVE = "Gradient"
"""What is told of numbers that a derivative, which is computed as a whole, consists of."""


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """Raise `InvalidArgumentError` from now on where an operation gives infinities or nans.

    It holds in this thread, for numbers with a point, until `disable_check_numerics`, and not for
    what enters or only moves elements. The text names the operation and shows what it was given;
    of derivatives, which are computed as a whole, it says that they are one. The limits are those
    of lists of calls, which only graphs have; functions run as they are, and Python shows calls.

    >>> from symtape.ops.elementwise.functions import log
    >>> enable_check_numerics()
    >>> log(Tensor(np.float32(0.0)))
    Traceback (most recent call last):
    symtape.errors.InvalidArgumentError: ...
    !!! Detected Infinity or NaN in output 0 of eagerly-executing op "Log" (# of outputs: 1) !!!
      dtype: <dtype: 'float32'>
      shape: ()
      # of -Inf elements: 1
    ...
    >>> disable_check_numerics()
    """
    state = THREAD.state
    if not isinstance(state.run, _Looking):
        state.run = _Looking(state.run)


def disable_check_numerics() -> None:
    """Look no more at what operations give in this thread.

    >>> disable_check_numerics()
    """
    state = THREAD.state
    if isinstance(state.run, _Looking):
        state.run = state.run.plain


class _Looking:
    """Runs kernels, and looks at what they give."""

    def __init__(self, plain: Run) -> None:
        self.plain = plain

    def __call__(self, kernel: Run, *arrays: Any) -> Any:
        found = self.plain(kernel, *arrays)
        outputs = found if isinstance(found, (tuple, list)) else [found]
        for place, array in enumerate(outputs):
            kind = getattr(getattr(array, "dtype", None), "kind", "")
            if kind in {"f", "V"} and not np.all(np.isfinite(array)):
                _tell(place, len(outputs), array, kernel, arrays)
        return found


def _tell(place: int, count: int, array: Any, kernel: Run, given: Sequence[Any]) -> None:
    """Raise the error of an operation, unless it is one that moves elements."""
    operation = _operation_of(kernel)
    if _only_moves(operation, array.size, given):
        return
    name = _DERIVATIVE if operation is None else _name_of(operation)
    made = Tensor(array)
    where = f'in output {place} of eagerly-executing op "{name}" (# of outputs: {count})'
    lines = [
        f"!!! Detected Infinity or NaN {where} !!!",
        f"  dtype: {made.dtype}",
        f"  shape: {made.shape}",
    ]
    counts = {"-Inf": np.isneginf(array), "+Inf": np.isposinf(array), "NaN": np.isnan(array)}
    for what, held in counts.items():
        if number := np.count_nonzero(held):
            lines.append(f"  # of {what.replace('NaN', '+NaN')} elements: {number}")
    operands = [] if operation is None else [Tensor(x) for x in given]
    if len(operands) == 1:
        lines.append(f"\n  Input tensor: {operands[0]!s}")
    elif operands:
        lines.append(f"\n  Input tensors ({len(operands)}):")
        lines += [f"         {k}: {x!s}" for k, x in enumerate(operands)]
    text = "\n".join(["\n", *lines])
    raise invalid("CheckNumericsV2", f"{text}\n\n : Tensor had {_listed(counts)} values")


def _only_moves(operation: Operation | None, size: int, given: Sequence[Any]) -> bool:
    """Say whether this moves or copies elements: TensorFlow does not look at what it gives."""
    if isinstance(operation, Einsum):
        return operation.arity == 1 and given[0].size <= size
    return operation is identity or isinstance(operation, (Reshape, Slice, Concat, Cast))


def _name_of(operation: Operation) -> str:
    if isinstance(operation, Einsum) and operation == _PRODUCT:
        return "MatMul"
    return "GatherV2" if isinstance(operation, Gather) else op_name(operation)


def _listed(counts: dict[str, Any]) -> str:
    found = [what for what, held in counts.items() if np.any(held)]
    if len(found) < 3:
        return " and ".join(found)
    return f"{found[0]}, {found[1]}, and {found[2]}"


def _operation_of(kernel: Run) -> Operation | None:
    """Find the operation whose kernel this is; a derivative that was compiled is none."""
    for kernels in (KERNELS, *BY_LETTER.values()):
        for operation, own in kernels.items():
            if own is kernel:
                return operation
    return None
