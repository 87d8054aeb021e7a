"""How NumPy writes a scalar body: one line a function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from symtape.errors import UnsupportedError
from symtape.kernels.nodes import (
    ATOM,
    NP,
    POWER,
    RELATION,
    SUM,
    TERM,
    Attribute,
    Call,
    Node,
    Operator,
    Slot,
    Word,
    bracketed,
    dotted,
    equal,
    filled,
    number,
    product,
    rebuilt,
    slots,
    walk,
)
from symtape.program.functions import families, frameworks, scalar, special
from symtape.program.operations import Map, parameters

select = Word("select")
_SPECIAL, _STEP, _POWER = Word("special"), Word("step"), Word("power")

FUNCTIONS: dict[Any, Callable[..., Node]] = {
    sp.exp: NP.exp,
    sp.log: NP.log,
    sp.sin: NP.sin,
    sp.cos: NP.cos,
    sp.tan: NP.tan,
    sp.atan: NP.arctan,
    sp.sinh: NP.sinh,
    sp.cosh: NP.cosh,
    sp.asinh: NP.arcsinh,
    sp.atan2: NP.arctan2,
    scalar.asinh: NP.arcsinh,
    scalar.asinh_slope: Word("asinh_slope"),
    scalar.asin: NP.arcsin,
    scalar.acos: NP.arccos,
    scalar.acosh: NP.arccosh,
    scalar.atanh: NP.arctanh,
    scalar.atanh_slope: lambda x: 1 / ((1 - x) * (1 + x)),
    scalar.sigmoid: lambda x: 1 / (1 + NP.exp(-x)),
    scalar.sigmoid_slope: Word("sigmoid_slope"),
    scalar.softplus: lambda x: NP.maximum(x, 0) + NP.log1p(NP.exp(-NP.abs(x))),
    scalar.logaddexp: NP.logaddexp,
    scalar.difference: lambda x, y: select(equal(x, y), 0, x - y),
    scalar.log1p: NP.log1p,
    scalar.expm1: NP.expm1,
    scalar.tanh: NP.tanh,
    scalar.tanh_slope: lambda x: 1 / NP.square(NP.cosh(x)),
    scalar.half_tanh: lambda x: 1 / (1 + NP.exp(-2 * x)),
    scalar.logistic_loss: lambda x, z: NP.maximum(x, 0) - x * z + NP.log1p(NP.exp(-NP.abs(x))),
    scalar.logistic_residual: lambda x, z: select(
        x >= 0, bracketed(1 - z) - 1 / (1 + NP.exp(x)), 1 / (1 + NP.exp(-x)) - z
    ),
    scalar.pivot: Word("pivot"),
    scalar.shifted: lambda x, m: x - m,
    scalar.shifted_exp: lambda x, m: NP.exp(x - m),
    scalar.unshifted: lambda x, m: x + m,
    scalar.scaled_exp: lambda x, m: NP.exp(select(equal(x, m), 0, x - m)),
    scalar.rescaling: lambda x, m: NP.exp(select(equal(x, m), 0, x - m)),
    scalar.sqrt: NP.sqrt,
    scalar.power: NP.power,
    scalar.positive_log: lambda x: select(x > 0, NP.log(x), 0),
    scalar.nonzero_log: lambda x: select(equal(x, 0), 0, NP.log(x)),
    scalar.masked_product: Word("masked_product"),
    scalar.absolute: NP.abs,
    scalar.sign: NP.sign,
    scalar.relu: lambda x: NP.maximum(x, 0),
    scalar.step: _STEP,
    scalar.maximum: NP.maximum,
    scalar.minimum: NP.minimum,
    scalar.relu6: lambda x: NP.minimum(NP.maximum(x, 0), 6),
    scalar.between_step: lambda x: _STEP(x) * _STEP(6 - x),
    scalar.leaky_relu: lambda x, a: select(x > 0, x, a * x),
    scalar.leaky_step: lambda x, a: select(x > 0, 1, a),
    scalar.elu: lambda x: select(x >= 0, x, NP.expm1(x)),
    scalar.selu: lambda x: 1.0507009873554805 * select(x >= 0, x, 1.6732632423543772 * NP.expm1(x)),
    scalar.softsign: lambda x: x / (1 + NP.abs(x)),
    scalar.gelu_tanh: lambda x: x / (1 + NP.exp(-1.5957691216057308 * (x + 0.044715 * x * x * x))),
    scalar.guarded_reciprocal: lambda x: x / (x * x + 1e-20),
    scalar.divide_no_nan: lambda x, y: select(equal(y, 0), 0, x / y),
    scalar.multiply_no_nan: lambda x, y: select(equal(y, 0), 0, x * y),
    scalar.xlogy: lambda x, y: select(equal(x, 0), 0, x * NP.log(y)),
    scalar.xlog1py: lambda x, y: select(equal(x, 0), 0, x * NP.log1p(y)),
    scalar.xdivy: lambda x, y: select(equal(x, 0), 0, x / y),
    scalar.conj: NP.conjugate,
    scalar.real: NP.real,
    scalar.imag: NP.imag,
    scalar.angle: NP.angle,
    scalar.to_complex: Word("to_complex"),
    scalar.floor: NP.floor,
    scalar.ceil: NP.ceil,
    scalar.rint: NP.rint,
    scalar.trunc: NP.trunc,
    scalar.floor_divide: NP.floor_divide,
    scalar.floor_mod: NP.mod,
    scalar.floored_remainder: Word("floored_remainder"),
    scalar.stop: lambda x: x,
    scalar.authored: lambda y, _: y,
    scalar.written: lambda y, _: y,
    scalar.opaque: lambda y, _: y,
    scalar.both: lambda x, y: bracketed(x & y),
    scalar.either: lambda x, y: bracketed(x | y),
    scalar.one_of: lambda x, y: bracketed(x ^ y),
    scalar.negation: lambda x: ~x,
    scalar.is_nan: NP.isnan,
    scalar.is_inf: NP.isinf,
    scalar.is_finite: NP.isfinite,
    **{kind: Attribute(_SPECIAL, kind.name) for kind in families.ALL},
    sp.erf: _SPECIAL.erf,
    special.nextafter: NP.nextafter,
    special.exp_quotient: lambda x: NP.exp(x) / x,
    frameworks.larger: NP.maximum,
    frameworks.smaller: NP.minimum,
    frameworks.largest: NP.maximum,
    frameworks.smallest: NP.minimum,
    frameworks.share: lambda x, y: select(x >= y, (1 + _STEP(x - y)) / 2, 0),
    frameworks.not_less: lambda x, y: 1 - select(y >= x, (1 + _STEP(y - x)) / 2, 0),
    frameworks.rectified: lambda x: NP.maximum(x, 0),
    frameworks.above: _STEP,
    frameworks.kept: lambda x: NP.maximum(x, 0),
    frameworks.not_below: lambda x: 1 - select(-x >= 0, 1, _STEP(-x)),
    frameworks.sign_or_zero: lambda x: _STEP(x) - _STEP(-x),
    frameworks.size: NP.abs,
    frameworks.arcosh: NP.arccosh,
    frameworks.log_odds: lambda x: select(
        NP.abs(x - 0.5) < 0.25, 2 * NP.arctanh(2 * x - 1), NP.log(x) - NP.log1p(-x)
    ),
    frameworks.log_odds_slope: lambda x: select(
        x < 0, NP.nan, select(x > 1, NP.nan, 1 / (x * (1 - x)))
    ),
    frameworks.log_of_gamma: _SPECIAL.lgamma,
    frameworks.psi: lambda x: select(equal(x, 0), -1 / x, _SPECIAL.polygamma(0, x)),
    frameworks.entropy: lambda x: select(equal(x, 0), 0, select(x < 0, -NP.inf, -x * NP.log(x))),
    frameworks.weighted_log: lambda x, y: select(
        bracketed(equal(x, 0)) & bracketed(equal(y, y)), 0, x * NP.log(y)
    ),
    frameworks.weighted_log1p: lambda x, y: select(
        bracketed(equal(x, 0)) & bracketed(equal(y, y)), 0, x * NP.log1p(y)
    ),
    frameworks.relative_entropy: lambda x, y: select(
        bracketed(x > 0) & bracketed(y > 0),
        x * select(NP.abs(x - y) < y / 2, NP.log1p((x - y) / y), NP.log(x / y)),
        select(bracketed(equal(x, 0)) & bracketed(y >= 0), 0, NP.inf + (x + y)),
    ),
    frameworks.hypotenuse: NP.hypot,
    frameworks.leaning: lambda x, y: x / NP.hypot(x, y),
    frameworks.facing: lambda x: 1 - 2 * _STEP(-select(equal(x, 0), 1 / x, x)),
    frameworks.growth: lambda x, y: select(
        bracketed(equal(x, 0)) & bracketed(y >= 0), 0, NP.log(x)
    ),
    frameworks.held: lambda x, low, high: NP.minimum(NP.maximum(x, low), high),
    frameworks.inside: lambda x, low, high: _STEP(x - low) * _STEP(high - x),
    frameworks.direction: NP.arctan2,
    frameworks.cross_entropy: lambda x, y: (
        -y * NP.maximum(NP.log(x), -100) - (1 - y) * NP.maximum(NP.log1p(-x), -100)
    ),
    frameworks.cross_entropy_slope: lambda x, y: (x - y) / NP.maximum(x * (1 - x), 1e-12),
    frameworks.length: NP.sqrt,
    frameworks.flat_power: lambda x, p: select(equal(x, 0), 0, NP.power(x, p)),
    frameworks.steady_power: NP.power,
    frameworks.any_power: NP.power,
    frameworks.cube_root: NP.cbrt,
    frameworks.magnitude: NP.abs,
    frameworks.side: lambda x: select(equal(x, 0), 1, 2 * _STEP(x) - 1),
}
"""What NumPy calls a function, or how it is written, of operands."""

RELATIONS = {
    sp.Eq: "==",
    sp.Ne: "!=",
    sp.StrictGreaterThan: ">",
    sp.GreaterThan: ">=",
    sp.StrictLessThan: "<",
    sp.LessThan: "<=",
}

LOGIC = {sp.And: " & ", sp.Or: " | ", sp.Xor: " ^ "}

Operands = Mapping[Any, Node]
"""What stands for symbols."""


@lru_cache(maxsize=4096)
def body(operation: Map) -> Node:
    """Write the body of a `Map` for NumPy, of slots."""
    return _node(
        operation.body, dict(zip(parameters(operation.arity), slots(operation.arity), strict=True))
    )


@lru_cache(maxsize=4096)
def long_body(operation: Map) -> Node:
    """Write the body of a `Map` for arrays that may be long, whose powers are taken by `power`."""
    return rebuilt(body(operation), _with_power)


def _with_power(node: Node) -> Node:
    if isinstance(node, Operator) and node.data[0] == ("", "**"):
        return _POWER(*node.parts)
    if isinstance(node, Call) and dotted(node.parts[0]) == ("np", "power"):
        return _POWER(*node.parts[1:])
    return node


@lru_cache(maxsize=4096)
def uses(operation: Map) -> Mapping[int, int]:
    """Count how often the code of a body has each operand."""
    return Counter([slot.data for slot in walk(body(operation)) if isinstance(slot, Slot)])


@lru_cache(maxsize=4096)
def is_choice(operation: Map) -> bool:
    """Say whether a body chooses."""
    return select in walk(body(operation))


@lru_cache(maxsize=4096)
def strong(operation: Map, numbers: frozenset[int]) -> frozenset[int]:
    """Find the numbers among the operands that a function is called with, without any array."""
    found: set[int] = set()
    for node in walk(body(operation)):
        if isinstance(node, Call):
            places = {slot.data for slot in walk(node) if isinstance(slot, Slot)}
            if places <= numbers:
                found |= places
    return frozenset(found)


def _node(e: Any, names: Operands) -> Node:
    """Write an expression."""
    if e in names:
        return names[e]
    if e.is_number and e.is_real:  # sqrt(2) as well: NP.sqrt(2) would be of dtype float64
        return NP.pi if e is sp.pi else number(int(e) if e.is_Integer else float(e))
    if isinstance(e, sp.Add):
        return _sum(e, names)
    if isinstance(e, sp.Mul):
        return _product(e, names)
    if isinstance(e, sp.Pow):
        return _power(e, names)
    if isinstance(e, sp.Piecewise):
        return _cases(e, names)
    if type(e) in RELATIONS:
        sign = f" {RELATIONS[type(e)]} "
        return Operator(("", sign), [_node(a, names) for a in e.args], (SUM, SUM), RELATION)
    if type(e) in LOGIC:
        signs = ("", *[LOGIC[type(e)]] * (len(e.args) - 1))
        return Operator(signs, [_node(a, names) for a in e.args], [ATOM] * len(e.args), RELATION)
    if isinstance(e, sp.Not):
        return ~_node(e.args[0], names)
    function = FUNCTIONS.get(scalar.kind_of(e))
    if function is None:
        raise UnsupportedError(f"NumPy has no code for {e}; add a line to kernels/scalar_code.py")
    return filled(function(*slots(len(e.args))), [_node(a, names) for a in e.args])


def _sum(e: Any, names: Operands) -> Node:
    terms = sorted(e.args, key=lambda a: (a.could_extract_minus_sign(), not a.is_number))
    if e.args and e.args[0].is_number and not terms[0].is_number:
        terms = [e.args[0], *[t for t in terms if t != e.args[0]]]
    factor = common_number(terms)
    if factor is not None:
        inner = _node(sp.Add(*[t / factor for t in terms]), names)
        return product([number(int(factor)), inner], POWER)
    minus = [False, *[t.could_extract_minus_sign() for t in terms[1:]]]
    parts = [_node(-t if m else t, names) for t, m in zip(terms, minus, strict=True)]
    signs = ["", *[" - " if m else " + " for m in minus[1:]]]
    return Operator(signs, parts, [SUM, *[TERM] * (len(parts) - 1)], SUM)


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


def _product(e: Any, names: Operands) -> Node:
    if e.could_extract_minus_sign():
        return Operator(("-",), (_node(-e, names),), (TERM,), TERM)
    e = one_number(e)
    above: list[Node] = []
    below: list[Node] = []
    for factor in e.args:
        if isinstance(factor, sp.Pow) and factor.exp.is_number and factor.exp.is_negative:
            below.append(_node(1 / factor, names))
        elif factor.is_Rational and factor.q != 1 and abs(factor.p) == 1 and _is_short(factor.q):
            below.append(number(int(factor.q)))
        else:
            above.append(_node(factor, names))
    if len(below) == 1 and above and (bases := _power_of_a_symbol(e, names)):
        below = bases
    elif len(below) > 1:
        below = [product(below, POWER)]
    factors = [*(above or [number(1)]), *below]
    signs = ["", *["*"] * (len(above) - 1), *["/"] * len(below)]
    return Operator(signs, factors, [POWER] * len(factors), TERM)


_TURNS = 4
"""An operand is divided by up to so many times; the third derivative of a quotient has as many."""


def _power_of_a_symbol(e: Any, names: Operands) -> list[Node]:
    """Find the operand by whose power a product is divided, which may be too small or large."""
    for f in e.args:
        if isinstance(f, sp.Pow) and f.base in names and f.exp in range(-_TURNS, -1):
            return [names[f.base]] * -int(f.exp)
    return []


def _is_short(n: int) -> bool:
    return n < 1_000_000


def _power(e: Any, names: Operands) -> Node:
    base, exponent = e.args
    if exponent == -1:
        return _over(_node(base, names))
    if exponent == 2:
        return NP.square(_node(base, names))
    if exponent == sp.Rational(1, 2):
        return NP.sqrt(_node(base, names))
    if exponent.is_number and exponent.is_negative:
        return _over(_node(1 / e, names))
    return Operator(("", "**"), (_node(base, names), _node(exponent, names)), (ATOM, ATOM), POWER)


def _over(divisor: Node) -> Node:
    return Operator(("", "/"), (number(1), divisor), (POWER, POWER), TERM)


def _cases(e: Any, names: Operands) -> Node:
    *cases, last = e.args
    made = _node(last.expr, names)
    for case in reversed(cases):
        made = select(_node(case.cond, names), _node(case.expr, names), made)
    return made
