"""How a scalar body is written in a language of loops: one line a function, in stable forms.

A language says what it calls the functions of its library (`words`); the forms are the same in all.
Operands are names, so a form may use them as often as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import sympy as sp

from symtape.codegen.expressions import (
    Spelling,
    asks_for_order,
    both,
    call,
    choice,
    literal,
    related,
)
from symtape.errors import UnsupportedError
from symtape.kernels.nodes import Node, equal
from symtape.program.functions import frameworks, scalar, special
from symtape.program.operations import DType, partner

Let = Callable[[Node, DType], Node]
"""Gives a node a name, and computes it once."""
Word = str | Callable[..., Node]
"""The name of a function, or what makes a node of a dtype and operands."""


class Language(NamedTuple):
    """How a language writes what a body is made of; `words` has a word for each kind of number."""

    name: str
    file: str
    words: Mapping[str, Mapping[str, Word]]
    number: Callable[[Any, DType], Node]
    cast: Callable[[DType, Node], Node]
    real: str
    """What gives the real part of a complex number."""
    spell: Callable[[str, DType], str]
    """Says what a function is called for numbers of a dtype."""
    spelling: Spelling

    def call(self, word: str, dtype: DType, *operands: Node) -> Node | None:
        """Write a function of the language's library, or give None where it has none."""
        found = self.words.get(word, {}).get({"u": "i"}.get(dtype.kind, dtype.kind))
        if found is None:
            return None
        if isinstance(found, str):
            return call(self.spell(found, dtype), *operands)
        return found(dtype, *operands)

    def convert(self, x: Node, old: DType, new: DType) -> Node:
        """Write a number as one of another type."""
        if new.kind == "b":
            return x if old.kind == "b" else related("!=", x, literal("0"))
        return self.cast(new, call(self.real, x) if new.kind != "c" == old.kind else x)


class Form:
    """What a form is written with: `f("exp", x)` is a call, `f.number(1)` a number of the type."""

    def __init__(self, language: Language, dtype: DType, let: Let, what: Any) -> None:
        self.language, self.dtype, self._let, self._what = language, dtype, let, what

    @property
    def is_complex(self) -> bool:
        """Say whether the operands are complex."""
        return self.dtype.kind == "c"

    @property
    def one(self) -> Node:
        """The number one."""
        return self.number(1)

    @property
    def zero(self) -> Node:
        """The number zero."""
        return self.number(0)

    def number(self, value: float) -> Node:
        """Write a number of the real type of the operands."""
        return self.language.number(value, partner(self.dtype, "real"))

    def choose(self, condition: Node, x: Node, y: Node) -> Node:
        """Write a choice; complex numbers have no order that it could ask for."""
        if self.is_complex and asks_for_order(condition):
            raise self._refusal()
        return choice(condition, x, y)

    def _refusal(self) -> UnsupportedError:
        return UnsupportedError(
            f"{self.language.name} has no code for {self._what} of {self.dtype}; "
            f"compile with backend='numpy', or add a line to {self.language.file}"
        )

    def let(self, node: Node) -> Node:
        """Give a name to what is used twice."""
        return self._let(node, self.dtype)

    def __call__(self, word: str, *operands: Node) -> Node:
        """Write a call of a function of the language's library."""
        made = self.language.call(word, self.dtype, *operands)
        if made is None:
            raise self._refusal()
        return made


def _word(name: str) -> Callable[..., Node]:
    return lambda f, *xs: f(name, *xs)


def _far(f: Form, x: Node) -> Node:
    """exp(-|x|)."""
    return f("exp", -f("absolute", x))


def _sigmoid_slope(f: Form, x: Node) -> Node:
    e = f.let(f("exp", -x) if f.is_complex else _far(f, x))
    u = f.let(f.one + e)
    return e / (u * u)


def _asinh_slope(f: Form, x: Node) -> Node:
    return f.one / (f("sqrt", f.one + x * x) if f.is_complex else f("hypot", f.one, x))


def _difference(f: Form, x: Node, y: Node) -> Node:
    """x - y; equal infinities do not differ."""
    return f.choose(equal(x, y), f.zero, x - y)


def _log_of_sum(f: Form, x: Node, y: Node) -> Node:
    """max(x, y) + log(1 + exp(-|x - y|))."""
    far = f.let(f("absolute", _difference(f, x, y)))
    return f("maximum", x, y) + f("log1p", f("exp", -far))


def _inverse_square(f: Form, x: Node) -> Node:
    c = f.let(f("cosh", x))
    return f.one / (c * c)


def _logistic_loss(f: Form, x: Node, z: Node) -> Node:
    return f("maximum", x, f.zero) - x * z + f("log1p", _far(f, x))


def _logistic_residual(f: Form, x: Node, z: Node) -> Node:
    above = (f.one - z) - f.one / (f.one + f("exp", x))
    return f.choose(x >= f.zero, above, f.one / (f.one + f("exp", -x)) - z)


