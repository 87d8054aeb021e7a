"""Which of TensorFlow's errors an error of the operating system is."""

from __future__ import annotations

import errno

from symtape.errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    NotFoundError,
    OpError,
    PermissionDeniedError,
    ResourceExhaustedError,
)

_KINDS: dict[int | None, type[OpError]] = {
    errno.ENOENT: NotFoundError,
    errno.EEXIST: AlreadyExistsError,
    errno.EACCES: PermissionDeniedError,
    errno.EPERM: PermissionDeniedError,
    errno.EROFS: PermissionDeniedError,
    errno.ENOSPC: ResourceExhaustedError,
    errno.EMFILE: ResourceExhaustedError,
    errno.ENFILE: ResourceExhaustedError,
}


def kind_of(error: Exception) -> type[OpError]:
    """Give the type of TensorFlow's error.

    >>> kind_of(FileNotFoundError(2, "No such file or directory")).__name__
    'NotFoundError'
    """
    number = error.errno if isinstance(error, OSError) else None
    return _KINDS.get(number, FailedPreconditionError)
