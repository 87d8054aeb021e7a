"""Names for formulas: what the caller's own variables are called.

A tensor is looked for by identity in the frames between the operation that first uses it and the
code that opened the tape, which is preferred. The name that stands at a place in the code is
remembered, so that a training loop looks at one variable a tensor and not at all of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from inspect import CO_OPTIMIZED
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import sympy

from symtape.codegen.scope import Scope, given

_PACKAGE = __name__.partition(".")[0]
FOLDER = str(Path(str(sys.modules[_PACKAGE].__file__)).parent) + os.sep
"""Where our own code is."""
_FRAMES = 64
_MEMBERS = 64

_remembered: dict[tuple[CodeType, int] | int, str | None] = {}


def find(wanted: Any, opener: int | None, *, thorough: bool) -> str | None:
    """Name the object `wanted` as its user does, or give None.

    `opener` is the id of the frame that opened the tape. A thorough search also looks into the
    attributes of objects and into lists and dicts that variables hold.
    """
    frame = user_frame()
    if frame is None:
        return None
    key = (frame.f_code, frame.f_lasti)
    name = _remembered.get(key, "")
    if name and _variables(frame).get(name) is wanted:
        return name
    if name is None and not thorough and _remembered.get(_within(frame), "") is None:
        return None
    found = _search(frame, wanted, opener)
    if len(_remembered) > 10_000:
        _remembered.clear()
    if not found or _variables(frame).get(found) is wanted or not thorough:
        if not found:
            _remembered[_within(frame)] = None
        if found or not name:
            _remembered[key] = found
    return found


def depth_of_user() -> int:
    """Count the frames from the caller to the user's code, as `stacklevel` of a warning does."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to a caller's code
    depth = 1
    while frame is not None and _is_own(frame):
        frame, depth = frame.f_back, depth + 1
    return depth


def place() -> int:
    """Tell apart the places from which a name is asked for: those of all code that runs."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to a caller's code
    found = 0
    while frame is not None:
        found = hash((found, frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return found


def _within(frame: FrameType) -> int:
    """Tell apart the places in our own code that one place in the user's leads to."""
    found, own = 0, sys._getframe(2)  # noqa: SLF001 - the one way to a caller's code
    while own is not None and own is not frame:
        found = hash((found, own.f_code, own.f_lasti))
        own = own.f_back  # type: ignore[assignment]  # the user's frame comes before the end
    return hash((found, frame.f_code, frame.f_lasti))


def user_frame() -> FrameType | None:
    """Find the innermost frame that is not ours, from the caller of the caller on."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the one way to a caller's variables
    while frame is not None and _is_own(frame):
        frame = frame.f_back
    return frame


def _is_own(frame: FrameType) -> bool:
    if frame.f_code.co_filename.startswith(FOLDER):  # no more than that of most frames
        return True
    if frame.f_code.co_filename.startswith("<doctest "):  # an example is a user's, in our module
        return False
    module = frame.f_globals.get("__name__", "")
    return module.partition(".")[0] == _PACKAGE or frame.f_code.co_filename == "<symtape>"


def _search(frame: FrameType | None, wanted: Any, opener: int | None) -> str | None:
    """Prefer the frame that opened the tape, then the innermost; then look inside of objects."""
    frames = list(_frames(frame))
    frames.sort(key=lambda f: id(f) != opener)  # stable: the others stay in order
    seen = {id(scope): scope for f in frames for scope in (_variables(f), f.f_globals)}
    scopes = list(seen.values())  # the functions of a module have its globals in common
    for scope in scopes:
        for name, value in list(scope.items()):
            if value is wanted and _is_a_name(name):
                return name
    for scope in scopes:
        for name, value in list(scope.items()):
            is_looked_into = _holds(type(value)) and _is_a_name(name)
            if is_looked_into and (inner := _inside(value, wanted, name, 2)):
                return inner
    return None


def values_in_sight(kind: type, opener: int | None) -> Iterator[tuple[str, Any]]:
    """List the variables of a type between the caller's code and that which opened the tape."""
    for frame in _frames(user_frame()):
        for name, value in list(_variables(frame).items()):
            if isinstance(value, kind) and _is_a_name(name):
                yield name, value
        if id(frame) == opener:
            return


