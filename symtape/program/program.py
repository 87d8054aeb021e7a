"""The straight-line program: a list of steps, each an operation and its operands' positions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from symtape.program.authors import VALUES
from symtape.program.kinds.structural import Embed, Slice
from symtape.program.operations import (
    BOOL,
    AddN,
    Call,
    Constant,
    DType,
    Einsum,
    Input,
    Item,
    Map,
    Operation,
    Shape,
    add,
    add_n,
    broadcast_shapes,
    divide,
    dtype_name,
    dtype_named,
    multiply,
    negative,
)

Step = tuple[Any, ...]
"""An operation, then the positions of its operands: ``(multiply, 0, 0)``."""


class Guard(NamedTuple):
    """What Python control flow decided: the value that it took from a position."""

    position: int
    value: bool | int


class Program:
    """Steps in order; the position of a step names its result.

    `shapes` and `dtypes` run beside `steps`. The first `recorded` steps were recorded from a
    person's code; those after them were derived. Programs are read-only once they are built: a
    longer one is made with a `Builder`.
    """

    __slots__ = ("__weakref__", "dtypes", "guards", "memo", "recorded", "shapes", "steps")

    def __init__(
        self,
        steps: list[Step],
        shapes: list[Shape],
        dtypes: list[DType],
        guards: Sequence[Guard] = (),
        recorded: int | None = None,
    ) -> None:
        self.steps = steps
        self.shapes = shapes
        self.dtypes = dtypes
        self.guards = tuple(guards)
        self.recorded = len(steps) if recorded is None else recorded
        self.memo: dict[Any, Any] = {}
        """What readings found out about this program; a cache, never part of its meaning."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel without what readings found out."""
        names = _dtype_names(self.dtypes)
        return _restored, (self.steps, self.shapes, names, self.guards, self.recorded)

    def __len__(self) -> int:
        return len(self.steps)

    def inputs(self) -> list[int]:
        """List the positions of the tensors that enter, in order of first use."""
        return [p for p, step in enumerate(self.steps) if type(step[0]) is Input]

    def schedule(self, wanted: Iterable[int], held: Container[int]) -> tuple[list[int], list[int]]:
        """Say which positions the wanted ones need computed, and which held ones that takes."""
        steps = self.steps
        needed = bytearray(len(steps))
        for p in wanted:
            needed[p] = 1
        computed, taken = [], []
        for p in range(len(steps) - 1, -1, -1):
            if not needed[p]:
                continue
            if p in held:
                taken.append(p)
                continue
            computed.append(p)
            step = steps[p]
            if len(step) == 3:  # what most steps are, without a loop
                needed[step[1]] = needed[step[2]] = 1
            else:
                for i in step[1:]:
                    needed[i] = 1
        return computed[::-1], taken[::-1]

    def met(self, positions: Sequence[int]) -> list[int]:
        """List what positions are computed from, and themselves, as one meets them who reads."""
        found: dict[int, None] = {}
        stack = list(reversed(positions))
        while stack:
            p = stack.pop()
            if p not in found:
                found[p] = None
                stack.extend(self.steps[p][:0:-1])
        return list(found)

    def ancestors(self, positions: Iterable[int], known: Iterable[int] = ()) -> list[int]:
        """List the positions that some are computed from, in order, stopping at `known`."""
        found: set[int] = set()
        stop = known if isinstance(known, (dict, set)) else set(known)  # no copy
        stack = list(positions)
        while stack:
            p = stack.pop()
            if p not in found:
                found.add(p)
                if p not in stop:
                    stack.extend(self.steps[p][1:])
        return sorted(found)

    def __repr__(self) -> str:
        return f"<program of {len(self)} steps, which print() lists>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Write one line a step: ``v2 = multiply(v0, v1)  # float32 (3,)``."""
        for p, (operation, *operands) in enumerate(self.steps):
            inner = ", ".join(f"v{i}" for i in operands)
            call = f"{operation!r}({inner})" if operands else repr(operation)
            yield f"v{p} = {call}  # {describe(self.shapes[p], self.dtypes[p])}"


def _dtype_names(dtypes: Iterable[Any]) -> list[Any]:
    """Name dtypes: what is asked of them by identity is true of those that NumPy itself uses."""
    return [tuple(_dtype_names(d)) if isinstance(d, tuple) else dtype_name(d) for d in dtypes]


