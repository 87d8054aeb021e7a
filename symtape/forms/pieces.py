"""What the parts of a product are called: the names that a person gave, else letters.

A part is a product of factors with its axes in some order. What a person computed under a name is
called by it, however it was computed; what has none is a letter, the same letter for the same part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus.association import Factor, multiply_out
from symtape.calculus.structure import Structured, products
from symtape.forms.selections import selection, unit_vector
from symtape.program.matrices import Inverse, Solve
from symtape.program.operations import DType, Einsum
from symtape.program.program import Builder
from symtape.program.structural import Reshape

Namer = Callable[[int], str | None]
"""Gives the name that a person has for a position of the program."""

Value = Callable[[int], Any]
"""Gives the value of a position that stays the same nearby, else None."""

Key = tuple[Any, ...]

TIMES, TURNED, INVERSE, KRONECKER = "\N{MIDDLE DOT}", "ᵀ", "⁻¹", "\N{CIRCLED TIMES}"

_CLOSED = r"I\[[^\]]*(\[[^\]]*\])?\]|(diag|vec)\([^ ]*\)ᵀ?"
"""What needs no parentheses."""

_LETTERS = {0: "cst", 1: "dabuvw", 2: "MBCDNQ"}


class Piece(NamedTuple):
    """A product of factors, and the indices that are its axes."""

    number: Fraction
    factors: tuple[Factor, ...]
    axes: tuple[int, ...]

    @property
    def key(self) -> Key:
        """What equal pieces share, whatever their indices are called."""
        names = {i: k for k, i in enumerate(self.axes)}
        found = []
        for p, own in sorted(self.factors, key=lambda f: (f[0], [names.get(i, -1) for i in f[1]])):
            found.append((p, tuple([names.setdefault(i, len(names)) for i in own])))
        return self.number, len(self.axes), tuple(found)

    def multiplied(self, b: Builder, dtype: DType) -> int:
        """Multiply the factors out to an array of the axes.

        How long an index is, the factors say, for a piece names its indices as it likes; of axes
        of length one a factor may have none.
        """
        sizes: dict[int, int] = {}
        factors = []
        for p, own in self.factors:
            at = p
            if len(own) != len(b.shapes[p]):
                at = b.append(Reshape(b.shapes[p], tuple([n for n in b.shapes[p] if n != 1])), p)
            sizes |= dict(zip(own, b.shapes[at], strict=True))
            factors.append((at, own))
        at, order = multiply_out(b, factors, self.axes, sizes, self.number, dtype)
        shape = tuple([sizes[i] if i in order else 1 for i in self.axes])
        return at if b.shapes[at] == shape else b.append(Reshape(b.shapes[at], shape), at)


def whole(p: int, rank: int) -> Piece:
    """Make the piece that a step is by itself."""
    axes = tuple(range(rank))
    return Piece(Fraction(1), ((p, axes),), axes)


class Pieces:
    """Names the pieces of one structure; `where` says what the letters stand for."""

    def __init__(self, found: Structured, name: Namer, value: Value) -> None:
        self.found, self.name, self.value = found, name, value
        self.where: dict[str, Piece] = {}
        self.made: dict[Key, str] = {}
        self.long: set[str] = set()
        self.recorded: dict[Key, str] = {}
        named = {p: own for p in range(found.program.recorded) if (own := name(p))}
        for p, product in products(found.program, list(named)).items():
            self.recorded.setdefault(Piece(*product).key, self.column(p, named[p]))
        computed = [p for p in named if found.program.steps[p][1:]]
        self.named = {named[p]: whole(p, len(found.program.shapes[p])) for p in computed}
        taken = {*named.values(), "I", "K", "e"}
        self.letters = {rank: _letters(text, taken) for rank, text in _LETTERS.items()}

    def known(self, piece: Piece) -> str | None:
        """Give the name of a piece, if a person named it or all of its factors."""
        if piece.key in self.recorded:
            return self.recorded[piece.key]
        if len(piece.factors) == 1 and piece.number == 1:
            p, own = piece.factors[0]
            text = self.base(p)
            if text is not None and len(piece.axes) <= 1:
                return self.column(p, text)
            if text is not None and own in (piece.axes, piece.axes[::-1]):
                return text if own == piece.axes else turned(text)
        if len(piece.axes) <= 1 and all(set(own) <= set(piece.axes) for _, own in piece.factors):
            names = [self.base(p) for p, _ in piece.factors]
            if names and all(names) and piece.number == 1:
                pairs = zip(piece.factors, names, strict=True)
                return TIMES.join([self.column(p, n) for (p, _), n in pairs if n])
        return None

    def column(self, p: int, text: str) -> str:
        """Write the name of a vector as a column, which a matrix of one row is not."""
        shape = self.found.program.shapes[p]
        is_row = len(shape) == 2 and shape[0] == 1 != shape[1]
        return turned(text) if is_row else text

    def number(self, p: int) -> Fraction | None:
        """Read a scalar that stays the same nearby and has no name as a number, such as a count."""
        value = None if self.name(p) else self.value(p)
        if value is None or value.size != 1 or value.dtype.kind != "f":
            return None
        found = Fraction(float(value.ravel()[0])).limit_denominator(1000)
        return found if np.isclose(float(found), value, rtol=1e-6, atol=0).all() else None

    def fixed(self, piece: Piece) -> Any:
        """Compute a matrix whose factors have no names and stay the same nearby, else None."""
        values: list[Any] = [None if self.name(p) else self.value(p) for p, _ in piece.factors]
        if not values or any(value is None for value in values):
            return None
        names = {i: k for k, i in enumerate(piece.axes)}
        operands: list[Any] = []
        for value, (_, own) in zip(values, piece.factors, strict=True):
            inner = value if value.ndim == len(own) else np.squeeze(value)
            operands += [inner, [names.setdefault(i, len(names)) for i in own]]
        return np.einsum(*operands, list(range(len(piece.axes)))) * float(piece.number)

    def matrix(self, piece: Piece) -> str:
        """Give the name of a matrix, say what it selects, or give it a letter."""
        if known := self.known(piece):
            return known
        text = selection(self.fixed(piece)) or ""
        if text.startswith("I[") and "…" not in text:
            return text
        first = {"I": "S", "l": "L", "s": "L", "u": "U"}
        return self.letter(piece, first.get(text[:1], ""))

    def base(self, p: int) -> str | None:
        """Name a factor by itself: a leaf, what was computed under a name, the inverse of that."""
        if own := self.name(p):
            return own
        operation, *operands = self.found.program.steps[p]
        if type(operation) is Inverse or self._solves_for_identity(operation, operands):
            inner = self.name(operands[0])
            text = f"{inner}{INVERSE}" if inner else None
            return turned(text) if text and getattr(operation, "adjoint", False) else text
        if len([n for n in self.found.program.shapes[p] if n != 1]) == 1:
            return unit_vector(self.value(p))
        return None

    def _solves_for_identity(self, operation: Any, operands: Sequence[int]) -> bool:
        if type(operation) is not Solve or operation.form != "full":
            return False
        value = self.value(operands[1])
        return value is not None and value.ndim == 2 and np.array_equal(value, np.eye(len(value)))

    def called(self, piece: Piece) -> str:
        """Give the name of a piece, or a letter."""
        return self.known(piece) or self.letter(piece)

    def letter(self, piece: Piece, wanted: str = "") -> str:
        """Give the letter of a piece, which is made when it is first asked for."""
        if piece.key not in self.made:
            first = wanted if wanted and wanted not in self.where else None
            text = first or next(self.letters[min(len(piece.axes), 2)])
            self.made[piece.key] = text
            self.where[text] = piece
        return self.made[piece.key]

    # --- matrices one after another ---------------------------------------------------------------

    def chain(self, factors: Sequence[Factor], row: int, column: int | None) -> str | None:
        """Follow the matrices from the row's index to the column's, or to a vector at the end.

        None where the factors are no such product, or none of the matrices has a name.
        """
        scalars = [f for f in factors if not f[1]]
        vectors: dict[int, list[Factor]] = {}
        edges: list[Factor] = []
        for factor in self._opened([f for f in factors if f[1]]):
            if len(factor[1]) == 1:
                vectors.setdefault(factor[1][0], []).append(factor)
            elif len(set(factor[1])) == 2 == len(factor[1]):
                edges.append(factor)
            else:
                return None
        if not any(self.base(p) for p, _ in edges) or not self._take_in(vectors, scalars):
            return None
        found = self._walked(vectors, edges, row, column)
        if found is None:
            return None
        tight = all(len(re.sub("[ᵀ⁻¹]", "", part)) == 1 for part in found)
        text = ("" if tight else " ").join(found)
        if len(found) > 1:
            self.long.add(text)
        return text

    def _opened(self, factors: Sequence[Factor]) -> list[Factor]:
        """Take products of two matrices that have no name apart."""
        found = []
        fresh = count(-1, -1)
        for factor in factors:
            p, own = self._upright(factor)
            operation, *operands = self.found.program.steps[p]
            matrices = len(own) == 2 and self.base(p) is None and type(operation) is Einsum
            if matrices and [len(i) for i in operation.inputs] == [2, 2]:
                names = dict(zip(operation.output, own, strict=True))
                for i, q in zip(operation.inputs, operands, strict=True):
                    names |= {k: next(fresh) for k in i if k not in names}
                    found.append(self._upright((q, tuple([names[k] for k in i]))))
            else:
                found.append((p, own))
        return found

    def _upright(self, factor: Factor) -> Factor:
        """Take the operand of a transpose that has no name."""
        p, own = factor
        operation, *operands = self.found.program.steps[p]
        if (
            self.base(p) is None
            and type(operation) is Einsum
            and len(operands) == len(own) - 1 == 1
        ):
            (inner,) = operation.inputs
            if sorted(inner) == sorted(operation.output):
                return operands[0], tuple([own[operation.output.index(i)] for i in inner])
        return factor

    def wrapped(self, text: str) -> str:
        """Put a product into parentheses."""
        closed = re.fullmatch(_CLOSED, text) is not None
        is_product = text in self.long or ((" " in text or TIMES in text) and not closed)
        return f"({text})" if is_product else text

    def transposed(self, text: str) -> str:
        """Transpose a name or a product."""
        return turned(self.wrapped(text))

    def _take_in(self, vectors: dict[int, list[Factor]], scalars: list[Factor]) -> bool:
        """Let a vector take the scalars in, one that has a name with them, or none without."""
        for wanted in (True, False):
            for at, own in [*vectors.items()]:
                piece = Piece(Fraction(1), (*own, *scalars), (at,))
                alone = self.known(piece._replace(factors=tuple(own)))
                if scalars and (self.known(piece) if wanted else not alone):
                    vectors[at] = [*own, *scalars]
                    return True
        return not scalars

    def _walked(
        self, vectors: dict[int, list[Factor]], edges: list[Factor], row: int, column: int | None
    ) -> list[str] | None:
        parts, at, ended = [], row, False
        while True:
            weights = vectors.pop(at, [])
            ended = bool(weights) and column is None and not edges
            if weights:
                text = self.called(Piece(Fraction(1), tuple(weights), (at,)))
                parts.append(text if ended else f"diag({text})")
            edge = next((e for e in edges if at in e[1]), None)
            if edge is None:
                break
            edges.remove(edge)
            p, (a, b) = edge
            text = self.called(Piece(Fraction(1), ((p, (0, 1)),), (0, 1)))
            parts.append(text if a == at else turned(text))
            at = b if a == at else a
        whole = ended if column is None else at == column
        return parts if whole and not edges and not vectors else None


def _letters(text: str, taken: set[str]) -> Iterator[str]:
    for k in count():
        for letter in text:
            name = letter if not k else f"{letter}{k}"
            if name not in taken:
                yield name


def turned(text: str) -> str:
    """Transpose.

    >>> turned("X⁻¹"), turned("Xᵀ")
    ('X⁻ᵀ', 'X')
    """
    if text.endswith(INVERSE):
        return text.removesuffix(INVERSE) + "⁻ᵀ"
    if text.endswith("⁻ᵀ"):
        return text.removesuffix("⁻ᵀ") + INVERSE
    return text.removesuffix(TURNED) if text.endswith(TURNED) else text + TURNED
