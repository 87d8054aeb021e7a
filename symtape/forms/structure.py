"""The structure of a Jacobian or Hessian in a few words: `diagonal`, `diag(p) - p pᵀ`, `dense`.

Words say where entries can differ from zero, which the terms tell. What is more than its places is
written in matrix notation, with names for what has one and letters for functions of entries.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import prod

from symtape.calculus.terms.structure import Structured
from symtape.calculus.terms.terms import Term, is_plain
from symtape.errors import ExpansionError, NoMatrixFormError
from symtape.forms.matrix.form import MatrixForm
from symtape.forms.matrix.nodes import Leaf, Named, Turned

_MOST_TERMS = 5
_MOST_LONG = 40
"""What is longer is no outline."""


def places(found: Structured) -> str | None:
    """Say on which diagonals the entries stand, if that is what there is to say."""
    if not found.terms:
        return "zero"
    if len(found.terms) == 1 and _is_diagonal(found, found.terms[0]):
        return "diagonal" if found.terms[0].used & {*found.terms[0].placed} else None
    return _band(found)


def outline(
    found: Structured, form: Callable[[], MatrixForm], nameless: Collection[str]
) -> MatrixForm | None:
    """Give the matrix form with its parts; None where there is none, or only one that says nothing.

    That is a letter, or a leaf that nobody named.
    """
    if len(found.terms) > _MOST_TERMS:
        return None
    try:
        made = form()
    except (NoMatrixFormError, ExpansionError):
        return None
    node = made.algebra.node(made.matrix)
    inner = node.of if isinstance(node, Turned) else node
    while isinstance(inner, Named) and inner.name == "vec":
        inner = made.algebra.node(inner.of[0])
    is_opaque = isinstance(inner, Leaf) and inner.name in {*nameless, *dict(made.parts)}
    is_long = made.algebra.length(made.matrix) > _MOST_LONG
    return None if is_opaque or is_long else made


def blocks(found: Structured, *, is_constant: bool) -> str:
    """Say what has no outline in a word."""
    shared = [bool(_shared(t)) for t in found.terms]
    if len(shared) == 1 and found.terms[0].number == 1 and not found.terms[0].factors:
        rows, columns = found.shape
        return "permutation" if prod(rows) == prod(columns) else "selection"
    if all(_is_block(found, t) for t in found.terms):
        return "block diagonal"
    return "block" if all(shared) else "constant" if is_constant else "dense"


# --- terms ----------------------------------------------------------------------------------------


def _shared(term: Term) -> set[int]:
    """List the indices that rows and columns share."""
    columns = {i for form in term.axes for i in form.indices}
    return {i for form in term.target for i in form.indices if i in columns}


def _is_whole(found: Structured, term: Term) -> bool:
    """Say whether a term fills all rows and columns."""
    rows, columns = found.shape
    pairs = zip(term.forms, rows + columns, strict=True)
    return all(is_plain(form, n, found.sizes) for form, n in pairs)


def _is_diagonal(found: Structured, term: Term) -> bool:
    """Say whether rows and columns are the same."""
    rows, columns = found.shape
    same = rows == columns and term.target == term.axes
    return same and _is_whole(found, term) and any(form.parts for form in term.target)


def _is_block(found: Structured, term: Term) -> bool:
    """Say whether the first axes of rows and columns are the same."""
    pairs = zip(term.target, term.axes, strict=False)
    return _is_whole(found, term) and any(a == b and a.parts for a, b in pairs)


# --- bands ----------------------------------------------------------------------------------------


def _band(found: Structured) -> str | None:
    """Describe terms that stand on diagonals beside each other."""
    terms, (rows, columns) = found.terms, found.shape
    if len(rows) != 1 or len(columns) != 1:
        return None
    pairs = [term.forms for term in terms]
    if any(a.parts != b.parts or [s for s, _ in a.parts] not in ([], [1]) for a, b in pairs):
        return None
    shifts = {b.offset - a.offset for a, b in pairs}
    is_numbered = any(t.factors for t in terms) or len(terms) > 1
    if shifts == {0} and rows == columns:
        return "diagonal" if is_numbered else None
    if len(terms) == 1 and not is_numbered:
        return None
    low, high = min(shifts), max(shifts)
    if len(shifts) == 1 or len(shifts) == rows[0] + columns[0] - 1:
        return None
    if len(shifts) == high - low + 1:
        return banded(low, high)
    if rows != columns:
        return None
    return f"diagonals {', '.join(map(str, sorted(shifts)))}"


def banded(low: int, high: int) -> str:
    """Name a band by its diagonals."""
    named = {(-1, 1): "tridiagonal", (0, 1): "bidiagonal", (-1, 0): "bidiagonal"}
    return named.get((low, high), f"banded, diagonals {low} to {high}")
