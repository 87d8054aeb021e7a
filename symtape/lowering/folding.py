"""Fewer steps for the same numbers: what becomes of a program before code is written for it.

Every result is kept as a number times a step, its core. So scales propagate through products, sums
and whatever is linear, meet each other, and are multiplied in where nothing can carry them further.
`REWRITES` lists, for each operation or kind, what is tried in order; the first that does not
decline gives the result.

Derivations never see this: connections are decided by positions. Nothing is reordered that a person
wrote in an order, and no number is carried that could overflow or lose digits by it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from symtape.lowering.folder import NUMBERS, Folder, Scaled, carries_numbers
from symtape.lowering.powers import has_powers, may_be_beside_numbers
from symtape.lowering.rewrites import (
    bodies,
    choices,
    contractions,
    early_sums,
    products,
    shares,
    sums,
    systems,
)
from symtape.lowering.shared_pairs import with_shared_pairs
from symtape.program import operations as ops
from symtape.program.kinds.matrices import Solve
from symtape.program.kinds.structural import Reshape, Slice
from symtape.program.operations import AddN, Count, Einsum, Map, Operation
from symtape.program.program import Program, shared


class Folded(NamedTuple):
    """A program and where the inputs and outputs are in it."""

    program: Program
    inputs: list[int]
    outputs: list[int]


Rewrite = Callable[[Folder, Any, Sequence[int], int], Scaled | None]
"""What a step becomes: a folder, its operation, operands and place give a result, or None."""

_SUM: tuple[Rewrite, ...] = (
    sums.placed_elements,
    sums.placed_parts,
    sums.contracted_once,
    sums.added,
)

REWRITES: dict[Any, tuple[Rewrite, ...]] = {
    ops.multiply: (
        products.times_reciprocal,
        shares.pulled_through_shares,
        products.product,
    ),
    ops.divide: (products.quotient,),
    ops.negative: (products.sign,),
    ops.identity: (products.nothing,),
    ops.add: _SUM,
    ops.subtract: _SUM,
    AddN: _SUM,
    Map: (
        bodies.slope_of_quotient,
        choices.chosen_number,
        choices.number_of_choice,
        bodies.number_of_numbers,
        bodies.constant_body,
        bodies.power_of_number,
        bodies.function_beside_number,
        bodies.common_functions,
        bodies.number_in_front,
    ),
    Einsum: (
        early_sums.before_numbers,
        early_sums.before_systems,
        contractions.sum_of_scattered,
        contractions.joined_sums,
        contractions.conjugated_later,
        contractions.contraction,
    ),
    Solve: (systems.inverted,),
    Slice: (contractions.moved_elements,),
    Reshape: (contractions.moved_elements,),
}
"""What is tried of each; any other kind computes with whole operands, and so does what declines."""

_ONLY: dict[Rewrite, Callable[[Map], object]] = {
    bodies.slope_of_quotient: bodies.is_quotient_slope,
    choices.chosen_number: choices.choice,
    choices.number_of_choice: choices.of_one,
    bodies.constant_body: has_powers,
    bodies.power_of_number: has_powers,
    bodies.function_beside_number: may_be_beside_numbers,
}
"""Rewrites that are for some operations of their kind."""


def folded(
    program: Program,
    inputs: Sequence[int],
    outputs: Sequence[int],
    *,
    exactly: bool = False,
    without: Collection[Rewrite] = (),
) -> Folded:
    """Fold what computes some outputs from inputs, which may be any positions.

    `exactly` keeps every rounding: then only powers of two and signs are carried. `without` leaves
    rewrites out.
    """
    order = _read(program, inputs, outputs)
    program, first = shared(program, {*inputs, *order})
    order = [p for p in order if first[p] == p]
    if any([first[p] != p for p in inputs]):  # then some steps may have no reader any more
        inputs, outputs = [first[p] for p in inputs], [first[p] for p in outputs]
        order = _read(program, inputs, outputs)
    outputs = [first[p] for p in outputs]
    folder = Folder(program, inputs, outputs, order, exactly=exactly)
    rows = _Rows(REWRITES if not without else _without(without))
    for p in folder.order:
        scaled = _folded(folder, p, rows)
        folder.place[p] = scaled if scaled.number == 1 else folder.kept(p, scaled)
    wanted = [folder.whole(p) for p in outputs]
    made, entered = folder.b.finish(), [folder.entered[p] for p in inputs]
    if exactly or not any([len(step) > 3 and type(step[0]) is Einsum for step in made.steps]):
        return Folded(made, entered, wanted)
    made, place = with_shared_pairs(made)
    return Folded(made, [place[p] for p in entered], [place[p] for p in wanted])


def _read(program: Program, inputs: Sequence[int], outputs: Sequence[int]) -> list[int]:
    """List the steps whose values are read, in order; a count asks its operand for a shape."""
    order, steps = program.schedule(outputs, set(inputs))[0], program.steps
    if not any([type(steps[p][0]) is Count for p in order]):
        return list(order)
    read = set(outputs)
    for p in reversed(order):
        if p in read and type(steps[p][0]) is not Count:
            read.update(steps[p][1:])
    return [p for p in order if p in read]


def _without(left_out: Collection[Rewrite]) -> dict[Any, tuple[Rewrite, ...]]:
    return {k: tuple([r for r in row if r not in left_out]) for k, row in REWRITES.items()}


class _Rows(dict[Operation, tuple[Rewrite, ...]]):
    """What is tried of each operation: its own row, or that of its kind."""

    def __init__(self, rewrites: Mapping[Any, tuple[Rewrite, ...]]) -> None:
        super().__init__()
        self.rewrites = rewrites

    def __missing__(self, operation: Operation) -> tuple[Rewrite, ...]:
        row = self.rewrites.get(operation) or self.rewrites.get(type(operation), ())
        if type(operation) is Map:
            row = row if operation.result == "same" else ()
            row = tuple([r for r in row if r not in _ONLY or _ONLY[r](operation)])
        self[operation] = row
        return row


def _folded(f: Folder, p: int, rows: _Rows) -> Scaled:
    operation, *operands = f.program.steps[p]
    if type(operation) in NUMBERS:
        return f.number(p)
    row = rows[operation]
    if row and (f.is_uniform or _is_carrier(f, operation, operands, p)):
        for rewrite in row:
            scaled = rewrite(f, operation, operands, p)
            if scaled is not None:
                return scaled
    return f.plain(operation, operands, p)


def _is_carrier(f: Folder, operation: Operation, operands: Sequence[int], p: int) -> bool:
    """Say whether a step computes real or complex numbers of one dtype from such numbers.

    What chooses by a condition has its dtype from the others.
    """
    dtypes = f.program.dtypes
    dtype = dtypes[p]
    if type(operation) is Map and (found := choices.choice(operation)) is not None:
        operands = [operands[found.number]]
    return carries_numbers(dtype) and all([dtypes[i] is dtype for i in operands])
