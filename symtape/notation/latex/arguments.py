r"""How far the argument of a function reaches that has no brackets, as of `\sin 2\pi x`.

A number or π alone is no argument of people, but of a logarithm, so that what stands behind it
belongs to it: one factor behind a number, and behind 2π all of them. Where people differ, as about
`\sin x y` and `\log 2 x`, there is no answer.
"""

from __future__ import annotations

from typing import NamedTuple

from symtape.notation.latex.factors import POWERS
from symtape.notation.tree import Node

_LOGARITHMS = ("log", "log2", "log10")
_FACTORS = ("name", "number", "fraction", "transpose")
"""What an argument goes on with: a function behind it is a factor of its own."""


class Bare(NamedTuple):
    """A function before its argument, with the power that stands above it."""

    name: str
    script: Node | None
    operand: Node


def goes_on(text: str, name: str, operand: Node, right: Node) -> bool:
    """Say whether an argument that has no brackets has one more factor.

    `operand` is what it has so far, and `right` what stands behind it.
    """
    kind = right.operands[0].word if right.word in POWERS else right.word
    is_alone, is_log = operand.word == "number", name in _LOGARITHMS
    if is_alone and not is_log:
        return kind in (*_FACTORS, "grouped")
    if is_alone:
        return _is_pi(text, right) and not _is_pi(text, operand)
    is_circle = operand.word == "beside" and _has_pi(text, operand)
    return is_circle and kind in (*_FACTORS, *(() if is_log else ("grouped",)))


def _is_pi(text: str, node: Node) -> bool:
    return node.word == "number" and text.startswith(("\\pi", "π"), node.at)


def _has_pi(text: str, product: Node) -> bool:
    """Say whether a product begins with π, or with a number and π."""
    while product.word == "beside":
        leading, behind = product.operands
        if leading.word == "number":
            return _is_pi(text, leading) or _is_pi(text, behind)
        product = leading
    return False


def with_last(product: Node, factor: Node) -> Node:
    """Give a product, or what has a sign, with another last factor."""
    if product.word not in ("beside", "negative"):
        return factor
    *before, behind = product.operands
    return product._replace(operands=(*before, with_last(behind, factor)))
