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
import weakref
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

_UNSEEN = frozenset(
    "getattr vars globals eval exec __dict__ __import__ open input environ getenv read_text "
    "read_bytes loadtxt genfromtxt fromfile".split()
)
"""Names by which code reads what its other names do not tell."""

_CLOCKS = {"time", "datetime", "secrets", "uuid", "inspect", "gc", "subprocess", "socket"}
"""Modules whose functions give something else on every call."""

_HIDDEN = {
    "itertools", "operator", "contextvars", "_contextvars", "weakref", "_weakref", "ctypes",
    "_ctypes", "mmap", "queue", "_queue", "io", "_io",
}  # fmt: skip
"""Modules whose objects do not show what they hold."""

_SILENT = frozenset(
    "__init__ __new__ __repr__ __str__ __format__ __del__ __reduce__ __reduce_ex__ __getstate__ "
    "__setstate__ __sizeof__ __dir__ __init_subclass__ __set_name__ __class_getitem__".split()
)
"""Methods that Python itself does not call while an object is computed with."""

_MOST = 1000
"""How many places are watched; a function that reads more is recorded anew on every call."""

_LARGEST = 1 << 26
"""How many bytes of arrays are compared on every call."""

_MISSING: Any = object()


@functools.cache
def _volatile() -> tuple[type, ...]:
    """List what changes in ways that are not watched."""
    generators = (np.random.Generator, np.random.RandomState, random.Random, GeneratorType)
    return (*generators, set, deque, bytearray, array, memoryview, Iterator)


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
            self._codes: list[tuple[weakref.ref[FunctionType], CodeType, Any, Any]] = []
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
        for reference, code, defaults, options in self._codes:
            function = reference()
            if function is not None and (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not options
            ):
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
        contents = self._contents
        return not contents or all(
            [_same_elements(a, b) for a, b in contents if b.nbytes <= largest]
        )

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
        elif isinstance(value, (property, staticmethod, classmethod, functools.cached_property)):
            yield from (("", getattr(value, name, None)) for name in ("fget", "__func__", "func"))
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
            self.is_volatile |= function.__module__ in _CLOCKS
            wrapped = getattr(function, "__wrapped__", None)
            if wrapped is not None:
                yield "", wrapped
            return
        code = function.__code__
        defaults, options = function.__defaults__, function.__kwdefaults__
        self._codes.append((weakref.ref(function), code, defaults, options))
        names = set(_names(code))
        self.is_volatile |= not names.isdisjoint(_UNSEEN)
        self._names |= names
        yield from self._entry(function.__dict__, list(function.__dict__))
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
        if isinstance(value, Tensor):
            return
        if _is_library(module):
            yield from self._library_object(value, module)
            return
        wanted = sorted({*self._names, *_called_by_python(kind)})
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

    def _library_object(self, value: Any, module: str) -> Iterator[tuple[str, Any]]:
        """Look at what an object of a library holds for the code: wrapped functions, attributes."""
        is_kind = isinstance(value, (type, ModuleType))
        self.is_volatile |= module in (_CLOCKS if is_kind else _HIDDEN)
        if is_kind:
            return
        for name in ("python_function", "__wrapped__", "__self__"):
            yield "", getattr(value, name, None)
        self.is_volatile |= getattr(value, "__module__", None) in _CLOCKS
        held = getattr(value, "__dict__", None)
        if isinstance(held, dict):
            yield from self._entry(held, sorted({*self._names, "data"}))


def _called_by_python(kind: Any) -> Iterator[str]:
    """List the methods of a class that code runs without naming them."""
    for base in getattr(kind, "__mro__", ()):
        if not _is_library(base.__module__):
            for name, found in vars(base).items():
                if name[:2] == "__" and name not in _SILENT and isinstance(found, FunctionType):
                    yield name


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
