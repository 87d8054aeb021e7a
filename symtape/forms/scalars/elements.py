"""The shortest form of a scalar expression, of those that are equal to it wherever it is defined.

An exponential, a logistic function and a hyperbolic tangent of multiples of one argument are
rational functions of each other. So an expression is written as a rational function of one of them,
in which everything else is opaque, its common factors are cancelled, and it is factored. Of these
forms and the expression itself the shortest is taken; so nothing gets longer. Counts bound what is
tried, and never a clock, so that a form is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson
from symtape.forms.limits import Size
from symtape.forms.named import normal_pdf, sigmoid
from symtape.forms.scalars.cases.apart import with_cases_apart
from symtape.forms.scalars.cases.clipped import without_clips
from symtape.forms.scalars.cases.conditions import (
    with_plain_conditions,
    with_solved_conditions,
)
from symtape.forms.scalars.cases.signs import with_joined_signs, with_one_bracket
from symtape.forms.scalars.common_divisors import with_common_divisors
from symtape.forms.scalars.decimals import apart, valued
from symtape.forms.scalars.functions.bessel import with_recurrences, without_sizes
from symtape.forms.scalars.functions.exponentials import (
    FUNCTIONS,
    by_exponential,
    by_shares,
    common_arguments,
    divides_by,
    mixed_kinds,
    takes_back,
    without_cotangents,
)
from symtape.forms.scalars.functions.normal import with_complements, with_normal
from symtape.forms.scalars.functions.sigmoids import (
    slopes,
    with_shares_of_two,
    with_sigmoids,
    with_slopes,
)
from symtape.forms.scalars.generators import (
    Opened,
    with_divisors_as_symbols,
    with_powers_as_symbols,
    with_roots_as_symbols,
    with_sums_as_symbols,
)
from symtape.forms.scalars.nested import (
    with_quotients_multiplied,
    with_sums_divided,
    with_sums_multiplied,
)
from symtape.forms.scalars.numbers_out import with_numbers_out
from symtape.forms.scalars.orientation import as_written
from symtape.forms.scalars.polynomials import with_plain_polynomials, with_polynomials_multiplied
from symtape.forms.scalars.powers.added_angles import with_added_angles
from symtape.forms.scalars.powers.exponents import aligned, with_one_exponential
from symtape.forms.scalars.powers.hyperbolic import with_double_angles, with_pairs, with_tangents
from symtape.forms.scalars.powers.one_base import with_powers_joined
from symtape.forms.scalars.powers.pythagoras import with_squares_of_sines
from symtape.forms.scalars.powers.radicals import (
    divisors,
    roots_below,
    with_joined_exponents,
    with_one_power,
)
from symtape.forms.scalars.powers.roots import short_decimal
from symtape.forms.scalars.powers.squares import with_differences_of_squares, with_squares
from symtape.forms.scalars.quotients import (
    Nonzero,
    is_quotient,
    keeps_divisors,
    ways,
)
from symtape.forms.scalars.repeated_sums import with_repeated_sums
from symtape.forms.scalars.shared_factors import with_shared_factors

MOST_NODES = 200
"""How long an expression may be that is written in other ways."""

_FEW_NODES = 120
"""So many nodes it may have however long the arrays are that it is made of."""

MOST_ALIGNED = 1500
"""How long an expression may be whose exponentials are written as multiples of each other."""

_LONG = 30
"""What is longer may be shorter in another way, once it is shorter in one."""

_MOST_GROUPED = 12
"""So many terms of a sum are put together by what they are divided by."""

_MOST_REGROUPED = 60
"""So long an expression is at most in which sums are looked for that stand in others."""

_FAR = 0.9
"""What has lost a tenth of its length may have become something else."""

_MOST_SPENT = 500_000
"""The squares of the lengths of all expressions that are shortened in one formula, at most.

