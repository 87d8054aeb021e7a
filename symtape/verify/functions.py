"""What a user asks: is this the gradient, the product, the Jacobian, the Hessian, the value?"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends.imported import ImportedFunction
from symtape.nest.trees import take_apart
from symtape.ops.elementwise.conversion import convert_to_tensor
from symtape.verify.asked import NOTHING, Asked, Further
from symtape.verify.candidates import Candidate, as_candidate
from symtape.verify.claims import each_claim, together
from symtape.verify.frameworks.functions import array_of, as_function, of_arrays, run_by_framework
from symtape.verify.frameworks.hidden import hides_forward
from symtape.verify.frameworks.makers import followable
from symtape.verify.frameworks.own_gradients import ByItsRule, by_forward
from symtape.verify.frameworks.own_rules import is_autograd, of_apply
from symtape.verify.frameworks.whole import inner_of
from symtape.verify.judge import Judge, undecided, without_derivative
from symtape.verify.numbers.black_boxes import FOLLOWED_NOT, BlackBox, results, why_measured
from symtape.verify.numbers.straying import (
    NO_DOUBT,
    STRAYING,
    Doubt,
    is_stopped,
    strays,
    strays_slightly,
)
from symtape.verify.numbers.varying import VARYING, values_at, varies
from symtape.verify.report import Report
from symtape.verify.running.limits import limited
from symtape.verify.running.points import Runner, does_run, on_arrays, on_tensors, on_watched
from symtape.verify.subject import Subject, input_names

SECONDS = 60.0
"""So long may one call of a candidate take."""

JAX_PAIRS = "derivatives by complex numbers are JAX's here, the conjugates of TensorFlow's"


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
    `inputs` are an example, from which shapes and dtypes are taken. One can hold arrays, which are
    judged one by one, and is answered by the same structure; what is no array (an integer, a text)
    stays what it is. Points are drawn from the `domain` of each input ("real", "positive", "unit",
    "fixed"), the widest in which the function is finite unless it is stated. Strategies of
    Hypothesis can be inputs, too: their arrays are tried beside the other points. Raises
    `ValueError` for a function that is not scalar, for names that no input has, and where no input
    has floating numbers. A candidate that raises, changes its inputs, gives another shape, or takes
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
    return _judged(Asked("gradient", f, candidate, inputs, wrt, domain), seed, seconds)


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
    return _judged(Asked("value", f, candidate, inputs, (), domain), seed, seconds)


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
    asked = Asked("vjp", f, candidate, inputs, wrt, domain)
    rng = np.random.default_rng(seed)
    if upstream is None:
        try:
            with limited(seconds), redirect_stdout(io.StringIO()):
                more = [_drawn(rng, r) for r in _results(asked)]
        except TimeoutError:
            return without_derivative("vjp", seconds)
    else:
        more = [array_of(u) for u in take_apart(upstream)[0]]
    names = ["upstream"] if len(more) == 1 else [f"upstream{k}" for k in range(len(more))]
    return _judged(asked, seed, seconds, Further(names, more))


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
    asked = Asked("jvp", f, candidate, inputs, wrt, domain)
    rng = np.random.default_rng(seed)
    judged = asked.question.wrt
    if tangents is None:
        more = [_drawn(rng, asked.arrays[k]) for k in judged]
    else:
        more = [array_of(u) for u in take_apart(tangents)[0]]
    names = [f"d{asked.inputs.labels[k]}" for k in judged]
    return _judged(asked, seed, seconds, Further(names, more))


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
    return _judged(Asked("jacobian", f, candidate, inputs, wrt, domain), seed, seconds)


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
    return _judged(Asked("hessian", f, candidate, inputs, wrt, domain), seed, seconds)


def _judged(asked: Asked, seed: int, seconds: float, more: Further = NOTHING) -> Report:
    """Judge; what a function prints, which is run at hundreds of points, is not shown."""
    with redirect_stdout(io.StringIO()):
        claims = [*each_claim(asked)]
        return together([(c.candidate, _report(c, seed, seconds, more)) for c in claims])


def _report(asked: Asked, seed: int, seconds: float, more: Further) -> Report:
    rule = asked.by_own_rule(more, seconds)
    asked.question = asked.question._replace(is_bilinear=getattr(rule, "is_bilinear", False))
    function = by_forward(asked.function) if isinstance(rule, ByItsRule) else asked.function
    try:
        with limited(seconds):
            own = followed(function, asked.given, asked.candidate, asked.question.wrt)
    except TimeoutError:
        return without_derivative(asked.question.kind, seconds)
    names = [*asked.inputs.labels, *more.names]
    example = [*asked.arrays, *more.values]
    candidate = as_candidate(rule or asked.candidate, names, example, asked.wanted)
    trial = _Trial(asked, candidate, names, seed, seconds, more)
    subject = trial.subject(own)
    before = values_at(subject, asked.arrays)
    if varies(subject, asked.arrays, before):
        return undecided(asked.question.kind, VARYING)
    report = _of_steady(trial, own, function)
    if varies(subject, asked.arrays, before):
        return undecided(asked.question.kind, VARYING)
    return asked.with_inputs(report)


def _of_steady(trial: _Trial, own: Followed, function: Any) -> Report:
    """Judge a candidate of a function that gives the same numbers for the same inputs."""
    asked, candidate, more, seconds = trial.asked, trial.candidate, trial.more, trial.seconds
    is_hidden = not own.reason and hides_forward(function, asked.given)
    if is_hidden and trial.strays(own, function):
        own = trial.measured(function)
    is_doubtful = not (own.reason or is_hidden)
    report = trial.report(own, trial.doubt(own, function) if is_doubtful else NO_DOUBT)
    if report.cause == STRAYING:
        report = trial.report(trial.measured(function))
    report = _of_any_layout(report, asked, more, seconds)
    if report.ok and not candidate.is_fixed:
        report = replace(report, notes=(*report.notes, *_of_numbers(trial)))
    return report


def _of_numbers(trial: _Trial) -> Iterator[str]:
    """Say which integers a candidate is right for alone, as a power or a number of steps.

    It is tried at the example with another one, where the function and the candidate take that.
    """
    more, seconds = trial.more, trial.seconds
    for words, asked in trial.asked.of_other_numbers():
        with suppress(Exception):  # they do not take it
            rule = asked.by_own_rule(more, seconds)
            with limited(seconds):
                own = followed(asked.function, asked.given, asked.candidate, asked.question.wrt)
            given = Candidate(rule or asked.candidate, is_fixed=True)
            found = trial._replace(asked=asked, candidate=given).report(own)
            if found.verdict == "refuted" and found.table:
                yield words


def _of_any_layout(report: Report, asked: Asked, more: Further, seconds: float) -> Report:
    """Refute what is right for one layout of memory alone, or if all gradients are asked for."""
    if not report.ok:
        return report
    found = asked.by_layout(more, seconds)
    report = replace(report, notes=(*report.notes, *found.notes))
    if not found.cause:
        return report
    names, values = [*asked.inputs.labels, *more.names], [*asked.arrays, *more.values]
    at = dict(zip(names, values, strict=True))
    return replace(report, verdict="refuted", cause=found.cause, counterexample=at)


class _Trial(NamedTuple):
    """A candidate before the judge, by the formula of a function or by its differences."""

    asked: Asked
    candidate: Candidate
    names: Sequence[str]
    seed: int
    seconds: float
    more: Further

    def report(self, own: Followed, doubt: Doubt = NO_DOUBT) -> Report:
        """Judge; nothing is refuted where there is a doubt that the truth is one."""
        asked, more = self.asked, self.more
        points = [[*map(np.asarray, point), *more.values] for point in asked.further_points]
        example, is_fixed = [*asked.arrays, *more.values], self.candidate.is_fixed
        subject = self.subject(own)
        judge = Judge(subject, example, asked.domain, self.seed, is_fixed=is_fixed, points=points)
        judge.doubt = doubt
        if asked.question.is_bilinear and any(x.dtype.kind == "c" for x in example):
            judge.setting.notes.append(JAX_PAIRS)
        return judge.report()

    def subject(self, own: Followed) -> Subject:
        """Give what the judge runs and compares."""
        kind = BlackBox if own.reason else Subject
        count = len(self.asked.arrays)
        function, question = self.candidate.function, self.asked.question
        subject = kind(question, own.function, function, self.names, count, self.seconds)
        subject.reason, subject.run, subject.source = own.reason, own.run, self.asked.function
        return subject

    def measured(self, function: Any) -> Followed:
        """Give the function as one whose derivative is measured."""
        return Followed(self._of_arrays(function), STRAYING)

    def _of_arrays(self, function: Any) -> Callable[..., Any]:
        """Give the function of arrays; a forward of torch is told what needs a gradient."""
        given = self.asked.given
        needing = self.asked.question.wrt if hides_forward(function, given) else ()
        return of_arrays(function, given, needing)

    def doubt(self, own: Followed, function: Any) -> Doubt:
        """Give what is to be asked before something is refuted."""
        return Doubt(
            partial(self.strays, own, function),
            lambda point: self.strays(own, function, strays_slightly, point),
        )

    def strays(
        self, own: Followed, function: Any, how: Any = strays, point: Sequence[Any] | None = None
    ) -> bool:
        """Say whether the formula of the function has another slope than its values.

        What the author of a function has stopped is no slope; a forward of torch stops nothing.
        """
        subject, arrays = self.subject(own), self.asked.arrays if point is None else point
        if self.asked.question.kind == "value":
            return False
        compute = self._of_arrays(function)
        try:
            with limited(self.seconds):
                if not is_autograd(inner_of(of_apply(function))) and is_stopped(subject, arrays):
                    return False
                return bool(how(subject, arrays, compute, self.seed))
        except TimeoutError:
            return False


class Followed(NamedTuple):
    """A function of tensors, or of arrays for the `reason` that its derivative is no formula.

    `run` runs it on tensors, or on what has NumPy's methods, if it needs them.
    """

    function: Callable[..., Any]
    reason: str
    run: Runner = on_tensors


def followed(f: Any, inputs: Sequence[Any], candidate: Any, wrt: Sequence[int]) -> Followed:
    """Follow a function of any framework as one of tensors, if that can be."""
    arrays = [array_of(x) for x in inputs]
    try:
        function = as_function(f, inputs, candidate, wrt)
        is_imported = isinstance(function, ImportedFunction)
        if is_imported:
            function(*map(convert_to_tensor, arrays))
    except UnsupportedError:
        needing = wrt if is_autograd(inner_of(of_apply(f))) else ()
        return Followed(run_by_framework(f, inputs, needing), FOLLOWED_NOT)
    names = input_names(f, len(arrays))
    reason = why_measured(function, arrays, names, wrt)
    other = followable(function) if reason.startswith(FOLLOWED_NOT) else None
    if other is not None and not why_measured(other, arrays, names, wrt):
        return Followed(other, "", on_arrays)
    takes_tensors = is_imported or does_run(on_watched, function, arrays)
    return Followed(function, reason, on_tensors if takes_tensors else on_arrays)


def _results(asked: Asked) -> list[Any]:
    """Give the results of a function at the example as arrays.

    Its own framework has them sooner than one that follows it.
    """
    compute = of_arrays(asked.function, asked.given)
    if compute is not asked.function:
        with suppress(Exception), np.errstate(all="ignore"):  # what it raises is raised below
            return [array_of(x) for x in take_apart(compute(*map(np.copy, asked.arrays)))[0]]
    own = followed(asked.function, asked.given, asked.candidate, ())
    if own.reason:
        return results(own.function, asked.arrays)
    found = own.run(own.function, asked.inputs.labels, asked.arrays)
    return [convert_to_tensor(r).numpy() for r in take_apart(found)[0]]


def _drawn(rng: Any, like: Any) -> Any:
    found = rng.normal(size=like.shape)
    if like.dtype.kind == "c":
        found = found + 1j * rng.normal(size=like.shape)
    return np.asarray(found).astype(like.dtype)
