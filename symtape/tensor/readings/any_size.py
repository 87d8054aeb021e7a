"""Formulas that hold for leaves of other sizes than those that were recorded.

A formula is read where its sizes are large primes, and the numbers in it that such a prime is in
are letters; read where they are other primes, it must be the same.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import sympy as sp

from symtape.errors import ExpansionError, NoMatrixFormError, SizeWarning, UnsupportedError
from symtape.forms.index.generic import generic_entry, generic_form
from symtape.forms.index.parts import IndexForm
from symtape.forms.lettered import lettered, spelled, told
from symtape.forms.matrix.form import Candidate, Chosen, MatrixForm
from symtape.forms.tex.latex import Style
from symtape.program.known import with_known
from symtape.program.program import Program
from symtape.program.sizes.axes import Sizes, letters
from symtape.program.sizes.coincidences import coincidences
from symtape.program.sizes.resizing import Recipe, Resized, resized
from symtape.program.sizes.unions import SMALL, WRITTEN, Axis
from symtape.tensor.names import depth_of_user

_FIRST = (1_234_567, 5_432_123)
"""From where on primes are sizes: a number in which one is a factor comes from a size.

They are larger than most numbers of a person, and no round number is near a multiple of one.
"""


_TOLD = 120
"""So many characters of a formula are told where it differs."""


class Read(Protocol):
    """What a formula is read from."""

    program: Program
    position: int

    @property
    def names(self) -> Mapping[int, str]:
        """The names of the leaves."""

    @property
    def recipe(self) -> Recipe:
        """How it is made where the leaves have other sizes."""

    @property
    def never_zero(self) -> Collection[str]:
        """The leaves without zeros where the function is defined that was derived."""

    @property
    def divisors(self) -> Sequence[int]:
        """The steps that are zero nowhere where the function is defined that was derived."""


class Sized(NamedTuple):
    """A formula where the leaves have other sizes."""

    program: Program
    position: int
    names: dict[int, str]
    divisors: Sequence[int]
    """The steps that are zero nowhere where the function is defined that was derived."""
    sizes: Mapping[int, str] = MappingProxyType({})
    """The letters that count elements, by the primes that sizes are."""


Reading = Callable[[Mapping[Axis, int], Sized], tuple[Any, Any]]
"""Reads a formula at some sizes: what must be the same at others, and what is wanted."""


class AnySize:
    """The sizes of a formula's leaves, by letters.

    Raises `UnsupportedError` where a size is no letter, and says which axis, and why; what reads
    matrix notation raises `NoMatrixFormError`.
    """

    def __init__(self, formula: Read) -> None:
        self.formula = formula
        try:
            self.recipe = formula.recipe
            self.found = Sizes(formula.program, *self.recipe.positions, alike=self.recipe.alike)
        except UnsupportedError as error:
            raise UnsupportedError(f"sizes='symbolic': {error}") from None
        self.roots = self._met()
        found = letters({*formula.names.values()}, len(self.roots))
        self.letters: dict[Axis, str] = dict(zip(self.roots, found, strict=True))

    def _met(self) -> list[Axis]:
        """List the sizes that are letters, as one meets them."""
        free = self.found.free()
        met = dict.fromkeys(size.root for leaf in self.leaves for size in self.found.sizes(leaf))
        return [root for root in met if root in free]

    @cached_property
    def leaves(self) -> list[int]:
        """The positions of the leaves that the result depends on, as one meets them.

        A leaf that it does not depend on is there if it alone tells a size, as x does in the
        derivative of its sum, or of a derivative that it was computed from.
        """
        program, position = self.formula.program, self.formula.position
        met = [p for p in program.met([position]) if p in self.formula.names]
        inner = [p for p, _ in self.recipe.alike if p in self.found.steps]
        axes = [
            *self.recipe.axes(program),
            *[(p, k) for p in inner for k in range(len(program.shapes[p]))],
        ]
        own = {self.found.root(axis) for axis in axes}
        missing = own - self._told(met)
        others = [p for p in self.found.steps if p in self.formula.names and p not in met]
        return met + [p for p in others if self._told([p]) & missing]

    def _told(self, positions: Sequence[int]) -> set[Axis]:
        return {size.root for p in positions for size in self.found.sizes(p)}

    def call(self, letters: Mapping[str, Sequence[str | int]]) -> None:
        """Call sizes as somebody called them who knows the shapes of the leaves.

        What was derived may have been computed from further leaves, which nobody called. Raises
        `UnsupportedError` where sizes are not those that are found here.
        """
        found: dict[Axis, str] = {}
        for p in [p for p in self.found.steps if p in self.formula.names]:
            for k, letter in enumerate(letters.get(self.formula.names[p], ())):
                if isinstance(letter, str) and letter.isidentifier():
                    self.found.lead((p, k))
                    found[p, k] = letter
        self.roots = self._met()
        self.letters = {root: found.get(root, "?") for root in self.roots}
        told = self.shapes()
        if any(tuple(letters.get(v, ())) != shape for v, shape in told.items()):
            raise UnsupportedError(f"sizes='symbolic': {told} are other sizes than {letters}")

    def shapes(self) -> dict[str, tuple[str | int, ...]]:
        """Give the shape of each leaf in letters and numbers."""
        return {self.formula.names[p]: tuple(self._shape(p)) for p in self.leaves}

    def _shape(self, p: int) -> Iterator[str | int]:
        for n, (root, more) in zip(self.found.shape(p), self.found.sizes(p), strict=True):
            letter = self.letters.get(root)
            yield n if letter is None else spelled(letter, more)

    @cached_property
    def coincidences(self) -> dict[str, str]:
        """Give the numbers in the formula that a size may have given, and what size."""
        own = self._lengths(self.leaves), self._lengths(self.found.steps)
        return coincidences(self.formula.program, [self.formula.position], *own)

    def _lengths(self, positions: Sequence[int]) -> dict[int, str]:
        """Say what axes are called that may be longer, by how long they are."""
        found: dict[int, str] = {}
        for p in positions:
            for n, (root, more) in zip(self.found.shape(p), self.found.sizes(p), strict=True):
                if root in self.letters:
                    found.setdefault(n, spelled(self.letters[root], more))
        return found

    def warn(self) -> None:
        """Warn of numbers that are taken for numbers, and may be sizes."""
        if self.coincidences:
            seen = [f"{number} ({size} here)" for number, size in self.coincidences.items()]
            one = len(seen) == 1
            warnings.warn(
                f"the formula for any size has the number{'' if one else 's'} {', '.join(seen)}, "
                f"which {'stays as it is' if one else 'stay as they are'} where sizes are others. "
                "If Python read a size, as len(x) does, count with tf.size(x) or "
                "tf.shape(x), or slice from the end; recorded with other sizes, a mere number does "
                "not warn",
                SizeWarning,
                stacklevel=depth_of_user(),
            )

    def check(self) -> None:
        """Raise `UnsupportedError` if an axis of a leaf has to be as long as it is."""
        for p in self.leaves:
            for k, size in enumerate(self.found.sizes(p)):
                why = self.found.kept.get(size.root, SMALL)
                if why not in (SMALL, WRITTEN):
                    raise UnsupportedError(
                        f"sizes='symbolic': axis {k} of {self.formula.names[p]} is "
                        f"{self.found.number((p, k))} long, since {why}"
                    )
        program = self.formula.program
        read = program.ancestors([self.formula.position])
        for axis, why in self.found.unknown([*self.recipe.steps(program), *read]):
            raise UnsupportedError(
                f"sizes='symbolic': an axis of {self.found.number(axis)} in what was computed has "
                f"to stay, since {why}"
            )

    def form(
        self,
        style: Style,
        symmetric: Collection[str] = (),
        rows: int | None = None,
        chosen: Chosen = Chosen(),  # noqa: B008 - a tuple
    ) -> MatrixForm:
        """Read the formula in matrix notation, with letters for sizes, and names for its parts."""
        read = partial(self._form, style, symmetric, rows)

        def sized(numbers: Mapping[Axis, int], made: Sized) -> tuple[str, MatrixForm]:
            try:
                form = read(made)
            except NoMatrixFormError as error:
                raise NoMatrixFormError(self._in_letters(str(error), numbers)) from None
            if style.has_parts:
                form = form.naming(self._chosen(chosen, numbers))
            form = form.with_sizes(self._known(numbers))
            return form.text(), form

        form: MatrixForm = self._same(sized)
        return form

    def index_form(self, at: Sequence[Any], max_nodes: int, chosen: Chosen | None) -> IndexForm:
        """Write the generic entry at some indices, with letters for sizes, and names for parts."""
        taken = [*self.letters.values()]

        def written(numbers: Mapping[Axis, int], made: Sized) -> tuple[Any, Any]:
            read = partial(self._form, Style(max_nodes=max_nodes), (), None, made)
            if chosen is None:
                found = IndexForm(generic_entry(*made[:3], at, read, max_nodes, taken))
            else:
                own = self._chosen(chosen, numbers)
                found = generic_form(*made[:3], at, read, own, max_nodes, taken)
            found = found.map(lambda e: lettered(e, self._known(numbers)))
            return found.meaning, found

        form: IndexForm = self._same(written)
        return form

    def _same(self, read: Reading) -> Any:
        """Read it where sizes are primes, with and without letters for counts from the start.

        What is read must be the same for other primes: what is true of square matrices alone, or
        of a number of terms, is not.
        """
        self.check()
        for counted in (False, True):
            ways = []
            for first in _FIRST:
                numbers = dict(zip(self._sizes, _primes(first), strict=False))
                try:
                    ways.append(self._read(read, numbers, counted=counted))
                except (ExpansionError, UnsupportedError):  # it tells of sizes that nobody chose
                    raise UnsupportedError(
                        "sizes='symbolic': the formula is written element by element, and is "
                        "longer where there are more; it has a form for the recorded sizes alone"
                    ) from None
            if ways[0][0] == ways[1][0]:
                self.warn()
                return ways[0][1]
        raise UnsupportedError(f"sizes='symbolic': {self._difference(read)}")

    def _read(self, read: Reading, numbers: Mapping[Axis, int], *, counted: bool) -> Any:
        """Read it with known arrays, if it has any, and as it was recorded if that cannot be."""
        known = self._known(numbers) if counted else {}
        own = {n: letter for n, letter in known.items() if letter is not None}
        if (whole := self._whole(numbers, counted=counted)) is not None:
            with suppress(ExpansionError, UnsupportedError):
                return read(numbers, whole._replace(sizes=own))
        return read(numbers, self._resized(numbers, counted=counted)._replace(sizes=own))

    @property
    def _sizes(self) -> list[Axis]:
        untold = [size for size in self.found.free() if size not in self.letters]
        return [*self.roots, *untold, *self.found.loose()]

    def _in_letters(self, text: str, numbers: Mapping[Axis, int]) -> str:
        """Say letters for the sizes that nobody chose."""
        known = self._known(numbers)
        return re.sub(r"\d{5,}", lambda found: str(told(int(found[0]), known) or "?"), text)

    def _known(self, numbers: Mapping[Axis, int]) -> dict[int, str | None]:
        return {n: self.letters.get(size) for size, n in numbers.items()}

    def _difference(self, read: Reading) -> str:
        """Say how the formula differs at two small sizes, at which it is there."""
        try:
            return self._difference_at(read, (2, 4))
        except UnsupportedError:  # more than two elements are taken
            most = max([self.found.number(size) for size in self._sizes], default=1)
            return self._difference_at(read, (most + 1, most + 3))

    def _difference_at(self, read: Reading, numbers_from: Sequence[int]) -> str:
        ways = []
        for first in numbers_from:
            numbers = dict(zip(self._sizes, count(first), strict=False))
            text, form = read({}, self._resized(numbers, counted=False))
            found = _cut(str(form.entry if isinstance(form, IndexForm) else text))
            own = [f"{self.letters.get(size, 'a size')} = {n}" for size, n in numbers.items()]
            ways.append(f"{found} for {', '.join(own)}")
        return f"the formula has other numbers for other sizes: {' and '.join(ways)}"

    def _resized(self, numbers: Mapping[Axis, int], *, counted: bool) -> Sized:
        """Make the program for some sizes; `counted` says that counts are letters."""
        return self._sized(resized(self.found, numbers, self.letters if counted else None))

    def _whole(self, numbers: Mapping[Axis, int], *, counted: bool) -> Sized | None:
        """Make the program with known arrays, if it has any: ε, and Π for what is rolled."""
        made = resized(self.found, numbers, self.letters if counted else None)
        known = with_known(made.program, [made.place[p] for p in self.recipe.positions])
        if known is None:
            return None
        again = known.made.place
        place = {p: again[q] for p, q in made.place.items() if q in again}
        counts = {key: again[q] for key, q in made.counts.items() if q in again}
        return self._sized(Resized(known.made.program, place, counts), known.names)

    def _sized(self, made: Resized, known: Mapping[int, str] = MappingProxyType({})) -> Sized:
        place = made.place
        names = {place[p]: name for p, name in self.formula.names.items() if p in place}
        names |= {p: letter for (letter, _), p in made.counts.items()}
        divisors = [place[p] for p in self.formula.divisors if p in place]
        return Sized(*self.recipe.result(made), names | {**known}, divisors)

    def _chosen(self, chosen: Chosen, numbers: Mapping[Axis, int]) -> Chosen:
        """Give what is to have a name where the leaves have other sizes."""
        stops = [self._candidate(c, numbers) for c in chosen.stops]
        given = [self._candidate(c, numbers) for c in chosen.given]
        return chosen._replace(
            stops=[c for c in stops if c is not None], given=[c for c in given if c is not None]
        )

    def _candidate(self, candidate: Candidate, numbers: Mapping[Axis, int]) -> Candidate | None:
        """Make what has a name for other sizes, if it can have them."""
        sizes = self._sizes_of_leaves(numbers)
        try:
            found = Sizes(candidate.program, candidate.position)
        except UnsupportedError:
            return None
        own: dict[Axis, int] = {}
        for p, name in candidate.names.items():
            for k, (size, n) in enumerate(zip(found.sizes(p), sizes[name], strict=True)):
                root, wanted = size.root, n - size.more
                is_other = root in found.kept and n != found.number((p, k))
                if own.setdefault(root, wanted) != wanted or is_other:
                    return None
        program, place, _ = resized(found, own)
        names = {place[p]: name for p, name in candidate.names.items()}
        return Candidate(candidate.name, program, place[candidate.position], names)

    def _sizes_of_leaves(self, numbers: Mapping[Axis, int]) -> dict[str, Sequence[int]]:
        return {self.formula.names[p]: self.found.shape_at(p, numbers) for p in self.leaves}

    def _form(
        self, style: Style, symmetric: Collection[str], rows: int | None, made: Sized
    ) -> MatrixForm:
        known: dict[str, Any] = {"nonzero": self.formula.never_zero, "divisors": made.divisors}
        known["sizes"] = made.sizes
        named = style.functions == "named"
        return MatrixForm(*made[:3], style.max_nodes, symmetric, named=named, rows=rows, **known)


def _cut(text: str) -> str:
    return text if len(text) <= _TOLD else f"{text[:_TOLD]}…"


def _primes(first: int) -> Iterator[int]:
    """Give primes of which no number of a person is near a multiple, and none near another."""
    for number in count(first, 123_457):
        yield int(sp.nextprime(number))
