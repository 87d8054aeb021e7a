"""Labels read off from chances at each time, without blanks, and how far sequences lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import groupby
from typing import Any

import numpy as np

from symtape.errors import FailedPreconditionError
from symtape.ops.arguments import allowed, check, is_tensor, valued
from symtape.ops.attributes import attributes, integer
from symtape.ops.sparse.tensor import SparseTensor, of_any_shape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_NEVER = -np.inf
_LOGITS = allowed("float, double")


def ctc_greedy_decoder(
    inputs: Any,
    sequence_length: Any,
    merge_repeated: bool = True,
    blank_index: int | None = None,
    name: str | None = None,
) -> tuple[list[SparseTensor], Tensor]:
    """The likeliest class at each time without blanks, and minus the sum of their logits.

    `inputs` have shape (times, batch, classes); the blank is the last class by default. Classes
    that follow each other at once are one, unless `merge_repeated` is false.

    >>> (found,), _ = ctc_greedy_decoder([[[5.0, 1.0, 0.0]], [[0.0, 1.0, 0.5]]], [2])
    >>> found.values.numpy().tolist()
    [0, 1]
    """
    logits, lengths = _checked("CTCGreedyDecoder", inputs, sequence_length)
    classes = logits.shape[2]
    blank = classes - 1 if blank_index is None else int(blank_index)
    if not -classes <= blank < classes:
        raise invalid(
            "CTCGreedyDecoder",
            f"blank_index expected to be between {-classes} and {classes - 1} but was {blank}",
        )
    best, rows = logits.argmax(2).T, []
    for row, length in zip(best.tolist(), lengths, strict=True):
        path = row[:length]
        path = [k for k, _ in groupby(path)] if merge_repeated else path
        rows.append([k for k in path if k != blank % classes])
    within = np.arange(len(logits))[:, None] < np.asarray(lengths)
    total = -np.where(within, logits.max(2), 0).sum(0, keepdims=True).T
    return [_sparse(rows)], Tensor(total.astype(logits.dtype))


@attributes(beam_width=integer(least=1), top_paths=integer(least=1))
def ctc_beam_search_decoder(
    inputs: Any,
    sequence_length: Any,
    beam_width: int = 100,
    top_paths: int = 1,
    name: str | None = None,
) -> tuple[list[SparseTensor], Tensor]:
    """The likeliest sequences of classes over all of their alignments, and their logarithms.

    Of all sequences so far the `beam_width` likeliest are kept at each time. The blank is the last
    class.

    >>> found, chances = ctc_beam_search_decoder([[[1.0, 0.0, 0.0]]], [1], top_paths=2)
    >>> [f.values.numpy().tolist() for f in found]
    [[0], []]
    """
    logits, lengths = _checked("CTCBeamSearchDecoder", inputs, sequence_length)
    if top_paths > beam_width:
        raise invalid("CTCBeamSearchDecoder", "requested more paths than the beam width.")
    rows = [
        _searched(logits[:length, k], beam_width, top_paths) for k, length in enumerate(lengths)
    ]
    paths = [_sparse([row[k][0] for row in rows]) for k in range(top_paths)]
    chances = np.array([[chance for _, chance in row] for row in rows], logits.dtype)
    return paths, Tensor(chances.reshape(len(rows), top_paths))


Prefix = tuple[int, ...]
Beam = dict[Prefix, tuple[Any, Any]]  # chances that end with a blank, and with its last class


def _searched(logits: Any, width: int, paths: int) -> list[tuple[Prefix, Any]]:
    """Give the likeliest prefixes, each with the logarithm of its chance."""
    kind = logits.dtype.type
    beam: Beam = {(): (kind(0), kind(_NEVER))}
    for given in logits:
        step = given - np.logaddexp.reduce(given)
        beam = _ordered(_lengthened(_stayed(beam, step), beam, step, width))
    found = [(prefix, _total(*chances)) for prefix, chances in beam.items()]
    if len(found) < paths:
        raise invalid("CTCBeamSearchDecoder", "Less leaves in the beam search than requested.")
    return found[:paths]


def _stayed(beam: Beam, step: Any) -> Beam:
    """Add a time at which no class is added: the chances of each prefix, with its end repeated."""
    found = {}
    for prefix, (blank, label) in beam.items():
        ending = label
        if prefix and prefix[:-1] in beam:
            ending = np.logaddexp(ending, _before(beam[prefix[:-1]], prefix))
        ending = ending + step[prefix[-1]] if prefix else label
        found[prefix] = (_total(blank, label) + step[-1], ending)
    return found


def _lengthened(stayed: Beam, beam: Beam, step: Any, width: int) -> Beam:
    """Add a class to the prefixes of a beam, the likeliest first, and keep `width` of all.

    As in TensorFlow, a prefix that fell out before the turn of the one that it continues has no
    turn itself.
    """
    found, before = dict(stayed), dict(beam)
    least = [(_total(*chances), -k, prefix) for k, (prefix, chances) in enumerate(stayed.items())]
    heapify(least)
    for shorter in beam:
        for k in range(len(step) - 1 if shorter in before else 0):
            prefix = (*shorter, k)
            if prefix in found:
                continue
            chance = _before(before[shorter], prefix) + step[k]
            if chance > (least[0][0] if len(least) == width else _NEVER):
                if len(least) == width:
                    del found[heappop(least)[2]]
                found[prefix] = (step.dtype.type(_NEVER), chance)
                heappush(least, (chance, -len(found), prefix))
            else:
                before.pop(prefix, None)
    return found


def _before(chances: tuple[Any, Any], prefix: Prefix) -> Any:
    """Give the chance of what a class can follow: the same class follows a blank alone."""
    return chances[0] if prefix[-1:] == prefix[-2:-1] else _total(*chances)


def _total(blank: Any, label: Any) -> Any:
    return np.logaddexp(blank, label)


def _ordered(found: Beam) -> Beam:
    likely = sorted(found, key=lambda prefix: -_total(*found[prefix]))
    return {prefix: found[prefix] for prefix in likely if _total(*found[prefix]) > _NEVER}


def _checked(op: str, inputs: Any, sequence_length: Any) -> tuple[Any, list[int]]:
    given = convert(inputs)
    if not is_tensor(inputs) and given.dtype.is_integer:
        given = convert(inputs, dtypes.float32)
    check(op, given, _LOGITS, "inputs:T, sequence_length:int32 -> log_probability:T")
    logits = np.asarray(decided_by_look(given))
    lengths = np.asarray(valued(sequence_length))
    if logits.ndim != 3:
        raise invalid(op, "inputs is not a 3-Tensor")
    if lengths.ndim != 1:
        raise invalid(op, "sequence_length is not a vector")
    times, batch, _ = logits.shape
    if len(lengths) != batch:
        raise FailedPreconditionError.of(
            op,
            f"len(sequence_length) != batch_size.  len(sequence_length):  {len(lengths)}"
            f" batch_size: {batch}",
        )
    for k, length in enumerate(lengths.tolist()):
        if length > times:
            raise FailedPreconditionError.of(op, f"sequence_length({k}) <= {times}")
    return logits, lengths.tolist()


def _sparse(rows: Sequence[Sequence[int]]) -> SparseTensor:
    """Put sequences below each other, as many columns as the longest has."""
    places = [(k, i) for k, row in enumerate(rows) for i in range(len(row))]
    values = [n for row in rows for n in row]
    lines, shape = np.array(places, np.int64), (len(rows), max(map(len, rows), default=0))
    made = Tensor(np.array(values, np.int64))
    return of_any_shape(SparseTensor(lines.reshape(-1, 2), made, shape))


def edit_distance(
    hypothesis: SparseTensor,
    truth: SparseTensor,
    normalize: bool = True,
    name: str = "edit_distance",
) -> Tensor:
    """How many elements must be put in, left out or exchanged to make one sequence of another.

    Sequences stand along the last axis. With `normalize` the number is divided by the length of
    the truth: inf if that is empty and the hypothesis is not.

    >>> a, b = (SparseTensor([[0, 0], [0, 1]], values, (1, 2)) for values in ([1, 2], [1, 3]))
    >>> edit_distance(a, b).numpy()
    array([0.5], dtype=float32)
    """
    for x, said in ((hypothesis, "Hypothesis"), (truth, "Truth")):
        if not isinstance(x, SparseTensor):
            raise TypeError(f"{said} must be a SparseTensor.")
    sizes = np.maximum(hypothesis.sizes[:-1], truth.sizes[:-1])
    found = np.zeros(sizes, np.float32)
    ours, theirs = (_sequences(x) for x in (hypothesis, truth))
    for place in {*ours, *theirs}:
        a, b = ours.get(place, []), theirs.get(place, [])
        apart = np.float32(_apart(a, b))
        with np.errstate(divide="ignore"):
            found[place] = apart / np.float32(len(b)) if normalize else apart
    return Tensor(found)


def _sequences(x: SparseTensor) -> dict[tuple[int, ...], list[Any]]:
    found: dict[tuple[int, ...], list[Any]] = {}
    values = np.asarray(decided_by_look(x.values)).tolist()
    for place, value in zip(x.places[:, :-1].tolist(), values, strict=True):
        found.setdefault(tuple(place), []).append(value)
    return found


def _apart(a: Sequence[Any], b: Sequence[Any]) -> int:
    line = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, line[0] = line[0], i
        for j, y in enumerate(b, 1):
            corner, line[j] = line[j], min(line[j] + 1, line[j - 1] + 1, corner + (x != y))
    return line[-1]
