"""What derivatives a script took, as a table: where, of what, shape, value and formula."""

from __future__ import annotations

import ast
import linecache
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from symtape.errors import ReleasedError
from symtape.program.program import Program
from symtape.tensor import names
from symtape.tensor.differentiate import OBSERVERS, Taken
from symtape.tensor.tensor import Tensor
from symtape.tensor.variable import Variable

_PACKAGE = __name__.partition(".")[0]
_HEAD = ("where", "derivative", "shape", "value", "formula")
_WIDEST = (28, 24, 14, 18)
"""How wide the columns before the formula may be."""
_NARROWEST = 20
"""How wide the formula is at least, and"""
_LEAST = 10
"""how wide the other columns may become for it."""
_GAP = "  "
_LONGEST_FORMULA = 400
"""How many operations a formula may be written out with."""


def columns() -> int:
    """Give the width of the terminal, or 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


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
    """Observes the derivatives that are taken, and tells of them.

    Those that one place of the script takes again and again are one row with a count.
    """

    def __init__(self, file: str) -> None:
        self._directory = Path(file).parent
        self._rows: dict[tuple[Any, ...], Row] = {}
        self._calls: dict[tuple[CodeType, int], Call] = {}

    @contextmanager
    def observed(self) -> Iterator[None]:
        """Observe in this block."""
        OBSERVERS.append(self._take)
        try:
            yield
        finally:
            OBSERVERS.remove(self._take)

    def _take(self, taken: Taken) -> None:
        frame = _frame_of_caller()
        if frame is None:
            return
        code, at = frame.f_code, frame.f_lasti
        call = self._call(frame, taken.kind)
        target = " + ".join(_names(taken.targets, call.targets))
        sources = [_unread(source) for source in taken.sources]
        labels = _names(taken.sources, call.sources)
        for source, label, result in zip(sources, labels, taken.results, strict=True):
            key = (code, at, taken.kind, target, label)
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

    def table(self, width: int, *, latex: bool = False) -> str:
        """Write the table; formulas are elided to the width, but LaTeX is written in full."""
        if not self._rows:
            return "no derivative was taken"
        rows = [_HEAD, *[_cells(row, latex=latex) for row in self._rows.values()]]
        widths = _fitted(rows, width)
        lines = []
        for *cells, formula in rows:
            short = [_padded(_elided(c, w), w) for c, w in zip(cells, widths, strict=True)]
            last = (
                formula
                if latex
                else _elided(formula, width - sum(widths) - len(_GAP) * len(widths))
            )
            lines.append(_GAP.join([*short, last]).rstrip())
        return "\n".join(lines)


def _fitted(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Choose how wide the columns before the formula are, so that there is room for a formula."""
    *columns, _ = zip(*rows, strict=True)
    widths = [min(max(map(_width, c)), most) for c, most in zip(columns, _WIDEST, strict=True)]
    room = max(width - _NARROWEST - len(_GAP) * len(widths), _LEAST * len(widths))
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    return widths


# --- names and places -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """How a call of the tape writes its targets and sources; one text for each that it lists."""

    targets: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


def _frame_of_caller() -> FrameType | None:
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the one way to the caller's place
    while frame is not None and _is_own(frame):
        frame = frame.f_back
    return frame


def _is_own(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == _PACKAGE


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


# --- cells ----------------------------------------------------------------------------------------


def _cells(row: Row, *, latex: bool) -> tuple[str, ...]:
    where = f"{row.where} ({row.count} times)" if row.count > 1 else row.where
    if row.result is None:
        return where, _quotient(row), "", "None", ""
    value = row.result.value
    return (
        where,
        _quotient(row),
        str(np.shape(value)),
        _short(value),
        _formula(row.result, latex=latex),
    )


_QUOTIENTS = {
    "gradient": "d{0}/d{1}",
    "jacobian": "d{0}/d{1} (jacobian)",
    "batch_jacobian": "d{0}/d{1} (batch)",
    "hessian": "d2{0}/d{1}2",
}


def _quotient(row: Row) -> str:
    return _QUOTIENTS[row.kind].format(*map(_bracketed, (row.target, _symbol(row))))


def _bracketed(name: str) -> str:
    return name if name.isidentifier() and "_" not in name else f"({name})"


def _symbol(row: Row) -> str:
    """Name the source as the formula does, where two leaves of one name bear an index."""
    if row.result is not None and row.result.origin is not None:
        formula = row.result.formula
        for leaf in formula.all_leaves:
            with suppress(ReleasedError):
                if leaf.label == row.source_name and leaf.tensor() is row.source:
                    return str(formula.names[leaf.position])
    return row.source_name


def _short(value: Any) -> str:
    if np.ndim(value) == 0:
        return str(value)
    text = np.array2string(np.asarray(value), precision=4, threshold=6, edgeitems=2)
    return " ".join(text.split())


def _formula(result: Any, *, latex: bool) -> str:
    """Write the formula of a derivative, unless it is too long to be read."""
    if result.origin is None:
        return _constant(result.value)
    formula = result.formula
    count = _operations(formula.program, formula.position)
    if count > _LONGEST_FORMULA:
        return f"({count} operations)"
    try:
        if latex:
            return str(formula.latex())
        return str(formula.expr if formula.is_scalar else formula.index_expr())
    except Exception as error:  # noqa: BLE001 - one formula that cannot be written is told in its row
        return " ".join(f"({type(error).__name__}: {error})".split())


def _constant(value: Any) -> str:
    """Write what was not computed: zeros or ones, for no dependence or that of itself."""
    found = np.unique(value)
    return f"{found[0]:g}" if len(found) == 1 else ""


def _operations(program: Program, position: int) -> int:
    """Count the operations of a formula, shared steps as often as they would be written."""
    counts: dict[int, int] = {}
    for p in program.ancestors([position]):
        operands = program.steps[p][1:]
        counts[p] = min(sum(counts[i] for i in operands) + bool(operands), 10**9)
    return counts[position]


def _elided(text: str, width: int) -> str:
    """Leave out the middle of a text that is too wide.

    >>> _elided("sin(x)*cos(y) + 2*x**2", 14)
    'sin(x)...*x**2'
    """
    if _width(text) <= width:
        return text
    for kept in range(width - 3, 0, -1):
        first, last = text[: kept - kept // 2], text[len(text) - kept // 2 :]
        if _width(first + last) <= width - 3:
            return f"{first}...{last}"
    return "..."


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    """Count the columns of a terminal that a text takes; Chinese letters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
