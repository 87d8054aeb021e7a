"""The test set of Moré, Garbow and Hillstrom: residuals, starting points and published minima.

J. J. Moré, B. S. Garbow, K. E. Hillstrom, *Testing unconstrained optimization software*, ACM
Transactions on Mathematical Software 7 (1981) 17-41. The functions are written with NumPy's names,
so that they compute with tensors and, for the complex step, with complex arrays as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Problem(NamedTuple):
    """Residuals, the standard start, and the published sums of squares at minima.

    `method` is the one of `scipy.optimize.least_squares` that reaches a minimum from there.
    """

    residuals: Callable[[Any], Any]
    start: Any
    minima: tuple[float, ...]
    method: str = "lm"


def rosenbrock(x):
    """Give (1)."""
    return [10 * (x[1] - x[0] ** 2), 1 - x[0]]


def freudenstein_roth(x):
    """Give (2)."""
    return [
        -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1],
        -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1],
    ]


def powell_badly_scaled(x):
    """Give (3)."""
    return [1e4 * x[0] * x[1] - 1, np.exp(-x[0]) + np.exp(-x[1]) - 1.0001]


def brown_badly_scaled(x):
    """Give (4)."""
    return [x[0] - 1e6, x[1] - 2e-6, x[0] * x[1] - 2]


def beale(x):
    """Give (5)."""
    return [y - x[0] * (1 - x[1] ** k) for k, y in ((1, 1.5), (2, 2.25), (3, 2.625))]


def jennrich_sampson(x):
    """Give (6) with m = 10."""
    i = np.arange(1.0, 11.0)
    return 2 + 2 * i - (np.exp(i * x[0]) + np.exp(i * x[1]))


def helical_valley(x):
    """Give (7)."""
    angle = np.arctan(x[1] / x[0]) / (2 * np.pi) + (0 if x[0] > 0 else 0.5)
    return [10 * (x[2] - 10 * angle), 10 * (np.sqrt(x[0] ** 2 + x[1] ** 2) - 1), x[2]]


BARD = np.array(
    [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39]
)


def bard(x):
    """Give (8)."""
    u = np.arange(1.0, 16.0)
    v = 16 - u
    return BARD - (x[0] + u / (v * x[1] + np.minimum(u, v) * x[2]))


GAUSSIAN = np.array([0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989])


def gaussian(x):
    """Give (9)."""
    t = (8 - np.arange(1.0, 16.0)) / 2
    y = np.concatenate([GAUSSIAN, GAUSSIAN[-2::-1]])
    return x[0] * np.exp(-x[1] * (t - x[2]) ** 2 / 2) - y


MEYER = np.array([34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147,
                  4427, 3820, 3307, 2872], float)  # fmt: skip


def meyer(x):
    """Give (10)."""
    t = 45 + 5 * np.arange(1.0, 17.0)
    return x[0] * np.exp(x[1] / (t + x[2])) - MEYER


def gulf(x):
    """Give (11) with m = 99; the paper prints a product where a difference is meant."""
    t = np.arange(1.0, 100.0) / 100
    away = 25 + (-50 * np.log(t)) ** (2 / 3) - x[1]
    return np.exp(-(np.where(away < 0, -away, away) ** x[2]) / x[0]) - t


def box(x):
    """Give (12) with m = 10."""
    t = np.arange(1.0, 11.0) / 10
    return np.exp(-t * x[0]) - np.exp(-t * x[1]) - x[2] * (np.exp(-t) - np.exp(-10 * t))


def powell_singular(x):
    """Give (13)."""
    return [
        x[0] + 10 * x[1],
        np.sqrt(5) * (x[2] - x[3]),
        (x[1] - 2 * x[2]) ** 2,
        np.sqrt(10) * (x[0] - x[3]) ** 2,
    ]


def wood(x):
    """Give (14)."""
    return [
        10 * (x[1] - x[0] ** 2),
        1 - x[0],
        np.sqrt(90) * (x[3] - x[2] ** 2),
        1 - x[2],
        np.sqrt(10) * (x[1] + x[3] - 2),
        (x[1] - x[3]) / np.sqrt(10),
    ]


KOWALIK = np.array(
    [0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246]
)


def kowalik_osborne(x):
    """Give (15)."""
    u = np.array([4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625])
    return KOWALIK - x[0] * (u**2 + u * x[1]) / (u**2 + u * x[2] + x[3])


def brown_dennis(x):
    """Give (16) with m = 20."""
    t = np.arange(1.0, 21.0) / 5
    return (x[0] + t * x[1] - np.exp(t)) ** 2 + (x[2] + x[3] * np.sin(t) - np.cos(t)) ** 2


OSBORNE_1 = np.array([
    0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751, 0.718, 0.685,
    0.658, 0.628, 0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490, 0.478, 0.467, 0.457, 0.448,
    0.438, 0.431, 0.424, 0.420, 0.414, 0.411, 0.406,
])  # fmt: skip


def osborne_1(x):
    """Give (17)."""
    t = 10 * np.arange(33.0)
    return OSBORNE_1 - (x[0] + x[1] * np.exp(-t * x[3]) + x[2] * np.exp(-t * x[4]))


def biggs(x):
    """Give (18) with m = 13."""
    t = np.arange(1.0, 14.0) / 10
    y = np.exp(-t) - 5 * np.exp(-10 * t) + 3 * np.exp(-4 * t)
    return x[2] * np.exp(-t * x[0]) - x[3] * np.exp(-t * x[1]) + x[5] * np.exp(-t * x[4]) - y


OSBORNE_2 = np.array([
    1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608,
    0.655, 0.616, 0.606, 0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661,
    0.612, 0.558, 0.533, 0.495, 0.500, 0.423, 0.395, 0.375, 0.372, 0.391, 0.396, 0.405, 0.428,
    0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668, 0.645, 0.632, 0.591, 0.559,
    0.597, 0.625, 0.739, 0.710, 0.729, 0.720, 0.636, 0.581, 0.428, 0.292, 0.162, 0.098, 0.054,
])  # fmt: skip


def osborne_2(x):
    """Give (19)."""
    t = np.arange(65.0) / 10
    bells = [x[k] * np.exp(-((t - x[k + 7]) ** 2) * x[k + 4]) for k in (1, 2, 3)]
    return OSBORNE_2 - (x[0] * np.exp(-t * x[4]) + bells[0] + bells[1] + bells[2])


def watson(x):
    """Give (20)."""
    n = x.shape[0]
    t = np.arange(1.0, 30.0)[:, None] / 29
    j = np.arange(float(n))
    slope = np.matmul(j[1:] * t ** (j[1:] - 1), x[1:])
    return [slope - np.matmul(t**j, x) ** 2 - 1, x[0], x[1] - x[0] ** 2 - 1]


def extended_rosenbrock(x):
    """Give (21)."""
    odd, even = x[0::2], x[1::2]
    return [10 * (even - odd**2), 1 - odd]


def extended_powell_singular(x):
    """Give (22)."""
    a, b, c, d = (x[k::4] for k in range(4))
    return [a + 10 * b, np.sqrt(5) * (c - d), (b - 2 * c) ** 2, np.sqrt(10) * (a - d) ** 2]


def penalty_1(x):
    """Give (23)."""
    return [np.sqrt(1e-5) * (x - 1), np.sum(x**2) - 0.25]


def penalty_2(x):
    """Give (24)."""
    n = x.shape[0]
    i = np.arange(2.0, n + 1.0)
    y = np.exp(i / 10) + np.exp((i - 1) / 10)
    e = np.exp(x / 10)
    return [
        x[0] - 0.2,
        np.sqrt(1e-5) * (e[1:] + e[:-1] - y),
        np.sqrt(1e-5) * (e[1:] - np.exp(-0.1)),
        np.sum(np.arange(float(n), 0.0, -1.0) * x**2) - 1,
    ]


def variably_dimensioned(x):
    """Give (25)."""
    total = np.sum(np.arange(1.0, x.shape[0] + 1.0) * (x - 1))
    return [x - 1, total, total**2]


def trigonometric(x):
    """Give (26)."""
    n = x.shape[0]
    i = np.arange(1.0, n + 1.0)
    return n - np.sum(np.cos(x)) + i * (1 - np.cos(x)) - np.sin(x)


def brown_almost_linear(x):
    """Give (27)."""
    return [x[:-1] + np.sum(x) - (x.shape[0] + 1), np.prod(x) - 1]


def discrete_boundary_value(x):
    """Give (28)."""
    n = x.shape[0]
    h = 1 / (n + 1)
    t = h * np.arange(1.0, n + 1.0)
    padded = np.concatenate([np.zeros(1), x, np.zeros(1)])
    return 2 * x - padded[:-2] - padded[2:] + h**2 * (x + t + 1) ** 3 / 2


def discrete_integral_equation(x):
    """Give (29)."""
    n = x.shape[0]
    h = 1 / (n + 1)
    t = h * np.arange(1.0, n + 1.0)
    cube = (x + t + 1) ** 3
    below = np.cumsum(t * cube)
    above = np.sum((1 - t) * cube) - np.cumsum((1 - t) * cube)
    return x + h * ((1 - t) * below + t * above) / 2


def broyden_tridiagonal(x):
    """Give (30)."""
    padded = np.concatenate([np.zeros(1), x, np.zeros(1)])
    return (3 - 2 * x) * x - padded[:-2] - 2 * padded[2:] + 1


def broyden_banded(x):
    """Give (31)."""
    n = x.shape[0]
    y = x * (1 + x)
    padded = np.concatenate([np.zeros(5), y, np.zeros(1)])
    near = padded[6 : 6 + n]
    for k in range(5):
        near = near + padded[k : k + n]
    return x * (2 + 5 * x**2) + 1 - near


def linear_full_rank(x):
    """Give (32) with m = 2n."""
    n = x.shape[0]
    mean = 2 * np.sum(x) / (2 * n)
    return [x - mean - 1, -mean - np.ones(n)]


def linear_rank_1(x):
    """Give (33) with m = 2n."""
    n = x.shape[0]
    return np.arange(1.0, 2 * n + 1.0) * np.sum(np.arange(1.0, n + 1.0) * x) - 1


def linear_rank_1_zeros(x):
    """Give (34) with m = 2n."""
    n = x.shape[0]
    total = np.sum(np.arange(2.0, float(n)) * x[1:-1])
    return [-1.0, np.arange(1.0, 2 * n - 1.0) * total - 1, -1.0]


def chebyquad(x):
    """Give (35) with m = n."""
    n = x.shape[0]
    y = 2 * x - 1
    before, own, found = 1 + 0 * y, y, []
    for i in range(1, n + 1):
        found.append(np.mean(own) + (1 / (i**2 - 1) if i % 2 == 0 else 0))
        before, own = own, 2 * y * own - before
    return found


def _ramp(n):
    t = np.arange(1.0, n + 1.0) / (n + 1)
    return t * (t - 1)


PROBLEMS = {
    "1 Rosenbrock": Problem(rosenbrock, [-1.2, 1], (0.0,)),
    "2 Freudenstein and Roth": Problem(freudenstein_roth, [0.5, -2], (0.0, 48.9842)),
    "3 Powell badly scaled": Problem(powell_badly_scaled, [0, 1], (0.0,)),
    "4 Brown badly scaled": Problem(brown_badly_scaled, [1, 1], (0.0,)),
    "5 Beale": Problem(beale, [1, 1], (0.0,)),
    "6 Jennrich and Sampson": Problem(jennrich_sampson, [0.3, 0.4], (124.362,)),
    "7 helical valley": Problem(helical_valley, [-1, 0, 0], (0.0,)),
    "8 Bard": Problem(bard, [1, 1, 1], (8.21487e-3, 17.4286)),
    "9 Gaussian": Problem(gaussian, [0.4, 1, 0], (1.12793e-8,)),
    "10 Meyer": Problem(meyer, [0.02, 4000, 250], (87.9458,)),
    "11 Gulf research and development": Problem(gulf, [5, 2.5, 0.15], (0.0,)),
    "12 box three-dimensional": Problem(box, [0, 10, 20], (0.0,)),
    "13 Powell singular": Problem(powell_singular, [3, -1, 0, 1], (0.0,)),
    "14 Wood": Problem(wood, [-3, -1, -3, -1], (0.0,)),
    "15 Kowalik and Osborne": Problem(
        kowalik_osborne, [0.25, 0.39, 0.415, 0.39], (3.07505e-4, 1.02734e-3)
    ),
    "16 Brown and Dennis": Problem(brown_dennis, [25, 5, -5, -1], (85822.2,)),
    "17 Osborne 1": Problem(osborne_1, [0.5, 1.5, -1, 0.01, 0.02], (5.46489e-5,)),
    # two columns of the Jacobian are equal at the start: where MINPACK goes, roundings decide
    "18 Biggs EXP6": Problem(biggs, [1, 2, 1, 1, 1, 1], (5.65565e-3, 0.0), method="trf"),
    "19 Osborne 2": Problem(
        osborne_2, [1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5], (4.01377e-2,)
    ),
    "20 Watson, n = 6": Problem(watson, np.zeros(6), (2.28767e-3,)),
    "20 Watson, n = 9": Problem(watson, np.zeros(9), (1.39976e-6,)),
    "20 Watson, n = 12": Problem(watson, np.zeros(12), (4.72238e-10,)),
    "21 extended Rosenbrock": Problem(extended_rosenbrock, [-1.2, 1] * 5, (0.0,)),
    "22 extended Powell singular": Problem(extended_powell_singular, [3, -1, 0, 1] * 3, (0.0,)),
    "23 penalty 1, n = 4": Problem(penalty_1, [1, 2, 3, 4], (2.24997e-5,)),
    "23 penalty 1, n = 10": Problem(penalty_1, np.arange(1, 11), (7.08765e-5,)),
    "24 penalty 2, n = 4": Problem(penalty_2, [0.5] * 4, (9.37629e-6,)),
    "24 penalty 2, n = 10": Problem(penalty_2, [0.5] * 10, (2.93660e-4,)),
    "25 variably dimensioned": Problem(variably_dimensioned, 1 - np.arange(1, 11) / 10, (0.0,)),
    "26 trigonometric": Problem(trigonometric, [0.1] * 10, (0.0, 2.79506e-5)),
    "27 Brown almost-linear": Problem(brown_almost_linear, [0.5] * 10, (0.0, 1.0)),
    "28 discrete boundary value": Problem(discrete_boundary_value, _ramp(10), (0.0,)),
    "29 discrete integral equation": Problem(discrete_integral_equation, _ramp(10), (0.0,)),
    "30 Broyden tridiagonal": Problem(broyden_tridiagonal, [-1] * 10, (0.0,)),
    "31 Broyden banded": Problem(broyden_banded, [-1] * 10, (0.0,)),
    "32 linear, full rank": Problem(linear_full_rank, [1] * 10, (10.0,)),
    "33 linear, rank 1": Problem(linear_rank_1, [1] * 10, (20 * 19 / (2 * 41),)),
    "34 linear, rank 1 with zeros": Problem(
        linear_rank_1_zeros, [1] * 10, ((20**2 + 3 * 20 - 6) / (2 * 37),)
    ),
    "35 Chebyquad, n = 7": Problem(chebyquad, np.arange(1, 8) / 8, (0.0,)),
    "35 Chebyquad, n = 8": Problem(chebyquad, np.arange(1, 9) / 9, (3.51687e-3,)),
    "35 Chebyquad, n = 10": Problem(chebyquad, np.arange(1, 11) / 11, (6.50395e-3,)),
}
"""All 35 problems; those whose published minima are for several sizes stand there several times."""
