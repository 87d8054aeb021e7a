"""Functions and signs that are written as others: Φ by erfc, n! and binomial coefficients by Γ."""

from __future__ import annotations

import math
from types import MappingProxyType

from symtape.notation.grammars import Options
from symtape.notation.tree import Node


def _number(value: float, at: int) -> Node:
    return Node("number", (), at, value)


def _scaled(factor: float, operand: Node, at: int) -> Node:
    return Node("multiply", (_number(factor, at), operand), at)


def _called(name: str, operand: Node, at: int, *, entries: bool = False) -> Node:
    return Node("call", (operand,), at, (name, Options(entries=True) if entries else Options()))


def _distribution(operand: Node, at: int) -> Node:
    """Write the normal distribution, erfc(-x/√2)/2."""
    return _scaled(0.5, _called("erfc", _scaled(-(0.5**0.5), operand, at), at), at)


def _density(operand: Node, at: int) -> Node:
    """Write the normal density, exp(-x²/2)/√(2π)."""
    halved = _scaled(-0.5, Node("powers", (operand, _number(2, at)), at), at)
    return _scaled((2 * math.pi) ** -0.5, _called("exp", halved, at, entries=True), at)


def factorial(n: Node, at: int) -> Node:
    """Write n! as Γ(n + 1)."""
    return _called("gamma", Node("add", (n, _number(1, at)), at), at)


def binomial(n: Node, k: Node, at: int) -> Node:
    """Write the number of ways to choose k of n as n!/(k! (n - k)!)."""
    rest = Node("subtract", (n, k), at)
    below = Node("beside", (factorial(k, at), factorial(rest, at)), at)
    return Node("fraction", (factorial(n, at), below), at)


MADE = MappingProxyType({"Phi": _distribution, "varphi": _density})
"""What functions of one number are made of."""
