"""A program whose elementwise part is computed in the shortest form that loses no digits.

In the derivatives of normal distribution functions, as those of option prices, most of what a chain
rule writes cancels. The shortest form (`scalars/elements.py`) is found once, and is taken for code
where nothing can be lost: every sum in it, and every function that grows without bound, is one that
the program computes already, but for a factor, and is computed as it was. What is new are products,
quotients and powers of these, which keep relative accuracy, and bounded functions.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

import sympy as sp

from symtape.errors import NoExactFormError
from symtape.forms.limits import Size, most_terms
from symtape.forms.matrix.writing.size import Length
from symtape.forms.named import normal_cdf, normal_pdf, sigmoid
from symtape.forms.scalars.elements import Shortener
from symtape.program.numbers import written_number
from symtape.program.operations import AddN, Constant, Map, Operation, divide, multiply
from symtape.program.program import Builder, Program

_LEAST = 12
_MOST = 200
"""How many steps there are, at least and at most, of which a shorter form is looked for."""
_MOST_NODES = 10_000
"""What is longer, written out, stays as it is."""
_MOST_TERMS = 500
"""What may have more terms is not multiplied out."""
_MANY_TERMS = 2000
"""Beyond, a shorter form takes longer to find than it saves."""
_MOST_FACTORS = 4
"""Up to this power numbers are multiplied."""
_BOUNDED = (sp.erf, sp.erfc, sp.tanh, sigmoid, normal_cdf, normal_pdf)
_COSTS = {sp.exp: 8, sp.log: 8, sp.erf: 12, sp.erfc: 12, sp.tanh: 10, sigmoid: 10, sp.Pow: 3}
"""What a function costs, in additions."""


def reduced(program: Program, position: int) -> tuple[Program, int]:
    """Give a program, of which the given one is the beginning, and the place of the same result.

    Both are the given ones where there is no shorter form, or none that is sure to keep all digits.
    """
    steps = _elementwise(program, position)
    if not _LEAST <= len(steps) <= _MOST or not _has_gaussians(program, steps):
        return program, position
    written = _written(program, steps)
    e = written[position]
    if Size().of(e)[0] > _MOST_NODES or most_terms(e)[e] > _MANY_TERMS:
        return program, position
    found = _shortest(e)
    b = Builder(program)
    made = _Writer(b, program.dtypes[position], written).write(found)
    if made is None or b.shapes[made] != program.shapes[position]:
        return program, position
    known = [p for p in written if p not in steps]
    new = b.ancestors([made], known)
    is_shorter = 4 * _cost(b, new) <= 3 * _cost(program, steps)
    return (b.finish(), made) if is_shorter else (program, position)


@lru_cache(256)
def _shortest(e: Any) -> Any:
    return Shortener(Length({}).of, joins=True, shares=False).of(e)


def _elementwise(program: Program, position: int) -> list[int]:
    """List the steps that lead to a position through operations on real entries of one dtype.

    What has conventions of its own, such as 0 log 0 = 0, or no formula, is what enters. Stops
    beyond the limit.
    """
    dtype = program.dtypes[position]
    found: set[int] = set()
    stack = [position]
    while stack and len(found) <= _MOST:
        p = stack.pop()
        operation, *operands = program.steps[p]
        is_real = program.dtypes[p] == dtype and dtype.kind == "f"
        if p not in found and is_real and _is_plain(operation):
            found.add(p)
            stack.extend(operands)
    return sorted(found)


@lru_cache(4096)
def _is_plain(operation: Operation) -> bool:
    """Say whether an operation is elementwise, and is its formula wherever that is defined."""
    if not isinstance(operation, Map) or operation.result != "same":
        return isinstance(operation, AddN)
    try:
        return operation.formula == operation.at_points
    except NoExactFormError:
        return False


def _has_gaussians(program: Program, steps: list[int]) -> bool:
    """Say whether exponentials of squares, or their integrals, stand at several places."""
    maps = [program.steps[p][0] for p in steps if isinstance(program.steps[p][0], Map)]
    return len([m for m in maps if m.formula[1].has(sp.exp, sp.erf, sp.erfc)]) > 1


def _written(program: Program, steps: list[int]) -> dict[int, Any]:
    """Write the steps as expressions of what enters them."""
    found: dict[int, Any] = {}
    for p in steps:
        operation, *operands = program.steps[p]
        for q in operands:
            if q not in found:
                enters = program.steps[q][0]
                is_number = isinstance(enters, Constant)
                found[q] = (
                    written_number(enters.number) if is_number else sp.Symbol(f"a{q}", real=True)
                )
        entries = [found[q] for q in operands]
        found[p] = sp.Add(*entries) if isinstance(operation, AddN) else operation.applied(entries)
    return found


def _cost(program: Program, steps: Any) -> int:
    """Count what the steps cost, at all of their entries."""
    total = 0
    for p in steps:
        operation, *operands = program.steps[p]
        if isinstance(operation, Map):
            heads = [type(f) for f in sp.preorder_traversal(operation.formula[1])]
            own = sum(_COSTS.get(head, 1) for head in heads if not head.is_Symbol)
        else:
            own = len(operands) - 1 if isinstance(operation, AddN) else 0
        total += own * prod(program.shapes[p])
    return total


# --- writing --------------------------------------------------------------------------------------


def _factor(e: Any) -> tuple[Any, Any]:
    """Take a number out of an expression, so that the rest tells all its multiples."""
    plain = sp.expand(e) if most_terms(e)[e] <= _MOST_TERMS else e
    if plain.is_Add:
        number, rest = plain.as_content_primitive(radical=True)
    else:
        number, rest = plain.as_independent(*plain.free_symbols, as_Add=False)
    return (-number, -rest) if rest.could_extract_minus_sign() else (number, rest)


class _Writer:
    """Writes an expression as steps, each part once, and what is computed already as it is."""

    def __init__(self, b: Builder, dtype: Any, written: dict[int, Any]) -> None:
        self.b, self.dtype = b, dtype
        self.known: dict[Any, int | None] = {}
        self.computed: dict[Any, tuple[Any, int]] = {}
        for p, e in written.items():
            if not e.is_number:
                number, rest = _factor(e)
                self.computed.setdefault(rest, (number, p))

    def write(self, e: Any) -> int | None:
        """Give the position of an expression; None if digits could be lost."""
        if e.is_number:
            return self._number(e)
        if e not in self.known:
            found = self._computed(e)
            self.known[e] = self._new(e) if found is None else found
        return self.known[e]

    def _number(self, e: Any) -> int:
        return self.b.constant(float(sp.N(e, 30)), self.dtype)

    def _computed(self, e: Any) -> int | None:
        number, rest = _factor(e)
        if rest not in self.computed:
            return None
        own, p = self.computed[rest]
        scale = number / own
        if scale == -1:
            return self.b.negative(p)
        return p if scale == 1 else self.b.append(multiply, self._number(scale), p)

    def _new(self, e: Any) -> int | None:
        if isinstance(e, sp.Mul):
            return self._product(e)
        if isinstance(e, sp.Pow) and e.base is not sp.E:
            return self._power(e.base, e.exp)
        return self._function(e) if isinstance(e, _BOUNDED) else None

    def _product(self, e: Any) -> int | None:
        """Divide once, by the product of all that is below."""
        number, rest = e.as_independent(*e.free_symbols, as_Add=False)
        above: list[int | None] = []
        below: list[int | None] = []
        for f in sp.Mul.make_args(rest):
            base, power = f.as_base_exp()
            is_below = power.is_Rational and power.is_negative and base is not sp.E
            (below if is_below else above).append(self.write(base**-power if is_below else f))
        if number != 1 or not above:
            above.insert(0, self._number(number))
        up, down = self._multiplied(above), self._multiplied(below)
        if up is None or down is None:
            return up if not below else None
        return self.b.append(divide, up, down)

    def _multiplied(self, factors: list[int | None]) -> int | None:
        made = factors[0] if factors else None
        for factor in factors[1:]:
            made = None if made is None or factor is None else self.b.append(multiply, made, factor)
        return made

    def _power(self, base: Any, power: Any) -> int | None:
        x = self.write(base)
        if x is None or not power.is_number:
            return None
        if power.is_Integer and 0 < power <= _MOST_FACTORS:
            return self._multiplied([x] * int(power))
        if power == sp.Rational(1, 2):
            return self.b.append(Map("sqrt", 1, "same"), x)
        return self.b.append(Map("pow", 2, "same"), x, self._number(power))

    def _function(self, e: Any) -> int | None:
        x = self.write(e.args[0])
        if x is None:
            return None
        b = self.b
        if isinstance(e, normal_pdf):
            square = b.append(multiply, b.append(multiply, self._number(-sp.S.Half), x), x)
            density = b.append(Map("exp", 1, "same"), square)
            return b.append(multiply, self._number(1 / sp.sqrt(2 * sp.pi)), density)
        if isinstance(e, normal_cdf):
            scaled = self.b.append(multiply, self._number(-sp.sqrt(2) / 2), x)
            tail = b.append(Map("erfc", 1, "same"), scaled)
            return b.append(multiply, self._number(sp.S.Half), tail)
        return b.append(Map(type(e).__name__, 1, "same"), x)
