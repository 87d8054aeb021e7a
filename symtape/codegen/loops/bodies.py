"""How the body of an elementwise operation is written in a language of loops, parts named once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.codegen.expressions import (
    both,
    choice,
    either,
    is_costly,
    multiplied,
    negated,
    related,
)
from symtape.codegen.loops.scalars import FORMS, Form, Language, Let
from symtape.errors import UnsupportedError
from symtape.kernels.nodes import Node
from symtape.kernels.scalar_code import RELATIONS, common_number, one_number
from symtape.program.functions import scalar
from symtape.program.operations import DType, partner

_REAL = {scalar.absolute, scalar.real, scalar.imag, scalar.angle}
_TRUTH = {scalar.is_nan, scalar.is_inf, scalar.is_finite}

_BOOL = np.dtype(bool)
_MOST_FACTORS = 8


class Typed(NamedTuple):
    """A node, and what type of number it is."""

    node: Node
    dtype: DType


class Body:
    """Writes one scalar body of named operands."""

    def __init__(
        self,
        language: Language,
        operands: Mapping[sp.Symbol, tuple[Node, DType]],
        dtype: DType,
        let: Let,
    ) -> None:
        self.language, self.let = language, let
        self.dtype = partner(dtype, "real")
        self.known: dict[Any, Typed] = {s: Typed(*found) for s, found in operands.items()}
        self.uses: Counter[Any] = Counter()

    def write(self, body: Any) -> Node:
        """Write the body; what occurs in it twice is computed once."""
        for e in sp.preorder_traversal(body):
            self.uses[e] += 1
        return self._write(body).node

    def _write(self, e: Any) -> Typed:
        if e in self.known:
            return self.known[e]
        if e in (sp.true, sp.false):
            return Typed(self.language.number(e is sp.true, _BOOL), _BOOL)
        if e.is_number and not e.has(scalar.Scalar):
            return self._number(e)
        found = self._compose(e)
        if self.uses[e] > 1:
            found = self.known[e] = self._named(found)
        return found

    def _named(self, x: Typed) -> Typed:
        return Typed(self.let(*x), x.dtype)

    def _number(self, e: Any) -> Typed:
        if not e.is_real and complex(e).imag:
            dtype = partner(self.dtype, "complex")
            return Typed(self.language.number(complex(e), dtype), dtype)
        if self.dtype.kind in "iu" and not e.is_Integer:
            raise UnsupportedError(
                f"{self.language.name} has no code for {e} of {self.dtype}; compile with "
                "backend='numpy'"
            )
        value = int(e) if e.is_Integer else complex(e).real
        return Typed(self.language.number(value, self.dtype), self.dtype)

    def _compose(self, e: Any) -> Typed:
        rule = _RULES.get(type(e))
        if rule is not None:
            return rule(self, e)
        if type(e) in RELATIONS:
            return self._relation(e)
        form = FORMS.get(scalar.kind_of(e))
        if form is None:
            raise UnsupportedError(
                f"{self.language.name} has no code for {e}; compile with backend='numpy', or add "
                "a line to codegen/loops/scalars.py"
            )
        return self._call(e, form)

    def _relation(self, e: Any) -> Typed:
        first, second = (self._write(a) for a in e.args)
        is_equation = type(e) in {sp.Eq, sp.Ne}
        if "c" in (first.dtype.kind, second.dtype.kind) and not is_equation:
            raise UnsupportedError(
                f"{self.language.name} does not order complex numbers; compile with backend='numpy'"
            )
        return Typed(related(RELATIONS[type(e)], first.node, second.node), _BOOL)

    def _call(self, e: Any, form: Callable[..., Node]) -> Typed:
        """Write a function; one of the library has a name, since another step may have the same."""
        arguments = [self._write(a) for a in e.args]
        dtype = _widest([a.dtype for a in arguments])
        nodes = [self.let(*a) for a in arguments]
        kind = scalar.kind_of(e)
        node = form(Form(self.language, dtype, self.let, _described(kind)), *nodes)
        found = Typed(node, self._result(kind, dtype))
        return self._named(found) if is_costly(node) else found

    def _result(self, kind: Any, dtype: DType) -> DType:
        if kind in _REAL:
            return partner(dtype, "real")
        if kind in _TRUTH:
            return _BOOL
        return partner(dtype, "complex") if kind is scalar.to_complex else dtype

    def sum(self, e: Any) -> Typed:
        """Write a sum, numbers first and subtractions last."""
        terms = sorted(e.args, key=lambda a: (a.could_extract_minus_sign(), not a.is_number))
        number = common_number(terms)
        if number is not None:
            inner = self._write(sp.Add(*[t / number for t in terms]))
            return Typed(self._number(number).node * inner.node, inner.dtype)
        node, *dtypes = self._write(terms[0])
        for term in terms[1:]:
            minus = term.could_extract_minus_sign()
            inner = self._write(-term if minus else term)
            node = node - inner.node if minus else node + inner.node
            dtypes.append(inner.dtype)
        return Typed(node, _widest(dtypes))

    def product(self, e: Any) -> Typed:
        """Write a product, with what has a negative power below a line."""
        if e.could_extract_minus_sign():
            inner = self._write(-e)
            return Typed(-inner.node, inner.dtype)
        above: list[Typed] = []
        below: list[Typed] = []
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
        dtype = _widest([t.dtype for t in [*above, *below]])
        numerators = [t.node for t in above] or [self.language.number(1, self.dtype)]
        top = multiplied(numerators)
        return Typed(top / multiplied([t.node for t in below]) if below else top, dtype)

    def _inverse(self, base: Any) -> Typed:
        """Write 1/x once for all that has it."""
        x = self._write(base)
        return self._named(Typed(self.language.number(1, x.dtype) / x.node, x.dtype))

    def power(self, e: Any) -> Typed:
        """Write a power: a product where the exponent is small and whole, else a root or a call."""
        base, exponent = e.args
        x = self._write(base)
        f = Form(self.language, x.dtype, self.let, "a power")
        if exponent == -2:  # what has 1/x has this for one product
            inverse = self._inverse(base).node
            return Typed(inverse * inverse, x.dtype)
        if exponent.is_number and exponent.is_negative:
            below = x.node if exponent == -1 else self._write(1 / e).node
            return Typed(f.one / below, x.dtype)
        name = self.let(*x)
        if exponent.is_Integer and 0 < exponent <= _MOST_FACTORS:
            return Typed(multiplied([name] * int(exponent)), x.dtype)
        if exponent == sp.S.Half:
            return self._named(Typed(f("sqrt", name), x.dtype))
        other = self._write(exponent)
        return Typed(f("power", name, other.node), _widest([x.dtype, other.dtype]))

    def cases(self, e: Any) -> Typed:
        """Write cases as choices."""
        *cases, last = e.args
        node, *dtypes = self._write(last.expr)
        for case in reversed(cases):
            inner = self._write(case.expr)
            dtypes.append(inner.dtype)
            node = choice(self._write(case.cond).node, inner.node, node)
        return Typed(node, _widest(dtypes))

    def joined(self, e: Any, join: Callable[[Sequence[Node]], Node]) -> Typed:
        """Write conditions that are joined."""
        return Typed(join([self._write(a).node for a in e.args]), _BOOL)


def _described(kind: Any) -> str:
    return str(getattr(kind, "name", None) or kind.__name__)


def _widest(dtypes: Sequence[DType]) -> DType:
    """Find the type of what numbers of several types make; truth values only choose."""
    numbers = [d for d in dtypes if d.kind != "b"]
    return np.result_type(*numbers) if numbers else _BOOL


def _different(conditions: Sequence[Node]) -> Node:
    node = conditions[0]
    for other in conditions[1:]:
        node = related("!=", node, other)
    return node


_RULES: dict[Any, Callable[[Body, Any], Typed]] = {
    sp.Add: Body.sum,
    sp.Mul: Body.product,
    sp.Pow: Body.power,
    sp.Piecewise: Body.cases,
    sp.And: lambda b, e: b.joined(e, both),
    sp.Or: lambda b, e: b.joined(e, either),
    sp.Xor: lambda b, e: b.joined(e, _different),
    sp.Not: lambda b, e: b.joined(e, lambda conditions: negated(conditions[0])),
}
