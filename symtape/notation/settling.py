"""What a text means whose variables are told: in each notation, and with bars of both kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from symtape.errors import NotationError
from symtape.notation.latex.fonts import Fonts
from symtape.notation.latex.words import meant
from symtape.notation.meanings.arrays import ArrayReader
from symtape.notation.meanings.latex import Barred, How, LatexReader
from symtape.notation.meanings.matrices import MatrixReader
from symtape.notation.sizes import ONE, MismatchError, Shape, Sizes
from symtape.notation.sums import Indexed, Rows, rows_of
from symtape.notation.tree import AmbiguousError, Node, ambiguous, in_order
from symtape.notation.typed import Typed

Declared = Mapping[str, Sequence[int | str]]
"""The shapes that a person gave: for each name sizes, which are numbers or letters."""


class Meaning(NamedTuple):
    """A text whose meaning is settled."""

    notation: str
    root: Typed
    variables: Mapping[str, Shape]
    sizes: Sizes
    names: Mapping[int, str]
    is_row: bool
    """Whether the result is a row, which people write as a factor of a number: a'*inv(X)*b."""
    rows: Mapping[str, Rows]
    """What sums over an index call a row, and the variable whose rows they are."""
    letters: tuple[str, ...] = ()
    """Letters that are read as functions, as sigma is before a parenthesis."""

    def shapes(self) -> dict[str, tuple[str | int, ...]]:
        """Give the shape of each variable, in letters and numbers."""
        return {v: self.sizes.text(s, self.names) for v, s in self.variables.items()}

    def told(self) -> str:
        """Write the shapes: A: m × n, x: n, c: scalar; and which letters are functions."""
        shapes = {v: " × ".join(map(str, s)) or "scalar" for v, s in self.shapes().items()}
        rows = {
            own.whole: f" with rows {row}"
            for row, own in self.rows.items()
            if "×" in shapes.get(own.whole, "")  # rows are not yet called as a whole where one asks
        }
        told = ", ".join([f"{v}: {shape}{rows.get(v, '')}" for v, shape in shapes.items()])
        return "; ".join([told, *[f"{v}() is {m}" for v in self.letters if (m := meant(v))]])


class Judged(NamedTuple):
    """That a text is a candidate, whose variables are known: what has its shape, or None."""

    shape: tuple[int, ...] | None


class Given(NamedTuple):
    """A text, and what a person said of its variables."""

    text: str
    notation: str
    root: Node
    declared: Declared
    symmetric: frozenset[str]
    fonts: Fonts
    sums: Indexed
    judged: Judged | None

    @property
    def told(self) -> dict[str, int]:
        """The ranks that are told."""
        declared = {v: len(s) for v, s in self.declared.items()}
        symmetric = dict.fromkeys(self.symmetric, 2)
        return {**self.fonts.bold, **symmetric, **self.sums.ranks, **declared}


class _Way(NamedTuple):
    """What a text means if bars are read in one way, and where they are of arrays."""

    meaning: Meaning
    barred: Sequence[Barred]


def settled(given: Given, ranks: Mapping[str, int], *, strict: bool) -> Meaning:
    """Settle what a text means; raises `NotationError` where it means nothing, or two things.

    Where nothing but `strict` meanings count, neighbours are products of matrices.
    """
    is_judged = given.judged is not None
    how = How(strict, by_entries=is_judged and not strict, is_judged=is_judged)
    has_bars = given.notation == "latex" and any(n.word == "bars" for n in in_order(given.root))
    return _by_bars(given, ranks, how) if has_bars else _read_as(given, ranks, how).meaning


def _by_bars(given: Given, ranks: Mapping[str, int], how: How) -> Meaning:
    """Read bars as determinants and lengths, and by entries, and see which has a meaning."""
    is_judged = given.judged is not None
    other = How(how.is_strict and not is_judged, is_judged, True, is_judged)
    first, second = _tried(given, ranks, how), _tried(given, ranks, other)
    if isinstance(second, _Way) and second.barred:
        return _chosen(given, [way for way in (first, second) if isinstance(way, _Way)])
    if isinstance(first, NotationError):
        raise first
    return first.meaning


