"""Steps that tapes hear of, and that nobody computes before they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.kernels.interpret import BY_LETTER, KERNELS
from symtape.program.operations import Operation
from symtape.tensor.dispatch import told
from symtape.tensor.lazy.results import LateTensor, Pending
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor


def late(operation: Operation, *operands: Tensor) -> Tensor:
    """Record an operation whose value is computed if somebody reads it.

    So a program can be made of simpler steps than its value is computed by.
    """
    dtypes = [x.dtype.numpy for x in operands]  # of late ones, too, without their values
    shapes: list[Any] = [tuple(x.shape) for x in operands]
    shape, dtype = operation.infer(shapes, dtypes)
    kernel = BY_LETTER.get(dtypes[0].char, KERNELS)[operation]
    pending = Pending(lambda: [THREAD.state.run(kernel, *[x.raw for x in operands])])
    return told(LateTensor(pending, 0, shape, dtype), operation, *operands)


def by_kernel(kernel: Callable[[Any], Any], x: Tensor, operation: Operation, of: Tensor) -> Tensor:
    """Compute a result of one tensor in one go, and record it as an operation of a late one."""
    return told(Tensor(THREAD.state.run(kernel, x.raw)), operation, of)
