"""A formula in matrix notation, which is read once and written in several ways."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from types import MappingProxyType
from typing import Any, NamedTuple

import sympy as sp

from symtape.errors import ExpansionError, NoMatrixFormError
from symtape.forms.index.brackets import Iverson
from symtape.forms.lettered import told
from symtape.forms.matrix.arguments import with_arguments
from symtape.forms.matrix.masks import with_named_masks
from symtape.forms.matrix.nodes import SCALAR, Leaf, Matrix
from symtape.forms.matrix.printers import printing, words
from symtape.forms.matrix.printers.index_form import IndexPrinter
from symtape.forms.matrix.printers.sympy_form import matrix_expression
from symtape.forms.matrix.reading.entries import by_entries
from symtape.forms.matrix.reading.reader import read, too_long
from symtape.forms.matrix.softmax import with_softmax
from symtape.forms.matrix.writing.lettered import Lettered
from symtape.forms.matrix.writing.naming import Definition, Naming
from symtape.forms.matrix.writing.shortening import without_zeros
from symtape.forms.scalars.decimals import without_long
from symtape.forms.scalars.elements import MOST_NODES, shorter
from symtape.program.program import Program

MOST_PLACES = 12
"""So many rows are written by their numbers."""

_SHORT = 20
"""What is no longer is in its shortest form."""
_LONG = 2000
"""What is longer is written as it was read."""

_INSTEAD = "index_expr() and entries write it with indices"


@contextmanager
def _bounded() -> Iterator[None]:
    """Refuse what is nested deeper than a stack is."""
    try:
        yield
    except RecursionError:
        raise ExpansionError(
            "the formula is nested too deep to be written in matrix notation; its shared steps are "
            "in latex('steps'), its value in evalf() and lambdify()"
        ) from None


class Candidate(NamedTuple):
    """What somebody named: a position of a program, whose leaves have names."""

    name: str
    program: Program
    position: int
    names: Mapping[int, str]


class Chosen(NamedTuple):
    """What is to have a name: `stops` without a definition, `given`, and others by `letters`.

    Of what is given, that which is short is named only `always`.
    """

    stops: Sequence[Candidate] = ()
    given: Sequence[Candidate] = ()
    always: bool = True
    letters: bool = False

    def check(self, found: Collection[str]) -> None:
        """Raise `ValueError` if one of the stops has not been found."""
        for name in [c.name for c in self.stops if c.name not in found]:
            raise ValueError(f"stop_at=: {name} does not stand in the formula; text() shows it")


class MatrixForm:
    """A position of a program in matrix notation.

    The leaves that are called `symmetric` are taken as their own transposes; `named` says that
    functions are written by names that SymPy does not have; the first `rows` axes of more than two
    are rows, of which vec makes one axis, and the others are columns, or of any number of axes
    where it is `flat`; `places` are numbers of rows that have no name, by which they are chosen;
    the leaves that are `nonzero`, and the steps that are `divisors`, have no zeros where it is to
    hold; `sizes` are letters of primes, by which elements are counted.
    Raises `NoMatrixFormError`, which says why, where there is none, and `ExpansionError` where it
    is too long.
    """

    @_bounded()
    def __init__(
        self,
        program: Program,
        position: int,
        names: Mapping[int, str],
        max_nodes: int,
        symmetric: Collection[str] = (),
        *,
        named: bool = True,
        rows: int | None = None,
        flat: bool = False,
        places: Mapping[str, Sequence[int]] = MappingProxyType({}),
        nonzero: Collection[str] = (),
        divisors: Sequence[int] = (),
        sizes: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self.places = places
        self.shape, self.rows = program.shapes[position], rows
        self.ranks = {name: len(program.shapes[p]) for p, name in names.items()}
        self.named, self.symmetric, self.max_nodes = named, symmetric, max_nodes
        self.parts: list[Definition] = []
        self.others: dict[str, int] = {}
        self.letters: Mapping[int, str | None] = {}
        try:
            own = program, position, names, max_nodes, symmetric, rows
            self.algebra, found = read(
                *own, flat=flat, nonzero=nonzero, divisors=divisors, sizes=sizes
            )
            rest = without_zeros(found)
            found = found if rest == found else self.algebra.normal(rest)
            self.matrix = with_arguments(self.algebra, self._with_names(found))
        except NoMatrixFormError as error:
            raise NoMatrixFormError(f"{error}; {_INSTEAD}") from None

    @property
    def is_multiplied_out(self) -> bool:
        """Say whether sums of more than two axes are, which indices write as they are."""
        return self.algebra.is_multiplied_out

    @property
    def may_be_shorter(self) -> bool:
        """Say whether another way to write it may be worth its time."""
        return _SHORT < self.algebra.length(self.matrix) <= _LONG

    def or_other(self, other: Any) -> MatrixForm:
        """Give this form, or another one if there is one that is shorter."""
        if not isinstance(other, MatrixForm):
            return self
        return min(self, other, key=lambda form: form.algebra.length(form.matrix))

    @_bounded()
    def or_shorter(self, e: Any) -> MatrixForm:
        """Give what a formula of scalars is as a whole, if that is shorter than step by step."""
        if not isinstance(e, sp.Expr) or e.has(sp.Piecewise, sp.oo, sp.zoo, sp.nan):
            return self
        e = without_long(e)
        floats = {f: self.algebra.written(f).entry for f in e.atoms(sp.Float)}
        symbols = {n.name: s for n, s in self.algebra.symbols.items() if isinstance(n, Leaf)}
        if not {s.name for s in e.free_symbols} <= {*symbols}:
            return self
        swap = floats | {s: symbols[s.name] for s in e.free_symbols}
        made = copy(self)
        self.algebra.begin_anew()
        made.matrix = self.algebra.normal(Matrix(e.xreplace(swap), SCALAR))
        if self.algebra.length(made.matrix) > MOST_NODES:  # what is too long for names is not
            self.algebra.begin_anew()
            made.matrix = self.algebra.normal(Matrix(shorter(e).xreplace(swap), SCALAR))
        return self.or_other(made)

    @_bounded()
    def with_parts(
        self, candidates: Sequence[Candidate], *, always: bool, letters: bool
    ) -> MatrixForm:
        """Name the parts that somebody named, if they are there; `letters` name others.

        What is short is named only `always`.
        """
        naming = Naming(self.algebra, self.matrix, {*self.ranks, *self.others})
        found = [Definition(c.name, x) for c in candidates if (x := self._read(c)) is not None]
        naming.name_given(found, always=always)
        if letters:
            naming.name_repeated()
        made = copy(self)
        made.matrix, made.parts = naming.whole, naming.ordered()
        if naming.is_table:  # which the names may have made shorter by rows
            made.matrix = by_entries(self.algebra, made.matrix)
        ranks = {d.name: (not d.matrix.is_scalar) + (1 not in d.matrix.shape) for d in made.parts}
        made.others = self.others | ranks
        return made

    @_bounded()
    def outlined(self, candidates: Sequence[Candidate]) -> MatrixForm:
        """Name what somebody named, if it is there, and give letters to functions of entries."""
        naming = Naming(self.algebra, self.matrix, {*self.ranks, "K"})
        found = [Definition(c.name, x) for c in candidates if (x := self._read(c)) is not None]
        naming.name_given(found, always=True)
        naming.taken |= {c.name for c in candidates}  # no letter is the name of something else
        naming.name_opaque()
        made = copy(self)
        made.matrix, made.parts = naming.whole, naming.ordered()
        return made

    def naming(self, chosen: Chosen, max_nodes: int | None = None) -> MatrixForm:
        """Name what somebody chose; raises `ValueError` for a stop that is not there.

        And `ExpansionError` where all that is written then is longer than `max_nodes`.
        """
        form = self.with_parts(chosen.stops, always=True, letters=False).stopped()
        chosen.check(form.others)
        made = form.with_parts(chosen.given, always=chosen.always, letters=chosen.letters)
        written = [made.matrix, *[d.matrix for d in made.parts]]
        if max_nodes is not None and sum(map(self.algebra.length, written)) > max_nodes:
            raise too_long(max_nodes)
        return made

    @_bounded()
    def with_sizes(self, letters: Mapping[int, str | None]) -> MatrixForm:
        """Write letters for the primes that sizes are, but for sizes that have none."""
        made = copy(self)
        own = {prime: letter for prime, letter in letters.items() if letter is not None}
        lettered = Lettered(self.algebra, own)
        made.matrix = lettered.shortest(self.matrix)
        made.parts = [d._replace(matrix=lettered.shortest(d.matrix)) for d in self.parts]
        made.others = self.others | dict.fromkeys(own.values(), 0)
        made.letters = letters
        return made

    def lettered(self, own: words.Words) -> words.Words:
        """Write the letters of sizes where code says how large a matrix is."""
        times = " * " if own.is_code else " "

        def letter(n: int) -> Any:
            found = told(n, self.letters, own.leaf, times)
            if found is None and own.is_code:
                raise NoMatrixFormError("code has to say how many ones there are; no leaf tells it")
            return found

        def number(n: int) -> str:
            if (found := told(n, self.letters, own.leaf, times)) is None:
                raise NoMatrixFormError("a place is at the end of an axis that no leaf tells")
            return str(found)

        ones, identity, commutation = own.ones, own.identity, own.commutation
        cycle, fourier = own.cycle, own.fourier
        return own._replace(
            ones=lambda n: ones(letter(n)),
            identity=lambda n: identity(letter(n)),
            commutation=lambda m, n: commutation(letter(m), letter(n)),
            cycle=lambda n, by: cycle(letter(n), by),
            fourier=lambda n: fourier(letter(n)),
            number=number,
        )

    def stopped(self) -> MatrixForm:
        """Leave the definitions of the parts out."""
        made = copy(self)
        made.parts = []
        return made

    @property
    def mentioned(self) -> set[str]:
        """The names of the leaves and parts in the formula itself."""
        algebra = self.algebra
        nodes = {k: node for node, s in algebra.symbols.items() for k in [algebra.places[s]]}
        found = [nodes[k] for k in algebra.leaves(self.matrix.entry)]
        return {node.name for node in found if isinstance(node, Leaf)}

    def each(self) -> Iterator[tuple[str, MatrixForm]]:
        """Give the parts as forms of their own."""
        for name, x in self.parts:
            made = copy(self)
            made.matrix, made.parts = x, []
            yield name, made

    def _read(self, candidate: Candidate) -> Matrix | None:
        """Read what somebody named, in the algebra of the whole."""
        _, program, position, names = candidate
        try:
            _, found = read(
                program, position, names, self.max_nodes, self.symmetric, algebra=self.algebra
            )
        except (NoMatrixFormError, ExpansionError):
            return None
        return self._with_names(found)

    def _with_names(self, x: Matrix) -> Matrix:
        """Write functions by names that SymPy does not have, and masks by theirs."""
        return with_named_masks(self.algebra, with_softmax(self.algebra, x) if self.named else x)

    @_bounded()
    def text(self, notation: str = "plain") -> str:
        """Write text, "plain" or "python"; parts stand below, or in Python above."""
        chosen = {"plain": words.PLAIN, "python": words.PYTHON}.get(notation)
        if chosen is None:
            raise ValueError(f"unknown notation {notation!r}: it is 'plain' or 'python'")
        whole = self._text(self.matrix, chosen)
        parts = [f"{name} = {self._text(x, chosen)}" for name, x in self.parts]
        if chosen.is_code:
            return "\n".join([*parts, whole])
        return "\n".join(
            [whole, *[("where " if not k else 6 * " ") + p for k, p in enumerate(parts)]]
        )

    def _text(self, x: Matrix, chosen: words.Words) -> str:
        return printing.text(self.algebra, x, self._apart(self.lettered(chosen), words.PLAIN_APART))

    @_bounded()
    def latex(self, symbols: Mapping[str, str], *, turned: bool = False) -> list[str]:
        """Write the terms of a sum in LaTeX; `symbols` say how leaves are written."""
        own = words.latex_words(lambda name: symbols.get(name, name))
        own = own._replace(
            function=_apart_from({*symbols.values()}, own), is_of_scalars=self.is_of_scalars
        )
        own = self._apart(self.lettered(own), words.LATEX_APART)
        matrix = self.algebra.transpose(self.matrix) if turned else self.matrix
        return printing.Printer(self.algebra, own, named=self.named).terms(matrix)

    def latex_of(self, e: Any, numbers: Mapping[Any, Any], symbols: Mapping[str, str]) -> str:
        """Write an expression of the leaves, which are scalars, with decimals for some symbols."""
        leaves = {n.name: s for n, s in self.algebra.symbols.items() if isinstance(n, Leaf)}
        swap = {s: leaves[s.name] for s in e.free_symbols - {*numbers}}
        swap |= {s: self.algebra.written(number).entry for s, number in numbers.items()}
        made = copy(self)
        made.matrix = Matrix(e.xreplace(swap), SCALAR)
        return " ".join(made.latex(symbols))

    @property
    def is_of_scalars(self) -> bool:
        """Say whether all that stands in the formula is scalars."""
        return all(self._all_ranks[name] == 0 for name in self.mentioned)

    @property
    def has_brackets(self) -> bool:
        """Say whether conditions stand in brackets, of which scalars can have cases."""
        return bool(self.matrix.entry.has(Iverson))

    @_bounded()
    def widths(self, *, turned: bool = False) -> list[int]:
        """Count the characters of each term on one line, in the order of `latex`."""
        matrix = self.algebra.transpose(self.matrix) if turned else self.matrix
        plain = printing.Printer(self.algebra, words.PLAIN, named=self.named)
        return [len(term) for term in plain.terms(matrix)]

    @_bounded()
    def latex_of_parts(self, symbols: Mapping[str, str]) -> list[str]:
        """Write the definitions of the parts in LaTeX."""
        return [f"{symbols[name]} = {' '.join(x.latex(symbols))}" for name, x in self.each()]

    @_bounded()
    def entry(
        self, at: Sequence[Any], leaf: Callable[[str, tuple[Any, ...]], Any], letters: Sequence[str]
    ) -> Any:
        """Write the entry at the indices of the axes that are longer than one."""
        self._check_axes()
        first, second, *_ = (*at, sp.S.Zero, sp.S.Zero)
        place = (first, second) if self.matrix.shape[0] != 1 else (sp.S.Zero, first)
        return IndexPrinter(self.algebra, self._all_ranks, leaf, letters).entry(self.matrix, place)

    @_bounded()
    def expression(self) -> Any:
        """Write it with SymPy's nodes."""
        self._check_axes()
        try:
            return matrix_expression(self.algebra, self.matrix, self._all_ranks)
        except NoMatrixFormError as error:
            raise NoMatrixFormError(f"{error}; {_INSTEAD}") from None

    @property
    def _all_ranks(self) -> dict[str, int]:
        return self.ranks | self.others

    def _check_axes(self) -> None:
        """Refuse what is a matrix only if its rows and columns are put one after another."""
        if len(self.shape) > 2:
            raise NoMatrixFormError(
                f"an array of shape {self.shape} is no matrix; latex('matrix') and text() write it "
                f"as one by vec; {_INSTEAD}"
            )

    def _apart(self, own: words.Words, others: Mapping[str, tuple[str, str]]) -> words.Words:
        """Write I, K, Π and F in another way where leaves are written so, and rows by number."""
        leaves = {own.leaf(node.name) for node in self.algebra.symbols if isinstance(node, Leaf)}
        written = {own.leaf(name): _listed(rows) for name, rows in self.places.items()}
        given = own.places
        own = own._replace(places=lambda inner: given(written.get(inner, inner)))
        for word, (letter, other) in [] if own.is_code else others.items():
            if letter in leaves:
                own = own.renamed(word, other)
        return own


def _listed(rows: Sequence[int]) -> str:
    """Write numbers of rows, the first few of many."""
    if len(rows) <= MOST_PLACES:
        return str([*rows])
    return f"[{', '.join(map(str, rows[:4]))}, …]"


def _apart_from(taken: set[str], own: words.Words) -> Callable[[str, str], str]:
    """Write the names of functions whose letters are those of leaves out."""

    def write(name: str, inner: str) -> str:
        if words.LATEX_NAMES.get(name) in taken:
            return rf"\operatorname{{{name.replace('_', '')}}}{own.brackets(inner)}"
        return own.function(name, inner)

    return write
