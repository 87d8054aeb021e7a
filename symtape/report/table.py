"""Derivatives as a table for a terminal: where, of what, shape, value and formula."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TextIO

import numpy as np

from symtape.errors import ExpansionError, NoMatrixFormError, ReleasedError
from symtape.forms.tex.latex import Style
from symtape.program.program import Program
from symtape.report.taken import Row

_HEAD = ("where", "derivative", "shape", "value", "formula")
_WIDEST = (28, 24, 14, 18)
"""How wide the columns before the formula may be."""
_NARROWEST = len(_HEAD[-1])
"""How wide the last column is at least, and"""
_LEAST = 10
"""how wide the other columns may become for it,"""
_SHRUNK = (3, 1, 2, 0)
"""the value first, of which the beginning tells least, and the place last."""
_GAP = "  "
_BELOW = "    "
"""What a formula begins with that has a line of its own."""
_WIDEST_BLOCK = 72
"""How wide an array of more than two axes is at most, also in a file: its corners are many."""
_LONGEST_FORMULA = 400
"""How many operations a formula may be written out with."""
_COUNTED = 10**9
"""How far operations are counted."""


def columns(out: TextIO) -> int | None:
    """Give the width of the terminal that is written to; a file or a pipe has none.

    The variable `COLUMNS` says the width of either.
    """
    if os.environ.get("COLUMNS", "").isdecimal() or out.isatty():
        return shutil.get_terminal_size((100, 24)).columns
    return None


def table(
    derivatives: Sequence[Row],
    width: int | None,
    *,
    latex: bool = False,
    encoding: str | None = None,
) -> str:
    """Write a table; cells are elided to the width, if there is one, but LaTeX is not.

    A formula for which its column is too narrow has the line below.

    Arrays are in matrix notation, where there is such a form and the encoding has its letters.
    """
    if not derivatives:
        return "no derivative was taken"
    rows = [_HEAD, *[_cells(row, encoding, latex=latex) for row in derivatives]]
    if width is None:
        width = sys.maxsize
        widths = [max(map(_width, c)) for c in list(zip(*rows, strict=True))[:-1]]
    else:
        widths = _fitted(rows, width)
    rest = width - sum(widths) - len(_GAP) * len(widths)
    lines = []
    for *cells, formula in rows:
        short = [_padded(_elided(c, w), w) for c, w in zip(cells, widths, strict=True)]
        is_below = _width(formula) > rest
        lines.append(_GAP.join([*short, "" if is_below else formula]).rstrip())
        if is_below:
            whole = formula if latex else _elided(formula, width - len(_BELOW))
            lines.append(f"{_BELOW}{whole}")
    return "\n".join(lines)


def _fitted(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Choose how wide the columns before the formula are, so that there is room for a formula."""
    *columns, _ = zip(*rows, strict=True)
    widths = [min(max(map(_width, c)), most) for c, most in zip(columns, _WIDEST, strict=True)]
    room = max(width - _NARROWEST - len(_GAP) * len(widths), _LEAST * len(widths))
    for k in _SHRUNK:
        over = max(sum(widths) - room, 0)
        widths[k] = max(min(widths[k], _LEAST), widths[k] - over)
    return widths


# --- cells ----------------------------------------------------------------------------------------


def _cells(row: Row, encoding: str | None, *, latex: bool) -> tuple[str, ...]:
    where = f"{row.where} ({row.count} times)" if row.count > 1 else row.where
    if row.result is None:
        return where, _quotient(row), "", "None", ""
    value = row.result.raw
    return (
        where,
        _quotient(row),
        str(np.shape(value)),
        _short(value),
        _formula(row.result, encoding, latex=latex),
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
    corners = 2 if np.ndim(value) < 3 else 1
    text = np.array2string(np.asarray(value), precision=4, threshold=6, edgeitems=corners)
    text = " ".join(text.split())
    return text if np.ndim(value) < 3 else _elided(text, _WIDEST_BLOCK)


def _formula(result: Any, encoding: str | None, *, latex: bool) -> str:
    """Write the formula of a derivative, unless it is too long to be read."""
    formula = result.formula
    count = _operations(formula.program, formula.position)
    if count > _LONGEST_FORMULA:
        return f"({count} operations)" if count < _COUNTED else f"(over {_COUNTED:,} operations)"
    try:
        written = formula.latex(Style()) if latex else _text(formula, encoding)
    except Exception as error:  # noqa: BLE001 - one formula that cannot be written is told in its row
        return " ".join(f"({type(error).__name__}: {error})".split())
    if formula.guarded:
        written += r" \quad \text{on this path}" if latex else " on this path"
    return str(written)


def _text(formula: Any, encoding: str | None) -> str:
    if formula.is_scalar:
        return str(formula.expr)
    if formula.has_differences_of_rows:
        return str(formula.index_expr())
    try:
        found = str(formula.text("plain", Style("matrix")))
        found.encode(encoding or "utf-8")
    except (NoMatrixFormError, ExpansionError, UnicodeEncodeError):
        return str(formula.index_expr())
    return found


def _operations(program: Program, position: int) -> int:
    """Count the operations of a formula, shared steps as often as they would be written."""
    counts: dict[int, int] = {}
    for p in program.ancestors([position]):
        operands = program.steps[p][1:]
        counts[p] = min(sum(counts[i] for i in operands) + bool(operands), _COUNTED)
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