Those of formulas in books, also of the greeks of Black and Scholes, add up to less than half of it;
what nests logarithms to no end stays.
"""

_TOO_LONG = 2
"""What has so many times the nodes is not shorter when names and quotients are counted."""

_ROOT_OF_PI = sp.sqrt(sp.pi)

_MOST_OF_ARGUMENTS = 240
"""The length times the number of arguments of exponentials, at most."""

_FEW_ARGUMENTS = 3
"""So many arguments of σ a rational function has at most."""

Length = Callable[[Any], Any]


def shortest(e: Any, length: Length, *, joins: bool = True, is_real: bool = False) -> Any:
    """Give the shortest form that is found; `joins` says that fractions may become one.

    `is_real` says that all symbols are.
    """
    symbols = [s for s in e.free_symbols if s.is_Symbol] if is_real else []
    real = {s: sp.Symbol(s.name, real=True) for s in symbols if s.is_real is None}
    meant = {own: s for s, own in real.items()}
    return Shortener(length, joins=joins, is_real=is_real).of(e.xreplace(real)).xreplace(meant)


def shorter(e: Any) -> Any:
    """Give a shorter form in SymPy's own functions, or the same."""
    if not isinstance(e, sp.Expr):
        return e
    plain, numbers = apart(e)
    found = valued(Shortener(_nodes, joins=True, named=False).of(plain), numbers)
    return found if _nodes(found) < _nodes(e) else e


def _nodes(e: Any) -> int:
    return Size().of(e)[0]


