"""What can be read from a recorded tensor or a derivative: its formula, numbers, and code."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from symtape.compiled.function import Compiled, CompiledFormula, compiled
from symtape.compiled.resized import ResizedFormula, Resizing
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
        chosen = self._arguments(args)
        taken = {x.position for x in chosen}
        rest = [x for x in self.used if x.position not in taken]
        part = self.part(chosen, rest, self.arguments, check=check)
        one_size = takes_one_size(sizes)
        made = compiled(shortest(part), backend)
        return made if one_size else ResizedFormula(made, [self.resizing(part)])

    def part(
        self,
        arguments: Iterable[Leaf],
        defaults: Iterable[Leaf],
        names: Mapping[int, str],
        *,
        check: bool,
    ) -> Compiled:
        """Say what is compiled, of which leaves."""
        return Compiled(
            program=self.program,
            outputs=(self.position,),
            arguments=tuple([(names[x.position], x.position) for x in arguments]),
            defaults=tuple([(names[x.position], x.position, lazy(x)) for x in defaults]),
            guards=self.program.guards if check else (),
            labels={also: names[p] for also, p in self.aliases.items()},
        )

    def resizing(self, part: Compiled) -> Resizing:
        """Say how it is made again for other sizes, and warn of numbers that may be sizes."""
        label = {x.position: x.label for x in self.all_leaves}
        unnamed = [name for name, p, _ in part.defaults if label[p] is None]
        self.any_size.warn()
        return Resizing(part, unnamed, self.recipe)

    def _arguments(self, args: Sequence[Any] | None) -> list[Leaf]:
        if args is None:
            watched = [x for x in self.used if x.watched]
            return watched or [x for x in self.all_leaves if x.watched]
        return [self.leaf_of(arg) for arg in args]


def takes_one_size(sizes: str) -> bool:
    """Read the argument `sizes`."""
    if sizes not in ("recorded", "any"):
        raise ValueError(f"unknown sizes {sizes!r}: it is one of 'recorded', 'any'")
    return sizes == "recorded"


def shortest(part: Compiled) -> Compiled:
    """Give a formula in the form that is computed in the shortest time; see `reduced`."""
    program, output = reduced(part.program, *part.outputs)
    return part._replace(program=program, outputs=(output,))


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
