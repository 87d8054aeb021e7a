"""Code as nodes: calls, operators, indices, words of ours and operands, printed once.

A node knows how tightly it binds, so that brackets stand only where they are needed; a word of ours
is called in the code as a `Scope` says. What a statement reads is known from its nodes.

>>> x, y = Slot(0), Slot(1)
>>> node = NP.exp(-x) / (1 + y)
>>> filled(node, [Variable("a"), Variable("b")]).write(str)
'np.exp(-a)/(1 + b)'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

ATOM, POWER, TERM, SUM, RELATION, CHOICE = range(6)
"""How tightly a node binds; a looser one within a tighter one gets brackets."""

Naming = Callable[[str], str]
"""Says what a word of ours is called in the code, as `Scope.word` does."""


class Node:
    """A piece of code; nothing changes it. Operators of Python's make nodes of nodes."""

    __slots__ = ()
    binding: int = ATOM

    def write(self, word: Naming) -> str:
        """Print it."""
        raise NotImplementedError

    def parts(self) -> tuple[Node, ...]:
        """List the nodes that it is made of."""
        return ()

    def of(self, parts: Sequence[Node]) -> Node:
        """Make the same of other parts."""
        raise NotImplementedError

    def __call__(self, *arguments: Any, **keywords: Any) -> Call:
        """Call it."""
        return Call(self, map(as_node, arguments), [(k, as_node(v)) for k, v in keywords.items()])

    def __getitem__(self, items: Any) -> Index:
        """Index it."""
        return Index(self, map(as_node, items if isinstance(items, tuple) else (items,)))

    def __neg__(self) -> Operator:
        return _prefixed("-", self, TERM, TERM)

    def __invert__(self) -> Operator:
        return _prefixed("~", self, ATOM, POWER)

    def __add__(self, other: Any) -> Operator:
        return _joined(self, " + ", other, SUM, TERM)

    def __radd__(self, other: Any) -> Operator:
        return as_node(other) + self

    def __sub__(self, other: Any) -> Operator:
        return _joined(self, " - ", other, SUM, TERM)

    def __rsub__(self, other: Any) -> Operator:
        return as_node(other) - self

    def __mul__(self, other: Any) -> Operator:
        return _joined(self, "*", other, TERM, POWER)

    def __rmul__(self, other: Any) -> Operator:
        return as_node(other) * self

    def __truediv__(self, other: Any) -> Operator:
        return _joined(self, "/", other, TERM, POWER)

    def __rtruediv__(self, other: Any) -> Operator:
        return as_node(other) / self

    def __matmul__(self, other: Any) -> Operator:
        return _joined(self, " @ ", other, ATOM, ATOM, TERM)

    def __and__(self, other: Any) -> Operator:
        return _joined(self, " & ", other, ATOM, ATOM, RELATION)

    def __or__(self, other: Any) -> Operator:
        return _joined(self, " | ", other, ATOM, ATOM, RELATION)

    def __xor__(self, other: Any) -> Operator:
        return _joined(self, " ^ ", other, ATOM, ATOM, RELATION)

    def __gt__(self, other: Any) -> Operator:
        return _joined(self, " > ", other, SUM, SUM, RELATION)

    def __ge__(self, other: Any) -> Operator:
        return _joined(self, " >= ", other, SUM, SUM, RELATION)


class _Dotted(Node):
    """A word, or an attribute of one: its attributes are read as Python's are, `NP.add.reduce`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Attribute:
        if name.startswith("__"):
            raise AttributeError(name)
        return Attribute(self, name)


class Word(_Dotted):
    """A word of ours, for something outside of the code: `np`, or a kernel."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, word: Naming) -> str:
        """Print what the code calls it."""
        return word(self.name)


class Attribute(_Dotted):
    """An attribute, or a method of an operand."""

    __slots__ = ("attribute", "value")

    def __init__(self, value: Node, attribute: str) -> None:
        self.value, self.attribute = value, attribute

    def write(self, word: Naming) -> str:
        """Print it."""
        return f"{within(self.value, ATOM, word)}.{self.attribute}"

    def parts(self) -> tuple[Node, ...]:
        """Give the value."""
        return (self.value,)

    def of(self, parts: Sequence[Node]) -> Node:
        """Read it of another value."""
        return Attribute(parts[0], self.attribute)


class Slot(Node):
    """An operand of a form that is made once and filled often."""

    __slots__ = ("place",)

    def __init__(self, place: int) -> None:
        self.place = place

    def write(self, _: Naming) -> str:
        """Print a slot as `str.format` has it."""
        return f"{{{self.place}}}"