def _selu(f: Form, x: Node) -> Node:
    grown = f.number(1.6732632423543772) * f("expm1", x)
    return f.number(1.0507009873554805) * f.choose(x >= f.zero, x, grown)


def _gelu(f: Form, x: Node) -> Node:
    bend = f.number(-1.5957691216057308) * (x + f.number(0.044715) * x * x * x)
    return x / (f.one + f("exp", bend))


def _cross_entropy(f: Form, x: Node, y: Node) -> Node:
    logs = [f("maximum", f("log", x), f.number(-100)), f("maximum", f("log1p", -x), f.number(-100))]
    return -y * logs[0] - (f.one - y) * logs[1]


def _if_zero(test: int, form: Callable[[Form, Node, Node], Node]) -> Callable[..., Node]:
    """Give 0 where an operand is 0, else a form of both."""
    return lambda f, x, y: f.choose(equal((x, y)[test], f.zero), f.zero, form(f, x, y))


def _unless_zero(form: Callable[[Form, Node, Node], Node]) -> Callable[..., Node]:
    """Give 0 where the first operand is 0 and the second one a number, else a form of both."""
    return lambda f, x, y: f.choose(both([equal(x, f.zero), equal(y, y)]), f.zero, form(f, x, y))


def _relative_entropy(f: Form, x: Node, y: Node) -> Node:
    """x log(x/y), for which x - y is exact where they are near each other."""
    is_near = f("absolute", x - y) < y / f.number(2)
    ratio = f.choose(is_near, f("log1p", (x - y) / y), f("log", x / y))
    none = both([equal(x, f.zero), y >= f.zero])
    outside = f.choose(none, f.zero, (x + y) - f("log", f.zero))
    return f.choose(both([x > f.zero, y > f.zero]), x * ratio, outside)


def _log_odds(f: Form, x: Node) -> Node:
    """log(x) - log(1 - x), which cancels near 1/2."""
    far = f("log", x) - f("log1p", -x)
    middle = f.number(2) * f("atanh", f.number(2) * x - f.one)
    return f.choose(both([x > f.number(0.25), x < f.number(0.75)]), middle, far)


def _exp_of_difference(f: Form, x: Node, m: Node) -> Node:
    """exp(x - m); equal infinities do not differ."""
    return f("exp", _difference(f, x, m))


_OF_SYMPY = "exp log sin cos tan atan sinh cosh asinh atan2 erf"
_OF_OURS = """
    asin acos acosh asinh atanh log1p expm1 tanh sqrt power absolute sign maximum minimum conj
    real imag angle to_complex floor ceil rint trunc floor_divide floor_mod floored_remainder
    both either one_of negation is_nan is_inf is_finite
"""
"""Functions whose words are their names."""

