"""`tf.train.load_checkpoint` and its kin: the values of a checkpoint by their keys."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from symtape.errors import NotFoundError
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.training import files
from symtape.training.state import latest_checkpoint

PathLike = str | os.PathLike[str]


_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
"""The key under which TensorFlow keeps what is in the index here: it is listed, and is its text."""


class CheckpointReader:
    """The values of a checkpoint by their keys, such as ``net/w/.ATTRIBUTES/VARIABLE_VALUE``."""

    def __init__(self, prefix: str) -> None:
        self._saved = files.read(prefix)
        values = [node.value for node in self._saved.nodes if node.value is not None]
        self._values = {value.key: value for value in sorted(values)}
        self._graph = Path(prefix + files.INDEX).read_bytes()

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Give the shape of each value."""
        return {_GRAPH: [], **{key: list(value.shape) for key, value in self._values.items()}}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """Give the dtype of each value."""
        found = {key: dtypes.as_dtype(value.dtype) for key, value in self._values.items()}
        return {_GRAPH: dtypes.string, **found}

    def has_tensor(self, key: str) -> bool:
        """Say whether there is a value with a key."""
        return key == _GRAPH or key in self._values

    def get_tensor(self, key: str) -> Any:
        """Give a value as a NumPy array or number; raises `NotFoundError` for an unknown key."""
        if key == _GRAPH:
            return self._graph
        if key not in self._values:
            raise NotFoundError(message=f"Key {key} not found in checkpoint")
        return self._saved.array(self._values[key])[()]


def load_checkpoint(ckpt_dir_or_file: PathLike) -> CheckpointReader:
    """Read a checkpoint, or the latest one of a folder, by keys.

    Raises `ValueError` for a folder without one, `NotFoundError` for a path without one, and
    `FormatError` for files of another form.

    >>> load_checkpoint("no such file")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: Error when restoring from checkpoint ...
    """
    path = os.fspath(ckpt_dir_or_file)
    if Path(path).is_dir():
        latest = latest_checkpoint(path)
        if latest is None:
            raise ValueError(
                f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}"
            )
        path = latest
    return CheckpointReader(path)


def list_variables(ckpt_dir_or_file: PathLike) -> list[tuple[str, list[int]]]:
    """List the keys and shapes of the values of a checkpoint; errors as `load_checkpoint`.

    >>> list_variables("no such file")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: Error when restoring from checkpoint ...
    """
    return list(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: PathLike, name: str) -> Any:
    """Give one value of a checkpoint; errors as `load_checkpoint`.

    >>> load_variable("no such file", "w")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: Error when restoring from checkpoint ...
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))
