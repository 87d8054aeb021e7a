"""What each kind of operation says of axes: which are one, and which keep their sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from symtape.program import kinds
from symtape.program.kinds.placement import Form
from symtape.program.kinds.structural import WHOLE
from symtape.program.operations import Operation, Shape
from symtape.program.sizes.unions import SMALL, WRITTEN, Axis, Union

Rule = Callable[[Union, int, Any, Sequence[int]], None]


def keep_all(s: Union, p: int, operation: Operation, operands: Sequence[int]) -> None:
    """Let all axes of a step and of its operands have the sizes that they have."""
    why = f"{type(operation).__name__.lower()} has it"
    for q in (p, *operands):
        s.keep(q, why)


def _nothing(*_: Any) -> None:
    pass


def _broadcast(s: Union, p: int, _: Operation, operands: Sequence[int]) -> None:
    for q in operands:
        s.aligned(p, q)


def _einsum(s: Union, p: int, operation: kinds.Einsum, operands: Sequence[int]) -> None:
    met: dict[int, Axis] = {}
    terms = [*zip(operation.inputs, operands, strict=True), (operation.output, p)]
    for indices, q in terms:
        for k, i in enumerate(indices):
            s.same(met.setdefault(i, (q, k)), (q, k))


def _reshape(s: Union, p: int, operation: kinds.Reshape, operands: Sequence[int]) -> None:
    """Pass axes of size 1 over, tie those before and after what is joined or taken apart."""
    (q,) = operands
    old = [(q, k) for k, n in enumerate(s.shape(q)) if n != 1]
    new = [(p, k) for k, n in enumerate(s.shape(p)) if n != 1]
    if 0 in s.shape(q):
        keep_all(s, p, operation, operands)
        return
    before = _alike(s, old, new)
    after = _alike(s, old[before:][::-1], new[before:][::-1])
    same = [*range(before), *range(-after, 0)]
    for k in same:
        s.same(old[k], new[k])
    for axis in (*old[before : len(old) - after], *new[before : len(new) - after]):
        s.keep_axis(axis, "reshape has it")


def _alike(s: Union, old: Sequence[Axis], new: Sequence[Axis]) -> int:
    """Count the first axes that have the same sizes."""
    differ = [s.number(a) != s.number(b) for a, b in zip(old, new, strict=False)]
    return [*differ, True].index(True)


def _reduction(s: Union, p: int, operation: Any, operands: Sequence[int]) -> None:
    rank = len(s.shape(operands[0]))
    gone = {axis % rank for axis in operation.axes}
    for k, own in enumerate([k for k in range(rank) if k not in gone]):
        s.same((operands[0], own), (p, k))


def _ranges(
    s: Union, p: int, operation: kinds.Slice | kinds.Embed, operands: Sequence[int]
) -> None:
    """Pass axes over that are taken whole, and tie those of which all but a number is taken."""
    (q,) = operands
    lead = len(s.shape(p)) - len(operation.ranges)
    whole, part = (q, p) if type(operation) is kinds.Slice else (p, q)
    why = f"{type(operation).__name__.lower()} has it"
    for k, n in enumerate(s.shape(whole)):
        growth = 1 if k < lead else growth_of(operation, k - lead, n)
        if growth == 1:
            s.tied((whole, k), (part, k))
        elif growth == 0:
            s.keep_axis((part, k), WRITTEN)
        else:
            s.keep_axis((part, k), why)
            s.keep_axis((whole, k), why)


def growth_of(operation: kinds.Slice | kinds.Embed, k: int, n: int) -> int | None:
    """Say how many places more range `k` takes of an axis that is longer than `n` by one.

    None where nobody knows.
    """
    taken = operation.ranges[k]
    if not operation.ends:
        return 1 if taken == (0, 1, n) else None
    ends = operation.ends[k]
    if ends is None:
        return None
    if ends[0] == ends[1]:
        return 0
    return 1 if taken[1] == (1 if ends == WHOLE else -1) else None


def _gather(s: Union, p: int, operation: kinds.Gather, operands: Sequence[int]) -> None:
    """Let elements be chosen from an axis of any size: which, is a matter of data."""
    x, indices = operands
    axis = len(s.shape(x)) - 1 - operation.after
    _chosen(s, (x, axis, 1), (p, axis, len(s.shape(indices)) - operation.batch), indices, operation)


def _scatter(s: Union, p: int, operation: kinds.Scatter, operands: Sequence[int]) -> None:
    updates, indices = operands
    axis = len(s.shape(p)) - 1 - operation.after
    own = len(s.shape(indices)) - operation.batch
    _chosen(s, (p, axis, 1), (updates, axis, own), indices, operation)


def _chosen(
    s: Union,
    whole: tuple[int, int, int],
    part: tuple[int, int, int],
    indices: int,
    operation: kinds.Gather | kinds.Scatter,
) -> None:
    """Say which axes are one, of an array with an axis and of one with those of the indices."""
    (x, axis, _), (y, _, own) = whole, part
    for k in range(axis):
        s.same((x, k), (y, k))
    for k in range(axis + 1, len(s.shape(x))):
        s.same((x, k), (y, k - 1 + own))
    for k in range(own):
        s.same((indices, operation.batch + k), (y, axis + k))
    first = axis - operation.between - operation.batch
    for k in range(operation.batch):
        s.same((indices, k), (y, first + k))


def _concat(s: Union, p: int, operation: kinds.Concat, operands: Sequence[int]) -> None:
    """Let one of the parts be of any size if the others keep theirs."""
    axis = len(s.shape(p)) + operation.axis
    for q in operands:
        for k in range(len(s.shape(p))):
            if k != axis:
                s.same((p, k), (q, k))
    s.pending.append(partial(_joined, s, (p, axis), [(q, axis) for q in operands]))


def _joined(s: Union, whole: Axis, parts: Sequence[Axis], keeps: bool) -> bool:
    free = [axis for axis in parts if not s.is_kept(axis)]
    if len(free) == 1:
        is_news = s.root(whole) != s.root(free[0])
        s.tied(whole, free[0])
        return is_news
    is_news = keeps and whole not in s.sums and (bool(free) or not s.is_kept(whole))
    if not is_news:
        return False
    if s.has_sums and free and not s.is_kept(whole) and whole not in s.refused:
        s.sums[whole] = tuple(parts)
        return True
    reasons = {s.kept.get(s.root(axis)) for axis in parts}
    why = WRITTEN if reasons <= {SMALL, WRITTEN} else "concat has it"
    for axis in (whole, *free):
        s.keep_axis(axis, why)
    return True


def _assemble(s: Union, p: int, operation: kinds.Assemble, operands: Sequence[int]) -> None:
    """Let a block and a diagonal be as long as the axes that they are on, but for a number."""
    for q, (counts, forms) in zip(operands, operation.placements, strict=True):
        own = {i: [(q, k)] for i, k in block_axes(s.shape(q), counts).items()}
        for k, form in enumerate(forms):
            index = whole_index(form, counts, operation.shape[k])
            if index is not None:
                own.setdefault(index, []).append((p, k))
        for axes in own.values():
            for axis in axes[1:]:
                s.same(axes[0], axis)
        for k, form in enumerate(forms):
            if whole_index(form, counts, operation.shape[k]) is None:
                axes = [own[i][0] for i in form.indices if i in own]
                s.pending.append(partial(_placed, s, (p, k), form, counts, axes))


def _placed(
    s: Union, whole: Axis, form: Form, counts: Shape, axes: Sequence[Axis], keeps: bool
) -> bool:
    """Keep an axis with a block on it, unless both are tied.

    A block that grows with its axis, and is inside of it whatever its size is, starts at a number
    from the first place; counted downwards, from the last.
    """
    band = len(form.parts) == 1 and abs(form.parts[0][0]) == 1 and len(axes) == 1
    if band and counts[form.indices[0]] > 1 and s.root(whole) == s.root(axes[0]):
        return False
    if not keeps or all([s.is_kept(axis) for axis in (whole, *axes)]):
        return False
    for axis in (whole, *axes):
        s.keep_axis(axis, "assemble has it")
    return True


def block_axes(shape: Shape, counts: Shape) -> dict[int, int]:
    """Give the axis of a block for each index of its placement along which it is not repeated."""
    missing = len(counts) - len(shape)
    return {k + missing: k for k, n in enumerate(shape) if n == counts[k + missing]}


def whole_index(form: Form, counts: Shape, n: int) -> int | None:
    """Give the index that an axis is as a whole."""
    if len(form.parts) != 1 or form != Form.of(form.indices[0]) or counts[form.indices[0]] != n:
        return None
    return form.indices[0]


def _square(s: Union, q: int) -> None:
    rank = len(s.shape(q))
    s.same((q, rank - 2), (q, rank - 1))


def _on_squares(s: Union, p: int, _: Operation, operands: Sequence[int]) -> None:
    _square(s, operands[0])
    s.aligned(p, operands[0])


def _solve(s: Union, p: int, operation: kinds.Solve, operands: Sequence[int]) -> None:
    a, b = operands
    if operation.form != "tridiagonal":
        _square(s, a)
    rows = len(s.shape(a)) - 1, len(s.shape(b)) - 2
    s.same((a, rows[0]), (b, rows[1]))
    s.aligned(p, b)
    s.aligned(b, a, leave=2)


def _of_squares(s: Union, p: int, _: Operation, operands: Sequence[int]) -> None:
    (q,) = operands
    _square(s, q)
    for k in range(len(s.shape(p))):
        s.same((p, k), (q, k))


def _turned(s: Union, p: int, _: Operation, operands: Sequence[int]) -> None:
    (q, *_rest), rank = operands, len(s.shape(p))
    for k in range(rank):
        s.same((p, k), (q, k if k < rank - 2 else 2 * rank - 3 - k))


def _position(s: Union, p: int, operation: kinds.Position, operands: Sequence[int]) -> None:
    rule = _broadcast if operation.which == "argsort" else _reduction
    rule(s, p, operation, operands)


def _windows(
    s: Union, p: int, operation: kinds.Windows | kinds.Overlap, operands: Sequence[int]
) -> None:
    """Tie the number of windows to the axis along which they move by one place."""
    (q,) = operands
    wide, narrow = (p, q) if type(operation) is kinds.Windows else (q, p)
    end, number = len(s.shape(narrow)) - operation.after, len(operation.windows)
    first = end - number
    for k in range(first):
        s.same((wide, k), (narrow, k))
    for k in range(operation.after):
        s.same((wide, end + number + k), (narrow, end + k))
    for k, window in enumerate(operation.windows, first):
        s.keep_axis((wide, k + number), WRITTEN)
        if window.stride == 1:
            s.tied((narrow, k), (wide, k))
        else:
            s.keep_axis((narrow, k), "a window moves by more than one place")
            s.keep_axis((wide, k), "a window moves by more than one place")


RULES: dict[type[Operation], Rule] = {
    kinds.Input: _nothing,
    kinds.Constant: lambda s, p, *_: s.keep(p, "it is written"),
    kinds.Map: _broadcast,
    kinds.AddN: _broadcast,
    kinds.Cast: _broadcast,
    kinds.Cumsum: _broadcast,
    kinds.Cumprod: _broadcast,
    kinds.Cumextremum: _broadcast,
    kinds.Fourier: _broadcast,
    kinds.Recurrence: _broadcast,
    kinds.Einsum: _einsum,
    kinds.Count: _nothing,
    kinds.Reshape: _reshape,
    kinds.Slice: _ranges,
    kinds.Embed: _ranges,
    kinds.Gather: _gather,
    kinds.Scatter: _scatter,
    kinds.Concat: _concat,
    kinds.Assemble: _assemble,
    kinds.Extremum: _reduction,
    kinds.Position: _position,
    kinds.Windows: _windows,
    kinds.Overlap: _windows,
    kinds.Product: _reduction,
    kinds.Inverse: _on_squares,
    kinds.Cholesky: _on_squares,
    kinds.Band: _broadcast,
    kinds.Solve: _solve,
    kinds.Determinant: _of_squares,
    kinds.LogDeterminant: _of_squares,
    kinds.MatrixFunction: _on_squares,
    kinds.PseudoInverse: _turned,
    kinds.Eigh: _of_squares,
    kinds.Eig: _of_squares,
}
"""What is one, by kind; of every other kind the sizes stay as they are."""
