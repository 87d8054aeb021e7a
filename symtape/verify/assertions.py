"""Assertions for tests: the report of the judge is the failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.verify import functions
from symtape.verify.report import Report


def assert_gradient(f: Callable[..., Any], candidate: Any, *inputs: Any, **settings: Any) -> Report:
    """Fail with the report if a candidate is no gradient; see `gradient`.

    >>> import numpy as np
    >>> import symtape as tf
    >>> assert_gradient(tf.reduce_sum, np.ones_like, np.array([1.0, 2.0])).ok
    True
    """
    __tracebackhide__ = True
    return accepted(functions.gradient(f, candidate, *inputs, **settings))


def assert_vjp(f: Callable[..., Any], candidate: Any, *inputs: Any, **settings: Any) -> Report:
    """Fail with the report if a candidate is no backward pass; see `vjp`.

    >>> assert_vjp(lambda x: x ** 3, lambda x, g: 3 * x ** 2 * g, 2.0).ok
    True
    """
    __tracebackhide__ = True
    return accepted(functions.vjp(f, candidate, *inputs, **settings))


def assert_jvp(f: Callable[..., Any], candidate: Any, *inputs: Any, **settings: Any) -> Report:
    """Fail with the report if a candidate is no product with tangents; see `jvp`.

    >>> assert_jvp(lambda x: x ** 3, lambda x, v: 3 * x ** 2 * v, 2.0).ok
    True
    """
    __tracebackhide__ = True
    return accepted(functions.jvp(f, candidate, *inputs, **settings))


def assert_jacobian(f: Callable[..., Any], candidate: Any, *inputs: Any, **settings: Any) -> Report:
    """Fail with the report if a candidate is no Jacobian; see `jacobian`.

    >>> import numpy as np
    >>> assert_jacobian(np.sin, lambda x: np.diag(np.cos(x)), np.array([0.5, 1.0])).ok
    True
    """
    __tracebackhide__ = True
    return accepted(functions.jacobian(f, candidate, *inputs, **settings))


def assert_hessian(f: Callable[..., Any], candidate: Any, *inputs: Any, **settings: Any) -> Report:
    """Fail with the report if a candidate is no Hessian; see `hessian`.

    >>> assert_hessian(lambda x: x ** 3, lambda x: 6 * x, 2.0).ok
    True
    """
    __tracebackhide__ = True
    return accepted(functions.hessian(f, candidate, *inputs, **settings))


def assert_value(f: Callable[..., Any], candidate: Any, *inputs: Any, **settings: Any) -> Report:
    """Fail with the report if a candidate is another function; see `value`.

    >>> assert_value(lambda x: x ** 3, lambda x: x * x * x, 2.0).ok
    True
    """
    __tracebackhide__ = True
    return accepted(functions.value(f, candidate, *inputs, **settings))


def accepted(report: Report) -> Report:
    """Give a report, or fail with it."""
    __tracebackhide__ = True
    if not report.ok:
        raise AssertionError(str(report))
    return report
