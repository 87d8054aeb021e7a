"""What travels: a part of a program, a program of a function, a formula with its values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from symtape.nest.trees import LEAF, Tree
from symtape.program.operations import Constant, Shape, dtype_name, dtype_named
from symtape.program.program import Guard, Program, Step


class Excerpt(NamedTuple):
    """Steps of a program with their positions, which they keep; dtypes by their names."""

    positions: Sequence[int]
    steps: Sequence[Step]
    shapes: Sequence[Shape]
    dtypes: Sequence[str]
    guards: tuple[Guard, ...]
    recorded: int

    @classmethod
    def of(cls, program: Program, wanted: Iterable[int], guards: Sequence[Guard] = ()) -> Excerpt:
        """Take what some positions are computed from, and what guards are."""
        kept = program.ancestors([*wanted, *[g.position for g in guards]])
        return cls(
            tuple(kept),
            tuple([program.steps[p] for p in kept]),
            tuple([program.shapes[p] for p in kept]),
            tuple([dtype_name(program.dtypes[p]) for p in kept]),
            tuple(guards),
            min(program.recorded, kept[-1] + 1 if kept else 0),
        )

    @property
    def program(self) -> Program:
        """The program; where a step was left out there is a number that nothing reads.

        So code that is written of it has the names that it had before.
        """
        length = self.positions[-1] + 1 if self.positions else 0
        nothing: Step = (Constant.of(0, "float64"),)
        steps = [nothing] * length
        shapes: list[Shape] = [()] * length
        dtypes: list[Any] = [dtype_named("float64")] * length
        for p, step, shape, dtype in zip(
            self.positions, self.steps, self.shapes, self.dtypes, strict=True
        ):
            steps[p], shapes[p], dtypes[p] = step, shape, dtype_named(dtype)
        return Program(steps, shapes, dtypes, self.guards, self.recorded)


class Parcel(NamedTuple):
    """What a compiled formula is made of, with the values that its leaves were recorded with.

    `outputs` are put into the structure `tree`. `labels` are what leaves were called whose names
    were mended, and their names.
    """

    excerpt: Excerpt
    outputs: tuple[int, ...]
    arguments: tuple[tuple[str, int], ...]
    defaults: tuple[tuple[str, int, Any], ...]
    backend: str
    labels: tuple[tuple[str, str], ...] = ()
    tree: Tree = LEAF


class TracedProgram(Program):
    """The program of a function; `arguments` and `results` are positions in it."""

    __slots__ = ("arguments", "results")

    def __init__(
        self, program: Program, arguments: tuple[int, ...], results: tuple[int | None, ...]
    ) -> None:
        super().__init__(
            program.steps, program.shapes, program.dtypes, program.guards, program.recorded
        )
        self.arguments = arguments
        self.results = results

    def __reduce__(self) -> tuple[Any, ...]:
        plain = Program(self.steps, self.shapes, self.dtypes, self.guards, self.recorded)
        return TracedProgram, (plain, self.arguments, self.results)
