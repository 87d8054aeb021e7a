"""Cotangents on their way back through a recording, from one author's function to the next.

What is derived on the way to the results of such a function is a segment of the recording: the
steps that cotangents pass there, and what these read as leaves, of which they pass on their sums.
So each step is derived once, however many of these functions there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from symtape.program.authors import passed
from symtape.program.operations import Input
from symtape.tensor.derivatives import differentiate
from symtape.tensor.derivatives.differentiate import Meant
from symtape.tensor.indexing.slices import IndexedSlices, joined
from symtape.tensor.recording.custom import Custom
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor

Ends = list[tuple[int, Tensor]]
"""Positions that a sweep starts from, and their weights."""


class Descent:
    """The cotangents that have arrived so far, at positions that have not been passed.

    None is a weight of one. Only what leads to results of authors' functions is followed.
    """

    def __init__(
        self, recording: Recording, targets: Sequence[int], seeds: Sequence[Tensor], meant: Meant
    ) -> None:
        self._recording = recording
        self._meant = meant
        self._leads = _leads(recording)
        self._arrived: dict[int, list[Tensor | None]] = {}
        self._waiting: list[int] = []  # a heap, the last position first
        for k, p in enumerate(targets):
            self._arrive(p, seeds[k] if k < len(seeds) else None)

    def arrive(self, ends: Ends) -> None:
        """Take what an author's function gave, which comes before what came from elsewhere."""
        for p, g in reversed(ends):
            self._arrive(p, g, before=True)

    def _arrive(self, p: int, g: Tensor | None, *, before: bool = False) -> None:
        if not self._leads[p]:
            return
        if p not in self._arrived:
            self._arrived[p] = []
            heappush(self._waiting, -p)
        self._arrived[p].insert(0 if before else len(self._arrived[p]), g)

    def to(self, custom: Custom) -> list[Tensor | None]:
        """Go back to the results of a function; give the cotangents of those that have a place."""
        results = [p for p in custom.outputs if p is not None]
        starts = []
        while results and self._waiting and -self._waiting[0] >= results[0]:
            p = -heappop(self._waiting)
            if p in self._arrived and p not in results:  # what was given is no longer there
                starts.append(p)
        if starts:
            self._pass(starts, results)
        return [self._total(p) for p in results]

    def _pass(self, starts: Sequence[int], results: Sequence[int]) -> None:
        """Go from some positions to what is before a segment, and to the results."""
        inside, borders = self._reached(starts, results)
        segment = _Segment(self._recording, inside)
        pairs = [(segment.moved[p], g) for p in starts for g in self._arrived.pop(p)]
        groups = tuple([(segment.moved[p],) for p in borders])
        for p, g in zip(borders, segment.derived(pairs, groups, self._meant), strict=True):
            if g is not None:
                self._arrive(p, g)

    def _reached(
        self, starts: Sequence[int], results: Sequence[int]
    ) -> tuple[list[int], list[int]]:
        """List what cotangents pass from some positions, and where they leave the segment."""
        steps, leads = self._recording.steps, self._leads
        inside, borders, stack = set(starts), set[int](), list(starts)
        while stack:
            operation, *operands = steps[stack.pop()]
            for k, p in enumerate(operands):
                if not leads[p] or not operation.connects(k):
                    continue
                if p < results[0] or p in results:
                    borders.add(p)
                elif p not in inside:
                    inside.add(p)
                    stack.append(p)
        return sorted(inside), sorted(borders)

    def _total(self, p: int) -> Tensor | None:
        """Add up what arrived at a result; a sum of rows keeps them."""
        arrived = self._arrived.pop(p, [])
        (only,) = arrived if len(arrived) == 1 else (None,)
        if not arrived or (only is not None and only.raw.shape == self._shape(p)):
            return only
        alone = _Segment(self._recording, [])
        place = alone.leaf(p)
        (total,) = alone.derived([(place, g) for g in arrived], ((place,),), self._meant)
        rows = [(g.values, g.indices) for g in arrived if isinstance(g, IndexedSlices)]
        if total is None or len(rows) < len(arrived):
            return total
        return joined(total, rows[::-1])  # the last one is TensorFlow's first

    def _shape(self, p: int) -> tuple[int, ...]:
        shape: tuple[int, ...] = self._recording.tensors[p].raw.shape
        return shape


def _leads(recording: Recording) -> bytearray:
    """Say of each position whether it depends on results of authors' functions."""
    steps = recording.steps
    leads = bytearray(len(steps))
    results = [p for custom in recording.customs for p in custom.outputs if p is not None]
    for p in results:
        leads[p] = 1
    for p in range(min(results, default=len(steps)), len(steps)):
        step = steps[p]
        for k in range(1, len(step)):
            if leads[step[k]] and step[0].connects(k - 1):
                leads[p] = 1
                break
    return leads


class _Segment:
    """Steps of a recording as a recording of their own; `moved` says where they are there."""

    def __init__(self, recording: Recording, positions: Iterable[int]) -> None:
        self._old = recording
        self._new = Recording(watches_variables=False, opener=recording.opener)
        self._new.outermost = recording.block
        self.moved: dict[int, int] = {}
        self._again: dict[int, int] = {}
        for p in positions:
            operation, *operands = recording.steps[p]
            places = [self.leaf(i) for i in operands]
            self.moved[p] = self._new.append(recording.tensors[p], operation, *places)

    def leaf(self, p: int) -> int:
        """Give the place of an operand: a leaf, if it is no step of the segment."""
        if p not in self.moved:
            tensor = self._old.tensors[p]
            is_held = tensor is not None
            self.moved[p] = (
                self._enter(p) if is_held else self._new.append(None, passed, self._made(p))
            )
        return self.moved[p]

    def _enter(self, p: int) -> int:
        step, tensor = self._old.steps[p], self._old.tensors[p]
        own = step if type(step[0]) is Input else tensor.leaf_step()
        return self._new.append(tensor, *own)

    def _made(self, wanted: int) -> int:
        """Write again what nobody holds."""
        stack = [wanted]
        while stack:
            p = stack.pop()
            operation, *operands = self._old.steps[p]
            is_held = self._old.tensors[p] is not None
            waiting = [] if is_held else [i for i in operands if i not in self._again]
            if p in self._again:
                continue
            if waiting:
                stack += [p, *waiting]
                continue
            places = [] if is_held else [self._again[i] for i in operands]
            again = self._enter(p) if is_held else self._new.append(None, operation, *places)
            self._again[p] = again
        return self._again[wanted]

    def derived(
        self,
        pairs: Sequence[tuple[int, Tensor | None]],
        groups: tuple[tuple[int, ...], ...],
        meant: Meant,
    ) -> Sequence[Tensor | None]:
        """Give the gradients by some places, from weights at others."""
        weights = [g for _, g in pairs if g is not None]
        places = [p for p, g in pairs if g is not None] + [p for p, g in pairs if g is None]
        what = ("gradient", tuple(places), groups)
        return differentiate.derivatives(self._new, what, weights, meant)
