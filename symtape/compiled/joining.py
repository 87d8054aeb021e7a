"""Several formulas as one, which computes what they have in common once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.compiled.function import Compiled
from symtape.nest.trees import Tree
from symtape.program.operations import Operation
from symtape.program.program import Builder, Guard, inline


def joined(parts: Sequence[Compiled], tree: Tree) -> Compiled:
    """Give one formula with the results of several, in a structure.

    Leaves of one name are one leaf, and equal steps are made once.
    """
    union = _Union()
    outputs = [p for part in parts for p in union.added(part)]
    place = union.place
    arguments = dict.fromkeys(name for part in parts for name, _ in part.arguments)
    labels: dict[str, dict[str, None]] = {}
    for also, own in [pair for part in parts for pair in part.labels.items()]:
        labels.setdefault(also, {})[own] = None
    getters: dict[str, Callable[[], Any]] = {}
    for name, _, get in [default for part in parts for default in part.defaults]:
        getters.setdefault(name, get)
    return Compiled(
        program=union.builder.finish(),
        outputs=tuple(outputs),
        arguments=tuple([(name, place[name]) for name in arguments]),
        defaults=tuple([(name, place[name], get) for name, get in getters.items()]),
        guards=tuple(union.guards.values()),
        labels={also: own for also, (own, *others) in labels.items() if not others},
        tree=tree,
    )


class _Union:
    """A program that formulas are added to; `place` says where each leaf is, by its name."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.place: dict[str, int] = {}
        self.guards: dict[tuple[int, type, Any], Guard] = {}

    def added(self, part: Compiled) -> list[int]:
        """Add a formula, and give the places of its results."""
        flat, moved = inline(part.program)
        leaves = [*part.arguments, *[(name, p) for name, p, _ in part.defaults]]
        given = {moved[p]: self._entered(name, flat.steps[moved[p]][0]) for name, p in leaves}
        wanted = [moved[p] for p in (*part.outputs, *part.decided)]
        made = self.builder.splice(flat, given, wanted)
        count = len(part.outputs)
        for p, (_, value) in zip(made[count:], part.guards, strict=True):
            self.guards.setdefault((p, type(value), value), Guard(p, value))  # 1 is not True
        return made[:count]

    def _entered(self, name: str, leaf: Operation) -> int:
        if name not in self.place:
            self.place[name] = self.builder.enter(leaf)
        return self.place[name]
