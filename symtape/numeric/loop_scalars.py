"""How a scalar body is written in a language of loops: one line a function, in stable forms.

A language says what it calls the functions of its library (`words`); the forms are the same in all.
Operands are names, so a form may use them as often as it likes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.errors import UnsupportedError
from symtape.numeric.scalar_code import RELATIONS
from symtape.program import scalar, special
from symtape.program.operations import DType, partner

Let = Callable[[str, DType], str]
"""Gives a text a name, and computes it once."""


class Language(NamedTuple):
    """How a language writes what a body is made of; `words` has a template a kind of number."""

    name: str
    file: str
    words: Mapping[str, Mapping[str, str]]
    number: Callable[[Any, DType], str]
    choose: Callable[[str, str, str], str]
    conjunction: str
    disjunction: str
    negation: str
    divide: str
    convert: Callable[[str, DType, DType], str]
    spell: Callable[[str, DType], str]
    """Puts the name of a type into a template of `words`."""


class Form:
    """What a form is written with: `f("exp", x)` is a call, `f.number(1)` a number of the type."""

    def __init__(self, language: Language, dtype: DType, let: Let, what: Any) -> None:
        self.language, self.dtype, self._let, self._what = language, dtype, let, what

    @property
    def is_complex(self) -> bool:
        """Say whether the operands are complex."""
        return self.dtype.kind == "c"

    @property
    def one(self) -> str:
        """The number one."""
        return self.number(1)

    @property
    def zero(self) -> str:
        """The number zero."""
        return self.number(0)

    def number(self, value: float) -> str:
        """Write a number of the real type of the operands."""
        return self.language.number(value, partner(self.dtype, "real"))

    def choose(self, condition: str, x: str, y: str) -> str:
        """Write a choice; complex numbers have no order that it could ask for."""
        if self.is_complex and ("<" in condition or ">" in condition):
            raise self._refusal()
        return self.language.choose(condition, x, y)

    def _refusal(self) -> UnsupportedError:
        return UnsupportedError(
            f"{self.language.name} has no code for {self._what} of {self.dtype}; "
            f"compile with backend='numpy', or add a line to {self.language.file}"
        )

    def let(self, text: str) -> str:
        """Give a name to what is used twice."""
        return self._let(text, self.dtype)

    def __call__(self, word: str, *arguments: str) -> str:
        """Write a call of a function of the language's library."""
        kind = {"u": "i"}.get(self.dtype.kind, self.dtype.kind)
        template = self.language.words.get(word, {}).get(kind)
        if template is None:
            raise self._refusal()
        return self.language.spell(template, self.dtype).format(*arguments)


def _word(name: str) -> Callable[..., str]:
    return lambda f, *xs: f(name, *xs)


def _sigmoid_slope(f: Form, x: str) -> str:
    e = f.let(f("exp", f"-{x}" if f.is_complex else "-" + f("absolute", x)))
    u = f.let(f"{f.one} + {e}")
    return f"{e}/({u}*{u})"


def _asinh_slope(f: Form, x: str) -> str:
    return f"{f.one}/" + (f("sqrt", f"{f.one} + {x}*{x}") if f.is_complex else f("hypot", f.one, x))


def _log_of_sum(f: Form, x: str, y: str) -> str:
    """max(x, y) + log(1 + exp(-|x - y|))."""
    gap = f.choose(f"{x} == {y}", f.zero, f"{x} - {y}")
    far = f.let(f("absolute", gap))
    return f("maximum", x, y) + " + " + f("log1p", f("exp", f"-{far}"))


def _inverse_square(f: Form, x: str) -> str:
    c = f.let(f("cosh", x))
    return f"{f.one}/({c}*{c})"


def _logistic_loss(f: Form, x: str, z: str) -> str:
    soft = f("log1p", f("exp", "-" + f("absolute", x)))
    return f"{f('maximum', x, f.zero)} - {x}*{z} + {soft}"


def _logistic_residual(f: Form, x: str, z: str) -> str:
    up, down = f("exp", x), f("exp", f"-{x}")
    return f.choose(
        f"{x} >= {f.zero}",
        f"({f.one} - {z}) - {f.one}/({f.one} + {up})",
        f"{f.one}/({f.one} + {down}) - {z}",
    )


def _selu(f: Form, x: str) -> str:
    grown = f"{f.number(1.6732632423543772)}*" + f("expm1", x)
    return f"{f.number(1.0507009873554805)}*" + f.choose(f"{x} >= {f.zero}", x, grown)


def _gelu(f: Form, x: str) -> str:
    bend = f"{f.number(-1.5957691216057308)}*({x} + {f.number(0.044715)}*{x}*{x}*{x})"
    return f"{x}/({f.one} + {f('exp', bend)})"


def _if_zero(test: int, text: str) -> Callable[..., str]:
    """Give 0 where an operand is 0, else a form of both."""

    def write(f: Form, x: str, y: str) -> str:
        tested = (x, y)[test]
        inner = text.replace("log1p", "\1").replace("log", "\2").format(x=x, y=y)
        inner = inner.replace("\1", f("log1p", y) if "\1" in inner else "")
        inner = inner.replace("\2", f("log", y) if "\2" in inner else "")
        return f.choose(f"{tested} == {f.zero}", f.zero, inner)

    return write


