"""Systems whose right side is a multiple of the identity: their solution is an inverse."""

from __future__ import annotations

from collections.abc import Sequence

from symtape.lowering.folder import Folder, Scaled
from symtape.program import operations as ops
from symtape.program.kinds.matrices import Inverse, Solve
from symtape.program.kinds.placement import Assemble, Form
from symtape.program.operations import Constant, Einsum

_SWAPPED = Einsum.of([[0, 1]], [1, 0])


def inverted(f: Folder, operation: Solve, operands: Sequence[int], p: int) -> Scaled | None:
    """Invert a matrix where a multiple of the identity is the right side.

    So is an inverse computed, and whoever else needs that of the same matrix reads this one.
    """
    if f.exactly or operation.form != "full" or len(f.program.shapes[operands[0]]) != 2:
        return None
    number = _times_identity(f, f.place[operands[1]])
    if number is None:
        return None
    found = f.b.append(Inverse(), f.whole(operands[0]))
    if operation.adjoint:
        found = f.b.append(_SWAPPED, found)
        found = f.b.append(ops.conj, found) if f.program.dtypes[p].kind == "c" else found
    return f.times(number, found)


def _times_identity(f: Folder, scaled: Scaled) -> float | None:
    """Give the number that an identity matrix is multiplied by, if nothing else was."""
    if scaled.core is None:
        return None
    step, *operands = f.b.steps[scaled.core]
    shape = f.b.shapes[scaled.core]
    inner = f.b.steps[operands[0]][0] if len(operands) == 1 else None
    is_square = len(shape) == 2 and shape[0] == shape[1]
    if not is_square or type(inner) is not Constant or (number := complex(inner.number)).imag:
        return None
    is_diagonal = step == Einsum.of([()], [0, 0], {0: shape[0]}) or (
        type(step) is Assemble
        and [(p.counts, p.forms) for p in step.placements] == [(shape[:1], (Form.of(0),) * 2)]
    )
    return scaled.number * number.real if is_diagonal else None
