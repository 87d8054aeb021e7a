"""Operations on arrays of texts (bytes): what moves them, joins them, and compares them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.kernels.interpret import KERNELS, Kernel
from symtape.program import operations as ops
from symtape.program.evaluation.arrays import with_axes
from symtape.program.functions import scalar
from symtape.program.kinds.placement import Assembly, View
from symtape.program.kinds.structural import Gather, Reshape, Scatter
from symtape.program.operations import Einsum, Operation, elementwise


class TextKernels(dict[Operation, Kernel | None]):
    """The function of each operation on texts; None for what has no meaning there.

    >>> texts = np.array([b"a", b"b"], object)
    >>> TEXTS[ops.add](texts, np.array(b"c", object)).tolist()
    [b'ac', b'bc']
    >>> TEXTS[ops.multiply] is None
    True
    """

    def __missing__(self, operation: Operation) -> Kernel | None:
        """Find what an operation does to texts."""
        kernel: Kernel | None = None
        if isinstance(operation, (View, Assembly, Reshape, Gather)):
            kernel = _moving(KERNELS[operation])
        elif isinstance(operation, Einsum) and len(operation.inputs) == 1:
            kernel = _moving(_unsummed(operation))
        elif isinstance(operation, Scatter):
            kernel = _joining(KERNELS[operation])
        self[operation] = kernel
        return kernel


def _unsummed(einsum: Einsum) -> Kernel:
    """Let an axis go only if it has one element, since texts have no sum."""
    kernel, (indices,) = KERNELS[einsum], einsum.inputs
    gone = [axis for axis, index in enumerate(indices) if index not in einsum.output]

    def run(x: Any) -> Any:
        if any(x.shape[axis] != 1 for axis in gone):
            raise TypeError("texts have no sum")
        return kernel(x)

    return run


def _moving(kernel: Kernel) -> Kernel:
    """Move the places of texts, counted from one, and read the texts there; zeros are empty."""

    def run(*arrays: Any) -> Any:
        texts, places = [b""], []
        for array in arrays:
            of_texts = array.dtype.kind == "O"
            count = np.arange(len(texts), len(texts) + array.size).reshape(array.shape)
            places.append(count if of_texts else array)
            texts += array.ravel().tolist() if of_texts else []
        line = np.empty(len(texts), object)
        line[:] = texts
        return with_axes(line[kernel(*places)])

    return run


class _Text(bytes):
    """A text that can be added to the zero that an array begins with."""

    __slots__ = ()

    def __radd__(self, other: int) -> _Text:
        return self


def _joining(kernel: Kernel) -> Kernel:
    """Add texts into empty ones; those of one place are joined in order."""
    return lambda texts, places: _each(bytes, kernel(_each(_Text, texts), places))


def _each(function: Callable[[Any], Any], array: Any) -> Any:
    made = np.empty(array.shape, object)
    for place in np.ndindex(array.shape):
        made[place] = function(array[place] or b"")
    return made


def _compared(compare: Callable[[Any, Any], Any]) -> Kernel:
    return lambda x, y: np.asarray(compare(x, y), bool)[()]


TEXTS = TextKernels()
TEXTS.update(
    {
        ops.add: lambda x, y: with_axes(np.add(x, y)),
        ops.where: lambda chosen, x, y: with_axes(np.where(chosen, x, y)),
        ops.equal: _compared(np.equal),
        elementwise("not_equal", scalar.unequal, 2, result="bool"): _compared(np.not_equal),
        ops.identity: np.copy,
        elementwise("stop_gradient", scalar.stop, result="stopped"): np.copy,
    }
)
