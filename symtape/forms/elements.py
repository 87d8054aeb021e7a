"""The shortest form of a scalar expression, of those that are equal to it wherever it is defined.

An exponential, a logistic function and a hyperbolic tangent of multiples of one argument are
rational functions of each other. So an expression is written as a rational function of one of them,
in which everything else is opaque, its common factors are cancelled, and it is factored. Of these
forms and the expression itself the shortest is taken; so nothing gets longer. Counts bound what is
tried, and never a clock, so that a form is the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import Any

import sympy as sp

from symtape.forms.brackets import Iverson, done

MOST_NODES = 200
"""How long an expression may be that is written in other ways."""

MOST_ALIGNED = 1000
"""How long an expression may be whose exponentials are written as multiples of each other."""

_MOST_GENERATORS = 14
_MOST_POWERS = 1000
"""The number of generators times the degree, at most."""


class _Named(sp.Function):
    """A function that a reader knows by a letter."""

    nargs = 1
    letter: str

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        inner = printer._print(self.args[0])  # noqa: SLF001 - SymPy's protocol
        return rf"{self.letter}{power}{{\left({inner} \right)}}"


class sigmoid(_Named):  # noqa: N801 - SymPy's functions have small letters
    """The logistic function 1/(1 + exp(-z)), by its name."""

    letter = r"\sigma"

    def doit(self, **hints: Any) -> Any:
        """Write what the name stands for."""
        z = done(self.args[0], hints)
        return 1 / (1 + sp.exp(-z))


class normal_cdf(_Named):  # noqa: N801 - SymPy's functions have small letters
    """The distribution function of a standard normal variable, by its name."""

    letter = r"\Phi"

    def doit(self, **hints: Any) -> Any:
        """Write what the name stands for."""
        return (1 + sp.erf(done(self.args[0], hints) / sp.sqrt(2))) / 2


class normal_pdf(_Named):  # noqa: N801 - SymPy's functions have small letters
    """The density of a standard normal variable, by its name."""

    letter = r"\varphi"

    def doit(self, **hints: Any) -> Any:
        """Write what the name stands for."""
        return sp.exp(-(done(self.args[0], hints) ** 2) / 2) / sp.sqrt(2 * sp.pi)


NAMED = (sigmoid, normal_cdf, normal_pdf, Iverson)
"""Functions that SymPy has no name for."""

LETTERS = {f.__name__: f.letter for f in (sigmoid, normal_cdf, normal_pdf)}
"""How those that readers know by a letter are written in LaTeX."""

Length = Callable[[Any], Any]


def shortest(e: Any, length: Length, *, joins: bool = True) -> Any:
    """Give the shortest form that is found; `joins` says that fractions may become one."""
    return Shortener(length, joins=joins).of(e)


def shorter(e: Any) -> Any:
    """Give a shorter form in SymPy's own functions, or the same."""
    if not isinstance(e, sp.Expr):
        return e
    found = Shortener(_nodes, joins=True, named=False).of(e)
    return found if _nodes(found) < _nodes(e) else e


def _nodes(e: Any) -> int:
    return sum(1 for _ in sp.preorder_traversal(e))


