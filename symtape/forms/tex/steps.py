"""LaTeX of programs, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from symtape.errors import ExpansionError, NoExactFormError, UnsupportedError
from symtape.forms.index.entry import IndexWriter, index_symbols
from symtape.forms.index.extrema import plain
from symtape.forms.limits import MAX_STEPS
from symtape.forms.tex.latex import Leaves, letter_of, scalar
from symtape.program.numbers import written_number
from symtape.program.operations import Operation
from symtape.program.program import Program, shared


def steps(
    program: Program, position: int, names: Mapping[int, str], max_steps: int = MAX_STEPS
) -> str:
    """Write the shared steps as an `align*` environment, a line a step, the last one the result.

    Equal steps are one, and what is made of numbers alone stands where it is used.
    """
    program, first = shared(program, program.ancestors([position]))
    position = first[position]
    order = program.ancestors([position])
    if len(order) > max_steps:
        raise ExpansionError(
            f"latex('steps') would write {len(order)} steps, more than {max_steps}; "
            f"latex('steps', max_steps={len(order)}) writes them, and tape.program lists them"
        )
    leaves = {name: program.shapes[p] for p, name in names.items()}
    letter = letter_of(leaves)
    labels = dict(names)
    count = 0
    lines = []
    for p in order:
        if p in names:
            continue
        if p != position and _is_of_numbers(program, p, labels):
            continue
        if not program.steps[p][1:]:
            continue
        count += 1
        label = f"{letter}_{{{count}}}"
        lines.append(rf"{_entry(label, program, p)} &= {_right(program, p, labels, leaves)}")
        labels[p] = label
    if not lines:
        number = program.steps[position][0]
        right = sp.Symbol(names[position]) if position in names else written_number(number.number)
        lines.append(rf"{letter}_{{1}} &= {scalar(right, leaves)}")
    body = " \\\\\n".join(lines)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"


def _is_of_numbers(program: Program, p: int, labels: Mapping[int, str]) -> bool:
    """Say whether a step is a number that is made of numbers."""
    operands = program.steps[p][1:]
    are_numbers = all(program.shapes[i] == () and i not in labels for i in operands)
    return program.shapes[p] == () and are_numbers


def _symbols(program: Program, p: int) -> tuple[Any, ...]:
    return index_symbols(len(program.shapes[p]), set())


def _entry(label: str, program: Program, p: int) -> str:
    at = _symbols(program, p)
    base = label[:-1] if at else label
    return f"{base};{' '.join(map(str, at))}}}" if at else base


def _right(program: Program, p: int, labels: Mapping[int, str], leaves: Leaves) -> str:
    """Write one step in index notation over the names of its operands."""
    operands = program.steps[p][1:]
    known = {i: labels[i] for i in operands if i in labels}
    writer = IndexWriter(program, known)
    at = _symbols(program, p)
    writer.taken |= {str(i) for i in at}
    writer.fresh = len(at)
    try:
        return scalar(plain(writer.entry(p, at)), leaves)
    except (ExpansionError, NoExactFormError, UnsupportedError):
        written = {i: scalar(sp.Symbol(name), leaves) for i, name in known.items()}
        inner = ", ".join(written.get(i, "\\cdot") for i in operands)
        return rf"{_operator(program.steps[p][0])}\left({inner}\right)"


def _operator(operation: Operation) -> str:
    """Name a step that has no entries of its own."""
    name = getattr(operation, "function", type(operation).__name__.lower())
    part = getattr(operation, "part", None)
    return rf"\operatorname{{{name}}}" + (rf"_{{\mathrm{{{part}}}}}" if part else "")
