# ruff: noqa: D103 - a candidate is described by its name
"""Candidates that give no answer of the right form, or not always the same one."""

from __future__ import annotations

import time

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

forms = Case(
    "answers of a wrong form",
    lambda x, w: tf.reduce_sum(tf.exp(x @ w)),
    lambda rng: [rng.normal(size=(3, 2)), rng.normal(size=(2, 2))],
    "gradient",
    {"seconds": 1.0},
    has_numbers=False,
)


@forms.right
def form_right(x, w):
    e = np.exp(x @ w)
    return e @ w.T, x.T @ e


@forms.right
def form_of_a_dictionary(x, w):
    e = np.exp(x @ w)
    return {"w": x.T @ e, "x": e @ w.T}


forms.but(form_right, by.any_of(by.RAISES, "NameError"), ("return e @ w.T", "return missing @ w.T"))
forms.but(form_right, by.any_of(by.RAISES, "ValueError|matmul"), ("x.T @ e", "x @ e"))
forms.but(form_right, by.any_of(by.RAISES, "ZeroDivision"), ("return e", "1 / 0\n    return e"))
forms.but(form_right, by.COUNT, ("return e @ w.T, x.T @ e", "return e @ w.T, x.T @ e, e"))
forms.but(form_right, by.COUNT, ("return e @ w.T, x.T @ e", "return e @ w.T"))
forms.but(form_right, by.NONE, ("return e @ w.T, x.T @ e", "return None, x.T @ e"))
forms.but(form_right, by.NONE, ("return e @ w.T, x.T @ e", "e @ w.T, x.T @ e"))
forms.but(form_right, by.any_of(by.SHAPE, by.TRANSPOSED), ("e @ w.T,", "(e @ w.T).T,"))
forms.but(form_right, by.SHAPE, ("e @ w.T,", "np.sum(e @ w.T),"))
forms.but(form_right, by.SHAPE, ("e @ w.T,", "(e @ w.T).ravel(),"))
forms.but(form_right, by.SHAPE, ("e @ w.T,", "(e @ w.T)[None],"))
forms.but(
    form_right,
    by.CHANGES,
    ("e = np.exp(x @ w)", "x *= 1.5\n    e = np.exp(x @ w / 1.5)"),
    ("x.T @ e", "x.T @ e / 1.5"),
)
forms.but(form_right, by.CHANGES, ("return e", "w[0, 0] = 0\n    return e"))
forms.but(form_right, by.COMPLEX, ("e @ w.T,", "e @ w.T + 0j,"))
forms.but(form_right, by.COMPLEX, ("np.exp(x @ w)", "np.exp((x @ w).astype(complex)) * (1 + 0.1j)"))
forms.but(form_right, by.FINITE, ("e @ w.T,", "np.full(x.shape, np.nan),"))
forms.but(
    form_right, by.any_of(by.FINITE, by.ENTRIES), ("return e", "e[0, 0] = np.inf\n    return e")
)
forms.but(form_right, by.FLOAT32, ("e @ w.T,", "(e @ w.T).astype(np.float32),"))
forms.but(
    form_right, by.any_of("text|str|list|array|number|object|dtype"), ("e @ w.T,", "'e @ w.T',")
)
forms.but(form_right, by.TIME, ("e = np", "while x is not None:\n        w = w + 0\n    e = np"))
forms.but(form_right, by.RANDOM, ("np.exp(x @ w)", "np.exp(x @ w) * np.random.uniform(0.9, 1.1)"))
forms.but(
    form_right,
    by.any_of("int", by.FLOAT32, by.ENTRIES, "round|dtype"),
    ("e @ w.T,", "(e @ w.T).astype(int),"),
)


@forms.wrong(by.TIME)
def form_sleeping(x, w):
    time.sleep(5)
    return form_right(x, w)


@forms.wrong(by.any_of("argument", by.RAISES))
def form_of_another_signature(x):
    return np.exp(x)


@forms.wrong(by.any_of("key|name|dict", by.COUNT))
def form_of_other_names(x, w):
    e = np.exp(x @ w)
    return {"x": e @ w.T, "weight": x.T @ e}


@forms.wrong(by.any_of(by.RAISES, by.SHAPE, "ragged|inhomogeneous|array|list"))
def form_ragged(x, w):
    return [[1.0, 2.0], [3.0]], w


_CALLS = []


@forms.wrong(by.any_of(by.RANDOM, by.STALE, "state|call", by.OTHER))
def form_with_memory(x, w):
    if not _CALLS:
        _CALLS.append(form_right(x, w))
    return _CALLS[0]


@forms.wrong(by.any_of("example|constant", by.OTHER, by.ENTRIES, by.CANCEL))
def form_of_the_example(x, w):
    dx, dw = form_right(*forms.example())
    return dx, dw
