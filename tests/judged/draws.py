"""How arguments of judged functions are drawn."""

from __future__ import annotations


def normal(*shape):
    """Draw an array around zero."""
    return lambda rng: rng.normal(size=shape)


def positive(*shape):
    """Draw an array of positive numbers."""
    return lambda rng: rng.uniform(0.3, 2.0, size=shape)


def together(*draws):
    """Draw several arguments, one after the other."""
    return lambda rng: [draw(rng) for draw in draws]
