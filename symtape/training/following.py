"""Checkpoints of a folder as they come: checkpoints_iterator."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

from symtape.training.state import latest_checkpoint

_PAUSE = 1.0
"""Seconds between looks at the folder."""


def checkpoints_iterator(
    checkpoint_dir: str | os.PathLike[str],
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """Give the path of the latest checkpoint of a folder, and of each that comes after it.

    It waits for the next one, `timeout` seconds at most, and begins to look for it
    `min_interval_secs` after the last one. When time is over it ends, or asks `timeout_fn` whether
    to end. Raises `FormatError` where the folder's list of checkpoints is of another form.

    >>> list(checkpoints_iterator("no such folder", timeout=0))
    []
    """
    path = None
    while True:
        found = _next(checkpoint_dir, path, timeout)
        if found is not None:
            start, path = time.time(), found
            yield found
            time.sleep(max(0.0, start + min_interval_secs - time.time()))
        elif timeout_fn is None:
            return
        if timeout_fn is not None and timeout_fn():
            return


def _next(folder: str | os.PathLike[str], last: str | None, timeout: float | None) -> str | None:
    """Wait for another checkpoint than the last one; None when time is over."""
    end = None if timeout is None else time.time() + timeout
    while True:
        found = latest_checkpoint(folder)
        if found not in {None, last}:
            return found
        if end is not None and time.time() + _PAUSE > end:
            return None
        time.sleep(_PAUSE)
