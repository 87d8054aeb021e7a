"""Where in the user's code an operation of torch comes from."""

from __future__ import annotations

import linecache
import os
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from symtape.frontends.torch_functions.dtypes import torch_module

_OWN = str(Path(__file__).parents[2]) + os.sep


def _frames(end: FrameType | None) -> list[FrameType]:
    """List the frames between here and the one that started the run."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to a caller's code
    found = []
    while frame is not None and frame is not end:
        found.append(frame)
        frame = frame.f_back
    return found


def user_line(end: FrameType | None) -> str:
    """Write the innermost line that is neither torch's nor ours, or say that there is none."""
    theirs = str(Path(torch_module().__file__).parent) + os.sep
    for frame in _frames(end):
        file = frame.f_code.co_filename
        if not file.startswith((_OWN, theirs)):
            text = linecache.getline(file, frame.f_lineno).strip()
            return f'  File "{file}", line {frame.f_lineno}' + (f"\n    {text}" if text else "")
    return "  (in torch's own code)"


def function_call(end: FrameType | None) -> FrameType | None:
    """Give the frame of the outermost `autograd.Function.apply` that runs, or None."""
    apply = torch_module("autograd").Function.apply.__func__.__code__
    return next((f for f in reversed(_frames(end)) if f.f_code is apply), None)


def name_of(wanted: Any, end: FrameType | None) -> str | None:
    """Name a torch tensor as the user's code does, or give None."""
    theirs = str(Path(torch_module().__file__).parent) + os.sep
    for frame in _frames(end):
        if not frame.f_code.co_filename.startswith((_OWN, theirs)):
            for scope in (frame.f_locals, frame.f_globals):
                for name, value in list(scope.items()):
                    if value is wanted and not name.startswith("_"):
                        return name
    return None


__all__ = ["function_call", "name_of", "user_line"]
