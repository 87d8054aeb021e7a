"""Expressions of loops as values, which a language prints: equal ones are computed once.

The nodes of `kernels/nodes.py` are Python's code, with its signs in them. These have no language
yet, and those that say the same are the same: loops look up which value has a name already. A node
says how tightly it binds, so that a printer sets parentheses where they are needed. Signs on nodes
make nodes:

>>> x, y = var("x"), var("y")
>>> printed(-((x + y) * x) / (x * y))
'(-(x + y)*x)/(x*y)'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

ATOM, POWER, TERM, SUM, RELATION, BOTH, EITHER, ANY = range(8)
"""How tightly a node binds; a looser one within a tighter one gets parentheses."""


def _infix(sign: str, binding: int) -> Callable[[Node, Node], Node]:
    return lambda x, y: operator(sign, (x, y), binding)


@dataclass(frozen=True, slots=True)
class Node:
    """An expression: its kind, a text (a name, a number or a sign), and what it is made of."""

    kind: str
    text: str
    parts: tuple[Node, ...] = ()
    binding: int = ATOM
    place: Any = None
    """Where an element stands: what lists its variables and prints itself."""

    __add__ = _infix("+", SUM)
    __sub__ = _infix("-", SUM)
    __mul__ = _infix("*", TERM)
    __truediv__ = _infix("/", TERM)
    __gt__ = _infix(">", RELATION)
    __ge__ = _infix(">=", RELATION)
    __lt__ = _infix("<", RELATION)

    def __neg__(self) -> Node:
        """Write the number with the other sign."""
        return operator("-", (self,), SUM)


def var(text: str) -> Node:
    """Be a variable, called as the scope of the code says."""
    return Node("var", text)


def word(text: str) -> Node:
    """Be what the language, or a module of ours, has under a name."""
    return Node("word", text)


def literal(text: str, *, negative: bool = False) -> Node:
    """Be a number, as the language writes it."""
    return Node("literal", text, (), SUM if negative else ATOM)


def whole(value: int) -> Node:
    """Be a whole number."""
    return literal(str(int(value)), negative=value < 0)


def call(function: str, *arguments: Node) -> Node:
    """Call a function of the language, or of ours."""
    return Node("call", function, arguments)


def operator(sign: str, operands: Sequence[Node], binding: int) -> Node:
    """Write one sign between operands, or in front of one."""
    return Node("operator", sign, tuple(operands), binding)


def choice(condition: Node, x: Node, y: Node) -> Node:
    """Choose one of two values."""
    return Node("choice", "", (condition, x, y))


def at(place: Any) -> Node:
    """Be the number of a place."""
    return Node("place", "", tuple(map(var, place.names())), SUM, place)


def element(array: str, place: Any) -> Node:
    """Be the element of an array at a place."""
    return Node("element", array, (var(array), at(place)), ATOM, place)


def related(sign: str, x: Node, y: Node) -> Node:
    """Write a relation of two nodes, which get parentheses where they are relations too."""
    return operator(sign, (x, y), RELATION)


def equal(x: Node, y: Node) -> Node:
    """Write that two nodes are equal."""
    return related("==", x, y)


def negated(condition: Node) -> Node:
    """Write that a condition does not hold."""
    return operator("not", (condition,), RELATION)


def _joined(sign: str, binding: int) -> Callable[[Sequence[Node]], Node]:
    return lambda nodes: nodes[0] if len(nodes) == 1 else operator(sign, nodes, binding)


both, either = _joined("and", BOTH), _joined("or", EITHER)
total, multiplied = _joined("+", SUM), _joined("*", TERM)


def names(node: Node) -> Iterator[str]:
    """List the variables that a node reads."""
    stack = [node]
    while stack:
        one = stack.pop()
        if one.kind == "var":
            yield one.text
        stack.extend(one.parts)


class Spelling(NamedTuple):
    """How a language prints: its signs, its choice, and what its words are called in some code."""

    signs: Mapping[str, str]
    choice: str
    divide: str
    word: Callable[[str], str] = str


PYTHON = Spelling({"and": " and ", "or": " or ", "not": "not "}, "({1} if {0} else {2})", "//")

_LIMITS = {"and": RELATION, "or": RELATION, "not": ATOM, "**": ATOM, "~": ATOM,
           **dict.fromkeys("&|^", ATOM),
           **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), SUM)}  # fmt: skip
"""How loosely operands may bind without parentheses; the others are read from the left."""


def printed(node: Node, spelling: Spelling = PYTHON) -> str:
    """Print a node.

    >>> x = var("x")
    >>> printed(choice(x > literal("0"), x, call("abs", x)))
    '(x if x > 0 else abs(x))'
    """

    def text(one: Node, limit: int = ANY) -> str:
        inner = plain(one)
        return inner if one.binding <= limit else f"({inner})"

    def plain(one: Node) -> str:
        if one.kind in {"var", "literal"}:
            return one.text
        if one.kind == "word":
            return spelling.word(one.text)
        if one.kind == "call":
            return f"{spelling.word(one.text)}({', '.join([text(x) for x in one.parts])})"
        if one.kind == "choice":
            return spelling.choice.format(*[text(x) for x in one.parts])
        if one.kind == "operator":
            return signed(one)
        number = str(one.place.text(spelling.divide))
        return number if one.kind == "place" else f"{one.text}[{number}]"

    def signed(one: Node) -> str:
        sign, limit = spelling.signs.get(one.text, one.text), _LIMITS.get(one.text)
        if len(one.parts) == 1:
            return sign + text(one.parts[0], TERM if limit is None else limit)
        is_close = one.text in spelling.signs or one.binding < SUM
        first, *rest = one.parts
        inner = [text(x, one.binding - 1 if limit is None else limit) for x in rest]
        head = text(first, one.binding if limit is None else limit)
        return (sign if is_close else f" {sign} ").join([head, *inner])

    return plain(node)
