"""Numbers and products of scalars, as they stand before arrays and by themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    SCALAR,
    Leaf,
    Product,
    Selection,
    Turned,
)
from symtape.forms.matrix.printers.text import (
    ATOM,
    NEGATIVE,
    POWER,
    SUM,
    TIMES,
    Text,
    decimal,
    is_longer,
    times_ten_to,
    with_power_of_ten,
)
from symtape.forms.matrix.printers.words import Words
from symtape.forms.matrix.sums.content import content, primitive
from symtape.forms.plain_texts import PlainTexts
from symtape.forms.scalars.powers.roots import quotient, short_decimal, stands_below

_DOT = r" \cdot "


class Numbers(ABC):
    """Writes numbers with the words of a notation."""

    def __init__(self, algebra: Algebra, words: Words) -> None:
        self.algebra, self.words = algebra, words
        self._is_tex = words.is_stacked and not words.is_code
        self._plain = PlainTexts().of

    def _in(self, text: Text, least: int) -> str:
        return text.words if text.binding >= least else self.words.brackets(text.words)

    @abstractmethod
    def entry(self, e: Any, shape: tuple[int, int]) -> Text:
        """Write an entry of an array of a shape."""

    @abstractmethod
    def _power(self, e: Any, shape: tuple[int, int]) -> Text: ...

    def _number(self, e: Any, shape: tuple[int, int]) -> Text:
        if shape != SCALAR:
            if e == 0 and not self.words.is_code:
                return Text("0", ATOM)
            ones = self._ones(shape)
            return ones if e == 1 else self._multiple(e, ones.words, ones.words)
        short = None if self.words.is_code else short_decimal(abs(e))
        if short is not None:
            return Text(short, ATOM) if e.p > 0 else Text(f"-{short}", NEGATIVE)
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
            return with_power_of_ten(str(e))
        if self._is_tex and isinstance(e, sp.log):
            return self.words.function("log", self._number(e.args[0], SCALAR).words)
        if self._is_tex:
            return str(sp.latex(e))
        named = e.xreplace({c: sp.Symbol(word) for c, word in self.words.constants.items()})
        return str(named) if self.words.is_code else self._beside_each_other(named)

    def _beside_each_other(self, e: Any) -> str:
        """Write a number with factors beside each other, 2 - 3 i, where SymPy has a sign."""
        if e.is_Add:
            first, *rest = e.as_ordered_terms()
            signs = [(" - ", -t) if t.could_extract_minus_sign() else (" + ", t) for t in rest]
            others = [sign + self._beside_each_other(t) for sign, t in signs]
            return "".join([self._beside_each_other(first), *others])
        if not e.is_Mul:
            return self._float(e) if e.is_Float else str(e)
        if e.could_extract_minus_sign():
            return f"-{self._beside_each_other(-e)}"
        up, down = sp.fraction(e)
        factors = [(f, self._beside_each_other(f)) for f in up.as_ordered_factors()]
        words = self.words.times.join(f"({text})" if f.is_Add else text for f, text in factors)
        return words if down == 1 else f"{words}/{down}"

    def _float(self, e: Any) -> str:
        """Write a decimal number as its author did."""
        text = decimal(float(e))
        digits, _, power = text.partition("e")
        if not power or not self._is_tex:
            return text
        return times_ten_to(digits, int(power))

    def _ones(self, shape: tuple[int, int]) -> Text:
        ones, turned = self.words.ones(shape[0]), self.words.turned(self.words.ones(shape[1]))
        if shape[1] == 1:
            return Text(ones, ATOM)
        if shape[0] == 1:
            return Text(turned, POWER)
        return Text(f"{ones}{self.words.times}{turned}", TIMES)

    @staticmethod
    def _minuses(e: Any) -> int:
        return sum(t.could_extract_minus_sign() for t in sp.Add.make_args(e))

    def _is_number(self, e: Any) -> bool:
        """Say whether something is made of numbers alone."""
        known = self.algebra.decimals(e)
        return bool(e.is_number) or (bool(known) and e.free_symbols <= known.keys())

    def _with_signs_out(self, factors: Sequence[Any]) -> tuple[Any, list[Any]]:
        """Turn the sums around of which every term has a minus sign; give the sign of all."""
        is_turned = [f.is_Add and self._minuses(f) == len(f.args) for f in factors]
        pairs = zip(factors, is_turned, strict=True)
        found = [negative(f) if turned else f for f, turned in pairs]
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
            number, rest = -number, negative(rest)
        return (sp.S.One, e) if is_longer(number, rest, e) else (number, rest)

    def _multiple(self, number: Any, inner: str, bare: str) -> Text:
        """Write a multiple of an array; in plain text what divides stands behind: 2 Xᵀ r / 3.

        `bare` is the array without parentheses, as it stands above a line.
        """
        if number.is_Add:
            outer, rest = content(number, self.algebra)
            most = min(self._minuses(rest) + 1, len(number.args) - 1)
            if outer == -1 and self._minuses(number) <= most:
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
            under = self._joined(below).words
            is_taller = bare.count(r"\frac") > under.count(r"\frac")  # above the line than below
            is_taller |= r"\begin" in bare and r"\frac" in bare
            if above or all(f.is_number for f in below) or is_taller:
                return Text(self._before(self._front(number), inner), TIMES)
            return Text(self.words.fraction(bare, under), TIMES)
        text = inner
        if above:
            text = f"{self._joined(above, POWER).words}{self.words.scaled}{inner}"
        if below:
            text += f" / {self._in(self._joined(below), POWER)}"
        return Text(text, TIMES)

    def _before(self, front: str, inner: str) -> str:
        """Put a scalar before an array, with a dot between digits: 0.05 · 𝟏 is no 0.051."""
        is_dotted = self._is_tex and front[-1].isdigit() and inner.startswith(r"\mathbf{1}")
        return f"{front}{_DOT}{inner}" if is_dotted else self._scaled([front, inner])

    def _scaled(self, texts: Sequence[str]) -> str:
        return self.words.beside(self.words.scaled, texts)

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
        tall = self._tall_sums(up) if self.words.is_stacked else []
        if tall:
            rest = [f for f in up if f not in tall]
            front = self._stacked(rest, down)
            behind = [self.words.brackets(self.entry(f, SCALAR).words) for f in tall]
            return Text(self._scaled([front, *behind]), TIMES)
        top, bottom = self._joined(up), self._joined(down)
        if self.words.is_stacked:
            return Text(self.words.fraction(top.words, bottom.words), TIMES if alone else ATOM)
        return Text(self.words.fraction(self._in(top, TIMES), self._in(bottom, POWER)), TIMES)

    def _stacked(self, up: list[Any], down: list[Any]) -> str:
        return self.words.fraction(self._joined(up).words, self._joined(down).words)

    def _tall_sums(self, factors: list[Any]) -> list[Any]:
        """List the sums of fractions: they stand behind a line, and not above it."""
        sums = sorted((f for f in factors if f.is_Add), key=self._factor_order)
        return [f for f in sums if any(self._is_fraction(t) for t in f.args)]

    def _is_fraction(self, e: Any) -> bool:
        """Say whether a scalar is written with a line, and not only something in it."""
        return not e.is_number and bool(self._quotient(e)[1])

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
        return Text(self._scaled([self._in(t, least) for t in found]), TIMES)

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
        rank = 0 if not f.args else 1 if base.is_Symbol and f.exp.is_number else 2
        return (not self._is_number(f), is_sum, rank, places, self._plain(f))


def negative(e: Any) -> Any:
    """Give all terms of a sum their other signs, which a product of it and -1 may not do."""
    return sp.Add(*[-t for t in sp.Add.make_args(e)])
