"""Which axes of variables must be of one size: a union of equal ones, and a letter for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symtape.program.sizes.axes import letters

ONE = 0
"""The size that is 1 by the notation: of scalars, and of vectors across."""

Shape = tuple[int, ...]
"""A size for each axis."""


class MismatchError(Exception):
    """Two sizes cannot be equal; says which."""


class Sizes:
    """Sizes that are one, found as they are compared; each is a number, which means no more."""

    def __init__(self) -> None:
        self.parents = [ONE]
        self.known: dict[int, int] = {ONE: 1}
        self.letters: dict[int, str] = {}

    def fresh(self) -> int:
        """Make a size that nothing is known of, except that it is not ONE."""
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def given(self, what: int | str, made: dict[int | str, int]) -> int:
        """Make the size that a person gave: a number, or a letter, which is one size everywhere."""
        if what == 1:
            return ONE
        if what not in made:
            made[what] = self.fresh()
            if isinstance(what, str):
                self.letters[made[what]] = what
            else:
                self.known[made[what]] = what
        return made[what]

    def root(self, size: int) -> int:
        """Give the size that stands for all that are equal to one."""
        while self.parents[size] != size:
            self.parents[size] = self.parents[self.parents[size]]
            size = self.parents[size]
        return size

    def same(self, a: int, b: int) -> int:
        """Make two sizes one; raises `MismatchError` where they cannot be."""
        a, b = sorted((self.root(a), self.root(b)))
        if a == b:
            return a
        both = [self.known.get(a), self.known.get(b)]
        letters = [self.letters.get(a), self.letters.get(b)]
        if (None not in both and both[0] != both[1]) or a == ONE:
            raise MismatchError
        if None not in letters and letters[0] != letters[1]:
            raise MismatchError
        self.parents[b] = a
        for table in (self.known, self.letters):
            if b in table:
                table[a] = table.pop(b)  # type: ignore[assignment]  # of its own kind
        return a

    def equal(self, a: Sequence[int], b: Sequence[int]) -> Shape:
        """Make two shapes one."""
        if len(a) != len(b):
            raise MismatchError
        return tuple([self.same(i, j) for i, j in zip(a, b, strict=True)])

    def broadcast(self, a: Shape, b: Shape) -> Shape:
        """Make two shapes one as NumPy does: from the last axis on, and 1 is any size."""
        longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
        start = len(longer) - len(shorter)
        pairs = zip(longer[start:], shorter, strict=True)
        return longer[:start] + tuple([self._either(i, j) for i, j in pairs])

    def _either(self, i: int, j: int) -> int:
        if ONE in (self.root(i), self.root(j)):
            return j if self.root(i) == ONE else i
        return self.same(i, j)

    def name(self, shapes: Iterable[Shape], taken: Iterable[str]) -> dict[int, str]:
        """Give each size in some shapes that is not known its letter, in their order."""
        met = dict.fromkeys(self.root(size) for shape in shapes for size in shape)
        wanting = [size for size in met if size not in self.known and size not in self.letters]
        free = letters({*taken, *self.letters.values()}, len(wanting))
        own = {size: self.letters[size] for size in met if size in self.letters}
        return own | dict(zip(wanting, free, strict=True))

    def text(self, shape: Shape, names: Mapping[int, str]) -> tuple[str | int, ...]:
        """Write a shape: numbers and letters."""
        roots = [self.root(size) for size in shape]
        return tuple([self.known.get(r, names.get(r, "?")) for r in roots])
