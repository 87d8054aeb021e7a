"""Which layout the result of an operation has, by those of its operands: a rule for each kind.

The rules are TensorFlow's, as far as they can be told from what is computed. A layout is here a
word for each axis. Where TensorFlow has no rule, or another than what is natural, `UncertainError`
is raised with the reason: a layout is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from symtape.errors import UnknownError
from symtape.program import kinds
from symtape.program.operations import BOOL, Operation, Shape
from symtape.stand_in.dtensor.layouts import UNSHARDED

Specs = tuple[str, ...]
Given = Sequence[Specs]
Rule = Callable[[Any, Given, Sequence[Shape], Callable[[str], int]], Specs]
"""Makes a layout of the operation, the layouts and shapes of its operands, and sizes of a mesh."""


class UncertainError(Exception):
    """A result has no layout that is known, for a reason."""


def specs_of(
    operation: Operation, given: Given, shapes: Sequence[Shape], size: Callable[[str], int]
) -> Specs:
    """Give the layout of a result; raises `UncertainError` where nobody knows it."""
    rule = RULES.get(type(operation))
    if rule is None:
        raise UncertainError(f"{type(operation).__name__} is not followed")
    return rule(operation, given, shapes, size)


def specs_by_name(name: str, given: Given, rank: int) -> Specs:
    """Give the layout of what TensorFlow computes in another way; raises `UncertainError`, too.

    What is whole on each device gives what is.
    """
    if all(spec == UNSHARDED for specs in given for spec in specs):
        return (UNSHARDED,) * rank
    rule = NAMED.get(name)
    if rule is None:
        raise UncertainError(f"{name} is not followed")
    return rule(given)


def joined(given: Given, rank: int) -> Specs:
    """Join layouts of what is broadcast together, axes being counted from the last.

    The first operand that is cut along an axis decides. A direction that would cut two axes cuts
    none of them, and what is cut along it is whole.
    """
    found = [UNSHARDED] * rank
    axes: dict[str, set[int]] = {}
    for specs in given:
        for axis, spec in enumerate(specs, rank - len(specs)):
            if spec != UNSHARDED:
                axes.setdefault(spec, set()).add(axis)
                found[axis] = spec if found[axis] == UNSHARDED else found[axis]
    blurred = {axis for places in axes.values() if len(places) > 1 for axis in places}
    return tuple([UNSHARDED if k in blurred else spec for k, spec in enumerate(found)])


def _by_element(operation: Any, given: Given, shapes: Sequence[Shape], _: Any) -> Specs:
    rank = max(map(len, shapes))
    if len(given) > 2 or type(operation) is kinds.AddN:
        _check_one_way(given, rank)
    return joined(given, rank)


def _check_one_way(given: Given, rank: int) -> None:
    """Refuse operands of several that are cut in several ways."""
    whole = joined(given, rank)
    for specs in given:
        for axis, spec in enumerate(specs, rank - len(specs)):
            if spec not in {UNSHARDED, whole[axis]}:
                raise UncertainError(
                    "several operands that are cut in several ways are not followed"
                )


def _einsum(operation: Any, given: Given, _: Sequence[Shape], __: Any) -> Specs:
    """Keep what an index is cut along; the first operand that has the index decides.

    An index that is summed over may be cut in one way only.
    """
    terms, output = operation.inputs, operation.output
    if len(terms) > 2 or any(len(set(term)) < len(term) for term in (*terms, output)):
        raise UncertainError("a product of many factors, or a diagonal, is not followed")
    cut: dict[int, str] = {}
    for term, specs in zip(terms, given, strict=True):
        for index, spec in zip(term, specs, strict=True):
            known = cut.setdefault(index, spec)
            if known == UNSHARDED:
                cut[index] = spec
            elif spec not in {known, UNSHARDED} and index not in output:
                raise _torn(known, spec)
    found = [cut.get(index, UNSHARDED) for index in output]
    batch = {cut[index] for index in output if all(index in term for term in terms[1:] + terms[:1])}
    if len(terms) > 1 and any(found.count(spec) > 1 for spec in batch - {UNSHARDED}):
        raise UncertainError("a batch that is cut as its rows or columns are is not followed")
    return _apart(found)


def _torn(left: str, right: str) -> UnknownError:
    return UnknownError(
        message=f"Contracting dimension for matmul has sharding dimension {left} for the left "
        f"input and {right} for the right input which are not equal. This case is currently not "
        "supported."
    )


def _apart(specs: Sequence[str]) -> Specs:
    """Let no direction cut two axes: what would be is whole."""
    return tuple([s if list(specs).count(s) == 1 else UNSHARDED for s in specs])


def _reshape(operation: Any, given: Given, shapes: Sequence[Shape], size: Any) -> Specs:
    """Keep how the first of some axes is cut that become others, if those can be cut so."""
    kept = len(shapes[0]) - len(operation.old)
    found = list(given[0][:kept])
    old = [*zip(operation.old, given[0][kept:], strict=True)]
    for group, sizes in _groups(old, list(operation.new)):
        spec = next((s for n, s in group if n > 1), UNSHARDED)
        first = next((k for k, n in enumerate(sizes) if n > 1), None)
        fits = spec != UNSHARDED and first is not None and sizes[first] % size(spec) == 0
        if spec != UNSHARDED and not fits:
            raise UncertainError("a reshape whose parts would be of several sizes is not followed")
        found += [spec if k == first else UNSHARDED for k in range(len(sizes))]
    return tuple(found)


def _groups(old: list[tuple[int, str]], new: list[int]) -> list[Any]:
    """Cut both shapes where the products of their sizes so far are equal."""
    if 0 in new:
        raise UncertainError("a reshape of nothing is not followed")
    found: list[Any] = []
    while old or new:
        left, right = old[:1], new[:1]
        del old[:1], new[:1]
        a, b = (left[0][0] if left else 1), (right[0] if right else 1)
        while a != b:
            if a < b:
                left.append(old.pop(0))
                a *= left[-1][0]
            else:
                right.append(new.pop(0))
                b *= right[-1]
        found.append((left, right))
    return found


def _slice(operation: Any, given: Given, shapes: Sequence[Shape], size: Any) -> Specs:
    """Keep how axes are cut that are taken whole, or with a step that fits into each part."""
    kept = len(shapes[0]) - len(operation.ranges)
    found = list(given[0][:kept])
    for n, spec, one in zip(shapes[0][kept:], given[0][kept:], operation.ranges, strict=True):
        found.append(sliced(spec, n, one, size))
    return tuple(found)


def sliced(spec: str, n: int, taken: tuple[int, int, int], size: Callable[[str], int]) -> str:
    """Say how an axis of `n` elements is cut of which some are taken: a first, a step, a count."""
    first, step, count = taken
    if spec == UNSHARDED or (step == 1 and count == n):
        return spec
    if step == 1:
        return UNSHARDED
    part = n // size(spec)
    if step > 1 and part % step == 0 and 0 <= first < step and count == n // step:
        return spec
    raise UncertainError("TensorFlow takes steps through each part of an axis by itself")


def _embed(operation: Any, given: Given, shapes: Sequence[Shape], _: Any) -> Specs:
    kept = len(shapes[0]) - len(operation.ranges)
    for spec, (first, step, count), n in zip(
        given[0][kept:], operation.ranges, operation.sizes, strict=True
    ):
        if spec != UNSHARDED and (first, step, count) != (0, 1, n):
            raise UncertainError("TensorFlow puts nothing beside an axis that is cut")
    return given[0]


def _concat(operation: Any, given: Given, shapes: Sequence[Shape], _: Any) -> Specs:
    rank = len(shapes[0])
    axis = rank + operation.axis
    return tuple([UNSHARDED if k == axis else s for k, s in enumerate(joined(given, rank))])


def _along(operation: Any, given: Given, shapes: Sequence[Shape], _: Any) -> Specs:
    axis = len(shapes[0]) + operation.axis
    return tuple([UNSHARDED if k == axis else s for k, s in enumerate(given[0])])


def _dropped(operation: Any, given: Given, shapes: Sequence[Shape], _: Any) -> Specs:
    rank = len(shapes[0])
    return tuple([s for k, s in enumerate(given[0]) if k - rank not in operation.axes])


def _position(operation: Any, given: Given, shapes: Sequence[Shape], size: Any) -> Specs:
    if operation.which != "argsort":
        return _dropped(operation, given, shapes, size)
    axis = len(shapes[0]) + operation.axes[0]
    return tuple([UNSHARDED if k == axis else s for k, s in enumerate(given[0])])


def _gather(operation: Any, given: Given, shapes: Sequence[Shape], _: Any) -> Specs:
    """Put the axes of the indices in the place of the one that is chosen from."""
    batch = operation.batch
    axis = len(shapes[0]) - 1 - operation.after
    x, places = given
    if any(s not in {a, UNSHARDED} for a, s in zip_longest(x, places[:batch], fillvalue=UNSHARDED)):
        raise UncertainError("indices that are cut otherwise than what they choose from")
    kept = (*x[:axis], *x[axis + 1 :])
    chosen = [UNSHARDED if s in kept else s for s in places[batch:]]
    return (*x[:axis], *chosen, *x[axis + 1 :])


def _scatter(operation: Any, given: Given, shapes: Sequence[Shape], _: Any) -> Specs:
    updates, places = given
    if any(s != UNSHARDED for s in places):
        raise UncertainError("places that are cut are not followed where elements are added up")
    end = len(updates) - operation.after
    start = end - (len(shapes[1]) - operation.batch)
    return (*updates[:start], UNSHARDED, *updates[end:])


def _first_axes(operation: Any, given: Given, shapes: Sequence[Shape], _: Any) -> Specs:
    """Keep how the axes are cut that are a batch, where the others are whole."""
    batch = len(shapes[0]) - len(operation.windows) - operation.after
    if any(spec != UNSHARDED for spec in given[0][batch:]):
        raise UncertainError("windows over an axis that is cut are not followed")
    shape, _ = operation.infer(shapes, [BOOL] * len(shapes))
    return (*given[0][:batch], *(UNSHARDED,) * (len(shape) - batch))


RULES: dict[type[Operation], Rule] = {
    kinds.Map: _by_element,
    kinds.AddN: _by_element,
    kinds.Cast: _by_element,
    kinds.Count: lambda _, __, ___, ____: (),
    kinds.Einsum: _einsum,
    kinds.Reshape: _reshape,
    kinds.Slice: _slice,
    kinds.Embed: _embed,
    kinds.Concat: _concat,
    kinds.Cumsum: _along,
    kinds.Fourier: _along,
    kinds.Extremum: _dropped,
    kinds.Product: _dropped,
    kinds.Position: _position,
    kinds.Gather: _gather,
    kinds.Scatter: _scatter,
    kinds.Windows: _first_axes,
}


# --- what TensorFlow computes in another way than it is computed here ----------------------------


def _packed(given: Given) -> Specs:
    """Keep of what parts are put together how their first axis is cut, and no more."""
    made, *parts = given
    first = joined([part[:1] for part in parts], 1)
    if first not in {(UNSHARDED,), *((s,) for s in made)}:
        raise UncertainError("tensors that are cut in several ways are stacked")
    return tuple([s if (s,) == first else UNSHARDED for s in made])


def _biased(given: Given) -> Specs:
    """Keep how the operand is cut; the vector may cut its last axis where nothing else does."""
    x, (bias,) = given
    return (*x[:-1], bias) if x[-1] == UNSHARDED and bias not in x else x


def _rowwise(given: Given) -> Specs:
    """Keep how the first axis is cut: all but the last axis are one to TensorFlow."""
    first = joined([given[0][:1], given[1][:1]], 1)
    return (*first, *(UNSHARDED,) * (len(given[0]) - 2))


NAMED: dict[str, Callable[[Given], Specs]] = {
    "Fill": lambda given: given[0],
    "Shape": lambda _: (UNSHARDED,),
    "Pack": _packed,
    "BiasAdd": _biased,
    "TopKV2": lambda given: (*given[0][:-1], UNSHARDED),
    "SparseSoftmaxCrossEntropyWithLogits": _rowwise,
}
