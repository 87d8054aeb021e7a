"""The file `checkpoint` of a folder: which checkpoints there are, and which is the latest.

It is TensorFlow's text, with names relative to the folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from symtape.errors import FormatError
from symtape.exchange.storing import put
from symtape.training import files

_LINE = re.compile(r'(\w+): (?:("(?:[^"\\]|\\.)*")|([-+.\w]{1,40}))')
_PATHS = ("model_checkpoint_path", "all_model_checkpoint_paths")
_TIMES = ("all_model_checkpoint_timestamps", "last_preserved_timestamp")


class CheckpointState(NamedTuple):
    """What the file says: paths, oldest first, when they were saved, and the latest path."""

    model_checkpoint_path: str = ""
    all_model_checkpoint_paths: tuple[str, ...] = ()
    all_model_checkpoint_timestamps: tuple[float, ...] = ()
    last_preserved_timestamp: float = 0.0


def update(
    folder: str,
    latest: str,
    paths: Sequence[str],
    times: Sequence[float] = (),
    preserved: float | None = None,
    name: str | None = None,
) -> None:
    """Write the file of a folder anew."""
    lines = [f"model_checkpoint_path: {json.dumps(os.path.relpath(latest, folder or '.'))}"]
    lines += [
        f"all_model_checkpoint_paths: {json.dumps(os.path.relpath(path, folder or '.'))}"
        for path in paths
    ]
    lines += [f"all_model_checkpoint_timestamps: {time!r}" for time in times]
    lines += [] if preserved is None else [f"last_preserved_timestamp: {preserved!r}"]
    text = "".join([f"{line}\n" for line in lines])
    put(str(Path(folder) / (name or "checkpoint")), text.encode())


def get_checkpoint_state(
    checkpoint_dir: str | os.PathLike[str], latest_filename: str | None = None
) -> CheckpointState | None:
    """Read which checkpoints a folder has; None if it has no such file.

    Raises `FormatError` for a file of another form.

    >>> get_checkpoint_state("no such folder") is None
    True
    """
    path = Path(checkpoint_dir) / (latest_filename or "checkpoint")
    if not path.is_file():
        return None
    found: dict[str, list[str]] = {name: [] for name in (*_PATHS, *_TIMES)}
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FormatError(f"{path}: not text in UTF-8: {error}") from None
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line.strip())
        if match is None or match[1] not in found or (match[2] is None) is (match[1] in _PATHS):
            raise FormatError(f"{path}, line {number}: {line!r:.60} says nothing of a checkpoint")
        found[match[1]].append(match[2] or match[3])
    return _state(path, os.fspath(checkpoint_dir), found)


def _state(path: Path, folder: str, found: dict[str, list[str]]) -> CheckpointState:
    try:
        latest, *rest = [[json.loads(text) for text in found[name]] for name in _PATHS]
        times, preserved = [[float(text) for text in found[name]] for name in _TIMES]
    except ValueError as error:
        raise FormatError(f"{path}: {error}") from None
    listed = [os.path.join(folder, name) for name in rest[0]]  # noqa: PTH118 - ./ stays
    return CheckpointState(
        os.path.join(folder, latest[-1]) if latest else "",  # noqa: PTH118 - likewise
        tuple(listed),
        tuple(times),
        preserved[-1] if preserved else 0.0,
    )


def latest_checkpoint(
    checkpoint_dir: str | os.PathLike[str], latest_filename: str | None = None
) -> str | None:
    """Give the path of the latest checkpoint of a folder, or None if there is none.

    Raises `FormatError` where the folder's list of checkpoints is of another form.

    >>> latest_checkpoint("no such folder") is None
    True
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None or not state.model_checkpoint_path:
        return None
    path = state.model_checkpoint_path
    return path if Path(path + files.INDEX).is_file() else None
