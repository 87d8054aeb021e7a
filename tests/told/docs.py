"""What `help` says of names whose docstrings are put together, as those of families."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import symtape as tf


def _modules() -> Iterator[ModuleType]:
    """List the namespaces, and what each has once."""
    seen, waiting = {id(tf)}, [tf]
    while waiting:
        module = waiting.pop()
        yield module
        for name in dir(module):
            found = getattr(module, name) if name[0] != "_" else None
            is_ours = isinstance(found, ModuleType) and found.__name__.startswith("symtape")
            if is_ours and id(found) not in seen:
                seen.add(id(found))
                waiting.append(found)


@cache
def _source(module: str) -> str:
    return Path(inspect.getfile(sys.modules[module])).read_text(encoding="utf-8")


def _is_made(thing: Any) -> bool:
    """Say whether the docstring of something stands nowhere in its source."""
    doc, module = getattr(thing, "__doc__", None), getattr(thing, "__module__", None)
    if not callable(thing) or not doc or not str(module).startswith("symtape."):
        return False
    return doc.strip().splitlines()[0] not in _source(module)


@cache
def _made() -> dict[str, dict[str, Any]]:
    """List what has such a docstring, by the first namespace that has it."""
    found: dict[str, dict[str, Any]] = {}
    seen: set[int] = set()
    for module in _modules():
        for name in dir(module):
            thing = getattr(module, name, None)
            if name[0] != "_" and id(thing) not in seen and _is_made(thing):
                seen.add(id(thing))
                found.setdefault(module.__name__, {})[name] = thing
    return found


def _told(module: str) -> list[str]:
    return [f"{name}: {inspect.getdoc(thing)}" for name, thing in _made()[module].items()]


TOLD: dict[str, Callable[[], Any]] = {name: partial(_told, name) for name in _made()}
