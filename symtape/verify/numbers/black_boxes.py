"""Derivatives of functions that cannot be followed: measured, with no step size to choose.

A function that computes by other libraries, or with Python's floats, has no formula. Its
differences are extrapolated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from traceback import extract_tb
from typing import Any

import numpy as np

from symtape.calculus.derive import lacking_slope
from symtape.errors import UnsupportedError
from symtape.frontends.imported import ImportedFunction
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.tracing import trace
from symtape.nest.trees import take_apart
from symtape.ops.elementwise.conversion import convert_to_tensor
from symtape.verify.causes.evidence import are_single
from symtape.verify.frameworks.functions import array_of
from symtape.verify.numbers.accuracy import precision, tolerance
from symtape.verify.numbers.extrapolation import EPS, Rate, directional, extrapolated
from symtape.verify.running.watching import Author
from symtape.verify.subject import OUTSIDE, Pair, Subject, wide

FOLLOWED_NOT = "the function cannot be followed"
"""Why most derivatives are measured."""

_MOST_ENTRIES = 64
"""Of so many entries of the inputs a derivative is measured at a point; others stay open there."""

_NOTHING = 1e-6
"""A slope that is so small beside the function is none."""

_FEW = 8
"""So many roundings has a value that was computed in single precision."""

_SAFE = 50.0
"""A difference counts if it is so many times the error of the extrapolation."""

_SHARP = 1e-6
"""Beside the largest entry, such an error of the extrapolation hides no factor."""


def why_measured(
    function: Callable[..., Any], arrays: Sequence[Any], names: Sequence[str], wrt: Sequence[int]
) -> str:
    """Say why the derivative of a function of tensors is no formula; "" where it is one.

    A function that raises with tensors and not with arrays cannot be recorded; one that raises with
    both is left to raise where it is asked. One that was imported is run beside its framework, and
    needs no recording. One that has no slope by an input has the gradient None, as TensorFlow's,
    which says nothing about the true one.
    """
    judged = [k for k, x in enumerate(arrays) if x.dtype.kind in "fcV"]
    try:
        traced = trace(function, Arguments(names, tuple(arrays), {}), judged, again=True)
    except TimeoutError:
        raise
    except Exception as error:  # noqa: BLE001 - whether it can be called at all is seen by calling it
        is_told = isinstance(function, ImportedFunction) or not _runs(function, arrays)
        return "" if is_told else FOLLOWED_NOT + _place_of(error, function)
    found = [r for r in traced.results if r is not None]
    return lacking_slope(traced.program, found, [traced.arguments[k] for k in wrt])


def _place_of(error: Exception, function: Any) -> str:
    """Say in which line of a function an error was raised, if it is one that can be read."""
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    lines = [f for f in extract_tb(error.__traceback__) if f.filename == file and f.line]
    return f" beyond line {lines[-1].lineno}, `{lines[-1].line}`" if lines else ""


def _runs(function: Callable[..., Any], arrays: Sequence[Any]) -> bool:
    try:
        results(function, arrays)
    except TimeoutError:
        raise
    except Exception:  # noqa: BLE001 - see above
        return False
    return True


def results(function: Callable[..., Any], point: Sequence[Any]) -> list[Any]:
    """Run a function on copies of arrays, and give its results as arrays."""
    with np.errstate(all="ignore"):
        found = function(*[x.copy() for x in point])
    return [_plain(x) for x in take_apart(found)[0]]


def roundings(values: Sequence[Any]) -> float:
    """Give the relative roundings of what a function gave, which may have single precision."""
    return _FEW * precision("float32") if are_single(values) else EPS


def _takes_wide(function: Callable[..., Any], point: Sequence[Any]) -> bool:
    """Say whether a function gives the same with more digits, as far as its shapes tell."""
    more = [x.astype("float64") if x.dtype.kind == "f" else x for x in point]
    if all(a.dtype == b.dtype for a, b in zip(more, point, strict=True)):
        return True
    own = [r.shape for r in results(function, point)]
    try:
        return [r.shape for r in results(function, more)] == own
    except Exception:  # noqa: BLE001 - whatever it raises
        return False


def _plain(x: Any) -> Any:
    found = array_of(x)
    return found.astype("float64") if found.dtype.kind in "fiub" else found


class BlackBox(Subject):
    """A subject whose truth is measured: tensors of numbers, with the error of each entry."""

    def truth(self, point: Sequence[Any]) -> list[Any]:
        """Measure the derivative at a point."""
        return [convert_to_tensor(r.value) for r in self.rates(point)]

    def recorded(
        self,
        point: Sequence[Any],  # noqa: ARG002 - there is no formula
        author: Author | None = None,  # noqa: ARG002 - see above
        *,
        least: float = 0.0,  # noqa: ARG002 - see above
    ) -> Pair | None:
        """Give no program: there is no formula to compare with."""
        return None

    def alone(self) -> Subject:
        """Give itself, since its truth is no formula."""
        return self

    def slack(self, point: Sequence[Any], dtype: Any) -> list[Any]:
        """Give the size beside which the errors of a measured truth are allowed ones."""
        return [_SAFE * r.error / tolerance(dtype) for r in self.rates(point)]

    def rates(self, point: Sequence[Any]) -> list[Rate]:
        """Measure each result of the question, entry by entry."""
        if any(point[k].dtype.kind == "c" for k in self.question.wrt):
            raise UnsupportedError(
                "verify: a derivative by complex numbers is not measured: let the function take "
                "real and imaginary parts, or compute by functions of tf"
            )
        key = b"".join(x.tobytes() for x in point)
        if self._last[0] != key:
            self._last = (key, _RATES[self.question.kind](self, point))
        return self._last[1]

    _last: tuple[bytes | None, list[Rate]] = (None, [])

    def is_sharp(self, point: Sequence[Any]) -> bool:
        """Say whether the truth was measured to the digits by which a mistake is told."""
        return all(
            np.max(r.error, initial=0) <= _SHARP * np.max(np.abs(r.value), initial=0)
            for r in self.rates(point)
        )

    def is_vague(self, point: Sequence[Any], typical: Sequence[float]) -> bool:
        """Say whether hardly a digit of the truth was measured, as at a kink.

        One that is zero everywhere, as that of a step, is known beside the size of the function.
        """
        least = _NOTHING * max(
            [float(np.max(np.abs(x), initial=0.0)) for x in self.values(point)], default=0.0
        )
        return all(
            bool(np.all(r.error > 1e-3 * np.maximum(np.abs(r.value), max(n, least))))
            for r, n in zip(self.rates(point), typical, strict=True)
        )

    def values(self, point: Sequence[Any]) -> list[Any]:
        """Run the function."""
        return results(self.function, self._taken(point[: self.count]))

    def roundings(self, point: Sequence[Any]) -> float:
        """Give the relative roundings of the function, which may have those of single precision."""
        return roundings(self.values(point))

    _dtypes: Sequence[Any] = ()
    """What the function has to be given, if it does not take more digits."""

    _is_known = False

    def _taken(self, point: Sequence[Any]) -> Sequence[Any]:
        """Give inputs as a function takes them, which may read memory as floats of few digits."""
        if not self._is_known:
            self._is_known = True
            if not _takes_wide(self.function, point):
                self._dtypes = [x.dtype for x in point]
        pairs = zip(point, self._dtypes, strict=False)
        return [x.astype(dtype) for x, dtype in pairs] if self._dtypes else point

    def contracted(self, point: Sequence[Any]) -> Any:
        """Give the scalar whose gradient is asked: the results times their cotangents."""
        found = self.values(point)
        if self.question.kind != "vjp":
            if len(found) != 1 or found[0].shape != ():
                raise ValueError(
                    f"verify.{self.question.kind}() takes a function with a scalar result, and "
                    f"this one gives {', '.join(str(r.shape) for r in found)}; use verify.vjp() or "
                    "verify.jacobian()"
                )
            return found[0]
        more = point[self.count :]
        own = more if self.question.is_bilinear else [*map(np.conj, more)]
        return sum(np.real(np.sum(r * u)) for r, u in zip(found, own, strict=True))


def _size(x: Any) -> float:
    return 0.25 * max(1.0, float(np.max(np.abs(x), initial=0.0)))


def _along(function: Any, point: Sequence[Any], moves: dict[int, Any], eps: float) -> Rate:
    """Differentiate an array-valued function along a direction of its inputs."""
    shape = np.shape(function(list(point)))

    def at(h: float) -> Any:
        try:
            return np.asarray(function(_moved(point, moves, h)))
        except OUTSIDE:
            return np.full(shape, np.nan)

    return directional(at, max(_size(point[k]) for k in moves), eps)


def _moved(point: Sequence[Any], moves: dict[int, Any], h: float) -> list[Any]:
    near = list(point)
    for k, d in moves.items():
        near[k] = point[k].astype("float64") + h * d
    return near


def _entry(point: Sequence[Any], k: int, i: int) -> Any:
    d = np.zeros(point[k].size)
    d[i] = 1.0
    return d.reshape(point[k].shape)


def _chosen(point: Sequence[Any], k: int) -> Any:
    """List the entries that are measured, others at other points."""
    size = point[k].size
    if size <= _MOST_ENTRIES:
        return range(size)
    rng = np.random.default_rng(abs(hash(point[k].tobytes())))
    return rng.permutation(size)[:_MOST_ENTRIES]


# --- questions ------------------------------------------------------------------------------------


def _by_entries(function: Any, point: Sequence[Any], k: int, eps: float) -> Rate:
    """Differentiate by each entry of an input, whose axes come last."""
    shape = np.shape(function(list(point)))
    value = np.zeros((*shape, point[k].size))
    error = np.full((*shape, point[k].size), np.inf)
    for i in _chosen(point, k):
        found = _along(function, point, {k: _entry(point, k, int(i))}, eps)
        value[..., i], error[..., i] = found
    whole = (*shape, *point[k].shape)
    return Rate(value.reshape(whole), error.reshape(whole))


def _gradients(subject: BlackBox, point: Sequence[Any]) -> list[Rate]:
    eps = subject.roundings(point)
    return [_by_entries(subject.contracted, point, k, eps) for k in subject.question.wrt]


def _jacobians(subject: BlackBox, point: Sequence[Any]) -> list[Rate]:
    wrt, eps = subject.question.wrt, subject.roundings(point)
    return [_by_entries(lambda p: np.real(subject.values(p)[0]), point, k, eps) for k in wrt]


def _products(subject: BlackBox, point: Sequence[Any]) -> list[Rate]:
    tangents = point[subject.count :]
    moves = dict(zip(subject.question.wrt, tangents, strict=True))
    count, eps = len(subject.values(point)), subject.roundings(point)
    return [_along(_result(subject, n), point, moves, eps) for n in range(count)]


def _result(subject: BlackBox, n: int) -> Callable[[Sequence[Any]], Any]:
    return lambda p: subject.values(p)[n]


def _own_values(subject: BlackBox, point: Sequence[Any]) -> list[Rate]:
    found = subject.values(point)
    return [Rate(r, np.abs(r) * np.finfo(float).eps) for r in found]


def _hessians(subject: BlackBox, point: Sequence[Any]) -> list[Rate]:
    """Differentiate twice: mixed differences have errors of even powers, too."""
    if len(subject.question.wrt) != 1:
        raise ValueError("verify.hessian() is by one input: say which with wrt=")
    (k,) = subject.question.wrt
    size = point[k].size
    least = EPS * abs(float(subject.contracted(point)))
    value, error = np.zeros((size, size)), np.full((size, size), np.inf)
    for i in range(size):
        for j in range(i + 1) if size**2 <= 4 * _MOST_ENTRIES else ():
            mixed = _mixed(subject, point, k, i, j)
            found = extrapolated(mixed, 2 * _size(point[k]), lambda h: least / (h * h))
            value[i, j] = value[j, i] = found.value
            error[i, j] = error[j, i] = found.error
    shape = point[k].shape * 2
    return [Rate(value.reshape(shape), error.reshape(shape))]


def _mixed(subject: BlackBox, point: Sequence[Any], k: int, i: int, j: int) -> Any:
    a, b = _entry(point, k, i), _entry(point, k, j)

    def differences(h: float) -> Any:
        corners = [(s, t) for s in (1, -1) for t in (1, -1)]
        try:
            found = [
                s * t * subject.contracted(_moved(point, {k: s * a + t * b}, h)) for s, t in corners
            ]
        except OUTSIDE:
            return np.nan
        return sum(found) / (4 * h * h)

    return differences


_RATES: dict[str, Callable[[BlackBox, Sequence[Any]], list[Rate]]] = {
    "gradient": _gradients,
    "vjp": _gradients,
    "jvp": _products,
    "jacobian": _jacobians,
    "hessian": _hessians,
    "value": _own_values,
}


RATED = ("gradient", "vjp")
"""Questions whose answers are slopes of one number."""


def order_of(subject: BlackBox, point: Sequence[Any], answers: Sequence[Any], rng: Any) -> float:
    """Give the power of h with which |f(x + hv) - f(x) - h⟨g, v⟩| falls: 2 for a gradient, else 1.

    nan where the function or the answers have so few digits, or it is so nearly linear, that
    nothing is left of it.
    """
    moves = {k: rng.normal(size=point[k].shape) for k in subject.question.wrt}
    given = [0.0 if a is None else a for a in answers]
    terms = [wide(np.asarray(a)) * moves[k] for a, k in zip(given, moves, strict=True)]
    slope = sum(float(np.sum(t)) for t in terms)
    start = float(subject.contracted(list(point)))
    steps, errors = [], []
    eps = subject.roundings(point)
    least = 1e4 * eps * (1 + abs(start))
    digits = max([eps, *(precision(x.dtype) for x in point)])
    lost = 8 * digits * sum(float(np.sum(np.abs(t))) for t in terms)
    for k in range(4, 30):
        h = 2.0**-k
        try:
            value = float(subject.contracted(_moved(point, moves, h)))
        except OUTSIDE:
            continue  # it is not defined there
        error = abs(value - start - h * slope)
        if np.isfinite(error) and error > least + h * lost:
            steps.append(np.log(h))
            errors.append(np.log(error))
    if len(steps) < 3:
        return np.nan
    return float(np.polyfit(steps[-6:], errors[-6:], 1)[0])
