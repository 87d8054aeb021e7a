"""Formulas in matrix notation as text: one printer, with the vocabularies of `words.py`.

Functions of matrices and vectors are those of their entries; ⊙ and ⊘ multiply and divide by entry,
and 𝟏 is a column of ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import sympy as sp

from symtape.errors import NoMatrixFormError
from symtape.forms.index.brackets import Iverson, guarded
from symtape.forms.index.ranges import chains
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.blocks import blocks, blocks_within
from symtape.forms.matrix.content import content, primitive
from symtape.forms.matrix.decimals import folded
from symtape.forms.matrix.nodes import (
    SCALAR,
    Commutation,
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
    taken_from_numbers,
    with_sign,
)
from symtape.forms.matrix.printers.words import PLAIN, Words
from symtape.forms.matrix.size import BESSEL
from symtape.forms.named import normal_cdf, normal_pdf, sigmoid
from symtape.forms.plain_texts import PlainTexts
from symtape.forms.scalars.polynomials import by_degree
from symtape.forms.scalars.powers.roots import quotient, short_decimal, stands_below

_DOT = r" \cdot "

SUM, NEGATIVE, TIMES, POWER, ATOM = range(5)
"""How tightly a text binds: what is looser than its place needs parentheses."""
_MANY_ZEROS = 6
"""From so many on, the zeros at the end of a whole number are a power of ten in LaTeX."""


class Text(NamedTuple):
    """A piece of a formula, and how tightly it binds."""

    words: str
    binding: int


class Printer:
    """Writes formulas with the words of a notation."""

    def __init__(self, algebra: Algebra, words: Words, *, named: bool = True) -> None:
        self.algebra, self.words, self.named = algebra, words, named
        self._is_tex = words.is_stacked and not words.is_code
        self._known: dict[Any, Text] = {}
        self._plain = PlainTexts().of

    def written(self, x: Matrix) -> str:
        """Write a formula."""
        return self.entry(x.entry, x.shape).words

    def _in(self, text: Text, least: int) -> str:
        return text.words if text.binding >= least else self.words.brackets(text.words)

    # --- entries ----------------------------------------------------------------------------------

    def entry(self, e: Any, shape: tuple[int, int]) -> Text:
        """Write an entry of an array of a shape."""
        if (e, shape) not in self._known:
            self._known[e, shape] = self._entry(e, shape)
        return self._known[e, shape]

    def _entry(self, e: Any, shape: tuple[int, int]) -> Text:
        e = e if self.words.is_code else folded(self.algebra, e)
        if e in (sp.true, sp.false):
            raise NoMatrixFormError("a truth value has no matrix notation")
        if isinstance(e, (sp.Rel, sp.logic.boolalg.BooleanFunction)):
            return self._condition(e, shape)
        if isinstance(e, Iverson):
            return Text(self.words.bracket(self.entry(e.args[0], shape).words), ATOM)
        if isinstance(e, sp.Tuple):
            inner = ", ".join(self.entry(a, shape).words for a in e)
            return Text(self.words.brackets(inner), ATOM)
        if e.is_number:
            return self._number(e, shape)
        if shape != SCALAR and not self.algebra.arrays(e):
            ones = self._ones(shape)
            return self._multiple(e, self._in(ones, TIMES), ones.words)
        if e in self.algebra.nodes:
            return self.node(self.algebra.nodes[e])
        rows, rest = blocks_within(self.algebra, e, shape)
        if rows:
            number, inner = self._shared_by_blocks(e - rest)
            if number == 1 and rest == 0:
                return Text(self.words.block([list(map(self.written, row)) for row in rows]), ATOM)
            block = Named("block", (Matrix(inner, shape),), shape)
            return self.entry(rest + number * self.algebra.symbol(block), shape)
        turned = self._turned(e, shape)
        if turned is not None:
            return turned
        if isinstance(e, (sp.Add, sp.Mul)):
            return self._compound(e, shape)
        if isinstance(e, sp.Pow):
            return self._power(e, shape)
        return self._function(e, shape)

    def _shared_by_blocks(self, e: Any) -> tuple[Any, Any]:
        """Take out of blocks what multiplies them all, and a minus sign that all have."""
        number, inner = content(e, self.algebra)
        if number.could_extract_minus_sign() and len(e.args) > self._minuses(e):
            number, inner = -number, sp.Add(*[-t for t in inner.args])
        return number, inner

    def _beside(self, e: Any, shape: tuple[int, int]) -> Text:
        """Write what goes with every entry: a scalar needs no ones."""
        return self.entry(e, shape if self.algebra.arrays(e) else SCALAR)

    def _function(self, e: Any, shape: tuple[int, int]) -> Text:
        if not self.named and isinstance(e, (sigmoid, normal_cdf, normal_pdf)):
            return self.entry(e.doit(deep=False), shape)
        if isinstance(e, sp.Abs):
            return Text(self.words.size(self.entry(e.args[0], shape).words), ATOM)
        if isinstance(e, sp.polygamma) and e.args[0].is_Integer and not self.words.is_code:
            inner = self.entry(e.args[1], shape).words
            return Text(self.words.polygamma(int(e.args[0]), inner), ATOM)
        if type(e) in BESSEL and e.args[0].is_Integer and e.args[0] >= 0:
            inner = self.entry(e.args[1], shape).words
            return Text(self.words.bessel(BESSEL[type(e)], int(e.args[0]), inner), ATOM)
        inner = ", ".join(self._beside(a, shape).words for a in e.args)
        return Text(self.words.function(e.func.__name__, inner), ATOM)

    def _compound(self, e: Any, shape: tuple[int, int]) -> Text:
        """Write a sum or a product; in code, what has a bracket is computed where that is 1."""
        opened = self._opened(e)
        if opened != e:
            return self.entry(opened, shape)
        found = guarded(e) if self.words.guarded is not None else None
        if found is not None and self.words.guarded is not None:
            condition, rest = (self.entry(part, shape).words for part in found)
            return Text(self.words.guarded(condition, rest), ATOM)
        return self._sum(e, shape) if isinstance(e, sp.Add) else self._product(e, shape)

    def _opened(self, e: Any) -> Any:
        """Put sums that were taken as a whole into a sum, and products into a product."""
        parts = {s: self.algebra.nodes.get(s) for s in e.args}
        swap = {s: node.of.entry for s, node in parts.items() if isinstance(node, Part)}
        return e.func(
            *[inner if isinstance(inner := swap.get(s, s), e.func) else s for s in e.args]
        )

    def _condition(self, e: Any, shape: tuple[int, int]) -> Text:
        """Write a relation between entries, or relations together."""
        if isinstance(e, sp.Rel):
            e = self._with_plain_sides(e)
            e = e if self.algebra.arrays(e.lhs) or not self.algebra.arrays(e.rhs) else e.reversed
            sides = [self._beside(a, shape).words for a in e.args]
            return Text(f" {self.words.relations[e.rel_op]} ".join(sides), SUM)
        if isinstance(e, sp.Not):
            inner = self.entry(e.args[0], shape)
            return Text(
                self.words.negation(self._in(inner, SUM if self.words.is_code else ATOM)), POWER
            )
        between = chains(e.args) if isinstance(e, sp.And) and not self.words.is_code else None
        if between is not None and len(between) == 1:  # 0 ≤ x < 1
            signs = self.words.relations
            texts = [
                signs[a] if isinstance(a, str) else self._beside(a, shape).words for a in between[0]
            ]
            return Text(" ".join(texts), SUM)
        if isinstance(e, (sp.And, sp.Or)):
            parts = [self._in(self.entry(a, shape), ATOM) for a in sorted(e.args, key=str)]
            return Text(f" {self.words.relations[type(e).__name__]} ".join(parts), SUM)
        raise NoMatrixFormError(f"the condition {type(e).__name__} has no matrix notation")

    def _with_plain_sides(self, e: Any) -> Any:
        """Write a < b for a - b < 0, where there is something on each side then."""
        taken = [t for t in sp.Add.make_args(e.lhs) if t.could_extract_minus_sign()]
        if e.rhs != 0 or not 0 < len(taken) < len(sp.Add.make_args(e.lhs)):
            return e
        other = -sp.Add(*taken)
        return e.func(e.lhs + other, other, evaluate=False)

    def _number(self, e: Any, shape: tuple[int, int]) -> Text:
        if shape != SCALAR:
            if e == 0 and not self.words.is_code:
                return Text("0", ATOM)
            ones = self._ones(shape)
            return ones if e == 1 else self._multiple(e, ones.words, ones.words)
        decimal = None if self.words.is_code else short_decimal(abs(e))
        if decimal is not None:
            return Text(decimal, ATOM) if e.p > 0 else Text(f"-{decimal}", NEGATIVE)
        if isinstance(e, sp.Rational) and e.q != 1:
            text = self.words.fraction(str(abs(e.p)), str(e.q))
            text = text if e.p > 0 else f"-{text}"
            return Text(
                text, (TIMES if not self.words.is_stacked else ATOM) if e.p > 0 else NEGATIVE
            )
        if e.is_Pow and e.exp == sp.S.Half:
            return Text(self.words.root(self._number(e.base, shape).words), ATOM)
        if e.is_Pow and e.base is not sp.E:
            return self._power(e, shape)
        if e.is_Mul and e.is_extended_real and not e.could_extract_minus_sign():
            return self._scalars(e, alone=True)
        if e in self.words.constants:
            return Text(self.words.constants[e], ATOM)
        text = self._float(e) if e.is_Float else self._constant(e)
        compound = isinstance(e, sp.Add)
        return Text(text, SUM if compound else NEGATIVE if e.is_negative else ATOM)

    def _constant(self, e: Any) -> str:
        """Write a number that is no product, such as 2 - 3i or log(3)."""
        if self._is_tex and e.is_Integer:
            return _with_power_of_ten(str(e))
        if self._is_tex:
            return str(sp.latex(e))
        return str(e.xreplace({c: sp.Symbol(word) for c, word in self.words.constants.items()}))

    def _float(self, e: Any) -> str:
        """Write a decimal number as its author did."""
        text = _decimal(float(e))
        digits, _, power = text.partition("e")
        if not power or not self._is_tex:
            return text
        return _times_ten_to(digits, int(power))

    def _ones(self, shape: tuple[int, int]) -> Text:
        ones, turned = self.words.ones(shape[0]), self.words.turned(self.words.ones(shape[1]))
        if shape[1] == 1:
            return Text(ones, ATOM)
        if shape[0] == 1:
            return Text(turned, POWER)
        return Text(f"{ones}{self.words.times}{turned}", TIMES)

    def _sum(self, e: Any, shape: tuple[int, int]) -> Text:
        number, rest = content(e, self.algebra)
        if number.is_negative and self._minuses(rest):
            number, rest = -number, sp.Add(*[-t for t in rest.args])
        if number.is_Rational and _is_longer(number, rest, e):
            number = sp.S.One
        if number not in (1, -1) or (number == -1 and self._minuses(e) > self._minuses(rest) + 1):
            if shape == SCALAR and number.is_positive:
                return self._scalars(sp.Mul(number, rest, evaluate=False), alone=True)
            turned = self._with_signs_within(rest) if number == -1 else None
            if turned is not None:
                return Text(" ".join(self._signed(turned, shape)), SUM)
            whole = self.entry(rest, shape)
            return self._multiple(number, self._in(whole, TIMES), whole.words)
        return Text(" ".join(self._signed(e, shape)), SUM)

    def _with_signs_within(self, e: Any) -> Any | None:
        """Write A (x - b) + B (y - c) for -(A (b - x) + B (c - y)), if each term has such a sum."""
        pairs = [t.as_coeff_Mul() for t in e.args]
        turned = [(c, self.algebra.flipped(rest)) for c, rest in pairs]
        if any(rest is None for _, rest in turned):
            return None
        return sp.Add(*[c * rest for c, rest in turned])

    def _signed(self, e: Any, shape: tuple[int, int]) -> list[str]:
        """Write the terms of a sum, each with its sign."""
        texts = []
        for k, term in enumerate(by_degree(e) or sorted(e.args, key=self._order)):
            minus = term.could_extract_minus_sign() and not self._has_even_sum(term)
            text = self.entry(-term if minus else term, shape)
            own = self._in(text, NEGATIVE)
            if text.binding == NEGATIVE and own.startswith("-"):
                minus, own = not minus, own[1:]
            sign = ("-" if minus else "") if k == 0 else ("- " if minus else "+ ")
            texts.append(f"{sign}{own}")
        return texts

    def _has_even_sum(self, e: Any) -> bool:
        """Say whether a scalar sum hides a minus sign that is none: (s - 4) A."""
        number, rest = e.as_coeff_Mul()
        sums = [f for f in sp.Mul.make_args(rest) if f.is_Add and not self.algebra.arrays(f)]
        even = [f for f in sums if 0 < 2 * self._minuses(f) <= len(f.args)]
        return bool(number.is_positive) and len(even) == len(sums) == 1

    def terms(self, x: Matrix) -> list[str]:
        """Write the terms of the outermost sum, where a formula is written as one."""
        whole = self.written(x)
        if not isinstance(x.entry, sp.Add):
            return [whole]
        texts = self._signed(*x)
        return texts if " ".join(texts) == whole else [whole]

    @staticmethod
    def _minuses(e: Any) -> int:
        return sum(t.could_extract_minus_sign() for t in sp.Add.make_args(e))

    def _turned(self, e: Any, shape: tuple[int, int]) -> Text | None:
        """Write (A x - b)ᵀ for a sum of transposes; of matrices, if that leaves no other one."""
        if shape == SCALAR or (isinstance(e, sp.Mul) and not self._is_by_element(e)):
            return None
        if shape[1] == 1 and blocks(self.algebra, e, shape) is not None:
            return None
        other = self.algebra.transpose(Matrix(e, shape))
        least = self.algebra.turns(other.entry)
        of_ones = [t for t in sp.Add.make_args(e) if shape[0] == 1 and not self.algebra.arrays(t)]
        own = self.algebra.turns(e) + len(of_ones)  # 𝟏ᵀ is a transpose, too
        if (least and shape[0] != 1) or min(least, 1) + least >= own:
            return None
        if isinstance(e, sp.Add) and shape[0] != 1 and own == 1:  # A⁻ᵀ - S⁻¹
            return None
        return Text(self.words.turned(self._in(self.entry(*other), ATOM)), POWER)

    def _is_number(self, e: Any) -> bool:
        """Say whether something is made of numbers alone."""
        known = self.algebra.decimals(e)
        return bool(e.is_number) or (bool(known) and e.free_symbols <= known.keys())

    def _is_by_element(self, e: Any) -> bool:
        factors = sp.Mul.make_args(e)
        return len(factors) > 1 and all(self.algebra.arrays(f) for f in factors)

    def _order(self, term: Any) -> tuple[Any, ...]:
        """Sort terms: numbers, then products, then what is added to them; a minus comes last."""
        places = sorted(self._place(s) for s in term.free_symbols)
        nodes = [self.algebra.nodes.get(e) for e in sp.Mul.make_args(term)]
        is_product = any(isinstance(node, Product) for node in nodes)
        minus = term.could_extract_minus_sign()
        swaps = any(isinstance(node, Commutation) for node in nodes)
        return (
            minus,
            not self._is_number(term),
            swaps,
            not is_product,
            places[::-1],
            self._plain(term),
        )

    def _product(self, e: Any, shape: tuple[int, int]) -> Text:
        number, rest = e.as_coeff_Mul()
        if number.is_negative:
            rest = self._with_a_sum(rest)
            flipped = self._flipped(rest) or with_sign(rest)
            if flipped is not None:
                return self.entry(-number * flipped, shape)
        rest = taken_from_numbers(rest)
        outer, factors = self._contents(sp.Mul.make_args(rest))
        arrays = [f for f in factors if self.algebra.arrays(f)]
        scalars = [f for f in factors if f not in arrays]
        sign, scalars = self._with_signs_out(scalars)
        number *= outer * sign
        if not number.is_negative:
            return self._positive(number, scalars, arrays, shape)
        text = self._positive(-number, scalars, arrays, shape)
        return Text(f"-{self._in(text, TIMES)}", NEGATIVE)

    def _with_a_sum(self, e: Any) -> Any:
        """Write a sum that was taken as a whole as one that can take in a minus sign."""
        parts = ((f, self.algebra.nodes.get(f)) for f in sp.Mul.make_args(e))
        wholes = [(f, node.of.entry) for f, node in parts if isinstance(node, Part)]
        return next((e / f * inner for f, inner in wholes if with_sign(inner) is not None), e)

    def _flipped(self, e: Any) -> Any | None:
        """Let a factor take in a minus sign."""
        ways = ((f, self.algebra.flipped(f)) for f in sp.Mul.make_args(e))
        return next((e / f * turned for f, turned in ways if turned is not None), None)

    def _positive(
        self, number: Any, scalars: list[Any], arrays: list[Any], shape: tuple[int, int]
    ) -> Text:
        """Write a product that has no minus sign in front."""
        front = sp.Mul(number, *scalars)
        if not arrays:
            return self._scalars(front, alone=True)
        body = self._by_element(arrays, shape)
        whole = sp.Mul(*arrays)
        if whole not in self.algebra.nodes:
            body = self._turned(whole, shape) or body
        if front == 1:
            return body
        is_chain = len(arrays) == 1 and arrays[0] in self.algebra.nodes
        return self._multiple(front, self._in(body, TIMES if is_chain else POWER), body.words)

    def _with_signs_out(self, factors: Sequence[Any]) -> tuple[Any, list[Any]]:
        """Turn the sums around of which every term has a minus sign; give the sign of all."""
        is_turned = [f.is_Add and self._minuses(f) == len(f.args) for f in factors]
        pairs = zip(factors, is_turned, strict=True)
        found = [sp.Add(*[-t for t in f.args]) if turned else f for f, turned in pairs]
        return (-sp.S.One) ** sum(is_turned), found

    def _contents(self, factors: Sequence[Any], *, with_sign: bool = True) -> tuple[Any, list[Any]]:
        """Take the numbers that sums have in common out of a product, and the signs."""
        if len(factors) < 2:
            return sp.S.One, [*factors]
        apart = [self._primitive(f, with_sign=with_sign) for f in factors]
        numbers = [number for number, _ in apart]
        return sp.Mul(*numbers), [f for _, f in apart]

    def _primitive(self, e: Any, *, with_sign: bool) -> tuple[Any, Any]:
        """Take the number and the sign out that the terms share, unless that makes it longer."""
        if e.is_Pow and e.base.is_Add and e.exp == -1:
            number, rest = self._primitive(e.base, with_sign=with_sign)
            return 1 / number, 1 / rest
        if not e.is_Add:
            return sp.S.One, e
        number, rest = primitive(e, self.algebra)
        if with_sign and self._minuses(rest) == len(rest.args):
            number, rest = -number, sp.Add(*[-t for t in rest.args])
        return (sp.S.One, e) if _is_longer(number, rest, e) else (number, rest)

    def _multiple(self, number: Any, inner: str, bare: str) -> Text:
        """Write a multiple of an array; in plain text what divides stands behind: 2 Xᵀ r / 3.

        `bare` is the array without parentheses, as it stands above a line.
        """
        if number.is_Add:
            outer, rest = content(number, self.algebra)
            if outer == -1 and self._minuses(rest) >= self._minuses(number):
                outer, rest = sp.S.One, number
            if outer.could_extract_minus_sign():
                whole = self._multiple(sp.Mul(-outer, rest, evaluate=False), inner, bare)
                return Text(f"-{whole.words}", NEGATIVE)
            number = sp.Mul(outer, rest, evaluate=False)
        sign, factors = self._with_signs_out(sp.Mul.make_args(number))
        if sign < 0:
            number = -sp.Mul(*factors, evaluate=False)
        if number.could_extract_minus_sign():
            return Text(f"-{self._multiple(-number, inner, bare).words}", NEGATIVE)
        if number == 1:
            return Text(inner, TIMES)
        if number.is_Add:
            return Text(self._before(self._front(number), inner), TIMES)
        above, below = self._quotient(number)
        if self.words.is_stacked:
            if above or all(f.is_number for f in below) or r"\frac" in bare:
                return Text(self._before(self._front(number), inner), TIMES)
            return Text(self.words.fraction(bare, self._joined(below).words), TIMES)
        text = inner
        if above:
            text = f"{self._joined(above, POWER).words}{self.words.scaled}{inner}"
        if below:
            text += f" / {self._in(self._joined(below), POWER)}"
        return Text(text, TIMES)

    def _before(self, front: str, inner: str) -> str:
        """Put a scalar before an array, with a dot between digits: 0.05 · 𝟏 is no 0.051."""
        is_dotted = self._is_tex and front[-1].isdigit() and inner.startswith(r"\mathbf{1}")
        return f"{front}{_DOT if is_dotted else self.words.scaled}{inner}"

    def _front(self, number: Any) -> str:
        """Write what stands before an array."""
        if isinstance(number, sp.Add):
            return self.words.brackets(self.entry(number, SCALAR).words)
        return self._scalars(number, alone=False).words

    def _scalars(self, e: Any, *, alone: bool) -> Text:
        """Write a product of numbers and scalars, as a fraction where something is divided by."""
        up, down = self._quotient(e)
        if not down:
            return self._joined(up, TIMES if alone else POWER)
        top, bottom = self._joined(up), self._joined(down)
        if self.words.is_stacked:
            return Text(self.words.fraction(top.words, bottom.words), TIMES if alone else ATOM)
        return Text(self.words.fraction(self._in(top, TIMES), self._in(bottom, POWER)), TIMES)

    def _quotient(self, e: Any) -> tuple[list[Any], list[Any]]:
        """Give what stands above and below a line; there is no place for a sign."""
        number, rest = e.as_coeff_Mul()
        outer, factors = self._contents(sp.Mul.make_args(rest), with_sign=False)
        numbers = [f for f in factors if f.is_number]
        above, below = quotient(sp.Abs(number * outer) * sp.Mul(*numbers))
        for f in factors:
            if f.is_number:
                continue
            under = stands_below(f)
            (below if under else above).append(1 / f if under else f)
        return above, below

    def _joined(self, factors: list[Any], least: int = TIMES) -> Text:
        """Multiply scalars; before an array, `least` keeps products of vectors apart."""
        if not factors:
            return Text("1", ATOM)
        found = [self.entry(f, SCALAR) for f in sorted(factors, key=self._factor_order)]
        if len(found) == 1 and least == TIMES:
            return found[0]
        return Text(self.words.scaled.join(self._in(t, least) for t in found), TIMES)

    def _place(self, symbol: Any) -> tuple[int, ...]:
        """Say where a symbol comes; the parts of a leaf come in their order."""
        node = self.algebra.nodes[symbol]
        parts = node.parts if isinstance(node, Product) else ()
        inner = [self.algebra.node(x) for x in parts]
        upright = [n.of if isinstance(n, Turned) else n for n in inner]
        leaves = [n for n in upright if isinstance(n, Leaf)]
        chosen = [n.first for n in upright if isinstance(n, Selection)]
        if len(leaves) != 1 or len(chosen) + 1 < len(parts) or not chosen:
            return (self.algebra.place(symbol),)
        return (self.algebra.place(self.algebra.symbol(leaves[0])), *chosen)

    def _factor_order(self, f: Any) -> tuple[Any, ...]:
        places = sorted(self._place(s) for s in f.free_symbols)
        base = f.base if isinstance(f, sp.Pow) else f
        is_sum = (isinstance(base, sp.Add), isinstance(f, sp.Add))
        return (not self._is_number(f), is_sum, bool(f.args), places, self._plain(f))

    def _by_element(self, factors: list[Any], shape: tuple[int, int]) -> Text:
        """Multiply and divide by entry."""
        below = [1 / f for f in factors if stands_below(f)]
        above = sorted((f for f in factors if 1 / f not in below), key=self._factor_order)
        if len(above) == 1 and not below:
            return self.entry(above[0], shape)
        up = [self._in(self.entry(f, shape), POWER) for f in above] or [
            self._in(self._ones(shape), POWER)
        ]
        text = self.words.by_element.join(up)
        if below:
            down = [
                self._in(self.entry(f, shape), POWER) for f in sorted(below, key=self._factor_order)
            ]
            under = self.words.by_element.join(down)
            text = self.words.brackets(text) if len(up) > 1 else text
            under = self.words.brackets(under) if len(down) > 1 else under
            text += f"{self.words.over_element}{under}"
        return Text(text, TIMES)

    def _power(self, e: Any, shape: tuple[int, int]) -> Text:
        base, exponent = e.base, e.exp
        if stands_below(e):
            return self._product_of_one(e, shape)
        norm = self._norm(base, exponent) if shape == SCALAR else None
        if norm is not None:
            return norm
        if exponent == sp.S.Half:
            return Text(self.words.root(self.entry(base, shape).words), ATOM)
        inner = self._in(self.entry(base, shape), ATOM)
        power = self._beside(exponent, shape)
        is_array = shape != SCALAR  # ⊙ stands before the exponent
        raised = self._in(power, (TIMES if is_array else SUM) if self._is_tex else ATOM)
        if self._is_tex and exponent.is_Rational and short_decimal(exponent) is None:
            raised = str(exponent)  # on one line: a fraction up there is too small to be read
        return Text(self.words.power(inner, raised, is_array), POWER)

    def _product_of_one(self, e: Any, shape: tuple[int, int]) -> Text:
        if shape == SCALAR:
            return self._scalars(e, alone=True)
        return self._by_element([e], shape)

    def _norm(self, base: Any, exponent: Any) -> Text | None:
        """Write powers of rᵀr as powers of a norm."""
        inner = self._squared(base)
        if inner is None:
            return None
        text, kind = inner
        power = 2 * exponent
        norm = self.words.norm(text, kind)
        if power == 1:
            return Text(norm, ATOM)
        raised = self.entry(power, SCALAR)
        text = raised.words if self._is_tex else self._in(raised, ATOM)
        return Text(self.words.power(norm, text, False), POWER)

    def _squared(self, e: Any) -> tuple[str, str] | None:
        """Say of what a scalar is the squared norm: of nothing complex, which it conjugates."""
        node = self.algebra.nodes.get(e) if e.is_real else None
        if isinstance(node, Product) and len(node.parts) % 2 == 0 and node.shape == SCALAR:
            half = len(node.parts) // 2
            column = node.parts[half:]
            turned = tuple(self.algebra.transpose(x) for x in reversed(column))
            if node.parts[:half] == turned and not column[0].entry.is_number:
                whole = self.algebra.product(*column)
                return self.written(
                    self.algebra.transpose(whole) if self._lies(whole) else whole
                ), ""
        if isinstance(node, Trace):
            return self._of_frobenius(self.algebra.node(node.of))
        return None

    def _of_frobenius(self, whole: Node | None) -> tuple[str, str] | None:
        """Say of what tr(Aᵀ A) is the squared norm, wherever the product begins."""
        if not isinstance(whole, Product) or len(whole.parts) % 2:
            return None
        half = len(whole.parts) // 2
        for k in range(len(whole.parts)):
            parts = whole.parts[k:] + whole.parts[:k]
            if parts[:half] == tuple(self.algebra.transpose(x) for x in reversed(parts[half:])):
                found = self.algebra.product(*parts[:half])
                ways = (found, self.algebra.transpose(found))
                return self.written(min(ways, key=lambda x: self.algebra.turns(x.entry))), "_F"
        return None

    # --- nodes ------------------------------------------------------------------------------------

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
            case Identity() | Rows() | Selection():
                return self._unit(node)
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
            case Named("range", (), (n, _)):
                return Text(words.function("range", words.number(n)), ATOM)
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
        return Text(self.words.times.join(texts), TIMES if len(texts) > 1 else POWER)

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
                return 3, self._chosen_from(x, f"{self._range(rows)}, {self._range(columns)}")
            case [(Selection() | Rows()) as rows, _, _], [
                _,
                (Leaf() | Named()) as x,
                (Selection() | Rows()) as columns,
            ]:
                inner = f"{self._range(columns)}, {self._range(rows)}"
                return 3, Text(self.words.turned(self._chosen_from(x, inner).words), POWER)
            case [(Leaf() | Named() | Inverse()) as x, _], [_, (Selection() | Rows()) as columns]:
                return 2, self._chosen_from(x, f":, {self._range(columns)}")
            case [_, _], [(Leaf() | Named()) as x, (Selection() | Rows()) as rows]:
                text = self._chosen_from(x, self._range(rows)).words
                return 2, Text(self.words.turned(text), POWER)
        return None

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


def _decimal(number: float) -> str:
    """Write a number by its shortest digits, or by fifteen where the others are rounding."""
    text, short = (t.removesuffix(".0") for t in (repr(number), repr(float(f"{number:.15g}"))))
    return short if len(short) < len(text) - 3 else text


def _times_ten_to(digits: str, power: int) -> str:
    raised = f"10^{{{power}}}"
    return raised if digits == "1" else rf"{digits} \cdot {raised}"


def _with_power_of_ten(number: str) -> str:
    """Write a whole number in LaTeX so that nobody has to count its zeros."""
    digits = number.rstrip("0")
    zeros = len(number) - len(digits)
    return _times_ten_to(digits, zeros) if digits.isdigit() and zeros >= _MANY_ZEROS else number


def _marks(e: Any) -> int:
    """Count what the numbers of a sum's terms take to be written."""
    found = 0
    for number, rest in (t.as_coeff_Mul() for t in sp.Add.make_args(e)):
        if number.is_Rational:  # one that stands alone is always written, without an operator
            found += (1 if rest == 1 else 2 * (abs(number.p) != 1)) + 2 * (number.q != 1)
    return found


def _is_longer(number: Any, rest: Any, e: Any) -> bool:
    """Say whether a sum is longer with a number in front: I - A / 3 is (3 I - A) / 3.

    What begins with a number stays as it is where it is as long: 1 + s/2.
    """
    before, after = _marks(e), _marks(number * sp.Symbol("x")) + _marks(rest)
    begins = not number.is_Integer and any(t.is_Integer for t in e.args)
    return before < after or (before == after and begins)


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
    return Printer(algebra, words).written(x)