def values_at_hand(kind: type) -> Iterator[tuple[str, Any]]:
    """List the variables of a type where the caller's code is."""
    frame = user_frame()
    for name, value in list(_variables(frame).items()) if frame is not None else ():
        if isinstance(value, kind) and _is_a_name(name):
            yield name, value


_NOBODY_ELSE = 3
"""References to a snapshot that only the frame has: the frame's, ours, and the question's."""


def _variables(frame: FrameType) -> Mapping[str, Any]:
    """Look at the local variables of a frame, and leave nothing behind.

    Before Python 3.13 a function's `f_locals` is a snapshot that the frame keeps, and with it every
    value; so it is copied and emptied, unless the user's code holds it too.
    """
    scope = frame.f_locals
    if not frame.f_code.co_flags & CO_OPTIMIZED or type(scope) is not dict:
        return scope
    copied = scope.copy()
    if sys.getrefcount(scope) == _NOBODY_ELSE:
        scope.clear()
    return copied


def _is_a_name(name: str) -> bool:
    """Leave out what is private or was made by a tool, such as `_` and `@py_assert1`."""
    return name.isidentifier() and not name.startswith("_")


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    count = 0
    while frame is not None and count < _FRAMES:
        if not _is_own(frame):
            yield frame
            count += 1
        frame = frame.f_back


def _inside(holder: Any, wanted: Any, name: str, depth: int) -> str | None:
    """Look at attributes (`self.w` is `w`) and elements (`params[0]` is `params_0`)."""
    members, label = _members(holder, name)
    for k, member in enumerate(members):
        if member is wanted:
            return label(k)
    if depth > 1:
        holders = {kind for kind in set(map(type, members)) if _holds(kind)}
        for k, member in enumerate(members if holders else ()):
            if type(member) in holders and (inner := _inside(member, wanted, label(k), depth - 1)):
                return inner
    return None


def _holds(kind: type) -> bool:
    """Say whether what is of a type is looked into: what only says that it is a list may notice."""
    if issubclass(kind, (list, tuple, dict)):
        return True
    own = kind.__module__ != "builtins" and not issubclass(kind, (ModuleType, type))
    return own and bool(kind.__dictoffset__)


def _members(holder: Any, name: str) -> tuple[Sequence[Any], Callable[[int], str]]:
    """Give what something holds, and what each member of it is called, which few are asked."""
    if issubclass(type(holder), (list, tuple)):
        return holder[:_MEMBERS], lambda k: f"{name}_{k}"
    is_dict = issubclass(type(holder), dict)
    held = holder if is_dict else getattr(holder, "__dict__", {})
    if not held:
        return (), str
    pairs = list(islice(held.items(), _MEMBERS))
    members = [v for _, v in pairs]
    if is_dict:
        return members, lambda k: str(pairs[k][0])
    return members, lambda k: pairs[k][0].lstrip("_")


def distinct(labels: Mapping[int, str | None]) -> dict[int, str]:
    """Give every position its own name: its label, else x0, x1, …; equal labels get an index.

    >>> distinct({0: "w", 1: "w", 2: None})
    {0: 'w', 1: 'w_1', 2: 'x0'}
    """
    return dict(zip(labels, given(list(labels.values())), strict=True))


def symbols(names: Mapping[int, str], scalars: Container[int]) -> dict[int, str]:
    """Let scalars print otherwise than SymPy's numbers: one that is called `pi` is not π.

    >>> symbols({0: "x", 1: "pi", 2: "E"}, scalars={0, 1})
    {0: 'x', 1: 'pi_', 2: 'E'}
    """
    scope = Scope(list(names.values()))
    return {
        p: scope.fresh(f"{name}_")
        if p in scalars
        and isinstance(number := getattr(sympy, name, None), sympy.Expr)
        and str(number) == name
        else name
        for p, name in names.items()
    }
