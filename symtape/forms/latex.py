"""LaTeX of formulas: of expressions as SymPy prints them, and of programs step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from symtape.errors import ExpansionError, NoExactFormError, UnsupportedError
from symtape.forms.index import IndexWriter, index_symbols
from symtape.program.operations import Operation
from symtape.program.program import Program


def scalar(expression: Any) -> str:
    """Write an ordinary expression."""
    return str(sp.latex(expression))


def entries(array: Any) -> str:
    """Write an array of expressions as a matrix, or a matrix of matrices."""
    return str(sp.latex(sp.ImmutableDenseNDimArray(array) if array.ndim else array[()]))


def steps(program: Program, position: int, names: Mapping[int, str]) -> str:
    """Write the shared steps as an `align*` environment, a line a step, the last one the result."""
    order = program.ancestors([position])
    labels = dict(names)
    count = 0
    lines = []
    for p in order:
        if p in names:
            continue
        if not program.steps[p][1:]:
            continue
        count += 1
        label = f"v_{{{count}}}"
        lines.append(rf"{_entry(label, program, p)} &= {_right(program, p, labels)}")
        labels[p] = label
    if not lines:
        right = names.get(position) or sp.latex(program.steps[position][0].number)
        lines.append(rf"v_{{1}} &= {right}")
    body = " \\\\\n".join(lines)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"


def _symbols(program: Program, p: int) -> tuple[Any, ...]:
    return index_symbols(len(program.shapes[p]), set())


def _entry(label: str, program: Program, p: int) -> str:
    at = _symbols(program, p)
    base = label[:-1] if at else label
    return f"{base};{' '.join(map(str, at))}}}" if at else base


def _right(program: Program, p: int, labels: Mapping[int, str]) -> str:
    """Write one step in index notation over the names of its operands."""
    operands = program.steps[p][1:]
    known = {i: labels[i] for i in operands if i in labels}
    writer = IndexWriter(program, known)
    at = _symbols(program, p)
    writer.taken |= {str(i) for i in at}
    writer.fresh = len(at)
    try:
        return str(sp.latex(writer.entry(p, at)))
    except (ExpansionError, NoExactFormError, UnsupportedError):
        inner = ", ".join(known.get(i, "\\cdot") for i in operands)
        return rf"{_operator(program.steps[p][0])}\left({inner}\right)"


def _operator(operation: Operation) -> str:
    """Name a step that has no entries of its own."""
    name = getattr(operation, "function", type(operation).__name__.lower())
    part = getattr(operation, "part", None)
    return rf"\operatorname{{{name}}}" + (rf"_{{\mathrm{{{part}}}}}" if part else "")
