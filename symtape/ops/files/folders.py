"""`tf.io.gfile`: files and folders of this machine, by TensorFlow's names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR
from typing import Any, NamedTuple

from symtape.errors import AlreadyExistsError, NotFoundError
from symtape.ops.files.opened import naming, path_of
from symtape.ops.files.patterns import matching


class FileStatistics(NamedTuple):
    """What is known of a file: its bytes, when it was last changed, and whether it is a folder."""

    length: int
    mtime_nsec: int
    is_directory: bool


def stat(path: Any) -> FileStatistics:
    """Tell the size of a file; raises `NotFoundError` if it is not there.

    >>> stat("/").is_directory
    True
    """
    with naming(path):
        found = Path(path_of(path)).stat()
    return FileStatistics(found.st_size, found.st_mtime_ns, S_ISDIR(found.st_mode))


def exists(path: Any) -> bool:
    """Say whether there is a file or folder.

    >>> exists("/no/such/file")
    False
    """
    return os.path.exists(path_of(path))  # noqa: PTH110 - the name is a text


def isdir(path: Any) -> bool:
    """Say whether there is a folder.

    >>> isdir("/")
    True
    """
    return os.path.isdir(path_of(path))  # noqa: PTH112 - the name is a text


def join(path: Any, *paths: Any) -> str:
    """Join the parts of a name.

    >>> join("a", "b")
    'a/b'
    """
    return os.path.join(path_of(path), *map(path_of, paths))  # noqa: PTH118 - the name is a text


def listdir(path: Any) -> list[str]:
    """List what is in a folder; raises `NotFoundError` if it is not there.

    >>> listdir("/no/such/folder")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: Could not find directory /no/such/folder
    """
    if not isdir(path):
        raise NotFoundError(message=f"Could not find directory {path_of(path)}")
    return os.listdir(path_of(path))  # noqa: PTH208 - names are texts


def glob(pattern: Any) -> list[str]:
    """List the files that fit one or several patterns; those of each pattern are in order.

    >>> glob("/no/such/*")
    []
    """
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]
    return [path for one in patterns for path in matching(path_of(one))]


def mkdir(path: Any) -> None:
    """Make a folder; raises `AlreadyExistsError`, and `NotFoundError` for one in no folder.

    >>> mkdir("/no/such/folder")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/folder; No such file or directory
    """
    with naming(path):
        Path(path_of(path)).mkdir()


def makedirs(path: Any) -> None:
    """Make a folder, and those that it lies in; one that is there stays.

    >>> makedirs("/")
    """
    with naming(path):
        Path(path_of(path)).mkdir(parents=True, exist_ok=True)


def remove(path: Any) -> None:
    """Delete a file; raises `NotFoundError` if it is not there.

    >>> remove("/no/such/file")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/file; No such file or directory
    """
    with naming(path):
        Path(path_of(path)).unlink()


def rmtree(path: Any) -> None:
    """Delete a folder and all that is in it; raises `NotFoundError` if it is not there.

    >>> rmtree("/no/such/folder")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/folder; No such file or directory
    """
    with naming(path):
        shutil.rmtree(path_of(path))


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file; raises `AlreadyExistsError` unless it may be written over.

    >>> copy("/no/such/file", "/no/such/copy")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/file; No such file or directory
    """
    _check_free(dst, overwrite)
    with naming(src):
        shutil.copyfile(path_of(src), path_of(dst))


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Move a file or folder; raises `AlreadyExistsError` unless it may be written over.

    >>> rename("/no/such/file", "/no/such/name")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: /no/such/file; No such file or directory
    """
    _check_free(dst, overwrite)
    with naming(src):
        Path(path_of(src)).replace(path_of(dst))


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
    return os.walk(path_of(top), topdown, onerror)
