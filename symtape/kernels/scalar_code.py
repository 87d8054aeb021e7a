"""How NumPy writes a scalar body: one line a function."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sympy as sp

from symtape.errors import UnsupportedError
from symtape.program import scalar, special
from symtape.program.operations import Map, parameters

FUNCTIONS: dict[Any, str] = {
    sp.exp: "np.exp({0})",
    sp.log: "np.log({0})",
    sp.sin: "np.sin({0})",
    sp.cos: "np.cos({0})",
    sp.tan: "np.tan({0})",
    sp.atan: "np.arctan({0})",
    sp.sinh: "np.sinh({0})",
    sp.cosh: "np.cosh({0})",
    sp.asinh: "np.arcsinh({0})",
    scalar.asinh: "np.arcsinh({0})",
    scalar.asinh_slope: "asinh_slope({0})",
    sp.atan2: "np.arctan2({0}, {1})",
    scalar.asin: "np.arcsin({0})",
    scalar.acos: "np.arccos({0})",
    scalar.acosh: "np.arccosh({0})",
    scalar.atanh: "np.arctanh({0})",
    scalar.atanh_slope: "1/((1 - {0})*(1 + {0}))",
    scalar.sigmoid: "1/(1 + np.exp(-{0}))",
    scalar.sigmoid_slope: "sigmoid_slope({0})",
    scalar.softplus: "np.logaddexp({0}, 0)",
    scalar.logaddexp: "np.logaddexp({0}, {1})",
    scalar.difference: "select({0} == {1}, 0, {0} - {1})",
    scalar.log1p: "np.log1p({0})",
    scalar.expm1: "np.expm1({0})",
    scalar.tanh: "np.tanh({0})",
    scalar.tanh_slope: "1/np.square(np.cosh({0}))",
    scalar.half_tanh: "1/(1 + np.exp(-2*{0}))",
    scalar.logistic_loss: "np.maximum({0}, 0) - {0}*{1} + np.log1p(np.exp(-np.abs({0})))",
    scalar.logistic_residual: (
        "select({0} >= 0, (1 - {1}) - 1/(1 + np.exp({0})), 1/(1 + np.exp(-{0})) - {1})"
    ),
    scalar.pivot: "pivot({0})",
    scalar.shifted: "{0} - {1}",
    scalar.shifted_exp: "np.exp({0} - {1})",
    scalar.unshifted: "{0} + {1}",
    scalar.scaled_exp: "np.exp(select({0} == {1}, 0, {0} - {1}))",
    scalar.rescaling: "np.exp(select({0} == {1}, 0, {0} - {1}))",
    scalar.sqrt: "np.sqrt({0})",
    scalar.power: "np.power({0}, {1})",
    scalar.positive_log: "select({0} > 0, np.log({0}), 0)",
    scalar.nonzero_log: "select({0} == 0, 0, np.log({0}))",
    scalar.masked_product: "masked_product({0}, {1})",
    scalar.absolute: "np.abs({0})",
    scalar.sign: "np.sign({0})",
    scalar.relu: "np.maximum({0}, 0)",
    scalar.step: "step({0})",
    scalar.maximum: "np.maximum({0}, {1})",
    scalar.minimum: "np.minimum({0}, {1})",
    scalar.relu6: "np.minimum(np.maximum({0}, 0), 6)",
    scalar.between_step: "step({0})*step(6 - {0})",
    scalar.leaky_relu: "select({0} > 0, {0}, {1}*{0})",
    scalar.leaky_step: "select({0} > 0, 1, {1})",
    scalar.elu: "select({0} >= 0, {0}, np.expm1({0}))",
    scalar.selu: "1.0507009873554805*select({0} >= 0, {0}, 1.6732632423543772*np.expm1({0}))",
    scalar.softsign: "{0}/(1 + np.abs({0}))",
    scalar.gelu_tanh: "{0}/(1 + np.exp(-1.5957691216057308*({0} + 0.044715*{0}*{0}*{0})))",
    scalar.guarded_reciprocal: "{0}/({0}*{0} + 1e-20)",
    scalar.divide_no_nan: "select({1} == 0, 0, {0}/{1})",
    scalar.multiply_no_nan: "select({1} == 0, 0, {0}*{1})",
    scalar.xlogy: "select({0} == 0, 0, {0}*np.log({1}))",
    scalar.xlog1py: "select({0} == 0, 0, {0}*np.log1p({1}))",
    scalar.xdivy: "select({0} == 0, 0, {0}/{1})",
    scalar.conj: "np.conjugate({0})",
    scalar.real: "np.real({0})",
    scalar.imag: "np.imag({0})",
    scalar.angle: "np.angle({0})",
    scalar.to_complex: "to_complex({0}, {1})",
    scalar.floor: "np.floor({0})",
    scalar.ceil: "np.ceil({0})",
    scalar.rint: "np.rint({0})",
    scalar.trunc: "np.trunc({0})",
    scalar.floor_divide: "np.floor_divide({0}, {1})",
    scalar.floor_mod: "np.mod({0}, {1})",
    scalar.stop: "{0}",
    scalar.authored: "{0}",
    scalar.opaque: "{0}",
    scalar.both: "({0} & {1})",
    scalar.either: "({0} | {1})",
    scalar.one_of: "({0} ^ {1})",
    scalar.negation: "~{0}",
    scalar.is_nan: "np.isnan({0})",
    scalar.is_inf: "np.isinf({0})",
    scalar.is_finite: "np.isfinite({0})",
}
FUNCTIONS |= {
    kind: f"special.{kind.name}({', '.join(f'{{{k}}}' for k in range(len(kind.slopes)))})"
    for kind in special.KINDS
}
FUNCTIONS |= {
    sp.erf: "special.erf({0})",
    special.nextafter: "np.nextafter({0}, {1})",
    special.exp_quotient: "np.exp({0})/{0}",
}

RELATIONS = {
    sp.Eq: "==",
    sp.Ne: "!=",
    sp.StrictGreaterThan: ">",
    sp.GreaterThan: ">=",
    sp.StrictLessThan: "<",
    sp.LessThan: "<=",
}

LOGIC = {sp.And: " & ", sp.Or: " | ", sp.Xor: " ^ "}

ATOM, POWER, TERM, SUM, RELATION = range(5)
"""How tightly a piece of text binds; a looser piece within a tighter one gets parentheses."""

Text = tuple[str, int]


@lru_cache(maxsize=4096)
def body_text(operation: Map, bindings: tuple[int, ...] = ()) -> str:
    """Write the body of a `Map` for NumPy, with operands `{0}`, `{1}`, …

    `bindings` say how tightly the texts of the operands bind, if they are not atoms.
    """
    names = {
        symbol: (f"{{{k}}}", bindings[k] if bindings else ATOM)
        for k, symbol in enumerate(parameters(operation.arity))
    }
    return write(operation.body, names)[0]


@lru_cache(maxsize=4096)
def body_binding(operation: Map, bindings: tuple[int, ...]) -> int:
    """Say how tightly the text of a body binds, on operands that bind in some ways."""
    names = {symbol: ("", bindings[k]) for k, symbol in enumerate(parameters(operation.arity))}
    return write(operation.body, names)[1]


@lru_cache(maxsize=4096)
def strong(operation: Map, numbers: frozenset[int]) -> frozenset[int]:
    """Find the numbers among the operands that a function is called with, without any array."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(body_text(operation), mode="eval")):
        if isinstance(node, ast.Call):
            slots = {s.elts[0].value for s in ast.walk(node) if isinstance(s, ast.Set)}  # type: ignore[attr-defined]
            if slots <= numbers:
                found |= slots
    return frozenset(found)