FORMS: dict[Any, Callable[..., str]] = {
    sp.exp: _word("exp"),
    sp.log: _word("log"),
    sp.sin: _word("sin"),
    sp.cos: _word("cos"),
    sp.tan: _word("tan"),
    sp.atan: _word("atan"),
    sp.sinh: _word("sinh"),
    sp.cosh: _word("cosh"),
    sp.asinh: _word("asinh"),
    sp.atan2: _word("atan2"),
    sp.erf: _word("erf"),
    scalar.asin: _word("asin"),
    scalar.acos: _word("acos"),
    scalar.acosh: _word("acosh"),
    scalar.asinh: _word("asinh"),
    scalar.atanh: _word("atanh"),
    scalar.asinh_slope: _asinh_slope,
    scalar.atanh_slope: lambda f, x: f"{f.one}/(({f.one} - {x})*({f.one} + {x}))",
    scalar.sigmoid: lambda f, x: f"{f.one}/({f.one} + {f('exp', f'-{x}')})",
    scalar.sigmoid_slope: _sigmoid_slope,
    scalar.softplus: lambda f, x: (
        f"{f('maximum', x, f.zero)} + " + f("log1p", f("exp", "-" + f("absolute", x)))
    ),
    scalar.logaddexp: _log_of_sum,
    scalar.difference: lambda f, x, y: f.choose(f"{x} == {y}", f.zero, f"{x} - {y}"),
    scalar.log1p: _word("log1p"),
    scalar.expm1: _word("expm1"),
    scalar.tanh: _word("tanh"),
    scalar.tanh_slope: _inverse_square,
    scalar.half_tanh: lambda f, x: f"{f.one}/({f.one} + {f('exp', f'{f.number(-2)}*{x}')})",
    scalar.logistic_loss: _logistic_loss,
    scalar.logistic_residual: _logistic_residual,
    scalar.pivot: lambda f, x: f.choose(f("is_finite", x), x, f.zero),
    scalar.shifted: lambda f, x, m: f"{x} - {m}",
    scalar.shifted_exp: lambda f, x, m: f("exp", f"{x} - {m}"),
    scalar.unshifted: lambda f, x, m: f"{x} + {m}",
    scalar.sqrt: _word("sqrt"),
    scalar.power: _word("power"),
    scalar.positive_log: lambda f, x: f.choose(f"{x} > {f.zero}", f("log", x), f.zero),
    scalar.masked_product: lambda f, x, y: f.choose(f"{x} == {f.zero}", x, f"{x}*{y}"),
    scalar.absolute: _word("absolute"),
    scalar.sign: _word("sign"),
    scalar.relu: lambda f, x: f("maximum", x, f.zero),
    scalar.step: lambda f, x: f.choose(f"{x} > {f.zero}", f.one, f.zero),
    scalar.maximum: _word("maximum"),
    scalar.minimum: _word("minimum"),
    scalar.relu6: lambda f, x: f("minimum", f.let(f("maximum", x, f.zero)), f.number(6)),
    scalar.between_step: lambda f, x: f.choose(
        f"{x} > {f.zero}{f.language.conjunction}{x} < {f.number(6)}", f.one, f.zero
    ),
    scalar.leaky_relu: lambda f, x, a: f.choose(f"{x} > {f.zero}", x, f"{a}*{x}"),
    scalar.leaky_step: lambda f, x, a: f.choose(f"{x} > {f.zero}", f.one, a),
    scalar.elu: lambda f, x: f.choose(f"{x} >= {f.zero}", x, f("expm1", x)),
    scalar.selu: _selu,
    scalar.softsign: lambda f, x: f"{x}/({f.one} + {f('absolute', x)})",
    scalar.gelu_tanh: _gelu,
    scalar.guarded_reciprocal: lambda f, x: f"{x}/({x}*{x} + {f.number(1e-20)})",
    scalar.divide_no_nan: _if_zero(1, "{x}/{y}"),
    scalar.multiply_no_nan: _if_zero(1, "{x}*{y}"),
    scalar.xlogy: _if_zero(0, "{x}*log"),
    scalar.xlog1py: _if_zero(0, "{x}*log1p"),
    scalar.xdivy: _if_zero(0, "{x}/{y}"),
    scalar.conj: _word("conj"),
    scalar.real: _word("real"),
    scalar.imag: _word("imag"),
    scalar.angle: _word("angle"),
    scalar.to_complex: _word("to_complex"),
    scalar.floor: _word("floor"),
    scalar.ceil: _word("ceil"),
    scalar.rint: _word("rint"),
    scalar.trunc: _word("trunc"),
    scalar.floor_divide: _word("floor_divide"),
    scalar.floor_mod: _word("floor_mod"),
    scalar.stop: lambda f, x: x,
    scalar.both: _word("both"),
    scalar.either: _word("either"),
    scalar.one_of: _word("one_of"),
    scalar.negation: _word("negation"),
    scalar.is_nan: _word("is_nan"),
    scalar.is_inf: _word("is_inf"),
    scalar.is_finite: _word("is_finite"),
    special.nextafter: _word("nextafter"),
    special.exp_quotient: lambda f, x: f"{f('exp', x)}/{x}",
}
FORMS |= {kind: _word(kind.name) for kind in special.KINDS}

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
            raise UnsupportedError(f"{self.language.name} has no code for {e} of {self.dtype}")
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
                raise UnsupportedError(f"{self.language.name} does not order complex numbers")
            left, right = first.tight, second.tight
            return Text(f"{left} {RELATIONS[type(e)]} {right}", _BOOL)
        form = FORMS.get(scalar.kind_of(e))
        if form is None:
            raise UnsupportedError(
                f"{self.language.name} has no code for {e}; compile with backend='numpy', or add "
                "a line to numeric/loop_scalars.py"
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
        for factor in e.args:
            power = factor.exp if isinstance(factor, sp.Pow) else None
            if power is not None and power.is_number and power.is_negative and power != -2:
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
            inverse = f.let(f"{f.one}/{name}")
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
