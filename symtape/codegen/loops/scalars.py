"""How a scalar body is written in a language of loops: one line a function, in stable forms.

A language says what it calls the functions of its library (`words`); the forms are the same in all.
Operands are names, so a form may use them as often as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import sympy as sp

from symtape.codegen.scope import Scope
from symtape.errors import UnsupportedError
from symtape.program import scalar, special
from symtape.program.operations import DType, partner

Let = Callable[[str, DType], str]
"""Gives a text a name, and computes it once."""


def _filled(template: str, operands: Sequence[str] = ()) -> str:
    return template.format(*operands)


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
    fill: Callable[..., str] = _filled
    """Puts operands into a template."""

    def within(self, scope: Scope) -> Language:
        """Give the language as it is spoken in some code, whose words are apart from its names."""
        return self._replace(
            number=lambda value, dtype: scope.fill(self.number(value, dtype)),
            convert=lambda text, old, new: scope.fill(self.convert("{0}", old, new), [text]),
            fill=scope.fill,
        )


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
        return self.language.fill(self.language.spell(template, self.dtype), arguments)


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


def _exp_of_difference(f: Form, x: str, m: str) -> str:
    """exp(x - m); equal infinities do not differ."""
    return f("exp", f.choose(f"{x} == {m}", f.zero, f"{x} - {m}"))


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
    scalar.scaled_exp: _exp_of_difference,
    scalar.rescaling: _exp_of_difference,
    scalar.sqrt: _word("sqrt"),
    scalar.power: _word("power"),
    scalar.positive_log: lambda f, x: f.choose(f"{x} > {f.zero}", f("log", x), f.zero),
    scalar.nonzero_log: lambda f, x: f.choose(f"{x} == {f.zero}", f.zero, f("log", x)),
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
    scalar.authored: lambda f, y, x: y,
    scalar.opaque: lambda f, y, x: y,
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
