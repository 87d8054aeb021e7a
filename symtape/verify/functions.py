"""What a user asks: is this the gradient, the product, the Jacobian, the Hessian, the value?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends.imported import ImportedFunction
from symtape.nest import take_apart
from symtape.ops.elementwise.conversion import convert_to_tensor
from symtape.verify.candidates import as_candidate
from symtape.verify.frameworks import array_of, as_function, backward_of, run_by_framework
from symtape.verify.judge import Judge, without_derivative
from symtape.verify.numbers.black_boxes import FOLLOWED_NOT, BlackBox, results, why_measured
from symtape.verify.points.domain import KINDS
from symtape.verify.points.drawing import drawn
from symtape.verify.question import Question
from symtape.verify.report import Report
from symtape.verify.subject import Subject, input_names, limited

SECONDS = 60.0
"""So long may one call of a candidate take."""


def gradient(
    f: Callable[..., Any],
    candidate: Any,
    *inputs: Any,
    wrt: Any = None,
    domain: Mapping[str, str] | None = None,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Report:
    """Judge a candidate for the gradient of a scalar function.

    `candidate(*inputs)` gives one array for each input that is judged: all floating ones, or those
    of `wrt` (names or positions). It can be a formula in the inputs, too: text as `differentiate`
    reads it, or SymPy's expression, or an array of numbers, which is judged at the example alone.
    `inputs` are an example, from which shapes and dtypes are taken; points are drawn from the
    `domain` of each input ("real", "positive", "unit", "fixed"), the widest in which the function
    is finite unless it is stated. Strategies of Hypothesis can be inputs, too: their arrays are
    tried beside the other points. Raises `ValueError` for a function
    that is not scalar. A candidate that raises, changes its inputs, gives another shape, or takes
    more than `seconds`, is refuted, and the report says why.

    >>> import symtape as tf
    >>> def loss(x):
    ...     return tf.reduce_sum(tf.nn.softplus(x))
    >>> def by_hand(x):
    ...     return 1 / (1 + np.exp(-x))
    >>> gradient(loss, by_hand, np.array([0.5, -1.0])).verdict
    'equal'
    >>> report = gradient(loss, lambda x: by_hand(x) ** 2, np.array([0.5, -1.0]))
    >>> report.ok, report.counterexample
    (False, {'x': array([ 0., -1.])})
    """
    return _judged("gradient", f, candidate, inputs, wrt, domain, seed, seconds)


def value(
    f: Callable[..., Any],
    candidate: Any,
    *inputs: Any,
    domain: Mapping[str, str] | None = None,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Report:
    """Judge a candidate for the function itself; see `gradient`.

    >>> import symtape as tf
    >>> value(tf.nn.softplus, lambda x: np.log(1 + np.exp(x)), np.array([0.5])).verdict
    'equal'
    """
    return _judged("value", f, candidate, inputs, (), domain, seed, seconds)


def vjp(
    f: Callable[..., Any],
    candidate: Any,
    *inputs: Any,
    upstream: Any = None,
    wrt: Any = None,
    domain: Mapping[str, str] | None = None,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Report:
    """Judge a candidate for the backward pass of a function with any results.

    `candidate(*inputs, *upstream)` gives one array for each input that is judged; `upstream` has a
    cotangent for each result, which is drawn if it is not given. See `gradient` for the rest.

    >>> import symtape as tf
    >>> vjp(tf.tanh, lambda x, u: u * (1 - np.tanh(x) ** 2), np.array([0.5, -1.0])).ok
    True
    """
    rng = np.random.default_rng(seed)
    if upstream is None:
        try:
            with limited(seconds):
                more = [_drawn(rng, r) for r in _results(f, inputs, candidate)]
        except TimeoutError:
            return without_derivative("vjp", seconds)
    else:
        more = [array_of(u) for u in take_apart(upstream)[0]]
    names = ["upstream"] if len(more) == 1 else [f"upstream{k}" for k in range(len(more))]
    return _judged("vjp", f, candidate, inputs, wrt, domain, seed, seconds, (names, more))


def jvp(
    f: Callable[..., Any],
    candidate: Any,
    *inputs: Any,
    tangents: Any = None,
    wrt: Any = None,
    domain: Mapping[str, str] | None = None,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Report:
    """Judge a candidate for the product of a Jacobian with tangents.

    `candidate(*inputs, *tangents)` gives one array for each result; `tangents` has one for each
    input that is judged, which is drawn if it is not given. See `gradient` for the rest.

    >>> import symtape as tf
    >>> jvp(tf.sin, lambda x, dx: np.cos(x) * dx, np.array([0.5, -1.0])).ok
    True
    """
    rng = np.random.default_rng(seed)
    arrays = [array_of(x) for x in inputs]
    names = input_names(f, len(arrays))
    judged_ones = _positions(names, arrays, wrt)
    if tangents is None:
        more = [_drawn(rng, arrays[k]) for k in judged_ones]
    else:
        more = [array_of(u) for u in take_apart(tangents)[0]]
    own = [f"d{names[k]}" for k in judged_ones]
    return _judged("jvp", f, candidate, inputs, wrt, domain, seed, seconds, (own, more))


def jacobian(
    f: Callable[..., Any],
    candidate: Any,
    *inputs: Any,
    wrt: Any = None,
    domain: Mapping[str, str] | None = None,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Report:
    """Judge a candidate for Jacobians, whose first axes are those of the result; see `gradient`.

    >>> import symtape as tf
    >>> jacobian(tf.sin, lambda x: np.diag(np.cos(x)), np.array([0.5, -1.0])).ok
    True
    """
    return _judged("jacobian", f, candidate, inputs, wrt, domain, seed, seconds)


def hessian(
    f: Callable[..., Any],
    candidate: Any,
    *inputs: Any,
    wrt: Any = None,
    domain: Mapping[str, str] | None = None,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Report:
    """Judge a candidate for the Hessian of a scalar function by one input; see `gradient`.

    >>> import symtape as tf
    >>> def cubes(x):
    ...     return tf.reduce_sum(x**3)
    >>> hessian(cubes, lambda x: np.diag(6 * x), np.array([0.5, -1.0])).verdict
    'proved'
    """
    return _judged("hessian", f, candidate, inputs, wrt, domain, seed, seconds)


def _judged(
    kind: str,
    f: Any,
    candidate: Any,
    inputs: Sequence[Any],
    wrt: Any,
    domain: Mapping[str, str] | None,
    seed: int,
    seconds: float,
    more: tuple[Sequence[str], Sequence[Any]] = ((), ()),
) -> Report:
    if not callable(f):
        raise TypeError(f"verify.{kind}(): expected a function, not {f!r:.60}")
    points = drawn(inputs)
    given = points[0] if points else list(inputs)
    arrays = [array_of(x) for x in given]
    names = input_names(f, len(arrays))
    stated = dict(domain or {})
    for name, kind_of in stated.items():
        if name not in names or kind_of not in KINDS:
            raise ValueError(
                f"verify.{kind}(): domain gives one of {', '.join(KINDS)} for one of "
                f"{', '.join(names)}, and not {name}={kind_of!r}"
            )
    question = Question(kind, () if kind == "value" else _positions(names, arrays, wrt))
    try:
        with limited(seconds):
            function, reason = followed(f, given, candidate, question.wrt)
    except TimeoutError:
        return without_derivative(kind, seconds)
    further, values = more
    called, example = [*names, *further], [*arrays, *values]
    theirs = backward_of(candidate, question, given, len(arrays)) if callable(candidate) else None
    own = as_candidate(theirs or candidate, called, example)
    kind_of_subject = BlackBox if reason else Subject
    subject = kind_of_subject(question, function, own.function, called, len(arrays), seconds)
    subject.reason = reason
    further_points = [[*map(np.asarray, point), *values] for point in points[1:]]
    return Judge(
        subject, example, stated, seed, is_fixed=own.is_fixed, points=further_points
    ).report()


def followed(
    f: Any, inputs: Sequence[Any], candidate: Any = None, wrt: Sequence[int] = ()
) -> tuple[Callable[..., Any], str]:
    """Give a function on tensors that can be derived by formulas; else one on arrays, and why."""
    arrays = [array_of(x) for x in inputs]
    try:
        function = as_function(f, inputs, candidate)
        if isinstance(function, ImportedFunction):
            function(*map(convert_to_tensor, arrays))
    except UnsupportedError:
        return run_by_framework(f, inputs), FOLLOWED_NOT
    return function, why_measured(function, arrays, input_names(f, len(arrays)), wrt)


def _results(f: Any, inputs: Sequence[Any], candidate: Any) -> list[Any]:
    """Give the results of a function at the example as arrays."""
    function, reason = followed(f, inputs, candidate)
    arrays = [array_of(x) for x in inputs]
    if reason:
        return results(function, arrays)
    found = take_apart(function(*map(convert_to_tensor, arrays)))[0]
    return [convert_to_tensor(r).numpy() for r in found]


def _positions(names: Sequence[str], arrays: Sequence[Any], wrt: Any) -> tuple[int, ...]:
    if wrt is None:
        return tuple(k for k, x in enumerate(arrays) if x.dtype.kind in "fcV")
    listed = [wrt] if isinstance(wrt, (str, int)) else list(wrt)
    unknown = [w for w in listed if w not in names and w not in range(len(arrays))]
    if unknown:
        raise ValueError(f"wrt is some of {', '.join(names)}, or their positions: {unknown[0]!r}")
    return tuple(names.index(w) if isinstance(w, str) else w for w in listed)


def _drawn(rng: Any, like: Any) -> Any:
    found = rng.normal(size=like.shape)
    if like.dtype.kind == "c":
        found = found + 1j * rng.normal(size=like.shape)
    return np.asarray(found).astype(like.dtype)


__all__ = ["gradient", "hessian", "jacobian", "jvp", "value", "vjp"]
