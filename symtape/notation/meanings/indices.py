r"""What indices mean in LaTeX: rows that sums go over, components, and entries by their number."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from symtape.notation.components import MOST_AXES, counted
from symtape.notation.meanings.blocks import Both
from symtape.notation.meanings.norms import Norms
from symtape.notation.ranges import Range, Used
from symtape.notation.sizes import ONE, MismatchError, Shape, Sizes
from symtape.notation.sums import Rows
from symtape.notation.tree import Node, in_order, refused
from symtape.notation.typed import Typed


class IndexReader(Norms):
    """Settles sums over an index, and what has one below it."""

    def __init__(
        self,
        text: str,
        sizes: Sizes,
        variables: Mapping[str, Shape],
        rows: Mapping[str, Rows],
        limits: Mapping[str, int],
        parts: Mapping[str, Mapping[Used, slice]],
    ) -> None:
        super().__init__(text, sizes, variables)
        self.rows, self.limits, self.parts = rows, limits, parts
        self.shifted: dict[str, tuple[str, int]] = {}
        """The rows before and behind others, as they are called in sums."""

    def _name(self, node: Node) -> Both:
        size = self.limits.get(node.value)
        return super()._name(node) if size is None else self.made("size", [], (ONE, ONE), size)

    def has_row(self, x: Both) -> bool:
        """Say whether a row of a matrix stands there, which is a row or a column on paper."""
        names = [one for one in in_order(x.typed) if one.word == "name" and one.shape]
        return any(one.value in self.rows for one in names)

    def _total(self, node: Node, a: Both) -> Both:
        """Add up what is computed of each row, of arrays that have as many."""
        _, own, word = node.value
        if word in ("max", "min") and not self.is_scalar(a):
            raise refused(self.text, node.at, f"a {word}imum over rows is one of numbers")
        used = {x.value: x for x in in_order(a.typed) if x.word in ("name", "size")}
        rows = [v for v in used if self._row_of(v)[0] in self.rows]
        count = self._count(own)
        count = self.rows[rows[0]].number if count is None else count
        for v in rows:
            row, shift = self._row_of(v)
            try:
                used[v] = self._all_rows(row, self.parts[row][own, shift])
                self.sizes.same(count, used[v].shape[0])
            except MismatchError:
                why = f"there are not as many {v} here as elsewhere, or as others"
                raise refused(self.text, node.at, why) from None
        value = (a.typed, tuple(used), tuple(rows), word)
        return Both(Typed("total", tuple(used.values()), a.typed.shape, value), a.pair)

    def _count(self, own: Range) -> int | None:
        """Give the size that an index goes through, if its sum says it."""
        if own.letter:
            size, less = self.limits[own.letter], own.lower - 1 - (own.upper or 0)
            return self.sizes.less(size, less) if less else size
        return None if own.upper is None else self.sizes.given(own.upper - own.lower + 1, {})

    def _row_of(self, v: Any) -> tuple[Any, int]:
        """Give the row that a name in a sum is, and what is added to its index."""
        return self.shifted.get(v, (v, 0))

    def _all_rows(self, row: str, part: slice) -> Typed:
        """Give the rows that a sum goes over."""
        own = self.rows[row]
        shape = (own.number, *self.variables[row])
        return self.taken(Typed("name", (), shape, own.whole), [part])

    def _shifted(self, node: Node, a: Both) -> Both:
        """Take the row before or behind: x_{t-1} is another row than x_t."""
        row = node.operands[0].value
        name = f"{row}{node.value:+d}"
        self.shifted[name] = (row, node.value)
        own = in_order(a.typed)
        made = [x._replace(value=name) if x.word == "name" else x for x in own]
        return a._replace(typed=made[-1]._replace(operands=tuple(made[:-1])))

    def _entry(self, node: Node) -> Both:
        """Take a component of a vector or a matrix."""
        base, below, frame, taken = node.value
        shape = self.variables[base]
        if len(shape) != len(below):
            why = f"{base} has {counted(len(below))} here, and {len(shape)} axes"
            raise refused(self.text, node.at, why)
        whole = Typed("name", (), shape, base)
        return self._component(self.taken(whole, taken), below, frame)

    def _numbered(self, node: Node, a: Both) -> Both:
        """Take the entry x_1 or A_{12} of a variable, whose places are counted from 1."""
        name = node.operands[0].value
        rank = len(self.variables[name])
        numbers = node.value.split(",")
        if len(node.value) == rank == MOST_AXES:  # a row and a column of one digit each
            numbers = [*node.value]
        if len(numbers) != rank:
            why = f"{name} has {counted(len(numbers))} here, and {rank} axes"
            raise refused(self.text, node.at, why)
        places = tuple([int(n) - 1 for n in numbers])
        if min(places) < 0:
            why = f"entries are counted from 1 here; from 0 the first is {name}[0]"
            raise refused(self.text, node.at, why)
        return self._item(node._replace(value=places), a)

    def _delta(self, node: Node) -> Both:
        """Take a component of the unit matrix."""
        return self._component(self._unit(node).typed, *node.value)

    def _component(self, whole: Typed, below: str, frame: tuple[str, ...]) -> Both:
        if len({*below}) < len(below):
            self.sizes.same(*whole.shape)
        return Both(Typed("entry", (whole,), (), (below, frame)), (ONE, ONE))

    def _components(self, node: Node, a: Both) -> Both:
        """Add up along an axis of all components that have an index."""
        axis, index, own, word, is_outer = node.value
        entries = [x for x in in_order(a.typed) if x.word == "entry"]
        along = [
            size
            for x in entries
            for letter, size in zip(x.value[0], x.operands[0].shape, strict=True)
            if letter == index
        ]
        if not along:
            raise refused(self.text, node.at, f"nothing in the sum has the index {index}")
        wholes = {id(x) for entry in entries for x in in_order(entry.operands[0])}
        if any(x.shape and id(x) not in wholes for x in in_order(a.typed)):
            why = "letters without an index are numbers in a sum over components"
            raise refused(self.text, node.at, why)
        count = self._count(own)
        try:
            for size in along:
                self.sizes.same(along[0] if count is None else count, size)
        except MismatchError:
            why = f"{index} does not go as far here as elsewhere"
            raise refused(self.text, node.at, why) from None
        return Both(Typed("components", (a.typed,), (), (axis, word, is_outer)), (ONE, ONE))


def is_product(typed: Typed) -> bool:
    """Say whether factors are multiplied that have an index, beside others or not."""
    if typed.word in _SPLIT:
        return any(map(is_product, typed.operands))
    return typed.word in ("total", "components") and "prod" in typed.value


def log_of_product(typed: Typed) -> Typed:
    """Add up the logarithms of factors, which has the same slope, and a formula for any number.

    It has no value where two factors are negative, as the product has; so nothing is judged by it.
    """
    if not is_product(typed):
        return Typed("log", (typed,), typed.shape)
    if typed.word in _SPLIT:
        logarithms = tuple(map(log_of_product, typed.operands))
        return Typed(_SPLIT[typed.word], logarithms, typed.shape)
    value = tuple(["sum" if part == "prod" else part for part in typed.value])
    if typed.word == "components":
        return typed._replace(operands=(log_of_product(typed.operands[0]),), value=value)
    return typed._replace(value=(log_of_product(typed.value[0]), *value[1:]))


_SPLIT = MappingProxyType({"multiply": "add", "divide": "subtract"})
