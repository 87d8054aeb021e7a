"""`tf.io.gfile`: files and folders of this machine, by TensorFlow's names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from symtape.errors import AlreadyExistsError, NotFoundError
from symtape.ops.files.failures import kind_of
from symtape.ops.files.patterns import matching


def _path(value: Any) -> str:
    found = os.fspath(value)
    return found.decode() if isinstance(found, bytes) else str(found)


@contextmanager
def _naming(path: Any) -> Iterator[None]:
    """Raise the error of TensorFlow's for one of the system's, with the name of the file."""
    try:
        yield
    except OSError as error:
        raise kind_of(error)(message=f"{_path(path)}; {error.strerror}") from None


def GFile(name: Any, mode: str = "r") -> IO[Any]:  # noqa: N802 - TensorFlow's name
    """Open a file, as Python's `open`; raises `NotFoundError` if it is not there.

    >>> GFile("/no/such/file")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/file; No such file or directory
    """
    with _naming(name):
        return open(_path(name), mode, encoding=None if "b" in mode else "utf-8")  # noqa: PTH123 - it is given to the caller


def exists(path: Any) -> bool:
    """Say whether there is a file or folder.

    >>> exists("/no/such/file")
    False
    """
    return os.path.exists(_path(path))  # noqa: PTH110 - the name is a text


def isdir(path: Any) -> bool:
    """Say whether there is a folder.

    >>> isdir("/")
    True
    """
    return os.path.isdir(_path(path))  # noqa: PTH112 - the name is a text


def join(path: Any, *paths: Any) -> str:
    """Join the parts of a name.

    >>> join("a", "b")
    'a/b'
    """
    return os.path.join(_path(path), *map(_path, paths))  # noqa: PTH118 - the name is a text


def listdir(path: Any) -> list[str]:
    """List what is in a folder; raises `NotFoundError` if it is not there.

    >>> listdir("/no/such/folder")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: Could not find directory /no/such/folder
    """
    if not isdir(path):
        raise NotFoundError(message=f"Could not find directory {_path(path)}")
    return os.listdir(_path(path))  # noqa: PTH208 - names are texts


def glob(pattern: Any) -> list[str]:
    """List the files that fit one or several patterns; those of each pattern are in order.

    >>> glob("/no/such/*")
    []
    """
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]
    return [path for one in patterns for path in matching(_path(one))]


def mkdir(path: Any) -> None:
    """Make a folder; raises `AlreadyExistsError`, and `NotFoundError` for one in no folder.

    >>> mkdir("/no/such/folder")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/folder; No such file or directory
    """
    with _naming(path):
        Path(_path(path)).mkdir()


def makedirs(path: Any) -> None:
    """Make a folder, and those that it lies in; one that is there stays.

    >>> makedirs("/")
    """
    with _naming(path):
        Path(_path(path)).mkdir(parents=True, exist_ok=True)


def remove(path: Any) -> None:
    """Delete a file; raises `NotFoundError` if it is not there.

    >>> remove("/no/such/file")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/file; No such file or directory
    """
    with _naming(path):
        Path(_path(path)).unlink()


def rmtree(path: Any) -> None:
    """Delete a folder and all that is in it; raises `NotFoundError` if it is not there.

    >>> rmtree("/no/such/folder")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/folder; No such file or directory
    """
    with _naming(path):
        shutil.rmtree(_path(path))


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file; raises `AlreadyExistsError` unless it may be written over.

    >>> copy("/no/such/file", "/no/such/copy")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/file; No such file or directory
    """
    _check_free(dst, overwrite)
    with _naming(src):
        shutil.copyfile(_path(src), _path(dst))


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Move a file or folder; raises `AlreadyExistsError` unless it may be written over.

    >>> rename("/no/such/file", "/no/such/name")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/file; No such file or directory
    """
    _check_free(dst, overwrite)
    with _naming(src):
        Path(_path(src)).replace(_path(dst))


def _check_free(path: Any, overwrite: bool) -> None:
    if not overwrite and exists(path):
        raise AlreadyExistsError(message="file already exists")


def walk(
    top: Any, topdown: bool = True, onerror: Any = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Give each folder below one, with the folders and the files in it, as `os.walk`.

    >>> list(walk("/no/such/folder"))
    []
    """
    return os.walk(_path(top), topdown, onerror)
