"""Examples of other sizes: a candidate may be right for the sizes of the example alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations, islice
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.tracing import trace
from symtape.program.operations import Input
from symtape.program.sizes.axes import Sizes
from symtape.verify.causes.code.sources import factors_in, numbers_in
from symtape.verify.frameworks.own_rules import is_autograd, of_apply
from symtape.verify.frameworks.whole import inner_of
from symtape.verify.numbers.black_boxes import BlackBox
from symtape.verify.points.domain import Domain
from symtape.verify.points.examples import are_examples, looks_at
from symtape.verify.setting import Setting
from symtape.verify.subject import OUTSIDE, Subject

_CLOSE = 1e-6

_MOST = 6
"""So many sizes are changed, each alone."""

_BLOCK, _ENTRIES = 1024, 20_000
"""Blocks are no larger, and inputs have no more entries where sizes are beyond them."""


def other_sizes(setting: Setting) -> Iterator[Setting]:
    """List settings in which one of the sizes is larger by one, or is one, if the function can.

    These are the sizes that nothing in the function has to do with; which places of an axis are
    taken one by one is a matter of its size.
    """
    given = setting.example[: setting.subject.count]
    joined = set()
    for axis, shapes in islice(_shapes(setting.subject, given), _MOST):
        for option in (shapes, _in_step(given, shapes)):
            if option is shapes and axis in joined:
                continue
            found = _with_shapes(setting, option)
            if found is not None:
                yield found
                break
            joined.add(axis)  # an axis that is no longer alone is no shorter alone


def _in_step(given: Sequence[Any], shapes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Let first axes of the same size follow, whose places a loop may take beside each other."""
    pairs = [*zip(given, shapes, strict=True)]
    changed = {len(x): s[0] for x, s in pairs if x.shape[:1] != s[:1]}
    return [(changed.get(len(x), s[0]), *s[1:]) if s else s for x, s in pairs]


def _shapes(subject: Subject, given: Sequence[Any]) -> Iterator[tuple[Any, list[tuple[int, ...]]]]:
    """List the axes of which one has another size, with the shapes of the inputs there."""
    yield from enumerate(_of_one(subject, given))
    if any(x.ndim > 1 for x in given) and all(n == 1 for x in given for n in x.shape):
        yield "all", [(2,) * x.ndim for x in given]  # a number hides what a matrix shows
    if isinstance(subject, BlackBox):
        yield from enumerate(_of_batches(given))
        return
    known = _Known.of(subject, given)
    if known is None:
        return
    free = known.free
    for root, n in free.items():
        yield root, known.shapes({root: n + 1})
    for root, n in known.places.items():
        if root not in free:
            yield root, known.shapes({root: n + 1})
    for root in [root for root, n in free.items() if n > 1]:
        shapes = known.shapes({root: 1})
        if _is_of_examples(subject, given, shapes):
            yield root, shapes  # of examples; nobody has one class or one feature


class _Known(NamedTuple):
    """The sizes of what a function computes: which are the same, and which are free to change."""

    sizes: Sizes
    arguments: Sequence[int]
    free: dict[Any, int]
    places: dict[Any, int]

    @classmethod
    def of(cls, subject: Subject, given: Sequence[Any]) -> _Known | None:
        """Record the function; None where it cannot be."""
        names = subject.names[: subject.count]
        try:
            traced = trace(subject.function, Arguments(names, tuple(given), {}), (), again=True)
            ends = [p for p in traced.results if p is not None]
            sizes = Sizes(traced.program, *ends, *traced.arguments)
        except OUTSIDE:
            return None
        held = _of_captured(sizes, traced.arguments)
        free = {root: n for root, n in sizes.free().items() if n and root not in held}
        return cls(sizes, traced.arguments, free, _of_places(subject, sizes, traced.arguments))

    def shapes(self, changed: dict[Any, int]) -> list[tuple[int, ...]]:
        """Give the shapes of the inputs where some sizes are others."""
        return [self.sizes.shape_at(p, changed) for p in self.arguments]


