"""What the judge says is wrong where numbers show it by themselves, and whole reports."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

import symtape as tf
from symtape import verify
from symtape.verify.causes import patterns, regions
from symtape.verify.causes.evidence import Evidence
from symtape.verify.numbers.seen import Seen
from symtape.verify.running.clock import Clock

SQUARE = [
    np.array([[1.0, 2, -3], [4, 5, 0.5], [7, -8, 9]]),
    np.array([[2.0, 1, 1], [0, 3, 5], [6, 7, 1]]),
]
SQUARE.append(SQUARE[0] - 2 * SQUARE[1].T + 0.1)
LONG = [
    np.array([1.0, -2, 3, 5, 7, 11]),
    np.array([2.0, 9, -4, 1, 8, 3]),
    np.array([-1.0, 4, 2, 6, 9, 5]),
]


def evidence(
    truths: list[Any],
    answer: Callable[[Any], Any],
    *inputs: Any,
    words: str = "random",
    more: Callable[[Any], Any] | None = None,
    wrt: tuple[int, ...] = (0,),
) -> Evidence:
    """Make up points with truths and answers; each input is x itself, or a function of it."""
    points = []
    for t in truths:
        own = [t, *([more(t)] if more else [])]
        answers = [np.asarray(answer(t)), *own[1:]]
        given = [np.asarray(f(t) if callable(f) else f) for f in inputs or (lambda x: x,)]
        excess = [np.where(np.isclose(a, g), 0.0, 9.0) if np.shape(a) == np.shape(g) else 9.0
                  for g, a in zip(own, answers, strict=True)]  # fmt: skip
        points.append(Seen(given, own, answers, excess, "wrong", words))
    names = ["x", "y", "z"][: len(points[0].point)]
    subject = SimpleNamespace(
        names=names, count=len(names), question=SimpleNamespace(wrt=wrt),
        truth=lambda point: [tf.constant(t) for t in truths[:1]],
        answer=lambda point, shapes: [answer(truths[0])],
    )  # fmt: skip
    return Evidence(subject, ["x", "y"][: len(points[0].truths)], points)


ANSWERS: dict[str, Callable[[Any], Any]] = {
    "right": lambda t: t,
    "zero": lambda t: 0 * t,
    "a sign": lambda t: -t,
    "twice": lambda t: 2 * t,
    "half": lambda t: t / 2,
    "minus twice": lambda t: -2 * t,
    "minus a half": lambda t: -t / 2,
    "three times": lambda t: 3 * t,
    "a third": lambda t: t / 3,
    "as often as entries": lambda t: t.size * t,
    "divided by entries": lambda t: t / t.size,
    "some number": lambda t: 1.2345678 * t,
    "nearly right": lambda t: 1.00005 * t,
    "transposed": lambda t: t.T,
    "later": lambda t: np.roll(t, 1, 0),
    "earlier": lambda t: np.roll(t, -1, -1),
    "reversed": lambda t: t[::-1],
    "reversed in the last axis": lambda t: np.flip(t, -1),
    "another order": lambda t: t[[0, 2, 1, *range(3, len(t))]],
    "single precision": lambda t: (t / 3).astype("f").astype(float) * 3,
    "a constant too much": lambda t: t + 1,
    "a constant in each column": lambda t: t + np.arange(1.0, t.shape[-1] + 1),
    "a mean subtracted": lambda t: t - t.mean(0),
    "one entry": lambda t: t + (np.indices(t.shape).sum(0) == 0) * (t + 3),
    "three entries by one factor": lambda t: t * np.where(np.indices(t.shape).sum(0) == 1, 3, 1),
    "first place": lambda t: t + (np.indices(t.shape)[0] == 0) * t**2,
    "last place": lambda t: t + (np.indices(t.shape)[-1] == t.shape[-1] - 1) * t**2,
    "where negative": lambda t: np.where(t < 0, 3 * t * t, t),
    "where positive": lambda t: np.where(t > 0, 3 * t * t, t),
    "where small": lambda t: np.where(np.abs(t) < 1, 3 * t * t + 1, t),
    "where large": lambda t: np.where(np.abs(t) > 5, 3 * t * t, t),
    "above one": lambda t: np.where(np.abs(t) > 1, 3 * t * t, t),
}  # fmt: skip
OF_SQUARES: dict[str, Callable[[Any], Any]] = {
    "diagonal": lambda t: t + np.diag(np.diag(t) ** 2 + 1),
    "off the diagonal": lambda t: t + (1 - np.eye(3)) * (t**2 + 1),
    "above": lambda t: t + np.triu(t**2 + 1, 1),
    "below": lambda t: t + np.tril(t**2 + 1, -1),
    "both halves": lambda t: t + t.T - np.diag(np.diag(t)),
    "symmetric part": lambda t: (t + t.T) / 2,
    "not averaged": lambda t: t + np.triu(t, 1) - np.triu(t, 1).T,
    "lower triangle": np.tril,
    "upper triangle": np.triu,
    "rows": lambda t: t[[2, 0, 1]],
}


def _said(of: Evidence, k: int = 0) -> list[str]:
    """List what each rule says of one result."""
    pairs = of.pairs(k)
    of_pairs = (*patterns.PATTERNS, patterns.constant_along, patterns.half_precision)
    of_points = (regions.few_places, regions.where_wrong, regions.sporadic)
    found = [(rule, rule(of, k, pairs)) for rule in of_pairs] if pairs else []
    if any(np.any(s.excess[k] > 1) for s in of.points):
        found += [(rule, rule(of, k)) for rule in of_points]
    return [f"{rule.__name__.strip('_')}: {words}" for rule, words in found if words]


def _of_numbers(truths: list[Any], answer: Callable[[Any], Any]) -> list[str]:
    return _said(evidence(truths, answer))


TOLD: dict[str, Callable[[], Any]] = {}
for _name, _answer in ANSWERS.items():
    for _shape, _truths in (("vector", LONG), ("matrix", SQUARE)):
        if not (_shape == "vector" and _name == "transposed"):
            TOLD[f"{_name}, {_shape}"] = partial(_of_numbers, _truths, _answer)
for _name, _answer in OF_SQUARES.items():
    TOLD[f"{_name}, matrix"] = partial(_of_numbers, SQUARE, _answer)

STACKS = [np.stack([a, b, a + b, a - b]) for a, b in zip(SQUARE, SQUARE[::-1], strict=True)]
for _name in ("above", "below", "diagonal", "off the diagonal"):
    TOLD[f"{_name}, matrices"] = partial(
        _of_numbers, STACKS, lambda t, f=OF_SQUARES[_name]: np.stack([f(x) for x in t])
    )
TOLD["transposed, matrices"] = partial(_of_numbers, STACKS, lambda t: np.swapaxes(t, 1, 2))

LABELS = np.array([0, 2, 1, 2, 0, 2])
CHOICES = LABELS == 2
ROWS = [np.arange(1.0, 7)[:, None] * np.array([1.0, -2, 3]) + k for k in range(3)]


def _labelled(given: Any, wrong: Any, truths: list[Any] = LONG) -> list[str]:
    """Be wrong where an input has a label."""

    def answer(t: Any) -> Any:
        return t + np.reshape(wrong, (-1,) + (1,) * (t.ndim - 1)) * (t**2 + 1)

    return _said(evidence(truths, answer, lambda t: t, given))


def _at_edges(words: str) -> list[str]:
    of = evidence(LONG, lambda t: np.where(t > 8, 0, t), words=words)
    return [regions.at_edge(of, 0), regions.rarely(of, 0), *_said(of)]


def _exchanged() -> list[str]:
    def answer(t: Any) -> Any:
        return np.cos(t) + t

    return _said(evidence(LONG, answer, more=answer))


def _factors_of_other_inputs() -> list[str]:
    of = [
        evidence(LONG, lambda t, f=f: f * t, lambda t: t, np.ones((5, 4)))
        for f in (5.0, 4.0, 20.0, 1 / 5, 1 / 20, 7.0)
    ]
    return [line for e in of for line in _said(e)]


TOLD |= {
    "where a label is": partial(_labelled, LABELS, LABELS == 2),
    "where a truth is": partial(_labelled, CHOICES, CHOICES),
    "where a number is": partial(_labelled, LABELS / 4, LABELS == 2),
    "where a row has a label": partial(
        _labelled, np.stack([LABELS, LABELS * 0 + 5], 1), CHOICES, ROWS
    ),
    "where a row has a number": partial(
        _labelled, np.stack([LABELS, LABELS * 0 + 5], 1) / 4, CHOICES, ROWS
    ),
    "a label of rows": partial(_labelled, LABELS, CHOICES, ROWS),
    "results exchanged": _exchanged,
    "sizes of other inputs": _factors_of_other_inputs,
    "of one point alone": lambda: _said(evidence(LONG[:1], lambda t: -t)),
    "of scalars": lambda: _said(evidence([np.float64(2.0), np.float64(3.0)], lambda t: t + 1)),
    "of nothing": lambda: _said(evidence([np.zeros(3)] * 3, lambda t: t + 1)),
}
for _words in (
    *("ties", "one large entry", "small inputs", "all 30", "all -30", "all 0", "all ones"),
    *("near 1.5", "beside x = y", "an ordinary point", "another edge"),
):
    TOLD[f"at an edge, {_words}"] = partial(_at_edges, _words)


# --- whole reports --------------------------------------------------------------------------------

X = np.array([0.5, -1.0, 2.0])


def _squares(x: Any) -> Any:
    return tf.reduce_sum(x * x)


CANDIDATES: dict[str, Callable[..., Any]] = {
    "right": lambda x: 2 * x,
    "of another shape": lambda x: 2 * x[:2],
    "a row": lambda x: 2 * x[None],
    "a column": lambda x: 2 * x[:, None],
    "two results": lambda x: (2 * x, x),
    "None": lambda x: None,
    "words": lambda x: "twice",
    "complex numbers": lambda x: 2j * x,
    "that raises": lambda x: x.nothing,
    "infinite": lambda x: x / 0.0 * np.abs(x),
}


def _report(name: str) -> str:
    with np.errstate(all="ignore"):
        found = str(verify.gradient(_squares, CANDIDATES[name], X))
    return found.partition("\n  inputs")[0]


TOLD |= {f"on {name}": partial(_report, name) for name in CANDIDATES}

M = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
SHAPES: dict[str, tuple[Any, Callable[..., Any]]] = {
    "transposed": (M, lambda x: (2 * x * M**2).T),
    "of a row, not summed": (X, lambda x: 2 * x * M**2),
    "of one row, not summed": (X[None], lambda x: 2 * x * M**2),
    "of one column, not summed": (M[:, :1], lambda x: 2 * x * M**2),
    "of a number, not summed": (np.array(1.5), lambda x: 2 * x * M**2),
    "not summed, and wrong": (X, lambda x: 3 * x * M**2),
    "of other sizes": (X, lambda x: np.ones((2, 2))),
    "summed to rows": (X, lambda x: (2 * x * M**2).sum(1)),
    "summed to a number": (X, lambda x: (2 * x * M**2).sum()),
    "a row of a column": (M[:, :1], lambda x: (2 * x * M**2).sum(1)),
}


def _of_shapes(name: str) -> str:
    given, candidate = SHAPES[name]
    found = str(verify.gradient(lambda x: tf.reduce_sum((x * M) ** 2), candidate, given))
    return found.partition("\n  inputs")[0]


TOLD |= {f"on what is {name}": partial(_of_shapes, name) for name in SHAPES}


# --- numbers that stand in a line -----------------------------------------------------------------


def _cubes(x: Any) -> Any:
    return tf.reduce_sum(x * x * x)


def _a_term_too_much(x: Any) -> Any:
    return 3 * x * x + np.sin(x)


def _a_step_too_much(x: Any) -> Any:
    near = np.cos(x)
    return 3 * x * x + near


def _a_factor_missing(x: Any) -> Any:
    return x * x


def _a_part_of_a_factor(x: Any) -> Any:
    square = 1.2 * x * x
    return square * 2


def _a_sign(x: Any) -> Any:
    square = -3 * x * x
    return square


def _a_wrong_number(x: Any) -> Any:
    return 3.1 * x * x


def _a_wrong_exponent(x: Any) -> Any:
    return 3 * np.abs(x) ** 2.5


def _a_number_of_two(x: Any) -> Any:
    return 2 * x * x + 0.75 * x * x


def _a_number_missing(x: Any) -> Any:
    return 3 * x * x + np.cos(x)


def _a_sign_of_a_term(x: Any) -> Any:
    return 3 * x * x - np.cos(x) * 1.37


def _with_waves(x: Any) -> Any:
    return tf.reduce_sum(x * x * x + 1.37 * tf.sin(x))


def _cause(candidate: Callable[..., Any], f: Callable[..., Any] = _cubes) -> str:
    """Give the cause that is found however long that takes: a slow machine says the same."""
    with mock.patch.object(Clock, "part", lambda self, _: self):
        return re.sub(r"line \d+", "line", verify.gradient(f, candidate, X, seconds=300).cause)


TOLD |= {
    f"cause of {candidate.__name__.strip('_').replace('_', ' ')}": partial(_cause, candidate)
    for candidate in (
        *(_a_term_too_much, _a_step_too_much, _a_factor_missing, _a_part_of_a_factor, _a_sign),
        *(_a_wrong_number, _a_wrong_exponent, _a_number_of_two),
    )
}
TOLD |= {
    "cause of a number missing": partial(_cause, _a_number_missing, _with_waves),
    "cause of a sign of a term": partial(_cause, _a_sign_of_a_term, _with_waves),
}
