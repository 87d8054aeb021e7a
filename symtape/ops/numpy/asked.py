"""NumPy's functions on tensors are imported when one is first called: few programs call any."""

from __future__ import annotations

import sys
from importlib import import_module
from types import FrameType
from typing import Any

from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

KINDS: tuple[type[Any], ...] = (Tensor, Variable)
"""What answers NumPy's functions."""


def _array_ufunc(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Let what is imported now take the place of this, and answer."""
    import_module("symtape.ops.numpy.protocol")
    return self.__array_ufunc__(*args, **kwargs)


def _array_function(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Let what is imported now take the place of this, and answer."""
    import_module("symtape.ops.numpy.protocol")
    return self.__array_function__(*args, **kwargs)


def caller_of_ufunc() -> FrameType:
    """Give the frame that asks for the function that the caller of this answers."""
    frame = sys._getframe(2)  # noqa: SLF001 - who asks
    if frame.f_code is _array_ufunc.__code__ and frame.f_back is not None:
        return frame.f_back
    return frame


for _kind in KINDS:
    _kind.__array_ufunc__ = _array_ufunc
    _kind.__array_function__ = _array_function
