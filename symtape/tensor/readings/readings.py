"""What can be read from a recorded tensor or a derivative: its formula, numbers, and code."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp

from symtape.compiled.function import Compiled, CompiledFormula, compiled
from symtape.compiled.resized import ResizedFormula
from symtape.exact import digits as exact_numbers
from symtape.exact.certain import certain_digits
from symtape.exact.enclosure import Enclosure
from symtape.forms import limits
from symtape.forms.limits import Size
from symtape.forms.reduced import reduced
from symtape.tensor.readings.enclosures import BoxLike, enclosed
from symtape.tensor.readings.named import lazy
from symtape.tensor.readings.written import Written, array
from symtape.tensor.recording.provenance import Leaf

_MOST_DIGITS = 10_000
"""So many take a second for a short formula, and minutes for a long one."""


class Formula(Written):
    """A formula that was recorded or derived: how it is written, its numbers, and its code."""

    def exact(
        self, max_entries: int = limits.MAX_ENTRIES, max_nodes: int = limits.MAX_EXACT_NODES
    ) -> sp.Expr | sp.ImmutableDenseNDimArray:
        """Compute exactly; see `Tensor.exact`."""
        limits.check_entries(self.program, self.position, max_entries, "exact(max_entries={})")
        check = Size(max_nodes, "exact()")
        found = exact_numbers.exact(self.program, self.position, self.values(), check)
        return array(found) if found.ndim else sp.sympify(found[()])

    def evalf(
        self, digits: int, max_entries: int = limits.MAX_ENTRIES
    ) -> sp.Expr | sp.ImmutableDenseNDimArray:
        """Compute to some digits; see `Tensor.evalf`."""
        wanted = _count_of_digits(digits)
        limits.check_entries(self.program, self.position, max_entries, "evalf(max_entries={})")
        values = self.values()
        found = certain_digits(self.program, self.position, values, wanted)
        if found is None:
            found = exact_numbers.digits(self.program, self.position, values, wanted)
        return array(found) if found.ndim else found[()]

    def enclose(
        self,
        bits: int,
        box: BoxLike | None,
        splits: int,
        *,
        check: bool,
        max_entries: int = limits.MAX_ENTRIES,
    ) -> Enclosure:
        """Give bounds that are certain; see `Tensor.enclose`."""
        limits.check_entries(self.program, self.position, max_entries, "enclose(max_entries={})")
        return enclosed(self, bits, box, splits, check=check)

    def lambdify(
        self, args: Sequence[Any] | None, backend: Any, *, check: bool, sizes: str = "recorded"
    ) -> CompiledFormula | ResizedFormula:
        """Compile; see `Tensor.lambdify`."""
        if sizes not in ("recorded", "any"):
            raise ValueError(f"unknown sizes {sizes!r}: it is one of 'recorded', 'any'")
        chosen = self._arguments(args)
        rest = [x for x in self.used if x.position not in {c.position for c in chosen}]
        guards = self.program.guards if check else ()
        whole = Compiled(
            program=self.program,
            output=self.position,
            arguments=tuple((self.arguments[x.position], x.position) for x in chosen),
            defaults=tuple((self.arguments[x.position], x.position, lazy(x)) for x in rest),
            guards=guards,
            labels=self._aliases,
        )
        program, output = reduced(self.program, self.position)
        made = compiled(whole._replace(program=program, output=output), backend)
        if sizes == "recorded":
            return made
        unnamed = [self.arguments[x.position] for x in rest if x.label is None]
        found = ResizedFormula(made, whole, unnamed, self.recipe)
        self.any_size.warn()
        return found

    def _arguments(self, args: Sequence[Any] | None) -> list[Leaf]:
        if args is None:
            watched = [x for x in self.used if x.watched]
            return watched or [x for x in self.all_leaves if x.watched]
        return [self.leaf_of(arg) for arg in args]


def _count_of_digits(digits: Any) -> int:
    """Read how many digits are wanted."""
    if isinstance(digits, (bool, np.bool_)) or not hasattr(digits, "__index__"):
        raise TypeError(f"evalf() takes a whole number of digits, such as 30, not {digits!r:.40}")
    wanted = int(operator.index(digits))
    if not 1 <= wanted <= _MOST_DIGITS:
        raise ValueError(
            f"evalf() computes 1 to {_MOST_DIGITS:,} digits, and {_short(wanted)} were asked for; "
            "exact() gives a number that has no rounding"
        )
    return wanted


def _short(number: int) -> str:
    return str(number) if abs(number) < 10**20 else "far more"