FORMS: dict[Any, Callable[..., Node]] = {
    **{getattr(sp, name): _word(name) for name in _OF_SYMPY.split()},
    **{getattr(scalar, name): _word(name) for name in _OF_OURS.split()},
    scalar.asinh_slope: _asinh_slope,
    scalar.atanh_slope: lambda f, x: f.one / ((f.one - x) * (f.one + x)),
    scalar.sigmoid: lambda f, x: f.one / (f.one + f("exp", -x)),
    scalar.sigmoid_slope: _sigmoid_slope,
    scalar.softplus: lambda f, x: f("maximum", x, f.zero) + f("log1p", _far(f, x)),
    scalar.logaddexp: _log_of_sum,
    scalar.difference: _difference,
    scalar.tanh_slope: _inverse_square,
    scalar.half_tanh: lambda f, x: f.one / (f.one + f("exp", f.number(-2) * x)),
    scalar.logistic_loss: _logistic_loss,
    scalar.logistic_residual: _logistic_residual,
    scalar.pivot: lambda f, x: f.choose(f("is_finite", x), x, f.zero),
    scalar.shifted: lambda f, x, m: x - m,
    scalar.shifted_exp: lambda f, x, m: f("exp", x - m),
    scalar.unshifted: lambda f, x, m: x + m,
    scalar.scaled_exp: _exp_of_difference,
    scalar.rescaling: _exp_of_difference,
    scalar.positive_log: lambda f, x: f.choose(x > f.zero, f("log", x), f.zero),
    scalar.nonzero_log: lambda f, x: f.choose(equal(x, f.zero), f.zero, f("log", x)),
    scalar.masked_product: lambda f, x, y: f.choose(equal(x, f.zero), x, x * y),
    scalar.relu: lambda f, x: f("maximum", x, f.zero),
    scalar.step: lambda f, x: f.choose(x > f.zero, f.one, f.zero),
    scalar.relu6: lambda f, x: f("minimum", f.let(f("maximum", x, f.zero)), f.number(6)),
    scalar.between_step: lambda f, x: f.choose(both([x > f.zero, x < f.number(6)]), f.one, f.zero),
    scalar.leaky_relu: lambda f, x, a: f.choose(x > f.zero, x, a * x),
    scalar.leaky_step: lambda f, x, a: f.choose(x > f.zero, f.one, a),
    scalar.elu: lambda f, x: f.choose(x >= f.zero, x, f("expm1", x)),
    scalar.selu: _selu,
    scalar.softsign: lambda f, x: x / (f.one + f("absolute", x)),
    scalar.gelu_tanh: _gelu,
    scalar.guarded_reciprocal: lambda f, x: x / (x * x + f.number(1e-20)),
    scalar.divide_no_nan: _if_zero(1, lambda _, x, y: x / y),
    scalar.multiply_no_nan: _if_zero(1, lambda _, x, y: x * y),
    scalar.xlogy: _if_zero(0, lambda f, x, y: x * f("log", y)),
    scalar.xlog1py: _if_zero(0, lambda f, x, y: x * f("log1p", y)),
    scalar.xdivy: _if_zero(0, lambda _, x, y: x / y),
    scalar.stop: lambda f, x: x,
    scalar.authored: lambda f, y, x: y,
    scalar.written: lambda f, y, x: y,
    scalar.opaque: lambda f, y, x: y,
    special.nextafter: _word("nextafter"),
    special.exp_quotient: lambda f, x: f("exp", x) / x,
    frameworks.larger: _word("maximum"),
    frameworks.smaller: _word("minimum"),
    frameworks.largest: _word("maximum"),
    frameworks.smallest: _word("minimum"),
    frameworks.share: lambda f, x, y: f.choose(
        x > y, f.one, f.choose(equal(x, y), f.number(0.5), f.zero)
    ),
    frameworks.not_less: lambda f, x, y: f.choose(
        x < y, f.zero, f.choose(equal(x, y), f.number(0.5), f.one)
    ),
    frameworks.rectified: lambda f, x: f("maximum", x, f.zero),
    frameworks.above: lambda f, x: f.choose(x > f.zero, f.one, f.zero),
    frameworks.kept: lambda f, x: f("maximum", x, f.zero),
    frameworks.not_below: lambda f, x: f.choose(x <= f.zero, f.zero, f.one),
    frameworks.sign_or_zero: lambda f, x: f.choose(
        x > f.zero, f.one, f.choose(x < f.zero, -f.one, f.zero)
    ),
    frameworks.size: _word("absolute"),
    frameworks.arcosh: _word("acosh"),
    frameworks.log_odds: _log_odds,
    frameworks.log_odds_slope: lambda f, x: f.choose(
        both([x >= f.zero, x <= f.one]), f.one / (x * (f.one - x)), f("log", -f.one)
    ),
    frameworks.log_of_gamma: _word("lgamma"),
    frameworks.psi: lambda f, x: f.choose(equal(x, f.zero), -f.one / x, f("polygamma", f.zero, x)),
    frameworks.entropy: lambda f, x: f.choose(
        equal(x, f.zero), f.zero, f.choose(x < f.zero, f("log", f.zero), -x * f("log", x))
    ),
    frameworks.weighted_log: _unless_zero(lambda f, x, y: x * f("log", y)),
    frameworks.weighted_log1p: _unless_zero(lambda f, x, y: x * f("log1p", y)),
    frameworks.relative_entropy: _relative_entropy,
    frameworks.hypotenuse: _word("hypot"),
    frameworks.leaning: lambda f, x, y: x / f("hypot", x, y),
    frameworks.facing: lambda f, x: f.choose(
        f.choose(equal(x, f.zero), f.one / x, x) < f.zero, -f.one, f.one
    ),
    frameworks.growth: lambda f, x, y: f.choose(
        both([equal(x, f.zero), y >= f.zero]), f.zero, f("log", x)
    ),
    frameworks.held: lambda f, x, a, b: f("minimum", f.let(f("maximum", x, a)), b),
    frameworks.inside: lambda f, x, a, b: f.choose(both([x > a, x < b]), f.one, f.zero),
    frameworks.direction: _word("atan2"),
    frameworks.cross_entropy: _cross_entropy,
    frameworks.cross_entropy_slope: lambda f, x, y: (
        (x - y) / f("maximum", x * (f.one - x), f.number(1e-12))
    ),
    frameworks.length: _word("sqrt"),
    frameworks.flat_power: _if_zero(0, lambda f, x, p: f("power", x, p)),
    frameworks.steady_power: _word("power"),
    frameworks.any_power: _word("power"),
    frameworks.cube_root: lambda f, x: (
        f("sign", x) * f("power", f.let(f("absolute", x)), f.number(1 / 3))
    ),
    frameworks.magnitude: _word("absolute"),
    frameworks.side: lambda f, x: f.choose(x >= f.zero, f.one, -f.one),
}
FORMS |= {kind: _word(kind.name) for kind in special.KINDS}
