"""Where in the user's code an operation of torch comes from."""

from __future__ import annotations

import linecache
import os
import sys
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from symtape.frontends.torch_functions.dtypes import torch_module
from symtape.tensor.names import FOLDER

Place = tuple[FrameType | None, int]
"""Where the user's code called torch: a frame, and how far it has run."""


def frames(end: FrameType | None) -> list[FrameType]:
    """List the frames between here and the one that started the run."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to a caller's code
    found = []
    while frame is not None and frame is not end:
        found.append(frame)
        frame = frame.f_back
    return found


def is_users(frame: FrameType) -> bool:
    """Say whether a frame runs code that is neither torch's nor ours."""
    return not frame.f_code.co_filename.startswith((FOLDER, _torch_folder()))


@cache
def _torch_folder() -> str:
    return str(Path(torch_module().__file__).parent) + os.sep


def place(end: FrameType | None) -> Place:
    """Give the user's innermost frame and how far it has run: it tells calls of torch apart."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to a caller's code
    while frame is not None and frame is not end and not is_users(frame):
        frame = frame.f_back
    return frame, -1 if frame is None else frame.f_lasti


def user_line(end: FrameType | None) -> str:
    """Write the innermost line that is neither torch's nor ours, or say that there is none."""
    for frame in frames(end):
        if is_users(frame):
            file = frame.f_code.co_filename
            text = linecache.getline(file, frame.f_lineno).strip()
            return f'  File "{file}", line {frame.f_lineno}' + (f"\n    {text}" if text else "")
    return "  (in torch's own code)"


def name_of(wanted: Any, end: FrameType | None) -> str | None:
    """Name a torch tensor as the user's code does, or give None."""
    for frame in frames(end):
        if is_users(frame):
            for scope in (frame.f_locals, frame.f_globals):
                for name, value in list(scope.items()):
                    if value is wanted and not name.startswith("_"):
                        return name
    return None
