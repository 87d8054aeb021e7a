"""Where an element stands: whole numbers made of loop variables, affine where that is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from symtape.program.kinds.placement import Form
from symtape.program.operations import Shape


class Var(NamedTuple):
    """A loop variable, or the name of an integer that was read, with the range of its values."""

    name: str
    low: int
    high: int


class Part(NamedTuple):
    """What a place that is not negative leaves when it is divided: the whole part, or the rest."""

    place: Place
    divisor: int
    sign: str
    """`/` or `%`."""

    @property
    def low(self) -> int:
        """The least value."""
        return self.place.low // self.divisor if self.sign == "/" else 0

    @property
    def high(self) -> int:
        """The greatest value."""
        most = self.place.high
        return most // self.divisor if self.sign == "/" else min(most, self.divisor - 1)


Atom = Var | Part


class Place(NamedTuple):
    """An offset, and multiples of atoms: ``4·i + j + 1``."""

    offset: int = 0
    terms: tuple[tuple[int, Atom], ...] = ()

    @classmethod
    def of(cls, atom: Atom) -> Place:
        """Be one atom; one that has a single value is that number."""
        return cls(atom.low) if atom.low == atom.high else cls(0, ((1, atom),))

    @property
    def low(self) -> int:
        """The least value that the ranges allow."""
        return self.offset + sum([c * (a.low if c > 0 else a.high) for c, a in self.terms])

    @property
    def high(self) -> int:
        """The greatest value that the ranges allow."""
        return self.offset + sum([c * (a.high if c > 0 else a.low) for c, a in self.terms])

    @property
    def is_number(self) -> bool:
        """Say whether the place is the same in every iteration."""
        return not self.terms

    def scaled(self, factor: int, offset: int = 0) -> Place:
        """Give factor · place + offset.

        >>> Place(1).scaled(3, 2)
        Place(offset=5, terms=())
        """
        if factor == 0:
            return Place(offset)
        return Place(factor * self.offset + offset, tuple([(factor * c, a) for c, a in self.terms]))

    def plus(self, other: Place) -> Place:
        """Add another place; multiples of one atom become one."""
        total: dict[Atom, int] = {}
        for c, a in (*self.terms, *other.terms):
            total[a] = total.get(a, 0) + c
        kept = tuple([(c, a) for a, c in total.items() if c])
        return Place(self.offset + other.offset, kept)

    def divided(self, divisor: int) -> tuple[Place, Place]:
        """Give quotient and remainder of a place that is not negative.

        >>> row, column = Var("i", 0, 2), Var("j", 0, 3)
        >>> Place(0, ((4, row), (1, column))).divided(4) == (Place.of(row), Place.of(column))
        True
        """
        if divisor == 1:
            return self, Place()
        whole = Place(
            self.offset // divisor,
            tuple([(c // divisor, a) for c, a in self.terms if c % divisor == 0]),
        )
        rest = Place(self.offset % divisor, tuple([(c, a) for c, a in self.terms if c % divisor]))
        if rest.low >= 0 and rest.high < divisor:
            return whole, rest
        return Place.of(Part(self, divisor, "/")), Place.of(Part(self, divisor, "%"))

    def names(self) -> Iterator[str]:
        """List the variables that the place depends on."""
        for _, a in self.terms:
            if isinstance(a, Var):
                yield a.name
            else:
                yield from a.place.names()

    def text(self, divide: str = "//") -> str:
        """Write the place, with the sign that divides whole numbers."""
        pieces = []
        for c, a in sorted(self.terms, key=lambda term: term[0] < 0):
            size = abs(c)
            inner = _atom_text(a, divide)
            sign = "-" if c < 0 else "+"
            pieces.append((sign, inner if size == 1 else f"{inner}*{size}"))
        if self.offset or not pieces:
            pieces.append(("-" if self.offset < 0 else "+", str(abs(self.offset))))
        (sign, first), *rest = pieces
        head = f"-{first}" if sign == "-" else first
        return head + "".join(f" {s} {t}" for s, t in rest)


def _atom_text(atom: Atom, divide: str) -> str:
    if isinstance(atom, Var):
        return atom.name
    sign = divide if atom.sign == "/" else "%"
    inner = atom.place.text(divide)
    plain = inner if inner.isidentifier() else f"({inner})"
    return f"({plain} {sign} {atom.divisor})"


Places = tuple[Place, ...]


def flat(places: Sequence[Place], shape: Shape) -> Place:
    """Number the elements of an array row by row, and give the number of one.

    >>> flat((Place(1), Place(2)), (3, 4))
    Place(offset=6, terms=())
    """
    total = Place()
    for place, n in zip(places, shape, strict=True):
        total = total.scaled(n).plus(place)
    return total


def unflat(number: Place, shape: Shape) -> Places:
    """Find the place of an element along each axis, from its number."""
    found: list[Place] = []
    for n in reversed(shape[1:]):
        number, rest = number.divided(n)
        found.append(rest)
    return (number, *reversed(found)) if shape else ()


def broadcast(places: Places, shape: Shape) -> Places:
    """Find the place in an operand that was broadcast: the first one along axes of size one."""
    own = places[len(places) - len(shape) :]
    return tuple([Place() if n == 1 else place for place, n in zip(own, shape, strict=True)])


def moved(forms: Sequence[Form], places: Places) -> Places:
    """Find the place along each axis, where the places of the indices are known.

    >>> moved([Form(1, ((2, 0),))], (Place(3),))
    (Place(offset=7, terms=()),)
    """
    found = []
    for offset, parts in forms:
        total = Place(offset)
        for stride, k in parts:
            total = total.plus(places[k].scaled(stride))
        found.append(total)
    return tuple(found)
