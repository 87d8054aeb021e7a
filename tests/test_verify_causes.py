# ruff: noqa: D103 - a candidate is described by its name
"""Which line of a candidate is wrong, and what would be right there."""

from __future__ import annotations

import ast

import numpy as np
import pytest

import symtape as tf
from symtape import verify
from symtape.verify.causes.changes import Option, Spot, changes
from symtape.verify.causes.harmless import is_harmless
from symtape.verify.causes.reach import Reach
from symtape.verify.causes.sources import source_of
from symtape.verify.causes.variants import variants

X = np.array([0.5, -1.0, 2.0, 0.3])


def ordered(s):
    return tf.reduce_sum(tf.math.cumulative_logsumexp(s, reverse=True) - s)


def runs_the_wrong_way(s):
    e = np.exp(s)
    return e * np.cumsum(1 / np.cumsum(e)) - 1


def without_the_running_sum(s):
    e = np.exp(s)
    rest = np.cumsum(e[::-1])[::-1]
    return e * (1 / rest) - 1


def without_one(s):
    e = np.exp(s)
    rest = np.cumsum(e[::-1])[::-1]
    return e * np.cumsum(1 / rest)


def waves(x):
    return tf.reduce_sum(tf.sin(1.37 * x) ** 2)


def of_another_number(x):
    return 1.31 * np.sin(2.74 * x)


def softmaxes(x):
    return tf.nn.softmax(x)


def of_a_list(x, u):
    e = np.exp(x)
    parts = []
    for k in range(len(x)):
        parts.append(e[k] / e.sum() * (u[k] - (u @ e)))  # noqa: PERF401 - what is judged
    return np.stack(parts)


LINES = {
    "a running sum": (verify.gradient, ordered, runs_the_wrong_way, "runs the wrong way"),
    "a running sum that is not there": (
        verify.gradient, ordered, without_the_running_sum, "`return e * np.cumsum(1 / rest) - 1`"
    ),
    "a one": (verify.gradient, ordered, without_one, "`return e * np.cumsum(1 / rest) - 1`"),
    "a number": (
        verify.gradient, waves, of_another_number, "the number 1.31 is wrong, and 1.37 is right"
    ),
    "what stands elsewhere": (
        verify.vjp, softmaxes, of_a_list, "the division by e.sum() is missing"
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", LINES)
def test_the_line_and_what_is_right_are_told(name):
    """A slip in one place of a function is found, whichever it is."""
    ask, f, candidate, words = LINES[name]
    report = ask(f, candidate, X)
    assert report.verdict == "refuted"
    assert words in report.cause, report.cause
    assert "line " in report.cause


def test_a_rule_of_its_own_has_lines():
    """The source of a custom gradient is changed as that of a candidate is."""

    @tf.custom_gradient
    def squares(x):
        def back(upstream):
            slope = 3.0 * x
            return upstream * slope

        return x * x, back

    report = verify.vjp(squares, squares, X)
    assert "has `slope = 3.0 * x`, and is right with `slope = 2.0 * x`" in report.cause


def test_a_step_without_a_name_is_told_by_its_line():
    """What has neither a name nor a short formula is what a line computes."""

    def volume(x):
        return tf.reduce_sum(tf.exp(tf.reshape(x, (1, 2, 2)) @ tf.reshape(x, (1, 2, 2))))

    def unfinished(x):
        a = tf.reshape(x, (1, 2, 2))
        return tf.reshape(tf.exp(a @ a) @ tf.linalg.matrix_transpose(a), (4,))

    report = verify.gradient(volume, unfinished, X)
    assert "some " not in report.cause, report.cause


def several(x, w):
    a = x * w
    n = len(x)
    total, other = np.zeros(2), x
    for k in range(n):
        total[k] += a[k]
    return total, other


def test_lines_are_known_by_the_results_that_they_have_to_do_with():
    """A loop and what it fills belong to the result that is read from there."""
    tree = source_of(several).tree
    reach = Reach(tree, 2)
    assert [sorted(reach.of(s)) for s in tree.body] == [[0], [0], [0, 1], [0], [0, 1]]
    assert [reach.rank(tree.body[0], frozenset(w)) for w in ({0}, {0, 1}, {1})] == [0, 2, 3]


def test_variants_are_what_they_are_one_by_one():
    """A function that is told which of many it is computes what each would by itself."""
    source = source_of(without_one)
    tried = 0
    for spot, options in changes(source.tree):
        for together, option in variants(source, spot, options):
            (alone,) = [f for f, _ in variants(source, spot, [option])] or [None]
            assert same_outcome(together, alone), (ast.unparse(spot.node), option.words)
            tried += 1
    assert tried > 100


def outcome(function):
    try:
        with np.errstate(all="ignore"):
            return np.asarray(function(X))
    except Exception as error:  # noqa: BLE001 - whatever a variant raises
        return type(error)


def same_outcome(a, b):
    one, other = outcome(a), outcome(b)
    if isinstance(one, type) or isinstance(other, type):
        return one is other
    return one.shape == other.shape and np.array_equal(one, other, equal_nan=True)


def test_a_tree_is_left_as_it_was():
    """What is put in is taken out again."""
    source = source_of(without_one)
    before = ast.dump(source.tree)
    for spot, options in changes(source.tree):
        list(variants(source, spot, options))
    assert ast.dump(source.tree) == before
    spot = Spot(source.tree, "body", 0, source.tree.body[0], source.tree.body[0])
    (made,) = [f for f, _ in variants(source, spot, [Option(None, "")])]
    assert outcome(made) is NameError


def test_lists_that_a_function_made_may_grow():
    """Those of others may not."""
    kept = []

    def keeps(x):
        kept.append(x)
        return x

    for function, expected in ((of_a_list, True), (keeps, False)):
        source = source_of(function)
        assert is_harmless(source.tree, function.__globals__) is expected
