"""Functions with arguments that have to be numbers, and what SymPy writes in another way first."""

from __future__ import annotations

from functools import partial
from typing import Any

import sympy as sp

from symtape.frontends.sympy_functions.axes import Named, applied
from symtape.frontends.sympy_functions.reader import Reader, Rule, unreadable
from symtape.ops.elementwise import arithmetic, comparison, special
from symtape.ops.elementwise import functions as elementwise
from symtape.program.functions import families, frameworks
from symtape.program.functions import special as kinds
from symtape.program.operations import Map, parameter
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Literal


def _whole(e: Any, order: Any) -> int:
    if not order.is_Integer or order < 0:
        raise unreadable(e, f"the order {order} has to be a whole number from 0")
    return int(order)


def _of_body(reader: Reader, body: Any, x: Any) -> Named:
    """Apply a function of one number, by its body, to what an expression is read as."""
    return applied(partial(apply1, Map.of(body, 1)), reader.read(x))


def of_numbers(kind: Any, *, are_whole: bool = False) -> Rule:
    """Make a rule for a function whose first arguments, orders or shapes, are real numbers."""

    def rule(reader: Reader, e: Any) -> Named:
        *numbers, x = e.args
        for number in numbers:
            if not number.is_number or not number.is_real:
                raise unreadable(e, f"{number} has to be a real number: there is no slope by it")
        if are_whole:
            _whole(e, numbers[0])
        return _of_body(reader, kind(*numbers, parameter(0)), x)

    return rule


def _exponential_integral(reader: Reader, e: Any) -> Named:
    order, x = e.args
    if not order.is_Integer:
        raise unreadable(e, f"the order {order} has to be a whole number")
    return _of_body(reader, families.exp_integral(int(order), parameter(0)), x)


def _hypergeometric(reader: Reader, e: Any) -> Named:
    above, below, x = e.args
    kind = _HYPERGEOMETRIC.get((len(above), len(below)))
    if kind is None or not all(n.is_number and n.is_real for n in (*above, *below)):
        raise unreadable(e, "0F1, 1F1 and 2F1 of real numbers are read")
    return _of_body(reader, kind(*above, *below, parameter(0)), x)


_HYPERGEOMETRIC = {
    (0, 1): families.confluent_limit,
    (1, 1): families.confluent,
    (2, 1): families.hypergeometric,
}


def _elliptic(kind: Any) -> Rule:
    """Make a rule for a complete elliptic integral, of 1 - m."""

    def rule(reader: Reader, e: Any) -> Named:
        if len(e.args) > 1:
            raise unreadable(e, "complete elliptic integrals are read, of m alone")
        return _of_body(reader, kind(0, 1 - parameter(0)), e.args[0])

    return rule


def _lambert(reader: Reader, e: Any) -> Named:
    x, *branch = e.args
    number = branch[0] if branch else sp.S.Zero
    if number not in (0, -1):
        raise unreadable(e, "the branches 0 and -1 are real, and are read")
    return _of_body(reader, families.lambert_w(number, parameter(0)), x)


def _polygamma(reader: Reader, e: Any) -> Named:
    order, x = e.args
    return _of_body(reader, kinds.polygamma(_whole(e, order), parameter(0)), x)


def _zeta(reader: Reader, e: Any) -> Named:
    s, *rest = e.args
    if not s.is_number:
        raise unreadable(e, "the exponent has to be a number: there is no derivative by it")
    return applied(special.zeta, reader.read(s), reader.read(rest[0] if rest else sp.S.One))


def _incomplete_beta(reader: Reader, e: Any) -> Named:
    a, b, low, high = e.args
    if low != 0 or not (a.is_number and b.is_number):
        raise unreadable(e, "it is read from 0, with numbers for the first two arguments")
    return applied(special.betainc, reader.read(a), reader.read(b), reader.read(high))


def _log_gamma(reader: Reader, e: Any) -> Named:
    x = reader.read(e.args[0])
    if e.args[0].is_positive:
        return applied(elementwise.lgamma, x)
    nan = Literal.of(float("nan"), reader.dtype)
    return applied(
        lambda t: arithmetic.where(comparison.greater(t, 0), elementwise.lgamma(t), nan),
        x,
    )


def _falling(reader: Reader, e: Any) -> Named:
    x, count = e.args
    return reader.read(sp.gamma(x + 1) / sp.gamma(x - count + 1))


def _sinc(reader: Reader, e: Any) -> Named:
    return applied(partial(apply1, frameworks.sine_over), reader.read(e.args[0]))


def _done(reader: Reader, e: Any) -> Named:
    """Carry out what is only written down: a derivative, a substitution."""
    made = e.doit()
    if made == e or made.has(type(e)):
        raise unreadable(e, "SymPy cannot carry it out")
    return reader.read(made)


RULES: dict[Any, Rule] = {
    sp.besselj: of_numbers(kinds.bessel_j),
    sp.bessely: of_numbers(kinds.bessel_y),
    sp.besseli: of_numbers(kinds.bessel_i),
    sp.besselk: of_numbers(kinds.bessel_k),
    sp.jn: of_numbers(families.spherical_j, are_whole=True),
    sp.yn: of_numbers(families.spherical_y, are_whole=True),
    sp.expint: _exponential_integral,
    sp.hyper: _hypergeometric,
    sp.elliptic_k: _elliptic(families.elliptic_k),
    sp.elliptic_e: _elliptic(families.elliptic_e),
    sp.LambertW: _lambert,
    sp.polygamma: _polygamma,
    sp.digamma: lambda reader, e: applied(elementwise.digamma, reader.read(e.args[0])),
    sp.loggamma: _log_gamma,
    sp.zeta: _zeta,
    sp.betainc_regularized: _incomplete_beta,
    sp.FallingFactorial: _falling,
    sp.sinc: _sinc,
    sp.Derivative: _done,
    sp.Subs: _done,
}
