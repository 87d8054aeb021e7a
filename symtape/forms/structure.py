"""The structure of a Jacobian or Hessian in a few words: `diagonal`, `diag(p) − p pᵀ`, `band`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod

from symtape.calculus.structure import Structured
from symtape.calculus.terms import Form, Term, as_range, is_plain
from symtape.forms.kronecker import Kronecker, Product
from symtape.forms.pieces import TIMES, Namer, Piece, Pieces, Value
from symtape.forms.selections import MINUS, banded, selection
from symtape.program.operations import Shape

_MOST_TERMS = 5


def description(
    found: Structured, name: Namer, value: Value, *, is_constant: bool
) -> tuple[str, dict[str, Piece]]:
    """Describe an array with rows and columns; say what the letters in the text stand for.

    `found` has products taken apart. `is_constant` says that it depends on no watched leaf.
    """
    pieces = Pieces(found, name, value)
    text = _Writer(found, pieces, is_constant=is_constant).text()
    where = pieces.named | pieces.where
    return text, {name: piece for name, piece in where.items() if _mentions(text, name)}


def _mentions(text: str, name: str) -> bool:
    """Say whether a name stands in a text otherwise than in a word or in a longer name."""
    if len(name) == 1:
        return name in re.sub("[a-z]{2,}", " ", text)
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text) is not None


class _Writer:
    def __init__(self, found: Structured, pieces: Pieces, *, is_constant: bool) -> None:
        self.found, self.pieces, self.is_constant = found, pieces, is_constant
        self.kronecker = Kronecker(found.sizes, pieces)

    def text(self) -> str:
        terms = self.found.terms
        if not terms:
            return "zero"
        return (
            (self.of_one(terms[0]) if len(terms) == 1 else None)
            or self.band(terms)
            or self.stacked(terms)
            or self.of_several(terms)
        )

    # --- one term ---------------------------------------------------------------------------------

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
        some = any(form.parts for form in term.target)
        return rows == columns and plain and term.target == term.axes and some

    def of_one(self, term: Term) -> str | None:
        """Describe what is one product."""
        shared = self.shared(term)
        if self.is_diagonal(term) and term.used & set(shared):
            return "diagonal"
        if fixed := self.selecting(term):
            return fixed
        if shared:
            return None
        product = self.kronecker.product(term, self.found.shape)
        opaque = product is None or self._is_opaque(product)
        is_product = product is not None and "\N{CIRCLED TIMES}" in product.text
        if self.is_constant and not is_product:
            return "constant"
        return "dense" if opaque else None

    def selecting(self, term: Term) -> str | None:
        """Describe a single matrix of zeros and ones that stays the same nearby."""
        flat = [form for form in term.forms if form.parts]
        axes = [form.indices[0] for form in flat]
        rows, columns = self.found.shape
        if len(flat) != 2 or len(set(axes)) != 2 or len(flat[0].parts + flat[1].parts) != 2:
            return None
        if self.shared(term) or not all(
            is_plain(f, n, self.found.sizes)
            for f, n in zip(term.forms, rows + columns, strict=True)
        ):
            return None
        piece = Piece(term.number, term.factors, tuple(axes))
        return selection(self.pieces.fixed(piece))

    # --- bands ------------------------------------------------------------------------------------

    def band(self, terms: Sequence[Term]) -> str | None:
        """Describe terms that stand on diagonals beside each other."""
        rows, columns = self.found.shape
        shifts = set()
        for term in terms:
            if len(rows) != 1 or len(columns) != 1:
                return None
            (a, b) = term.forms
            if a.parts != b.parts or [s for s, _ in a.parts] not in ([], [1]):
                return None
            shifts.add(b.offset - a.offset)
        if len(terms) == 1 and not terms[0].factors and shifts != {0}:
            return None
        low, high = min(shifts), max(shifts)
        if len(shifts) == rows[0] + columns[0] - 1 > 1:
            return "constant" if self.is_constant else "dense"
        if (low, high) == (0, 0) and rows == columns:
            return "diagonal" if any(t.factors for t in terms) or len(terms) > 1 else None
        if len(shifts) < high - low + 1:
            if rows != columns:
                return None
            return f"diagonals {', '.join(map(str, sorted(shifts)))}".replace("-", MINUS)
        return banded(low, high) if len(shifts) > 1 else None

    # --- one part above another -------------------------------------------------------------------

    def stacked(self, terms: Sequence[Term]) -> str | None:
        """Describe terms that stand in rows of their own, or in columns: [I; diag(d)]."""
        for side, mark in ((0, "; "), (1, ", ")):
            texts = self._stacked(terms, side)
            if texts:
                return f"[{mark.join(texts)}]"
        return None

    def _stacked(self, terms: Sequence[Term], side: int) -> list[str] | None:
        if len(self.found.shape[side]) != 1 or len(self.found.shape[1 - side]) != 1:
            return None
        groups: dict[tuple[int, int], list[Term]] = {}
        for term in terms:
            form = term.forms[side]
            places = as_range(form, self.found.sizes)
            if places is None or places[1] != 1:
                return None
            plain = form._replace(offset=0)
            forms = [*term.forms]
            forms[side] = plain
            own = term._replace(target=(forms[0],), axes=(forms[1],))
            groups.setdefault((places[0], places[0] + places[2]), []).append(own)
        ends = sorted(groups)
        whole = [(0, 0), *ends, (self.found.shape[side][0],) * 2]
        if len(groups) < 2 or len(groups) > 4 or any(a[1] != b[0] for a, b in pairwise(whole)):
            return None
        texts = []
        for first, last in ends:
            shape = list(self.found.shape)
            shape[side] = (last - first,)
            sides = shape[0], shape[1]
            products = [self.kronecker.product(t, sides) for t in groups[first, last]]
            if None in products:
                return None
            texts.append(_sum([p for p in products if p is not None]))
        return texts

    # --- sums -------------------------------------------------------------------------------------

    def of_several(self, terms: Sequence[Term]) -> str:
        """Describe a sum of products, or a product that is no single word."""
        diagonal = [t for t in terms if self.is_diagonal(t)]
        ordered = [*diagonal, *[t for t in terms if t not in diagonal]]
        shared = any(self.shared(t) for t in terms)
        if self.is_constant and not shared and len(terms) > 1:
            return "constant"
        if diagonal and len(terms) == 2:
            self._call_p(*ordered)
        products = [self.kronecker.product(t, self.found.shape) for t in ordered[: _MOST_TERMS + 1]]
        written = [p for p in products if p is not None]
        opaque = [p for p in written if self._is_opaque(p)]
        if len(terms) == 1 and terms[0].number == 1 and not terms[0].factors and not written:
            return "permutation" if _is_square(self.found.shape) else "selection"
        if len(written) < len(products) or len(products) > _MOST_TERMS or (opaque and not shared):
            if all(self._is_block(t) for t in terms):
                return "block diagonal"
            return "block" if shared and all(self.shared(t) for t in terms) else "dense"
        text = _factored(written) or _sum(written)
        return "permutation" if text == "K" else text

    def _is_opaque(self, product: Product) -> bool:
        """Say whether a text says nothing but that there is something."""
        text = product.text
        return text.removesuffix("ᵀ") in self.pieces.where or (
            text.startswith("vec(") and text.removesuffix("ᵀ")[4:-1] in self.pieces.where
        )

    def _call_p(self, diagonal: Term, other: Term) -> None:
        """Call p what diag(p) − p pᵀ is made of, if it has no name."""
        left = self.kronecker.only_vector(diagonal, self.found.shape)
        right = self.kronecker.only_vector(other, self.found.shape)
        same = left and right and left.key == right.key and other.number < 0
        if left and same and not self.pieces.known(left):
            self.pieces.letter(left, "p")

    def _is_block(self, term: Term) -> bool:
        """Say whether the first axes of rows and columns are the same."""
        rows, columns = self.found.shape
        plain = all(
            is_plain(f, n, self.found.sizes)
            for f, n in zip(term.forms, rows + columns, strict=True)
        )
        pairs = zip(term.target, term.axes, strict=False)
        return plain and any(a == b and a.parts for a, b in pairs)


def _is_square(shape: tuple[Shape, Shape]) -> bool:
    return prod(shape[0]) == prod(shape[1])


def _numbered(number: Fraction, text: str) -> str:
    sign = MINUS if number < 0 else ""
    return f"{sign}{abs(number)}{TIMES}{text}" if abs(number) != 1 else sign + text


def _sum(products: Sequence[Product]) -> str:
    parts = []
    for k, (number, text) in enumerate(products):
        sign = (f" {MINUS} " if k else MINUS) if number < 0 else (" + " if k else "")
        parts.append(sign + _numbered(abs(number), text))
    return "".join(parts)


def _factored(products: Sequence[Product]) -> str | None:
    """Write terms that stand beside the same identity, or its commuted copy, once."""
    if len(products) < 2:
        return None
    for before, after in (("", " \N{CIRCLED TIMES} I"), ("I \N{CIRCLED TIMES} ", "")):
        texts = [p.text for p in products]
        inner = [t[len(before) : len(t) - len(after)] for t in texts]
        fits = all(t.startswith(before) and t.endswith(after) for t in texts)
        if fits and not any("\N{CIRCLED TIMES}" in t for t in inner):
            whole = _sum(
                [Product(p.number, t.strip("()")) for p, t in zip(products, inner, strict=True)]
            )
            return f"{before}({whole}){after}"
    if len(products) == 2:
        plain, turned = sorted(products, key=lambda p: p.text.startswith("K ("))
        if turned.text == f"K ({plain.text})" and plain.number == turned.number:
            return _numbered(plain.number, f"(I + K) ({plain.text})")
    return None


__all__ = ["Form", "description"]
