"""Classes drawn to be told from true ones: candidates, and how often each is expected."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.attributes import attributes, boolean, integer
from symtape.ops.random.drawing.words import Words
from symtape.ops.random.seeds import SEEDS
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid, mismatch
from symtape.tensor.tensor import Tensor

_BLOCKS = 512
"""Counters that are kept for each candidate."""
_LOWEST = float(np.finfo(np.float32).min)


class Sampled(NamedTuple):
    """The classes that were drawn, and how often true ones and these are expected among them."""

    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor


class UniformCandidateSampler(Sampled):
    """See `Sampled`."""


class LogUniformCandidateSampler(Sampled):
    """See `Sampled`."""


class AllCandidateSampler(Sampled):
    """See `Sampled`."""


class Law(NamedTuple):
    """A distribution of classes: how one is drawn of the words of a stream, and its probability.

    `settings` tells calls apart that draw from one seed.
    """

    op: str
    draw: Callable[[Words, int], int]
    probability: Callable[[int, int], float]
    settings: tuple[Any, ...] = ()


def _uniform(words: Words, classes: int) -> int:
    """Draw a number below `classes`, each as likely as the others."""
    return words.below(classes, 2)


def _by_logarithm(words: Words, classes: int) -> int:
    """Draw a number that is below k with the probability log(k + 1) / log(classes + 1)."""
    return (int(math.exp(words.unit_double() * math.log1p(classes))) - 1) % classes


_UNIFORM = Law("UniformCandidateSampler", _uniform, lambda _, classes: 1 / classes)
_LOGARITHMIC = Law(
    "LogUniformCandidateSampler",
    _by_logarithm,
    lambda k, classes: math.log((k + 2.0) / (k + 1.0)) / math.log1p(classes),
)


@attributes(
    num_true=integer(least=1),
    num_sampled=integer(least=1),
    unique=boolean(),
    range_max=integer(least=1),
)
def uniform_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: Any = None,
    name: str | None = None,
) -> UniformCandidateSampler:
    """Draw `num_sampled` classes below `range_max`, each as likely as the others.

    With `unique` none is drawn twice. `true_classes` are a matrix of int64 with `num_true` columns.
    The numbers are TensorFlow's. Raises `InvalidArgumentError` for another matrix, and for more
    classes than there are.

    >>> uniform_candidate_sampler([[0]], 1, 2, False, 2, seed=1).true_expected_count.numpy()
    array([[1.]], dtype=float32)
    """
    found = candidates(_UNIFORM, true_classes, num_true, num_sampled, unique, range_max, seed)
    return UniformCandidateSampler(*found)


@attributes(
    num_true=integer(least=1),
    num_sampled=integer(least=1),
    unique=boolean(),
    range_max=integer(least=1),
)
def log_uniform_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: Any = None,
    name: str | None = None,
) -> LogUniformCandidateSampler:
    """Draw `num_sampled` classes below `range_max`, the smaller the likelier.

    A class is below k with the probability log(k + 1) / log(range_max + 1), as words are that are
    sorted by how often they occur. For the rest see `uniform_candidate_sampler`.

    >>> log_uniform_candidate_sampler([[0]], 1, 2, False, 3, seed=1).true_expected_count.numpy()
    array([[1.]], dtype=float32)
    """
    found = candidates(_LOGARITHMIC, true_classes, num_true, num_sampled, unique, range_max, seed)
    return LogUniformCandidateSampler(*found)


def candidates(
    law: Law, true: Any, num_true: int, count: int, unique: bool, classes: int, seed: Any
) -> Iterator[Tensor]:
    """Draw classes; what is drawn, and how often true classes and these are expected.

    Raises `InvalidArgumentError` for true classes that do not fit, and too few classes.
    """
    known = checked(law.op, true, num_true)
    if unique and count > classes:
        raise invalid(law.op, "Sampler's range is too small.")
    check_range(law.op, known, classes)
    kind = (law.op, num_true, count, bool(unique), classes, *law.settings)
    words = Words(SEEDS.stream(kind, seed, _BLOCKS * count))
    drawn, tries = _drawn(law, words, count, classes, unique=unique)
    expected = [
        np.array([_expected(law.probability(int(k), classes), count, tries) for k in of.ravel()])
        for of in (known, drawn)
    ]
    expected_true = expected[0].astype(np.float32).reshape(known.shape)
    return map(Tensor, (drawn, expected_true, expected[1].astype(np.float32)))


def checked(op: str, true: Any, num_true: int) -> Any:
    """Check true classes, and give them as a matrix."""
    given = tensor(true) if hasattr(true, "dtype") else convert(true, dtypes.int64)
    if given.dtype is not dtypes.int64:
        raise mismatch(op, Tensor(np.int64(0)), given, 0)
    known = np.asarray(decided_by_look(given))
    if known.ndim != 2:
        raise invalid(op, "true_classes must be a matrix")
    if known.shape[1] != num_true:
        told = (
            f"true_classes must have num_true columns, expected: {known.shape[1]} was: {num_true}"
        )
        raise invalid(op, told)
    return known


def check_range(op: str, known: Any, classes: int) -> None:
    """Raise `InvalidArgumentError` for a true class that does not exist."""
    outside = known[(known < 0) | (known >= classes)]
    if outside.size:
        told = f"`true_candidate` out of range [0, {classes}), received {outside.flat[0]}"
        raise invalid(op, told)


def _drawn(law: Law, words: Words, count: int, classes: int, *, unique: bool) -> tuple[Any, int]:
    """Draw classes, and say how many draws that took."""
    found: list[int] = []
    seen: set[int] = set()
    tries = 0
    while len(found) < count:
        tries += 1
        drawn = law.draw(words, classes)
        if not unique or drawn not in seen:
            seen.add(drawn)
            found.append(drawn)
    return np.array(found, np.int64), tries


def _expected(probability: float, count: int, tries: int) -> Any:
    """Give how often a class is expected: 1 - (1 - p)^tries, or p count if all draws were kept."""
    single = np.float32(probability)
    if tries == count:
        return single * np.float32(count)
    return -np.expm1(np.float32(tries) * np.log1p(-single))


@attributes(num_true=integer(least=1), num_sampled=integer(least=1), unique=boolean())
def all_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    seed: Any = None,
    name: str | None = None,
) -> AllCandidateSampler:
    """Give all of `num_sampled` classes, each expected once; nothing is drawn.

    >>> all_candidate_sampler([[0]], 1, 3, True).sampled_candidates.numpy()
    array([0, 1, 2])
    """
    known = checked("AllCandidateSampler", true_classes, num_true)
    check_range("AllCandidateSampler", known, num_sampled)
    counts = [np.ones(shape, np.float32) for shape in (known.shape, (num_sampled,))]
    return AllCandidateSampler(*map(Tensor, (np.arange(num_sampled), *counts)))


class ComputeAccidentalHits(NamedTuple):
    """Where candidates are true ones: rows, places among the candidates, and lowest numbers."""

    indices: Tensor
    ids: Tensor
    weights: Tensor


@attributes(num_true=integer(least=1))
def compute_accidental_hits(
    true_classes: Any,
    sampled_candidates: Any,
    num_true: int,
    seed: Any = None,
    name: str | None = None,
) -> ComputeAccidentalHits:
    """Find the candidates that are among the true classes of a row.

    >>> [t.numpy().tolist() for t in compute_accidental_hits([[0, 1], [5, 2]], [2, 1], 2)[:2]]
    [[0, 1], [1, 0]]
    """
    known = checked("ComputeAccidentalHits", true_classes, num_true)
    places = {int(k): at for at, k in enumerate(decided_by_look(tensor(sampled_candidates)))}
    hits = [(r, places[k]) for r, row in enumerate(known.tolist()) for k in row if k in places]
    rows, ids = np.array(hits, np.int64).reshape(-1, 2).T
    weights = np.full(len(hits), _LOWEST, np.float32)
    return ComputeAccidentalHits(*map(Tensor, (rows.astype(np.int32), ids, weights)))