def larger_sizes(setting: Setting) -> Iterator[Setting]:
    """List settings in which a size is larger by one than a whole number that the candidate has.

    It may stand for a block or a window, beyond which another part of the candidate begins.
    """
    subject, given = setting.subject, setting.example[: setting.subject.count]
    numbers = [int(x) for x in numbers_in(subject.candidate) if x == int(x) <= _BLOCK]
    sizes = {n for x in given for n in x.shape if n}
    if isinstance(subject, BlackBox) or not sizes or max(numbers, default=0) <= min(sizes):
        return
    known = _Known.of(subject, given)
    judged = known.free | known.places if known is not None else {}
    for root, n in islice(judged.items(), _MOST):
        for number in sorted(x for x in numbers if x > n):
            shapes = known.shapes({root: number + 1}) if known is not None else ()
            for option in (shapes, _in_step(given, shapes)):
                if sum(map(prod, option)) <= _ENTRIES:
                    found = _with_shapes(setting, option)
                    if found is not None:
                        yield found
                        break


def _of_places(subject: Subject, sizes: Sizes, arguments: Sequence[int]) -> dict[Any, int]:
    """Give the sizes of what is judged, as of signals that windows and loops have to do with.

    Where the function has a number for a size, or a mask, it raises for another one.
    """
    found = {}
    for k in subject.question.wrt:
        for axis, n in enumerate(sizes.shape(arguments[k])):
            if n > 1:
                found[sizes.root((arguments[k], axis))] = n
    return found


def _of_captured(sizes: Sizes, arguments: Sequence[int]) -> set[Any]:
    """Give the sizes of arrays that a function has besides its arguments, as masks, and keeps."""
    own = [p for p in sizes.steps if type(sizes.program.steps[p][0]) is Input]
    others = [p for p in own if p not in arguments]
    return {sizes.root((p, k)) for p in others for k in range(len(sizes.shape(p)))}


def _is_of_examples(
    subject: Subject, given: Sequence[Any], shapes: Sequence[tuple[int, ...]]
) -> bool:
    """Say whether other shapes have other rows of matrices or labels, or numbers that are rows."""
    changed = [k for k, x in enumerate(given) if x.shape != shapes[k]]
    if any(given[k].shape[1:] != shapes[k][1:] for k in changed):
        return False
    vectors = [k for k in changed if given[k].ndim == 1 and k in subject.question.wrt]
    return not vectors or are_examples(subject, given, changed)


def _of_one(subject: Subject, given: Sequence[Any]) -> Iterator[list[tuple[int, ...]]]:
    """Lengthen a first axis of one, which mostly counts one example, and labels with it.

    Of several that are judged one may be a row that is broadcast: see `pairings`. Where none is,
    examples may be what is not judged, or the entries of a vector.
    """
    wrt = subject.question.wrt
    rows = [k for k, x in enumerate(given) if x.ndim and len(x) == 1]
    judged = [k for k in rows if k in wrt and given[k].ndim > 1]
    others = [k for k in rows if k not in wrt]
    if not judged and not any(given[k].ndim > 1 for k in others):
        judged = [k for k in rows if k in wrt]
    if len(judged) > 1:
        return
    for longer in filter(None, ([*judged, *others], judged) if others else (judged,)):
        yield _of_two(given, longer)


def pairings(setting: Setting) -> Iterator[Setting]:
    """List settings in which inputs of one row have two, where several of these are judged.

    Each of them may be one example, or a row that is broadcast, as a bias is. Only those are listed
    in which rows are examples; the first are those in which most have two.
    """
    subject, given = setting.subject, setting.example[: setting.subject.count]
    rows = [k for k, x in enumerate(given) if x.ndim and len(x) == 1]
    judged = [k for k in rows if k in subject.question.wrt and given[k].ndim > 1]
    if not 1 < len(judged) <= _MOST_TOGETHER:
        return
    others = [k for k in rows if k not in subject.question.wrt]
    for count in reversed(range(1, len(judged) + 1)):
        for some in combinations(judged, count):
            for longer in ([*some, *others], some) if others else (some,):
                found = _with_shapes(setting, _of_two(given, longer))
                if found is not None and are_examples(subject, found.example, longer):
                    yield found


_MOST_TOGETHER = 3


