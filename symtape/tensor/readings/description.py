"""What a structure says of a Jacobian or Hessian, and what the names in it stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus.terms import structure as terms
from symtape.calculus.terms.structure import Structured
from symtape.errors import NoMatrixFormError
from symtape.forms.matrix.computed import Computed
from symtape.forms.matrix.form import MOST_PLACES, Candidate, MatrixForm
from symtape.forms.structure import banded, blocks, outline, places
from symtape.kernels.interpret import QUIET, interpret
from symtape.kernels.pattern import masks
from symtape.program.operations import Input, dtype_name
from symtape.program.program import Builder, Program

_MOST_READ = 1_000_000
"""How many elements an array may have of which the values are looked at."""

_MOST_NODES = 300
"""A formula that is longer has no outline."""


class Description(NamedTuple):
    """A text, and where in a program the parts are that it has names for."""

    text: str
    program: Program
    named: Mapping[str, int]


def described(tensor: Any, found: Structured, rows: int) -> Description:
    """Say what an array is made of."""
    word = places(found)
    outlined = None if word else _outlined(tensor, found, rows)
    if outlined is not None:
        return outlined
    is_constant = _is_constant(found)
    if word is None and is_constant and found.factors():
        word = _band(tensor, found)
    text = word or blocks(found, is_constant=is_constant)
    return Description(text, tensor.formula.program, {})


def _outlined(tensor: Any, found: Structured, rows: int) -> Description | None:
    """Write matrix notation with letters, if it is short and all of them can be computed."""
    formula = tensor.formula
    program, names, chosen = _with_choices(tensor)
    named = {n: p for n, p in formula.sight if program.steps[p][1:] and n not in names.values()}
    known = {text: p for p, text in names.items()} | named

    def read() -> MatrixForm:
        form = MatrixForm(
            program, formula.position, names, _MOST_NODES, rows=rows, flat=True, places=chosen
        )
        return form.outlined([Candidate(n, program, p, names) for n, p in named.items()])

    nameless = [names[leaf.position] for leaf in formula.all_leaves if leaf.label is None]
    form = outline(found, read, nameless)
    if form is None:
        return None
    if form.matrix.entry == 0:
        return Description("zero", formula.program, {})
    b = Builder(formula.program)
    steps = Computed(b, form.algebra, known)
    try:
        for name, part in form.parts:
            steps.leaves.setdefault(name, steps.place(part, found.dtype))
    except NoMatrixFormError:
        return None
    where = {n: steps.leaves[n] for n, _ in form.parts if n in form.mentioned}
    return Description(form.stopped().text(), b.finish(), where)


def _with_choices(tensor: Any) -> tuple[Program, dict[int, str], dict[str, list[int]]]:
    """Make leaves of integers that were computed, as the places of a sort, and read their values.

    They stay the same nearby. Give the program, the names of all leaves, and the places that nobody
    named, the first ones of many.
    """
    formula = tensor.formula
    program, names = formula.program, dict(formula.names)
    nameless = {leaf.position for leaf in formula.used if leaf.label is None}
    whole = [
        p
        for p in program.ancestors([formula.position])
        if (program.steps[p][1:] or p in nameless) and _is_of_integers(program, p)
    ]
    if not whole:
        return program, names, {}
    b = Builder(program)
    chosen = {}
    for p, value in zip(whole, values_of(tensor, program, whole), strict=True):
        if program.steps[p][1:]:
            b.steps[p] = (Input(dtype_name(b.dtypes[p]), b.shapes[p]),)
            names[p] = f"places {p}"
        chosen[names[p]] = np.ravel(value)[: MOST_PLACES + 1].tolist()
    return b.finish(), names, chosen


def _is_of_integers(program: Program, p: int) -> bool:
    dtype: Any = program.dtypes[p]
    is_small = terms.elements(program.shapes[p]) <= _MOST_READ
    return type(dtype) is not tuple and dtype.kind in "iu" and is_small


def _is_constant(found: Structured) -> bool:
    """Say whether an array depends on no watched leaf."""
    steps = found.program.steps
    used = (steps[p][0] for p in found.program.ancestors(found.factors()))
    return not any(type(op) is Input and op.watched for op in used)


def _band(tensor: Any, found: Structured) -> str | None:
    """Name the diagonals on which numbers stand that stay the same."""
    rows, columns = (terms.elements(shape) for shape in found.shape)
    if rows * columns > _MOST_READ or 1 in (rows, columns):
        return None
    shifts = [at[1] - at[0] for at in entries(tensor, found)]
    low, high = int(min(map(np.min, shifts))), int(max(map(np.max, shifts)))
    return banded(low, high) if 0 < high - low < min(rows, columns) - 1 else None


# --- values ---------------------------------------------------------------------------------------


def entries(tensor: Any, found: Structured) -> Iterator[tuple[Any, Any]]:
    """Give the flat rows and columns of the entries that can differ from zero, term by term."""
    program, factors = found.program, found.factors()
    return terms.places(found, masks(program, held_values(tensor, program, factors), factors))


def held_values(tensor: Any, program: Program, positions: Sequence[int]) -> dict[int, Any]:
    """Give the values of the leaves that some positions are computed from."""
    needed = set(program.ancestors(positions))
    held = {x.position: x for x in tensor.formula.all_leaves if x.position in needed}
    return {p: getattr(x.read(), "raw", x.read()) for p, x in held.items()}


def values_of(tensor: Any, program: Program, positions: Sequence[int]) -> list[Any]:
    """Compute some positions of a program whose leaves are those of a tensor's formula."""
    values = held_values(tensor, program, positions)
    found: list[Any] = QUIET.run(interpret, program, values, positions)
    return found
