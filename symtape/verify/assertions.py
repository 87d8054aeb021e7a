"""Assertions for tests: the report of the judge is the failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.verify import functions
from symtape.verify.report import Report


def accepted(report: Report) -> Report:
    """Give a report, or fail with it."""
    __tracebackhide__ = True
    if not report.ok:
        raise AssertionError(str(report))
    return report


def _asserting(judge: Callable[..., Report], is_not: str, example: str) -> Callable[..., Report]:
    """Make the assertion that a function of the judge accepts a candidate."""

    def function(f: Callable[..., Any], candidate: Any, *inputs: Any, **settings: Any) -> Report:
        __tracebackhide__ = True
        return accepted(judge(f, candidate, *inputs, **settings))

    name = f"assert_{judge.__name__}"
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Fail with the report if a candidate is {is_not}; see `{judge.__name__}`.\n\n"
        f"    >>> import numpy as np\n    >>> {name}({example}).ok\n    True\n    "
    )
    return function


assert_gradient = _asserting(
    functions.gradient, "no gradient", "np.sum, np.ones_like, np.array([1.0, 2.0])"
)
assert_vjp = _asserting(
    functions.vjp, "no backward pass", "lambda x: x ** 3, lambda x, g: 3 * x ** 2 * g, 2.0"
)
assert_jvp = _asserting(
    functions.jvp, "no product with tangents", "lambda x: x ** 3, lambda x, v: 3 * x ** 2 * v, 2.0"
)
assert_jacobian = _asserting(
    functions.jacobian, "no Jacobian", "np.sin, lambda x: np.diag(np.cos(x)), np.array([0.5, 1.0])"
)
assert_hessian = _asserting(
    functions.hessian, "no Hessian", "lambda x: x ** 3, lambda x: 6 * x, 2.0"
)
assert_value = _asserting(
    functions.value, "another function", "lambda x: x ** 3, lambda x: x * x * x, 2.0"
)
