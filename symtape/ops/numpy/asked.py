"""NumPy's functions on tensors are imported when one is first called: few programs call any."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import FrameType
from typing import Any

from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

KINDS: tuple[type[Any], ...] = (Tensor, Variable)
"""What answers NumPy's functions."""


def _late(name: str) -> Callable[..., Any]:
    """Make a method in whose place another comes when it is first called, which answers."""

    def answer(self: Any, *args: Any, **kwargs: Any) -> Any:
        import_module("symtape.ops.numpy.protocol")
        return getattr(self, name)(*args, **kwargs)

    return answer


def caller_of_ufunc() -> FrameType:
    """Give the frame that asks for the function that the caller of this answers."""
    frame = sys._getframe(2)  # noqa: SLF001 - who asks
    is_late = frame.f_globals is globals()
    return frame.f_back if is_late and frame.f_back is not None else frame


for _name in ("__array_ufunc__", "__array_function__"):
    for _kind in KINDS:
        setattr(_kind, _name, _late(_name))
