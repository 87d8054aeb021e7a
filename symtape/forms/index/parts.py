"""Index notation with names for parts: P[i, j] where P[i, j] = exp(S[i, j])/Σₖ exp(S[i, k]).

A matrix form has its own parts, whose entries are written here. Of more axes, the steps of the
program are what can have a name: those that somebody named, and what is long and used twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.calculus.terms.canonical import canonical
from symtape.errors import ExpansionError, UnsupportedError
from symtape.forms import limits
from symtape.forms.expression import leaf_entry
from symtape.forms.factors import name_of
from symtape.forms.index.entry import LETTERS, IndexWriter, index_expression, index_symbols
from symtape.forms.index.kinds import matrices
from symtape.forms.matrix.form import Candidate, Chosen, MatrixForm
from symtape.forms.matrix.writing.naming import LETTERS as NAMES
from symtape.forms.matrix.writing.naming import MOST, SHORT
from symtape.program.operations import Input, dtype_name
from symtape.program.program import Builder, Program

_FLOAT = np.dtype("float64")
_LONG = 25
"""What is longer and stands within another sum has a name, even if it is used once."""

_SHELL = 3
"""What has so few marks more than its operand is a number times it, or a function of it."""
_LITTLE = 12
"""What stands once in something so short needs no name."""


class IndexPart(NamedTuple):
    """A named part: its entry at some indices."""

    name: str
    at: tuple[Any, ...]
    entry: Any

    @property
    def left(self) -> Any:
        """The entry by its name."""
        return leaf_entry(self.name, self.at, _FLOAT)

    def map(self, change: Callable[[Any], Any]) -> IndexPart:
        """Change the definition."""
        return self._replace(entry=change(self.entry))


class IndexForm(NamedTuple):
    """A generic entry, and its parts in their order; `ranks` tells the rank of each name in it."""

    entry: Any
    parts: tuple[IndexPart, ...] = ()
    ranks: Mapping[str, int] = MappingProxyType({})

    @property
    def length(self) -> int:
        """How much there is to read."""
        return sum(map(limits.marks, [self.entry, *[part.entry for part in self.parts]]))

    @property
    def meaning(self) -> Any:
        """The entry by names that tell what the parts are: forms are alike if this is equal."""
        swap: dict[Any, Any] = {}
        for part in self.parts:
            told = sp.srepr(_swapped(part.entry, swap))
            swap[part.name] = f"v{sha256(told.encode()).hexdigest()}"
        return _swapped(self.entry, swap)

    def map(self, change: Callable[[Any], Any]) -> IndexForm:
        """Change all expressions."""
        return self._replace(
            entry=change(self.entry), parts=tuple([part.map(change) for part in self.parts])
        )


def _swapped(e: Any, names: Mapping[str, str]) -> Any:
    """Call parts by other names: scalars, arrays, and matrices as a whole."""
    kinds = (sp.Symbol, sp.IndexedBase, sp.MatrixSymbol)
    found = {x for x in e.atoms(*kinds) if str(x) in names}
    return e.xreplace({x: _called(x, names[str(x)]) for x in found})


def _called(x: Any, name: str) -> Any:
    if isinstance(x, sp.MatrixSymbol):
        return sp.MatrixSymbol(name, *x.shape)
    return sp.IndexedBase(name) if isinstance(x, sp.IndexedBase) else sp.Symbol(name)


def of_matrix(
    form: MatrixForm,
    shape: Sequence[int],
    at: Sequence[Any],
    dtypes: Mapping[str, Any],
    taken: Collection[str],
) -> IndexForm:
    """Write the entries of a matrix form and of its parts.

    No dummy is called as an index in `at`, nor as that of an axis of one place, which is not
    written: whoever puts numbers in for all of them gets the entry.
    """
    wide = [k for k, n in zip(at, shape, strict=True) if n != 1]
    used = {*form.ranks, *form.others, *taken, *map(str, at)}
    letters = [c for c in LETTERS if c not in used]

    def leaf(name: str, place: tuple[Any, ...]) -> Any:
        return leaf_entry(name, place, dtypes.get(name, _FLOAT))

    def entry(own: MatrixForm, place: Sequence[Any]) -> Any:
        return own.entry(place, leaf, [c for c in letters if c not in map(str, place)])

    parts = []
    for name, own in form.each():
        place = index_symbols(form.others[name], {*form.ranks, *form.others, *taken})
        parts.append(IndexPart(name, place, entry(own, place)))
    return IndexForm(entry(form, wide), tuple(parts), form.others)


def of_steps(
    program: Program,
    position: int,
    names: Mapping[int, str],
    at: Sequence[Any],
    chosen: Chosen,
    taken: Collection[str] = (),
    max_nodes: int = limits.MAX_NODES,
) -> IndexForm:
    """Write a position in index notation, with names for the steps that are chosen.

    They are those of the canonical program, which adds up what is alike, or those that were
    recorded, of which products keep their parts: whichever gives less to read. Raises `ValueError`
    for a stop that is not there.
    """
    ways = []
    failure: Exception | None = None
    for write in (_as_recorded, canonical):
        try:
            own = _Steps(program, position, names, chosen, taken, max_nodes, write)
            ways.append(own.form(at))
        except (ValueError, ExpansionError, UnsupportedError) as error:
            failure = failure or error
    if failure is not None and not ways:
        raise failure
    return min(ways, key=lambda form: form.length)


Written = Callable[[Program, Sequence[int]], tuple[Program, list[int]]]


def _as_recorded(program: Program, outputs: Sequence[int]) -> tuple[Program, list[int]]:
    return program, [*outputs]


class _Steps:
    """The canonical steps of a formula and of what is to have a name."""

    def __init__(
        self,
        program: Program,
        position: int,
        names: Mapping[int, str],
        chosen: Chosen,
        taken: Collection[str],
        max_nodes: int,
        write: Written,
    ) -> None:
        self.chosen, self.max_nodes = chosen, max_nodes
        given = [*chosen.stops, *chosen.given]
        joined, places, own = _joined(Candidate("", program, position, names), given)
        order = joined.inputs()
        self.program, (self.position, *others) = write(joined, places)
        self.names = {p: own[q] for p, q in zip(self.program.inputs(), order, strict=True)}
        self.order = [p for p in self.program.ancestors([self.position]) if p not in self.names]
        self.taken = {*self.names.values(), *taken, *[c.name for c in given]}
        known = dict(zip(reversed(others), reversed([c.name for c in given]), strict=True))
        self.given = {p: name for p, name in known.items() if p in self.order[:-1]}
        self.stops = {c.name for c in chosen.stops}

    def form(self, at: Sequence[Any]) -> IndexForm:
        """Write the whole, and its parts."""
        known = self._known(self.order[:-1]) if self.chosen.letters else self.given
        while True:
            form = self._form(at, known)
            uses = _Uses([form.entry, *[part.entry for part in form.parts]])
            needless = [part.name for part in form.parts if self._is_needless(part, uses)]
            if not needless:
                break
            known = {p: name for p, name in known.items() if name != needless[-1]}
        self.chosen.check(uses.count)
        own = self._in_order(known)
        return form if own == known else self._form(at, own)

    def _in_order(self, known: Mapping[int, str]) -> dict[int, str]:
        """Give the letters in the order of the parts."""
        found = {p: name for p, name in self.given.items() if p in known}
        for p in sorted(known):
            if p not in found:
                found[p] = self._letter(p, found)
        return found

    def _form(self, at: Sequence[Any], known: Mapping[int, str]) -> IndexForm:
        parts = {p: self._part(p, known) for p in self.order if p in known}
        whole = self._entry(self.position, at, known)
        ranks = {part.name: len(part.at) for part in parts.values()}
        found = [part for part in parts.values() if part.name not in self.stops]
        return IndexForm(whole, tuple(found), ranks)

    def _is_needless(self, part: IndexPart, uses: _Uses) -> bool:
        """Say whether a name can go: it stands nowhere, or what it is could stand there itself."""
        count = uses.count[part.name]
        if count and part.name in uses.wholes:
            return False
        is_given = part.name in self.given.values()
        if count != 1 or (is_given and self.chosen.always):
            return not count
        if is_given:
            return limits.marks(part.entry) <= SHORT
        return limits.marks(part.entry) <= _LONG or uses.room[part.name] <= _LITTLE

    def _known(self, order: Sequence[int]) -> dict[int, str]:
        """Choose names for what is long and used twice, and for what is very long."""
        uses = Counter(q for p in order for q in self.program.steps[p][1:])
        uses.update(self.program.steps[self.position][1:])
        known = dict(self.given)
        lengths = _Lengths(self.program, self.names, known)
        wholes = self._wholes(lengths.writer)
        for p in order:
            if p in known or len(known) >= MOST or self.program.dtypes[p].kind not in "fc":
                continue
            if p in wholes:
                known[p] = self._letter(p, known)
            elif lengths.of(p) > (SHORT if uses[p] > 1 else _LONG):
                known[self._inner(p, lengths, uses)] = self._letter(p, known)
        return known

    def _wholes(self, writer: IndexWriter) -> set[int]:
        """Give the matrices that are inverted and the like, and would be written entry by entry."""
        steps = [self.program.steps[p] for p in (*self.order, self.position)]
        found = {step[1] for step in steps if isinstance(step[0], matrices.OF_MATRICES)}
        wide = {p for p in found if len(self.program.shapes[p]) == 2 and p not in self.names}
        plain = {p for p in wide if name_of(self.program.steps[p][0]) is None}
        return {p for p in plain if writer.composed(p) is None}

    def _inner(self, p: int, lengths: _Lengths, uses: Mapping[int, int]) -> int:
        """Take what a number is divided or multiplied by, or a function is of, for the part."""
        while True:
            operands = [q for q in self.program.steps[p][1:] if lengths.of(q) > SHORT]
            if len(operands) != 1 or operands[0] in lengths.parts or uses[operands[0]] > 1:
                return p
            if not 0 < lengths.of(p) - lengths.of(operands[0]) <= _SHELL:
                return p
            (p,) = operands

    def _letter(self, p: int, known: Mapping[int, str]) -> str:
        wide = sum(n != 1 for n in self.program.shapes[p])
        names = {*known.values(), *self.taken}
        letters = NAMES[min(wide, 2)]
        numbered = (f"{c}{k}" for k in range(1, MOST + 1) for c in letters)
        free = (name for name in (*letters, *numbered) if name not in names)
        return str(next(free))

    def _part(self, p: int, known: Mapping[int, str]) -> IndexPart:
        shape = self.program.shapes[p]
        wide = [n for n in shape if n != 1]
        free = index_symbols(len(wide), self.taken | {*known.values()})
        symbols = iter(free)
        at = [sp.S.Zero if n == 1 else next(symbols) for n in shape]
        return IndexPart(known.get(p, ""), free, self._entry(p, at, known))

    def _entry(self, p: int, at: Sequence[Any], known: Mapping[int, str]) -> Any:
        parts = {q: name for q, name in known.items() if q != p}
        taken = self.taken | {*known.values()}
        return index_expression(self.program, p, self.names, at, self.max_nodes, taken, parts)


def _joined(
    whole: Candidate, others: Sequence[Candidate]
) -> tuple[Program, list[int], dict[int, str]]:
    """Put programs into one, in which leaves of one name are one; give the positions and names."""
    b = Builder()
    leaves: dict[str, int] = {}
    places = []
    for _, program, position, names in (whole, *others):
        place: dict[int, int] = {}
        for p in [*_met(program, position, names), *program.ancestors([position])]:
            if p in place:
                continue
            name = names.get(p)
            if name is None:
                operation, *operands = program.steps[p]
                place[p] = b.append(operation, *[place[i] for i in operands])
                continue
            if name not in leaves:
                leaves[name] = b.enter(
                    Input(dtype_name(program.dtypes[p]), program.shapes[p], False)
                )
            place[p] = leaves[name]
        places.append(place[position])
    return b.finish(), places, {p: name for name, p in leaves.items()}


def _met(program: Program, position: int, names: Mapping[int, str]) -> Iterator[int]:
    """Give the leaves as one meets them who reads."""
    yield from [p for p in program.met([position]) if p in names]


class _Lengths:
    """How long the entries of steps are, each written once, by those of the parts before it."""

    def __init__(
        self, program: Program, names: Mapping[int, str], parts: Mapping[int, str]
    ) -> None:
        self.parts, self.program = parts, program
        self.writer = IndexWriter(program, names, parts=parts)
        self.known: dict[int, int] = {}

    def of(self, p: int) -> int:
        """Measure an entry; what has none, and what has a name, needs no other."""
        if p not in self.known:
            at = [sp.S.Zero if n == 1 else sp.Dummy(integer=True) for n in self.program.shapes[p]]
            try:
                entry = self.writer.entry(p, tuple(at))
            except (ExpansionError, UnsupportedError, ValueError, TypeError, IndexError):
                entry = sp.S.Zero  # what the whole needs is written again, and is told there
            is_short = isinstance(entry, MatrixElement)
            self.known[p] = 0 if is_short else limits.marks(entry)
        return self.known[p]


class _Uses:
    """How often the names stand in some expressions, and how long that is where each stands."""

    def __init__(self, expressions: Sequence[Any]) -> None:
        self.count: Counter[str] = Counter()
        self.room: dict[str, int] = {}
        self.wholes = {m.name for e in expressions for m in e.atoms(sp.MatrixSymbol)}
        """Names of matrices that are inverted and the like, as a whole."""
        for e in expressions:
            found = Counter(_names(e))
            self.count.update(found)
            self.room |= dict.fromkeys(found, limits.marks(e))


def _names(e: Any) -> Iterator[str]:
    """Give the name of each part as often as it stands somewhere."""
    named = (sp.Symbol, sp.MatrixSymbol)
    yield from [x.name for x in sp.preorder_traversal(e) if isinstance(x, named)]