class Shortener:
    """Finds shortest forms, of what stands in several places once.

    `joins` says that fractions may become one, and `named` that functions may be written by names
    that SymPy does not have.
    """

    def __init__(self, length: Length, *, joins: bool, named: bool = True) -> None:
        self.length, self.joins, self.named = length, joins, named
        self._known: dict[Any, Any] = {}

    def of(self, e: Any) -> Any:
        """Give the shortest form that is found."""
        if not e.args or not isinstance(e, sp.Expr):
            return e
        if e not in self._known:
            found = self._aligned(e) if self.length(e) <= MOST_ALIGNED else e
            is_short = self.length(found) <= MOST_NODES
            self._known[e] = self._shortest(self._within(found)) if is_short else found
        return self._known[e]

    def _aligned(self, e: Any) -> Any:
        """Write exponentials as multiples of each other, where what is positive stays so."""
        ways = [way for way, positive in aligned(e, self.length) if _holds(way, positive)]
        return min([*ways, e], key=self._order)

    def _within(self, e: Any) -> Any:
        """Shorten the arguments of the functions in an expression."""
        outer = [e] if isinstance(e, sp.Function) else [f for f in e.atoms(sp.Function) if f.args]
        swap = {f: f.func(*map(self.of, f.args)) for f in outer}
        return e.xreplace({f: g for f, g in swap.items() if f != g})

    def _shortest(self, e: Any) -> Any:
        best = min([e, *_normal(e, self.of)], key=self._order) if self.named else e
        for z in _arguments(e):
            best = min([*_written(best, z, named=self.named), best], key=self._order)
        if best.has(*_FUNCTIONS) or not _is_quotient(best, joins=self.joins):
            return best
        return min([*_rational(best), best], key=self._order)

    def _order(self, e: Any) -> tuple[Any, int]:
        """Of forms that are equally long, prefer products to sums; nobody divides by σ."""
        under = [p for p in e.atoms(sp.Pow) if p.exp.is_negative and isinstance(p.base, sigmoid)]
        return self.length(e) + 2 * len(under), len(e.atoms(sp.Add))


def expanded(e: Any, taken: Collection[str] | None = None) -> Any:
    """Write functions that have a name by what they stand for: all, or those of letters in use."""
    chosen = tuple([f for f in NAMED if taken is None or LETTERS.get(f.__name__) in taken])
    return e.replace(lambda f: isinstance(f, chosen), lambda f: f.doit(deep=False))


_FUNCTIONS = (sp.exp, sp.tanh, sigmoid)


# --- exponentials of one argument -----------------------------------------------------------------


def _arguments(e: Any) -> list[Any]:
    """List the arguments of which the exponents are whole multiples, one for each such group."""
    found: list[tuple[Any, list[Any]]] = []
    for f in sorted(e.atoms(sp.exp, sp.tanh, sigmoid), key=sp.default_sort_key):
        number, rest = (f.args[0] * (2 if isinstance(f, sp.tanh) else 1)).as_coeff_Mul()
        if not number.is_Rational or rest.is_number:
            continue
        if isinstance(rest, sp.Add):
            more, rest = rest.primitive()
            number *= more
            if rest.could_extract_minus_sign():
                number, rest = -number, -rest
        for known, numbers in found:
            if known == rest:
                numbers.append(number)
                break
        else:
            found.append((rest, [number]))
    return [rest * abs(reduce(_common, numbers)) for rest, numbers in found]


def _common(a: Any, b: Any) -> Any:
    """Give the largest number of which both are whole multiples."""
    return sp.Rational(sp.gcd(a.p * b.q, b.p * a.q), a.q * b.q)


def _written(e: Any, z: Any, *, named: bool = True) -> Iterator[Any]:
    """Write an expression as a rational function of exp(z), of σ(z), of σ(-z), and of tanh."""
    t = sp.Dummy("t", positive=True)
    opened = _cancelled(e, _powers(e, z, t))
    if opened is None:
        return
    found, opaque = opened
    found, power = _in_least_power(found, t)
    z = power * z
    s = sp.Dummy("s", positive=True)
    one = sp.S.One
    families = [
        (s, 1 - s, sigmoid(z)), (1 - s, s, sigmoid(-z)), (1 + s, 1 - s, sp.tanh(z / 2)),
        (s, one, sp.exp(z)), (one, s, sp.exp(-z)),
    ]  # fmt: skip
    for above, below, name in families if named else families[2:]:
        made = _composed(found, t, above, below)
        known = {s: name, **opaque}
        yield from (way.xreplace(known) for way in _factored(made))
        yield _without_sign(made.xreplace(known))
        yield sp.expand(made, deep=False).xreplace(known)


def _composed(e: Any, t: Any, above: Any, below: Any) -> Any:
    """Put a quotient in the place of t; what was coprime stays so, but for powers of `below`."""
    parts = [sp.Poly(part, t) for part in e.as_numer_denom()]
    first, second = (part.degree() for part in parts)
    shift = second - first
    made = [
        sum(c * above**k * below ** (part.degree() - k) for (k,), c in part.terms())
        for part in parts
    ]
    up, down = below ** max(shift, 0), below ** max(-shift, 0)
    return sp.expand(made[0] * up) / sp.expand(made[1] * down)