def _tried(given: Given, ranks: Mapping[str, int], how: How) -> _Way | NotationError:
    try:
        return _read_as(given, ranks, how)
    except AmbiguousError:
        raise
    except NotationError as error:
        return error


def _chosen(given: Given, ways: Sequence[_Way]) -> Meaning:
    """Take what has the shape that is wanted, which is a number where nobody says else.

    A matrix between bars that is square may be its absolute value, too, which formulas lack.
    """
    of_entries = ways[-1]
    found = [way for way in ways if _fits(given, way.meaning)] or ways
    is_square = any(bar.may_be_square for bar in of_entries.barred)
    if len(found) > 1 or (found[0] is of_entries and is_square):
        bar = of_entries.barred[0]
        raise ambiguous(given.text, bar.at, bar.why)
    return found[0].meaning


def _fits(given: Given, found: Meaning) -> bool:
    if given.judged is None:
        return not found.root.shape
    own = tuple([found.sizes.number(n) for n in found.root.shape])
    return given.judged.shape in (None, own)


def _read_as(given: Given, ranks: Mapping[str, int], how: How) -> _Way:
    sizes = Sizes()
    made: dict[int | str, int] = {}
    variables = {
        v: tuple([sizes.given(n, made) for n in given.declared[v]])
        if v in given.declared
        else tuple([sizes.fresh() for _ in range(rank)])
        for v, rank in ranks.items()
    }
    for v in given.symmetric:
        _square(v, variables[v], sizes)
    is_row, families = (
        False,
        rows_of(given.sums, ranks, lambda n: sizes.fresh() if n is None else sizes.given(n, made)),
    )
    barred: Sequence[Barred] = ()
    if given.notation != "python":
        limits = {letter: sizes.given(letter, made) for letter in given.sums.limits}
        reader = MatrixReader(given.text, sizes, variables)
        if given.notation == "latex":
            parts = given.sums.parts
            reader = LatexReader(given.text, sizes, variables, families, limits, parts, how)
            barred = reader.barred
        typed, (rows, columns) = reader.read(given.root)
        is_row = sizes.root(rows) == ONE != sizes.root(columns)
    else:
        told = frozenset(given.declared) if how.is_strict else frozenset(variables)
        typed = ArrayReader(given.text, sizes, variables, told).read(given.root)
    _fit(given, typed, sizes, made)
    if given.judged is not None:
        _check_sizes(typed, sizes)
    names = sizes.name([*variables.values(), *[t.shape for t in operations(typed)]], variables)
    found = Meaning(given.notation, typed, variables, sizes, names, is_row, families)
    return _Way(found, barred)


def _fit(given: Given, typed: Typed, sizes: Sizes, made: dict[int | str, int]) -> None:
    """Let ones that nothing else is the size of be as many as what is judged has."""
    wanted = given.judged.shape if given.judged is not None else None
    for size, number in zip(typed.shape, wanted or (), strict=False):
        if len(typed.shape) == len(wanted or ()) and sizes.number(size) is None:
            with suppress(MismatchError):
                sizes.same(size, sizes.given(number, made))


def _check_sizes(typed: Typed, sizes: Sizes) -> None:
    """Refuse ones and unit matrices of any size, where all inputs have theirs."""
    made = [one for one in operations(typed) if one.word in ("fill", "eye")]
    if any(sizes.number(n) is None for one in made for n in one.shape):
        raise NotationError("nobody says how large ones, or a unit matrix, are in the formula")


def _square(v: str, shape: Shape, sizes: Sizes) -> None:
    try:
        sizes.equal(shape[:1], shape[1:])
    except MismatchError:
        raise NotationError(f"symmetric: {v} is no square matrix") from None


def operations(root: Typed) -> list[Typed]:
    """List the operations, each after its operands; one that stands twice is listed twice."""
    return list(in_order(root))
