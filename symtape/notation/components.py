r"""Sums over components: in `\sum_{i,j} A_{ij} x_i x_j` each index goes along an axis.

A sum is of components where it goes over several indices, or a letter has several of them. All that
stands in it is a number then: what a column would mean there is refused. `\delta_{ij}` is the unit
matrix.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from symtape.notation.ranges import (
    Index,
    Range,
    Used,
    indices,
    is_shifted,
    letters,
    of_no_sum,
    parts_of,
)
from symtape.notation.tree import Node, folded, in_order, refused
from symtape.notation.words import ENTRYWISE, SAME

_MOST_INDICES = 6
MOST_AXES = 2
_OF_NUMBERS = frozenset(
    "add subtract negative times dot multiply divide over fraction power powers roots number name "
    "entry delta components exponential bars tested where maximum minimum".split()
)
_COLUMNS = (
    "a sum over several indices is of components, which are numbers: say of columns by matrices, "
    r"as \operatorname{tr}(X^\top X A)"
)


class Components(NamedTuple):
    """A tree in which letters with indices are components, and how many axes each letter has."""

    root: Node
    ranks: Mapping[str, int]


def parts(name: str) -> tuple[str, str]:
    """Take a name apart: the letter, and what stands below it.

    >>> parts("A_ij"), parts("x")
    (('A', 'ij'), ('x', ''))
    """
    base, _, below = name.rpartition("_")
    return (base, below) if base else (below, "")


def has_components(root: Node) -> bool:
    """Say whether sums are of components: one is in another, or a letter has several indices."""
    for total in _totals(root):
        inside = [*in_order(total.operands[0])]
        names = [letters(parts(n.value)[1]) for n in inside if n.word == "name"]
        is_alone = all(n.word != "total" for n in inside)
        if not is_alone or any(len(b) > 1 and {*b} == {total.value[0]} for b in names):
            return True
    return _has_wholes(root)


def _has_wholes(root: Node) -> bool:
    """Say whether a column stands whole beside a sum of its entries, as in |x|^2 + sum_i log x_i.

    Of what is transposed or in a norm nobody means a number.
    """
    inside = [node for total in _totals(root) for node in in_order(total.operands[0])]
    indices = {total.value[0] for total in _totals(root)}
    if not all(map(_is_of_numbers, inside)):
        return False
    names = [parts(node.value) for node in inside if node.word == "name"]
    rows, places = {x for x, b in names if letters(b) in indices}, {node.at for node in inside}
    arrays = [n for n in in_order(root) if n.word in ("norm", "transpose") and n.at not in places]
    within = [node for array in arrays for node in in_order(array) if node.at not in places]
    return any(node.word == "name" and node.value in rows for node in within)


def _totals(root: Node) -> Iterator[Node]:
    return (node for node in in_order(root) if node.word == "total")


def components(text: str, root: Node, told: Collection[str] = ()) -> Components:
    r"""Find the components in sums; `told` are letters of which something is said.

    >>> from symtape.notation.ranges import Range
    >>> name = Node("name", (), 0, "A_ii")
    >>> components("", Node("total", (name,), 1, ("i", Range(), "sum"))).ranks
    {'A': 2}
    """
    return _Finder(text, root, told).found()


class _Finder:
    """Finds the components of a tree."""

    def __init__(self, text: str, root: Node, told: Collection[str]) -> None:
        self.text, self.root, self.told = text, root, told
        self.around: dict[int, dict[str, Range]] = {}
        """The indices of the sums around what stands at a place, and how far they go."""
        self.ranks: dict[str, int] = {}
        totals = [*_totals(root)]
        self.frame = tuple(dict.fromkeys(total.value[0] for total in totals))
        self.limits = {total.value[1].letter for total in totals}
        if len(self.frame) > _MOST_INDICES:
            raise refused(text, totals[-1].at, f"there are at most {_MOST_INDICES} indices")
        for total in totals:
            for node in in_order(total.operands[0]):
                self.around.setdefault(node.at, {})[total.value[0]] = total.value[1]
        self.parts = self._parts()

    def _parts(self) -> dict[tuple[str, int], dict[Used, slice]]:
        """Find the parts of each axis of a letter that its indices take."""
        used: dict[tuple[str, int], dict[Used, None]] = {}
        for node in in_order(self.root):
            base, below = parts(node.value) if node.word == "name" else ("", "")
            own = self.around.get(node.at, {})
            for k, (letter, shift) in enumerate(indices(below)):
                if {*letters(below)} <= own.keys():
                    used.setdefault((base, k), {})[own[letter], shift] = None
        at = self.root.at
        return {key: parts_of(self.text, at, key[0], taken) for key, taken in used.items()}

    def found(self) -> Components:
        root: Node = folded(self.root, self._made)
        return Components(root, self.ranks)

    def _made(self, node: Node, own: list[Any]) -> Node:
        around = self.around.get(node.at, {})
        node = node._replace(operands=tuple(own))
        if node.word == "total":
            return self._sum(node, around)
        if node.word == "name":
            return self._name(node, around)
        if around and not _is_of_numbers(node):
            raise refused(self.text, node.at, _COLUMNS)
        return node

    def _sum(self, node: Node, around: Collection[str]) -> Node:
        index, own, word = node.value
        if index in around:
            raise refused(self.text, node.at, f"{index} is the index of the sum around this one")
        value = self.frame.index(index), index, own, word, not around
        return node._replace(word="components", value=value)

    def _name(self, node: Node, around: Mapping[str, Range]) -> Node:
        name = str(node.value)
        base, written = parts(name)
        below = letters(written)
        if name in self.frame:
            raise refused(self.text, node.at, f"{name} is the index of a sum, and no number")
        if around and below and {*below} <= {*around}:
            return self._component(node, base, indices(written), around)
        if below and {*below} & {*self.frame} and {*below} <= {*_LETTERS}:
            free = next((c for c in below if c not in around), below[0])
            why = f"{free} is no index of a sum around {name}: each index has its \\sum"
            raise refused(self.text, node.at, why)
        if is_shifted(written):
            raise refused(self.text, node.at, of_no_sum(name))
        if around and name not in self.limits:
            self._has_axes(node, name, 0)
        return node

    def _component(
        self, node: Node, base: str, own: Sequence[Index], around: Mapping[str, Range]
    ) -> Node:
        below = "".join([letter for letter, _ in own])
        if base == "delta" and len({*below}) == len(below) == MOST_AXES and base not in self.told:
            if any(shift for _, shift in own) or not all(around[i].lower == 1 for i in below):
                raise refused(self.text, node.at, "the unit matrix has indices from 1, as they are")
            return node._replace(word="delta", value=(below, self.frame))
        if len(below) > MOST_AXES:
            raise refused(self.text, node.at, f"a letter has at most {MOST_AXES} indices")
        self._has_axes(node, base, len(below))
        taken = [self.parts[base, k][around[i], shift] for k, (i, shift) in enumerate(own)]
        return node._replace(word="entry", value=(base, below, self.frame, tuple(taken)))

    def _has_axes(self, node: Node, letter: str, count: int) -> None:
        """Let a letter have so many axes, wherever it stands in sums."""
        if self.ranks.setdefault(letter, count) != count:
            why = f"{letter} stands here with {counted(count)}, and elsewhere with"
            raise refused(self.text, node.at, f"{why} {counted(self.ranks[letter])}")


def counted(count: int) -> str:
    """Say how many indices a letter has.

    >>> counted(0), counted(1)
    ('no index', '1 index')
    """
    return f"{count or 'no'} {'index' if count < MOST_AXES else 'indices'}"


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _is_of_numbers(node: Node) -> bool:
    """Say whether an operation gives a number of numbers."""
    if node.word == "call":
        return SAME.get(node.value[0], node.value[0]) in ENTRYWISE
    return node.word in _OF_NUMBERS
