"""A step as a sum of products: what is multilinear is read through, the rest are factors.

Products, sums, scalings, transposes, diagonals and selections are taken apart; what cannot be, an
elementwise function, a maximum, an inverse, is a factor. The result says of an array what a person
wants to know of it: which factors it is made of, and where they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from symtape.calculus.terms.association import Factor, exact_fraction
from symtape.calculus.terms.places import Places, intersection
from symtape.calculus.terms.terms import Term, is_plain
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.kinds.placement import Form
from symtape.program.kinds.structural import Range
from symtape.program.operations import Operation, Shape, parameters
from symtape.program.program import Builder

LONGEST = 32
"""How many factors a product may have before it is a factor itself."""

Terms = list[Term]


class Expander(Places):
    """Expands positions of a builder, which grows by the slices and reciprocals of factors."""

    def __init__(self, b: Builder) -> None:
        super().__init__(b)
        self.known: dict[int, Terms] = {}

    def expand(self, position: int) -> Terms:
        """Give the sum of products that a position is."""
        if position in self.known:
            return self.known[position]
        for p in self.b.ancestors([position], self.known):
            if p not in self.known:
                self.known[p] = self._expanded(p)
        return self.known[position]

    def atom(self, p: int) -> Term:
        """Be one factor."""
        shape = self.b.shapes[p]
        forms = self.fresh_forms(shape)
        units = self.units()
        indices = tuple([form.indices[0] if form.parts else next(units) for form in forms])
        return Term((), forms, ((p, indices),))

    def _expanded(self, p: int) -> Terms:
        operation, *operands = self.b.steps[p]
        if 0 in self.b.shapes[p]:
            return []  # an array without elements is zero
        rule = RULES.get(type(operation))
        found = rule(self, p, operation, operands) if rule else None
        if found is None or any(len(t.factors) > LONGEST for t in found):
            return [self.atom(p)]
        return [self._upright(term) for term in found if not self._is_empty(term)]

    def _is_empty(self, term: Term) -> bool:
        """Say whether a sum over no elements is part of a term."""
        return any([self.sizes[i] == 0 for i in term.used.union(term.placed)])

    def _upright(self, term: Term) -> Term:
        """Let every index count upwards along the first axis that has it."""
        seen: set[int] = set()
        for form in term.axes:
            for stride, i in form.parts:
                if stride < 0 and i not in seen:
                    n = self.sizes[i]
                    places = Form.of(self.fresh(n)).scaled(n - 1, -1)
                    term = self.narrowed(term, i, (n - 1, -1, n), places)
                seen.add(i)
        return term

    # --- rules: None where the step is a factor -------------------------------------------------

    def _constant(
        self, _: int, operation: kinds.Constant, _operands: Sequence[int]
    ) -> Terms | None:
        number = exact_fraction(operation.number)
        if number is None:
            return None
        return [Term((), (), (), number)] if number else []

    def _count(self, _: int, operation: kinds.Count, operands: Sequence[int]) -> Terms:
        count = Fraction(operation.count(self.b.shapes[operands[0]]))
        return [Term((), (), (), count)] if count else []

    def _add(self, p: int, _: kinds.AddN, operands: Sequence[int]) -> Terms:
        shape = self.b.shapes[p]
        return [self._wide(t, self.b.shapes[i], shape) for i in operands for t in self._own(i)]

    def _own(self, p: int) -> Terms:
        """Give the terms of an operand with indices of their own."""
        return [self.copied(t) for t in self.known[p]]

    def copied(self, term: Term) -> Term:
        """Give a term with indices of its own."""
        indices = dict.fromkeys([*term.placed, *[i for _, own in term.factors for i in own]])
        new = {i: self.fresh(self.sizes[i]) for i in indices}
        factors = tuple([(p, tuple([new[i] for i in own])) for p, own in term.factors])
        axes = tuple([form.renamed(new) for form in term.axes])
        return Term((), axes, factors, term.number)

    def _wide(self, term: Term, own: Shape, shape: Shape) -> Term:
        """Broadcast to a shape: an axis that is new or wider has an index that no factor has."""
        lead = len(shape) - len(own)
        axes = list(self.fresh_forms(shape[:lead]))
        for form, have, n in zip(term.axes, own, shape[lead:], strict=True):
            axes.append(form if have == n else self.fresh_forms([n])[0])
        return term._replace(axes=tuple(axes))

    def _map(self, p: int, operation: kinds.Map, operands: Sequence[int]) -> Terms | None:
        if operation is ops.subtract and self.b.dtypes[p].kind == "u":
            return None  # there is no -1
        if operation in (ops.add, ops.subtract):
            first, second = [self._add(p, ops.add_n, [i]) for i in operands]
            sign = Fraction(1 if operation is ops.add else -1)
            return first + [term.times(sign) for term in second]
        if any(self.b.dtypes[i] != self.b.dtypes[p] for i in operands):
            return None
        powers = monomial(operation, [self._number(i) for i in operands])
        if powers is None:
            return None
        number, exponents = powers
        if any(not self.known[operands[k]] for k, exponent in exponents if exponent > 0):
            return []
        shape = self.b.shapes[p]
        if [exponent for _, exponent in exponents] == [1]:
            ((k, _),) = exponents
            own = self._add(p, ops.add_n, [operands[k]])
            return [term.times(number) for term in own]
        chosen: list[tuple[int, Term]] = []
        for k, exponent in exponents:
            chosen += [self._powered(operands[k], exponent < 0) for _ in range(abs(exponent))]
        labels = [self._labels(at, own, shape) for at, own in chosen]
        output = range(-len(shape), 0)
        sizes = dict(zip(output, shape, strict=True))
        found = self._contracted(labels, output, sizes, chosen)
        return None if found is None else self._distributed(found.times(number))

    def _number(self, p: int) -> Fraction | None:
        """Give the number that a step is, if it is one."""
        operation = self.b.steps[p][0]
        return exact_fraction(operation.number) if type(operation) is kinds.Constant else None

    def _labels(self, at: int, own: Term, shape: Shape) -> list[int | None]:
        """Number the axes of an operand from the last; those that are repeated have no number."""
        have = self.b.shapes[at] if own.axes else ()
        first = -len(have)
        return [k if n == shape[k] else None for k, n in enumerate(have, first)]

    def _powered(self, p: int, below: bool) -> tuple[int, Term]:
        """Give an operand as one term, or its reciprocal."""
        if not below:
            terms = self._own(p)
            return p, terms[0] if len(terms) == 1 else self.atom(p)
        terms = self.known[p]
        if len(terms) == 1 and not terms[0].factors and not terms[0].axes and terms[0].number:
            return p, Term((), (), (), 1 / terms[0].number)
        at = self.b.append(ops.reciprocal, p)
        return at, self.atom(at)

    def _unified(self, term: Term, first: int, second: int) -> Term | None:
        """Let two axes of a term be at the same place; a term of number 0 if they never are.

        None where the places have no affine form in common.
        """
        f, g = term.axes[first], term.axes[second]
        if f == g:
            return term
        if len(f.parts) > 1 or len(g.parts) > 1 or set(f.indices) & set(g.indices):
            return None
        common = intersection(self._range(f), self._range(g))
        if common is None:
            return term._replace(number=Fraction(0))
        (start, step, count), (at, move) = common
        left = Form.of(self.fresh(count)) if count != 1 else Form()
        for form, own in ((f, (start, step, count)), (g, (at, move, count))):
            if form.parts:
                places = left.scaled(own[0], own[1])
                term = self.narrowed(term, form.indices[0], own, places)
        return term

    def substituted(self, term: Term, factor: Factor, inner: Term) -> Term | None:
        """Put one of the products that a factor is in its place."""
        rest = tuple([f for f in term.factors if f is not factor])
        first, count = len(term.axes), len(inner.axes)
        own = tuple([Form.of(i) if self.sizes[i] != 1 else Form() for i in factor[1]])
        found: Term | None = Term((), term.axes + own + inner.axes, rest, term.number)
        found = found.times(inner.number, *inner.factors) if found else None
        for k in range(first, first + count):
            found = None if found is None else self._unified(found, k, k + count)
        return None if found is None else self.moved(found, found.axes[:first])

    def _distributed(self, term: Term) -> Terms:
        """Write a term whose one factor is a sum as a sum."""
        if len(term.factors) == 1:
            (factor,) = term.factors
            several = len(self.known.get(factor[0], ())) > 1
            own = self._own(factor[0]) if several else []
            found = [self.substituted(term, factor, inner) for inner in own]
            if found and None not in found:
                return _nonzero(found)
        return _nonzero([term])

    def _range(self, form: Form) -> Range:
        """Write the places of a form of at most one part as a range."""
        if not form.parts:
            return form.offset, 1, 1
        ((stride, index),) = form.parts
        return form.offset, stride, self.sizes[index]

    def _einsum(self, p: int, operation: kinds.Einsum, operands: Sequence[int]) -> Terms | None:
        if any(not self.known[i] for i in operands):
            return []
        sizes = operation.index_sizes([self.b.shapes[i] for i in operands])
        labels = [list(term) for term in operation.inputs]
        if len(operands) == 1:
            (i,) = operands
            terms = [self._joined(labels, operation.output, sizes, [(i, t)]) for t in self._own(i)]
            if None in terms:  # one stands at places that meet nowhere in particular
                terms = [self._joined(labels, operation.output, sizes, [(i, self.atom(i))])]
            return None if None in terms else _nonzero(terms)
        chosen = []
        for i in operands:
            own = self._own(i)
            chosen.append((i, own[0] if len(own) == 1 else self.atom(i)))
        found = self._contracted(labels, operation.output, sizes, chosen)
        return None if found is None else self._distributed(found)

    def _contracted(
        self,
        labels: Sequence[Sequence[int | None]],
        output: Sequence[int],
        sizes: dict[int, int],
        chosen: Sequence[tuple[int, Term]],
    ) -> Term | None:
        """Multiply operands, each by its only term, or as factors where that has no form."""
        found = self._joined(labels, output, sizes, chosen)
        if found is None:
            found = self._joined(labels, output, sizes, [(i, self.atom(i)) for i, _ in chosen])
        return found

    def _joined(
        self,
        labels: Sequence[Sequence[int | None]],
        output: Sequence[int],
        sizes: dict[int, int],
        chosen: Sequence[tuple[int, Term]],
    ) -> Term | None:
        """Multiply one term of each operand; what no output axis has is summed over.

        Those that do not stand along whole axes come first: they say where the others are read.
        """
        names: list[int] = []
        found = Term((), ())
        plain = [self.is_dense(t, self.b.shapes[i] if t.axes else ()) for i, t in chosen]
        for k in sorted(range(len(chosen)), key=lambda k: (plain[k], self.key(chosen[k][0]))):
            merged = self._merged(found, names, labels[k], chosen[k][1])
            if merged is None:
                return None
            found = merged
        place = dict(zip(names, found.axes, strict=True))
        for i in output:
            if i not in place:
                (place[i],) = self.fresh_forms([sizes[i]])
        return self.moved(found, tuple([place[i] for i in output]))

    def _merged(
        self, term: Term, names: list[int], labels: Sequence[int | None], own: Term
    ) -> Term | None:
        """Multiply by an operand, whose axes of known names stand where those of the term do."""
        first = len(names)
        found = term._replace(axes=term.axes + own.axes).times(own.number, *own.factors)
        new: dict[int, int] = {}
        for k, name in enumerate(labels, first):
            if name is None:
                continue
            if name in names or name in new:
                at = names.index(name) if name in names else new[name]
                unified = self._unified(found, at, k)
                if unified is None:
                    return None
                found = unified
            else:
                new[name] = k
        kept = [*range(first), *new.values()]
        names += new
        return found._replace(axes=tuple([found.axes[k] for k in kept]))

    def key(self, position: int) -> Any:
        """Give what operands are sorted by where their order matters."""
        return position

    def is_dense(self, term: Term, shape: Shape) -> bool:
        """Say whether every axis of a term has an index of its own that runs along all of it."""
        indices = [i for form in term.axes for i in form.indices]
        return _distinct(indices) and all(
            is_plain(f, n, self.sizes) for f, n in zip(term.axes, shape, strict=True)
        )

    def _reshape(self, _: int, operation: kinds.Reshape, operands: Sequence[int]) -> Terms | None:
        found = [self.reshaped(t, operation.old, operation.new) for t in self._own(operands[0])]
        return None if None in found else [t for t in found if t is not None]

    def _slice(self, p: int, operation: kinds.Slice, operands: Sequence[int]) -> Terms | None:
        shape = self.b.shapes[operands[0]]
        parts = [self.restricted(t, operation.ranges, shape) for t in self._own(operands[0])]
        return None if None in parts else [t for part in parts if part is not None for t in part]

    def _assembled(self, p: int, operation: kinds.Assembly, operands: Sequence[int]) -> Terms:
        """Let each operand stand at its places; it may be repeated along indices of its own."""
        found = []
        shapes = [self.b.shapes[i] for i in operands]
        lead = len(self.b.shapes[p]) - operation.depth
        for i, (counts, forms) in zip(operands, operation.placed(shapes), strict=True):
            for term in self._own(i):
                wide = self._wide(term, self.b.shapes[i], self.b.shapes[p][:lead] + counts)
                own = [form.over(wide.axes[lead:]) for form in forms]
                found.append(wide._replace(axes=(*wide.axes[:lead], *own)))
        return found


def _nonzero(terms: Sequence[Term | None]) -> Terms:
    return [term for term in terms if term is not None and term.number]


def _distinct(indices: Sequence[int]) -> bool:
    return len(set(indices)) == len(indices)


def monomial(
    operation: kinds.Map, numbers: Sequence[Any] = ()
) -> tuple[Fraction, list[tuple[int, int]]] | None:
    """Read the body as a number times powers of the operands; None if it is none.

    `numbers` are the operands that are known.

    >>> monomial(ops.elementwise("slope of a quotient", lambda x, y: -x / y**2, 2))
    (Fraction(-1, 1), [(0, 1), (1, -2)])
    """
    symbols = parameters(operation.arity)
    body = operation.body if not any(numbers) else _with_numbers(operation, tuple(numbers))
    if operation.result != "same" or not isinstance(body, (sp.Mul, sp.Pow, sp.Symbol, sp.Rational)):
        return None
    coefficient, rest = body.as_coeff_Mul()
    number = exact_fraction(coefficient) if coefficient.is_number else None
    powers = {} if rest == 1 else rest.as_powers_dict()
    if number is None or not set(powers) <= set(symbols):
        return None
    if not all(e.is_Integer and abs(e) <= LONGEST for e in powers.values()):
        return None
    return number, [(k, int(powers[s])) for k, s in enumerate(symbols) if s in powers]


@lru_cache(maxsize=4096)
def _with_numbers(operation: kinds.Map, numbers: tuple[Any, ...]) -> sp.Basic:
    """Put known numbers into the body: a power of two is a square."""
    symbols = parameters(operation.arity)
    known = {
        s: sp.Rational(*n.as_integer_ratio()) for s, n in zip(symbols, numbers, strict=True) if n
    }
    body = operation.body.xreplace(known)
    return body.replace(
        lambda e: scalar.kind_of(e) is scalar.power and e.args[1].is_number,
        lambda e: e.args[0] ** e.args[1],
    )


RULES: dict[type[Operation], Callable[..., Terms | None]] = {
    kinds.Constant: Expander._constant,  # noqa: SLF001 - a table of the class's own rules
    kinds.Count: Expander._count,  # noqa: SLF001 - its own
    kinds.AddN: Expander._add,  # noqa: SLF001 - its own
    kinds.Map: Expander._map,  # noqa: SLF001 - its own
    kinds.Einsum: Expander._einsum,  # noqa: SLF001 - its own
    kinds.Reshape: Expander._reshape,  # noqa: SLF001 - its own
    kinds.Slice: Expander._slice,  # noqa: SLF001 - its own
    **dict.fromkeys((kinds.Embed, kinds.Concat, kinds.Assemble), Expander._assembled),  # noqa: SLF001 - its own
}
