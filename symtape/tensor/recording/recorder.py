"""What a tape writes down: steps of a program, and the tensors that they made.

Recording is the hot path. It looks up operands by identity, appends one tuple and decides nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from symtape.program.authors import passed
from symtape.program.operations import Call, Input, Operation, identity, item
from symtape.program.program import Program, Step, inline
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.custom import Custom, Rule
from symtape.tensor.recording.deciding import NOTHING, Deciding
from symtape.tensor.recording.hearing import Hearing
from symtape.tensor.recording.provenance import Asked, Held, Leaf, Noted, in_order, slightly

_START = itemgetter(0)
_EMPTY: list[Any] = []
_NOBODY: frozenset[int] = frozenset()
"""What a released recording has in place of its lists; never changed."""


class Recording(Hearing, Deciding):
    """The steps between `with` and the gradient, and every tensor of them while the tape lives.

    `known` maps tensors that a watched one reached to their positions; `others` those that only
    entered, or that carry no derivative (comparisons, integers, `stop_gradient`).
    """

    # what most tapes never set is set on the class: making a recording is part of every gradient
    variables: dict[int, tuple[Any, list[int]]] = NOTHING
    kept: tuple[Any, ...] | None = None
    refuses: bool = False
    """Whether it raises where a derivative would be lost with a value that leaves."""
    keeps: bool = False
    """Whether it holds large arrays, too, that entered what nobody watches."""
    is_asked: bool = False
    """Whether something was derived of it that nobody had derived before."""
    derivatives: list[tuple[int, int, tuple[Any, ...], tuple[Any, ...]]] = _EMPTY
    """Where the results of each derivative that was taken inside start and end, and which it is."""
    customs: tuple[Custom, ...] = ()
    _program: tuple[int, Program, list[int]] | None = None
    _entered: list[int] | None = None

    def __init__(self, watches_variables: bool = True, opener: int | None = None) -> None:
        self.steps: list[Step] = []
        self.tensors: list[Any] = []
        self.known: dict[int, int] = {}
        self.watches_variables = watches_variables
        self.opener = opener

    # --- entering -----------------------------------------------------------------------------

    def watch(self, tensor: Any) -> None:
        """Record what is computed from a tensor from now on."""
        place = id(tensor)
        if place in self.known:
            return
        position = self.others.get(place)
        if position is None:
            position = self._enter(tensor, watched=True)
        elif type(self.steps[position][0]) is Input:
            self.steps[position] = tensor.leaf_step(watched=True)
            self._program = None
        self.known[place] = position

    def know(self, tensor: Any) -> None:
        """Record what is computed from a tensor that is no symbol: it keeps its formula."""
        if id(tensor) not in self.known:
            self.known[id(tensor)] = self._place(tensor)

    def watches(self, handle: Any) -> bool:
        """Say whether reads of a variable are watched: of trainable ones, and on request."""
        return (self.watches_variables and handle.trainable) or id(handle) in self.variables

    def watch_variable(self, handle: Any) -> None:
        """Watch the present version of a variable; each version is a leaf of its own."""
        tensor = handle.tensor
        if id(tensor) not in self.known:
            if id(tensor) in self.others:  # what was read before it was watched stays unwatched
                tensor = handle.renewed()
            self.watch_version(handle, tensor)

    def watch_version(self, handle: Any, tensor: Any) -> None:
        """Watch a value that a variable has, or had when it was read."""
        self.watch(tensor)
        self.notice(handle).append(self.known[id(tensor)])

    def notice(self, handle: Any) -> list[int]:
        """Count a variable among those that are watched; gives where its versions stand."""
        if self.variables is NOTHING:
            self.variables = {}
        positions: list[int] = self.variables.setdefault(id(handle), (handle, []))[1]
        return positions

    def _enter(self, tensor: Any, *, watched: bool = False) -> int:
        """Make a tensor that nobody recorded a leaf, and find out its name."""
        position = len(self.steps)
        self.steps.append(tensor.leaf_step(watched=watched))
        self.tensors.append(tensor)
        if tensor.label is None:
            origin = tensor.origin
            if watched or origin is None or (origin[0] is not self and not self.made(tensor)):
                tensor.find_label(self.opener)
        if not watched:
            if self.others is NOTHING:
                self.others = {}
            self.others[id(tensor)] = position
        block = self.outermost or self
        if block.settled:
            block.entered_late(tensor)
        return position

    # --- recording ----------------------------------------------------------------------------

    def record1(self, operation: Operation, x: Any, out: Any) -> None:
        """Record a step of one operand, if the operand is one of ours."""
        i = self.known.get(id(x))
        if i is None:
            self._record_shadow(operation, (x,), out)
            return
        self.steps.append((operation, i))
        self._made(operation, out)

    def record2(self, operation: Operation, x: Any, y: Any, out: Any) -> None:
        """Record a step of two operands, if one of them is ours."""
        known = self.known
        i, j = known.get(id(x)), known.get(id(y))
        if i is None:
            if j is None:
                self._record_shadow(operation, (x, y), out)
                return
            i = self._place(x)
        elif j is None:
            j = self._place(y)
        self.steps.append((operation, i, j))
        self._made(operation, out)

    def record(self, operation: Operation, operands: Sequence[Any], out: Any) -> None:
        """Record a step of any number of operands, if one of them is ours."""
        known = self.known
        if not any([id(x) in known for x in operands]):
            self._record_shadow(operation, operands, out)
            return
        places = [self._place(x) for x in operands]
        self.steps.append((operation, *places))
        self._made(operation, out)

    def _made(self, operation: Operation, out: Any) -> None:
        tensors = self.tensors
        position = len(tensors)
        tensors.append(out)
        if operation.discrete:
            self._overshadow(out, position)
        else:
            self.known[id(out)] = position
        out.origin = (self, position)

    def append(self, tensor: Any, operation: Operation, *places: int) -> int:
        """Write down a step, and hold its result, or None; gives where it stands."""
        self.steps.append((operation, *places))
        self.tensors.append(tensor)
        return len(self.steps) - 1

    def _overshadow(self, out: Any, position: int) -> None:
        if self.others is NOTHING:
            self.others = {}
        self.others[id(out)] = position
        if not isinstance(self.shadows, set):
            self.shadows = set()
        self.shadows.add(id(out))

    def _record_shadow(self, operation: Operation, operands: Sequence[Any], out: Any) -> None:
        """Record what has no derivative but may decide a branch: what shadows made.

        What is not recorded remembers itself how it was computed.
        """
        if self.shadows and any([id(x) in self.shadows for x in operands]):
            places = [self._place(x) for x in operands]
            self._overshadow(out, len(self.steps))
            out.origin = (self, len(self.steps))
            self.steps.append((operation, *places))
            self.tensors.append(out)
        elif out.origin is None and THREAD.state.recordings[-1] is self:
            self._remember(operation, operands, out)

    def _place(self, tensor: Any) -> int:
        place = id(tensor)
        position = self.known.get(place)
        if position is None:
            position = self.others.get(place)
        return self._enter(tensor) if position is None else position

    def replace(self, old: Any, new: Any) -> None:
        """Let another tensor object stand for what was recorded for one."""
        position = self.known.pop(id(old), None)
        if position is not None:
            self.known[id(new)] = position
            self.tensors[position] = new

    def record_call(self, call: Call, operands: Sequence[Any], results: Sequence[Any]) -> bool:
        """Record a derivative that was computed inside this tape, as one step with many results."""
        if not any([id(x) in self.known for x in operands]):
            return False
        places = [self._place(x) for x in operands]  # what enters comes before the call
        place = len(self.steps)
        self.steps.append((call, *places))
        self.tensors.append(None)
        for position, (k, result) in enumerate(enumerate(results), place + 1):
            self.steps.append((item(k), place))
            self.tensors.append(result)
            self.known[id(result)] = position
            result.origin = (self, position)
        return True

    def record_custom(
        self, rule: Rule, inputs: Sequence[Any], results: Sequence[Any], outs: Sequence[Any]
    ) -> None:
        """Record results of a function with a gradient of its own, if an input is one of ours."""
        if not self.knows(inputs):
            for result, out in zip(results, outs, strict=True):
                self.record1(identity, result, out)
            return
        places: list[int | None] = []
        for result, out in zip(results, outs, strict=True):
            if self.takes_rule(result):
                self.steps.append((passed, self._place(result)))  # a leaf may enter first
                places.append(len(self.tensors))
                self._made(passed, out)
            else:
                self.record1(identity, result, out)
                places.append(None)
        entered = tuple([self.known.get(id(x)) for x in inputs])
        self.customs += (Custom(rule, entered, tuple(places)),)

    def takes_rule(self, result: Any) -> bool:
        """Say whether the derivative of a result is its author's: of all that have one, it is."""
        has_derivative: bool = result.raw.dtype.kind in "fcV"
        return has_derivative

    def knows(self, tensors: Sequence[Any]) -> bool:
        """Say whether some tensor depends on what is watched."""
        return any([id(x) in self.known for x in tensors])

    def graft(self, other: Recording, results: Sequence[Any]) -> None:
        """Write down the steps of another recording, and hold nothing but results of them.

        No derivative flows through the results.
        """
        moved: list[int] = []
        for step, tensor in zip(other.steps, other.tensors, strict=True):
            if len(step) == 1:
                moved.append(self._place(tensor))
                continue
            moved.append(len(self.steps))
            self.steps.append((step[0], *[moved[i] for i in step[1:]]))
            self.tensors.append(None)
        self.guards += tuple([g._replace(position=moved[g.position]) for g in other.guards])
        for result in results:
            position = other.known.get(id(result))
            if position is not None and id(result) not in self.known:
                if self.others is NOTHING:
                    self.others = {}
                self.others[id(result)] = moved[position]
                self.tensors[moved[position]] = result

    def note(
        self,
        noted: tuple[Any, ...],
        count: int,
        after: int,
        tensors: Sequence[Any],
        ends: Sequence[Sequence[int]],
    ) -> None:
        """Remember which derivative the results are that were recorded last, before some others.

        `noted` are the parts of a `Noted`, which is made when somebody asks; `ends` say in which of
        the tensors the axes of a result are, where operations do not tell it.
        """
        end = len(self.steps) - after
        if self.derivatives is _EMPTY:
            self.derivatives = []
        own: tuple[Any, ...] = ()
        if ends:
            place = self.known.get
            own = tuple([tuple([place(id(tensors[i])) for i in at]) for at in ends])
        self.derivatives.append((end - count, end, noted, own))

    # --- reading ------------------------------------------------------------------------------

    def program(self) -> tuple[Program, list[int]]:
        """Give the program so far, calls opened up, and the place in it of each position."""
        if self._program is None or (self.kept is None and self._program[0] != len(self.steps)):
            self._program = (len(self.steps), *self._build())
            self._entered = None  # what was taken over is of an earlier time
        return self._program[1], self._program[2]

    def _build(self) -> tuple[Program, list[int]]:
        shapes: list[Any] = []
        dtypes: list[Any] = []
        for (operation, *operands), tensor in zip(self.steps, self.tensors, strict=True):
            if tensor is None or getattr(tensor, "is_late", False):
                given = [shapes[i] for i in operands], [dtypes[i] for i in operands]
                shape, dtype = operation.infer(*given)
            else:
                shape, dtype = tensor.raw.shape, tensor.raw.dtype
            shapes.append(shape)
            dtypes.append(dtype)
        return inline(Program(self.steps.copy(), shapes, dtypes, self.guards))

    def locate(self, position: int) -> tuple[Program, int]:
        """Find a recorded position in the program."""
        program, places = self.program()
        return program, places[position]

    def positions(self) -> Sequence[int]:
        """Give the place in the program of each recorded position; no tensor is a whole call."""
        return [p if isinstance(p, int) else 0 for p in self.program()[1]]

    def asked(self, position: int) -> tuple[Asked, int] | None:
        """Say which derivative an inner tape gave with a result."""
        found = bisect_right(self.derivatives, position, key=_START) - 1
        if found < 0:
            return None
        start, end, noted, _ = self.derivatives[found]
        return (Noted(*noted).asked(), position - start) if position < end else None

    @property
    def ends(self) -> tuple[Any, ...]:
        """Give the places of the tensors whose axes the derivatives of inner tapes have."""
        return tuple([noted[3] for noted in self.derivatives])

    @property
    def alike(self) -> list[tuple[int, tuple[int, ...]]]:
        """Say whose axes the axes of the derivatives are that inner tapes gave."""
        places = self.program()[1] if self.derivatives else []
        return [
            (places[start + k], tuple([places[p] for p in own]))
            for start, _, _, ends in self.derivatives
            for k, own in enumerate(ends)
            if None not in own
        ]

    def leaves(self) -> list[Leaf]:
        """List the tensors that entered, in the order in which they did."""
        program, places = self.program()
        steps = program.steps
        if self.kept is not None:
            columns = [self.kept[k::3] for k in range(3)]
            return [
                kept_leaf(p, *columns_of, watched=steps[p][0].watched)
                for p, *columns_of in zip(program.inputs(), *columns, strict=True)
            ]
        found = [(places[p], self.tensors[p]) for p in self.entered()]
        return [
            Leaf(p, x.label, Held(x), steps[p][0].watched, self.origin_of(x, steps[p]))
            for p, x in found
        ]

    def labels(self) -> dict[Any, str | None]:
        """Name all that came into the block from outside, in the order in which it did."""
        positions = self._entered if self.kept is not None else None
        at = self.entered() if positions is None else positions
        entries = () if self.beside is None else self.beside.entries
        return in_order(list(zip(at, self.leaves(), strict=True)), entries)

    def entered(self) -> list[int]:
        """List the positions of the tensors that entered."""
        return [p for p, step in enumerate(self.steps) if type(step[0]) is Input]

    def adopt(self, program: Program, places: list[int], entered: list[int]) -> None:
        """Take over what was found out about an earlier recording of the same structure."""
        self._program = (len(self.steps), program, places)
        self._entered = entered

    def release(self) -> None:
        """Let go of every array; formulas stay, and values of leaves that someone else holds.

        What stays is small, since a training loop may keep every loss that it computed.
        """
        if self.kept is None:
            del self.steps[len(self.tensors) :]  # a signal may come before a step has its tensor
            program, places = self.program()
            tensors = self.tensors
            kept: list[Any] = []
            entered = self._entered if self._entered is not None else self.entered()
            for p in entered:
                tensor = tensors[p]
                if tensor.origin is not None:
                    origin = self.origin_of(tensor, self.steps[p])
                    if origin is not None:
                        kept += (origin, None, None)
                        continue
                kept += (tensor.label, *slightly(tensor))
            self.kept = tuple(kept)
            if self.beside is not None:
                self._entered = entered
                self.beside.release()
            self._program = (0, program, places)
            self.steps = self.tensors = _EMPTY
            self.guards = ()
            if self.customs:
                self.customs = tuple([custom.released() for custom in self.customs])
            self.known = self.others = self.variables = self.settled = NOTHING
            self.shadows = _NOBODY


def kept_leaf(position: int, label: Any, kept: Any, version: int | None, *, watched: bool) -> Leaf:
    """Make the leaf of what a recording kept: of what was computed, how."""
    if type(label) is tuple:
        return Leaf(position, None, Held(None), watched, label)
    return Leaf(position, label, Held(kept, version), watched)
