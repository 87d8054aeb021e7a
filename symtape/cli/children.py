"""Processes that a script starts by `multiprocessing` answer `import tensorflow`, too.

A forked process has what its parent had. A spawned one imports the script anew, in an interpreter
of its own, and is told by a word among what it reads before it does so. A server of forks reads no
such word: it leaves the script to the processes that it makes.
"""

from __future__ import annotations

import multiprocessing
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
        with _leaving_the_script():
            yield
    finally:
        spawn.get_preparation_data = plain


@contextmanager
def _leaving_the_script() -> Iterator[None]:
    """Let no server of forks import the script, which it does first from Python 3.14 on."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        yield
        return
    from multiprocessing import forkserver  # noqa: PLC0415 - not on Windows

    server: Any = forkserver._forkserver  # noqa: SLF001 - there is no other way
    start = server.ensure_running

    def without_script() -> None:
        server.set_forkserver_preload([])
        start()

    server.ensure_running = without_script
    try:
        yield
    finally:
        del server.ensure_running
