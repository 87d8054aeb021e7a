"""A derivative of what was recorded, derived again where sizes are others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from symtape.calculus import derive
from symtape.errors import UnsupportedError
from symtape.program.program import Program
from symtape.program.sizes.axes import Alike
from symtape.program.sizes.resizing import Resized
from symtape.program.sizes.unions import Axis
from symtape.tensor.derivatives.transforms import DERIVATIONS, Places, groups_of


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
        return [*self.targets, *self.sources]

    @property
    def sources(self) -> Sequence[int]:
        """What the derivative is by."""
        groups = groups_of(self.kind, self.arguments)
        return [self.places[i] for group in groups for i in group]

    def moved(self, to: Sequence[int], alike: Sequence[Alike]) -> Anew:
        """Give the same derivation in a program that has each step at another place."""
        places = dict(enumerate(to))
        return self._replace(
            places=[_moved(p, places) for p in self.places],
            targets=tuple([to[p] for p in self.targets]),
            of=tuple([to[p] for p in self.of]),
            alike=alike,
        )

    def axes(self, program: Program) -> list[Axis]:
        """Give the axes of the target, and those of the source."""
        found = [[(p, k) for k in range(len(program.shapes[p]))] for p in self.of]
        if self.is_batch:
            found[-1] = found[-1][1:]
        return [axis for axes in found for axis in axes]

    def steps(self, program: Program) -> list[int]:
        """List the steps that a derivative flows through, and those that they read."""
        flows = derive.connected(program, self.targets, self.sources)
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
