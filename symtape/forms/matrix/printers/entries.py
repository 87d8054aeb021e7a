"""Entries of arrays: functions, conditions, sums and products of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

import sympy as sp

from symtape.errors import NoMatrixFormError
from symtape.forms.index.brackets import Iverson, guarded
from symtape.forms.index.ranges import chains
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.blocks import blocks, blocks_within
from symtape.forms.matrix.nodes import (
    SCALAR,
    Commutation,
    Matrix,
    Named,
    Node,
    Part,
    Product,
    Trace,
    begins_with_a_number,
    taken_from_numbers,
    with_sign,
)
from symtape.forms.matrix.printers.numbers import negative
from symtape.forms.matrix.printers.signs import Signs
from symtape.forms.matrix.printers.text import ATOM, NEGATIVE, POWER, SUM, TIMES, Text, is_longer
from symtape.forms.matrix.printers.words import RAISED, Words, is_tall, raised_function
from symtape.forms.matrix.sums.content import content
from symtape.forms.matrix.writing.decimals import folded
from symtape.forms.matrix.writing.size import INDEXED
from symtape.forms.named import LETTERED
from symtape.forms.scalars.polynomials import by_degree
from symtape.forms.scalars.powers.roots import short_decimal, stands_below


class Entries(Signs):
    """Writes what every entry of an array is; functions that are not `named` are written out."""

    def __init__(
        self, algebra: Algebra, words: Words, *, named: bool = True, turned: Collection[Any] = ()
    ) -> None:
        super().__init__(algebra, words, turned)
        self.named = named
        self._known: dict[Any, Text] = {}

    @abstractmethod
    def node(self, node: Node) -> Text:
        """Write what is no function of entries."""

    @abstractmethod
    def _lies(self, x: Matrix) -> bool: ...

    def written(self, x: Matrix) -> str:
        """Write a formula."""
        return self.entry(x.entry, x.shape).words

    def entry(self, e: Any, shape: tuple[int, int]) -> Text:
        """Write an entry of an array of a shape."""
        if e.is_Add:
            self._bound.add(e)
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
            turned = self._turned(e, shape) if shape[1] != 1 else None
            return turned or Text(self.words.bracket(self.entry(e.args[0], shape).words), ATOM)
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
            number, inner = self._shared_by_blocks(e - rest, rows)
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

    def _shared_by_blocks(self, e: Any, rows: Sequence[Sequence[Matrix]]) -> tuple[Any, Any]:
        """Take out of blocks what multiplies them all, and a minus sign that all have."""
        number, inner = content(e, self.algebra)
        found = [block.entry for row in rows for block in row if block.entry != 0]
        is_all = len(e.args) <= self._minuses(e) and all(map(_has_minus, found))
        if number.could_extract_minus_sign() and not is_all:
            number, inner = -number, negative(inner)
        return number, inner

    def _function(self, e: Any, shape: tuple[int, int]) -> Text:
        if not self.named and isinstance(e, LETTERED):
            return self.entry(e.doit(deep=False), shape)
        if isinstance(e, sp.Abs):
            return Text(self.words.size(self._unsigned(e.args[0], shape).words), ATOM)
        if isinstance(e, sp.polygamma) and e.args[0].is_Integer and not self.words.is_code:
            inner = self.entry(e.args[1], shape).words
            return Text(self.words.polygamma(int(e.args[0]), inner), ATOM)
        if type(e) in INDEXED and e.args[0].is_number:
            order, inner = self.entry(e.args[0], SCALAR).words, self.entry(e.args[1], shape).words
            name = e.func.__name__ if self.words.is_code else INDEXED[type(e)]
            return Text(self.words.indexed(name, order, inner), ATOM)
        if isinstance(e, sp.hyper) and not self.words.is_code:
            return self._hypergeometric(e, shape)
        if isinstance(e, sp.betainc_regularized) and e.args[2] == 0 and not self.words.is_code:
            a, b, x = (self._beside(e.args[k], shape).words for k in (0, 1, 3))
            return Text(self.words.beta_integral(x, f"{a}, {b}"), ATOM)
        inner = ", ".join(self._argument(a, e, shape).words for a in e.args)
        if self.words.is_of_scalars and isinstance(e, sp.exp) and not is_tall(inner):
            return Text(f"e^{{{inner}}}", POWER)
        return Text(self.words.function(e.func.__name__, inner), ATOM)

    def _hypergeometric(self, e: Any, shape: tuple[int, int]) -> Text:
        above, below = (", ".join(self.entry(n, SCALAR).words for n in ns) for ns in e.args[:2])
        inner = f"{above}; {below}; {self._beside(e.args[2], shape).words}".lstrip("; ")
        return Text(self.words.hypergeometric(len(e.ap), len(e.bq), inner), ATOM)

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
            least = POWER if e.args[0].is_Symbol else ATOM  # ¬bᵀ has one meaning
            return Text(
                self.words.negation(self._in(inner, SUM if self.words.is_code else least)), POWER
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

    def _sum(self, e: Any, shape: tuple[int, int]) -> Text:
        number, rest = content(e, self.algebra)
        if number.is_negative and self._minuses(rest):
            number, rest = -number, negative(rest)
        if not number.is_Rational and number.is_number:  # √3 x - 3 y, alone
            number = sp.S.One
        if number.is_Rational and is_longer(number, rest, e):
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
        """Write A (x - b) - y for -(A (b - x) + y), if a term has such a sum."""
        pairs = [t.as_coeff_Mul() for t in e.args]
        turned = [(c, self._flipped(rest) or with_sign(rest)) for c, rest in pairs]
        if all(rest is None for _, rest in turned):
            return None
        own = zip(turned, pairs, strict=True)
        return sp.Add(*[-c * x if rest is None else c * rest for (c, rest), (_, x) in own])

    def _signed(self, e: Any, shape: tuple[int, int]) -> list[str]:
        """Write the terms of a sum, each with its sign."""
        self._bound.add(e)
        texts = []
        for k, term in enumerate(by_degree(e) or sorted(e.args, key=self._order)):
            minus = self._is_taken_away(term)
            text = self.entry(-term if minus else term, shape)
            own = self._in(text, NEGATIVE)
            if text.binding == NEGATIVE and own.startswith("-"):
                minus, own = not minus, own[1:]
            sign = ("-" if minus else "") if k == 0 else ("- " if minus else "+ ")
            texts.append(f"{sign}{own}")
        return texts

    def _is_taken_away(self, e: Any) -> bool:
        """Say whether a term has a minus sign in front: 1/(1 - x) is added."""
        is_within = self._has_even_sum(e) or begins_with_a_number(e)
        return bool(e.could_extract_minus_sign()) and not is_within

    def _has_even_sum(self, e: Any) -> bool:
        """Say whether a scalar sum hides a minus sign that is none: (s - 4) A."""
        number, rest = e.as_coeff_Mul()
        sums = [f for f in sp.Mul.make_args(rest) if f.is_Add and not self.algebra.arrays(f)]
        even = [f for f in sums if 0 < 2 * self._minuses(f) <= len(f.args)]
        return bool(number.is_positive) and len(even) == len(sums) == 1

    def terms(self, x: Matrix) -> list[str]:
        """Write the terms of the outermost sum, where a formula is written as one."""
        whole = self.written(x)
        if turned := self.turned():
            again = type(self)(self.algebra, self.words, named=self.named, turned=turned)
            return again.terms(x)
        if not isinstance(x.entry, sp.Add):
            return [whole]
        texts = self._signed(*x)
        return texts if " ".join(texts) == whole else [whole]

    def _turned(self, e: Any, shape: tuple[int, int]) -> Text | None:
        """Write (A x - b)ᵀ for a sum of transposes.

        Of columns, and of matrices without functions, if that leaves no other one.
        """
        if shape == SCALAR or (isinstance(e, sp.Mul) and not self._is_by_element(e)):
            return None
        if shape[1] == 1 and blocks(self.algebra, e, shape) is not None:
            return None
        other = self.algebra.transpose(Matrix(e, shape))
        least = self.algebra.turns(other.entry)
        of_ones = [t for t in sp.Add.make_args(e) if shape[0] == 1 and not self.algebra.arrays(t)]
        own = self.algebra.turns(e) + len(of_ones)  # 𝟏ᵀ is a transpose, too
        is_free = shape[0] == 1 or (shape[1] != 1 and self.algebra.applies(e))
        is_met = shape[0] == 1 and self.algebra.meets_its_transpose(e, other.entry)
        if (least and not is_free) or (min(least, 1) + least >= own and not is_met):
            return None
        if isinstance(e, sp.Add) and shape[0] != 1 and own == 1:  # A⁻ᵀ - S⁻¹
            return None
        number, rest = self._primitive(other.entry, with_sign=False)
        turned = self.words.turned(self._in(self.entry(rest, other.shape), ATOM))
        return Text(turned, POWER) if number == 1 else self._multiple(number, turned, turned)

    def _is_by_element(self, e: Any) -> bool:
        factors = sp.Mul.make_args(e)
        return len(factors) > 1 and all(self.algebra.arrays(f) for f in factors)

    def _order(self, term: Any) -> tuple[Any, ...]:
        """Sort terms: numbers, then products, then what is added to them; a minus comes last."""
        places = sorted(self._place(s) for s in term.free_symbols)
        nodes = [self.algebra.nodes.get(e) for e in sp.Mul.make_args(term)]
        is_product = any(isinstance(node, Product) for node in nodes)
        minus = self._is_taken_away(term)
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
        name = base.func.__name__
        if self.words.is_of_scalars and name in RAISED and exponent.is_Integer:
            (argument,) = base.args
            written = self.entry(argument, shape).words
            return Text(raised_function(name, written, str(exponent)), ATOM)
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


def _has_minus(e: Any) -> bool:
    return bool(e.could_extract_minus_sign())
