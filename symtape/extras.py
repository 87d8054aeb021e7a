"""Optional packages, which are imported when somebody asks for what they do."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symtape.errors import ExtraNotInstalledError


def imported(module: str, what: str, extra: str) -> Any:
    """Import a module of an optional package.

    Raises `ExtraNotInstalledError`, which says that `what` needs the extra, where there is none.
    """
    try:
        return import_module(module)
    except ImportError:
        raise ExtraNotInstalledError.of(what, extra) from None