def _dtypes_named(names: Iterable[Any]) -> list[Any]:
    return [tuple(_dtypes_named(n)) if isinstance(n, tuple) else dtype_named(n) for n in names]


def _restored(
    steps: list[Step],
    shapes: list[Shape],
    names: list[Any],
    guards: tuple[Guard, ...],
    recorded: int,
) -> Program:
    return Program(steps, shapes, _dtypes_named(names), guards, recorded)


def describe(shape: Any, dtype: Any) -> str:
    """Say dtype and shape of a step in a few characters."""
    if isinstance(dtype, tuple):
        return f"{len(dtype)} results"
    return f"{dtype_name(dtype)} {shape}"


class Builder(Program):
    """A program that grows: the one place where derived steps are made.

    Equal steps are made once. Multiplying by the number one makes no step, so that a derivative
    starts as short as a person would write it; nothing else is simplified here.
    """

    __slots__ = ("_known",)

    def __init__(self, program: Program | None = None) -> None:
        if program is None:
            super().__init__([], [], [])
        else:
            super().__init__(
                program.steps.copy(),
                program.shapes.copy(),
                program.dtypes.copy(),
                program.guards,
                program.recorded,
            )
        self._known: dict[Step, int] = {}

    def finish(self) -> Program:
        """Give the program as built."""
        return Program(self.steps, self.shapes, self.dtypes, self.guards, self.recorded)

    def append(self, operation: Operation, *operands: int) -> int:
        """Add a step, unless the same one was derived before, and give its position."""
        step = (operation, *operands)
        known = self._known.get(step)
        if known is not None:
            return known
        shapes, dtypes = self.shapes, self.dtypes
        is_sum = type(operation) is AddN
        if is_sum or (type(operation) is Map and operation.result == "same"):  # most: no lists
            leading = operands[0 if is_sum else -1]
            shape, dtype = shapes[leading], dtypes[leading]
            if dtype is BOOL:
                dtype = dtypes[operands[0]]
            for i in operands:
                if shapes[i] is not shape and shapes[i] != shape:
                    shape = broadcast_shapes([shapes[k] for k in operands])
                    break
        else:
            shape, dtype = operation.infer(
                [shapes[i] for i in operands], [dtypes[i] for i in operands]
            )
        self._known[step] = position = len(self.steps)
        self.steps.append(step)
        shapes.append(shape)
        dtypes.append(dtype)
        return position

    def enter(self, leaf: Operation) -> int:
        """Add a leaf of its own: equal steps are made once, and equal leaves are two."""
        return self.apart(leaf)

    def apart(self, operation: Operation, *operands: int) -> int:
        """Add a step as one of its own, also where there is an equal one."""
        shape, dtype = operation.infer(
            [self.shapes[i] for i in operands], [self.dtypes[i] for i in operands]
        )
        self.steps.append((operation, *operands))
        self.shapes.append(shape)
        self.dtypes.append(dtype)
        return len(self.steps) - 1

    def constant(self, number: Any, dtype: DType) -> int:
        """Add a number."""
        return self.append(Constant.of(number, dtype))

    def is_number(self, position: int, number: Any) -> bool:
        """Say whether a position is the constant `number`."""
        operation = self.steps[position][0]
        return type(operation) is Constant and operation.number == number

    def multiply(self, x: int, y: int) -> int:
        """Multiply elementwise; a scalar one leaves the other as it is."""
        left, right = self.steps[x][0], self.steps[y][0]
        if type(left) is Constant and left.number == 1:
            return y
        if type(right) is Constant and right.number == 1:
            return x
        return self.append(multiply, x, y)

    def divide(self, x: int, y: int) -> int:
        """Divide elementwise."""
        return x if self.is_number(y, 1) else self.append(divide, x, y)

    def negative(self, x: int) -> int:
        """Change the sign; twice is not at all."""
        step = self.steps[x]
        if step[0] is negative and x >= self.recorded:
            return step[1]  # type: ignore[no-any-return]  # operands are positions
        return self.append(negative, x)

    def total(self, terms: Sequence[int]) -> int:
        """Add up terms of one shape or broadcasting shapes."""
        return terms[0] if len(terms) == 1 else self.append(add_n, *terms)

    def einsum(
        self,
        inputs: Sequence[Sequence[int]],
        output: Sequence[int],
        operands: Sequence[int],
        sizes: dict[int, int] | None = None,
    ) -> int:
        """Contract; scalar ones among the operands are left out."""
        kept = [
            (term, p)
            for term, p in zip(inputs, operands, strict=True)
            if term or not self.is_number(p, 1)
        ]
        if not kept:
            kept = [((), operands[0])]
        terms = [term for term, _ in kept]
        if len(kept) == 1 and tuple(terms[0]) == tuple(output) and len(set(output)) == len(output):
            return kept[0][1]
        return self.append(Einsum.of(terms, output, sizes), *[p for _, p in kept])

    def broadcast(self, x: int, shape: Shape) -> int:
        """Repeat a value to a shape that it broadcasts to."""
        have = self.shapes[x]
        if have == shape:
            return x
        term, output, sizes = [], [], {}
        for axis in range(-len(shape), 0):
            output.append(axis)
            sizes[axis] = shape[axis]
            if -axis <= len(have):
                term.append(axis if have[axis] == shape[axis] else 100 + axis)
        return self.einsum([term], output, [x], sizes)

    def copied(
        self, program: Program, given: Mapping[int, int], wanted: Sequence[int]
    ) -> dict[int, int]:
        """Copy the steps of another program as they are, also where equal ones are here.

        `given` maps its positions here; give it with those of the copies.
        """
        steps, place = program.steps, dict(given)
        where = place.__getitem__
        for p in program.schedule(wanted, place)[0]:
            operation, *operands = steps[p]
            place[p] = len(self.steps)
            self.steps.append((operation, *map(where, operands)))
            self.shapes.append(program.shapes[p])
            self.dtypes.append(program.dtypes[p])
        return place

    def splice(self, program: Program, given: dict[int, int], wanted: Sequence[int]) -> list[int]:
        """Copy the steps of another program for `wanted`; `given` maps its positions here."""
        place = dict(given)
        for p in program.ancestors(wanted, given):
            if p not in place:
                operation, *operands = program.steps[p]
                place[p] = self.append(operation, *[place[i] for i in operands])
        return [place[p] for p in wanted]