def _of_two(given: Sequence[Any], longer: Sequence[int]) -> list[tuple[int, ...]]:
    """Give the shapes where some inputs have two rows for one."""
    return [(2, *x.shape[1:]) if k in longer else x.shape for k, x in enumerate(given)]


def _of_batches(given: Sequence[Any]) -> Iterator[list[tuple[int, ...]]]:
    """Lengthen the first axis of matrices that all have it, which mostly counts examples."""
    matrices = [x for x in given if x.ndim > 1]
    if matrices and len({len(x) for x in matrices}) == 1 and len(matrices[0]) > 1:
        n = len(matrices[0])
        yield [(n + 1, *x.shape[1:]) if x.ndim and len(x) == n else x.shape for x in given]


def _with_shapes(setting: Setting, shapes: Sequence[tuple[int, ...]]) -> Setting | None:
    """Give a setting in which inputs have other shapes; None where the function takes none."""
    subject, rng = setting.subject, setting.rng
    inputs = [_fitted(x, s) for x, s in zip(setting.example, shapes, strict=False)]
    judged = subject.question.wrt
    kinds = [d.kind for d in setting.domains]
    domains = [Domain.of(x, kinds[k], k in judged) for k, x in enumerate(inputs)]
    domains = [
        d._replace(ordered=own.ordered) for d, own in zip(domains, setting.domains, strict=False)
    ]
    inputs = [d.sample(rng, x) for d, x in zip(domains, inputs, strict=True)]
    more = setting.example[subject.count :]
    try:
        like = [inputs[k] for k in judged] if subject.question.kind == "jvp" else None
        like = like or (subject.values(inputs) if more else [])
    except OUTSIDE:
        return None
    if len(like) != len(more):
        return None
    more = [rng.normal(size=np.shape(x)).astype(u.dtype) for x, u in zip(like, more, strict=True)]
    made = Setting(subject, [*inputs, *more], setting.stated, setting.seed)
    made.domains = [*domains, *(Domain("real") for _ in more)]
    if subject.reason:
        made.typical = setting.typical  # measuring takes long
    with suppress(*OUTSIDE):
        return made if _takes_all(setting, made) else None
    return None


def _fitted(x: Any, shape: tuple[int, ...]) -> Any:
    """Repeat what an array has along its axes until it has a shape.

    A row of shares or of choices is longer by zeros, and keeps the largest where it is shorter, so
    that a choice stays one.
    """
    for axis, n in enumerate(shape):
        size = x.shape[axis]
        is_row = axis == x.ndim - 1 and x.dtype.kind == "f" and np.all((x >= 0) & (x <= 1))
        x = np.flip(np.sort(x), axis) if is_row and n < size else x
        x = np.take(x, np.arange(n) % size, axis=axis)
        if is_row and n > size:
            x[..., size:] = 0
    return x


def _takes_all(setting: Setting, other: Setting) -> bool:
    """Say whether a function of other sizes looks at the entries that it had not before."""
    truths = other.truth(other.example)
    wrt, is_listed = other.subject.question.wrt, other.subject.question.is_listed
    for t, k in zip(truths or (), wrt if is_listed else (), strict=False):
        old, new = setting.example[k].shape, other.example[k].shape
        for axis, (m, n) in enumerate(zip(old, new, strict=True)):
            if m < n and not np.any(np.take(t, range(m, n), axis=axis)):
                return False
    return truths is not None


