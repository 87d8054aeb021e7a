"""How an entry is written in the shortest way, where several are equal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Diagonal, Matrix, Product, Selection, Turned, inner
from symtape.forms.matrix.sums.content import content
from symtape.forms.matrix.writing.binary import of_zeros_and_ones
from symtape.forms.matrix.writing.inverses import with_scales_in_inverses
from symtape.forms.named import ENTIRE
from symtape.forms.scalars.elements import MOST_NODES, Shortener
from symtape.forms.scalars.powers.roots import short_decimal
from symtape.forms.scalars.quotients import divisors

_ENTIRE = (sp.exp, sp.sin, sp.cos, sp.tanh, sp.erf, *ENTIRE)
"""Functions that are defined everywhere."""


class Shortening(Algebra):
    """Writes every formula in the shortest way."""

    def __init__(self, symmetric: Collection[str] = (), nonzero: Collection[str] = ()) -> None:
        super().__init__(symmetric, nonzero)
        self._normal: dict[Any, Any] = {}
        self._shorteners: list[Shortener] = []
        self.begin_anew()

    def begin_anew(self, divisors: Sequence[Any] = ()) -> None:
        """Let what follows be shortened as if nothing had been; `divisors` are zero nowhere.

        What they make no difference for is known then.
        """
        if divisors:
            for shortener in self._shorteners:
                shortener.learn(divisors)
            self._normal.clear()
        else:
            self._shorteners = [Shortener(self.length_of, joins=joins) for joins in (False, True)]

    def has_long_divisors(self, x: Matrix) -> bool:
        """Say whether a formula is short, and divides by sums that may be zero and may cancel."""
        may_know_more = any(own.may_know_more for own in self._shorteners)
        is_short = isinstance(x.entry, sp.Expr) and self.length(x) <= MOST_NODES
        return may_know_more and is_short and any(map(_may_cancel, self._entries(x.entry)))

    def _entries(self, e: Any) -> Iterator[Any]:
        """List an entry, and those of the diagonals and factors that it is made of."""
        yield e
        nodes = [self.nodes[symbol] for symbol in e.free_symbols]
        for part in (x for n in nodes if isinstance(n, (Diagonal, Product)) for x in inner(n)):
            yield from self._entries(part.entry)

    def normal(self, x: Matrix) -> Matrix:
        """Write an entry in the shortest way."""
        if not isinstance(x.entry, sp.Expr):
            return x
        if x.entry not in self._normal:
            self._normal[x.entry] = self._shortest(x)
        return Matrix(self._normal[x.entry], x.shape)

    def _shortest(self, x: Matrix) -> Any:
        apart = x if 1 in x.shape else Matrix(of_zeros_and_ones(self, x.entry), x.shape)
        apart = _with_places_alone(_diagonals_joined(apart, self), self)
        joined = scalars_out(_squares_turned(apart, self), self)
        made = scalars_out(self._shorteners[x.is_scalar].of(joined), self)
        made = with_scales_in_inverses(made, self)
        if x.is_scalar:
            return made
        if (joined := _ones_joined(made, self)) != made:
            return self._shortest(Matrix(joined, x.shape))
        if 1 not in x.shape:
            made = min([made, *self._by_arrays(made)], key=self.length_of)
        return self._with_scale_within(self._scales_shortened(_shared_scalar_out(made, self)))

    def _by_arrays(self, e: Any) -> Iterator[Any]:
        """Write s (A + t B), or s A + u B, for a sum in which matrices stand in several terms.

        Nothing may be divided by then that was not.
        """
        found = _scales_of_arrays(e, self)
        shorten = self._shorteners[True].of
        if found:
            ways = [sp.Add(*[shorten(c) * a for a, c in found.items()])]
            for first, scale in found.items():
                inner = [shorten(c / scale) * a for a, c in found.items() if a != first]
                ways.append(shorten(scale) * sp.Add(first, *inner))
            before = _divided(e)
            yield from (way for way in ways if _divided(way) == before)

    def _with_scale_within(self, e: Any) -> Any:
        """Write diag(u + v / c) for diag(c u + v) / c, where that is shorter."""
        scale, entry = _of_array(e, self)
        node = self.nodes.get(entry)
        if scale.is_number or not isinstance(node, Diagonal):
            return e
        inner = self.normal(Matrix(scale * node.of.entry, node.of.shape))
        return min(e, self.diagonal(inner).entry, key=self.length_of)

    def _scales_shortened(self, e: Any) -> Any:
        """Shorten the scalars that arrays are multiplied by, as scalars are: s (1 + t/s) is s + t.

        Fractions in them become one, which between arrays would hide what is alike.
        """
        terms = []
        for term in sp.Add.make_args(e):
            scale = sp.Mul(*[f for f in sp.Mul.make_args(term) if not self.arrays(f)])
            made = term
            if scale.has(sp.Add) and scale != term:
                made = self._shorteners[True].of(scale) * (term / scale)
            terms.append(min(term, made, key=self.length_of))
        return sp.Add(*terms)


def without_zeros(x: Matrix) -> Matrix:
    """Leave out short sums within an entry that are nothing when they are multiplied out."""
    sums = [e for e in x.entry.atoms(sp.Add) if _may_vanish(e)]
    swap = {e: sp.S.Zero for e in sums if sp.expand(e) == 0}
    return Matrix(x.entry.xreplace(swap), x.shape) if swap else x


def _may_vanish(total: Any) -> bool:
    """Say whether a short sum has sums in its products, and terms of both signs."""
    has_sums = any(f.is_Add for t in total.args if t.is_Mul for f in t.args)
    signs = {t.could_extract_minus_sign() for t in total.args}
    return has_sums and len(signs) > 1 and len(total.args) <= _FEW_TERMS


_FEW_TERMS = 6

_MOST_SCALES = 4
"""Sums of so many arrays are written by these."""


def _scales_of_arrays(e: Any, algebra: Algebra) -> dict[Any, Any]:
    """Give what each array of a multiple of a sum is multiplied by, if one stands there twice."""
    factors = sp.Mul.make_args(e)
    within = [f for f in factors if algebra.arrays(f)]
    if len(within) != 1 or not within[0].is_Add:
        return {}
    terms = sp.Add.make_args(sp.expand_mul(within[0], deep=False))
    found: dict[Any, Any] = {}
    for term in terms:
        own = sp.Mul(*[f for f in sp.Mul.make_args(term) if algebra.arrays(f)])
        found[own] = found.get(own, 0) + term / own
    if not 1 < len(found) < min(len(terms), _MOST_SCALES + 1) or not all(found.values()):
        return {}
    return {own: e / within[0] * scale for own, scale in found.items()}


def _may_cancel(e: Any) -> bool:
    """Say whether sums that may be zero divide several terms, or what has other sums.

    Or whether their terms have a factor in common, as those of s² - r² s² have.
    """
    below = {b for b in _divided(e) if b.is_Add}
    places = [p for p in sp.preorder_traversal(e) if p.is_Pow and p.base in below]
    is_among_sums = below and e.atoms(sp.Add) - below - {e}
    return len(places) > 1 or bool(is_among_sums) or any(map(_have_common_factor, below))


def _have_common_factor(total: Any) -> bool:
    own = [{f.as_base_exp()[0] for f in sp.Mul.make_args(t)} for t in total.args]
    return any(not base.is_number for base in set.intersection(*own))


def _divided(e: Any) -> set[Any]:
    """List what an entry divides by and may be zero."""
    return {b for b in divisors(e, surely=True) if not b.is_nonzero and not b.is_positive}


def _ones_joined(e: Any, algebra: Algebra) -> Any:
    """Write 1 for 𝟏 𝟏ᵀ in an entry, beside a number, and in products and functions of entries."""
    ones = {s: n for s in algebra.arrays(e) if (n := entry_of_ones(s, algebra)) is not None}
    if not ones:
        return e
    swap = {}
    for total in e.atoms(sp.Add):
        if total.as_coeff_Add()[0]:
            swap[total] = total.xreplace(ones)
    e = e.xreplace(swap)
    terms = [t for t in sp.Add.make_args(e) if t.as_independent(*ones)[1] in ones]
    alone = {t: sp.Dummy() for t in terms if len(algebra.arrays(t)) == 1}
    back = {d: t for t, d in alone.items()}
    return e.xreplace(alone).xreplace(ones).xreplace(back)


def entry_of_ones(symbol: Any, algebra: Algebra) -> Any:
    """Give the entry of a multiple of 𝟏 𝟏ᵀ, which has one for all places."""
    node = algebra.nodes.get(symbol)
    if isinstance(node, Product) and all(part.entry.is_number for part in node.parts):
        return sp.Mul(*[part.entry for part in node.parts])
    return None


def _with_places_alone(x: Matrix, algebra: Algebra) -> Any:
    """Write exp(z) - exp(z[k]) e for exp(z) ⊙ (𝟏 - e), where e is the unit vector at place k.

    Of what is defined everywhere, where that is shorter.
    """
    e = x.entry
    if not x.is_column or not isinstance(e, (sp.Add, sp.Mul)):
        return e
    terms = sp.Add.make_args(e)
    for (unit, row), own in _terms_by_unit(terms, algebra):
        within = sp.Add(*own)
        if not within.is_polynomial(unit):
            continue
        off, on = (within.xreplace({unit: sp.Integer(k)}) for k in (0, 1))
        slope = sp.expand_mul(on - off)
        arrays = algebra.arrays(slope)
        if not arrays or not _is_defined(slope, algebra):
            continue
        at = algebra.of(row)
        swap = {s: algebra.product(at, algebra.of(algebra.nodes[s])).entry for s in arrays}
        rest = [t for t in terms if t not in own]
        made = sp.Add(*rest, off, slope.xreplace(swap) * unit)
        if algebra.length_of(made) < algebra.length_of(e):
            return _with_places_alone(Matrix(made, x.shape), algebra)
    return e


def _terms_by_unit(
    terms: Sequence[Any], algebra: Algebra
) -> list[tuple[tuple[Any, Selection], list[Any]]]:
    """List the unit vectors in terms with their rows, each with the terms that it stands in."""
    found: dict[tuple[Any, Selection], list[Any]] = {}
    for term in terms:
        for symbol in algebra.arrays(term):
            if (row := _row_of(symbol, algebra)) is not None:
                found.setdefault((symbol, row), []).append(term)
    return sorted(found.items(), key=lambda pair: algebra.place(pair[0][0]))


def _row_of(symbol: Any, algebra: Algebra) -> Selection | None:
    """Give the row of the unit matrix whose transpose a symbol is."""
    node = algebra.nodes[symbol]
    row = node.of if isinstance(node, Turned) else None
    return row if isinstance(row, Selection) and row.shape[0] == 1 else None


def _is_defined(e: Any, algebra: Algebra) -> bool:
    """Say whether an entry is defined whatever its arrays are."""
    below = [p.base for p in e.atoms(sp.Pow) if not p.exp.is_nonnegative]
    functions = [f for f in e.atoms(sp.Function) if not isinstance(f, _ENTIRE)]
    return not any(algebra.arrays(a) and not a.is_nonzero for a in (*below, *functions))


def _squares_turned(e: Any, algebra: Algebra) -> Any:
    """Write (a - b)² for (b - a)², so that the two are one."""
    squares = [p for p in e.atoms(sp.Pow) if p.base.is_Add and p.exp.is_even]
    free = [p for p in squares if not any(t.is_number for t in p.base.args)]
    turned = [p for p in free if content(p.base, algebra)[0].could_extract_minus_sign()]
    return e.xreplace({p: sp.Add(*[-t for t in p.base.args]) ** p.exp for p in turned})


def scalars_out(e: Any, algebra: Algebra) -> Any:
    """Take out of the sums in a product the scalars that all of their terms have in common."""
    if not isinstance(e, sp.Mul) or not any(f.is_Add for f in e.args):
        return e
    number = e.as_coeff_Mul()[0]
    if number.is_Rational and (number.q > 1 or _are_multiples(e)):  # also of 2 (s - t) A
        e = sp.Mul(*[_sums_apart(f, algebra) if f.is_Add else f for f in e.args])
    pairs = [content(f, algebra) if f.is_Add else (sp.S.One, f) for f in e.args]
    if number.is_Rational and number.q > 1:
        pairs = [(c * n, rest) for c, f in pairs for n, rest in [_mean_out(f, number.q, algebra)]]
    if all(number == 1 for number, _ in pairs):
        return e
    return sp.Mul(*[factor for pair in pairs for factor in pair])


def _mean_out(e: Any, below: int, algebra: Algebra) -> tuple[Any, Any]:
    """Write x - 𝟏ᵀ x / 5 for 5 x - 𝟏ᵀ x where a 5 stands below it: the number, and the rest."""
    terms = [(t, t.as_coeff_Mul()[0]) for t in e.args] if e.is_Add else []
    others = {abs(c) for t, c in terms if not algebra.is_total(t)}
    (n,) = others if len(others) == 1 else (sp.S.One,)
    is_mean = any(algebra.is_total(t) for t, _ in terms)
    if not is_mean or not n.is_Integer or n == 1 or below % n:
        return sp.S.One, e
    return n, sp.Add(*[t / n for t, _ in terms])


def _shared_scalar_out(e: Any, algebra: Algebra) -> Any:
    """Write (aᵀx - s) (t a - b) for t (aᵀx - s) a + (s - aᵀx) b, where that is shorter."""
    if not isinstance(e, sp.Add):
        return e
    terms = []
    for term in e.args:
        factors = sp.Mul.make_args(term)
        sums = {f: content(f, algebra) for f in factors if f.is_Add and not algebra.arrays(f)}
        terms.append(sp.Mul(*[x for f in factors for x in sums.get(f, (f,))]))
    scale, rest = content(sp.Add(*terms), algebra)
    is_shared = any(f.is_Add for f in sp.Mul.make_args(scale))
    return min(e, scale * rest, key=algebra.length_of) if is_shared else e


def _sums_apart(e: Any, algebra: Algebra) -> Any:
    """Write the numbers in the scalar sums of each term in front of them: 2 (s - t) A."""
    terms = []
    for term in e.args:
        factors = sp.Mul.make_args(term)
        scalars = [f for f in factors if f.is_Add and not algebra.arrays(f)]
        apart = [x for f in scalars for x in ((f,) if _is_decimal(f) else f.primitive())]
        terms.append(sp.Mul(*[f for f in factors if f not in scalars], *apart))
    return sp.Add(*terms)


def _diagonals_joined(x: Matrix, algebra: Algebra) -> Matrix:
    """Write the diagonal of a sum for a sum of diagonals.

    Scalars go in with what they multiply where that is no longer: diag(u - v / s).
    """
    terms = [_of_array(e, algebra) for e in sp.Add.make_args(x.entry)]
    on = [(c, node.of) for c, e in terms if isinstance(node := algebra.nodes.get(e), Diagonal)]
    if len(on) < 2:
        return x
    rest = [c * e for c, e in terms if not isinstance(algebra.nodes.get(e), Diagonal)]
    whole = algebra.plus(*[algebra.times(algebra.number(c), v) for c, v in on])
    made = Matrix(sp.Add(*rest, algebra.diagonal(whole).entry), x.shape)
    if all(c.is_number for c, _ in on):
        return made
    return made if algebra.length(made) <= algebra.length(x) else x


def _of_array(term: Any, algebra: Algebra) -> tuple[Any, Any]:
    """Give the scalars and numbers of a term, and the array that they multiply."""
    arrays = algebra.arrays(term)
    if len(arrays) != 1 or not isinstance(term, sp.Mul) or arrays[0] not in term.args:
        return sp.S.One, term
    return term / arrays[0], arrays[0]


def _are_multiples(e: Any) -> bool:
    """Say whether a term of a sum in a product is multiplied by a whole number."""
    terms = [t for f in e.args if f.is_Add for t in f.args]
    return any(c.is_Integer and abs(c) > 1 for c, _ in (t.as_coeff_Mul() for t in terms))


def _is_decimal(e: Any) -> bool:
    """Say whether a sum has a decimal number."""
    return any(short_decimal(abs(t.as_coeff_Mul()[0])) for t in e.args)
