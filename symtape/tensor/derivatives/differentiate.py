"""Derivatives of a recording: derived once for a structure, then run on the values of each tape."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.cache import Cache
from symtape.calculus import derive
from symtape.calculus.broadcasting import broadcast
from symtape.calculus.derive import Derived
from symtape.calculus.directional import directional as along
from symtape.calculus.terms.jacobian import jacobian as derive_jacobian
from symtape.codegen.compile import LARGEST, Source
from symtape.errors import UnsupportedError
from symtape.kernels.collection import without_collections
from symtape.kernels.interpret import NARROW, execute, kernels_for
from symtape.lowering.blocks import is_large
from symtape.program.operations import Call, Input
from symtape.program.program import Builder, Program
from symtape.program.sharing import shared
from symtape.program.sizes.axes import Alike, Axis
from symtape.program.sizes.resizing import Resized
from symtape.tensor.late import LateTensor, Pending
from symtape.tensor.names import values_in_sight
from symtape.tensor.recording.provenance import Asked, By, Decision, Held, Leaf, slightly
from symtape.tensor.recording.recorder import THREAD, Recording
from symtape.tensor.recording.travel import Provenance
from symtape.tensor.tensor import Tensor

_CACHE = Cache(max_entries=1024, max_steps=4_000_000, is_shared=True)
_WEIGHTED = "gradients with output_gradients"
_LATE = 10_000
"""How many entries a Jacobian or Hessian has that is computed when it is asked for."""


class Taken(NamedTuple):
    """A derivative that was taken: a result stands for each source, None where nothing connects."""

    kind: str
    targets: Sequence[Any]
    sources: Sequence[Any]
    results: Sequence[Tensor | None]


OBSERVERS: list[Callable[[Taken], None]] = []
"""Called with every derivative that a tape gives."""


Places = Sequence[int]
"""The place in the program of each recorded position."""


class Meant(NamedTuple):
    """A derivative that somebody asked for, where another one is taken as a part of it.

    `targets` are tensors; `is_weighted` says that there were output_gradients.
    """

    kind: str
    targets: Sequence[Tensor]
    is_weighted: bool = False


LinearMap = tuple[int, list[int]]
"""A target, and the versions of a source, as positions of the derived program."""


class Plan:
    """A derived program, where its values come from, and the function that computes it."""

    __slots__ = (
        "_call",
        "_computed",
        "_function",
        "_is_large",
        "_kernels",
        "_read",
        "_schedule",
        "_wanted",
        "alike",
        "compiled",
        "computed",
        "derived",
        "entered",
        "fed",
        "fresh",
        "has_no_notation",
        "inputs",
        "is_late",
        "kind",
        "labelled",
        "leaves",
        "maps",
        "places",
        "program",
        "recipes",
        "results",
        "rows",
        "runs",
        "size",
        "sources",
        "targets",
    )  # fmt: skip

    def __init__(
        self, recording: Recording, what: tuple[Any, ...], seeds: Sequence[Tensor]
    ) -> None:
        with without_collections():
            self._derive(recording, what, seeds)
        self._call: Call | None = None
        self._function: Callable[..., Any] | None = None
        self.compiled: Callable[..., list[Tensor]] | None = None
        self.runs = 0
        self.fresh = True
        self.size = len(self.derived.program)
        self._kernels = kernels_for(self.derived.program.dtypes)

    def _derive(self, recording: Recording, what: tuple[Any, ...], seeds: Sequence[Tensor]) -> None:
        self.program, self.places = recording.program()
        self.entered = recording.entered()
        b = Builder(self.program)
        seeded = [b.enter(*seed.leaf_step()) for seed in seeds]
        kind, *arguments = what
        self.rows = _rows(self.program, self.places, kind, arguments)
        self.derived = DERIVATIONS[kind](b.finish(), self.places, seeded, *arguments)
        self.maps = self._maps(kind, arguments)
        self._find_sources(kind, arguments, weighted=bool(seeds))
        program = self.derived.program
        held = {self.places[p]: p for p, t in enumerate(recording.tensors) if t is not None}
        held |= {p: -1 - k for k, p in enumerate(seeded)}
        self.results = [p for p in self.derived.outputs if p is not None]
        self.alike = self._alike(arguments)
        self.recipes = [] if seeds else self._recipes(kind, arguments)
        self.fed = [(p, held[p]) for p in program.schedule(self.results, held)[1]]
        self._find_leaves(held)
        self._computed, first = shared(program)
        self._wanted = [first[p] for p in self.results]
        known = {first[p]: at for p, at in reversed(held.items())}
        self._schedule, taken = self._computed.schedule(self._wanted, known)
        self._read = [(p, known[p]) for p in taken]
        self._is_large = is_large(self._computed, self._schedule)
        self.is_late = kind != "gradient" and any(
            prod(program.shapes[p]) >= _LATE for p in self.results
        )

    def _maps(self, kind: str, arguments: Sequence[Any]) -> list[LinearMap]:
        """Say of each result that has rows and columns what it is the Jacobian of, and by what."""
        if self.rows is None:
            return []
        if kind == "jacobian":
            target, sources, _ = arguments
            pairs = zip(self.derived.outputs, sources, strict=True)
            return [
                (self.places[target], _placed(self.places, group))
                for p, group in pairs
                if p is not None
            ]
        targets, source = arguments
        group = _placed(self.places, source)
        slope = derive.gradient(self.program, _placed(self.places, targets), [group]).outputs[0]
        return [] if slope is None else [(slope, group)]

    def _alike(self, arguments: Sequence[Any]) -> list[Alike]:
        """Say whose axes the axes of each result are: the target's, then those of the source."""
        sources = [at for at, _ in self.sources]
        if self.kind == "gradient":
            return [(p, (at,)) for p, at in zip(self.results, sources, strict=True)]
        if self.kind == "hessian":
            return [(p, (at, at)) for p, at in zip(self.results, sources, strict=True)]
        if self.kind != "jacobian":
            return []
        target, _, batch = arguments
        own = [] if batch else zip(self.results, sources, strict=True)
        return [(p, (self.places[target], at)) for p, at in own]

    def _recipes(self, kind: str, arguments: Sequence[Any]) -> list[Anew]:
        """Say how each result is derived anew."""
        outputs = [k for k, p in enumerate(self.derived.outputs) if p is not None]
        targets = [self.places[i] for i in self.targets]
        is_batch = kind == "jacobian" and bool(arguments[2])
        found = []
        for k, (at, _) in zip(outputs, self.sources, strict=True):
            of = {"gradient": [at], "hessian": [at, at], "jacobian": [*targets, at]}[kind]
            own = Anew(kind, tuple(arguments), self.places, k, tuple(targets), tuple(of), is_batch)
            found.append(own)
        return found

    def _find_sources(self, kind: str, arguments: Sequence[Any], *, weighted: bool) -> None:
        """Tell what was asked for: recorded targets, and of each result by what it is."""
        self.kind = kind
        self.targets = (arguments[0],) if kind == "jacobian" else tuple(arguments[0])
        if kind == "directional":
            self.sources, self.computed = [], []
            self.has_no_notation = "derivatives along directions"
            return
        groups = (arguments[1],) if kind == "hessian" else arguments[1]
        outputs = zip(self.derived.outputs, groups, strict=True)
        at = [group[0] for p, group in outputs if p is not None]
        self.sources = [(self.places[i], i) for i in at]
        steps = self.program.steps
        self.computed = [i for p, i in self.sources if type(steps[p][0]) is not Input]
        batches = "Jacobians of batches" if kind == "jacobian" and arguments[2] else ""
        self.has_no_notation = _WEIGHTED if weighted else batches

    @property
    def call(self) -> Call:
        """The whole derivation as one step, for the tapes that record it."""
        if self._call is None:
            fed = tuple([p for p, _ in self.fed])
            self._call = Call(self.derived.program, fed, tuple(self.results))
        return self._call

    def _find_leaves(self, held: dict[int, int]) -> None:
        """List every leaf, and those that the results and the conditions depend on."""
        program = self.derived.program
        self.inputs = [(p, held[p]) for p in program.inputs() if p in held]
        decided = [g.position for g in program.guards]
        computed = set(program.schedule([*self.results, *decided], ())[0])
        self.leaves = [(p, at) for p, at in self.inputs if p in computed]
        self.labelled = [at for p, at in self.inputs if p not in computed]

    def compute(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Compute the results from the tensors that the tape holds, large ones when asked for.

        What was `compiled` does the same.
        """
        values = [tensors[i].raw for _, i in self._read]
        if self.is_late and not THREAD.state.recordings:
            pending = Pending(lambda: self._run(values))
            program = self.derived.program
            return [
                LateTensor(pending, k, program.shapes[p], program.dtypes[p])
                for k, p in enumerate(self.results)
            ]
        return [Tensor(value) for value in self._run(values)]

    def _run(self, values: Sequence[Any]) -> Sequence[Any]:
        """Compute step by step the first time, then with code."""
        run = THREAD.state.run
        if self._function is None:
            self.runs += 1
            is_first = self.runs == 1 and not self._is_large
            if is_first or self.size > LARGEST or self._kernels is NARROW:
                known = {p: value for (p, _), value in zip(self._read, values, strict=True)}
                found: Sequence[Any] = run(
                    execute, self._computed, self._schedule, known, self._wanted, self._kernels
                )
                return found
            self._compile()
            if self.results and not self.is_late:
                self.compiled = self._from_tensors()
        return run(self._function, *values)  # type: ignore[no-any-return]

    def _compile(self) -> None:
        positions = [p for p, _ in self._read]
        source = Source(self._computed, positions, self._wanted, exactly=not self._is_large)
        self._function = source.compile()

    def _from_tensors(self) -> Callable[..., list[Tensor]]:
        """Make the function of what a tape holds."""
        names = [f"r{k}" for k in range(len(self.results))]
        values = "".join([f", tensors[{i}].raw" for _, i in self._read])
        text = f"""
def compute(tensors, run):
    {", ".join(names)}, = run(f{values})
    return [{", ".join([f"Tensor({name})" for name in names])}]
"""
        namespace: dict[str, Any] = {"f": self._function, "Tensor": Tensor}
        exec(text, namespace)  # noqa: S102 - our names
        return namespace["compute"]  # type: ignore[no-any-return]


class Derivative(Provenance):
    """Where the results of one derivation come from: the program, and the leaves of that tape.

    It holds the tensors that its own formulas need, and the labels of all other leaves, so that all
    formulas of a tape use the same names.
    """

    __slots__ = (
        "_beside", "_kind", "_labels", "_not", "_sources", "_targets", "_tensors", "plan", "sight",
    )  # fmt: skip

    def __init__(
        self,
        plan: Plan,
        tensors: Sequence[Tensor],
        recording: Recording,
        meant: Meant | None = None,
    ) -> None:
        self.plan = plan
        self._tensors = [tensors[i] for _, i in plan.leaves]
        self._labels = [tensors[i].label for i in plan.labelled] if plan.labelled else ()
        self._kind, self._not = plan.kind, plan.has_no_notation
        self._targets = [weakref.ref(tensors[i]) for i in plan.targets]
        if meant is not None:
            self._kind, self._not = meant.kind, _WEIGHTED if meant.is_weighted else ""
            self._targets = [weakref.ref(t) for t in meant.targets]
        self._sources = [weakref.ref(tensors[i]) for i in plan.computed]
        self.sight = () if plan.rows is None else _in_sight(plan, recording)
        is_alone = recording.beside is None and recording.outermost is None
        self._beside = None if is_alone else self._note(recording.block, tensors)

    def _note(self, block: Recording, tensors: Sequence[Tensor]) -> tuple[Any, ...]:
        """Remember what is beside the recording: further leaves, and what was decided so far."""
        beside = block.beside
        if beside is None:
            return block, (), None, None
        further = [slightly(tensors[i]) for i in self.plan.labelled]
        return block, further, len(beside.decisions), beside.held

    def asked(self, position: int) -> tuple[Asked, int]:
        """Say which derivative a result is."""
        plan, leaves = self.plan, {leaf.position: leaf for leaf in self.leaves()}
        computed = iter(self._sources)
        by = []
        for p, _ in plan.sources:
            leaf, rank = leaves.get(p), len(plan.program.shapes[p])
            held, label = (leaf.tensor, leaf.label) if leaf else (Held(next(computed)), None)
            by.append(By(held, label, rank))
        return Asked(self._kind, self._targets, by, self._not), position

    def noted(self, tensors: Sequence[Tensor]) -> Asked:
        """Say the same, for a tape that outlives the tensors."""
        plan = self.plan
        by = [By.of(tensors[i], is_leaf=i not in plan.computed) for _, i in plan.sources]
        return Asked(self._kind, self._targets, by, self._not)

    @property
    def block(self) -> Recording | None:
        """The recording of the block, or None where there is nothing beside."""
        return None if self._beside is None else self._beside[0]

    @property
    def decisions(self) -> list[Decision] | None:
        """What control flow had decided in the block, or None if the guards tell all of it."""
        if self._beside is None or self._beside[2] is None:
            return None
        found: list[Decision] = self._beside[0].beside.decisions[: self._beside[2]]
        return found

    def locate(self, position: int) -> tuple[Program, int]:
        """Find a result in the derived program."""
        return self.plan.derived.program, self.plan.results[position]

    def positions(self) -> Sequence[int]:
        """Give the place in the program of each result."""
        return self.plan.results

    @property
    def rows(self) -> int | None:
        """How many axes of a result are rows, where it has rows and columns."""
        return self.plan.rows

    @property
    def alike(self) -> Sequence[Alike]:
        """Whose axes the axes of each result are."""
        return self.plan.alike

    def recipe(self, position: int) -> Anew | None:
        """Say how a result is derived where sizes are others, if it is of what was recorded."""
        plan = self.plan
        return plan.recipes[position] if plan.recipes else None

    def linear_map(self, position: int) -> LinearMap | None:
        """Say of a result with rows and columns what it is the Jacobian of, and by what."""
        return self.plan.maps[position] if self.plan.maps else None

    def leaves(self) -> list[Leaf]:
        """List the tensors that entered."""
        held = {p: t for (p, _), t in zip(self.plan.leaves, self._tensors, strict=True)}
        steps = self.plan.derived.program.steps
        further = iter(() if self._beside is None else self._beside[1])
        labels = iter(self._labels)
        found, block = [], self.block
        for p, _ in self.plan.inputs:
            watched = steps[p][0].watched
            if p in held:
                origin = None if block is None else block.origin_of(held[p], steps[p])
                found.append(Leaf(p, held[p].label, Held(held[p]), watched, origin))
            else:
                found.append(Leaf(p, next(labels), Held(*next(further, (None,))), watched))
        return found


class Anew(NamedTuple):
    """Derives a result of what was recorded where sizes are others."""

    kind: str
    arguments: tuple[Any, ...]
    places: Places
    output: int
    targets: tuple[int, ...]
    of: tuple[int, ...]
    """Whose axes, one after another, are those of the result; those of a batch are shared."""
    is_batch: bool
    alike: Sequence[Alike] = ()

    @property
    def positions(self) -> Sequence[int]:
        """What was recorded."""
        return [*self.targets, *self._sources()]

    def _sources(self) -> Sequence[int]:
        groups = (self.arguments[1],) if self.kind == "hessian" else self.arguments[1]
        return [self.places[i] for group in groups for i in group]

    def axes(self, program: Program) -> list[Axis]:
        """Give the axes of the target, and those of the source."""
        found = [[(p, k) for k in range(len(program.shapes[p]))] for p in self.of]
        if self.is_batch:
            found[-1] = found[-1][1:]
        return [axis for axes in found for axis in axes]

    def steps(self, program: Program) -> list[int]:
        """List the steps that a derivative flows through, and those that they read."""
        flows = derive.connected(program, self.targets, self._sources())
        met = [p for p, is_met in enumerate(flows) if is_met]
        return sorted({*met, *[i for p in met for i in program.steps[p][1:]]})

    def result(self, made: Resized) -> tuple[Program, int]:
        """Derive it."""
        places = [_moved(p, made.place) for p in self.places]
        derived = DERIVATIONS[self.kind](made.program, places, (), *self.arguments)
        position = derived.outputs[self.output]
        if position is None:
            raise UnsupportedError("the derivative is not connected where sizes are others")
        return derived.program, position


def _moved(place: Any, places: Mapping[int, int]) -> Any:
    """Give the new place of a step, or the places of several results; some are not needed."""
    return [_moved(p, places) for p in place] if isinstance(place, list) else places.get(place, -1)


def _in_sight(plan: Plan, recording: Recording) -> tuple[tuple[str, Any], ...]:
    """List what the caller's variables hold of a recording, before they are called otherwise.

    That is positions of the plan's program, and nodes of what nobody recorded.
    """
    found: list[tuple[str, Any]] = []
    for name, value in values_in_sight(Tensor, recording.opener):
        place = recording.known.get(id(value))
        if place is not None:
            found.append((name, plan.places[place]))
        elif value.origin is not None and type(value.origin[1]) is tuple:
            found.append((name, value.origin[1]))
    return tuple(found)


class Fixed(Provenance):
    """Where a tensor of known numbers comes from: a program without leaves."""

    __slots__ = ("block", "program")
    decisions = None

    def __init__(self, program: Program, block: Recording | None) -> None:
        self.program = program
        self.block = block

    def locate(self, position: int) -> tuple[Program, int]:
        """Find the number."""
        return self.program, position

    def leaves(self) -> list[Leaf]:
        """List no tensors."""
        return []


def filled(number: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Tensor:
    """Make a tensor of one number whose formula is that number."""
    b = Builder()
    position = broadcast(b, b.constant(number, dtype), shape)
    return fixed(b.finish(), position, np.full(shape, number, dtype)[()])


def fixed(program: Program, position: int, value: Any) -> Tensor:
    """Make a tensor of a value that a program without leaves has at a position."""
    made = Tensor(value)
    recordings = THREAD.state.recordings
    block = recordings[-1].block if recordings else None
    made.origin = (Fixed(program, block), position)
    return made


def derivatives(
    recording: Recording,
    what: tuple[Any, ...],
    seeds: Sequence[Tensor] = (),
    meant: Meant | None = None,
) -> Sequence[Tensor | None]:
    """Compute derivatives of a recording, record them on the tapes that listen, give them in order.

    `what` is the name of a derivation and its arguments, in recorded positions. None stands where
    nothing connects. What is one part of another derivative says what was `meant`.
    """
    weights = tuple([s.leaf_step() for s in seeds]) if seeds else ()
    key = (tuple(recording.steps), recording.guards, what, weights)
    plan: Plan | None = _CACHE.get(key)
    if plan is None:
        plan = Plan(recording, what, seeds)
        _CACHE.put(key, plan)
    else:
        recording.adopt(plan.program, plan.places, plan.entered)
    # seeds are counted from the end
    tensors = [*recording.tensors, *seeds[::-1]] if seeds else recording.tensors
    state = THREAD.state
    results = plan.compiled(tensors, state.run) if plan.compiled else plan.compute(tensors)
    source = Derivative(plan, tensors, recording, meant)
    for k, result in enumerate(results):
        result.origin = (source, k)
    for outer in state.recordings:
        if outer.record_call(plan.call, [tensors[i] for _, i in plan.fed], results):
            outer.note(source.noted(tensors), len(results))
    if len(results) == len(plan.derived.outputs):
        return results
    found = iter(results)
    return [None if p is None else next(found) for p in plan.derived.outputs]


# --- what can be derived ------------------------------------------------------------------------


def gradient(
    recording: Recording,
    targets: tuple[int, ...],
    sources: tuple[tuple[int, ...], ...],
    seeds: Sequence[Tensor] = (),
) -> Sequence[Tensor | None]:
    """Differentiate the sum of recorded targets; a source is the positions of all its versions."""
    return derivatives(recording, ("gradient", targets, sources), seeds)


def jacobian(
    recording: Recording,
    target: int,
    sources: Sequence[tuple[int, ...]],
    *,
    batch: bool,
    meant: Meant | None = None,
) -> Sequence[Tensor | None]:
    """Derive the Jacobian of a recorded target; with `batch`, that of each row."""
    return derivatives(recording, ("jacobian", target, tuple(sources), batch), (), meant)


def hessian(
    recording: Recording, targets: Sequence[int], source: tuple[int, ...]
) -> Sequence[Tensor | None]:
    """Derive the second derivative of the sum of recorded targets with respect to one source."""
    return derivatives(recording, ("hessian", tuple(targets), source))


def directional(
    recording: Recording, target: int, sources: tuple[int, ...], directions: Sequence[Tensor]
) -> Tensor | None:
    """Differentiate a recorded target along directions of sources: what has its shape, or None."""
    (found,) = derivatives(recording, ("directional", (target,), sources), directions)
    return found


def _gradient(
    program: Program,
    places: Places,
    seeds: Sequence[int],
    targets: tuple[int, ...],
    sources: tuple[tuple[int, ...], ...],
) -> Derived:
    groups = [_placed(places, group) for group in sources]
    return derive.gradient(program, _placed(places, targets), groups, seeds)


def _jacobian(
    program: Program,
    places: Places,
    _: Sequence[int],
    target: int,
    sources: tuple[tuple[int, ...], ...],
    batch: bool,
) -> Derived:
    groups = [_placed(places, group) for group in sources]
    return derive_jacobian(program, places[target], groups, batch=batch)


def _hessian(
    program: Program,
    places: Places,
    _: Sequence[int],
    targets: tuple[int, ...],
    source: tuple[int, ...],
) -> Derived:
    group = _placed(places, source)
    first = derive.gradient(program, _placed(places, targets), [group])
    slope = first.outputs[0]
    return first if slope is None else derive_jacobian(first.program, slope, [group])


def _directional(
    program: Program,
    places: Places,
    directions: Sequence[int],
    targets: tuple[int, ...],
    sources: tuple[int, ...],
) -> Derived:
    at, by = _placed(places, targets), _placed(places, sources)
    if not derive.leads(program, by, at):
        return Derived(program, (None,) * len(at))
    made, found = along(program, at, by, directions)
    return Derived(made, tuple(found))


def _placed(places: Places, positions: Sequence[int]) -> list[int]:
    return [places[p] for p in positions]


def _rows(program: Program, places: Places, kind: str, arguments: Sequence[Any]) -> int | None:
    """Count the axes of the target, where they come before those of the source."""
    if kind == "jacobian" and not arguments[-1]:
        return len(program.shapes[places[arguments[0]]])
    if kind == "hessian" and arguments[-1]:
        return len(program.shapes[places[arguments[-1][0]]])
    return None


DERIVATIONS: dict[str, Callable[..., Derived]] = {
    "gradient": _gradient,
    "jacobian": _jacobian,
    "hessian": _hessian,
    "directional": _directional,
}