def inline(program: Program) -> tuple[Program, list[int]]:
    """Open up every `Call`; give the program without calls and each old position's new place."""
    if not any(type(step[0]) is Call for step in program.steps):
        return program, list(range(len(program)))
    flat = Builder()
    place: list[Any] = []
    for p, (operation, *operands) in enumerate(program.steps):
        if type(operation) is Call:
            given = dict(zip(operation.inputs, [place[i] for i in operands], strict=True))
            inner, moved = inline(operation.program)
            given = {moved[i]: q for i, q in given.items()}
            place.append(flat.splice(inner, given, [moved[i] for i in operation.outputs]))
        elif type(operation) is Item:
            place.append(place[operands[0]][operation.k])
        else:
            place.append(len(flat.steps))
            flat.steps.append((operation, *[place[i] for i in operands]))
            flat.shapes.append(program.shapes[p])
            flat.dtypes.append(program.dtypes[p])
    flat.guards = tuple(Guard(place[g.position], g.value) for g in program.guards)
    flat.recorded = len(flat.steps)
    return flat.finish(), place


_COMMUTE = {add, multiply}


def shared(program: Program, needed: Iterable[int] | None = None) -> tuple[Program, list[int]]:
    """Let every step read the first of the steps that equal its operands.

    Give the program, with the same positions, and for each position the first that equals it.
    Positions that are not `needed` are left as they are. A derivation is on positions, and must not
    take one step for another that happens to be equal; what is computed of a derived program may.
    """
    first = list(range(len(program)))
    if shared in program.memo:
        return program, first
    known: dict[tuple[Any, ...], int] = {}
    steps, where = program.steps.copy(), first.__getitem__
    for p in first.copy() if needed is None else sorted(needed):
        step = steps[p]
        operation = step[0]
        if len(step) == 3:
            i, j = first[step[1]], first[step[2]]
            if i != step[1] or j != step[2]:
                steps[p] = step = (operation, i, j)
            if i > j and operation in _COMMUTE:
                step = (operation, j, i)
        elif len(step) > 1:
            steps[p] = step = (operation, *map(where, step[1:]))
        if operation in VALUES:
            first[p] = steps[p][1]
            continue
        kind = type(operation)
        if (kind is Slice or kind is Embed) and operation.ends:
            steps[p] = step = (operation.plain, *step[1:])
        if kind is not Input and kind is not Call:
            first[p] = known.setdefault(step, p)
    made = Program(steps, program.shapes, program.dtypes, program.guards, program.recorded)
    if needed is None:
        made.memo[shared] = True
    return made, first