class Phrase(Node):
    """What is printed already: its text, how tightly it binds, and what it reads."""

    __slots__ = ("binding", "reads", "text")

    def __init__(self, text: str, binding: int = ATOM, reads: Sequence[Node] = ()) -> None:
        self.text, self.binding, self.reads = text, binding, reads

    def write(self, _: Naming) -> str:
        """Give the text."""
        return self.text

    def parts(self) -> tuple[Node, ...]:
        """List what it reads."""
        return tuple(self.reads)

    def of(self, _: Sequence[Node]) -> Node:
        """Stay as it is printed."""
        return self


class Literal(Phrase):
    """A number, a text, a tuple of numbers, or a range of an index: what has no words in it."""

    __slots__ = ()


class Number(Literal):
    """A finite number, and its value."""

    __slots__ = ("value",)

    def __init__(self, value: float) -> None:
        super().__init__(repr(value), TERM if value < 0 else ATOM)
        self.value = value


class Variable(Phrase):
    """A variable of the code, or an argument."""

    __slots__ = ()


class Call(Node):
    """A call, with keywords or without."""

    __slots__ = ("arguments", "function", "keywords")

    def __init__(
        self, function: Node, arguments: Any, keywords: Sequence[tuple[str, Node]] = ()
    ) -> None:
        self.function, self.arguments, self.keywords = function, tuple(arguments), keywords

    def write(self, word: Naming) -> str:
        """Print it."""
        function = within(self.function, ATOM, word)
        texts = [x.write(word) for x in self.arguments]
        texts += [f"{name}={x.write(word)}" for name, x in self.keywords]
        return f"{function}({', '.join(texts)})"

    def parts(self) -> tuple[Node, ...]:
        """List the function and the arguments."""
        return (self.function, *self.arguments, *[x for _, x in self.keywords])

    def of(self, parts: Sequence[Node]) -> Node:
        """Call another function, of other arguments."""
        function, *rest = parts
        count = len(self.arguments)
        keywords = [(n, x) for (n, _), x in zip(self.keywords, rest[count:], strict=True)]
        return Call(function, rest[:count], keywords)


class Index(Node):
    """Elements of a value."""

    __slots__ = ("items", "value")

    def __init__(self, value: Node, items: Any) -> None:
        self.value, self.items = value, tuple(items)

    def write(self, word: Naming) -> str:
        """Print it."""
        value = within(self.value, ATOM, word)
        return f"{value}[{', '.join([x.write(word) for x in self.items])}]"

    def parts(self) -> tuple[Node, ...]:
        """List the value and the items."""
        return (self.value, *self.items)

    def of(self, parts: Sequence[Node]) -> Node:
        """Index another value."""
        return Index(parts[0], parts[1:])


class Group(Node):
    """Items in brackets: a tuple, a list, or one item that always has brackets."""

    __slots__ = ("close", "items", "open")

    def __init__(self, items: Any, brackets: tuple[str, str] = ("(", ")")) -> None:
        self.items, (self.open, self.close) = tuple(items), brackets

    def write(self, word: Naming) -> str:
        """Print it."""
        return f"{self.open}{', '.join([x.write(word) for x in self.items])}{self.close}"

    def parts(self) -> tuple[Node, ...]:
        """List the items."""
        return self.items

    def of(self, parts: Sequence[Node]) -> Node:
        """Put other items in."""
        return Group(parts, (self.open, self.close))


class Operator(Node):
    """Operands with a sign before each of them, the first of which is mostly nothing.

    An operand that binds more loosely than its limit has brackets.
    """

    __slots__ = ("binding", "limits", "operands", "signs")

    def __init__(
        self, signs: Sequence[str], operands: Sequence[Node], limits: Sequence[int], binding: int
    ) -> None:
        self.signs, self.operands, self.limits = signs, tuple(operands), limits
        self.binding = binding

    def write(self, word: Naming) -> str:
        """Print it."""
        made = []
        for sign, operand, limit in zip(self.signs, self.operands, self.limits, strict=True):
            made += [sign, within(operand, limit, word)]
        return "".join(made)

    def parts(self) -> tuple[Node, ...]:
        """List the operands."""
        return self.operands

    def of(self, parts: Sequence[Node]) -> Node:
        """Join other operands."""
        return Operator(self.signs, parts, self.limits, self.binding)


def within(node: Node, limit: int, word: Naming) -> str:
    """Print a node, in brackets if it binds more loosely than a limit."""
    text = node.write(word)
    return text if node.binding <= limit else f"({text})"


# --- making nodes ---------------------------------------------------------------------------------


