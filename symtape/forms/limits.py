"""How long what a reading writes may be, counted while it grows and before it is printed."""

from __future__ import annotations

from math import prod
from typing import Any

import sympy as sp

from symtape.errors import ExpansionError
from symtape.program import operations as ops
from symtape.program.evaluation.evaluation import written
from symtape.program.program import Program

MAX_NODES = 20_000
"""How many nodes a formula may have."""

MAX_EXACT_NODES = 1_000
"""How many an exact number may have: SymPy computes digits of each part to sort and print it."""

MAX_ENTRIES = 10_000
"""How many entries are written out."""

MAX_STEPS = 2_000
"""How many steps are written one below the other."""

_ENOUGH = 10_000
"""Of what has so many terms, multiplied out, they are not counted further."""

_MAX_DEPTH = 120
_EACH = 40
"""How many times an entry all steps on the way to all entries may be."""


def marks(e: Any) -> int:
    """Count the nodes of an expression as a tree, and cases, which take a line each, many times."""
    cases = e.atoms(sp.Piecewise) if isinstance(e, sp.Basic) else ()
    return Size().of(e)[0] + sum(_LINE * len(c.args) for c in cases)


_LINE = 30
"""How many nodes a line of cases counts."""


def most_terms(e: Any) -> dict[Any, int]:
    """Bound how many terms each part of an expression has, multiplied out, above and below.

    >>> import sympy as sp
    >>> a, b = sp.symbols("a b")
    >>> e = (a + b) ** 2 * (a - b) + 1 / (a + b)
    >>> most_terms(e)[e], most_terms(e)[a + b]
    (10, 2)
    """
    known: dict[Any, int] = {}
    for part in parts_in_order(e):
        known[part] = _terms_of(part, [known[a] for a in part.args])
    return known


def parts_in_order(e: Any) -> list[Any]:
    """List the parts of an expression, each once and behind its arguments, itself last.

    SymPy's own traversal visits a part that is shared again and again.

    >>> import sympy as sp
    >>> parts_in_order(sp.Symbol("a") ** 2 / 3)
    [2, a, a**2, 1/3, a**2/3]
    """
    found: dict[Any, None] = {}
    stack = [e]
    while stack:
        waiting = [a for a in stack[-1].args if a not in found]
        stack.extend(waiting)
        if not waiting:
            found[stack.pop()] = None
    return [*found]


def _terms_of(e: Any, counts: list[int]) -> int:
    """Count those of an expression by those of its arguments; of more than enough, no more."""
    if isinstance(e, sp.Pow):
        power = abs(int(e.exp)) if e.exp.is_Integer else 1
        return counts[0] if counts[0] == 1 else min(counts[0] ** min(power, _ENOUGH), _ENOUGH)
    return min(prod(counts) if isinstance(e, sp.Mul) else max(1, sum(counts)), _ENOUGH)


class Size:
    """Watches how large expressions grow, counting shared parts as often as they are written.

    An expression may have `max_nodes` nodes, and all that are made on the way a multiple of it,
    so that what is refused is refused soon.
    """

    def __init__(self, max_nodes: int = MAX_NODES, call: str = "it", each: int = _EACH) -> None:
        self.max_nodes, self.call, self.each = max_nodes, call, each
        self._known: dict[int, tuple[int, int]] = {}
        self._alive: list[Any] = []
        self._total = 0

    def __call__(self, e: Any, times: int = 1) -> None:
        """Raise `ExpansionError` if an expression, written some times, has grown too large."""
        nodes, depth = self.of(e)
        self._total += nodes
        if nodes * times > self.max_nodes or self._total > self.each * self.max_nodes:
            raise ExpansionError(
                f"the formula has more than {self.max_nodes} parts when it is written out, or its "
                f"steps have {self.each} times as many; {self.call} takes more with max_nodes=..., "
                'and latex("steps"), evalf() and lambdify() need not write it out'
            )
        if depth > _MAX_DEPTH:
            raise ExpansionError(
                f"the formula is nested more than {_MAX_DEPTH} deep when it is written out; "
                'its shared steps are in latex("steps"), its value in evalf() and lambdify()'
            )

    def of(self, e: Any) -> tuple[int, int]:
        """Count the nodes and the depth of a tree."""
        known = self._known
        stack = [e]
        while stack:
            top = stack[-1]
            if id(top) in known:
                stack.pop()
                continue
            waiting = [a for a in getattr(top, "args", ()) if id(a) not in known]
            if waiting:
                stack.extend(waiting)
                continue
            inner = [known[id(a)] for a in getattr(top, "args", ())]
            nodes = 1 + sum(n for n, _ in inner)
            known[id(top)] = (nodes, 1 + max((d for _, d in inner), default=0))
            self._alive.append(top)
            stack.pop()
        return known[id(e)]


def check_entries(program: Program, position: int, max_entries: int, call: str) -> None:
    """Raise `ExpansionError` where a position, or a step on the way to it, has too many elements.

    `call` is the reading with a place for the limit that it would need.
    """
    shape = program.shapes[position]
    count = prod(shape)
    if count > max_entries:
        raise ExpansionError(
            f"{count} entries of shape {shape} are more than {max_entries}; ask for index_expr(), "
            f"or {call.format(count)}"
        )
    widest = max(_volume(program, p) for p in written(program, [position]))
    if widest > _EACH * max_entries:
        raise ExpansionError(
            f"a step on the way has {widest} terms; ask for index_expr(), or for more with "
            f"{call.format(widest // _EACH + 1)}"
        )


def _volume(program: Program, p: int) -> int:
    """Count the elementary terms of a step."""
    operation, *operands = program.steps[p]
    sizes = program.shapes[p]
    if type(operation) is ops.Einsum:
        sizes = tuple(operation.index_sizes([program.shapes[i] for i in operands]).values())
    return prod(sizes)