class Shortener:
    """Finds shortest forms, of what stands in several places once.

    `joins` says that fractions may become one, and `named` that functions may be written by names
    that SymPy does not have. `shares` says that it is for paper: what terms share comes out of
    them, and roots and signs are joined.
    """

    def __init__(
        self,
        length: Length,
        *,
        joins: bool,
        named: bool = True,
        shares: bool = True,
        is_real: bool = False,
    ) -> None:
        self.is_real = is_real
        self.divisors = Nonzero()
        self.length, self.joins, self.named, self.shares = length, joins, named, shares
        self._known: dict[Any, Any] = {}
        self._unsure: set[Any] = set()
        self._orders: dict[Any, tuple[Any, int, int]] = {}
        self._counts: dict[Any, int] = {}
        self._spent = 0

    def learn(self, divisors: Sequence[Any]) -> None:
        """Be told what is zero nowhere; what that makes no difference for stays known."""
        self.divisors, self._spent = Nonzero(divisors), 0
        self._known = {e: x for e, x in self._known.items() if e not in self._unsure}
        self._unsure.clear()

    @property
    def may_know_more(self) -> bool:
        """Say whether something would have cancelled if more were zero nowhere."""
        return bool(self._unsure)

    def of(self, e: Any) -> Any:
        """Give the shortest form that is found."""
        if not e.args or not isinstance(e, sp.Expr):
            return e
        outer, self.divisors.is_short = self.divisors.is_short, e in self._unsure
        found = self._found(e)
        if self.divisors.is_short:
            self._unsure.add(e)
        self.divisors.is_short |= outer
        return found

    def _found(self, e: Any) -> Any:
        if e not in self._known:
            e = without_clips(with_plain_conditions(e))
            e = self._by_cases(with_solved_conditions(e)) if self.shares else e
            if self._spent > _MOST_SPENT and self.shares:
                return self._with_names(e)
            found = self._named(self._aligned(e)) if self.length(e) <= MOST_ALIGNED else e
            if self.shares and self.length(found) > MOST_NODES:
                found = with_polynomials_multiplied(found, self.length)
                found = self._with_added_angles(found)
            self._spent += int(self.length(found) ** 2)
            if self._spent > _MOST_SPENT and self.shares:
                return self._with_names(found)
            is_short = self.length(found) <= MOST_NODES or _nodes(found) <= _FEW_NODES
            short = self._shortest(self._within(found)) if is_short else self._with_names(found)
            opened = [with_powers_as_symbols(short, of_zero=self.joins and self.shares)]
            if self.joins or _divides_by_sums(found):  # else what arrays share is hidden
                opened.append(with_sums_as_symbols(found))
            if self.joins and self.shares:
                opened.append(with_roots_as_symbols(found))
            if self.joins and not is_short:
                opened.append(with_divisors_as_symbols(found))
            found = self._again(e, self._best(short, self._by_generators(opened)))
            found = with_plain_polynomials(found) if self.shares else found
            self._known[e] = as_written(found, e) if self.shares else found
            self._unsure |= {e} if self.divisors.is_short else set()
        return self._known[e]

    def _by_cases(self, e: Any) -> Any:
        """Shorten each of two cases that stand in functions, where that is shorter."""
        made = with_cases_apart(e, self.of) if e.has(Iverson) else None
        return e if made is None else min([made, e], key=self._order)

    def _again(self, e: Any, found: Any) -> Any:
        """Shorten once more what has become far shorter, and is long still, in other ways."""
        is_better = _FAR * self.length(e) > self.length(found) > _LONG
        return self._best(found, [self.of(found)]) if is_better else found

    def _by_generators(self, ways: Iterable[Opened]) -> Iterator[Any]:
        """Shorten an expression as one of what is a symbol in it."""
        for opened in ways:
            if opened.meant:
                meant = {s: x.func(*map(self.of, x.args)) for s, x in opened.meant.items()}
                found = self.of(opened.entry).xreplace(meant)
                yield from (found, with_joined_exponents(found))

    def _aligned(self, e: Any) -> Any:
        """Join powers; write exponentials as multiples, where what is positive stays so."""
        e = min([*with_powers_joined(e), e], key=self._order)
        return min([*aligned(e, self.length), e], key=self._order)

    def _named(self, e: Any) -> Any:
        """Write Φ and φ in what is too long for other ways, and may be short then."""
        is_long = self.named and self.length(e) > MOST_NODES
        return self._best(e, with_normal(e, self.of)) if is_long else e

    def _with_names(self, e: Any) -> Any:
        """Write σ and Φ in what is too long for other ways."""
        if not self.named or not e.has(sp.exp, sigmoid, sp.erf):
            return e
        named = next(with_slopes(with_sigmoids(e)), e)
        return self._best(named, with_normal(named, lambda u: u)) if e.has(sp.erf) else named

    def _within(self, e: Any) -> Any:
        """Shorten the arguments of the functions in an expression, and exponents: x^(1/s)."""
        outer = [e] if isinstance(e, sp.Function) else [f for f in e.atoms(sp.Function) if f.args]
        swap = {f: f.func(*map(self.of, f.args)) for f in outer}
        powers = [p for p in e.atoms(sp.Pow) if p.exp.is_Add and not isinstance(p, sp.exp)]
        swap |= {p: p.base ** self._as_scalar(p.exp) for p in powers}
        return e.xreplace({f: g for f, g in swap.items() if f != g})

    def _as_scalar(self, exponent: Any) -> Any:
        """Shorten an exponent, of which no array comes out: its fractions become one."""
        if self.joins:
            return self.of(exponent)
        joining = Shortener(self.length, joins=True, named=self.named, is_real=self.is_real)
        return min(joining.of(exponent), exponent, key=self.length)

    def _shortest(self, e: Any) -> Any:
        return min([self._as_one(way) for way in (*self._grouped(e), e)], key=self._order)

    def _as_one(self, e: Any) -> Any:
        """Shorten an expression by what it is as a whole."""
        e = with_sigmoids(with_shares_of_two(e)) if self.named else e
        e = self._best(e, [with_numbers_out(e)] if self.joins else [])
        best = self._shared(self._best(e, _joined(e))) if self.shares else e
        best = min([best, *with_normal(best, self.of)], key=self._order) if self.named else best
        arguments = common_arguments(best)
        is_short = len(arguments) * self.length(e) <= _MOST_OF_ARGUMENTS
        for z in arguments if is_short else ():
            best = self._best(best, by_exponential(best, z, self.divisors, named=self.named))
        if is_short and self.named and 1 < len(arguments) <= _FEW_ARGUMENTS:
            best = self._best(best, by_shares(best, arguments, self.divisors))
        best = self._best(best, (*self._by_terms(best), with_pairs(best), with_tangents(best)))
        best = self._best(best, [with_double_angles(best)] if self.shares else [])
        best = self._best(best, with_slopes(best)) if self.named else best
        if not best.has(*FUNCTIONS) and is_quotient(best, joins=self.joins):
            best = self._best(best, ways(best, self.divisors, collects=self.joins))
        elif not best.has(*FUNCTIONS) and self.joins and _is_nested(best):
            best = min([best, *ways(best, self.divisors)], key=self.length)
        best = self._best(best, () if self.joins else with_quotients_multiplied(best))
        best = self._best(best, _joined(best)) if self.shares else best
        best = self._over_one(best)
        best = self._best(best, with_complements(best)) if self.shares else best
        best = self._best(best, with_one_bracket(best)) if self.shares else best
        best = self._best(best, without_cotangents(best)) if self.shares else best
        bessel = (*without_sizes(best), *with_recurrences(best)) if self.shares else ()
        best = self._best(best, bessel)
        best = self._best(self._shared(best), with_squares(best))
        best = self._best(best, [with_one_exponential(best)] if self.joins else [])
        others = [with_differences_of_squares(best)] if self.shares else []
        best = min([best, *others], key=self._order)
        best = self._best(best, with_squares_of_sines(best) if self.shares else ())
        best = self._with_added_angles(best) if self.shares else best
        is_plain = is_quotient(best, joins=self.joins) and not best.has(*FUNCTIONS)
        best = self._multiplied(best)
        return best if is_plain else self._shared(best)

    def _with_added_angles(self, e: Any) -> Any:
        """Join products of sines and cosines, while that is shorter."""
        found = self._best(e, with_added_angles(e))
        return self._with_added_angles(found) if self._order(found) < self._order(e) else e

    def _shared(self, e: Any) -> Any:
        """Take factors out of the terms that share them, one at a time, while that is shorter."""
        if not self.shares:
            return e
        found = self._best(e, with_shared_factors(e, partly=self.joins))
        if self.length(e) <= _MOST_REGROUPED:
            found = self._best(found, (*with_repeated_sums(e), *with_sums_divided(e)))
        return self._shared(found) if self._order(found) < self._order(e) else e

    def _over_one(self, e: Any) -> Any:
        """Write the fractions of a sum over one divisor, and what is above in the shortest way."""
        if not self.shares or self.length(e) > MOST_NODES or not _divides_by_sums(e):
            return e
        found = self._best(e, with_common_divisors(e, self.of, joins=self.joins))
        return found if self.length(found) < self.length(e) else e

    def _multiplied(self, e: Any) -> Any:
        """Multiply sums by what their terms are divided by, while that is shorter."""
        found = self._best(e, with_sums_multiplied(e, self.divisors.parts, is_real=self.is_real))
        return self._multiplied(found) if self._order(found) < self._order(e) else e

    def _best(self, e: Any, others: Iterable[Any]) -> Any:
        """Choose the shortest; what has far more nodes is not measured.

        Nor what no longer divides by a root: SymPy writes 1 for √(x + 1) / √(x + 1).
        """
        found = [*others]
        if all(x == e for x in found):
            return e
        most = _TOO_LONG * self._nodes(e)
        under = roots_below(e)
        ways = [x for x in found if self._nodes(x) <= most and (not under or under <= divisors(x))]
        return min([*ways, e], key=self._order)

    def _nodes(self, e: Any) -> int:
        """Count the nodes of a form, which is asked again wherever it is compared, as its order."""
        found = self._counts.get(e)
        if found is None:
            found = self._counts[e] = _nodes(e)
        return found

    def _grouped(self, e: Any) -> Iterator[Any]:
        """Shorten the terms of a sum together that are divided by powers of the same sums.

        Also of a sum that is a factor: r (s/(r - t) - r s/(r - t)² + k/(r - g)) has three.
        """
        if not self.joins:
            return
        swap = {}
        for a in (f for f in sp.Mul.make_args(e) if f.is_Add):
            terms = sp.Add.make_args(sp.expand_mul(a, deep=False))
            groups = [*_by_divisors(terms).values()] if len(terms) <= _MOST_GROUPED else []
            if 1 < len(groups) < len(terms):
                swap[a] = sp.Add(*[self.of(sp.Add(*group)) for group in groups])
        if swap:
            yield sp.Mul(*[swap.get(f, f) for f in sp.Mul.make_args(e)])

    def _by_terms(self, e: Any) -> Iterator[Any]:
        """Shorten the quotients in a sum, each on its own: log(1 - exp(-z)) - z/(exp(z) - 1).

        In what has no exponentials, those of sums: (1/(1 + x)² + 1/(x (1 + x))) y - z.
        """
        terms = sp.Add.make_args(e) if e.is_Add else ()
        quotients = [t for t in terms if divides_by(t) or (self.joins and _has_quotient_of_sums(t))]
        if quotients:
            yield sp.Add(*[self.of(t) if t in quotients else t for t in e.args])
        if self.joins and e.is_Mul:
            sums = [f for f in e.args if f.is_Add and _divides(f)]
            found = [e / f * made for f in sums if (made := self.of(f)) != f]
            yield from [way for way in found if keeps_divisors(e, way)]

    def _order(self, e: Any) -> tuple[Any, int, int]:
        """Say how a form ranks, which is asked again wherever it is compared with another one."""
        found = self._orders.get(e)
        if found is None:
            found = self._orders[e] = self._ranked(e)
        return found

    def _ranked(self, e: Any) -> tuple[Any, int, int]:
        """Of forms that are equally long, prefer products to sums, and few symbols: x (1 - y).

        Nobody divides by σ, nor writes √(2π) φ(x) for exp(-x²/2), nor exp(z) beside σ(z), nor
        exp(z) (exp(-z) - 1) for 1 - exp(z), nor σ(z) - σ(z)², nor r (-x - y) for -r (x + y).
        """
        under = [p for p in e.atoms(sp.Pow) if p.exp.is_negative and isinstance(p.base, sigmoid)]
        is_undone = self.shares and e.has(_ROOT_OF_PI) and e.has(normal_pdf)
        symbols = sum(bool(s.is_Symbol) for s in sp.preorder_traversal(e))
        odd = 2 * (len(under) + is_undone + takes_back(e)) + _MIXED * mixed_kinds(e)
        sums = e.atoms(sp.Add)
        odd += sum(bool(slopes(a.args)) for a in sums) if e.has(sigmoid) else 0
        inner = sums - {e} if self.shares else ()
        odd += _TURNED * sum(all(t.could_extract_minus_sign() for t in a.args) for a in inner)
        return self._without_number(e) + odd, len(sums), symbols

    def _without_number(self, e: Any) -> Any:
        """Measure arrays with the number in front of them, also one that all terms have."""
        number, rest = sp.S.One, e
        if not self.joins:
            number, rest = e.primitive() if e.is_Add else e.as_coeff_Mul()
        if number.is_Integer:
            return self.length(e)
        return min(self.length(e), self.length(number) + self.length(rest))


