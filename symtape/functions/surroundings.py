"""What a function reads besides its arguments, so that a change of it is noticed.

A traced function is run again from its program, not from its code. So the names that the code uses
(globals, variables of enclosing functions, defaults, attributes, elements of lists and dicts) are
looked up when it is traced, and compared by identity on every call; functions that it calls are
looked into. Libraries are not: what they read does not change.
"""

from __future__ import annotations

import builtins
import functools
import random
import sys
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import numpy as np

from symtape.tensor.tensor import Tensor
from symtape.tensor.variable import Variable

_LIBRARIES = sys.stdlib_module_names | {
    "symtape", "numpy", "scipy", "sympy", "mpmath", "tensorflow", "torch", "jax",
}  # fmt: skip
_NOWHERE = {None, "builtins"}
"""Where Python functions are said to be that were made by `exec` without a module."""

_MOST = 1000
"""How many places are watched; a function that reads more is recorded anew on every call."""

_LARGEST = 1 << 26
"""How many bytes of arrays are compared on every call."""

_MISSING: Any = object()


@functools.cache
def _volatile() -> tuple[type, ...]:
    """List what changes in ways that are not watched."""
    generators = (np.random.Generator, np.random.RandomState, random.Random, GeneratorType)
    return (*generators, set, deque, bytearray, array)


