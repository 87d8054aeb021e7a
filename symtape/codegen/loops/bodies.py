"""How the body of an elementwise operation is written in a language of loops, parts named once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.codegen.loops.scalars import FORMS, Form, Language, Let
from symtape.errors import UnsupportedError
from symtape.kernels.scalar_code import RELATIONS, common_number, one_number
from symtape.program import scalar
from symtape.program.operations import DType, partner

_REAL = {scalar.absolute, scalar.real, scalar.imag, scalar.angle}
_CHEAP = {
    scalar.stop, scalar.shifted, scalar.unshifted, scalar.difference, scalar.conj, scalar.both,
    scalar.either, scalar.one_of, scalar.negation, scalar.step, scalar.masked_product,
}  # fmt: skip
_TRUTH = {scalar.is_nan, scalar.is_inf, scalar.is_finite}

_BOOL = np.dtype(bool)
_MOST_FACTORS = 8


class Text(NamedTuple):
    """A piece of text, what type of number it is, and whether it binds like a name."""

    text: str
    dtype: DType
    bare: bool = False

    @property
    def tight(self) -> str:
        """The text, in parentheses unless it is a name or a call."""
        return self.text if self.bare else f"({self.text})"

    @property
    def term(self) -> str:
        """The text, in parentheses if it is a sum or looser."""
        return f"({self.text})" if is_sum(self.text) else self.text


class Body:
    """Writes one scalar body of named operands."""

    def __init__(
        self,
        language: Language,
        operands: Mapping[sp.Symbol, tuple[str, DType]],
        dtype: DType,
        let: Let,
    ) -> None:
        self.language, self.operands, self.let = language, operands, let
        self.dtype = partner(dtype, "real")
        self.known: dict[Any, Text] = {}
        self.uses: Counter[Any] = Counter()

    def write(self, body: Any) -> str:
        """Write the body; what occurs in it twice is computed once."""
        for e in sp.preorder_traversal(body):
            self.uses[e] += 1
        return self._write(body).text

    def _write(self, e: Any) -> Text:
        if e in self.operands:
            name, dtype = self.operands[e]
            return Text(name, dtype, bare=True)
        if e in (sp.true, sp.false):
            return Text(self.language.number(e is sp.true, _BOOL), _BOOL, bare=True)
        if e.is_number and not e.has(scalar.Scalar):
            return self._number(e)
        if e in self.known:
            return self.known[e]
        found = self._compose(e)
        if self.uses[e] > 1 and not found.bare:
            found = Text(self.let(found.text, found.dtype), found.dtype, bare=True)
            self.known[e] = found
        return found

    def _number(self, e: Any) -> Text:
        if not e.is_real and complex(e).imag:
            dtype = partner(self.dtype, "complex")
            return Text(self.language.number(complex(e), dtype), dtype)
        if self.dtype.kind in "iu" and not e.is_Integer:
            raise UnsupportedError(
                f"{self.language.name} has no code for {e} of {self.dtype}; compile with "
                "backend='numpy'"
            )
        value = int(e) if e.is_Integer else complex(e).real
        text = self.language.number(value, self.dtype)
        return Text(text, self.dtype, bare=not text.startswith("-"))

    def _compose(self, e: Any) -> Text:
        rule = _RULES.get(type(e))
        if rule is not None:
            return rule(self, e)
        if type(e) in RELATIONS:
            first, second = (self._write(a) for a in e.args)
            is_equation = type(e) in {sp.Eq, sp.Ne}
            if "c" in (first.dtype.kind, second.dtype.kind) and not is_equation:
                raise UnsupportedError(
                    f"{self.language.name} does not order complex numbers; compile with "
                    "backend='numpy'"
                )
            left, right = first.tight, second.tight
            return Text(f"{left} {RELATIONS[type(e)]} {right}", _BOOL)
        form = FORMS.get(scalar.kind_of(e))
        if form is None:
            raise UnsupportedError(
                f"{self.language.name} has no code for {e}; compile with backend='numpy', or add "
                "a line to codegen/loops/scalars.py"
            )
        return self._call(e, form)

    def _call(self, e: Any, form: Callable[..., str]) -> Text:
        arguments = [self._write(a) for a in e.args]
        dtype = _widest([a.dtype for a in arguments])
        names = [a.text if a.bare else self.let(a.text, a.dtype) for a in arguments]
        kind = scalar.kind_of(e)
        text = form(Form(self.language, dtype, self.let, _described(kind)), *names)
        own = self._result(kind, dtype)
        if kind in _CHEAP or text in names:
            return Text(text, own, bare=is_bare(text))
        return Text(self.let(text, own), own, bare=True)  # another step may have the same

    def _result(self, kind: Any, dtype: DType) -> DType:
        if kind in _REAL:
            return partner(dtype, "real")
        if kind in _TRUTH:
            return _BOOL
        return partner(dtype, "complex") if kind is scalar.to_complex else dtype

    def sum(self, e: Any) -> Text:
        """Write a sum, numbers first and subtractions last."""
        terms = sorted(e.args, key=lambda a: (a.could_extract_minus_sign(), not a.is_number))
        number = common_number(terms)
        if number is not None:
            inner = self._write(sp.Add(*[t / number for t in terms]))
            return Text(f"{self._number(number).tight}*{inner.tight}", inner.dtype)
        first = self._write(terms[0])
        text, dtypes = first.term, [first.dtype]
        for term in terms[1:]:
            minus = term.could_extract_minus_sign()
            inner = self._write(-term if minus else term)
            text += (" - " if minus else " + ") + inner.term
            dtypes.append(inner.dtype)
        return Text(text, _widest(dtypes))

    def product(self, e: Any) -> Text:
        """Write a product, with what has a negative power below a line."""
        if e.could_extract_minus_sign():
            inner = self._write(-e)
            return Text(f"-{inner.term}", inner.dtype)
        above: list[Text] = []
        below: list[Text] = []
        for factor in one_number(e).args:
            power = factor.exp if isinstance(factor, sp.Pow) else None
            if power == -2 and len(e.args) > 1:  # x/y², where y² may be too small or large
                above += 2 * [self._inverse(factor.base)]
            elif power is not None and power.is_number and power.is_negative and power != -2:
                below.append(self._write(1 / factor))
            elif factor.is_Rational and factor.q != 1 and abs(factor.p) == 1:
                below.append(self._write(sp.Integer(factor.q)))
            else:
                above.append(self._write(factor))
        top = "*".join([t.tight for t in above]) or self.language.number(1, self.dtype)
        dtype = _widest([t.dtype for t in [*above, *below]])
        if not below:
            return Text(top, dtype)
        under = "*".join([t.tight for t in below])
        return Text(f"{top}/{under if len(below) == 1 else f'({under})'}", dtype)

    def _inverse(self, base: Any) -> Text:
        """Write 1/x once for all that has it."""
        x = self._write(base)
        one = self.language.number(1, x.dtype)
        return Text(self.let(f"{one}/{x.tight}", x.dtype), x.dtype, bare=True)

    def power(self, e: Any) -> Text:
        """Write a power: a product where the exponent is small and whole, else a root or a call."""
        base, exponent = e.args
        x = self._write(base)
        f = Form(self.language, x.dtype, self.let, "a power")
        name = x.text if x.bare else self.let(x.text, x.dtype)
        if exponent.is_Integer and 0 < exponent <= _MOST_FACTORS:
            return Text("*".join([name] * int(exponent)), x.dtype)
        if exponent == -1:
            return Text(f"{f.one}/{name}", x.dtype)
        if exponent == -2:  # what has 1/x has this for one product
            inverse = self._inverse(base).text
            return Text(f"{inverse}*{inverse}", x.dtype)
        if exponent.is_number and exponent.is_negative:
            inner = self._write(1 / e)
            return Text(f"{f.one}/{inner.tight}", x.dtype)
        if exponent == sp.S.Half:
            return Text(self.let(f("sqrt", name), x.dtype), x.dtype, bare=True)
        other = self._write(exponent)
        return Text(f("power", name, other.tight), _widest([x.dtype, other.dtype]), bare=True)

    def cases(self, e: Any) -> Text:
        """Write cases as choices."""
        *cases, last = e.args
        found = self._write(last.expr)
        dtypes = [found.dtype]
        text = found.text
        for case in reversed(cases):
            inner = self._write(case.expr)
            dtypes.append(inner.dtype)
            text = self.language.choose(self._write(case.cond).tight, inner.text, text)
        return Text(text, _widest(dtypes), bare=True)

    def joined(self, e: Any, sign: str) -> Text:
        """Write conditions that are joined."""
        return Text(sign.join([self._write(a).tight for a in e.args]), _BOOL)


def _described(kind: Any) -> str:
    return str(getattr(kind, "name", None) or kind.__name__)


def _widest(dtypes: Sequence[DType]) -> DType:
    """Find the type of what numbers of several types make; truth values only choose."""
    numbers = [d for d in dtypes if d.kind != "b"]
    return np.result_type(*numbers) if numbers else _BOOL


def is_bare(text: str) -> bool:
    """Say whether a text is a name, a call or in parentheses as a whole."""
    depth = 0
    for k, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and c in " +-*/?<>=" and not (k and text[k - 1] in "eE"):
            return False
    return True


def is_sum(text: str) -> bool:
    """Say whether a sign, a question or a comparison stands outside of parentheses."""
    depth = 0
    for k, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and c in "+-?<>=&|!" and not (k and text[k - 1] in "eE"):
            return True
    return (
        depth == 0 and (" if " in text or " and " in text or " or " in text) and not is_bare(text)
    )


_RULES: dict[Any, Callable[[Body, Any], Text]] = {
    sp.Add: Body.sum,
    sp.Mul: Body.product,
    sp.Pow: Body.power,
    sp.Piecewise: Body.cases,
    sp.And: lambda b, e: b.joined(e, b.language.conjunction),
    sp.Or: lambda b, e: b.joined(e, b.language.disjunction),
    sp.Xor: lambda b, e: b.joined(e, " != "),
    sp.Not: lambda b, e: Text(f"{b.language.negation}{b._write(e.args[0]).tight}", _BOOL),  # noqa: SLF001 - a rule of Body
}
