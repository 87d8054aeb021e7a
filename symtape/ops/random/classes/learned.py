"""Classes drawn as often as they were true ones before: learned_unigram_candidate_sampler."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import plain
from symtape.ops.attributes import attributes, boolean, integer
from symtape.ops.random.classes.candidates import Law, Sampled, candidates
from symtape.ops.random.drawing.words import Words
from symtape.ops.random.seeds import SEEDS
from symtape.tensor.within import WITHIN

_OP = "LearnedUnigramCandidateSampler"
_COUNTS: dict[tuple[Any, ...], Any] = {}
"""How often each class was true, and once more, for each kind of call since a seed was set."""


class LearnedUnigramCandidateSampler(Sampled):
    """See `Sampled`."""


@attributes(
    num_true=integer(least=1),
    num_sampled=integer(least=1),
    unique=boolean(),
    range_max=integer(least=1),
)
def learned_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: Any = None,
    name: str | None = None,
) -> LearnedUnigramCandidateSampler:
    """Draw `num_sampled` classes below `range_max`, each as likely as it was a true one before.

    What was true is counted from call to call, for calls with the same other arguments, until the
    global seed is set; each class begins with one. The numbers are TensorFlow's. Raises
    `UnsupportedError` within a `tf.function`, where each call would count by itself; for the rest
    see `uniform_candidate_sampler`.

    >>> found = learned_unigram_candidate_sampler([[0]], 1, 2, True, 2, seed=1)
    >>> sorted(int(k) for k in found.sampled_candidates)
    [0, 1]
    """
    if WITHIN.scope is not None:
        raise UnsupportedError(
            "tf.random.learned_unigram_candidate_sampler within a tf.function: it counts from call "
            "to call; call it outside, and give what it draws to the function"
        )
    kind = (SEEDS.epoch, num_true, num_sampled, bool(unique), range_max, seed)
    is_kept = seed is not None or SEEDS.seed is None
    counts = _counts(kind, range_max) if is_kept else np.ones(range_max, np.int64)
    law = _law(counts)
    found = candidates(law, true_classes, num_true, num_sampled, unique, range_max, seed)
    made = LearnedUnigramCandidateSampler(*found)
    np.add.at(counts, np.ravel(plain(true_classes)).astype(np.int64), 1)
    return made


def _counts(kind: tuple[Any, ...], classes: int) -> Any:
    """Give the counts of a kind of call, and forget those from before a seed was set."""
    if kind not in _COUNTS:
        for old in [other for other in _COUNTS if other[0] != kind[0]]:
            del _COUNTS[old]
        _COUNTS[kind] = np.ones(classes, np.int64)
    return _COUNTS[kind]


def _law(counts: Any) -> Law:
    ends = np.cumsum(counts)
    total = int(ends[-1])

    def draw(words: Words, classes: int) -> int:
        return int(np.searchsorted(ends, words.below(total), side="right"))

    def probability(k: int, classes: int) -> float:
        return float(np.float32(counts[k]) / np.float32(total))

    return Law(_OP, draw, probability)