def filled(operation: Map, operands: Sequence[str]) -> str:
    """Write the body of a `Map` on operands, with parentheses where they are needed."""
    bindings = tuple([tightness(x) for x in operands])
    return body_text(operation, bindings).format(*operands)


def write(e: Any, names: dict[Any, Text]) -> Text:
    """Write an expression, and say how tightly the text binds."""
    if e in names:
        return names[e]
    if e.is_number and e.is_real:  # sqrt(2) as well: np.sqrt(2) would be of dtype float64
        return _number(e)
    if isinstance(e, sp.Add):
        return _sum(e, names)
    if isinstance(e, sp.Mul):
        return _product(e, names)
    if isinstance(e, sp.Pow):
        return _power(e, names)
    if isinstance(e, sp.Piecewise):
        return _cases(e, names), ATOM
    if type(e) in RELATIONS:
        left, right = (_within(a, names, SUM) for a in e.args)
        return f"{left} {RELATIONS[type(e)]} {right}", RELATION
    if type(e) in LOGIC:
        return LOGIC[type(e)].join(_within(a, names, ATOM) for a in e.args), RELATION
    if isinstance(e, sp.Not):
        return "~" + _within(e.args[0], names, ATOM), POWER
    template = FUNCTIONS.get(scalar.kind_of(e))
    if template is None:
        raise UnsupportedError(f"NumPy has no code for {e}; add a line to kernels/scalar_code.py")
    return _fill(template, [write(a, names) for a in e.args])


def _fill(template: str, arguments: Sequence[Text]) -> Text:
    """Put arguments into a template; only those between commas need no parentheses."""
    texts = []
    for k, (text, binding) in enumerate(arguments):
        slot = f"{{{k}}}"
        bare = all(
            template[i - 1 : i] in {"(", " "} and template[i + 3 : i + 4] in {")", ","}
            for i in range(len(template))
            if template.startswith(slot, i)
        )
        texts.append(text if binding == ATOM or bare else f"({text})")
    filled = template
    for k in range(len(texts)):
        filled = filled.replace(f"{{{k}}}", f"\0{k}\0")
    for k, text in enumerate(texts):
        filled = filled.replace(f"\0{k}\0", text)
    return filled, tightness(template)