_TURNED = 0.5
"""How much longer a sum in a formula counts that has nothing but minus signs."""

_MIXED = 2.5
"""How much longer a form may be that has one function of z, and not exp(z) beside σ(z)."""


def _divides(total: Any) -> bool:
    """Say whether terms of a sum are divided by something: 1 + (r - s)/s."""
    powers = [f.as_base_exp()[1] for t in total.args for f in sp.Mul.make_args(t)]
    return any(k.is_Integer and k.is_negative for k in powers)


def _divides_by_sums(e: Any) -> bool:
    """Say whether something is divided by a whole power of a sum."""
    powers = e.atoms(sp.Pow)
    return any(p.base.is_Add and p.exp.is_Integer and p.exp.is_negative for p in powers)


def _by_divisors(terms: Iterable[Any]) -> dict[Any, list[Any]]:
    """Put the terms of a sum together that are divided by powers of the same sums."""
    found: dict[Any, list[Any]] = {}
    for t in terms:
        pairs = [f.as_base_exp() for f in sp.Mul.make_args(t)]
        below = frozenset(b for b, k in pairs if b.is_Add and k.could_extract_minus_sign())
        found.setdefault(below, []).append(t)
    return found


def _is_nested(e: Any) -> bool:
    """Say whether a sum has a sum among the factors of its terms: s (1 - r) + t r.

    Of what has decimals no number comes out, which would be one without a meaning.
    """
    if any(short_decimal(abs(number)) is not None for number in e.atoms(sp.Rational)):
        return False
    return any(f.is_Add for a in e.atoms(sp.Add) for t in a.args for f in sp.Mul.make_args(t))


def _has_quotient_of_sums(e: Any) -> bool:
    """Say whether a sum in a product has terms that are divided by sums."""
    sums = [f for f in sp.Mul.make_args(e) if f.is_Add]
    return any(p.exp.is_negative and p.base.is_Add for s in sums for p in s.atoms(sp.Pow))


def _joined(e: Any) -> Iterator[Any]:
    """Join signs with absolute values, and powers and roots of one sum with each other."""
    signed = with_joined_signs(with_joined_exponents(e))
    if signed != e:
        yield signed
    yield from with_one_power(signed)
