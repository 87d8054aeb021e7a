"""A tensor whose dtype is weak: it gives way to the dtype of what stands beside it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from symtape.program import operations as ops
from symtape.tensor.dispatch import apply1
from symtape.tensor.indexing.brackets import iterate
from symtape.tensor.tensor import Tensor

ALLOWED = ("int32", "int64", "float32", "float64", "complex128")
"""The dtypes that can be weak."""


class WeakTensor(Tensor):
    """A tensor of numbers of Python's, or of what was computed of them alone.

    It is recorded as every tensor is. Who reads it, as all functions do that know nothing of weak
    dtypes, gets a tensor of the same dtype that is not weak; those that promote read it as it is.

    >>> from symtape.tensor.convert import convert
    >>> x = weak(convert(1.5))
    >>> print(x, x.to_tensor())
    tf.Tensor(1.5, shape=(), dtype=float32, weak=True) tf.Tensor(1.5, shape=(), dtype=float32)
    """

    __slots__ = ()

    def read(self) -> Tensor:
        """Give the tensor that is not weak, as a step of its own, so that tapes see it."""
        return self if _READING.as_it_is else self.to_tensor()

    def to_tensor(self) -> Tensor:
        """Give the tensor that is not weak."""
        return apply1(ops.identity, self)

    @property
    def tensor(self) -> Tensor:
        """The tensor that is not weak."""
        return self.to_tensor()

    def __iter__(self) -> Iterator[Tensor]:
        return map(weak, iterate(self))

    def __str__(self) -> str:
        return _marked(super().__str__())

    def __repr__(self) -> str:
        return _marked(super().__repr__())

    def __format__(self, spec: str) -> str:
        return f"{super().__format__(spec)} weakly typed"

    def __reduce__(self) -> Any:
        return weak, (self.to_tensor(),)


WeakTensor.__name__ = WeakTensor.__qualname__ = "EagerWeakTensor"


class _Reading(threading.local):
    """Whether weak tensors are read as they are, in this thread."""

    as_it_is = False


_READING = _Reading()


@contextmanager
def as_it_is() -> Iterator[None]:
    """Read weak tensors as they are, for who knows of them."""
    before, _READING.as_it_is = _READING.as_it_is, True
    try:
        yield
    finally:
        _READING.as_it_is = before


def strong(x: Any) -> Any:
    """Give what a function gave of weak tensors that it read as they are, if it is one of them."""
    return x.to_tensor() if isinstance(x, WeakTensor) else x


def _marked(shown: str) -> str:
    """Say of a tensor that is shown that it is weak."""
    return f"{shown[:-1]}, weak=True{shown[-1]}"


def weak(x: Tensor) -> WeakTensor:
    """Make a tensor that an operation gave weak; one that others have, too, is left as it is."""
    made = x if x.__class__ is Tensor else apply1(ops.identity, x)
    made.__class__ = WeakTensor
    return made  # type: ignore[return-value]  # whose class was changed
