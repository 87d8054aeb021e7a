"""The canonical form of a program: one way to write what can be written in many.

Every multilinear part is a sum of products, and each product is one `Einsum` of sorted factors with
its number in front. The order of operands, the names of dummy indices, how a product was bracketed,
where its number, its transposes and its factors of one stood: none of it is left. Like products are
added. The form is for reading and comparing; what is computed is associated by cost instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from itertools import permutations, product
from math import factorial, inf, prod
from typing import Any, NamedTuple

from symtape.calculus.terms.association import Factor, number_step, split_numbers
from symtape.calculus.terms.expansion import Expander, Terms
from symtape.calculus.terms.sizeless import sizeless
from symtape.calculus.terms.terms import Term, placed_sum
from symtape.errors import ExpansionError
from symtape.program.operations import Input, Operation
from symtape.program.program import Builder, Program

_MOST_ORDERS = 720
"""How many orders of equal factors are tried to find the first."""

Code = tuple[Any, ...]


def canonical(
    program: Program, outputs: Sequence[int], most: int | None = None
) -> tuple[Program, list[int]]:
    """Rewrite what some positions are computed from; give the program and their new positions.

    Raises `ExpansionError` where more than `most` products would be written.

    >>> from symtape.program.operations import Einsum, Input
    >>> b = Builder()
    >>> x, y = b.append(Input("float64", (2, 3))), b.append(Input("float64", (3, 4)))
    >>> xy = b.append(Einsum.of([(0, 1), (1, 2)], (0, 2)), x, y)
    >>> turned = b.append(Einsum.of([(0, 1)], (1, 0)), xy)
    >>> print(canonical(b.finish(), [turned])[0])
    v0 = input[float64, (2, 3)]  # float64 (2, 3)
    v1 = input[float64, (3, 4)]  # float64 (3, 4)
    v2 = einsum[ij,jk->ki](v0, v1)  # float64 (4, 2)
    """
    return _Canonical(program, most).run(outputs)


class Digest(NamedTuple):
    """What a step is, in a few bytes: whatever the sizes, by which is sorted, and with them."""

    plain: bytes
    whole: bytes


class _Sorting(Expander):
    """Sorts operands by what they are computed from, not by when."""

    def __init__(self, b: Builder, digest: Callable[[int], Digest]) -> None:
        super().__init__(b)
        self.digest = digest

    def key(self, position: int) -> Digest:
        """Give a description of the position."""
        return self.digest(position)


class _Canonical:
    def __init__(self, program: Program, most: int | None) -> None:
        self.program = program
        self.b = Builder()
        self.left = inf if most is None else most
        self.digests: dict[int, Digest] = {}
        self.settled: set[int] = set()
        self.expander = _Sorting(self.b, self.digest)

    def run(self, outputs: Sequence[int]) -> tuple[Program, list[int]]:
        place: dict[int, int] = {}
        for p in self.program.inputs():
            at = self._input(p)
            place[p] = at if prod(self.b.shapes[at]) else self.written([], at)  # there is nothing
        for p in self.program.ancestors(outputs):
            if p not in place:
                operation, *operands = self.program.steps[p]
                at = self.b.append(operation, *[place[i] for i in operands])
                terms = self.expander.expand(at)
                place[p] = self.written(terms, at)
        self.b.recorded = 0
        return self._pruned([place[p] for p in outputs])

    def _input(self, p: int) -> int:
        self.settled.add(len(self.b.steps))
        self.b.steps.append(self.program.steps[p])
        self.b.shapes.append(self.program.shapes[p])
        self.b.dtypes.append(self.program.dtypes[p])
        at = len(self.b.steps) - 1
        self.digests[at] = Digest(b"%d" % at, b"%d" % at)
        return at

    def _pruned(self, outputs: Sequence[int]) -> tuple[Program, list[int]]:
        """Copy what is left, operands before results in the order of the operands."""
        made = Builder()
        place: dict[int, int] = {}
        for p in self.b.inputs():
            place[p] = len(made.steps)
            made.steps.append(self.b.steps[p])
            made.shapes.append(self.b.shapes[p])
            made.dtypes.append(self.b.dtypes[p])
        stack = list(reversed(outputs))
        while stack:
            p = stack[-1]
            operation, *operands = self.b.steps[p]
            waiting = [i for i in operands if i not in place]
            if p in place or not waiting:
                stack.pop()
            if p not in place and not waiting:
                place[p] = made.append(operation, *[place[i] for i in operands])
            stack += reversed(waiting)
        return made.finish(), [place[p] for p in outputs]

    # --- writing a sum of products ----------------------------------------------------------------

    def written(self, terms: Terms, at: int) -> int:
        """Write a sum in canonical order; a single factor that stands as it is, is itself."""
        shape, dtype = self.b.shapes[at], self.b.dtypes[at]
        found: dict[Code, Term] = {}
        for term in terms:
            code, ordered = self.coded(self.with_settled_factors(term))
            if code in found:
                ordered = ordered._replace(number=found[code].number + ordered.number)
            found[code] = ordered
        kept = [found[code] for code in sorted(found) if found[code].number]
        made = [(self._product(term, dtype), term) for term in kept]
        position = placed_sum(self.b, made, shape, self.expander.sizes, dtype)
        self.expander.known.setdefault(position, [term for _, term in made])
        self.settled.add(position)
        return position

    def with_settled_factors(self, term: Term) -> Term:
        """Write the factors that slices and reshapes of factors gave in canonical form, too."""
        pending = [f for f in term.factors if f[0] not in self.settled]
        while pending:
            factor = pending.pop()
            at, indices = factor
            terms = self.expander.expand(at)
            inner = self.expander.copied(terms[0]) if len(terms) == 1 else None
            found = inner and self.expander.substituted(term, factor, inner)
            if [[p for p, _ in t.factors] for t in terms] == [[at]]:
                self.settled.add(at)
            elif found:
                term = found
                pending = [f for f in term.factors if f[0] not in self.settled]
            else:
                made = (self.written(terms, at), indices)
                factors = tuple([made if f is factor else f for f in term.factors])
                term = term._replace(factors=factors)
        return term

    def _product(self, term: Term, dtype: Any) -> Factor:
        """Write one product: one `Einsum` of all factors, and a number in front."""
        used = term.used
        order = [i for i in term.placed if i in used]
        factors = [*term.factors]
        if len(factors) == 1:  # a factor as it stands keeps its axes of size one
            own = factors[0][1]
            order = [*own] if order == [i for i in own if self.expander.sizes[i] != 1] else order
        if not factors:
            return number_step(self.b, term.number, dtype), ()
        at = self.b.einsum([own for _, own in factors], order, [p for p, _ in factors])
        if term.number != 1:
            at = self.b.multiply(number_step(self.b, term.number, self.b.dtypes[at]), at)
        return at, tuple(order)

    # --- the order of factors ---------------------------------------------------------------------

    def coded(self, term: Term) -> tuple[Code, Term]:
        """Sort the factors; give a code that equal products share, whatever their indices' names.

        Factors are sorted by what they are. Among equal ones every order is tried, and the one
        with the smallest code is taken.
        """
        self.left -= 1
        if self.left < 0:
            raise ExpansionError("the canonical form has too many products")
        number, given = split_numbers(self.b, term.factors)
        factors = [(p, self._own_units(own)) for p, own in given]
        groups: dict[Digest, list[Factor]] = {}
        for factor in factors:
            groups.setdefault(self.digest(factor[0]), []).append(factor)
        ordered = [groups[digest] for digest in sorted(groups)]
        best: tuple[Code, list[Factor]] | None = None
        for chosen in _orders(ordered):
            code = self._code(term, chosen)
            if best is None or code < best[0]:
                best = code, chosen
        assert best is not None  # noqa: S101 - there is an order of no factors, too
        return best[0], term._replace(factors=tuple(best[1]), number=term.number * number)

    def _own_units(self, indices: Sequence[int]) -> tuple[int, ...]:
        """Name axes of size one by indices of their own: they say nothing of other factors."""
        sizes, fresh = self.expander.sizes, self.expander.fresh
        return tuple([fresh(1) if sizes[i] == 1 else i for i in indices])

    def _code(self, term: Term, factors: Sequence[Factor]) -> Code:
        names: dict[int, int] = {}
        sizes = self.expander.sizes

        def name(i: int) -> int:
            return -1 if sizes[i] == 1 else names.setdefault(i, len(names))

        places = tuple([(f.offset, tuple([(s, name(i)) for s, i in f.parts])) for f in term.axes])
        counts = tuple([sizes[i] for i in names])
        coded = [(self.digest(p), tuple([name(i) for i in own])) for p, own in factors]
        where = tuple([(min(offset, 1), parts) for offset, parts in places])
        first = where, len(counts), tuple([(digest.plain, own) for digest, own in coded])
        return *first, places, counts, tuple(coded)

    def digest(self, p: int) -> Digest:
        """Describe a position by what it is computed from, in a few bytes."""
        if p in self.digests:
            return self.digests[p]
        for q in self.b.ancestors([p], self.digests):
            if q not in self.digests:
                operation, *operands = self.b.steps[q]
                own = [self.digests[i] for i in operands]
                if type(operation) is Input:
                    own = [Digest(b"%d" % q, b"%d" % q)]
                plain = _digest(operation, sizeless(operation), [d.plain for d in own])
                whole = _digest(operation, operation.parameters, [d.whole for d in own])
                self.digests[q] = Digest(plain, whole)
        return self.digests[p]


def _digest(operation: Operation, told: Any, parts: Sequence[bytes]) -> bytes:
    text = repr((type(operation).__name__, told)).encode()
    return blake2b(b"|".join([text, *parts]), digest_size=16).digest()


def _orders(groups: Sequence[list[Factor]]) -> Iterable[list[Factor]]:
    """Try every order within each group, if they are not too many."""
    if prod(factorial(len(group)) for group in groups) > _MOST_ORDERS:
        yield [factor for group in groups for factor in group]
        return
    for chosen in product(*[permutations(group) for group in groups]):
        yield [factor for part in chosen for factor in part]
