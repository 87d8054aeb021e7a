"""Functions of PyTorch with kinks: an example without ties, and arguments at the kinks.

`TIES` has them by name; torch's own gradient is the judge, in a call and of the formula.
"""

from __future__ import annotations

import itertools
import math

import torch
import torch.nn.functional as F


def line(*v):
    """Make a line of doubles."""
    return torch.tensor(v, dtype=torch.float64)


LINE, SOURCE = line(1.1, 2.3, -0.7, 0.2), line(2.3, 2.1, 1.1, 1.2, 3.4, 0.55)
PLACES = torch.tensor([0, 0, 0, 1, 1, 2])
EQUAL = [
    [line(1.0, 2.0, 0.5, 3.0), line(1.0, 1.0, 1.0, 2.0, 2.0, 0.5)],
    [line(3.0, 1.0, 0.5, 3.0), line(2.0, 2.0, 1.0, 1.0, 1.0, 0.5)],
    [line(0.0, 0.0, 0.0, 0.0), line(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)],
]


def joining(name, reduce, include_self):
    """Join at places."""
    return lambda x, y: getattr(x, name)(0, PLACES, y, reduce, include_self=include_self).exp()


TIES = {
    f"{name} {reduce}{'' if own else ' of others'}": (
        joining(name, reduce, own), [LINE, SOURCE], EQUAL
    )
    for name, reduce, own in itertools.product(
        ("scatter_reduce", "index_reduce"), ("amax", "amin", "mean", "prod"), (True, False)
    )
} | {
    f"segment_reduce {reduce} from {start}": (
        lambda y, reduce=reduce, start=start: torch.segment_reduce(
            y, reduce, lengths=torch.tensor([3, 2, 1]), initial=start
        ).exp(),
        [SOURCE], [ties[1:] for ties in EQUAL],
    )
    for reduce, start in itertools.product(("max", "min"), (None, 0.5, 1.0))
}  # fmt: skip
ONE, OTHER = line(1.1, 2.3, -0.7, 0.2, 3.3, -2.1), line(0.4, 2.9, 0.6, -1.2, 0.5, 3.1)
ALONE = [
    [line(1.0, 2.0, 0.0, 0.0, -1.0, 3.0)], [line(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)],
    [line(1.0, 1.0, 1.0, -1.0, 2.0, 2.0)], [line(1.0, -1.0, 1.0, -1.0, 0.0, 0.0)],
]  # fmt: skip
PAIRS = [
    [ALONE[0][0], line(1.0, 1.0, 0.0, 2.0, -1.0, 3.0)], [ALONE[1][0], ALONE[1][0]],
    [ALONE[2][0], ALONE[3][0]],
]  # fmt: skip


def rows(x):
    """Make two rows of three."""
    return x.reshape(2, 3)


def image(x):
    """Make an image."""
    return x.reshape(1, 1, 2, 3)


