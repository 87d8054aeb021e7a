"""How long it takes to read a derivative, form by form, beside SymPy's own `diff` and `latex`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

import symtape as tf
from tests.references import REFERENCES, Leaves, derived

FORMS: dict[str, Callable[[Any], Any]] = {
    "text": lambda d: d.text(),
    "latex": lambda d: d.latex(),
    "matrix_expr": lambda d: d.matrix_expr,
    "index_expr": lambda d: d.index_expr(),
    "entries": lambda d: d.entries,
    "structure": lambda d: str(d.structure),
}
x, s, t = sp.symbols("x s t", positive=True)
SCALARS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "sigmoid": (tf.sigmoid, 1 / (1 + sp.exp(-x))),
    "gelu": (tf.nn.gelu, x * (1 + sp.erf(x / sp.sqrt(2))) / 2),
    "Planck": (lambda x: x**3 / (tf.exp(x) - 1), x**3 / (sp.exp(x) - 1)),
    "Hill": (lambda x: x**3 / (2 + x**3), x**3 / (2 + x**3)),
    "Student t": (lambda x: 2 * tf.math.log(1 + x**2 / 3), 2 * sp.log(1 + x**2 / 3)),
    "Lennard-Jones": (lambda x: (1 / x) ** 12 - (1 / x) ** 6, (1 / x) ** 12 - (1 / x) ** 6),
    "pendulum": (lambda x: 1 - tf.cos(x), 1 - sp.cos(x)),
    "Gaussian": (lambda x: tf.exp(-(x**2) / 2), sp.exp(-(x**2) / 2)),
}


def seconds(run: Callable[[], Any]) -> float:
    """Time one call by the processor, the first one: what is kept of it is no help to a reader."""
    start = time.process_time()
    run()
    return time.process_time() - start


def _latex_of_slope(e: Any, change: Callable[[Any], Any] = lambda slope: slope) -> str:
    """Let SymPy differentiate and write."""
    text: str = sp.latex(change(e.diff(x)))
    return text


def slope(f: Callable[[Any], Any]) -> Any:
    """Derive at a point."""
    x = tf.Variable(np.float64(0.7), name="x")
    with tf.GradientTape() as tape:
        y = f(x)
    return tape.gradient(y, x), x


def forms() -> None:
    """Print the median and the longest time of each form of the references that have it."""
    print("\nForms of the references: median and longest in ms, and which takes longest\n")
    print("| form | has it | median | longest | |\n|---|---|---|---|---|")
    for form, read in FORMS.items():
        times = {}
        for name, reference in REFERENCES.items():
            leaves = Leaves(3, 2, reference.symmetric)  # they live as long as they are read
            found = derived(reference, leaves)
            try:
                times[name] = seconds(partial(read, found))
            except (tf.SymtapeError, NotImplementedError, ValueError):
                continue
        longest = max(times, key=times.__getitem__)
        median = statistics.median(times.values()) * 1e3
        count = f"{len(times)} of {len(REFERENCES)}"
        print(f"| {form} | {count} | {median:.1f} | {times[longest] * 1e3:.0f} | {longest} |")


def scalars() -> None:
    """Print the time of `latex` of scalars beside SymPy's `diff` and `latex`, and `simplify`."""
    print("\nScalars: ms, symtape's latex() beside SymPy's, and with its simplify\n")
    print("| | symtape | SymPy | and simplify | ratio |\n|---|---|---|---|---|")
    for name, (f, expression) in SCALARS.items():
        found, leaf = slope(f)
        at = {x: sp.Float(0.7, 30)}
        assert abs(sp.N(expression.diff(x).xreplace(at)) - float(found.numpy())) < 1e-9, name
        own = seconds(found.latex)
        plain = seconds(partial(_latex_of_slope, expression))
        simple = seconds(partial(_latex_of_slope, expression, sp.simplify))
        ratio = own / simple
        print(
            f"| {name} | {own * 1e3:.1f} | {plain * 1e3:.1f} | {simple * 1e3:.1f} | {ratio:.2f} |"
        )
        del leaf


TEXTS = {
    "a sum of squares": "norm2(A*x - y)^2" + " + norm2(B*x)^2" * 18,
    "10,000 spaces": "norm2(A*x - y)^2" + " " * 10_000,
    "4,000 brackets": "(" * 4000 + "x'*x" + ")" * 4000,
    "as many signs": "x'*x" + " + 1" * 2_400,
    "nested exponentials": "sum(" + "exp(" * 36 + "x" + ")" * 37,
    "nested logarithms": "sum(" + "log(" * 36 + "x" + ")" * 37,
    "sums within logarithms": "sum(" + "log(x + " * 20 + "x" + ")" * 21,
    "products of logarithms": "sum(" + ".*".join(f"log(x + {k})" for k in range(1, 20)) + ")",
    "what is no formula": "x'*x + )" * 1_200,
}
"""Texts of up to 10,000 characters, with as many names and operations as a text may have."""


def texts() -> None:
    """Print how long a text takes until its derivatives are printed, or until it is refused."""
    print("\nTexts: ms until the formula or the refusal\n")
    print("| text | order | characters | formula | refused |\n|---|---|---|---|---|")
    tf.differentiate("x'*x", "x").text()  # the grammar is read once
    for (name, text), order in product(TEXTS.items(), (1, 2)):
        start = time.perf_counter()
        try:
            tf.differentiate(text, "x", notation="matrix", order=order).text()
            columns = "{:.0f} |"
        except tf.SymtapeError:
            columns = "| {:.0f}"
        took = (time.perf_counter() - start) * 1e3
        print(f"| {name} | {order} | {len(text)} | {columns.format(took)} |")


TABLES = (forms, scalars, texts)
