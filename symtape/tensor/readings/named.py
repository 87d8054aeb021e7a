"""A position of a program, with names for its leaves and their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import sympy as sp

from symtape.kernels.interpret import QUIET, interpret
from symtape.program.operations import Input
from symtape.program.program import Builder, Program
from symtape.program.sizes.resizing import Recipe, StepByStep
from symtape.tensor.names import distinct, symbols
from symtape.tensor.recording.opening import Opened
from symtape.tensor.recording.provenance import Held, Leaf


class Named:
    """A position of a program, with names for the leaves and their values."""

    def __init__(
        self,
        program: Program,
        position: int,
        leaves: Sequence[Leaf],
        opened: Opened | None = None,
    ) -> None:
        self.program = program
        self.position = position
        self.all_leaves = leaves
        self._opened = opened

    @classmethod
    def of(cls, origin: tuple[Any, Any]) -> Self:
        """Read what was recorded, derived, or computed while a tape was active."""
        opened = Opened(origin)
        return cls(opened.program, opened.position, opened.leaves, opened)

    @classmethod
    def of_leaf(cls, tensor: Any) -> Self:
        """Read a tensor that nobody recorded: a symbol."""
        if tensor.label is None:
            tensor.find_label(None)
        b = Builder()
        b.append(*tensor.leaf_step())
        is_input = type(b.steps[0][0]) is Input
        leaves = [Leaf(0, tensor.label, Held(tensor), True)] if is_input else []
        return cls(b.finish(), 0, leaves)

    @cached_property
    def names(self) -> dict[int, str]:
        """The symbol of each leaf of the whole program, so that all its formulas agree."""
        scalars = {p for p in self.arguments if self.program.shapes[p] == ()}
        return symbols(self.arguments, scalars)

    @cached_property
    def arguments(self) -> dict[int, str]:
        """What each leaf is called as the argument of a function."""
        return distinct(self._labels) if self._opened is None else self._opened.names

    @property
    def _labels(self) -> dict[int, str | None]:
        return {leaf.position: leaf.label for leaf in self.all_leaves}

    @cached_property
    def used(self) -> list[Leaf]:
        """The leaves that the formula depends on."""
        needed = set(self.program.schedule([self.position, *self.guarded], ())[0])
        return [leaf for leaf in self.all_leaves if leaf.position in needed]

    @property
    def guarded(self) -> list[int]:
        """The positions whose values decided the path."""
        return [g.position for g in self.program.guards]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        shape: tuple[int, ...] = self.program.shapes[self.position]
        return shape

    @property
    def is_scalar(self) -> bool:
        """Say whether the result and all of its leaves are scalars."""
        program = self.program
        own = program.ancestors([self.position])
        return self.shape == () and all(program.shapes[p] == () for p in own if p in self.names)

    @property
    def _shapes(self) -> dict[str, tuple[int, ...]]:
        return {name: self.program.shapes[p] for p, name in self.names.items()}

    @property
    def sight(self) -> list[tuple[str, int]]:
        """What the caller's variables were called when the derivative was taken: name, position."""
        opened = self._opened
        return [] if opened is None else opened.seen()

    def moved(self, source: Any, position: int) -> int:
        """Give the place of a position of a source's own program."""
        place: int = self._opened.places[id(source)][position]  # type: ignore[union-attr]  # a source is there
        return place

    @property
    def _rows(self) -> int | None:
        return None if self._opened is None else self._opened.rows

    @property
    def recipe(self) -> Recipe:
        """How the formula is made where the leaves have other sizes."""
        return StepByStep(self.position) if self._opened is None else self._opened.recipe

    # --- leaves -----------------------------------------------------------------------------------

    @property
    def leaves(self) -> Mapping[sp.Symbol, Any]:
        """Map symbols to tensors as one meets them, those of a function as it lists them."""
        known = {x.position: x for x in self.used}
        is_listed = self._opened is not None and self._opened.is_listed
        met = self.used if is_listed else [known[p] for p in self._met() if p in known]
        return {sp.Symbol(self.names[x.position]): x.read() for x in met}

    def _met(self) -> list[int]:
        """List positions as one meets them when one reads the formula, then the conditions."""
        return self.program.met([self.position, *self.guarded])

    # --- values -----------------------------------------------------------------------------------

    def values_of(self, positions: Sequence[int]) -> dict[int, Any]:
        """Get the arrays of the leaves that some positions depend on."""
        own = set(self.program.ancestors(positions))
        found = {x.position: x.read() for x in self.all_leaves if x.position in own}
        return {p: getattr(x, "raw", x) for p, x in found.items()}

    def values(self) -> dict[int, Any]:
        """Get the arrays of the leaves; raises `ReleasedError` where one is gone."""
        return self.values_of([self.position])

    def _value(self, position: int) -> Any:
        """Compute the value of a position at the recorded point."""
        (found,) = QUIET.run(interpret, self.program, self.values_of([position]), [position])
        return found

    @cached_property
    def aliases(self) -> dict[str, int]:
        """What else stands for a leaf: its label and its symbol, where no other has it."""
        labels, symbols = self._labels, self.names
        pairs = dict.fromkeys(
            (also, p) for p in self.arguments for also in (labels[p], symbols[p]) if also
        )
        counts = Counter(also for also, _ in pairs)
        taken = set(self.arguments.values())
        return {also: p for also, p in pairs if counts[also] == 1 and also not in taken}

    def leaf_of(self, arg: Any) -> Leaf:
        """Find the leaf that a symbol, a name or a tensor stands for; `ValueError` if none does."""
        found: list[Leaf] = []
        if isinstance(arg, (sp.Symbol, sp.IndexedBase)):
            found = [x for x in self.all_leaves if self.names[x.position] == str(arg)]
        elif isinstance(arg, str):
            position = self.aliases.get(arg)
            found = [x for x in self.all_leaves if position == x.position]
            found += [x for x in self.all_leaves if self.arguments[x.position] == arg]
        elif hasattr(arg, "read"):
            found = self._leaves_of(arg.read())
        if not found:
            known = ", ".join(self.arguments.values())
            raise ValueError(f"{arg!r} is no leaf of the formula; its leaves are {known}")
        return found[0]

    def _leaves_of(self, tensor: Any) -> list[Leaf]:
        """Find a tensor among the leaves; one that is not needed has its name and shape alone."""
        own = [x for x in self.all_leaves if x.tensor.is_of(tensor)]
        alike = [
            x
            for x in self.all_leaves
            if x.tensor.of is None
            and x.label == tensor.label is not None
            and self.program.shapes[x.position] == tensor.raw.shape
        ]
        return own or alike


def lazy(leaf: Leaf) -> Callable[[], Any]:
    """Give a function that gets the array of a leaf."""

    def get() -> Any:
        tensor = leaf.read()
        return getattr(tensor, "raw", tensor)

    return get
