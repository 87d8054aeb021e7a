"""`tf.train.CheckpointManager`: the last few checkpoints of a folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symtape.ops.arguments import scalar
from symtape.training import files
from symtape.training.checkpoint import Checkpoint
from symtape.training.options import checked, written
from symtape.training.state import CheckpointState, get_checkpoint_state, update


class CheckpointManager:
    """Saves a checkpoint into a folder, and deletes all but the last ones.

    `max_to_keep` is how many are kept, None for all; `keep_checkpoint_every_n_hours` keeps further
    ones. With `checkpoint_interval`, `save` does something only when `step_counter` is so far on.
    Checkpoints that the folder has already are taken over, if they lie in it. Raises `ValueError`
    for a `max_to_keep` below one, and an interval without a counter, and `FormatError` where the
    folder's list of checkpoints is of another form.

    >>> import tempfile
    >>> from symtape.tensor.variables.variable import Variable
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     manager = CheckpointManager(Checkpoint(w=Variable(1.0)), folder, max_to_keep=2)
    ...     saved = [manager.save() for _ in range(3)]
    ...     [os.path.basename(path) for path in manager.checkpoints]
    ['ckpt-2', 'ckpt-3']
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: str | os.PathLike[str],
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Any = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], Any] | None = None,
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError(
                "`step_counter` should be passed if `checkpoint_interval` is not None."
            )
        self._checkpoint, self._directory = checkpoint, os.fspath(directory)
        self._max_to_keep, self._hours = max_to_keep, keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, checkpoint_name)  # noqa: PTH118 - ./ stays
        self._step_counter, self._interval = step_counter, checkpoint_interval
        self._last_step: int | None = None
        self._init_fn = init_fn
        self._take_over(get_checkpoint_state(self._directory) or CheckpointState())

    def _take_over(self, state: CheckpointState) -> None:
        """Know the checkpoints that a folder has, of those that lie in it."""
        now = time.time()
        paths, times = state.all_model_checkpoint_paths, state.all_model_checkpoint_timestamps
        known = times if len(times) == len(paths) else (now,) * len(paths)
        folder = Path(self._directory).resolve()
        self._kept = {
            path: at
            for path, at in zip(paths, known, strict=True)
            if Path(path).resolve().parent == folder
        }
        self._latest = state.model_checkpoint_path or None
        self._preserved = state.last_preserved_timestamp or now

    @property
    def directory(self) -> str:
        """The folder."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """What is saved."""
        return self._checkpoint

    @property
    def checkpoint_interval(self) -> int | None:
        """How far the counter of steps moves on between two checkpoints."""
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint, or None."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the checkpoints that are kept, oldest first."""
        return list(self._kept)

    def save(
        self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None
    ) -> str | None:
        """Save, under the next number or a given one, and delete what is too old; give the path.

        Gives None where the counter of steps is not far enough on. `options` are a
        `tf.train.CheckpointOptions`.
        """
        chosen = checked(options)
        if self._interval is not None:
            step, last = scalar(self._step_counter), self._last_step
            if check_interval and last is not None and step - last < self._interval:
                return None
            self._last_step = step
        count = self._checkpoint.save_counter.assign_add(1)
        number = count if checkpoint_number is None else checkpoint_number
        path = self._checkpoint.write(f"{self._prefix}-{scalar(number)}")
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._latest = path
        self._record()  # before anything is deleted, so that a list without files never stands
        self._sweep()
        self._record()
        written(chosen, path)
        return path

    def _record(self) -> None:
        paths, times = list(self._kept), list(self._kept.values())
        update(self._directory, self._latest or "", paths, times, self._preserved)

    def _sweep(self) -> None:
        """Delete the oldest checkpoints beyond those to keep."""
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            path = next(iter(self._kept))
            at = self._kept.pop(path)
            if self._hours and at - self._hours * 3600.0 >= self._preserved:
                self._preserved = at
                continue
            for suffix in (files.INDEX, files.DATA):
                Path(path + suffix).unlink(missing_ok=True)

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint and give its path; else call `init_fn`, and give None.

        Raises what `Checkpoint.restore` raises: `NotFoundError` and `FormatError`.
        """
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            if self._interval is not None:
                self._last_step = scalar(self._step_counter)
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None
