"""Every number of half precision, for functions that take their inputs entry by entry.

Such a function is run on long arrays, in which each value of float16 and of bfloat16 stands once.
What looks wrong there is only a suspicion: the points that are given are of the example's shape.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from symtape.program.operations import AddN, Cast, Constant, Input, Map
from symtape.verify.answers import CandidateError
from symtape.verify.numbers.accuracy import tolerance
from symtape.verify.setting import Setting
from symtape.verify.subject import OUTSIDE, values, wide

_SECONDS = 1.5
"""So long are values tried, in time of the processor."""

_LENGTH = 2048
_MOST_RUNS = 6
_LARGEST = 1e4
_SMALLEST = 1e-12
"""Inputs of single and double precision are tried between these, where squares have digits."""


def swept(setting: Setting) -> Iterator[tuple[str, list[Any]]]:
    """List points that look wrong when all values of half precision are tried.

    A note says so if all were: there is one input that is judged, and the function and the
    candidate can be run on arrays of any length.
    """
    k = _swept_input(setting)
    if k is None:
        return
    numbers = half_numbers(setting.example[k].dtype, setting.domains[k].kind)
    suspects, is_whole = _suspects(setting, k, setting.rng.permutation(numbers))
    for value in suspects:
        point = list(setting.example)
        point[k] = np.full_like(point[k], value)
        yield f"near {value:.4g}", point
    if is_whole:
        setting.notes.append(
            f"all {len(numbers)} values of half precision were tried for {setting.subject.names[k]}"
        )


@lru_cache(maxsize=8)
def half_numbers(dtype: Any, kind: str) -> Any:
    """List the finite numbers of float16 and bfloat16 that a domain has, for inputs of a dtype."""
    patterns = np.arange(2**16, dtype=np.uint32)
    half = patterns[(patterns >> 10) & 0x1F != 0x1F].astype(np.uint16)
    half = half.view(np.float16).astype(np.float64)
    finite = patterns[(patterns >> 7) & 0xFF != 0xFF]  # bfloat16 is the first half of float32
    brain = (finite << 16).astype(np.uint32).view(np.float32).astype(np.float64)
    own = np.dtype(dtype)
    if own == np.float16:
        found = half
    elif own.itemsize == 2:
        found = brain
    else:
        found = np.concatenate([half, brain])
        size = np.abs(found)
        found = found[(size == 0) | ((size >= _SMALLEST) & (size <= _LARGEST))]
    found = np.unique(found)
    if kind == "positive":
        return found[found > 0]
    return found[(found > 0) & (found < 1)] if kind == "unit" else found


def _swept_input(setting: Setting) -> int | None:
    """Give the input that is judged alone, if the truth is computed entry by entry."""
    question, subject = setting.subject.question, setting.subject
    if setting.is_fixed or question.kind not in {"gradient", "vjp", "jvp", "value"}:
        return None
    judged = [k for k in range(subject.count) if setting.domains[k].kind != "fixed"]
    if len(judged) != 1 or setting.example[judged[0]].dtype.kind not in "fV":
        return None
    (k,) = judged
    domain, shape = setting.domains[k], setting.example[k].shape
    if not domain.is_free or not shape or 0 in shape or setting.shapes != [shape]:
        return None
    alike = all(x.shape == shape for x in setting.example[subject.count :])
    return k if alike and subject.count == 1 and _is_elementwise(setting, k) else None


def _is_elementwise(setting: Setting, k: int) -> bool:
    pair = setting.subject.alone().recorded(setting.example)
    if pair is None or pair.program.guards or pair.truths[0] is None:
        return False
    shape = setting.example[k].shape
    for p in pair.program.schedule([pair.truths[0]], ())[0]:
        if type(pair.program.steps[p][0]) not in (Map, AddN, Cast, Constant, Input):
            return False
        if pair.program.shapes[p] not in (shape, ()):
            return False
    return True


def _suspects(setting: Setting, k: int, numbers: Any) -> tuple[list[float], bool]:
    """Give values at which a long array looks wrong, the worst of each neighbourhood."""
    begin = time.process_time()
    worst: list[tuple[float, float]] = []
    with np.errstate(all="ignore"):
        for start in range(0, len(numbers), _LENGTH):
            if time.process_time() - begin > _SECONDS:
                return _chosen(worst), False
            part = np.resize(numbers[start : start + _LENGTH], _LENGTH)
            errors = _errors(setting, k, part)
            if errors is None:
                return [], False
            worst += [(float(errors[i]), float(part[i])) for i in np.flatnonzero(errors > 1)]
    return _chosen(worst), True


def _errors(setting: Setting, k: int, part: Any) -> Any:
    """Run truth and candidate on values; give errors in multiples of what is allowed."""
    shape = (*setting.example[k].shape[:-1], len(part))
    point = [_long(setting, j, part, shape) for j in range(len(setting.example))]
    try:
        (truth,) = values(setting.subject.truth(setting.widened(point)))
        (answer,) = setting.subject.answer(point, [shape])
    except (*OUTSIDE, CandidateError):
        return None
    if truth is None or answer is None or answer.shape != shape or truth.shape != shape:
        return None
    answer = wide(answer)
    scale = np.maximum(np.abs(truth), setting.typical[0])
    error = np.abs(answer - truth) / np.where(scale == 0, 1.0, scale)
    error = np.where(np.isfinite(error), error, np.inf) / tolerance(setting.dtype)
    error = np.where(np.isfinite(truth), error, 0.0)
    return error.reshape(-1, len(part)).max(axis=0, initial=0.0)


def _long(setting: Setting, j: int, part: Any, shape: tuple[int, ...]) -> Any:
    """Give the values themselves, or a cotangent of ones for them."""
    x = setting.example[j]
    if j < setting.subject.count:
        return np.broadcast_to(part, shape).astype(x.dtype)
    return np.ones(shape, x.dtype)


def _chosen(worst: Sequence[tuple[float, float]]) -> list[float]:
    """Take the worst values, each of another neighbourhood."""
    chosen: list[float] = []
    for _, value in sorted(worst, reverse=True):
        if all(abs(value - other) > 0.1 * abs(value) for other in chosen):
            chosen.append(value)
        if len(chosen) == _MOST_RUNS:
            break
    return chosen
