"""Numbers that know no derivative: differences of high order, and the check that people make."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from symtape.nest.trees import take_apart
from symtape.ops.elementwise.conversion import convert_to_tensor
from tests.judged.case import Case

_STENCIL = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
"""Places and weights of central differences of the sixth order."""

_STEP = 4e-3


def values(case: Case, point: Sequence[Any]) -> list[Any]:
    """Compute the results of the function, in double precision."""
    near = [(x + x.T) / 2 if k in case.symmetric else x for k, x in enumerate(point)]
    found = take_apart(case.function(*map(convert_to_tensor, near)))[0]
    return [np.asarray(convert_to_tensor(r).numpy()).astype(float) for r in found]


def judged_inputs(case: Case, point: Sequence[Any]) -> list[int]:
    """Give the positions of the inputs by which derivatives are taken."""
    wrt = case.options.get("wrt")
    if wrt is None:
        return [k for k, x in enumerate(point) if x.dtype.kind == "f"]
    return [wrt] if isinstance(wrt, int) else list(wrt)


def flat(arrays: Sequence[Any]) -> Any:
    """Put the entries of some arrays into one vector."""
    parts = [np.ravel(a) for a in arrays]
    return np.concatenate(parts) if parts else np.zeros(0)


def differences(function: Any, point: Sequence[Any], of: Sequence[int], step: Any = None) -> Any:
    """Give a Jacobian, by all entries of some inputs, of a function from arrays to a vector.

    Without a step they are of the sixth order; with one they are plain central differences.
    """
    columns = []
    for k in of:
        for at in np.ndindex(*point[k].shape):

            def moved(by: float, k: int = k, at: Any = at) -> Any:
                near = [x.astype(float) if x.dtype.kind == "f" else x for x in point]
                near[k] = near[k].copy()
                near[k][at] += by
                return function(near)

            if step is not None:
                columns.append((moved(step) - moved(-step)) / (2 * step))
                continue
            h = _STEP * max(abs(float(point[k][at])), 0.1)
            columns.append(sum(w * (moved(n * h) - moved(-n * h)) for n, w in _STENCIL) / h)
    return np.stack(columns, axis=-1)


def upstream(case: Case, point: Sequence[Any], rng: Any) -> list[Any]:
    """Draw what a candidate is called with after the inputs."""
    if case.kind == "vjp":
        return [rng.normal(size=v.shape) for v in values(case, point)]
    if case.kind == "jvp":
        return [rng.normal(size=point[k].shape) for k in judged_inputs(case, point)]
    return []


def expected(case: Case, point: Sequence[Any], more: Sequence[Any], step: Any = None) -> Any:
    """Give what a right candidate gives, as one vector, by differences."""
    of = judged_inputs(case, point)

    def own(near: Sequence[Any]) -> Any:
        return flat(values(case, near))

    if case.kind == "value":
        return own(point)
    if case.kind == "hessian":
        return np.ravel(differences(lambda near: differences(own, near, of)[0], point, of, step))
    jacobian = differences(own, point, of, step)
    if case.kind == "vjp":
        return flat(more) @ jacobian
    if case.kind == "jvp":
        return jacobian @ flat(more)
    if case.kind == "jacobian":
        places = np.cumsum([0, *(point[k].size for k in of)])
        return flat([jacobian[:, a:b] for a, b in pairwise(places)])
    return np.ravel(jacobian)


def answered(candidate: Any, point: Sequence[Any], more: Sequence[Any]) -> Any:
    """Run a candidate on copies, and give all that it gives as one vector.

    Raises `ValueError` for one that changes what it is given.
    """
    given = [np.array(x) for x in (*point, *more)]
    with np.errstate(all="ignore"):
        found = candidate(*given)
    kept = zip(given, (*point, *more), strict=True)
    if not all(np.array_equal(a, b, equal_nan=np.asarray(b).dtype.kind == "f") for a, b in kept):
        raise ValueError("the candidate changes its inputs")
    parts = found if isinstance(found, (tuple, list)) else [found]
    return flat([np.asarray(convert_to_tensor(p).numpy(), dtype=float) for p in parts])


def error(truth: Any, answer: Any) -> float:
    """Give the largest difference beside the largest entry; infinite for another shape or NaN."""
    if np.shape(truth) != np.shape(answer) or not np.all(np.isfinite(answer)):
        return np.inf
    size = np.max(np.abs(truth), initial=0.0)
    return float(np.max(np.abs(truth - answer), initial=0.0) / (size or 1.0))


def passes_differences(case: Case, candidate: Any, rng: Any) -> bool:
    """Check a candidate at the example as PyTorch's `gradcheck` does, with its defaults."""
    point = case.example()
    tolerances = {"rtol": 1e-3, "atol": 1e-5}
    try:
        shapes = [v.shape for v in values(case, point)] if case.kind == "vjp" else [()]
        for more in _units(shapes) if case.kind == "vjp" else [upstream(case, point, rng)]:
            truth = _coarse(case, point, more)
            if not np.allclose(answered(candidate, point, more), truth, **tolerances):
                return False
    except Exception:  # noqa: BLE001 - whatever a mutant raises
        return False
    return True


_KNOWN: dict[tuple[str, bytes], Any] = {}


def _coarse(case: Case, point: Sequence[Any], more: Sequence[Any]) -> Any:
    """Remember differences with the step of `gradcheck`: many candidates ask for the same."""
    key = (case.name, flat(more).tobytes())
    if key not in _KNOWN:
        _KNOWN[key] = expected(case, point, more, 1e-6)
    return _KNOWN[key]


def _units(shapes: Sequence[Any]) -> Any:
    """List cotangents that are one in one place."""
    for k, shape in enumerate(shapes):
        for at in np.ndindex(*shape):
            found = [np.zeros(s) for s in shapes]
            found[k][at] = 1.0
            yield found
