"""What an operation is, whatever the sizes: by this steps are put in order.

An order in which sizes count is another one where sizes are others, and so is the formula that is
read in this order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.program.kinds.placement import Assemble, Form
from symtape.program.kinds.structural import Embed, Reshape, Scatter, Slice
from symtape.program.kinds.windows import Overlap
from symtape.program.operations import Einsum, Operation


def sizeless(operation: Operation) -> Any:
    """Describe an operation by its parameters, without sizes.

    >>> sizeless(Einsum(((0,),), (0, 1), ((1, 5),)))
    (((0,),), (0, 1), (1,))
    """
    rule = RULES.get(type(operation))
    return operation.parameters if rule is None else rule(operation)


def _einsum(operation: Einsum) -> Any:
    lone = tuple([i for i, _ in operation.sizes])
    return (operation.inputs, operation.output, lone) if lone else operation.parameters


def _ranged(operation: Slice | Embed) -> Any:
    ends = operation.ends or (None,) * len(operation.ranges)
    return tuple([_range(*own) for own in zip(operation.ranges, ends, strict=True)])


def _range(taken: tuple[int, int, int], end: tuple[bool, bool] | None) -> Any:
    """Tell a first place that is counted from the start, and else whether it is the start."""
    first, step, count = taken
    is_told = end is not None and not end[0]
    return first if is_told else min(first, 1), step, end, count == 1


def _assemble(operation: Assemble) -> Any:
    return tuple([tuple(map(_form, forms)) for _, forms in operation.placements])


def _form(form: Form) -> Any:
    return min(form.offset, 1), tuple([(stride > 0, i) for stride, i in form.parts])


RULES: dict[type[Operation], Callable[[Any], Any]] = {
    Einsum: _einsum,
    Slice: _ranged,
    Embed: _ranged,
    Reshape: lambda o: (len(o.old), len(o.new)),
    Scatter: lambda o: (o.after, o.between, o.batch),
    Overlap: lambda o: (o.windows, o.after),
    Assemble: _assemble,
}
"""Operations that have sizes among their parameters."""