def _in_least_power(e: Any, t: Any) -> tuple[Any, int]:
    """Write t for the largest power of t of which all are powers."""
    parts = [sp.Poly(part, t) for part in e.as_numer_denom()]
    common = int(sp.gcd([m[0] for part in parts for m in part.monoms()]))
    if common < 2:
        return e, 1
    above, below = (sum(c * t ** (k // common) for (k,), c in part.terms()) for part in parts)
    return above / below, common


def _powers(e: Any, z: Any, t: Any) -> dict[Any, Any]:
    """Write functions of multiples of z by powers of t = exp(z)."""
    found = {}
    for f in _opaque(e):
        if not isinstance(f, _FUNCTIONS):
            continue
        argument = f.args[0] * (2 if isinstance(f, sp.tanh) else 1)
        number = sp.cancel(argument / z) if argument.free_symbols == z.free_symbols else sp.S.Half
        if number.is_Integer:
            p = t**number
            found[f] = {sp.exp: p, sp.tanh: (p - 1) / (p + 1), sigmoid: p / (1 + p)}[f.func]
    return found


def _cancelled(
    e: Any, known: Mapping[Any, Any] = MappingProxyType({})
) -> tuple[Any, dict[Any, Any]] | None:
    """Cancel common factors, with what is no rational function as a symbol of its own.

    `known` says which parts are rational functions of what. Gives the quotient, and what the
    symbols in it stand for.
    """
    powers, roots = _roots(e)
    parts = [f for f in _opaque(e) if f not in known and f not in powers]
    opaque = {f: sp.Dummy(f"f{k}", **_known_of(f)) for k, f in enumerate(parts)}
    plain = e.xreplace(opaque | dict(known) | powers)
    if not plain.is_rational_function() or plain.has(sp.Float):
        return None
    count = len(plain.free_symbols)
    if count > _MOST_GENERATORS or count * _degree(plain) > _MOST_POWERS:
        return None
    found = sp.cancel(plain)
    logs = [f.args[0] for f, d in opaque.items() if isinstance(f, sp.log) and found.has(d)]
    if not _is_defined_where(plain, found, [x.xreplace(opaque) for x in logs]):
        return None
    return found, roots | {d: f for f, d in opaque.items()}


def _roots(e: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Write symbols that have roots as powers of the root; and say what the root stands for."""
    found: dict[Any, int] = {}
    for p in e.atoms(sp.Pow):
        if p.base.is_Symbol and p.exp.is_Rational and p.exp.q > 1:
            found[p.base] = math.lcm(found.get(p.base, 1), p.exp.q)
    symbols = {b: sp.Dummy(f"r{k}", real=True) for k, b in enumerate(sorted(found, key=str))}
    powers = {b: symbols[b] ** q for b, q in found.items()}
    for p in e.atoms(sp.Pow):
        if p.base in found and (p.exp * found[p.base]).is_Integer:
            powers[p] = symbols[p.base] ** int(p.exp * found[p.base])
    return powers, {r: b ** sp.Rational(1, found[b]) for b, r in symbols.items()}


def _known_of(f: Any) -> dict[str, bool]:
    """Say what is known of the value of a part."""
    facts = {"real": f.is_real, "positive": f.is_positive, "zero": f.is_zero}
    return {name: fact for name, fact in facts.items() if fact is not None}


def _is_defined_where(e: Any, found: Any, logs: Sequence[Any]) -> bool:
    """Say whether a quotient is undefined wherever an expression is: (x² - 1)/(x - 1) is not x + 1.

    What no longer is divided by may not be zero anywhere, as 1 + exp(x) is not, or where there
    still is its logarithm.
    """
    divided = {p.base for p in e.atoms(sp.Pow) if p.exp.is_negative}
    left = _factors_of(found.as_numer_denom()[1]).union(*map(_factors_of, logs))
    lost = [f for base in divided for f in _factors_of(sp.together(base).as_numer_denom()[0])]
    return all(f in left or -f in left or f.is_nonzero for f in lost)


def _factors_of(e: Any) -> set[Any]:
    """List what a polynomial is zero with."""
    if e.is_number or not e.is_polynomial():
        return set()
    return {f for f, _ in sp.factor_list(e)[1]}


def _opaque(e: Any) -> list[Any]:
    """List the largest parts that are no sums, products and whole powers."""
    found: dict[Any, None] = {}
    stack = [e]
    while stack:
        top = stack.pop()
        if isinstance(top, (sp.Add, sp.Mul)):
            stack.extend(top.args)
        elif isinstance(top, sp.Pow) and top.exp.is_Integer:
            stack.append(top.base)
        elif top.args or (top.is_number and not top.is_Rational):
            found[top] = None
    return sorted(found, key=sp.default_sort_key)


def _degree(e: Any) -> int:
    """Bound the degree of the polynomials above and below."""
    if isinstance(e, sp.Add):
        return sum(map(_degree, e.args)) if e.has(sp.Pow) else max(map(_degree, e.args))
    if isinstance(e, sp.Mul):
        return sum(map(_degree, e.args))
    if isinstance(e, sp.Pow):
        return abs(int(e.exp)) * _degree(e.base)
    return int(not e.is_number)


def _factored(e: Any) -> Iterator[Any]:
    """Write a quotient in irreducible factors, and with what is a power as one: (s³ + t³)²."""
    above, below = e.as_numer_denom()
    yield _without_sign(sp.factor(above) / sp.factor(below))
    if any(f.is_Pow for f in sp.Mul.make_args(sp.factor(below))):
        yield _without_sign(sp.factor(above) / sp.sqf(below))


def _without_sign(e: Any) -> Any:
    """Write s(1 - s) for -s(s - 1)."""
    number, rest = e.as_coeff_Mul()
    factors = sp.Mul.make_args(rest)
    turned = [f for f in factors if f.is_Add and f.as_coeff_Add()[0].is_negative]
    if len(turned) % 2 != bool(number.is_negative):
        turned = turned[1:]
    swap = {f: sp.Add(*[-t for t in f.args]) for f in turned}
    sign = -1 if len(turned) % 2 else 1
    return sign * number * sp.Mul(*[swap.get(f, f) for f in factors])


# --- the normal distribution ----------------------------------------------------------------------


def _normal(e: Any, shorten: Callable[[Any], Any]) -> Iterator[Any]:
    """Write erf(u/√2) and exp(-u²/2) as functions of a standard normal variable."""
    swap: dict[Any, Any] = {}
    for f in e.atoms(sp.erf, sp.erfc):
        u = shorten(sp.expand(sp.sqrt(2) * f.args[0]))
        swap[f] = 2 * normal_cdf(u) - 1 if isinstance(f, sp.erf) else 2 * normal_cdf(-u)
    roots = {p.base for p in e.atoms(sp.Pow) if p.exp.is_Rational and p.exp.q == 2}
    for f in e.atoms(sp.exp):
        u = _root(-2 * f.args[0], roots)
        if u is not None:
            swap[f] = sp.sqrt(2 * sp.pi) * normal_pdf(shorten(u))
    if swap:
        made = e.xreplace(swap)
        yield sp.expand(made, deep=False)
        yield sp.factor_terms(made)
        other = {f: 1 - normal_cdf(shorten(-f.args[0])) for f in made.atoms(normal_cdf)}
        yield sp.factor_terms(sp.expand(made.xreplace(other), deep=False))


def _root(square: Any, roots: Collection[Any] = ()) -> Any | None:
    """Give what a product is the square of, if it is one by its looks; of some there are roots."""
    number, rest = sp.factor_terms(square).as_coeff_Mul()
    root = sp.sqrt(number)
    parts = [f.as_base_exp() for f in sp.Mul.make_args(rest)]
    whole = all(k.is_Integer and (k % 2 == 0 or b in roots) for b, k in parts)
    if not root.is_Rational or not whole:
        return None
    return root * sp.Mul(*[b ** (k / 2) for b, k in parts])


# --- exponentials whose exponents differ by logarithms --------------------------------------------

_MOST_EXPONENTS = 6


def aligned(e: Any, length: Length) -> Iterator[tuple[Any, set[Any]]]:
    """Write exponentials as multiples of each other: exp(u + log(b)) is b exp(u).

    Exponents are vectors of rational numbers, of which the monomials are the axes, but for
    logarithms. Each that is a whole combination of others is written so. With each form goes what
    must be positive.
    """
    plain = e.replace(normal_pdf, lambda u: normal_pdf(u).doit())
    atoms = sorted(plain.atoms(sp.exp), key=lambda f: (length(f), sp.default_sort_key(f)))
    if not 2 <= len(atoms) <= _MOST_EXPONENTS:
        return
    axes = {f: dict(sp.expand(f.args[0]).as_coefficients_dict()) for f in atoms}
    for order in (atoms, [*atoms[:-2], atoms[-1], atoms[-2]]):
        swap, positive = _combined(order, axes)
        if swap:
            for way in _rational(plain.xreplace(swap)):
                yield way, positive


def _holds(e: Any, positive: set[Any]) -> bool:
    """Say whether a form is undefined, too, where one of these is not positive."""
    logs = {f.args[0] for f in e.atoms(sp.log)}
    return all(b in logs or b.is_positive for b in positive)


def _combined(
    order: Sequence[Any], axes: Mapping[Any, Mapping[Any, Any]]
) -> tuple[dict[Any, Any], set[Any]]:
    """Write the later ones of some exponentials by the earlier ones."""
    basis: list[Any] = []
    swap: dict[Any, Any] = {}
    positive: set[Any] = set()
    for f in order:
        powers = _whole_solution(f, basis, axes) if basis else None
        if powers is None:
            basis.append(f)
            continue
        rest = dict(axes[f])
        for g, k in zip(basis, powers, strict=True):
            for key, number in axes[g].items():
                rest[key] = rest.get(key, 0) - k * number
        logs = {key: number for key, number in rest.items() if number != 0}
        positive |= {key.args[0] for key in logs}
        factors = [key.args[0] ** number for key, number in logs.items()]
        swap[f] = sp.Mul(*[g**k for g, k in zip(basis, powers, strict=True)], *factors)
    return swap, positive


def _whole_solution(
    f: Any, basis: Sequence[Any], axes: Mapping[Any, Mapping[Any, Any]]
) -> list[int] | None:
    """Write an exponent as a whole combination of others, but for logarithms."""
    keys = {key for g in (f, *basis) for key in axes[g] if not isinstance(key, sp.log)}
    if not any(key in axes[f] for key in keys):
        return None
    rows = [[axes[g].get(key, sp.S.Zero) for g in basis] for key in keys]
    symbols = sp.symbols(f"k:{len(basis)}")
    wanted = [axes[f].get(key, sp.S.Zero) for key in keys]
    found = sp.linsolve((sp.Matrix(rows), sp.Matrix(wanted)), *symbols)
    for solution in found:
        if all(k.is_Integer for k in solution):
            return [int(k) for k in solution]
    return None


# --- quotients ------------------------------------------------------------------------------------


def _is_quotient(e: Any, *, joins: bool) -> bool:
    """Say whether something is divided by a sum, or a sum divided."""
    below = [p.base for p in e.atoms(sp.Pow) if p.exp.is_negative]
    return bool(below) and e.has(sp.Add) if joins else any(base.is_Add for base in below)


def _rational(e: Any) -> Iterator[Any]:
    opened = _cancelled(e)
    if opened is not None:
        found, opaque = opened
        for way in (*_factored(found), found, *_collected(found)):
            yield way.xreplace(opaque)


def _collected(e: Any) -> Iterator[Any]:
    """Write a quotient without a number below, and the sum above by the powers of a symbol."""
    above, below = e.as_numer_denom()
    number, below = below.as_coeff_Mul()
    above = sp.expand(above / number)
    if not above.is_Add:
        return
    yield above / below
    for symbol in sorted(above.free_symbols, key=sp.default_sort_key):
        if sum(t.has(symbol) for t in above.args) > 1:
            yield sp.collect(above, symbol) / below


__all__ = ["Shortener", "expanded", "shorter", "shortest", "sigmoid"]
