"""Functions of PyTorch with kinks: an example without ties, and arguments at the kinks.

`TIES` has them by name; torch's own gradient is the judge, in a call and of the formula.
"""

from __future__ import annotations

import itertools

import torch


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
"""By name: a function, arguments without ties, and lists of arguments with some."""
