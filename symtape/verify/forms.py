"""The form of an answer: its shapes and dtypes, and what those of another one were meant to be."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.verify.answers import CandidateError
from symtape.verify.numbers.black_boxes import BlackBox
from symtape.verify.numbers.seen import Seen
from symtape.verify.setting import Setting
from symtape.verify.subject import values


def check_form(setting: Setting, tensors: Sequence[Any], answers: Sequence[Any]) -> None:
    """Raise `CandidateError` for what is no answer: None, another shape, other kinds of numbers."""
    for k, (t, a) in enumerate(zip(tensors, answers, strict=True)):
        name = setting.results[k]
        if a is None:
            if t is not None and np.any(t.numpy() != 0):
                raise CandidateError(f"the candidate gives None for {name}")
            continue
        shape = setting.shape_of(k)
        if a.shape != shape:
            truth = None if t is None else values([t])[0]
            raise CandidateError(_of_shape(name, truth, a, shape))
        if t is not None and a.dtype.kind == "c" and not t.dtype.is_complex:
            raise CandidateError(_of_complex_numbers(name, values([t])[0], a))
        if t is None or a.dtype.kind not in "fV":
            continue
        asked = min(_dtype_of(setting, t), setting.dtype, key=operator.attrgetter("itemsize"))
        if asked.kind in "fV" and a.dtype.itemsize < asked.itemsize:
            raise CandidateError(
                f"the candidate gives {a.dtype} for {name}, whose dtype is {asked}"
            )


def _dtype_of(setting: Setting, t: Any) -> Any:
    """Give the dtype that an answer has to have; what was measured has that of the inputs."""
    return setting.dtype if isinstance(setting.subject, BlackBox) else t.raw.dtype


def _of_complex_numbers(name: str, truth: Any, a: Any) -> str:
    """Say where the real part of complex numbers is what was meant."""
    words = f"the candidate gives complex numbers for {name}"
    if np.allclose(np.real(a), truth, rtol=1e-3):
        return f"{words}, whose derivative is real: it is their real part"
    return words


def form_of(setting: Setting, seen: Seen) -> str:
    """Say in what form an answer is wrong: it raised, or a result has another shape."""
    for name, t, a in zip(setting.results, seen.truths, seen.answers, strict=False):
        if a.shape != np.shape(t):
            return _of_shape(name, t, a, np.shape(t))
    return seen.words.removesuffix(" (random)")


def _of_shape(name: str, truth: Any, a: Any, shape: tuple[int, ...]) -> str:
    """Say what an answer of another shape may have been meant to be."""
    words = f"the candidate gives shape {a.shape} for {name}, whose shape is {shape}"
    if truth is None:
        return words
    if a.shape == shape[::-1] and np.allclose(a.T, truth, rtol=1e-3):
        return words + TRANSPOSED
    if a.ndim >= len(shape) and a.size > truth.size:
        summed = _summed_to(a, shape)
        if summed is not None and np.allclose(summed, truth, rtol=1e-3):
            return words + NOT_SUMMED
    return words


TRANSPOSED = ": it is transposed"
NOT_SUMMED = ": the sum over the axes that were broadcast is missing"


def _summed_to(a: Any, shape: tuple[int, ...]) -> Any:
    """Add up the axes that broadcasting made."""
    while a.ndim > len(shape):
        a = a.sum(axis=0)
    for k, n in enumerate(shape):
        if n == 1 and a.shape[k] != 1:
            a = a.sum(axis=k, keepdims=True)
    return a if a.shape == shape else None
