"""Errors of files as those that an iterator raises when it comes to the element."""

from __future__ import annotations

from symtape.data.stages.base import Failed
from symtape.errors import DataLossError
from symtape.ops.files.failures import kind_of
from symtape.ops.files.sources import LostError


def failed(path: str, error: OSError | LostError) -> Failed:
    """Make the failure of an element from what reading a file raised."""
    if isinstance(error, LostError):
        return Failed(DataLossError, str(error))
    return Failed(kind_of(error), f"{path}; {error.strerror}")
