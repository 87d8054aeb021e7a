"""Equal steps are computed once.

Derivatives are derived on positions, and connections are decided by positions, so a derivation must
not take one step for another that happens to be equal. What is computed of a derived program may:
this is where its equal steps become one, with those that were recorded, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtape.program.authors import VALUES
from symtape.program.kinds.structural import Embed, Slice
from symtape.program.operations import Call, Input, add, multiply
from symtape.program.program import Program

_COMMUTE = {add, multiply}


def shared(program: Program, needed: Iterable[int] | None = None) -> tuple[Program, list[int]]:
    """Let every step read the first of the steps that equal its operands.

    Give the program, with the same positions, and for each position the first that equals it.
    Positions that are not `needed` are left as they are.
    """
    first = list(range(len(program)))
    known: dict[tuple[Any, ...], int] = {}
    steps = program.steps.copy()
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
            steps[p] = step = (operation, *[first[i] for i in step[1:]])
        if operation in VALUES:
            first[p] = steps[p][1]
            continue
        kind = type(operation)
        if (kind is Slice or kind is Embed) and operation.ends:
            steps[p] = step = (operation.plain, *step[1:])
        if kind is not Input and kind is not Call:
            first[p] = known.setdefault(step, p)
    made = Program(steps, program.shapes, program.dtypes, program.guards, program.recorded)
    return made, first
