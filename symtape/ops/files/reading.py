"""Files read and written as a whole, by their names: tensors of texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from symtape.errors import OpError
from symtape.ops.files.failures import kind_of
from symtape.ops.files.patterns import matching
from symtape.ops.strings.arguments import text_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import announced


def scalar_text(op: str, value: Any, what: str) -> bytes:
    """Read one text; raises `InvalidArgumentError` for several."""
    found = text_of(op, value)
    if found.ndim:
        raise invalid(op, f"{what} tensor must be scalar, but had shape: {listed(found.shape)}")
    one: bytes = found[()]
    return one


def failed(op: str, path: str, error: OSError) -> OpError:
    """Put the error of a file into TensorFlow's words."""
    return kind_of(error).of(op, f"{path}; {error.strerror}")


def read_file(filename: Any, name: str | None = None) -> Tensor:
    """The bytes of a file, as a text.

    Raises `NotFoundError` if it is not there, and `FailedPreconditionError` for a folder.

    >>> read_file("/no/such/file")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: ... /no/such/file; No such file or directory [Op:ReadFile] ...
    """
    path = scalar_text("ReadFile", filename, "Input filename").decode()
    if (made := announced(dtypes.string, [])) is not None:
        return made
    try:
        return convert(Path(path).read_bytes())
    except OSError as error:
        raise failed("ReadFile", path, error) from None


def write_file(filename: Any, contents: Any, name: str | None = None) -> None:
    """Write a text as the bytes of a file, and make the folders that it lies in.

    Raises `FailedPreconditionError` where that cannot be.

    >>> write_file("/dev/null", "text")
    """
    path = scalar_text("WriteFile", filename, "Input filename").decode()
    text = scalar_text("WriteFile", contents, "Contents")
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(text)
    except OSError as error:
        raise failed("WriteFile", path, error) from None


def matching_files(pattern: Any, name: str | None = None) -> Tensor:
    """The names of the files that fit one or several patterns, in order.

    A file that fits two of them is named twice. Raises `InvalidArgumentError` for a matrix of them.

    >>> matching_files("/no/such/*").shape
    TensorShape([0])
    """
    op = "MatchingFiles"
    patterns = text_of(op, pattern)
    if patterns.ndim > 1:
        shape = listed(patterns.shape)
        raise invalid(op, f"Input patterns tensor must be scalar or vector, but had shape: {shape}")
    found = [path.encode() for one in patterns.ravel() for path in matching(one.decode())]
    return convert(np.array(sorted(found), object), dtypes.string)
