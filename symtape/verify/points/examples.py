"""Whether the rows of inputs are examples, and whether a candidate looks at all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.verify.answers import CandidateError
from symtape.verify.setting import Setting
from symtape.verify.subject import OUTSIDE, Subject


def are_examples(subject: Subject, point: Sequence[Any], ones: Sequence[int]) -> bool:
    """Say whether rows are examples: what comes of two is a row of each, their sum or their mean.

    What was one row may be a row by its nature, as a bias is.
    """
    count = subject.count
    rows = slice(0, 2), slice(0, 1), slice(1, 2)
    parts = [[x[r] if k in ones else x for k, x in enumerate(point[:count])] for r in rows]
    try:
        results = [subject.values(part) for part in parts]
    except OUTSIDE:
        return False
    tells = any(map(np.any, results[0]))  # nothing is a sum of nothing, whatever rows are
    return tells and all(_is_of_both(*found) for found in zip(*results, strict=True))


def looks_at(other: Setting, answers: Sequence[Any], ones: Sequence[int]) -> bool:
    """Say whether a candidate looks at second rows, and takes not the first as the one there is.

    Of what is judged it has to give them.
    """
    subject, point = other.subject, list(other.example)
    if any(k in subject.question.wrt for k in ones):
        return True
    for k in ones:
        point[k] = point[k].copy()
        point[k][1:] = point[k][1:] * 2 + 1
    try:
        again = subject.answer(point, other.shapes)
    except CandidateError:
        return True
    return not all(map(np.array_equal, answers, again))


def _is_of_both(whole: Any, first: Any, second: Any) -> bool:
    """Say whether a result of two examples is a row of each, their sum or their mean."""
    total = first + second
    options = [total, total / 2]
    if np.ndim(first):
        options.append(np.concatenate([first, second]))
    return any(np.shape(x) == np.shape(whole) and np.allclose(x, whole) for x in options)
