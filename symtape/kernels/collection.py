"""The garbage collector stands still where many small objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collections() -> Iterator[None]:
    """Pause the garbage collector.

    Deriving a program and writing its code make many small objects and no cycles among them;
    looking for cycles over and over takes longer than the work.
    """
    pause = gc.isenabled()
    if pause:
        gc.disable()
    try:
        yield
    finally:
        if pause:
            gc.enable()