def as_node(value: Any) -> Node:
    """Make a node of a number, a text, or a tuple of them; a node is one."""
    if isinstance(value, Node):
        return value
    if type(value) in {int, float, complex}:
        return number(value)
    return Literal(repr(value))


def number(value: Any, home: Node | None = None) -> Node:
    """Write a number; what is not finite is named by NumPy, or by another home.

    >>> [number(v).write(str) for v in (2, -0.5, float("-inf"), complex("nan"))]
    ['2', '-0.5', '-np.inf', 'complex(np.nan, 0.0)']
    """
    home = home or NP
    if isinstance(value, complex):
        if math.isfinite(value.real) and math.isfinite(value.imag):
            return Literal(repr(value))
        return Word("complex")(number(value.real, home), number(value.imag, home))
    if isinstance(value, float) and not math.isfinite(value):
        name = Attribute(home, "nan" if math.isnan(value) else "inf")
        return -name if value < 0 else name
    return Number(value)


def product(factors: Sequence[Node], limit: int) -> Node:
    """Write a product of factors that bind as tightly as a limit."""
    signs = ["", *["*"] * (len(factors) - 1)]
    return Operator(signs, factors, [limit] * len(factors), TERM)


def total(terms: Sequence[Node], first: int = SUM) -> Node:
    """Write a sum, whose first term may be one."""
    signs = ["", *[" + "] * (len(terms) - 1)]
    return Operator(signs, terms, [first, *[TERM] * (len(terms) - 1)], SUM)


def equal(x: Any, y: Any) -> Operator:
    """Compare two nodes."""
    return _joined(as_node(x), " == ", y, SUM, SUM, RELATION)


def bracketed(node: Node) -> Group:
    """Put a node into brackets."""
    return Group([node])


def _joined(
    x: Node, sign: str, y: Any, left: int, right: int, binding: int | None = None
) -> Operator:
    y = as_node(y)
    binding = left if binding is None else binding
    return Operator(("", sign), (x, y), (_limit(x, left), _limit(y, right)), binding)


def _prefixed(sign: str, x: Node, limit: int, binding: int) -> Operator:
    return Operator((sign,), (x,), (_limit(x, limit),), binding)


def _limit(node: Node, limit: int) -> int:
    """Let what a form is filled with have brackets unless it is an argument."""
    return ATOM if type(node) is Slot else limit


@lru_cache(maxsize=64)
def slots(count: int) -> tuple[Slot, ...]:
    """Give the operands of a form."""
    return tuple([Slot(k) for k in range(count)])


NP = Word("np")


# --- asking nodes ---------------------------------------------------------------------------------


def walk(node: Node) -> Iterator[Node]:
    """List a node and all that it is made of, from left to right."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.parts()))


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Make a node anew from its leaves on, with a change of each node whose parts were changed."""
    parts = node.parts()
    return change(node.of([rebuilt(part, change) for part in parts]) if parts else node)


def filled(form: Node, operands: Sequence[Node]) -> Node:
    """Put operands into the slots of a form."""
    return rebuilt(form, lambda node: operands[node.place] if isinstance(node, Slot) else node)


def dotted(node: Node) -> tuple[str, str]:
    """Split a name of NumPy's or of another home, `np.exp`; a word has no home.

    >>> dotted(NP.exp), dotted(Word("select")), dotted(Slot(0))
    (('np', 'exp'), ('', 'select'), ('', ''))
    """
    if isinstance(node, Attribute) and isinstance(node.value, Word):
        return node.value.name, node.attribute
    return "", node.name if isinstance(node, Word) else ""


def variables(node: Node) -> Iterator[str]:
    """Name the variables that a node reads."""
    return (found.text for found in walk(node) if type(found) is Variable)


# --- forms that are printed once ------------------------------------------------------------------


class Printed(NamedTuple):
    """The text of a form: its words, what puts in operands and words, and how tightly it binds."""

    words: tuple[str, ...]
    fill: Callable[..., str]
    binding: int


@lru_cache(maxsize=4096)
def printed(form: Node, bindings: tuple[int, ...]) -> Printed:
    """Print a form of numbers and calls for operands that bind in some ways.

    >>> found = printed(NP.exp(Slot(0)) * Slot(1), (SUM, SUM))
    >>> found.fill("a + b", "c + d", *found.words), found.binding == TERM
    ('np.exp(a + b)*(c + d)', True)
    """
    words: dict[str, str] = {}
    operands = [Phrase(f"{{{k}}}", binding) for k, binding in enumerate(bindings)]
    node = filled(form, operands)
    text = node.write(lambda name: words.setdefault(name, f"{{{len(bindings) + len(words)}}}"))
    return Printed(tuple(words), text.format, node.binding)
