"""Which `autograd.Function` runs, as the frames of Python tell it.

Torch calls `forward` and `setup_context` itself, from Python or from C, as its versions do.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import CodeType, FrameType
from typing import Any

from symtape.frontends.torch_functions.dtypes import torch_module
from symtape.frontends.torch_functions.lines import frames, is_users

Caller = tuple[FrameType | None, int]
"""Who applies a function: a frame, and how far it has run."""


class Forwards:
    """The code that is a `forward` or a `setup_context`, as far as it was asked for in a run."""

    def __init__(self) -> None:
        self._known: dict[CodeType, bool] = {}
        self._codes: dict[CodeType, type] = {}

    def running(self, end: FrameType | None) -> FrameType | None:
        """Give the frame of the outermost one that runs, or None."""
        found = frames(end)
        new = [f for f in found if f.f_code not in self._known]
        if new:
            self._look(new)
        return next((f for f in reversed(found) if self._known[f.f_code]), None)

    def _look(self, new: Sequence[FrameType]) -> None:
        """Find out about frames; only code of users can be of a class that was made meanwhile."""
        if not self._known or any([is_users(f) for f in new]):
            self._codes = _codes()
        self._known.update({f.f_code: f.f_code in self._codes for f in new})


def caller_of(frame: FrameType) -> Caller:
    """Say who applies the function: the same for its `forward` and its `setup_context`."""
    return frame.f_back, -1 if frame.f_back is None else frame.f_back.f_lasti


def goes_on(caller: Caller, end: FrameType | None) -> bool:
    """Say whether who applied a function waits for it, as while torch wraps its results."""
    frame, reached = caller
    return any(f is frame and f.f_lasti == reached for f in frames(end))


def name_of_function(frame: FrameType) -> str:
    """Name the class; those that share a `forward` are told apart by the context."""
    contexts = (getattr(x, "_forward_cls", None) for x in frame.f_locals.values())
    found = next((x for x in contexts if x is not None), None) or _codes()[frame.f_code]
    name: str = found.__name__
    return name


def inputs_of(frame: FrameType) -> list[Any]:
    """List the tensors among the arguments that have a gradient."""
    code, known = frame.f_code, frame.f_locals
    count = code.co_argcount + bool(code.co_flags & inspect.CO_VARARGS)
    tensor = torch_module().Tensor
    found: list[Any] = []
    for name in code.co_varnames[:count]:
        value = known.get(name)
        found += value if isinstance(value, tuple) else (value,)
    return [x for x in found if isinstance(x, tensor) and x.requires_grad]


def _codes() -> dict[CodeType, type]:
    """List the code of all functions of autograd that there are now."""
    found: dict[CodeType, type] = {}
    for function in _functions(torch_module("autograd").Function):
        own = vars(function)
        for part in ("forward", "setup_context"):
            code = _code_of(own[part]) if part in own else None
            if code is not None:
                found.setdefault(code, function)
    return found


def _code_of(method: Any) -> CodeType | None:
    """Give the code that a method of a class runs, beneath what decorates it."""
    own = getattr(method, "__func__", method)
    inner = inspect.unwrap(own) if hasattr(own, "__wrapped__") else own
    return getattr(inner, "__code__", None)


def _functions(base: Any) -> list[type]:
    """List the classes beneath one; there are hundreds."""
    found: list[type] = base.__subclasses__()
    for function in found:
        found += function.__subclasses__()  # the list grows while it is read
    return found
