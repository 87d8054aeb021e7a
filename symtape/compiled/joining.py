"""Several formulas as one, which computes what they have in common once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symtape.compiled.function import Compiled
from symtape.nest.trees import Tree
from symtape.program.operations import Operation
from symtape.program.program import Builder, Guard, Step, inline, shared


def joined(parts: Sequence[Compiled], tree: Tree) -> Compiled:
    """Give one formula with the results of several, in a structure.

    Leaves of one name are one leaf, and equal steps are made once.
    """
    union = _Union()
    made = [union.added(part) for part in parts]
    program, first = shared(union.builder.finish())
    place = union.place
    arguments = dict.fromkeys(name for part in parts for name, _ in part.arguments)
    labels: dict[str, dict[str, None]] = {}
    for also, own in [pair for part in parts for pair in part.labels.items()]:
        labels.setdefault(also, {})[own] = None
    decided = [Guard(first[p], value) for _, guards in made for p, value in guards]
    getters: dict[str, Callable[[], Any]] = {}
    for name, _, get in [default for part in parts for default in part.defaults]:
        getters.setdefault(name, get)
    return Compiled(
        program=program,
        outputs=tuple([first[p] for outputs, _ in made for p in outputs]),
        arguments=tuple([(name, place[name]) for name in arguments]),
        defaults=tuple([(name, place[name], get) for name, get in getters.items()]),
        guards=tuple({(p, type(v), v): Guard(p, v) for p, v in decided}.values()),  # 1 is not True
        labels={also: own for also, (own, *others) in labels.items() if not others},
        tree=tree,
    )


class _Union:
    """A program that formulas are added to; `place` says where each leaf is, by its name."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.place: dict[str, int] = {}
        self._longest: list[Step] = []
        self._copies: dict[int, int] = {}

    def added(self, part: Compiled) -> tuple[list[int], list[Guard]]:
        """Add a formula; give the places of its results, and what decided its path.

        A derivative goes on where the program of what it is of ends. So where one of two formulas
        begins as the other does, with the same leaves, these steps are copied once.
        """
        flat, moved = inline(part.program)
        leaves = [*part.arguments, *[(name, p) for name, p, _ in part.defaults]]
        given = {moved[p]: self._entered(name, flat.steps[moved[p]][0]) for name, p in leaves}
        wanted = [moved[p] for p in (*part.outputs, *part.decided)]
        if not self._begins(flat.steps, given):
            self._longest, self._copies = flat.steps, {}
        elif len(flat) > len(self._longest):
            self._longest = flat.steps
        self._copies = self.builder.copied(flat, given | self._copies, wanted)
        made = [self._copies[p] for p in wanted]
        guards = zip(made[len(part.outputs) :], part.guards, strict=True)
        return made[: len(part.outputs)], [Guard(p, guard.value) for p, guard in guards]

    def _begins(self, steps: list[Step], given: Mapping[int, int]) -> bool:
        """Say whether steps begin as those that were copied, or are what these begin with."""
        count = min(len(steps), len(self._longest))
        is_alike = all([self._copies.get(p, q) == q for p, q in given.items()])
        return is_alike and steps[:count] == self._longest[:count]

    def _entered(self, name: str, leaf: Operation) -> int:
        if name not in self.place:
            self.place[name] = self.builder.enter(leaf)
        return self.place[name]
