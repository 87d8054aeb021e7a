# ruff: noqa: D103 - a function is described by its name
"""Functions that were written for TensorFlow itself are judged as those of symtape are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from symtape import verify

X = np.array([0.3, -0.4])


@tf.custom_gradient
def log1pexp(x: Any) -> Any:
    e = tf.exp(x)

    def grad(upstream: Any) -> Any:
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


@tf.custom_gradient
def log1pexp_wrong(x: Any) -> Any:
    e = tf.exp(x)

    def grad(upstream: Any) -> Any:
        return upstream / (1 + e)

    return tf.math.log(1 + e), grad


def made_inside(x: Any) -> Any:
    @tf.custom_gradient
    def norm(x: Any) -> Any:
        n = tf.norm(x)
        return n, lambda g: g * x / n

    return norm(x)


@pytest.mark.parametrize("f", [log1pexp, lambda x: 2 * log1pexp(x), made_inside])
def test_right_rules_are_accepted(f: Any) -> None:
    """By a function that is decorated, one that calls it, and one that makes it."""
    assert verify.vjp(f, f, X).ok


@pytest.mark.parametrize("f", [log1pexp_wrong, lambda x: 2 * log1pexp_wrong(x)])
def test_wrong_rules_are_refuted_with_their_line(f: Any) -> None:
    """What is wrong is told as of any other function."""
    report = verify.vjp(f, f, X)
    assert report.verdict == "refuted"
    assert "has `return upstream / (1 + e)`, and is right with" in report.cause


def test_a_function_of_tensorflow_has_a_formula() -> None:
    """Its derivative is followed, and not measured."""

    def loss(x: Any) -> Any:
        return tf.reduce_sum(tf.nn.softplus(x))

    assert verify.gradient(loss, lambda x: 1 / (1 + np.exp(-x)), X).verdict == "equal"
    assert verify.gradient(loss, lambda x: tf.sigmoid(x), X).verdict == "proved"
