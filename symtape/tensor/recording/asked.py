"""Which derivative a tensor is: of what, and by what, as the caller calls them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from symtape.forms.tex.left import Left, Name, Slope, Total
from symtape.tensor.names import find
from symtape.tensor.recording.provenance import Asked, By

_OTHERWISE = 'lhs="f" calls it f'


def left_side(tensor: Any, lhs: bool | str, leaves: Collection[str]) -> Left:
    """Say what a tensor is: the derivative that was asked for, or by its name.

    `lhs` is the name of what was derived, or True if it is that of a variable of the caller. Raises
    `ValueError` where there is none, where it is that of a leaf, and for what has no such notation.
    """
    made = _of(tensor, lhs if isinstance(lhs, str) else None)
    functions = [n.text for n in _functions(made)]
    taken = next((f for f in functions if f in leaves), None)
    if taken is not None and not (isinstance(made, Name) and tensor.origin is None):
        raise ValueError(f"lhs=: {taken!r} is the name of a leaf, too; {_OTHERWISE}")
    return made


def _functions(left: Left) -> list[Name]:
    """List the names of what is derived."""
    if isinstance(left, Name):
        return [left]
    inner = (left.of,) if isinstance(left, Slope) else left.terms
    return [name for part in inner for name in _functions(part)]


def _of(tensor: Any, given: str | None) -> Left:
    source, place = tensor.origin or (None, None)
    found = source.asked(place) if source is not None and type(place) is not tuple else None
    if found is None:
        return Name(_name(tensor, given), len(tensor.shape))
    asked, k = found
    if asked.has_no_notation:
        raise ValueError(f"lhs= is not for {asked.has_no_notation}, which have no common notation")
    by = _variable(tensor, asked.sources[k])
    function = _function(asked, given, len(tensor.shape) - by.rank)
    return Slope(Slope(function, by), by) if asked.kind == "hessian" else Slope(function, by)


def _function(asked: Asked, given: str | None, rank: int) -> Left:
    """Say what was derived; what a gradient derives is a number."""
    is_jacobian = asked.kind == "jacobian"
    if given is not None:
        return Name(given, rank if is_jacobian else 0)
    targets = [target() for target in asked.targets]
    if any(target is None for target in targets):
        raise ValueError(f"lhs=True: what was derived is gone; {_OTHERWISE}")
    made = [_of(target, None) for target in targets]
    is_one = is_jacobian or (len(made) == 1 and made[0].rank == 0)
    return made[0] if is_one else Total(tuple(made))


def _variable(tensor: Any, by: By) -> Name:
    """Name what was derived by: a leaf as in the formula, another tensor as the caller does."""
    formula, key = tensor.formula, by.held.identity
    for leaf in formula.all_leaves:
        is_forgotten = leaf.tensor.of is None  # the formula does not depend on it
        if leaf.label == by.label if is_forgotten else leaf.tensor.identity == key:
            return Name(formula.names[leaf.position], by.rank)
    source = by.held.alive()
    if by.label is None and source is None:
        raise ValueError("lhs=True: a tensor by which was derived is gone")
    return Name(by.label or _name(source, None), by.rank)


def _name(tensor: Any, given: str | None) -> str:
    own = tensor.label if tensor.origin is None else None
    opener = getattr(tensor.origin and tensor.origin[0], "opener", None)
    name = given or own or find(tensor, opener, thorough=True)
    if name is None:
        raise ValueError(f"lhs=True: no variable of the caller holds the function; {_OTHERWISE}")
    return name
