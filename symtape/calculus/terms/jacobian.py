"""Jacobians: a reverse sweep that starts from Kronecker deltas and keeps them.

The cotangent of a step is a sum of terms (`calculus/terms/terms.py`): products of factors, with a
place for each axis of the target and of the step. An index that target and step share is a delta.
It passes through everything that is elementwise, a contraction or a regular selection of elements
without being multiplied out: so the Jacobian of an elementwise function stays a diagonal, that of
a difference scheme its bands. Operations that a delta cannot pass see the other indices as a batch.

After Laue, Mitterreiter, Giesen: A simple and efficient tensor calculus, AAAI 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symtape.calculus.derive import Derived, connected, gradient, reconnected
from symtape.calculus.terms.association import multiply_out
from symtape.calculus.terms.propagation import Propagation
from symtape.calculus.terms.terms import (
    Term,
    assembled,
    total,
    volume,
)
from symtape.program.kinds.placement import Placement
from symtape.program.operations import DType
from symtape.program.program import Program

_KEPT_APART = 4
_LONGEST = 8
"""How many factors a term may have before they are multiplied out."""


def jacobian(
    program: Program, target: int, sources: Sequence[Sequence[int]], *, batch: bool = False
) -> Derived:
    """Derive the Jacobian of a target with respect to each source, of shape target + source.

    With `batch`, the first axis of target and source is a batch: the derivative of the sum over the
    batch of the target, of shape (batch, rest of target, rest of source).
    """
    shapes = program.shapes
    if not shapes[target] and not any([shapes[p] for group in sources for p in group]):
        return gradient(program, [target], sources)  # of scalars by scalars: there are no axes
    return _Sweep(program, target, sources).run(batch=batch)


class _Sweep(Propagation):
    def __init__(self, program: Program, target: int, sources: Sequence[Sequence[int]]) -> None:
        super().__init__(program)
        self.target = target
        self.sources = sources
        self.wanted = {p for group in sources for p in group}
        self.needed = connected(program, [target], self.wanted)
        self.received: dict[int, list[Term]] = {}

    def run(self, *, batch: bool) -> Derived:
        if self.needed[self.target]:
            axes = self.fresh_forms(self.program.shapes[self.target])
            self.received[self.target] = [Term(axes[1:] if batch else axes, axes)]
        found: dict[int, list[Term]] = {}
        for p in range(self.target, -1, -1):
            terms = self.received.pop(p, None)
            if terms is None:
                continue
            terms = self.merged(p, terms)
            if p in self.wanted:
                found[p] = terms
            self.pass_on(p, terms)
        outputs = []
        for group in self.sources:
            own = [p for p in group if self.needed[p]]
            parts = [self.assembled(p, found.get(p, []), batch=batch) for p in own]
            outputs.append(self.b.total(parts) if parts else None)
        return Derived(*reconnected(self.b.finish(), len(self.program), outputs))

    def assembled(self, source: int, terms: Sequence[Term], *, batch: bool) -> int:
        """Write the sum of terms as an array with the axes of target and source."""
        if batch:
            terms = [t._replace(target=(t.axes[0], *t.target), axes=t.axes[1:]) for t in terms]
        own, of = self.program.shapes[self.target], self.program.shapes[source]
        shape = (*of[:1], *own[1:], *of[1:]) if batch else own + of
        dtype = self.b.dtypes[source]
        return assembled(self.b, terms, shape, self.sizes, dtype)

    def pass_on(self, p: int, terms: Sequence[Term]) -> None:
        operation, *operands = self.program.steps[p]
        wanted = [k for k, i in enumerate(operands) if self.needed[i] and operation.connects(k)]
        for term in terms if wanted else ():
            for k, part in self.passed(p, operation, operands, term, wanted):
                self.received.setdefault(operands[k], []).append(part)

    # --- adding terms up --------------------------------------------------------------------------

    def merged(self, p: int, terms: list[Term]) -> list[Term]:
        """Add up the terms of one pattern, unless that would multiply out a product of low rank."""
        dtype = self.b.dtypes[p]
        groups: dict[tuple[Placement, int], list[Term]] = {}
        for term in terms:
            groups.setdefault(term.pattern(self.sizes), []).append(term)
        found: list[Term] = []
        for group in groups.values():
            if len(group) > 1 and (len(group) > _KEPT_APART or self.is_cheap(group[0])):
                found.append(total(self.b, group, self.sizes, dtype))
            else:
                found += [self.shortened(term, dtype) for term in group]
        return found

    def is_cheap(self, term: Term) -> bool:
        """Say whether a term multiplied out is no larger than the target or the step."""
        axes = volume((i for form in term.axes for i in form.indices), self.sizes)
        target = volume((i for form in term.target for i in form.indices), self.sizes)
        return volume(term.placed, self.sizes) <= max(axes, target, 16)

    def shortened(self, term: Term, dtype: DType) -> Term:
        """Multiply out a long product, so that the chain rule stays linear in its length."""
        if len(term.factors) <= _LONGEST:
            return term
        found = multiply_out(self.b, term.factors, term.placed, self.sizes, Fraction(1), dtype)
        return term._replace(factors=(found,))