def is_general(
    setting: Setting, other: Setting, truths: Sequence[Any], answers: Sequence[Any]
) -> bool:
    """Say whether a candidate that is wrong for other sizes was meant for them.

    It may be written place by place, so that what it has not seen is zero, or for a vector or a
    square matrix of so many rows; and the function itself may have a number that is a size.
    """
    changed = [
        [k for k, (m, n) in enumerate(zip(x.shape, y.shape, strict=True)) if m != n]
        for x, y in zip(setting.example, other.example, strict=True)
    ]
    ones = [k for k, own in enumerate(changed) if 0 in own and len(setting.example[k]) == 1]
    if ones:
        point = other.example[: len(setting.example)]
        return are_examples(setting.subject, point, ones) and looks_at(other, answers, ones)
    if _is_turned(setting, other):
        rows = [k for k, own in enumerate(changed) if 0 in own]
        if not are_examples(setting.subject, setting.example, rows):
            return False
    is_wide = any(own and x.ndim > 1 for own, x in zip(changed, setting.example, strict=True))
    is_square = any(len(own) > 1 for own in changed)
    wrt, is_listed = setting.subject.question.wrt, setting.subject.question.is_listed
    for a, k in zip(answers, wrt if is_listed else (), strict=False):
        for axis in changed[k]:
            places = range(setting.example[k].shape[axis], a.shape[axis])
            if places and not np.any(np.take(a, places, axis=axis)):
                return False
    is_plain = (is_wide and not is_square) or _are_multiples(truths, answers)
    is_plain = is_plain or has_new_one(setting, other)  # which is tried of examples alone
    return is_plain and not _is_written_for(setting, other)


def _is_turned(setting: Setting, other: Setting) -> bool:
    """Say whether a matrix has fewer rows than columns in another setting alone.

    Equations have no solution then that they had, and rows have to be examples to be fewer.
    """
    matrices = [
        (x.shape, len(y))
        for x, y in zip(setting.example, other.example, strict=True)
        if x.ndim == 2
    ]
    return any(m >= n > rows for (m, n), rows in matrices)


def _are_multiples(truths: Sequence[Any], answers: Sequence[Any]) -> bool:
    """Say whether each answer is the truth, but for one factor, as a number of examples is."""
    for t, a in zip(truths, answers, strict=True):
        below = float(np.sum(np.abs(t) ** 2))
        factor = float(np.real(np.sum(np.conj(t) * a))) / below if below else 0.0
        if np.max(np.abs(a - factor * t), initial=0.0) > _CLOSE * np.max(np.abs(t), initial=0.0):
            return False
    return True


def _is_written_for(setting: Setting, other: Setting) -> bool:
    """Say whether the function itself has a number that comes from a size which is another one."""
    changed = [
        m
        for x, y in zip(setting.example, other.example, strict=True)
        for m, n in zip((*x.shape, x.size), (*y.shape, y.size), strict=True)
        if m != n
    ]
    own, given = factors_in(_forward(setting)), factors_in(setting.subject.candidate)
    if _has_any(given, changed) and not _has_any(own, changed):
        return False  # it is the candidate that has the size
    return _has_any(own, [f for n in changed for f in _from_size(n)])


def is_own_number(setting: Setting, other: Setting) -> bool:
    """Say whether a size is larger by one than a number that the function has, too.

    It may be one of turns, after which what is iterated is no fixed point yet for so large a size.
    """
    own = factors_in(_forward(setting))
    pairs = zip(setting.example, other.example, strict=True)
    return any(
        n - 1 in own for x, y in pairs for m, n in zip(x.shape, y.shape, strict=True) if m < n
    )


def _has_any(numbers: Sequence[float], known: Sequence[float]) -> bool:
    """Say whether any of some numbers is a known one."""
    return any(np.isclose(abs(x), f, rtol=1e-6) for x in numbers for f in known)


def _forward(setting: Setting) -> Any:
    """Give what an author wrote as the function."""
    given = inner_of(of_apply(setting.subject.source))
    return given.forward if is_autograd(given) else given


def _from_size(n: int) -> Iterator[float]:
    """List the numbers that are written for a size."""
    for size in (n, n - 1, np.sqrt(n), 2 * n, n / 2):
        if size not in (0, 1):
            yield from (size, 1 / size)


def has_new_one(setting: Setting, other: Setting) -> bool:
    """Say whether a size is one in another setting alone."""
    pairs = zip(setting.example, other.example, strict=True)
    return any(n == 1 < m for x, y in pairs for m, n in zip(x.shape, y.shape, strict=True))


def told(setting: Setting) -> str:
    """Say what the shapes of the inputs are."""
    names = setting.subject.names[: setting.subject.count]
    pairs = zip(names, setting.example, strict=False)
    return " and ".join(f"{name} has shape {x.shape}" for name, x in pairs if x.ndim)
