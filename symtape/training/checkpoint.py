"""`tf.train.Checkpoint`: the variables of objects, saved and restored."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from symtape.ops.tracking import Trackable
from symtape.tensor.variables.variable import Variable
from symtape.training import files, state
from symtape.training.options import checked as checked_options
from symtape.training.options import written
from symtape.training.parts import checked, graph, is_tracked, parts_of
from symtape.training.restoring import CheckpointLoadStatus, InitializationOnlyStatus, Restoration

PathLike = str | os.PathLike[str]


class Checkpoint(Trackable):
    """The variables of objects, which can be saved to files and restored (`tf.train.Checkpoint`).

    `root`, and objects by name, are looked into: modules, layers, optimizers, lists and dicts. What
    is put into a list after it was restored gets its values as soon as an object beside it has
    another attribute, or the status is asked. The files have TensorFlow's names and a form of their
    own, which is read as data alone. Raises `ValueError` for what has no variables.

    >>> import tempfile
    >>> w = Variable([1.0, 2.0])
    >>> checkpoint = Checkpoint(w=w)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = checkpoint.save(folder + "/ckpt")
    ...     _ = w.assign([0.0, 0.0])
    ...     _ = checkpoint.restore(path).assert_consumed()
    >>> os.path.basename(path), w.numpy().tolist()
    ('ckpt-1', [1.0, 2.0])
    """

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        self._root = None if root is None else checked("root", root)
        for name, value in sorted(kwargs.items()):
            setattr(self, name, checked(name, value))

    def checkpoint_parts(self) -> dict[str, Any]:
        """Give what is saved by name: the parts of the root, and what was named beside it."""
        own = {name: value for name, value in vars(self).items() if name not in _NOT_SAVED}
        if "_save_counter" in vars(self):
            own["save_counter"] = self._save_counter
        beneath = {} if self._root is None else dict(parts_of(self._root))
        return {name: value for name, value in {**beneath, **own}.items() if is_tracked(value)}

    @property
    def save_counter(self) -> Variable:
        """How often the checkpoint was saved: a variable of int64, which is saved, too."""
        if "_save_counter" not in vars(self):
            self._save_counter = Variable(np.int64(0), trainable=False, name="save_counter")
        return self._save_counter

    def save(self, file_prefix: PathLike, options: Any = None) -> str:
        """Count, write to files called by prefix and count, and give that path.

        `tf.train.latest_checkpoint` finds it. `options` are a `tf.train.CheckpointOptions`.
        """
        chosen = checked_options(options)
        number = int(self.save_counter.assign_add(1))
        path = self.write(f"{os.fspath(file_prefix)}-{number}")
        state.update(str(Path(path).parent), path, [path])
        written(chosen, path)
        return path

    def write(self, file_prefix: PathLike, options: Any = None) -> str:
        """Write to files called by the prefix, without a count, and give that path.

        `options` are a `tf.train.CheckpointOptions`.
        """
        chosen, path = checked_options(options), os.fspath(file_prefix)
        files.write(path, graph(self))
        written(chosen, path)
        return path

    def read(self, save_path: PathLike, options: Any = None) -> CheckpointLoadStatus:
        """Restore what `write` wrote.

        Variables that are there get their values, and those that come later do then. Raises
        `NotFoundError` where there is no checkpoint, `FormatError` for files of another form,
        `InvalidArgumentError` and `ValueError` where dtypes and shapes differ. `options` are a
        `tf.train.CheckpointOptions`.
        """
        checked_options(options)
        restoration = Restoration(files.read(os.fspath(save_path)), self)
        if isinstance(self._root, Trackable):
            restoration.wait_for(0, self._root)
        return CheckpointLoadStatus(restoration, self)

    def restore(
        self, save_path: PathLike | None, options: Any = None
    ) -> CheckpointLoadStatus | InitializationOnlyStatus:
        """Restore what `save` wrote, as `read` does, and the count; no path restores nothing.

        Raises what `read` raises: `NotFoundError`, `FormatError`, `InvalidArgumentError` and
        `ValueError`.
        """
        if save_path is None:
            return InitializationOnlyStatus()
        status = self.read(save_path, options)
        self.save_counter  # noqa: B018 - made now, it gets its value from the checkpoint
        return status


_NOT_SAVED = {"_root", "_waiting", "_save_counter"}
