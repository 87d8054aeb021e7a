"""Formulas in matrix notation as text: one printer, with the vocabularies of `words.py`.

Functions of matrices and vectors are those of their entries; ⊙ and ⊘ multiply and divide by entry,
and 𝟏 is a column of ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    SCALAR,
    Commutation,
    Cycle,
    Decimal,
    Diagonal,
    Identity,
    Inverse,
    Kronecker,
    Leaf,
    Matrix,
    Named,
    Node,
    OfDiagonal,
    Part,
    Product,
    Rows,
    Selection,
    Trace,
    Turned,
)
from symtape.forms.matrix.printers.entries import Entries
from symtape.forms.matrix.printers.text import ATOM, POWER, TIMES, Text
from symtape.forms.matrix.printers.words import PLAIN, Words


class Printer(Entries):
    """Writes formulas with the words of a notation."""

    def node(self, node: Node) -> Text:
        """Write what a symbol stands for."""
        words = self.words
        match node:
            case Leaf(name):
                return Text(words.leaf(name), ATOM)
            case Decimal(number):
                return self._number(number, SCALAR)
            case Turned(of):
                return self._of_turned(of)
            case Identity() | Rows() | Selection() | Cycle():
                return self._cycle(node) if isinstance(node, Cycle) else self._unit(node)
            case Diagonal(of) | OfDiagonal(of):
                return Text(words.function("diag", self.written(of)), ATOM)
            case Trace(of):
                return self._norm(self.algebra.symbol(node), sp.S.One) or Text(
                    words.function("tr", self.written(of)), ATOM
                )
            case Inverse(of):
                return self._inverse(of)
            case Part(of):
                return self.entry(*of)
            case Kronecker() | Commutation():
                return self._kronecker(node)
            case Named("range" | "dft" as name, (), (n, _)):
                is_range = name == "range"
                return Text(
                    words.function(name, words.number(n)) if is_range else words.fourier(n), ATOM
                )
            case Named(name, of):
                return self._named(name, of, node.shape)
            case Product():
                return self._chain(node)
        raise TypeError(type(node).__name__)

    def _unit(self, node: Identity | Rows | Selection) -> Text:
        """Write a unit matrix, or some of its rows."""
        whole = self.words.identity(node.shape[1])
        chosen = "" if isinstance(node, Identity) else f"[{self._range(node)}]"
        return Text(f"{whole}{chosen}", ATOM)

    def _cycle(self, node: Cycle) -> Text:
        """Write Π, its powers, and the transposes of these."""
        words, by = self.words, abs(node.by)
        found = Text(words.cycle(node.shape[0], node.by), ATOM)
        if words.is_code:
            return found
        if by > 1:
            found = Text(words.matrix_power(found.words, by), POWER)
        return Text(words.turned(self._in(found, ATOM)), POWER) if node.by < 0 else found

    def _of_turned(self, of: Node) -> Text:
        if isinstance(of, Named) and of.name == "cross" and all(map(self._lies, of.of)):
            return self._cross_of(*map(self.algebra.transpose, of.of))
        return Text(self.words.turned(self._in(self.node(of), ATOM)), POWER)

    def _kronecker(self, node: Kronecker | Commutation) -> Text:
        if isinstance(node, Commutation):
            return Text(self.words.commutation(*node.of), ATOM)
        parts = node.parts
        if self.words.is_code:
            return Text(reduce(self.words.kronecker, map(self.written, parts)), ATOM)
        texts = [self._in(self.entry(*part), POWER) for part in parts]
        return Text(reduce(self.words.kronecker, texts), TIMES)

    def _named(self, name: str, of: tuple[Matrix, ...], shape: tuple[int, int]) -> Text:
        if name == "block":
            return self.entry(*of[0])
        if name == "unvec" and self.words.is_code:
            inner = f"{self.written(*of)}, {shape[0]}, {shape[1]}"
            return Text(self.words.function(name, inner), ATOM)
        if name == "cross":
            return self._cross(*of)
        if name == "skew":
            return Text(self.words.skew(self.written(*of)), ATOM)
        if name == "pinv":
            return Text(self.words.pseudo_inverted(self._in(self.entry(*of[0]), ATOM)), POWER)
        return Text(self.words.function(name, ", ".join(map(self.written, of))), ATOM)

    def _cross(self, a: Matrix, b: Matrix) -> Text:
        if self.words.is_code:
            return Text(self.words.cross(self.written(a), self.written(b)), ATOM)
        if self._lies(a) and self._lies(b):
            rows = self._cross_of(self.algebra.transpose(a), self.algebra.transpose(b))
            return Text(self.words.turned(self._in(rows, ATOM)), POWER)
        return self._cross_of(a, b)

    def _lies(self, x: Matrix) -> bool:
        """Say whether a column is one of rows, whose product is written as that of rows."""
        if self.words.is_code or not x.is_column:
            return False
        return self.algebra.lies(x)

    def _cross_of(self, a: Matrix, b: Matrix) -> Text:
        texts = [self._in(self.entry(*x), POWER) for x in (a, b)]
        return Text(self.words.cross(*texts), TIMES)

    def _inverse(self, of: Matrix) -> Text:
        node = self.algebra.node(of)
        if isinstance(node, Turned):
            base = self._in(self.node(node.of), ATOM)
            return Text(self.words.inverted_turned(base), POWER)
        turned = self.algebra.transpose(of)
        if self.algebra.turns(turned.entry) < self.algebra.turns(of.entry):
            base = self._in(self.entry(*turned), ATOM)
            return Text(self.words.inverted_turned(base), POWER)
        return Text(self.words.inverted(self._in(self.entry(*of), ATOM)), POWER)

    def _chain(self, node: Product) -> Text:
        norm = self._norm(self.algebra.symbol(node), sp.S.One) if node.shape == SCALAR else None
        if norm is not None:
            return norm
        texts: list[str] = []
        parts, chosen = self._chosen(node.parts)
        if len(parts) == 1:
            return chosen[parts[0]]
        for part, count in _runs(parts):
            if part in chosen and count > 1:
                texts.append(self.words.matrix_power(self._in(chosen[part], ATOM), count))
                continue
            if part in chosen:
                texts.append(self._in(chosen[part], POWER))
                continue
            text = self._as_transpose(part, node.parts) or self.entry(*part)
            if count > 1:
                texts.append(self._repeated(part, count))
            else:
                texts.append(self._in(text, POWER))
        return Text(self.words.beside(self.words.times, texts), TIMES if len(texts) > 1 else POWER)

    def _as_transpose(self, part: Matrix, parts: Sequence[Matrix]) -> Text | None:
        """Write (A - x 𝟏ᵀ)ᵀ for a sum that stands beside its transpose, of which it has more."""
        if not part.entry.is_Add or 1 in part.shape:
            return None
        other = self.algebra.transpose(part)
        if other == part or other not in parts:
            return None
        more = self.algebra.turns(part.entry) - self.algebra.turns(other.entry)
        if more < 0 or (more == 0 and parts.index(part) < parts.index(other)):
            return None
        return Text(self.words.turned(self._in(self.entry(*other), ATOM)), POWER)

    def _chosen(self, parts: tuple[Matrix, ...]) -> tuple[tuple[Matrix, ...], dict[Matrix, Text]]:
        """Write x[1:3] for a selection times a leaf, and A[0:2, 1:3]."""
        nodes = [self.algebra.node(x) for x in parts]
        kept: list[Matrix] = []
        chosen: dict[Matrix, Text] = {}
        k = 0
        while k < len(parts):
            found = self._part(nodes[k : k + 3]) or self._part(nodes[k : k + 2])
            if found is None:
                kept.append(parts[k])
                k += 1
                continue
            count, text = found
            whole = self.algebra.of(Named(text.words, (), SCALAR))  # whose shape nobody reads
            kept.append(whole)
            chosen[whole] = text
            k += count
        return tuple(kept), chosen

    def _range(self, node: Selection | Rows) -> str:
        """Write rows as Python does; in what is no code, a single one by its number."""
        if isinstance(node, Rows):
            return self.words.places(self.written(node.places))
        at, number = node.range, self.words.number
        if node.shape[0] == 1 and not self.words.is_code:
            return number(at.start)
        stop = "" if at.stop is None else number(at.stop)
        if at.step == 1:
            return f"{number(at.start)}:{stop}"
        n = node.shape[1]
        start = "" if at.start == (0 if at.step > 0 else n - 1) else number(at.start)
        stop = "" if at.stop is None or at.stop >= n else stop
        return f"{start}:{stop}:{at.step}"

    def _part(self, nodes: Sequence[Node | None]) -> tuple[int, Text] | None:
        """Write a leaf between selections as a part of it; of a transpose, the part's transpose."""
        turned = [n.of if isinstance(n, Turned) else None for n in nodes]
        match nodes, turned:
            case [(Selection() | Rows()) as rows, (Leaf() | Named() | Inverse()) as x], _:
                return 2, self._chosen_from(x, self._range(rows))
            case [(Selection() | Rows()) as rows, _], [_, (Leaf() | Named()) as x]:
                text = self._chosen_from(x, f":, {self._range(rows)}").words
                return 2, Text(self.words.turned(text), POWER)
            case [
                (Selection() | Rows()) as rows,
                (Leaf() | Named() | Inverse()) as x,
                _,
            ], [_, _, (Selection() | Rows()) as columns]:
                return 3, self._chosen_from(x, self._block(rows, columns))
            case [(Selection() | Rows()) as rows, _, _], [
                _,
                (Leaf() | Named()) as x,
                (Selection() | Rows()) as columns,
            ]:
                inner = self._chosen_from(x, self._block(columns, rows)).words
                return 3, Text(self.words.turned(inner), POWER)
            case [(Leaf() | Named() | Inverse()) as x, _], [_, (Selection() | Rows()) as columns]:
                return 2, self._chosen_from(x, f":, {self._range(columns)}")
            case [_, _], [(Leaf() | Named()) as x, (Selection() | Rows()) as rows]:
                text = self._chosen_from(x, self._range(rows)).words
                return 2, Text(self.words.turned(text), POWER)
        return None

    def _block(self, rows: Selection | Rows, columns: Selection | Rows) -> str:
        """Write which rows and columns are taken: in Python two lists are pairs, and no block."""
        both = self._range(rows), self._range(columns)
        is_pairs = isinstance(rows, Rows) and isinstance(columns, Rows)
        return ("{}][:, {}" if is_pairs else "{}, {}").format(*both)

    def _chosen_from(self, node: Leaf | Named | Inverse, places: str) -> Text:
        """Write the part of an array: that of an inverse needs no brackets, X⁻¹[0]."""
        least = POWER if isinstance(node, Inverse) else ATOM
        return Text(f"{self._in(self.node(node), least)}[{places}]", ATOM)

    def _repeated(self, part: Matrix, count: int) -> str:
        """Write a power of a matrix: (X²)ᵀ for (Xᵀ)²."""
        words, turned = self.words, self.algebra.transpose(part)
        is_turned = self.algebra.turns(turned.entry) < self.algebra.turns(part.entry)
        part = turned if is_turned else part
        node = self.algebra.node(part)
        inverse = isinstance(node, Inverse)
        base = self._in(self.entry(*(node.of if isinstance(node, Inverse) else part)), ATOM)
        power = words.matrix_power(base, -count if inverse else count)
        return words.turned(words.brackets(power)) if is_turned else power


def _runs(parts: tuple[Matrix, ...]) -> list[tuple[Matrix, int]]:
    """Count equal neighbours."""
    found: list[tuple[Matrix, int]] = []
    for part in parts:
        if found and found[-1][0] == part:
            found[-1] = (part, found[-1][1] + 1)
        else:
            found.append((part, 1))
    return found


def text(algebra: Algebra, x: Matrix, words: Words = PLAIN) -> str:
    """Write a formula in the words of a notation."""
    printer = Printer(algebra, words)
    written = printer.written(x)
    turned = printer.turned()
    return Printer(algebra, words, turned=turned).written(x) if turned else written
