"""Processes that a script starts by `multiprocessing` answer `import tensorflow`, too.

A forked process has what its parent had. A spawned one imports the script anew, in an interpreter
of its own, and is told by a word among what it reads before it does so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import spawn
from typing import Any

from symtape.stand_in.takeover import for_tensorflow


class _Answered:
    """What answers `import tensorflow` in the process that reads it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return for_tensorflow, ()


@contextmanager
def answered() -> Iterator[None]:
    """Tell the processes that are spawned in this block to answer `import tensorflow`."""
    plain = spawn.get_preparation_data

    def prepared(name: str) -> dict[str, Any]:
        return {"symtape": _Answered(), **plain(name)}

    spawn.get_preparation_data = prepared
    try:
        yield
    finally:
        spawn.get_preparation_data = plain
