"""Which mistakes the judge tries in the steps of a derivative, and what each of them would give."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

import symtape as tf
from symtape.kernels.interpret import QUIET, interpret
from symtape.verify.causes import edits, slips
from symtape.verify.causes.derived import Derived, worded
from symtape.verify.causes.mistakes import Edit, exchanges, mistakes
from symtape.verify.running.clock import Clock
from symtape.verify.running.watching import Author

X, Y = np.array([0.5, -1.0, 2.0]), np.array([1.5, 0.25, -0.75])
M = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "a product": lambda x, y, m: x * y,
    "a quotient": lambda x, y, m: x / (y + x),
    "a difference": lambda x, y, m: x - y,
    "three terms": lambda x, y, m: tf.add_n([x, y, x * y]),
    "a square": lambda x, y, m: (x - y) ** 2,
    "functions": lambda x, y, m: tf.exp(-x) + tf.sin(y),
    "a sigmoid": lambda x, y, m: tf.sigmoid(x),
    "a tanh": lambda x, y, m: tf.tanh(x * y),
    "a root": lambda x, y, m: tf.sqrt(x * x + 1.0),
    "a Gaussian": lambda x, y, m: tf.exp(-((x - y) ** 2) / 2.0),
    "a running sum": lambda x, y, m: tf.cumsum(x * y),
    "a sum of rows": lambda x, y, m: tf.reduce_sum(m, 1),
    "a sum of columns": lambda x, y, m: tf.reduce_sum(m * m, 0),
    "a sum of all": lambda x, y, m: tf.reduce_sum(m * x),
    "a mean": lambda x, y, m: tf.reduce_mean(m, 1),
    "a square matrix": lambda x, y, m: tf.reduce_sum(x[:, None] * y, 0),
    "a matrix times a vector": lambda x, y, m: tf.linalg.matvec(m, x),
    "three factors": lambda x, y, m: tf.einsum("i,j,ji->j", x, m[:, 0], m),
}


def _edits(name: str, kind: Callable[..., Any], derived: bool) -> list[str]:
    x, y, m = (tf.constant(a) for a in (X, Y, M))
    with tf.GradientTape() as tape:
        tape.watch([x, y, m])
        made = FUNCTIONS[name](x, y, m)
    if derived:
        made = next(g for g in tape.gradient(made, [x, m]) if g is not None)
    formula = made.formula
    return _all_told(formula, kind(formula.program, formula.position))


def _all_told(formula: Any, edits: Iterable[Any]) -> list[str]:
    program, end = formula.program, formula.position
    known = {leaf.position: np.asarray(leaf.tensor().numpy()) for leaf in formula.used}
    needed = program.schedule([end], ())[0]
    values: list[Any] = [np.nan] * len(program.steps)
    for p, value in zip(needed, QUIET.run(interpret, program, known, needed), strict=True):
        values[p] = value
    return [_told(edit, values) for edit in edits if {*edit.about} <= {*needed}]


def _told(edit: Any, values: list[Any]) -> str:
    """Say where an edit is, in which words, and what it gives."""
    texts = [f"v{p}" for p in edit.about]
    words = (edit.words or edit.term or "without {}").replace("{-1}", "".join(texts[-1:]))
    with np.errstate(all="ignore"):
        found = np.asarray(edit.compute(values), float)
    numbers = " ".join([f"{x + 0.0:.4g}" for x in found.ravel()])
    return f"v{edit.place}, {words.format(*texts)}: {numbers}"


CANDIDATES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "without a factor": (lambda x, y, m: tf.sin(x) * y, lambda x, y, m: tf.cos(x)),
    "with a term too much": (lambda x, y, m: tf.sin(x), lambda x, y, m: tf.tanh(x) + y),
    "with a quotient": (lambda x, y, m: x, lambda x, y, m: tf.tanh(x) / y - x),
    "without a sum": (lambda x, y, m: x, lambda x, y, m: y * tf.tanh(x)),
    "with a matrix": (
        lambda x, y, m: x[:2],
        lambda x, y, m: tf.linalg.matvec(m[:, :2] + 0.0, tf.tanh(x[:2])),
    ),
    "with a square matrix": (lambda x, y, m: m[:, :2], lambda x, y, m: tf.exp(m[:, 1:])),
}


def _slips(name: str) -> list[str]:
    x, y, m = (tf.constant(a) for a in (X, Y, M))
    with tf.GradientTape() as tape:
        tape.watch([x, y, m])
        truth, answer = (f(x, y, m) for f in CANDIDATES[name])
        both = tf.add_n([truth, answer])
    formula = both.formula
    operands = formula.program.steps[formula.position][1:]
    return _all_told(formula, slips.Slips(formula.program, *operands).each())


def _factors(told: Callable[[Any, float], str]) -> list[str]:
    """Say what is wrong with a term that would have to have some factor to make all right."""
    return [told(Edit(0, np.zeros_like, "", (0,), "{}"), factor) for factor in (0.0, -1, 3, -0.3)]


WORDS = ("the term {} is missing in {}", "{} is used instead of {}", "2*({0}) in {1}", "{} in {-1}")


def _steps(seconds: float) -> list[str]:
    """Write steps into words: with names, as formulas while there is time, and by what they do."""
    x, y, m = (tf.constant(a, name=n) for a, n in ((X, "x"), (Y, "y"), (M, "m")))
    with tf.GradientTape() as tape:
        tape.watch([x, y, m])
        product = x * y
        sums = tf.cumsum(product - x / y) + tf.linalg.matvec(m, x)[0]
        formula = tf.reduce_sum(tf.exp(sums) + tf.add_n([x, 2 * y, sums])).formula
    author = Author()
    author.names[4] = "product"
    leaves = [leaf.position for leaf in formula.used]
    clock, end = Clock.of(seconds), formula.position
    others = dict.fromkeys(leaves[3:])
    view = Derived(formula.program, tuple(leaves[:3]), others, end, ["x", "y", "m"], clock, author)
    needed = formula.program.schedule([end], ())[0]
    pairs = zip(needed, [*needed[1:], needed[-1]], strict=True)
    return [worded(view, words, pair) for pair in pairs for words in WORDS]


TOLD: dict[str, Callable[[], Any]] = {
    f"{words}{name}{end}": partial(_edits, name, kind, derived)
    for name in FUNCTIONS
    for words, kind in (("mistakes in ", mistakes), ("exchanges in ", exchanges))
    for end, derived in (("", False), (", derived", True))
    if not (derived and name in {"a difference", "a sum of rows"})
}
TOLD |= {f"slips {name}": partial(_slips, name) for name in CANDIDATES}
TOLD |= {
    "factors in the derivative": partial(_factors, edits._told),
    "factors in the candidate": partial(_factors, slips._told),
    "steps as formulas": partial(_steps, 60.0),
    "steps when there is no time": partial(_steps, 0.0),
}
