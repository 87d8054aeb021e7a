"""Special functions: Bessel's, the gamma and zeta functions, integrals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from tests.cases.case import Case, Input, inside, points, positive, reals


def _named(path: str) -> Callable[..., Any]:
    return lambda tf, *operands: attrgetter(path)(tf)(*operands)


def _unit(*shape: int) -> Input:
    return reals(*shape, low=0.1, high=0.9)


def _wide(*shape: int) -> Input:
    return reals(*shape, low=-8.0, high=8.0)


def _far(*shape: int) -> Input:
    return reals(*shape, low=0.5, high=20.0)


def _few(*shape: int) -> Input:  # mpmath takes long for these
    return _far(*shape[:1])


ONE: dict[str, Callable[..., Input]] = {
    "math.bessel_i0": _wide,
    "math.bessel_i0e": _wide,
    "math.bessel_i1": _wide,
    "math.bessel_i1e": _wide,
    "math.special.bessel_i0": reals,
    "math.special.bessel_i0e": reals,
    "math.special.bessel_i1": reals,
    "math.special.bessel_i1e": reals,
    "math.special.bessel_j0": _wide,
    "math.special.bessel_j1": _wide,
    "math.special.bessel_k0": _few,
    "math.special.bessel_k0e": _few,
    "math.special.bessel_k1": _few,
    "math.special.bessel_k1e": _few,
    "math.special.bessel_y0": _far,
    "math.special.bessel_y1": _far,
    "math.special.dawsn": _wide,
    "math.special.expint": _far,
    "math.special.fresnel_cos": reals,
    "math.special.fresnel_sin": reals,
    "math.special.spence": _far,
    "math.lbeta": positive,
}

NO_HALF = {"dawsn", "expint", "fresnel_cos", "fresnel_sin", "spence"}
"""Functions that TensorFlow has no kernels of half precision for."""


def one() -> Iterator[Case]:
    """Each function of one tensor."""
    for path, domain in ONE.items():
        half = path.rpartition(".")[2] not in NO_HALF
        least = (1,) if path == "math.lbeta" else ()
        for name, shape in ((path, (2, 3)), (f"{path} of one number", least)):
            yield Case(name, _named(path), (domain(*shape),), half=half)


TWO: dict[str, tuple[Callable[..., Input], Callable[..., Input], int, str]] = {
    "math.igamma": (_far, _far, 1, "it has no second derivative in the shape"),
    "math.igammac": (_far, _far, 1, "it has no second derivative in the shape"),
    "math.zeta": (
        lambda *shape: reals(*shape, low=1.5, high=6.0),
        positive,
        1,
        "it differentiates by the order the factor in front, and not the function",
    ),
}


def two() -> Iterator[Case]:
    """Each function of two tensors, of one shape and with broadcasting."""
    for path, (first, second, judged, because) in TWO.items():
        for name, shapes in (
            (path, ((2, 3), (2, 3))),
            (f"{path} with broadcasting", ((2, 1), (3,))),
            (f"{path} with a scalar", ((), (2,))),
        ):
            inputs = (first(*shapes[0]), second(*shapes[1]))
            yield Case(name, _named(path), inputs, tensorflow=judged, because=because, half=False)


CASES = [
    *one(),
    *two(),
    Case(
        "math.polygamma",
        lambda tf, x: tf.math.polygamma(tf.constant([[0.0], [1.0], [3.0]], x.dtype), x),
        (positive(3),),
        half=False,
    ),
    Case(
        "math.polygamma of a watched order",
        _named("math.polygamma"),
        (points(0.0, 1.0, 2.0), positive(3)),
        half=False,
    ),
    Case(
        "math.polygamma below 0",
        lambda tf, x: tf.math.polygamma(tf.ones_like(x), x),
        (points(-0.5, -1.3, -2.7),),
        half=False,
    ),
    Case(
        "math.polygamma at poles and of no order",
        _named("math.polygamma"),
        (points(1.0, 2.0, 0.0, 3.0, 1.5, -1.0), points(0.0, -1.0, 0.0, -2.0, 2.0, 2.0)),
        1,
        half=False,
    ),
    Case(
        "math.zeta at poles and out of its domain",
        _named("math.zeta"),
        (points(2.0, 3.0, 1.0, 0.5, 2.5), points(0.0, -1.0, 2.0, 1.0, -1.5)),
        1,
        half=False,
    ),
    Case("math.igamma of numbers", lambda tf, x: tf.math.igamma(2.0, x), (_far(3),), half=False),
    Case(
        "math.igamma of a watched shape",
        lambda tf, a: tf.math.igamma(a, 1.5),
        (_far(3),),
        tensorflow=1,
        because="it has no second derivative in the shape",
        half=False,
    ),
    Case(
        "math.betainc",
        _named("math.betainc"),
        (positive(2, 3), positive(2, 3), _unit(2, 3)),
        half=False,
    ),
    Case(
        "math.betainc of scalars and a tensor",
        _named("math.betainc"),
        (positive(), positive(), _unit(2)),
        half=False,
    ),
    Case(
        "math.betainc of numbers",
        lambda tf, x: tf.math.betainc(2.0, 3.0, x),
        (_unit(3),),
        half=False,
    ),
    Case("math.lbeta of a vector", _named("math.lbeta"), (positive(3),)),
    Case("math.lbeta of batches", _named("math.lbeta"), (positive(2, 2, 3),)),
    Case("math.lbeta of nothing", _named("math.lbeta"), (positive(2, 0),)),
    Case("math.nextafter", _named("math.nextafter"), (reals(2, 3), reals(3)), half=False),
    Case("math.nextafter of numbers", lambda tf: tf.math.nextafter(1, 2.0)),
    Case(
        "math.erfcinv in its tail",
        _named("math.erfcinv"),
        (points(1e-30, 1e-8, 1.999),),
        half=False,
    ),
    Case(
        "math.ndtri in its tail", _named("math.ndtri"), (points(1e-30, 1e-8, 0.9999),), half=False
    ),
    Case("math.erfc in its tail", _named("math.erfc"), (points(-3.0, 4.0, 8.0),), half=False),
    Case("math.lgamma below 0", _named("math.lgamma"), (points(-0.5, -1.5, -2.3),), half=False),
    Case("math.bessel_i0e at its kink", _named("math.bessel_i0e"), (points(0.0, 1.0),), 1),
    Case("math.bessel_i1e at 0", _named("math.bessel_i1e"), (points(0.0, 1.0),), 1),
    Case("math.bessel_j1 at 0", _named("math.special.bessel_j1"), (points(0.0, 1.0),), 1),
    Case(
        "math.spence at 0 and 1", _named("math.special.spence"), (points(0.0, 1.0),), 1, half=False
    ),
    Case(
        "special functions of many",
        lambda tf, x: tf.math.lgamma(x) * tf.math.digamma(x) - tf.math.erf(x),
        (inside(2, 2),),
        half=False,
    ),
]
