"""Code of loops as nodes that a language spells: its joins of conditions, its choice, its places.

These are the nodes of `kernels/nodes.py`, and what only loops have. A `Spelling` is what they are
printed with: it says what words of ours are called, as a `Scope` does, and how the language writes
what differs between languages.

>>> x, y = Variable("x"), Variable("y")
>>> node = choice(both([x > whole(0), y > whole(0)]), -((x + y) * x) / (x * y), call("abs", x))
>>> node.write(PYTHON)
'(-(x + y)*x/(x*y) if x > 0 and y > 0 else abs(x))'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symtape.kernels import nodes
from symtape.kernels.nodes import (
    ATOM,
    CHOICE,
    POWER,
    RELATION,
    SUM,
    TERM,
    Attribute,
    Call,
    Index,
    Literal,
    Naming,
    Node,
    Number,
    Operator,
    Variable,
    Word,
    walk,
)


@dataclass(frozen=True)
class Spelling:
    """How a language prints: its signs, its choice, and what its words are called in some code."""

    signs: Mapping[str, str]
    choice: str
    divide: str
    word: Naming = str

    def __call__(self, name: str) -> str:
        """Say what a word is called."""
        return self.word(name)


PYTHON = Spelling({"and": " and ", "or": " or ", "not": "not "}, "({1} if {0} else {2})", "//")


class Logical(Operator):
    """Conditions that are joined by `and` or `or`, or one that does not hold, by `not`."""

    __slots__ = ()

    def write(self, word: Any) -> str:
        """Print it with the signs of the language."""
        signs, limits = self.data
        spelled = [word.signs.get(sign, sign) for sign in signs]
        return Operator(spelled, self.parts, limits, self.binding).write(word)


class Choice(Node):
    """One of two values, by a condition."""

    __slots__ = ()

    def write(self, word: Any) -> str:
        """Print it as the language has it, always in brackets."""
        return str(word.choice.format(*[x.write(word) for x in self.parts]))


class At(Node):
    """The number of a place, which is made of variables of loops."""

    __slots__ = ()

    def __init__(self, place: Any) -> None:
        super().__init__([Variable(name) for name in place.names()], place, SUM)

    def write(self, word: Any) -> str:
        """Print it with the sign by which the language divides whole numbers."""
        return str(self.data.text(word.divide))


# --- making nodes ---------------------------------------------------------------------------------


def word(text: str) -> Word | Attribute:
    """Be what the language, or a module of ours, has under a name, as `math.exp`."""
    home, dot, name = text.partition(".")
    return Attribute(Word(home), name) if dot else Word(home)


def literal(text: str, *, negative: bool = False) -> Literal:
    """Be a number, as the language writes it."""
    return Literal(text, TERM if negative else ATOM)


def whole(value: int) -> Number:
    """Be a whole number."""
    return Number(int(value))


def call(function: str, *arguments: Node) -> Call:
    """Call a function of the language, or of ours."""
    return Call((word(function), *arguments), ())


def operator(sign: str, operands: Sequence[Node], binding: int) -> Operator:
    """Write one sign between operands, or in front of one; what is no atom gets brackets."""
    if len(operands) == 1:
        return Operator([sign], operands, [ATOM], binding)
    between = f" {sign} " if binding > POWER else sign
    return Operator.between(between, operands, (ATOM, ATOM), binding)


def choice(condition: Node, x: Node, y: Node) -> Choice:
    """Choose one of two values."""
    return Choice((condition, x, y))


def element(array: str, place: Any) -> Index:
    """Be the element of an array at a place."""
    return Index((Variable(array), At(place)))


def related(sign: str, x: Node, y: Node) -> Operator:
    """Write a relation of two nodes, which get brackets where they are relations too."""
    return Operator.between(f" {sign} ", (x, y), (SUM, SUM), RELATION)


def negated(condition: Node) -> Logical:
    """Write that a condition does not hold."""
    return Logical(["not"], [condition], [ATOM], RELATION)


def _joined(sign: str) -> Callable[[Sequence[Node]], Node]:
    def join(conditions: Sequence[Node]) -> Node:
        if len(conditions) == 1:
            return conditions[0]
        return Logical.between(sign, conditions, (RELATION, RELATION), CHOICE)

    return join


both, either = _joined("and"), _joined("or")


def multiplied(factors: Sequence[Node]) -> Node:
    """Write a product, from left to right; one factor is one."""
    return factors[0] if len(factors) == 1 else Operator.between("*", factors, (TERM, POWER), TERM)


def total(terms: Sequence[Node]) -> Node:
    """Write a sum, from left to right; one term is one."""
    return terms[0] if len(terms) == 1 else nodes.total(terms)


# --- asking nodes ---------------------------------------------------------------------------------

_ORDERS = frozenset(f" {sign} " for sign in ("<", "<=", ">", ">="))


def asks_for_order(node: Node) -> bool:
    """Say whether a node compares by size, which complex numbers do not have."""
    return any([type(x) is Operator and x.data[0][-1] in _ORDERS for x in walk(node)])


def is_costly(node: Node) -> bool:
    """Say whether a node is a call or a quotient, which is worth a name of its own."""
    return type(node) is Call or (type(node) is Operator and node.data[0] == ("", "/"))
