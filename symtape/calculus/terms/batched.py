"""A term at a step that its deltas cannot pass: multiplied out there, with the rest as a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtape.calculus.derive import pullback
from symtape.calculus.slopes import Pull
from symtape.calculus.terms.association import Indices, multiply_out
from symtape.calculus.terms.places import Places
from symtape.calculus.terms.terms import Forms, Term
from symtape.program.kinds.placement import Assemble, Form, Placement, Structural
from symtape.program.kinds.structural import (
    Gather,
    Reshape,
    Scatter,
)
from symtape.program.operations import Cast, DType, Einsum, Operation
from symtape.program.program import Builder, Program

Part = tuple[int, Term]
"""What an operand, by its number, receives."""


class Batched(Places):
    """Takes terms back through operations that see the other indices as a batch."""

    def __init__(self, program: Program) -> None:
        super().__init__(Builder(program))
        self.program = program

    def through_any(
        self, p: int, operation: Operation, operands: list[int], term: Term, wanted: list[int]
    ) -> Iterator[Part]:
        """Multiply out what the operation touches, and pull it back with the rest as a batch."""
        shape, dtype = self.program.shapes[p], self.b.dtypes[p]
        lead = self.untouched(p, operation, operands, wanted)
        term = self.separated(term, shape, lead, dtype)
        kept = term.axes[:lead]
        first = {i for form in kept for i in form.indices}
        used = term.used
        target = dict.fromkeys(i for form in term.target for i in form.indices)
        batch = [i for i in target if i in used and i not in first]
        axes = [form.indices[0] if form.parts else -1 for form in term.axes]
        layout = [*batch, *axes]
        core, order = multiply_out(self.b, term.factors, layout, self.sizes, term.number, dtype)
        wide = tuple([self.sizes[i] if i in order else 1 for i in layout])
        if self.b.shapes[core] != wide:
            core = self.b.append(Reshape(self.b.shapes[core], wide), core)
        for k, at in pullback(self.b, Pull(operation, operands, p, core, wanted)):
            own = self.program.shapes[operands[k]]
            forms = kept + self.fresh_forms(own[lead:])
            yield k, Term(term.target, forms, ((at, self.indexed(at, batch, forms)),))

    def indexed(self, at: int, batch: Sequence[int], forms: Forms) -> tuple[int, ...]:
        """Name the axes of a pulled cotangent: the batch, and then those of the operand."""
        have = self.b.shapes[at]
        own = have[len(have) - len(forms) :] if len(have) > len(forms) else have
        indices = [
            form.indices[0] if form.parts and n != 1 else self.fresh(1)
            for form, n in zip(forms[len(forms) - len(own) :], own, strict=True)
        ]
        rest = len(have) - len(own)
        return (*batch[:rest], *indices)

    def untouched(
        self, p: int, operation: Operation, operands: list[int], wanted: list[int]
    ) -> int:
        """Count the first axes that an operation leaves as they are, in all of its operands."""
        shape = self.program.shapes[p]
        lead = len(shape) - self.depth(operation, operands, len(shape))
        own = [self.program.shapes[operands[k]] for k in wanted]
        broadcasts = len(operands) > 1 and type(operation) not in (Gather, Scatter)
        same = all([s[:lead] == shape[:lead] for s in own])
        aligned = not broadcasts or all([len(s) == len(shape) for s in own])
        return lead if same and aligned else 0

    def depth(self, operation: Operation, operands: list[int], rank: int) -> int:
        """Count the last axes of a result that an operation touches."""
        if type(operation) is Gather:
            own = len(self.program.shapes[operands[1]]) - operation.batch
            between = operation.between if operation.batch else 0
            return operation.after + own + between + operation.batch
        if type(operation) is Cast:
            return 0
        return operation.depth if isinstance(operation, Structural) else rank

    def separated(self, term: Term, shape: Sequence[int], lead: int, dtype: DType) -> Term:
        """Give every axis its own index, tied to its place by a matrix of zeros and ones.

        The first `lead` axes may share theirs with the target.
        """
        axes = list(term.axes)
        factors = list(term.factors)
        taken_by: set[int] = set()
        of_target = {i for form in term.target for i in form.indices}
        for k, (form, n) in enumerate(zip(term.axes, shape, strict=True)):
            own = set(form.indices)
            elsewhere = own & taken_by or (k >= lead and own & of_target)
            if elsewhere or not self.is_plain(form, n):
                axes[k] = Form.of(self.fresh(n))
                factors.append(self.selection(form, n, axes[k].indices[0], dtype))
            taken_by |= own
        return term._replace(axes=tuple(axes), factors=tuple(factors))

    def selection(self, form: Form, size: int, index: int, dtype: DType) -> tuple[int, Indices]:
        """Make the matrix that is one where an index is at a place."""
        one = self.b.constant(1, dtype)
        own = list(form.indices)
        if self.is_plain(form, size):
            return self.b.append(Einsum.of([()], [0, 0], {0: size}), one), (own[0], index)
        forms = [*[Form.of(i) for i in own], form]
        placement, _ = Placement.of(forms, self.sizes)
        shape = (*[self.sizes[i] for i in own], size)
        return self.b.append(Assemble(shape, (placement,)), one), (*own, index)
