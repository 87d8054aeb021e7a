"""Classes drawn by weights that are given: fixed_unigram_candidate_sampler."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from symtape.errors import NotFoundError
from symtape.ops.attributes import attributes, boolean, floating, integer
from symtape.ops.random.classes.candidates import Law, Sampled, candidates
from symtape.ops.random.drawing.words import Words
from symtape.tensor.dispatch import invalid

_OP = "FixedUnigramCandidateSampler"


class FixedUnigramCandidateSampler(Sampled):
    """See `Sampled`."""


@attributes(
    num_true=integer(least=1),
    num_sampled=integer(least=1),
    unique=boolean(),
    range_max=integer(least=1),
    distortion=floating(1.0),
    num_reserved_ids=integer(0),
    num_shards=integer(1, least=1),
    shard=integer(0, least=0),
)
def fixed_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: Any = None,
    name: str | None = None,
) -> FixedUnigramCandidateSampler:
    """Draw `num_sampled` classes below `range_max` by weights, raised to a power, `distortion`.

    The weights are `unigrams`, or stand last in the lines of `vocab_file`, with commas between. The
    first `num_reserved_ids` classes are never drawn. Of several shards each has the classes whose
    number leaves `shard` when divided by `num_shards`. The numbers are TensorFlow's. Raises
    `InvalidArgumentError` where weights and arguments do not fit, and `NotFoundError` without the
    file; for the rest see `uniform_candidate_sampler`.

    >>> found = fixed_unigram_candidate_sampler([[0]], 1, 2, True, 3, unigrams=[1, 2, 3], seed=1)
    >>> found.sampled_candidates.shape
    TensorShape([2])
    """
    if bool(vocab_file) is bool(unigrams):
        only = "only provide one of vocab_file and unigrams" if vocab_file else ""
        raise invalid(_OP, f"Must {only or 'provide either vocab_file or unigrams'}.")
    given = [*unigrams] or _of_file(vocab_file)
    weights = [0.0] * len([k for k in range(num_reserved_ids) if k % num_shards == shard])
    first = len(weights)
    weights += [
        np.power(np.float32(weight), np.float32(distortion))
        for k, weight in enumerate(given, first)
        if k % num_shards == shard
    ]
    if len(weights) != range_max:
        text = f"range is {range_max} must be equal to weights size  {len(weights)}"
        raise invalid(_OP, text)
    settings = (vocab_file, distortion, num_reserved_ids, num_shards, shard, *unigrams)
    law = _law(np.array(weights, np.float32), settings)
    found = candidates(law, true_classes, num_true, num_sampled, unique, range_max, seed)
    return FixedUnigramCandidateSampler(*found)


def _of_file(name: str) -> list[float]:
    path = Path(name)
    if not path.is_file():
        raise NotFoundError.of(_OP, f"{name}; No such file or directory")
    weights = []
    for line in path.read_text("utf-8").splitlines():
        try:
            weights.append(float(line.rpartition(",")[2]))
        except ValueError:
            raise invalid(_OP, f"Wrong vocabulary format at line: {line}") from None
    return weights


def _law(weights: Any, settings: tuple[Any, ...]) -> Law:
    total = np.float32(0)
    for weight in weights:
        total += weight
    shares, others = _aliases(weights)

    def draw(words: Words, classes: int) -> int:
        unit, place = words.unit_float(), words.below(classes)
        return place if unit < shares[place] else others[place]

    return Law(_OP, draw, lambda k, _: float(weights[k] / total), settings)


def _aliases(weights: Any) -> tuple[list[Any], list[int]]:
    """Give each class a share of a place of its own, and another class the rest (Vose, 1991)."""
    count, total = len(weights), float(sum(map(float, weights)))
    shares = [float(weight) * count / total for weight in weights]
    others = list(range(count))
    low = [k for k, share in enumerate(shares) if share < 1]
    high = [k for k, share in enumerate(shares) if share >= 1]
    while low and high:
        small, large = low.pop(), high.pop()
        others[small] = large
        shares[large] -= 1.0 - shares[small]
        (low if shares[large] < 1 else high).append(large)
    for k in low + high:
        shares[k] = 1.0
    return [np.float32(share) for share in shares], others
