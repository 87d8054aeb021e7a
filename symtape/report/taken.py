"""Observes the derivatives that a script takes: where, of what, with respect to what."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from symtape.tensor import names
from symtape.tensor.derivatives.differentiate import OBSERVERS, Taken
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


@dataclass(slots=True)
class Row:
    """One derivative at one place of the script, as it was when it was last taken."""

    where: str
    kind: str
    target: str
    source: Any
    source_name: str
    result: Any
    count: int = 0


class Derivatives:
    """The derivatives that are taken while it observes.

    Those that one place of the script takes again and again are one row with a count.
    """

    def __init__(self, file: str) -> None:
        self._directory = Path(file).parent
        self._rows: dict[tuple[Any, ...], Row] = {}
        self._calls: dict[tuple[CodeType, int], Call] = {}

    @property
    def rows(self) -> list[Row]:
        """The derivatives, in the order in which they were first taken."""
        return list(self._rows.values())

    @contextmanager
    def observed(self) -> Iterator[None]:
        """Observe in this block."""
        OBSERVERS.append(self._take)
        try:
            yield
        finally:
            OBSERVERS.remove(self._take)

    def _take(self, taken: Taken) -> None:
        frame = names.user_frame()
        if frame is None:
            return
        code, at = frame.f_code, frame.f_lasti
        call = self._call(frame, taken.kind)
        target = " + ".join(_names(taken.targets, call.targets))
        sources = [_unread(source) for source in taken.sources]
        labels = _names(taken.sources, call.sources)
        found = zip(sources, labels, taken.results, strict=True)
        for k, (source, label, result) in enumerate(found):
            key = (code, at, taken.kind, target, label, k)
            row = self._rows.get(key)
            if row is None:
                where = self._where(frame)
                row = self._rows[key] = Row(where, taken.kind, target, source, label, result)
            row.source, row.result = source, result
            row.count += 1

    def _where(self, frame: FrameType) -> str:
        file, cell, number = frame.f_code.co_filename.partition(", cell ")
        path = Path(file)
        if path.is_relative_to(self._directory):
            path = path.relative_to(self._directory)
        else:
            path = Path(*path.parts[-2:])
        return (
            f"{path}{cell}{number}, line {frame.f_lineno}" if cell else f"{path}:{frame.f_lineno}"
        )

    def _call(self, frame: FrameType, kind: str) -> Call:
        key = (frame.f_code, frame.f_lasti)
        if key not in self._calls:
            self._calls[key] = _parsed_call(frame, kind)
        return self._calls[key]


# --- names and places -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """How a call of the tape writes its targets and sources; one text for each that it lists."""

    targets: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


def _parsed_call(frame: FrameType, kind: str) -> Call:
    """Parse the call `tape.gradient(target, sources)` that a frame is at, if it is written so."""
    try:
        call = ast.parse(_text_at(frame), mode="eval").body
    except SyntaxError:
        return Call()
    if not isinstance(call, ast.Call) or getattr(call.func, "attr", None) != kind:
        return Call()
    given = {str(k.arg): k.value for k in call.keywords}
    values = [*call.args, None, None][:2]
    target = values[0] or given.get("target")
    source = values[1] or given.get("sources") or given.get("source")
    return Call(_written(target), _written(source))


def _text_at(frame: FrameType) -> str:
    """Cut out of its file the expression that a frame is at; nothing where that is not known."""
    place = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
    first, last, start, end = place
    if first is None or last is None or start is None or end is None:
        return ""
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)[first - 1 : last]
    if not lines:
        return ""
    # Columns count the bytes of UTF-8.
    lines[-1] = lines[-1].encode()[:end].decode(errors="replace")
    lines[0] = lines[0].encode()[start:].decode(errors="replace")
    return "".join(lines)


def _written(value: ast.expr | None) -> tuple[str, ...]:
    if value is None or isinstance(value, ast.Starred):
        return ()
    if isinstance(value, (ast.List, ast.Tuple)):
        return tuple(map(ast.unparse, value.elts))
    return (ast.unparse(value),)


def _names(tensors: Sequence[Any], written: Sequence[str]) -> list[str]:
    """Name tensors as the formulas do, else as the call writes them, else as variables do."""
    if len(written) != len(tensors):
        written = [""] * len(tensors)
    return [_name(tensor, text) for tensor, text in zip(tensors, written, strict=True)]


def _name(tensor: Any, text: str) -> str:
    label = tensor.handle.label if isinstance(tensor, Variable) else tensor.label
    return label or text or names.find(tensor, None, thorough=True) or "?"


def _unread(tensor: Any) -> Tensor:
    """Get at the value of a variable without being seen by the tapes that watch it."""
    found: Tensor = tensor.handle.tensor if isinstance(tensor, Variable) else tensor
    return found