class Surroundings:
    """The places that a function reads, and what was there.

    `is_volatile` says that there is more than can be watched, or a source of random numbers.
    """

    def __init__(self, *read: Any) -> None:
        self.is_volatile = False
        self.arrays: dict[int, Any] = {}
        self.variables: dict[int, Variable] = {}
        self.labels: dict[int, str] = {}
        self._names: set[str] = set()
        known = -1
        while known != len(self._names):  # a name that a later function uses may be an attribute
            known = len(self._names)
            self._cells: list[tuple[Any, Any]] = []
            self._entries: list[tuple[Any, Any, Any]] = []
            self._lists: list[tuple[Any, tuple[Any, ...]]] = []
            self._versions: list[tuple[Any, Any]] = []
            self._contents: list[tuple[Any, Any]] = []
            self._seen: set[int] = set()
            self._walk(read)
        del self._seen

    def unchanged(self, largest: int = _LARGEST) -> bool:
        """Say whether all that is watched is what it was; of larger arrays it is not asked."""
        for mapping, key, value in self._entries:
            if mapping.get(key, _MISSING) is not value:
                return False
        for cell, value in self._cells:
            if _contents(cell) is not value:
                return False
        for sequence, values in self._lists:
            if len(sequence) != len(values):
                return False
            for a, b in zip(sequence, values, strict=True):
                if a is not b:
                    return False
        for handle, version in self._versions:
            if handle.tensor is not version:
                return False
        return all([_same_elements(a, b) for a, b in self._contents if b.nbytes <= largest])

    def watch_elements(self, found: Any) -> None:
        """Watch the elements of an array, too; of a very large one, know that it is not watched."""
        if sum(kept.nbytes for _, kept in self._contents) + found.nbytes > _LARGEST:
            self.is_volatile = True
        else:
            self._contents.append((found, np.ascontiguousarray(found).copy()))

    def watch_version(self, variable: Variable) -> None:
        """Watch the value of a variable, too."""
        self._versions.append((variable.handle, variable.handle.tensor))

    # --- looking around ---------------------------------------------------------------------------

    def _walk(self, read: Iterable[Any]) -> None:
        pending: list[tuple[str, Any]] = [("", value) for value in read]
        while pending and not self.is_volatile:
            name, value = pending.pop()
            if id(value) in self._seen:
                continue
            self._seen.add(id(value))
            if name:
                self.labels.setdefault(id(value), name)
            pending.extend(self._visit(name, value))
            places = len(self._entries) + len(self._cells)
            if places + sum(len(values) for _, values in self._lists) > _MOST:
                self.is_volatile = True

    def _visit(self, name: str, value: Any) -> Iterator[tuple[str, Any]]:
        if isinstance(value, np.ndarray):
            self.arrays[id(value)] = value
        elif isinstance(value, Variable):
            self.variables[id(value.handle)] = value
        elif isinstance(value, FunctionType):
            yield from self._function(value)
        elif isinstance(value, MethodType):
            yield from (("", value.__func__), ("", value.__self__))
        elif isinstance(value, functools.partial):
            yield from (("", value.func), ("", list(value.args)), ("", value.keywords))
        elif isinstance(value, (list, tuple)):
            if isinstance(value, list):
                self._lists.append((value, tuple(value)))
            yield from ((f"{name}_{k}", v) for k, v in enumerate(value[:_MOST]))
        elif isinstance(value, Mapping):
            keys = list(value)
            self._lists.append((value, tuple(keys)))
            yield from self._entry(value, keys)
        elif isinstance(value, _volatile()):
            self.is_volatile = True
        else:
            yield from self._object(value)

    def _entry(self, mapping: Any, keys: Any) -> Iterator[tuple[str, Any]]:
        for key in keys:
            found = mapping.get(key, _MISSING)
            if found is not _MISSING:
                self._entries.append((mapping, key, found))
                yield str(key), found

    def _absent(self, mapping: Any, keys: Iterable[str]) -> None:
        """Watch names that are found elsewhere for as long as a mapping lacks them."""
        self._entries.extend([(mapping, key, _MISSING) for key in keys if key not in mapping])

    def _function(self, function: FunctionType) -> Iterator[tuple[str, Any]]:
        if function.__module__ not in _NOWHERE and _is_library(function.__module__):
            wrapped = getattr(function, "__wrapped__", None)
            if wrapped is not None:
                yield "", wrapped
            return
        names = set(_names(function.__code__))
        self._names |= names
        yield from self._entry(function.__globals__, sorted(names))
        self._absent(function.__globals__, names & vars(builtins).keys())
        cells = function.__closure__ or ()
        for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
            self._cells.append((cell, _contents(cell)))
            yield name, _contents(cell)
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            yield "", default

    def _object(self, value: Any) -> Iterator[tuple[str, Any]]:
        """Watch the attributes that some code names, and look into the methods that it names."""
        kind = value if isinstance(value, (type, ModuleType)) else type(value)
        module = kind.__name__ if isinstance(kind, ModuleType) else kind.__module__
        wrapped = getattr(value, "python_function", None) if _is_library(module) else None
        if wrapped is not None:
            yield "", wrapped
        if _is_library(module) or isinstance(value, Tensor):
            return
        wanted = sorted({*self._names, "__call__"})
        yield from self._entry(getattr(value, "__dict__", {}), wanted)
        if not isinstance(value, (type, ModuleType)):
            inherited = {name for base in kind.__mro__ for name in vars(base)}
            self._absent(getattr(value, "__dict__", {}), inherited & self._names)
        slots = [n for k in getattr(kind, "__mro__", ()) for n in vars(k).get("__slots__", ())]
        if slots and not isinstance(value, type):
            self.is_volatile = True  # slots have no mapping that could be compared quickly
        for base in getattr(kind, "__mro__", ()):
            if not _is_library(base.__module__) and not isinstance(value, type):
                yield from self._entry(vars(base), wanted)


def _same_elements(found: Any, kept: Any) -> bool:
    """Compare bit by bit, so that nan is itself."""
    if found.shape != kept.shape or found.dtype != kept.dtype:
        return False
    if kept.dtype.hasobject:
        return all(a is b for a, b in zip(found.flat, kept.flat, strict=True))
    word = np.uint64 if kept.dtype.itemsize % 8 == 0 else np.uint8
    return np.array_equal(np.ascontiguousarray(found).reshape(-1).view(word),
                          kept.reshape(-1).view(word))  # fmt: skip


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


def _names(code: CodeType) -> Iterator[str]:
    """List the names that code uses, and the code within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_library(module: str | None) -> bool:
    return module is None or module.partition(".")[0] in _LIBRARIES


def bases(view: Any) -> Iterator[Any]:
    """List an array and those that it is a view of."""
    while isinstance(view, np.ndarray):
        yield view
        view = view.base
