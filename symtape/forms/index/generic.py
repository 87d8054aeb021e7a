"""The generic entry of a formula: step by step, or of its matrix form, whichever is shorter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from symtape.errors import ExpansionError, NoMatrixFormError, UnsupportedError
from symtape.forms import limits
from symtape.forms.index import entry as index
from symtape.forms.index.contracted import shortest
from symtape.forms.index.parts import IndexForm, of_matrix, of_steps
from symtape.forms.index.places import signed
from symtape.forms.index.ranges import scope
from symtape.forms.matrix.form import Chosen, MatrixForm
from symtape.forms.scalars.decimals import without_long
from symtape.program.program import Program

Read = Callable[[], MatrixForm]
"""Reads the matrix form; raises where there is none."""


_TOO_LONG = 10
"""What has so many times the parts step by step is not shorter in the end."""


def generic_entry(
    program: Program,
    position: int,
    names: Mapping[int, str],
    at: Sequence[Any],
    read: Read,
    max_nodes: int = limits.MAX_NODES,
    taken: Collection[str] = (),
) -> Any:
    """Write the entry of a position at some indices; dummies have no name that is `taken`."""
    short = entry_of_matrix(program, position, names, at, read, taken)
    most = max_nodes if short is None else min(max_nodes, _TOO_LONG * limits.marks(short))
    try:
        whole = index.index_expression(program, position, names, at, most, taken)
    except (ExpansionError, UnsupportedError):
        if short is None:
            raise
        return short
    return without_long(signed(whole if short is None else min(short, whole, key=limits.marks)))


def generic_form(
    program: Program,
    position: int,
    names: Mapping[int, str],
    at: Sequence[Any],
    read: Read,
    chosen: Chosen,
    max_nodes: int = limits.MAX_NODES,
    taken: Collection[str] = (),
) -> IndexForm:
    """Write the entry of a position with names for parts: those of its matrix form, if it has one.

    Raises `ValueError` for a stop that is not there.
    """
    if len(program.shapes[position]) <= 2:
        found = _of_matrix(program, position, names, at, lambda: read().naming(chosen), taken)
        if found is not None:
            return found.map(signed)
    return of_steps(program, position, names, at, chosen, taken, max_nodes).map(signed)


def entry_of_matrix(
    program: Program,
    position: int,
    names: Mapping[int, str],
    at: Sequence[Any],
    read: Read,
    taken: Collection[str] = (),
) -> Any | None:
    """Write the generic entry by the matrix form, if there is one."""
    found = _of_matrix(program, position, names, at, read, taken)
    return None if found is None else found.entry


def _of_matrix(
    program: Program,
    position: int,
    names: Mapping[int, str],
    at: Sequence[Any],
    read: Read,
    taken: Collection[str],
) -> IndexForm | None:
    """Write the entries of a matrix form and of its parts, if there is one to be read by them."""
    dtypes = {name: program.dtypes[p] for p, name in names.items()}
    try:
        form = read()
        if form.is_multiplied_out:
            return None
        found = of_matrix(form, program.shapes[position], at, dtypes, taken)
    except (NoMatrixFormError, ExpansionError):
        return None
    return found._replace(entry=shortest(found.entry, scope(at, program.shapes[position])))
