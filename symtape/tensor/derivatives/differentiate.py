"""Derivatives of a recording: derived once for a structure, then run on the values of each tape."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from symtape.cache import Cache
from symtape.program.program import Program
from symtape.program.sizes.axes import Alike
from symtape.tensor.derivatives.anew import Anew
from symtape.tensor.derivatives.chosen import chosen
from symtape.tensor.derivatives.plan import WEIGHTED, LinearMap, Plan
from symtape.tensor.names import values_in_sight
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.provenance import (
    Asked,
    By,
    Decision,
    Held,
    Leaf,
    slightly,
)
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.recording.travel import Provenance
from symtape.tensor.tensor import Tensor

_CACHE = Cache(max_entries=1024, max_steps=4_000_000, is_shared=True)


class Taken(NamedTuple):
    """A derivative that was taken: a result stands for each source, None where nothing connects."""

    kind: str
    targets: Sequence[Any]
    sources: Sequence[Any]
    results: Sequence[Tensor | None]


OBSERVERS: list[Callable[[Taken], None]] = []
"""Called with every derivative that a tape gives."""


class Meant(NamedTuple):
    """A derivative that somebody asked for, where another one is taken as a part of it.

    `targets` are tensors; `is_weighted` says that there were output_gradients.
    """

    kind: str
    targets: Sequence[Tensor]
    is_weighted: bool = False


class Derivative(Provenance):
    """Where the results of one derivation come from: the program, and the leaves of that tape.

    It holds the tensors that its own formulas need, and the labels of all other leaves, so that all
    formulas of a tape use the same names.
    """

    __slots__ = (
        "_beside", "_kind", "_not", "_others", "_sources", "_targets", "_tensors", "plan", "sight",
    )  # fmt: skip

    def __init__(
        self,
        plan: Plan,
        tensors: Sequence[Tensor],
        recording: Recording,
        meant: Meant | None = None,
    ) -> None:
        self.plan = plan
        self._tensors: list[Any] = []
        is_alone = recording.beside is None and recording.outermost is None
        for _, i in plan.leaves:
            tensor = tensors[i]
            self._tensors.append(tensor)
            if is_alone and tensor.origin is not None and recording.made(tensor):
                is_alone = False
        self._others: Sequence[tuple[Any, ...]] = ()
        if plan.labelled:
            self._others = [(tensors[i].label, *slightly(tensors[i])) for i in plan.labelled]
        if meant is None:
            self._kind, self._not = plan.kind, plan.has_no_notation
            self._targets = [weakref.ref(tensors[i]) for i in plan.targets]
        else:
            self._kind, self._not = meant.kind, WEIGHTED if meant.is_weighted else ""
            self._targets = [weakref.ref(t) for t in meant.targets]
        self._sources = [weakref.ref(tensors[i]) for i in plan.computed] if plan.computed else ()
        self.sight = () if plan.rows is None else _in_sight(plan, recording)
        self._beside = None if is_alone else self._note(recording.block, tensors)

    def _note(self, block: Recording, tensors: Sequence[Tensor]) -> tuple[Any, ...]:
        """Remember what is beside the recording, and what was decided so far.

        What was computed in the block is read through, so that nothing has to hold it.
        """
        plan, beside = self.plan, block.beside
        for k, step, i in plan.unwatched:
            origin = block.origin_of(tensors[i], step)
            if origin is not None:
                self._tensors[k] = origin
        if beside is None:
            return block, None, None
        return block, len(beside.decisions), beside.held

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

    def noted(self, tensors: Sequence[Tensor]) -> tuple[Any, ...]:
        """Say the same, for a tape that outlives the tensors: the parts of a `Noted`."""
        plan = self.plan
        kept = [
            (tensors[i].label, *slightly(tensors[i]))
            if is_leaf
            else (None, weakref.ref(tensors[i]), None)
            for i, is_leaf in plan.by
        ]
        return self._kind, self._targets, kept, plan.ranks, self._not

    @property
    def block(self) -> Recording | None:
        """The recording of the block, or None where there is nothing beside."""
        return None if self._beside is None else self._beside[0]

    @property
    def decisions(self) -> list[Decision] | None:
        """What control flow had decided in the block, or None if the guards tell all of it."""
        if self._beside is None or self._beside[1] is None:
            return None
        found: list[Decision] = self._beside[0].beside.decisions[: self._beside[1]]
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
        others = iter(self._others)
        found, block = [], self.block
        for p, _ in self.plan.inputs:
            watched, own = steps[p][0].watched, held.get(p)
            if type(own) is tuple:
                found.append(Leaf(p, None, Held(None), watched, own))
            elif own is not None:
                origin = None if block is None else block.origin_of(own, steps[p])
                found.append(Leaf(p, own.label, Held(own), watched, origin))
            else:
                label, *slight = next(others)
                found.append(Leaf(p, label, Held(*slight), watched))
        return found


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


FOLLOWERS: list[Callable[[Sequence[Tensor], Sequence[Tensor]], Sequence[Tensor]]] = []
"""Called with all tensors of a recording and what is derived of it, which they give back."""


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
    ends = recording.ends if recording.derivatives else ()
    key = (tuple(recording.steps), recording.guards, ends, what, weights)
    plan: Plan | None = _CACHE.get(key)
    if plan is None:
        plan = _planned(recording, what, seeds)
        _CACHE.put(key, plan)
    elif plan.chosen is None:
        recording.adopt(plan.program, plan.places, plan.entered)
    tensors = recording.tensors
    if plan.chosen is not None:
        tensors = [tensors[i] for i in plan.chosen]
    if seeds:  # they are counted from the end
        tensors = [*tensors, *seeds[::-1]]
    state = THREAD.state
    results = plan.compiled(tensors, state.run) if plan.compiled else plan.compute(tensors)
    source = Derivative(plan, tensors, recording, meant)
    for k, result in enumerate(results[: len(plan.results)] if plan.extra else results):
        result.origin = (source, k)
    for outer in state.recordings:
        if outer.record_call(plan.call, [tensors[i] for _, i in plan.fed], results):
            counts = len(plan.results), len(plan.extra)
            outer.note(source.noted(tensors), *counts, tensors, plan.ends)
    if plan.extra:
        results = plan.with_rows(results, tensors)
    for follower in FOLLOWERS:
        results = [*follower(tensors, results)]
    if len(results) == len(plan.derived.outputs):
        return results
    found = iter(results)
    return [None if p is None else next(found) for p in plan.derived.outputs]


def _planned(recording: Recording, what: tuple[Any, ...], seeds: Sequence[Tensor]) -> Plan:
    """Derive something new; what is asked for after other derivatives, of what it needs."""
    part = chosen(recording, what) if recording.is_asked else None
    recording.is_asked = True
    if part is None:
        return Plan(recording, what, seeds)
    plan = Plan(part.recording, part.what, seeds)
    plan.chosen = part.positions
    return plan


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