OF_ONE = {
    "relu": F.relu,
    "a root of relu": lambda x: F.relu(x).sqrt(),
    "hardtanh": F.hardtanh,
    "a root of hardtanh": lambda x: F.hardtanh(x, 0.0, 2.0).sqrt(),
    "hardsigmoid": lambda x: F.hardsigmoid(3 * x),
    "a maximum with numbers": lambda x: torch.maximum(x, line(1.0, 1.0, 0.0, 0.0, -1.0, 3.0)),
    "a minimum with zero": lambda x: torch.minimum(x, torch.zeros(())),
    "max along an axis": lambda x: rows(x).max(1)[0].exp(),
    "min along an axis": lambda x: rows(x).min(0, keepdim=True)[0].exp(),
    "less the largest": lambda x: (rows(x) - rows(x).max(1, keepdim=True)[0]).exp(),
    "max_pool1d": lambda x: F.max_pool1d(x.reshape(1, 1, 6), 2).exp(),
    "max_pool2d": lambda x: F.max_pool2d(image(x), 2, 1).exp(),
    "lp_pool1d": lambda x: F.lp_pool1d(x.reshape(1, 1, 6), 2, 2),
    "where that masks roots": lambda x: torch.where(x > 0, x.sqrt() + x.rsqrt(), 0 * x),
    "where that masks 1 / x": lambda x: torch.where(x > 0, x.reciprocal(), 0 * x),
    "a root of a sign": lambda x: (x.sign() * F.relu(x)).sqrt(),
    "adaptive_max_pool1d": lambda x: F.adaptive_max_pool1d(x.reshape(1, 1, 6), 3).exp(),
    "median": lambda x: x.median().exp(),
    "nanmedian": lambda x: x.nanmedian().exp(),
    "multi_margin_loss": lambda x: F.multi_margin_loss(rows(x), torch.tensor([0, 1])),
    "multilabel_margin_loss": lambda x: F.multilabel_margin_loss(
        rows(x), torch.tensor([[0, -1, 1], [1, 2, -1]])
    ),
    "cdist by the largest": lambda x: torch.cdist(x.reshape(3, 2), 2 * x.reshape(3, 2), math.inf),
    "pdist by the largest": lambda x: F.pdist(x.reshape(3, 2), math.inf),
    "cdist": lambda x: torch.cdist(x.reshape(3, 2), x.reshape(3, 2).flip(0)),
    "cdist by cubes": lambda x: torch.cdist(x.reshape(3, 2), 2 * x.reshape(3, 2), 3.0),
    "pdist": lambda x: F.pdist(x.reshape(6, 1)),
    "norm": torch.linalg.vector_norm,
    "norm of rows": lambda x: rows(x).norm(dim=1),
    "norm of cubes": lambda x: x.norm(3),
    "norm of roots": lambda x: torch.linalg.vector_norm(x, 0.5),
    "norm of a matrix": lambda x: torch.linalg.matrix_norm(rows(x)),
    "std": lambda x: rows(x).std(1),
    "std_mean": lambda x: torch.std_mean(rows(x), 1)[0],
    "sinc": lambda x: torch.sinc(x).sin(),
    "places on the border of an image": lambda x: F.grid_sample(
        IMAGE, x.reshape(1, 1, 3, 2), padding_mode="border", align_corners=True
    ),
    "places that are mirrored at it": lambda x: F.grid_sample(
        IMAGE, x.reshape(1, 1, 3, 2), padding_mode="reflection", align_corners=True
    ),
    "powers": lambda x: x.abs() ** line(0.0, 1.0, 2.0, 0.0, 1.0, 0.0),
    "powers of itself": lambda x: x.abs() ** x,
    "binary_cross_entropy": lambda x: F.binary_cross_entropy(
        *x.abs().clamp(max=1).reshape(2, 3), reduction="none"
    ),
    "saturated binary_cross_entropy": lambda x: F.binary_cross_entropy(
        torch.sigmoid(1000 * x), torch.sigmoid(x)
    ),
}  # fmt: skip
IMAGE = torch.sin(torch.arange(18.0, dtype=torch.float64)).reshape(1, 2, 3, 3)
OF_TWO = {
    "hypot": torch.hypot,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "a root of maximum": lambda x, y: torch.maximum(x, y).sqrt(),
    "fmax": torch.fmax,
    "fmin": torch.fmin,
    "atan2": torch.atan2,
    "pairwise_distance": lambda x, y: F.pairwise_distance(x[:, None], y[:, None], eps=0.0),
    "dist": torch.dist,
    "powers of negative numbers": lambda x, y: x**y,
}
TIES |= {name: (function, [ONE], ALONE) for name, function in OF_ONE.items()}
TIES |= {name: (function, [ONE, OTHER], PAIRS) for name, function in OF_TWO.items()}
"""By name: a function, arguments without ties, and lists of arguments with some."""
NONE, NONES = line(0.0, 0.0, 0.0, 1.0, 0.5, 0.0), line(0.0, -1.0, math.inf, 0.0, 2.0, 1.0)
ENDS = {
    "xlogy": (torch.xlogy, [ONE, ONE.abs()], [[NONE, NONES]]),
    "xlog1py": (torch.special.xlog1py, [ONE, ONE.abs()], [[NONE, NONES - 1]]),
    "entr": (torch.special.entr, [ONE.abs()], [[NONE], [NONES]]),
    "kl_div": (
        lambda x, y: F.kl_div(x, y, reduction="none"), [ONE, ONE.abs()], [[ONE, NONE]]
    ),
}  # fmt: skip
"""The same, where a logarithm ends; what is recorded elsewhere may be refused there."""
