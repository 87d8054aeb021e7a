"""Several stages as one: side by side, one after the other, or chosen element by element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

from symtape import nest
from symtape.data.elements.specs import common
from symtape.data.elements.structures import array_of, builder, up_to
from symtape.data.stages.base import INFINITE, UNKNOWN, Failed, Rows, Stage
from symtape.data.stages.resuming import END, GoesOn, flattened
from symtape.errors import InvalidArgumentError


class Joined(Stage):
    """Several stages as one."""

    stages: Sequence[Stage]

    @property
    def is_certain(self) -> bool:
        """Whether all of them are."""
        return all(stage.is_certain for stage in self.stages)


class Zip(Joined):
    """Elements side by side, in a structure."""

    def __init__(self, stages: Sequence[Stage], structure: Any) -> None:
        self.stages = stages
        self._structure = structure
        self._build = builder(structure)

    @cached_property
    def spec(self) -> Any:
        """The specs side by side."""
        return self._build([stage.spec for stage in self.stages])

    @property
    def cardinality(self) -> int:
        """The smallest."""
        counts = [stage.cardinality for stage in self.stages]
        if UNKNOWN in counts:
            return UNKNOWN
        return min([count for count in counts if count != INFINITE], default=INFINITE)

    def run(self) -> Iterator[Any]:
        """Run all, and stop with the first that ends."""
        if self.rows is not None:
            return super().run()
        return map(self._build, GoesOn(partial(_together, [stage.run() for stage in self.stages])))

    @cached_property
    def rows(self) -> Rows | None:
        """Rows of all columns, where the order of each is a range."""
        found = [stage.rows for stage in self.stages]
        if not all([rows is not None and isinstance(rows.order, range) for rows in found]):
            return None
        count = self.cardinality
        columns = [
            [column[o.start : o.stop : o.step] for column in rows.columns]
            for rows in found
            if rows is not None and isinstance(rows.order, range)
            for o in [rows.order[:count]]
        ]
        return Rows(tuple(chain.from_iterable(columns)), range(count))

    def told(self, element: Any) -> Any:
        """Ask all, each for its part."""
        parts = up_to(self._structure, element)
        pairs = zip(self.stages, parts, strict=True)
        return self._build([stage.told(part) for stage, part in pairs])

    def probe(self, number: int) -> Any:
        """Put elements side by side."""
        return self._build([stage.probe(number) for stage in self.stages])


def _together(found: Sequence[Iterator[Any]]) -> Iterator[tuple[Any, ...]]:
    """Take an element of each, as long as all have one.

    Where one fails or is over, the others are asked all the same: they stay side by side, and what
    caches elements hears of their end.
    """
    while True:
        elements: list[Any] = []
        errors: list[Exception] = []
        for each in found:
            try:
                elements.append(next(each, END))
            except Exception as error:  # noqa: BLE001 - it is raised below
                errors.append(error)
        if any(element is END for element in elements):
            return
        if errors:
            raise errors[0]
        yield tuple(elements)


class Concatenate(Joined):
    """One stage after the other."""

    def __init__(self, first: Stage, second: Stage) -> None:
        self.stages = (first, second)
        if self.is_certain:
            self.spec  # noqa: B018 - stages that do not fit are told now

    @cached_property
    def spec(self) -> Any:
        """The narrowest spec that both fit; raises `TypeError` where there is none."""
        first, second = self.stages
        try:
            return nest.map_structure(common, first.spec, second.spec)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Incompatible dataset elements:\n  {first.spec} vs.   {second.spec}"
            ) from error

    @property
    def cardinality(self) -> int:
        """The sum."""
        counts = [stage.cardinality for stage in self.stages]
        if INFINITE in counts:
            return INFINITE
        return UNKNOWN if UNKNOWN in counts else sum(counts)

    def told(self, element: Any) -> Any:
        """Give the spec, which is known before the first element."""
        return self.spec

    def run(self) -> Iterator[Any]:
        """Begin the second when the first is over."""
        self.spec  # noqa: B018 - stages that do not fit are told before the first element
        first, second = self.stages
        return flattened(chain([first.run()], (run() for run in (second.run,))))


class Directed(Joined):
    """Elements of several stages, chosen by the numbers that another one gives."""

    def __init__(self, choices: Stage, stages: Sequence[Stage], *, stops: bool) -> None:
        self._choices = choices
        self.stages = stages
        self._stops = stops
        if self.is_certain:
            self.spec  # noqa: B018 - stages that do not fit are told now

    @cached_property
    def spec(self) -> Any:
        """The narrowest spec that all fit; raises `TypeError` where there is none."""
        spec = self.stages[0].spec
        for number, stage in enumerate(self.stages[1:], 1):
            try:
                spec = nest.map_structure(common, spec, stage.spec)
            except (TypeError, ValueError) as error:
                raise TypeError(
                    "Invalid `datasets`. `datasets` must have compatible element specs.\n Dataset "
                    f"0 element_spec={self.stages[0].spec}.\nDataset {number} "
                    f"element_spec={stage.spec}."
                ) from error
        return spec

    @property
    def cardinality(self) -> int:
        """Infinite if one of them is, else unknown."""
        return INFINITE if INFINITE in [s.cardinality for s in self.stages] else UNKNOWN

    def told(self, element: Any) -> Any:
        """Give the spec, which is known before the first element."""
        return self.spec

    def run(self) -> Iterator[Any]:
        """Begin all."""
        self.spec  # noqa: B018 - stages that do not fit are told before the first element
        runs: list[Iterator[Any] | None] = [stage.run() for stage in self.stages]
        return GoesOn(partial(self._chosen, self._choices.run(), runs))

    def _chosen(self, choices: Iterator[Any], runs: list[Iterator[Any] | None]) -> Iterator[Any]:
        for choice in choices:
            number = int(array_of(choice))
            if not 0 <= number < len(runs):
                raise Failed(
                    InvalidArgumentError,
                    f"Selector index out of range: {number} >= {len(runs)}",
                )
            run = runs[number]
            if run is None:
                continue
            for element in run:
                yield element
                break
            else:
                if self._stops:
                    return
                runs[number] = None
                if not any(runs):
                    return
