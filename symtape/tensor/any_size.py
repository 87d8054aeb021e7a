"""Formulas that hold for leaves of other sizes than those that were recorded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import Protocol

import sympy as sp

from symtape.errors import NoMatrixFormError, UnsupportedError
from symtape.forms.latex import Style
from symtape.forms.matrix.form import MatrixForm
from symtape.program.program import Program
from symtape.program.sizes import SMALL, Axis, Sizes, letters

_FIRST = (10_000, 20_000)
"""From where on primes are sizes; a number in which one is a factor comes from a size."""


class Read(Protocol):
    """What a formula is read from."""

    program: Program
    position: int

    @property
    def names(self) -> Mapping[int, str]:
        """The names of the leaves."""


class AnySize:
    """The sizes of a formula's leaves, by letters.

    Raises `NoMatrixFormError` where a size is no letter, and says which axis, and why.
    """

    def __init__(self, formula: Read) -> None:
        self.formula = formula
        try:
            self.found = Sizes(formula.program, formula.position)
        except UnsupportedError as error:
            raise NoMatrixFormError(f"sizes='symbolic': {error}") from None
        free = self.found.free()
        met = dict.fromkeys(size for leaf in self.leaves for size in self.found.sizes(leaf))
        self.roots = [size for size in met if size in free]
        found = letters({*formula.names.values()}, len(self.roots))
        self.letters: dict[Axis, str] = dict(zip(self.roots, found, strict=True))

    @property
    def leaves(self) -> list[int]:
        """The positions of the leaves that the result depends on, as one meets them."""
        met = self.formula.program.met([self.formula.position])
        return [p for p in met if p in self.formula.names]

    def shapes(self) -> dict[str, tuple[str | int, ...]]:
        """Give the shape of each leaf in letters and numbers."""
        return {self.formula.names[p]: tuple(self._shape(p)) for p in self.leaves}

    def _shape(self, p: int) -> Iterator[str | int]:
        for k, size in enumerate(self.found.sizes(p)):
            yield self.letters.get(size, self.found.shape(p)[k])

    def check(self) -> None:
        """Raise `NoMatrixFormError` if an axis of a leaf has to be as long as it is."""
        for p in self.leaves:
            for k, size in enumerate(self.found.sizes(p)):
                why = self.found.kept.get(size, SMALL)
                if why != SMALL:
                    raise NoMatrixFormError(
                        f"sizes='symbolic': axis {k} of {self.formula.names[p]} is "
                        f"{self.found.number((p, k))} long, since {why}"
                    )

    def form(self, style: Style, symmetric: Collection[str], rows: int | None) -> MatrixForm:
        """Read the formula in matrix notation, with letters for sizes.

        It is read where sizes are primes, which are letters in its numbers, and again where they
        are other primes, and must be the same; what is true of square matrices alone is not.
        """
        self.check()
        for counted in (False, True):
            texts = []
            for first in _FIRST:
                sizes = [*self.roots, *self.found.loose()]
                primes = dict(zip(sizes, _primes(first), strict=False))
                form = self._form(primes, counted, style, symmetric, rows)
                texts.append(form.text())
            if texts[0] == texts[1]:
                return form
        raise NoMatrixFormError(f"sizes='symbolic': {self._difference(style, symmetric, rows)}")

    def _difference(self, style: Style, symmetric: Collection[str], rows: int | None) -> str:
        """Say how the formula differs at two small sizes."""
        ways = []
        for first in (2, 4):
            sizes = [*self.roots, *self.found.loose()]
            numbers = dict(zip(sizes, count(first), strict=False))
            form = self._form(numbers, None, style, symmetric, rows)
            told = [f"{self.letters.get(size, 'a size')} = {n}" for size, n in numbers.items()]
            ways.append(f"{form.text()} for {', '.join(told)}")
        return f"the formula has other numbers for other sizes: {' and '.join(ways)}"

    def _form(
        self,
        numbers: Mapping[Axis, int],
        counted: bool | None,
        style: Style,
        symmetric: Collection[str],
        rows: int | None,
    ) -> MatrixForm:
        """Read the program at some sizes; `counted` says that counts are letters from the start."""
        program, place, counts = self.found.at(numbers, self.letters if counted else None)
        names = {place[p]: name for p, name in self.formula.names.items() if p in place}
        position = place[self.formula.position]
        names |= {p: name for name, p in counts.items()}
        named = style.functions == "named"
        form = MatrixForm(
            program, position, names, style.max_nodes, symmetric, named=named, rows=rows
        )
        if counted is None:
            return form
        return form.with_sizes({n: self.letters.get(size) for size, n in numbers.items()})


def _primes(first: int) -> Iterator[int]:
    """Give primes of which no number of a person is a multiple, and if one is, not of both."""
    while True:
        first = int(sp.nextprime(first))
        yield first