@lru_cache(maxsize=4096)
def tightness(text: str) -> int:
    """Say how tightly a text binds, by the signs outside of parentheses."""
    if text.isidentifier():
        return ATOM
    depth, binding = 0, ATOM
    for k, (sign, after) in enumerate(pairwise(text + " ")):
        depth += (sign in "([") - (sign in ")]")
        if depth or sign not in _SIGNS:
            continue
        if after == " " and sign in "&|^=<>":
            return RELATION
        if k and sign in "+-" and text[k - 1] == " ":
            binding = SUM
        elif sign in "*/@~" or k == 0:
            binding = max(binding, POWER if sign == "~" or text[k : k + 2] == "**" else TERM)
    return binding


_SIGNS = frozenset("+-*/@~&|^=<>")


def _within(e: Any, names: dict[Any, Text], limit: int) -> str:
    text, binding = write(e, names)
    return text if binding <= limit else f"({text})"


def _number(e: Any) -> Text:
    if e is sp.pi:
        return "np.pi", ATOM
    if e.is_Integer:
        return str(e), ATOM if e >= 0 else TERM
    value = float(e)
    return repr(value), ATOM if value >= 0 else TERM


def _sum(e: Any, names: dict[Any, Text]) -> Text:
    terms = sorted(e.args, key=lambda a: (a.could_extract_minus_sign(), not a.is_number))
    if e.args and e.args[0].is_number and not terms[0].is_number:
        terms = [e.args[0], *[t for t in terms if t != e.args[0]]]
    number = common_number(terms)
    if number is not None:
        inner = _within(sp.Add(*[t / number for t in terms]), names, POWER)
        return f"{number}*{inner}", TERM
    text = _within(terms[0], names, SUM)
    for term in terms[1:]:
        if term.could_extract_minus_sign():
            text += " - " + _within(-term, names, TERM)
        else:
            text += " + " + _within(term, names, TERM)
    return text, SUM


def common_number(terms: Sequence[Any]) -> Any:
    """Find the whole number that is in front of each of some terms, with a sign.

    2x - 2y would be nan where x and y are large and near each other.
    """
    numbers = {abs(t.as_coeff_Mul()[0]) for t in terms}
    number = numbers.pop()
    return number if not numbers and number.is_Integer and number != 1 else None


def one_number(e: Any) -> Any:
    """Write the numbers of a product as one, if some are irrational.

    x·√2·exp(-x²)/√π would be nan where x is large: twice too large before it is made small.
    """
    numbers = [factor for factor in e.args if factor.is_number and factor.is_real]
    if len(numbers) < 2 or sp.Mul(*numbers).is_Rational:
        return e
    rest = [factor for factor in e.args if factor not in numbers]
    return sp.Mul(sp.Float(float(sp.Mul(*numbers)), 17), *rest, evaluate=False)


def _product(e: Any, names: dict[Any, Text]) -> Text:
    if e.could_extract_minus_sign():
        return "-" + _within(-e, names, TERM), TERM
    e = one_number(e)
    above: list[str] = []
    below: list[str] = []
    for factor in e.args:
        if isinstance(factor, sp.Pow) and factor.exp.is_number and factor.exp.is_negative:
            below.append(_within(1 / factor, names, POWER))
        elif factor.is_Rational and factor.q != 1 and abs(factor.p) == 1 and _is_short(factor.q):
            below.append(str(factor.q))
        else:
            above.append(_within(factor, names, POWER))
    numerator = "*".join(above) or "1"
    if not below:
        return numerator, TERM
    if len(below) == 1 and above and (base := _squared_symbol(e, names)):
        return f"{numerator}/{base}/{base}", TERM
    denominator = below[0] if len(below) == 1 else "(" + "*".join(below) + ")"
    return f"{numerator}/{denominator}", TERM


def _squared_symbol(e: Any, names: dict[Any, Text]) -> str:
    """Find the operand by whose square a product is divided, which may be too small or large."""
    found = [f.base for f in e.args if isinstance(f, sp.Pow) and f.exp == -2 and f.base in names]
    return _within(found[0], names, POWER) if found else ""


def _is_short(n: int) -> bool:
    return n < 1_000_000


def _power(e: Any, names: dict[Any, Text]) -> Text:
    base, exponent = e.args
    if exponent == -1:
        return "1/" + _within(base, names, POWER), TERM
    if exponent == 2:
        return f"np.square({write(base, names)[0]})", ATOM
    if exponent == sp.Rational(1, 2):
        return f"np.sqrt({write(base, names)[0]})", ATOM
    if exponent.is_number and exponent.is_negative:
        return "1/" + _within(1 / e, names, POWER), TERM
    return f"{_within(base, names, ATOM)}**{_within(exponent, names, ATOM)}", POWER


def _cases(e: Any, names: dict[Any, Text]) -> str:
    *cases, last = e.args
    text = write(last.expr, names)[0]
    for case in reversed(cases):
        text = f"select({write(case.cond, names)[0]}, {write(case.expr, names)[0]}, {text})"
    return text
