"""Files that come into being as a whole: they are written beside their place, and moved there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def beside(path: str) -> Iterator[str]:
    """Give the name of a new file, which takes its place in the end; an error leaves nothing.

    Raises `OSError` where no file can be made.

    >>> place = str(Path(tempfile.mkdtemp(), "a"))
    >>> with beside(place) as name:
    ...     _ = Path(name).write_text("b")
    >>> Path(place).read_text()
    'b'
    """
    folder, name = os.path.split(path)
    handle, made = tempfile.mkstemp(prefix=f"{name}.tempstate", dir=folder or ".")
    os.close(handle)
    try:
        yield made
        Path(made).chmod(0o666 & ~_mask())
        Path(made).replace(path)
    finally:
        Path(made).unlink(missing_ok=True)


def _mask() -> int:
    """Give what others may not do with files that are made, as the process has it."""
    found = os.umask(0)
    os.umask(found)
    return found


def put(path: str, content: bytes) -> None:
    """Write a file; raises `OSError`."""
    with beside(path) as made:
        Path(made).write_bytes(content)
