"""One term of a Jacobian as a text: matrices and vectors joined by Kronecker products.

Matrices count as their columns one after another: `vec(A X B) = (Bᵀ ⊗ A) vec(X)`, as in Magnus and
Neudecker, *Matrix differential calculus*. Axes that no factor ties together are the factors of a
Kronecker product, from the last axis to the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from symtape.calculus.association import Factor, Sizes
from symtape.calculus.terms import Form, Term
from symtape.forms.pieces import KRONECKER, TIMES, Piece, Pieces, turned
from symtape.forms.selections import DIGITS, slice_text
from symtape.program.operations import Shape

_MOST_PARTS = 5


Group = tuple[set[int], list[Factor]]
"""Indices that factors tie together, and the factors."""


class Slot(NamedTuple):
    """An axis, or a part of one: an index, what selects from it, or one place for all."""

    along: int | None
    selected: str = ""


class Part(NamedTuple):
    """Axes that factors tie together, by their numbers among the rows and among the columns."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    text: str


class Product(NamedTuple):
    """A term in words: its sign and number, its text, and whether that says something."""

    number: Fraction
    text: str


class Kronecker:
    """Writes terms."""

    def __init__(self, sizes: Sizes, pieces: Pieces) -> None:
        self.sizes, self.pieces = sizes, pieces

    def product(self, term: Term, shape: tuple[Shape, Shape]) -> Product | None:
        """Write a term; None where it is no Kronecker product of matrices and vectors."""
        left, right = self.slots(term.target, shape[0]), self.slots(term.axes, shape[1])
        if left is None or right is None:
            return None
        groups, scalars = self._grouped(term, left, right)
        rest = self._shared_out(groups, left, right, scalars)
        parts = self._parts(left, right, groups)
        if parts is None or len(parts) > _MOST_PARTS:
            return self._weighted(term, shape, left)
        number, front = self._front(term.number, rest)
        text = self._joined(parts)
        if text is None:
            return None
        words = [*front, text] if text else front  # of one number, the scalars are all there is
        return Product(number, TIMES.join(words or ["1"]))

    def _weighted(self, term: Term, shape: tuple[Shape, Shape], left: list[Slot]) -> Product | None:
        """Take what multiplies each row out in front: diag(vec(D)) (Bᵀ ⊗ I)."""
        axes = tuple([slot.along for slot in reversed(left) if slot.along is not None])
        weights = [f for f in term.factors if len(f[1]) > 1 and set(f[1]) == set(axes)]
        if not weights or len(axes) != 2 or len(axes) < len(left):
            return None
        rest = tuple([f for f in term.factors if f not in weights])
        inner = self.product(term._replace(factors=rest), shape)
        if inner is None:
            return None
        text = f"diag(vec({self.pieces.called(Piece(Fraction(1), tuple(weights), axes))}))"
        if inner.text == "I":
            return Product(inner.number, text)
        after = f"({inner.text})" if " " in inner.text else inner.text
        return Product(inner.number, f"{text} {after}")

    def _grouped(
        self, term: Term, left: list[Slot], right: list[Slot]
    ) -> tuple[list[Group], tuple[Factor, ...]]:
        factors, scalars = self._apart(term)
        found = _groups(left, right, factors)
        return [(g, [f for f in factors if g & set(f[1])]) for g in found], scalars

    def only_vector(self, term: Term, shape: tuple[Shape, Shape]) -> Piece | None:
        """Give the vector v of diag(v) or v vᵀ, without the number."""
        left, right = self.slots(term.target, shape[0]), self.slots(term.axes, shape[1])
        if not left or not right or len(left) != 1 or len(right) != 1:
            return None
        groups, scalars = self._grouped(term, left, right)
        rest = self._shared_out(groups, left, right, scalars)
        pieces = {self._vector_of(*group).key: self._vector_of(*group) for group in groups}
        alone = len(groups) == (1 if left == right else 2)
        return next(iter(pieces.values())) if alone and len(pieces) == 1 and not rest else None

    def _shared_out(
        self,
        groups: list[Group],
        left: list[Slot],
        right: list[Slot],
        scalars: tuple[Factor, ...],
    ) -> tuple[Factor, ...]:
        """Let what has no name take the scalars in; both sides of u uᵀ take in the half of them."""
        rows, columns = ({s.along for s in own} for own in (left, right))
        if not scalars:
            return scalars
        if len(groups) == 2 and all(own for _, own in groups):
            keys = [self._vector_of(group, own).key for group, own in groups]
            half = tuple([f for f, n in Counter(scalars).items() for _ in range(n // 2)])
            if keys[0] == keys[1] and Counter(half + half) == Counter(scalars):
                for _, own in groups:
                    own.extend(half)
                return ()
            if keys[0] == keys[1]:
                return scalars
        for group, own in groups:
            ends = group & (rows | columns)
            axes = [*(group & rows), *((group & columns) - (group & rows))]
            piece = Piece(Fraction(1), tuple(own), tuple(axes))
            whole = piece._replace(factors=(*own, *scalars))
            plain = own and len(ends) <= 2
            known = self.pieces.known(whole) or not self.pieces.known(piece)
            if len(axes) == 2 and self.pieces.chain(own, axes[0], axes[1]):
                known = bool(self.pieces.chain(whole.factors, axes[0], axes[1]))
            if plain and known:
                own.extend(scalars)
                return ()
        return scalars

    @staticmethod
    def _vector_of(group: set[int], factors: list[Factor]) -> Piece:
        (first, *_) = sorted(group)
        return Piece(Fraction(1), tuple(factors), (first,))

    def _front(self, number: Fraction, scalars: tuple[Factor, ...]) -> tuple[Fraction, list[str]]:
        """Write the scalars; what has no name is one letter, together with the number."""
        for factor in scalars:
            value = self.pieces.number(factor[0])
            if value:
                number *= value
                scalars = tuple([f for f in scalars if f is not factor])
        if not scalars:
            return number, []
        own = self.pieces.known(Piece(Fraction(1), scalars, ()))
        if own:
            return number, [own]
        sign = Fraction(-1 if number < 0 else 1)
        return sign, [self.pieces.letter(Piece(abs(number), scalars, ()))]

    # --- axes -------------------------------------------------------------------------------------

    def slots(self, forms: Sequence[Form], shape: Sequence[int]) -> list[Slot] | None:
        """List the axes from the last to the first; one that counts several indices is several."""
        found: list[Slot] = []
        for form, n in reversed(list(zip(forms, shape, strict=True))):
            own = self._slot(form, n)
            if own is None:
                return None
            found += own
        indices = [slot.along for slot in found if slot.along is not None]
        return found if len(set(indices)) == len(indices) else None

    def _slot(self, form: Form, n: int) -> list[Slot] | None:
        sizes = self.sizes
        if n == 1:
            return []
        if not form.parts:
            return [Slot(None, f"e{form.offset}".translate(DIGITS))]
        parts = sorted(form.parts, reverse=True)
        step = n
        for stride, index in parts:
            if stride * sizes[index] != step:
                break
            step = stride
        else:
            if step == 1 and form.offset == 0:
                return [Slot(index) for _, index in parts]
        if len(parts) > 1:
            return None
        ((stride, index),) = parts
        return [Slot(index, f"[{slice_text(form.offset, stride, sizes[index], n)}]")]

    # --- what factors tie together ----------------------------------------------------------------

    def _apart(self, term: Term) -> tuple[list[Factor], tuple[Factor, ...]]:
        """Take factors that no axis is tied to apart; axes of size one are no axes."""
        sizes = self.sizes
        factors = [(p, tuple([i for i in own if sizes[i] != 1])) for p, own in term.factors]
        reached = set(term.placed)
        before = -1
        while before != len(reached):
            before = len(reached)
            reached |= {i for _, own in factors if reached & set(own) for i in own}
        dense = [f for f in factors if reached & set(f[1])]
        return dense, tuple([f for f in factors if not reached & set(f[1])])

    def _parts(self, left: list[Slot], right: list[Slot], groups: list[Group]) -> list[Part] | None:
        found = []
        for group, own in groups:
            rows = tuple([k for k, slot in enumerate(left) if slot.along in group])
            columns = tuple([k for k, slot in enumerate(right) if slot.along in group])
            text = self._part([left[k] for k in rows], [right[k] for k in columns], own)
            if text is None:
                return None
            found.append(Part(rows, columns, text))
        found += [Part((k,), (), s.selected) for k, s in enumerate(left) if s.along is None]
        found += [
            Part((), (k,), turned(s.selected)) for k, s in enumerate(right) if s.along is None
        ]
        return found

    def _part(self, rows: list[Slot], columns: list[Slot], factors: list[Factor]) -> str | None:
        before = [f"I[:, {s.selected[1:]}" for s in rows if s.selected]
        after = [f"I{s.selected}" for s in columns if s.selected]
        inner = self._core(
            [s.along for s in rows if s.along is not None],
            [s.along for s in columns if s.along is not None],
            factors,
        )
        if inner is None or not (before or after):
            return inner
        return " ".join([*before, *([] if inner == "I" else [inner]), *after])

    def _core(self, rows: list[int], columns: list[int], factors: list[Factor]) -> str | None:
        """Write what ties some rows and columns together."""
        pieces = self.pieces
        if len(rows) == len(columns) == 1 and rows != columns:
            piece = Piece(Fraction(1), tuple(factors), (rows[0], columns[0]))
            return pieces.chain(factors, rows[0], columns[0]) or pieces.matrix(piece)
        if len(rows) == len(columns) == 1:
            if not factors:
                return "I"
            return f"diag({pieces.called(Piece(Fraction(1), tuple(factors), (rows[0],)))})"
        if not columns:
            return self._vector(rows, factors)
        if not rows:
            text = self._vector(columns, factors)
            return text and pieces.transposed(text)
        return None

    def _vector(self, axes: list[int], factors: list[Factor]) -> str | None:
        if not factors:
            return "1" if len(axes) == 1 else None
        piece = Piece(Fraction(1), tuple(factors), tuple(reversed(axes)))
        if len(axes) == 1:
            own = self.pieces.known(piece) or self.pieces.chain(factors, axes[0], None)
            return own or self.pieces.letter(piece)
        return f"vec({self.pieces.called(piece)})" if len(axes) == 2 else None

    # --- joining ----------------------------------------------------------------------------------

    def _joined(self, parts: list[Part]) -> str | None:
        """Join the parts in the order of both rows and columns, or as columns times rows."""
        if len(parts) == 1:
            return parts[0].text
        for order in permutations(parts):
            if _is_sorted(order):
                return self._outer(order)
        if len(parts) == 2 and all(len(p.rows) == len(p.columns) == 1 for p in parts):
            first, second = sorted(parts, key=lambda p: p.columns)
            if first.text == second.text == "I":
                return "K"
            texts = [self.pieces.wrapped(part.text) for part in (first, second)]
            return f"K ({f' {KRONECKER} '.join(texts)})"
        return None

    def _outer(self, parts: Sequence[Part]) -> str:
        """Write columns beside rows as their product, everything else as a Kronecker product."""
        if any(part.rows and part.columns for part in parts):
            whole = all(part.text == "I" for part in parts)
            texts = [part.text for part in parts]
            return "I" if whole else f" {KRONECKER} ".join(map(self.pieces.wrapped, texts))
        columns = self._beside([part.text for part in parts if part.rows])
        rows = self._beside([part.text for part in parts if part.columns])
        if columns and rows:
            return f"{self.pieces.wrapped(columns)} {self.pieces.wrapped(rows)}"
        return columns + rows

    def _beside(self, texts: list[str]) -> str:
        if len(texts) > 1 and len(set(texts)) == 1 and texts[0].startswith("1"):
            return texts[0]
        return (
            f" {KRONECKER} ".join(map(self.pieces.wrapped, texts)) if texts[1:] else "".join(texts)
        )


def _groups(left: list[Slot], right: list[Slot], factors: list[Factor]) -> Iterator[set[int]]:
    """Give the sets of indices that factors tie together, one for each part."""
    waiting = list(dict.fromkeys(s.along for s in (*left, *right) if s.along is not None))
    while waiting:
        group = {waiting[0]}
        before = 0
        while before != len(group):
            before = len(group)
            group |= {i for _, own in factors if group & set(own) for i in own}
        waiting = [i for i in waiting if i not in group]
        yield group


def _is_sorted(parts: Sequence[Part]) -> bool:
    rows = [k for part in parts for k in part.rows]
    columns = [k for part in parts for k in part.columns]
    return rows == sorted(rows) and columns == sorted(columns)
