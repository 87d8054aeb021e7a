r"""Sums over an index: `\sum_{i=1}^n (y_i - x_i^\top b)^2` is of all rows of arrays X and y.

What has the index below it is a row, and reads as any other variable does; so what the letters are
is found as without a sum. The family of all rows has the letter without the index.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from symtape.notation.components import components, has_components
from symtape.notation.components import parts as _parts
from symtape.notation.ranges import Used, is_shifted, letters, of_no_sum, parts_of
from symtape.notation.ranges import indices as indices_of
from symtape.notation.tree import AmbiguousError, Node, folded, in_order, refused

_CALLED = {"sum": "sum", "prod": "product", "max": "maximum", "min": "minimum"}
_REACH = "is the index of a sum, which ends at the next + or -: say by parentheses what it is of"


class Whole(NamedTuple):
    """An array whose rows a sum goes over, and how many there are, as a number or a letter."""

    name: str
    number: int | str


class Indexed(NamedTuple):
    """A tree with sums, the letter of each row's family, and the letters that say how many.

    The `wholes` are arrays that a person told the shapes of, for their rows. Letters that have
    components in sums, and those that stand in them, have so many axes, their `ranks`. What rows a
    sum takes of those that have a letter is a part for its range, and what is added to its index.
    """

    root: Node
    rows: Mapping[str, str]
    limits: frozenset[str]
    wholes: Mapping[str, Whole] = MappingProxyType({})
    ranks: Mapping[str, int] = MappingProxyType({})
    parts: Mapping[str, Mapping[Used, slice]] = MappingProxyType({})


def indexed(text: str, root: Node, told: Collection[str] = ()) -> Indexed:
    """Find the rows that sums go over, or the components that they are of.

    What a sum does not bind, or binds in part, is refused. `told` are letters of which something is
    said.

    >>> from symtape.notation.ranges import Range
    >>> body = Node("name", (), 0, "x_i")
    >>> indexed("", Node("total", (body,), 0, ("i", Range(1, "n", 0), "sum"))).rows
    {'x_i': 'x'}
    """
    totals = [node for node in in_order(root) if node.word == "total"]
    limits = frozenset(n.value[1].letter for n in totals if n.value[1].letter)
    limits |= frozenset(_counts(root))
    if has_components(root):
        found = components(text, root, told)
        return Indexed(found.root, {}, limits, ranks=found.ranks)
    indices = {node.value[0] for node in totals}
    bound: dict[int, int] = {}
    first: dict[str, str] = {}
    used: dict[str, dict[Used, None]] = {}
    for total in totals:
        for node in _members(text, total):
            base, below = _parts(node.value)
            letter, shift = indices_of(below)[0]
            first.setdefault(base, f"{base}_{letter}")
            used.setdefault(first[base], {})[total.value[1], shift] = None
            bound[node.at] = shift
    for node in in_order(root):
        if node.word == "name" and node.at not in bound:
            _check_free(text, node, indices, first)

    def named(node: Node, own: list[Node]) -> Node:
        if node.word != "name" or node.at not in bound:
            return node._replace(operands=tuple(own))
        row = node._replace(value=first[_parts(node.value)[0]])
        shift = bound[node.at]
        return Node("shifted", (row,), node.at, shift) if shift else row

    rows = {row: base for base, row in first.items()}
    taken = {row: parts_of(text, totals[0].at, row, own) for row, own in used.items()}
    own_root = folded(root, named) if totals else root
    return Indexed(own_root, rows, limits, parts=taken)


def _counts(root: Node) -> Iterator[str]:
    """List the letters that say how many numbers there are: n of range(n)."""
    for node in in_order(root):
        if node.word == "call" and node.value[0] == "range" and len(node.operands) == 1:
            (count,) = node.operands
            if count.word == "name":
                yield count.value


def _members(text: str, total: Node) -> list[Node]:
    """List the rows in a sum."""
    index, _, word = total.value
    inside = in_order(total.operands[0])
    found = [n for n in inside if n.word == "name" and letters(_parts(n.value)[1]) == index]
    if not found:
        raise refused(text, total.at, f"nothing in the {_CALLED[word]} has the index {index}")
    return found


def _check_free(text: str, node: Node, indices: set[str], first: Mapping[str, str]) -> None:
    """Refuse a letter that an index of a sum may be meant by, or that has one elsewhere."""
    base, below = _parts(node.value)
    if is_shifted(below):
        raise refused(text, node.at, of_no_sum(node.value))
    for index in sorted(indices):
        if node.value == index:
            raise refused(text, node.at, f"{index} is the index of a sum, and no number in it")
        if below == index:
            raise refused(text, node.at, f"{index} {_REACH}")
        if index in below and below not in _WORDS:
            raise refused(text, node.at, f"{node.value} has {index} below it beside other letters")
    if node.value in first or (base in first and below not in _OF_THEIR_OWN):
        name = base if base in first else node.value
        own = first[name]
        why = f"{node.value} may be made of all {own}, or one of them: if it is another variable"
        raise refused(text, node.at, f"{why}, call it else")


_OF_THEIR_OWN = ("hat", "tilde", "dot", "ddot")
"""The accents that make another letter; with a bar it is a mean."""

_WORDS = frozenset({"max", "min", *_OF_THEIR_OWN, "bar"})


class Rows(NamedTuple):
    """What is called x_i: the name of the array whose rows they are, and how many there are."""

    whole: str
    number: int


def wholes_of(row: str, base: str, told: Collection[str]) -> list[str]:
    """Name the arrays among some that x_i may be a row of: x, or X.

    >>> wholes_of("x_i", "x", ["X", "y"])
    ['X']
    """
    return [] if row in told else [v for v in _calls(base) if v in told]


def _calls(base: str) -> list[str]:
    return [*dict.fromkeys([base, base.upper()])] if len(base) == 1 else [base]


def with_wholes(
    sums: Indexed, declared: Mapping[str, Sequence[int | str]]
) -> tuple[Indexed, dict[str, Sequence[int | str]]]:
    """Take the shapes of whole arrays for those of their rows."""
    used = {node.value for node in in_order(sums.root) if node.word == "name"}
    free = {v: shape for v, shape in declared.items() if v not in used}
    told, wholes = dict(declared), {}
    for row, base in sums.rows.items():
        if row in declared:
            continue
        found = [v for v in wholes_of(row, base, free) if free[v]]
        if len(found) > 1:
            raise AmbiguousError(f"is {row} a row of {' or of '.join(found)}?")
        for v in found:
            wholes[row] = Whole(v, free[v][0])
            told[row] = told.pop(v)[1:]
    return sums._replace(wholes=wholes), told


def rows_of(
    sums: Indexed, ranks: Mapping[str, int], count: Callable[[int | str | None], int]
) -> dict[str, Rows]:
    """Name the arrays whose rows a sum goes over: that of columns x_i is X; a matrix is no row."""
    found = {}
    for row, base in sums.rows.items():
        if ranks[row] > 1:
            why = "sums go over numbers and columns, and a number has the shape ()"
            raise AmbiguousError(f"is {row} a matrix? {why}: --shape {row}=")
        large, whole = base.upper(), sums.wholes.get(row)
        is_free = len(base) == 1 and large != "I" and large not in {*ranks, *sums.rows.values()}
        name = whole.name if whole else large if ranks[row] and is_free else base
        found[row] = Rows(name, count(whole and whole.number))
    return found
