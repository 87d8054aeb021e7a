"""The structure of a Jacobian or Hessian in a few words: `diagonal`, `diag(p) − p pᵀ`, `band`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from symtape.calculus.association import Factor
from symtape.calculus.structure import Structured, factors_of
from symtape.calculus.terms import Form, Term, is_plain

Namer = Callable[[int], str | None]
"""Gives the name that a person has for a position of the program."""

MINUS, TIMES, KRONECKER, TURNED = "\N{MINUS SIGN}", "\N{MIDDLE DOT}", "\N{CIRCLED TIMES}", "ᵀ"


def description(found: Structured, name: Namer, *, is_constant: bool) -> str:
    """Describe an array with rows and columns.

    `is_constant` says that it depends on no watched leaf.
    """
    if not found.terms:
        return "zero"
    writer = _Writer(found, name)
    if len(found.terms) == 1:
        return writer.single(found.terms[0], is_constant=is_constant)
    return writer.several(is_constant=is_constant)


class _Writer:
    def __init__(self, found: Structured, name: Namer) -> None:
        self.found = found
        self.name = name
        self.made: dict[int, str] = {}
        self.letters = {"vector": iter("dabuvw"), "matrix": iter("MABCDN"), "scalar": iter("cst")}

    # --- kinds of terms ---------------------------------------------------------------------------

    def shared(self, term: Term) -> list[int]:
        """List the indices that rows and columns share."""
        columns = {i for form in term.axes for i in form.indices}
        return [i for form in term.target for i in form.indices if i in columns]

    def is_diagonal(self, term: Term) -> bool:
        """Say whether rows and columns are the same."""
        rows, columns = self.found.shape
        plain = all(
            is_plain(f, n, self.found.sizes) for f, n in zip(term.target, rows, strict=True)
        )
        return rows == columns and plain and term.target == term.axes and self._has_indices(term)

    @staticmethod
    def _has_indices(term: Term) -> bool:
        return any(form.parts for form in term.target)

    def is_plain(self, term: Term) -> bool:
        """Say whether every axis runs along an index."""
        rows, columns = self.found.shape
        return all(
            is_plain(f, n, self.found.sizes)
            for f, n in zip(term.forms, rows + columns, strict=True)
        )

    # --- one term ---------------------------------------------------------------------------------

    def single(self, term: Term, *, is_constant: bool) -> str:
        shared = self.shared(term)
        if self.is_diagonal(term):
            return "diagonal" if term.used & set(shared) else self._identity(term)
        if not shared:
            if product := self._product_of_two(term):
                return product
            return "constant" if is_constant else self.dense(term) or "dense"
        if not self.is_plain(term):
            return self._band([term]) or "block"
        return self._kronecker(term) or "block diagonal"

    def _identity(self, term: Term) -> str:
        inner = self.product([f for f in term.factors if f[1] == ()])
        return self._numbered(term.number, [*([inner] if inner else []), "I"])

    def _kronecker(self, term: Term) -> str | None:
        """Write a core that does not depend on the shared indices: 2·(VᵀV) ⊗ I."""
        core = self._core(term)
        return None if core is None else self._numbered(term.number, [core])

    def _core(self, term: Term) -> str | None:
        """Write a core beside an identity matrix, without the number.

        Matrices are taken as their columns one after another: what rows share is the right factor.
        """
        shared = set(self.shared(term))
        if term.used & shared or not shared or not self.is_plain(term):
            return None
        rows = [f.indices[0] for f in term.target if f.parts and f.indices[0] not in shared]
        columns = [f.indices[0] for f in term.axes if f.parts and f.indices[0] not in shared]
        if not rows and not columns and not term.factors:
            return "permutation"
        text = self._beside(term, rows, columns)
        place = max(term.target, term.axes, key=len)[0]
        text = f"({text})" if any(c in text for c in f" {TIMES}") or _is_product(text) else text
        first = bool(place.parts) and place.indices[0] in shared
        return f"{text} {KRONECKER} I" if first else f"I {KRONECKER} {text}"

    def _beside(self, term: Term, rows: list[int], columns: list[int]) -> str:
        if len(rows) + len(columns) == 1:
            found = self.product(term.factors)
            return (found + ("" if rows else TURNED)) if found else "K"
        return self.chain(term.factors, rows, columns) or "K"

    def _kroneckers(self) -> str | None:
        """Write terms that stand beside the same shared indices: (A + Aᵀ) ⊗ I."""
        terms = self.found.terms
        if len({t.pattern(self.found.sizes) for t in terms}) > 1:
            return None
        cores = [self._core(term) for term in terms]
        texts = [c.removesuffix(_RIGHT) for c in cores if c is not None and c.endswith(_RIGHT)]
        if len(texts) < len(cores):
            return None
        return f"({self._sum(texts, [t.number for t in terms])}){_RIGHT}"

    def _band(self, terms: list[Term] | tuple[Term, ...]) -> str | None:
        """Describe terms that stand on diagonals beside each other."""
        shifts = set()
        for term in terms:
            forms = (*term.target, *term.axes)
            if len(forms) != 2 or any(len(f.parts) > 1 for f in forms):
                return None
            (a, b) = forms
            if a.parts != b.parts and (a.parts or b.parts):
                return None
            shifts.add(b.offset - a.offset)
        low, high = min(shifts), max(shifts)
        if (low, high) == (0, 0):
            return "diagonal"
        if len(shifts) < high - low + 1:
            return f"diagonals {', '.join(map(str, sorted(shifts)))}".replace("-", MINUS)
        named = {(-1, 1): "tridiagonal", (0, 1): "bidiagonal", (-1, 0): "bidiagonal"}
        return named.get((low, high), f"banded, diagonals {low} to {high}".replace("-", MINUS))

    # --- several terms ----------------------------------------------------------------------------

    def several(self, *, is_constant: bool) -> str:
        terms = self.found.terms
        if band := self._band(terms):
            return band
        diagonal = [t for t in terms if self.is_diagonal(t)]
        others = [t for t in terms if t not in diagonal]
        if not diagonal and is_constant and not any(self.shared(t) for t in terms):
            return "constant"
        if (text := self._kroneckers()) is not None:
            return text
        if all(self._is_block(t) for t in terms):
            return "block diagonal"
        if len(diagonal) == 1 and len(others) == 1:
            text = self._minus_square(diagonal[0], others[0])
            if text:
                return text
        texts = [self._text(term) for term in [*diagonal, *others]]
        if len(texts) > 4 or not any(self.shared(t) for t in terms):
            return "dense" if not any(self.shared(t) for t in terms) else "sum of blocks"
        return self._sum(texts, [t.number for t in [*diagonal, *others]])

    def _is_block(self, term: Term) -> bool:
        """Say whether the first axes of rows and columns are the same."""
        first = term.target[0], term.axes[0]
        return self.is_plain(term) and first[0] == first[1] and bool(first[0].parts)

    def _sum(self, texts: list[str], numbers: list[Fraction]) -> str:
        parts = []
        for k, (text, number) in enumerate(zip(texts, numbers, strict=True)):
            sign = (f" {MINUS} " if k else MINUS) if number < 0 else (" + " if k else "")
            parts.append(sign + self._numbered(abs(number), [text]))
        return "".join(parts)

    def _text(self, term: Term) -> str:
        """Write a term without its number."""
        positive = term._replace(number=Fraction(1))
        if self.is_diagonal(term):
            if not term.used & set(self.shared(term)):
                return TIMES.join([*[self.label(p) for p, _ in term.factors], "I"])
            return f"diag({self.product(term.factors) or next(self.letters['vector'])})"
        if self.shared(term):
            return self._kronecker(positive) or "block diagonal"
        return self.dense(positive) or next(self.letters["matrix"])

    def _minus_square(self, diagonal: Term, other: Term) -> str | None:
        """Recognize diag(p) − p pᵀ, whatever p is made of."""
        rows = [f.indices[0] for f in other.target if f.parts]
        columns = [f.indices[0] for f in other.axes if f.parts]
        own = [f.indices[0] for f in diagonal.target if f.parts]
        if len(rows) != 1 or len(columns) != 1 or len(own) != 1:
            return None
        squared = self._multiset(diagonal, own[0], rows[0])
        squared += self._multiset(diagonal, own[0], columns[0])
        if squared != self._multiset(other, None, None) or other.number != -(diagonal.number**2):
            return None
        text = self.vector(diagonal, own[0]) or "p"
        return f"diag({text}) {MINUS} {text} {text}{TURNED}"

    @staticmethod
    def _multiset(term: Term, old: int | None, new: int | None) -> Counter[Factor]:
        return Counter(
            (p, tuple([new if i == old and new is not None else i for i in own]))
            for p, own in term.factors
        )

    def vector(self, term: Term, index: int) -> str | None:
        """Name a vector, by a single factor or by what a person computed it as."""
        if len(term.factors) == 1 and term.number == 1:
            return self.name(term.factors[0][0])
        wanted = self._multiset(term, index, 0)
        for p in range(self.found.program.recorded):
            label = self.name(p)
            if label and self._is(p, wanted, term.number):
                return label
        return None

    def _is(self, p: int, wanted: Counter[Factor], number: Fraction) -> bool:
        """Say whether a recorded step is the product of some factors."""
        found = factors_of(self.found.program, p)
        return found is not None and found == (number, wanted)

    # --- products ---------------------------------------------------------------------------------

    def label(self, p: int) -> str:
        """Give the name of a factor, or a letter."""
        if p not in self.made:
            rank = len([n for n in self.found.program.shapes[p] if n != 1])
            kind = ("scalar", "vector", "matrix")[min(rank, 2)]
            self.made[p] = self.name(p) or next(self.letters[kind], f"v{p}")
        return self.made[p]

    def product(self, factors: tuple[Factor, ...] | list[Factor]) -> str | None:
        """Write factors side by side, if all of them have names."""
        names = [self.name(p) for p, _ in factors]
        return TIMES.join(n for n in names if n) if all(names) else None

    def _numbered(self, number: Fraction, texts: list[str]) -> str:
        sign = MINUS if number < 0 else ""
        head = [] if abs(number) == 1 else [str(abs(number))]
        return sign + TIMES.join([*head, *texts])

    def dense(self, term: Term) -> str | None:
        """Write a matrix product: Xᵀ diag(d) X, or u vᵀ."""
        if not self.is_plain(term):
            return None
        rows = [f.indices[0] for f in term.target if f.parts]
        columns = [f.indices[0] for f in term.axes if f.parts]
        if not term.used and len(rows) == len(columns) == 1:
            return self._numbered(
                term.number, [*map(self.label, self._scalars(term)), f"1 1{TURNED}"]
            )
        text = self.chain(term.factors, rows, columns)
        return None if text is None else self._numbered(term.number, [text])

    @staticmethod
    def _scalars(term: Term) -> list[int]:
        return [p for p, _ in term.factors]

    def _product_of_two(self, term: Term) -> str | None:
        """Write what acts on rows and columns of a matrix apart: Bᵀ ⊗ A for A X B."""
        indices = [f.indices[0] for f in term.forms if f.parts]
        if len(term.target) != 2 or len(term.axes) != 2 or len(indices) != 4:
            return None
        left = self._reached(term.factors, indices[0])
        inside = {i for _, own in left for i in own}
        if indices[2] not in inside or inside & {indices[1], indices[3]}:
            return None
        right = tuple([f for f in term.factors if f not in left])
        texts = [
            self.chain(right, [indices[1]], [indices[3]]),
            self.chain(left, [indices[0]], [indices[2]]),
        ]
        named = [f"({t})" if " " in t or _is_product(t) else t for t in texts if t]
        both = len(named) == 2
        return self._numbered(term.number, [f" {KRONECKER} ".join(named)]) if both else None

    @staticmethod
    def _reached(factors: tuple[Factor, ...], start: int) -> tuple[Factor, ...]:
        """Collect the factors that are tied to an index."""
        inside, before = {start}, 0
        while len(inside) != before:
            before = len(inside)
            inside |= {i for _, own in factors if inside & set(own) for i in own}
        return tuple([f for f in factors if inside & set(f[1])])

    def chain(self, factors: tuple[Factor, ...], rows: list[int], columns: list[int]) -> str | None:
        """Follow the matrices from the row's index to the column's."""
        if len(rows) != 1 or len(columns) != 1 or rows == columns:
            return None
        sizes = self.found.sizes
        rest = [(p, tuple([i for i in own if sizes[i] != 1])) for p, own in factors]
        scalars = [p for p, own in rest if not own]
        vectors = [(p, own[0]) for p, own in rest if len(own) == 1]
        edges = [(p, own) for p, own in rest if len(own) == 2]
        if len(scalars) + len(vectors) + len(edges) < len(rest):
            return None
        is_product = bool(edges)
        pieces = list(self._walk(vectors, edges, rows[0], columns[0]))
        if edges or vectors or not pieces or not any(self.name(p) for p, _ in factors):
            return None
        names = [self.label(p) for p in scalars]
        tight = is_product and all(len(piece.rstrip(TURNED)) == 1 for piece in pieces)
        text = ("" if tight else " ").join(pieces)
        return TIMES.join([*names, text])

    def _walk(
        self,
        vectors: list[tuple[int, int]],
        edges: list[tuple[int, tuple[int, int]]],
        row: int,
        column: int,
    ) -> Iterator[str]:
        """Take vectors and matrices off the lists along the way."""
        at, outer = row, not edges
        while True:
            own = [pair for pair in vectors if pair[1] == at]
            for pair in own:
                vectors.remove(pair)
            if own:
                names = TIMES.join(self.label(p) for p, _ in own)
                if outer:
                    names = f"({names})" if len(own) > 1 else names
                    yield names if at == row else f"{names}{TURNED}"
                else:
                    yield f"diag({names})"
            if outer and at == row:
                at = column
                continue
            edge = next((e for e in edges if at in e[1]), None)
            if edge is None or at == column:
                return
            edges.remove(edge)
            p, (a, b) = edge
            yield self.label(p) + ("" if a == at else TURNED)
            at = b if a == at else a


_RIGHT = f" {KRONECKER} I"


def _is_product(text: str) -> bool:
    """Say whether a text of single letters is a product: VᵀV."""
    return sum(c != TURNED for c in text) > 1 and TURNED in text[:-1]


__all__ = ["Form", "description"]
