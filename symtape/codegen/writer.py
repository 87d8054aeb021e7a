"""Writes steps as statements of NumPy: one a step, elementwise neighbours as one expression."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from symtape.codegen.scope import Scope
from symtape.codegen.shaped import SHAPED, Known, is_of_scalars, plain, shaped
from symtape.codegen.statements import Statements
from symtape.codegen.together import elements, put_parts, turned_parts
from symtape.kernels.contraction import EVERY
from symtape.kernels.interpret import NARROW, kernels_for
from symtape.kernels.nodes import NP, Attribute, Group, Node, Operator, Phrase, Slot, Variable, Word
from symtape.kernels.scalar_code import body, is_choice, long_body, strong
from symtape.kernels.source import element_node, literal, slice_node, sum_form, whole
from symtape.lowering.blocks import Loop, arrange
from symtape.program import operations as ops
from symtape.program.kinds.structural import Slice
from symtape.program.operations import AddN, DType, Einsum, Map, Operation, Shape, dtype_name
from symtape.program.program import Program

_WHOLE = {Map(name, 2, "same") for name in ("floordiv", "floormod")}
"""What raises where integers are divided by 0."""
_NONZERO = Word("nonzero")(Slot(0))


_WIDE = 2**13
"""Elements of a result whose memory the next ones can take, as it is in the cache."""
_LONG = 64
"""Elements of a result whose powers are taken as it is fast, not as it is shortest to read."""


class Writer(Statements):
    """Writes one statement a step, with elementwise steps that are used once written in place."""

    def __init__(
        self,
        program: Program,
        given: Mapping[int, Phrase],
        outputs: Sequence[int],
        scope: Scope,
        letter: str = "v",
    ) -> None:
        super().__init__(program, given, outputs, scope)
        self.letter = letter
        self.given = frozenset(given)
        self.taken = frozenset(given.values())
        self.is_narrow = kernels_for(program.dtypes) is NARROW
        self.seen: dict[str, str] = {}
        self.home: dict[int, Loop] = {}
        self.embedded: set[int] = set()
        self.loop: Loop | None = None
        items = self.order if self.is_narrow else arrange(program, self.order, outputs)
        for item in items:
            if isinstance(item, Loop):
                self.home.update(dict.fromkeys(item.members, item))
                self.embedded.update(*item.embedded.values())
        self.readers = self._find_readers(self.order) if self.home else {}
        self.elements: set[int] = set()
        self.put: set[int] = set()
        self.turned: set[int] = set()
        if not self.is_narrow:
            self._find_together()
        for item in items:
            if isinstance(item, Loop):
                self._write_loop(item)
            else:
                self._write(item)

    def _find_readers(self, order: Sequence[int]) -> dict[int, list[int]]:
        readers: dict[int, list[int]] = defaultdict(list)
        for p in order:
            for i in set(self.program.steps[p][1:]):
                readers[i].append(p)
        return readers

    def _find_together(self) -> None:
        """Find what is written with the step that reads it, where no loop does it."""
        in_loops = self.embedded.union(self.home)
        alone = [
            p
            for p in self.order
            if self.uses[p] == 1 and p not in in_loops and self.parent[p] not in in_loops
        ]
        self.elements = elements(self.program, alone, self.parent)
        self.put = put_parts(self.program, alone, self.parent)
        if self.put:
            self.turned = turned_parts(self.program, self.put, self.uses).difference(self.home)

    def statement(self, target: Phrase, made: Phrase, sign: str = "=") -> None:
        """Add a statement."""
        text = f"{target.text} {sign} {made.text}"
        is_within = self.loop is not None
        self.lines.append((f"    {text}" if is_within else text, (target, made), is_within))

    def large(self) -> set[str]:
        """Name the results that fill much of the cache, and the views of them."""
        shapes = self.program.shapes
        large = {shape for shape in set(shapes) if prod(shape) >= _WIDE}
        names = {
            node.text
            for p, node in self.nodes.items()
            if large and shapes[p] in large and p not in self.given
        }
        for p in self.order if names else ():
            operation, *operands = self.program.steps[p]
            if type(operation) is Slice and p in self.nodes:
                base = self.nodes.get(operands[0])
                names |= {self.nodes[p].text} if base and base.text in names else set()
        return names | {view for view, base in self.seen.items() if base in names}

    def operand(self, p: int) -> Phrase:
        """Give a result: its variable, or a number of its dtype."""
        return self.nodes[p] if p in self.nodes else self._number(p, weak=False)

    def _number(self, p: int, *, weak: bool) -> Phrase:
        return self.scope.phrase(literal(self.numbers[p], weak=weak))

    @cached_property
    def _block(self) -> Variable:
        """The slice of rows that a loop is at."""
        return self.scope.variable("s")

    def _rows(self, variable: Phrase, axis: int) -> Phrase:
        """Index the rows of a block along an axis."""
        return self.scope.phrase(variable[(*[EVERY] * axis, self._block)])

    def _write(self, p: int) -> None:
        if p in self.elements or p in self.put or p in self.turned:
            return
        operation, *operands = self.program.steps[p]
        if self.put and not self.put.isdisjoint(operands):
            self._put_together(p, operation, operands)
            return
        form, given = self._written(p, operation, operands)
        made = self.scope.phrase(form, given)
        if self.uses[p] == 1 and self.is_in_place(p, made):
            self.nodes[p] = made
        elif self.loop is None:
            self.nodes[p] = target = self.own(p)
            self.statement(target, made)
        elif p in self.loop.summed:
            self.statement(self.own(p), made, "+=")
        else:
            self._assign_rows(p, form, given, self.loop)

    def _written(
        self, p: int, operation: Operation, operands: Sequence[int]
    ) -> tuple[Node, Sequence[Phrase]]:
        """Write a step, of slots or of its operands."""
        if operands and operands[0] in self.elements:
            taken, source = self.program.steps[operands[0]]
            form = element_node(taken, Slot(0), self.program.shapes[source])
            return form, [self.operand(source)]
        given: Sequence[Phrase]
        try:
            given = list(map(self.nodes.__getitem__, operands))
        except KeyError:
            given = self._with_numbers(operation, operands)
        if type(operation) is AddN:
            return sum_form(len(given)), given
        if type(operation) is not Map:
            return self._form(p, operation, given)
        if operation in _WHOLE and self.program.dtypes[p].kind in "iu":
            given = [given[0], self._divisor(operands[1], given[1])]
        shape = self.program.shapes[p]
        return (long_body if shape and prod(shape) >= _LONG else body)(operation), given

    def _put_together(self, p: int, operation: Operation, operands: Sequence[int]) -> None:
        """Add to the first term, or to zeros: parts at their places, others to the whole."""
        target, shape = self.own(p), self.program.shapes[p]
        started = self._started(p, operands[0])
        self._make(p, started or NP.zeros(*_array_of(shape, self.program.dtypes[p])))
        self.nodes[p] = target
        for k, i in enumerate(operands):
            if k == 0 and started:
                continue
            part, is_minus = i, bool(k) and operation is ops.subtract
            place: Phrase = target
            if i in self.put:
                embed, part = self.program.steps[i]
                place = self.scope.phrase(slice_node(embed.ranges, target, len(shape)))
                if part in self.turned:
                    part, is_minus = self.program.steps[part][1], not is_minus
            self.statement(place, self.operand(part), "-=" if is_minus else "+=")

    def _started(self, p: int, first: int) -> Node | None:
        """Give the first term of a sum as an array of its own, unless it is a part."""
        shapes, dtypes = self.program.shapes, self.program.dtypes
        if first in self.put or shapes[first] != shapes[p] or dtypes[first] != dtypes[p]:
            return None
        if first not in self.nodes:
            return None
        made = self.nodes[first]
        return made if self._is_fresh(first) else Attribute(made, "copy")()

    def _divisor(self, p: int, divisor: Phrase) -> Phrase:
        """Let integers that are 0 raise where others are divided by them."""
        return divisor if p in self.numbers else self.scope.phrase(_NONZERO, [divisor])

    def _form(
        self, p: int, operation: Operation, given: Sequence[Phrase]
    ) -> tuple[Node, Sequence[Phrase]]:
        """Write a step that is not elementwise, of slots or of its operands."""
        if self.parts:
            found = self.part(p, lambda: whole(operation, given))  # type: ignore[arg-type]  # of a Part
            if found is not None:
                return found, ()
        if self.is_narrow or type(operation) not in SHAPED:
            return plain(operation, len(given)), given
        operands = self.program.steps[p][1:]
        known = Known(
            tuple([self.program.shapes[i] for i in operands]),
            tuple([self.program.dtypes[i] for i in operands]),
            tuple([self._is_fresh(i) for i in operands]),
        )
        if is_of_scalars(operation, known):
            given = [self.nodes.get(i) or self._number(i, weak=True) for i in operands]
        return shaped(operation, known), given

    def _with_numbers(self, operation: Operation, operands: Sequence[int]) -> list[Phrase]:
        """Give operands, some of them numbers, which take the dtype of the others if they can."""
        numbers = frozenset([k for k, i in enumerate(operands) if i not in self.nodes])
        arrays = len(numbers) < len(operands)
        kept = _strong_numbers(operation, numbers) if arrays else numbers
        return [
            self.operand(i) if k in kept or i not in self.numbers else self._number(i, weak=True)
            for k, i in enumerate(operands)
        ]

    def _assign_rows(self, p: int, form: Node, given: Sequence[Phrase], loop: Loop) -> None:
        """Put the rows of a result of a loop where they belong."""
        target, axis = self.own(p), loop.axis[p]
        views = self.views.get(p, [])
        is_stored = p in loop.stored
        is_read = any([self.home.get(q) is loop for q in self.readers[p]])
        if is_read or is_stored + len(views) > 1:
            rows = self.scope.variable(f"{target.text}_s") if is_stored else target
            self.nodes[p] = rows
            self.statement(rows, self.scope.phrase(form, given))
            form, given = rows, ()
        if is_stored:
            self.statement(self._rows(target, axis), self.scope.phrase(form, given))
        for view in views:
            is_minus = isinstance(form, Operator) and form.data[0] == ("-",)
            sign, added = ("-=", form.parts[0]) if is_minus else ("+=", form)
            self.statement(self._rows(view, axis), self.scope.phrase(added, given), sign)

    def _write_loop(self, loop: Loop) -> None:
        """Write a loop over blocks: where results go, the slices it reads, and its steps."""
        before = dict(self.nodes)
        self._write_places(loop)
        blocks = self.scope.write(Word("blocks")(loop.size, loop.rows))
        self.lines.append((f"for {self._block.text} in {blocks}:", (), False))
        self.loop = loop
        for p, axis in loop.sliced.items():
            base = self.nodes[p]
            self.nodes[p] = rows = self.scope.variable(f"{base.text}_s")
            self.seen[rows.text] = base.text
            self.statement(rows, self._rows(base, axis))
        for p in loop.members:
            self._write(p)
        self.loop = None
        left = (*loop.stored, *loop.summed, *loop.embedded)
        self.nodes = before | {p: self.own(p) for p in left}

    def _write_places(self, loop: Loop) -> None:
        """Make the arrays that a loop fills."""
        shapes, dtypes = self.program.shapes, self.program.dtypes
        for p in loop.stored:
            self._make(p, NP.empty(*_array_of(shapes[p], dtypes[p])))
        for p in loop.summed:
            self._make(p, NP.zeros(*_array_of(shapes[p], dtypes[p]))[Group(())])
        self.views: dict[int, list[Variable]] = {}
        for total, embedded in loop.embedded.items():
            if total not in self.nodes:  # a loop before may have begun
                self._make(total, NP.zeros(*_array_of(shapes[total], dtypes[total])))
            base = self.own(total)
            for k, q in enumerate(embedded):
                if self.home.get(q):  # a term without a place is added to the whole
                    self.views.setdefault(q, []).append(base)
                    continue
                operation, p = self.program.steps[q]
                view = self.scope.variable(f"{base.text}_{k}")
                self.seen[view.text] = base.text
                rows = slice_node(operation.ranges, base, len(shapes[total]))
                self.statement(view, self.scope.phrase(rows))
                self.views.setdefault(p, []).append(view)

    def _make(self, p: int, node: Node) -> None:
        self.statement(self.own(p), self.scope.phrase(node))

    def _is_fresh(self, p: int) -> bool:
        """Say whether a value is an array of its own that nobody else reads."""
        operation, *operands = self.program.steps[p]
        if self.uses[p] != 1 or p in self.given or self.nodes.get(p) in self.taken:
            return False
        if type(operation) is Map:  # real parts are views
            return operation.result != "real" and not isinstance(body(operation), Slot)
        many = len(operands) > 1 and not getattr(operation, "sizes", ())
        return type(operation) in {AddN, Einsum} and many

    def is_in_place(self, p: int, made: Phrase) -> bool:
        """Say whether a result is written where it is read, in a step of its shape and loop."""
        above = self.parent[p]
        if above in self.turned and self.uses[above] > 1:
            return False
        if self.program.shapes[p] != self.program.shapes[above] or not super().is_in_place(p, made):
            return False
        if not self.home:
            return True
        is_left = self.loop is not None and (p in self.loop.stored or p in self.loop.summed)
        return self.home.get(p) is self.home.get(above) and not is_left


def _array_of(shape: Shape, dtype: DType) -> list[Any]:
    """List the arguments that make an array."""
    size = shape[0] if len(shape) == 1 else shape
    return [size] if dtype == np.float64 else [size, dtype_name(dtype)]


def _strong_numbers(operation: Operation, numbers: frozenset[int]) -> frozenset[int]:
    """Find the numbers among operands that need a dtype: where no array gives them its own."""
    if type(operation) is Map:
        return numbers if is_choice(operation) else strong(operation, numbers)
    return frozenset() if type(operation) is AddN else numbers
