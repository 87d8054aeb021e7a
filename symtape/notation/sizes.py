"""Which axes of variables must be of one size: a union of equal ones, and a letter for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symtape.forms.lettered import spelled
from symtape.program.sizes.axes import letters

ONE = 0
"""The size that is 1 by the notation: of scalars, and of vectors across."""

Shape = tuple[int, ...]
"""A size for each axis."""


class MismatchError(Exception):
    """Two sizes cannot be equal; says which."""


class Sizes:
    """Sizes that are one, found as they are compared; each is a number, which means no more.

    Some are less than another by a number, as that of `x[1:]` is; `least` elements does each axis
    have from which a place is taken.
    """

    def __init__(self) -> None:
        self.parents = [ONE]
        self.more = [0]
        self.known: dict[int, int] = {ONE: 1}
        self.letters: dict[int, str] = {}
        self.least = 3

    def fresh(self) -> int:
        """Make a size that nothing is known of, except that it is not ONE."""
        self.parents.append(len(self.parents))
        self.more.append(0)
        return len(self.parents) - 1

    def less(self, size: int, number: int) -> int:
        """Make the size that is less by a number."""
        root, more = self.find(size)
        if root == ONE:
            raise MismatchError
        made = self.fresh()
        self.parents[made], self.more[made] = root, more - number
        return made

    def total(self, parts: Sequence[int]) -> int:
        """Make the size of axes that are joined, of which at most one is of any size."""
        if len(parts) == 1:
            return parts[0]
        unknown = [size for size in parts if self.number(size) is None]
        count = sum(n for size in parts if (n := self.number(size)) is not None)
        if len(unknown) > 1:
            raise MismatchError
        return self.less(unknown[0], -count) if unknown else self.given(count, {})

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

    def find(self, size: int) -> tuple[int, int]:
        """Give the size that stands for all that are equal to one, and how many more this is."""
        more = 0
        while self.parents[size] != size:
            more += self.more[size]
            size = self.parents[size]
        return size, more

    def root(self, size: int) -> int:
        """Give the size that stands for all that are equal to one, or differ by a number."""
        return self.find(size)[0]

    def number(self, size: int) -> int | None:
        """Give the number that a size is, if it is known."""
        root, more = self.find(size)
        known = self.known.get(root)
        return None if known is None else known + more

    def need(self, count: int) -> None:
        """Let axes have so many elements at least."""
        self.least = max(self.least, count)

    def same(self, a: int, b: int) -> int:
        """Make two sizes one; raises `MismatchError` where they cannot be."""
        (a, more), (b, other) = sorted((self.find(a), self.find(b)))
        if a == b:
            if more != other:
                raise MismatchError
            return a
        if b in self.letters and a not in self.letters and a != ONE:
            (a, more), (b, other) = (b, other), (a, more)
        apart = more - other  # b is so many more than a
        known, also = self.known.get(a), self.known.get(b)
        letters = [self.letters.get(a), self.letters.get(b)]
        if a == ONE or (known is not None and also is not None and known + apart != also):
            raise MismatchError
        if None not in letters and (apart or letters[0] != letters[1]):
            raise MismatchError
        self.parents[b], self.more[b] = a, apart
        if b in self.known:
            self.known[a] = self.known.pop(b) - apart
        self.letters.pop(b, None)
        return a

    def equal(self, a: Sequence[int], b: Sequence[int]) -> Shape:
        """Make two shapes one."""
        if len(a) != len(b):
            raise MismatchError
        for i, j in zip(a, b, strict=True):
            self.same(i, j)
        return tuple(a)

    def broadcast(self, a: Shape, b: Shape) -> Shape:
        """Make two shapes one as NumPy does: from the last axis on, and 1 is any size."""
        longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
        start = len(longer) - len(shorter)
        pairs = zip(longer[start:], shorter, strict=True)
        return longer[:start] + tuple([self._either(i, j) for i, j in pairs])

    def _either(self, i: int, j: int) -> int:
        if ONE in (self.root(i), self.root(j)):
            return j if self.root(i) == ONE else i
        self.same(i, j)
        return i

    def name(self, shapes: Iterable[Shape], taken: Iterable[str]) -> dict[int, str]:
        """Give each size in some shapes that is not known its letter, in their order."""
        met = dict.fromkeys(self.root(size) for shape in shapes for size in shape)
        wanting = [size for size in met if size not in self.known and size not in self.letters]
        free = letters({*taken, *self.letters.values()}, len(wanting))
        own = {size: self.letters[size] for size in met if size in self.letters}
        return own | dict(zip(wanting, free, strict=True))

    def text(self, shape: Shape, names: Mapping[int, str]) -> tuple[str | int, ...]:
        """Write a shape: numbers and letters, such as "n" and "n - 1"."""
        return tuple([self._said(size, names) for size in shape])

    def _said(self, size: int, names: Mapping[int, str]) -> str | int:
        number, (root, more) = self.number(size), self.find(size)
        return spelled(names.get(root, "?"), more) if number is None else number
