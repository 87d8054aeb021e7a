"""Equal steps are computed once.

Derivatives are derived on positions, and connections are decided by positions, so a derivation must
not take one step for another that happens to be equal. What is computed of a derived program may:
this is where its equal steps become one, with those that were recorded, too.
"""

from __future__ import annotations

from typing import Any

from symtape.program.operations import Call, Input, add, multiply
from symtape.program.program import Program

_COMMUTE = {add, multiply}


def shared(program: Program) -> tuple[Program, list[int]]:
    """Let every step read the first of the steps that equal its operands.

    Give the program, with the same positions, and for each position the first that equals it.
    """
    first: list[int] = []
    known: dict[tuple[Any, ...], int] = {}
    steps = []
    for p, (operation, *operands) in enumerate(program.steps):
        places = [first[i] for i in operands]
        if operation in _COMMUTE:
            places.sort()
        key = (operation, *places)
        steps.append((operation, *[first[i] for i in operands]))
        kind = type(operation)
        first.append(p if kind is Input or kind is Call else known.setdefault(key, p))
    made = Program(steps, program.shapes, program.dtypes, program.guards, program.recorded)
    return made, first
