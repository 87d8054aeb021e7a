"""Scopes of names, as `ops.name_scope` of TensorFlow's insides opens them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from symtape.ops.control.flow import executing_eagerly, name_scope_v2
from symtape.stand_in.older.programs.sessions import name_scope_v1


def name_scope(
    name: str | None,
    default_name: str | None = None,
    values: Any = None,
    skip_on_eager: bool = True,
) -> AbstractContextManager[str | None]:
    """Open a scope within a function; outside there is none, unless it is not to be skipped.

    >>> with name_scope("net") as scope:
    ...     print(scope)
    None
    """
    if not executing_eagerly():
        return name_scope_v1(name, default_name, values)
    if skip_on_eager:
        return nullcontext()
    return name_scope_v2((default_name or "") if name is None else name)
