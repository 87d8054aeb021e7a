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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self

ATOM, POWER, TERM, SUM, RELATION, CHOICE = range(6)
"""How tightly a node binds; a looser one within a tighter one gets brackets."""

Naming = Callable[[str], str]
"""Says what a word of ours is called in the code, as `Scope.word` does."""


def _infix(
    sign: str, left: int, right: int, binding: int | None = None
) -> Callable[[Node, Any], Operator]:
    """Make a sign of Python's a sign between nodes, whose operands bind as tightly as limits."""

    def join(x: Node, other: Any) -> Operator:
        y = as_node(other)
        own = left if binding is None else binding
        return Operator(("", sign), (x, y), (_limit(x, left), _limit(y, right)), own)

    return join


def _negated(x: Node) -> Operator:
    """Put a minus in front; two of them side by side would be another sign in C."""
    return Operator(("-",), (x,), (ATOM if _is_signed(x) else _limit(x, TERM),), TERM)


def _inverted(x: Node) -> Operator:
    return Operator(("~",), (x,), (ATOM,), POWER)


def _swapped(infix: Callable[[Node, Any], Operator]) -> Callable[[Node, Any], Operator]:
    return lambda x, y: infix(as_node(y), x)


def _limit(node: Node, limit: int) -> int:
    """Let what a form is filled with have brackets unless it is an argument."""
    return ATOM if type(node) is Slot else limit


def _is_signed(node: Node) -> bool:
    """Say whether a node of operators and numbers begins with a minus."""
    while type(node) is Operator and not node.data[0][0]:
        node = node.parts[0]
    if type(node) is Operator:
        return bool(node.data[0][0] == "-")
    return isinstance(node, Literal) and node.binding == TERM


class Node:
    """A piece of code, and the nodes it is made of; nothing changes it.

    Operators of Python's make nodes of nodes. A kind of node says how it is printed.
    """

    __slots__ = ("binding", "data", "parts")
    parts: Sequence[Node]

    def __init__(self, parts: Sequence[Node], data: Any = None, binding: int = ATOM) -> None:
        self.parts, self.data, self.binding = tuple(parts), data, binding

    def write(self, word: Naming) -> str:
        """Print it."""
        raise NotImplementedError

    def of(self, parts: Sequence[Node]) -> Node:
        """Make the same of other parts."""
        made = object.__new__(type(self))
        Node.__init__(made, parts, self.data, self.binding)
        return made

    def __call__(self, *arguments: Any, **keywords: Any) -> Call:
        """Call it."""
        parts = map(as_node, (*arguments, *keywords.values()))
        return Call((self, *parts), tuple(keywords))

    def __getitem__(self, items: Any) -> Index:
        """Index it."""
        return Index((self, *map(as_node, items if isinstance(items, tuple) else (items,))))

    __neg__, __invert__ = _negated, _inverted
    __add__, __sub__ = _infix(" + ", SUM, TERM), _infix(" - ", SUM, TERM)
    __mul__, __truediv__ = _infix("*", TERM, POWER), _infix("/", TERM, POWER)
    __matmul__ = _infix(" @ ", ATOM, ATOM, TERM)
    __and__, __or__ = _infix(" & ", ATOM, ATOM, RELATION), _infix(" | ", ATOM, ATOM, RELATION)
    __xor__ = _infix(" ^ ", ATOM, ATOM, RELATION)
    __gt__, __ge__ = _infix(" > ", SUM, SUM, RELATION), _infix(" >= ", SUM, SUM, RELATION)
    __lt__ = _infix(" < ", SUM, SUM, RELATION)
    __radd__, __rsub__ = _swapped(__add__), _swapped(__sub__)
    __rmul__, __rtruediv__ = _swapped(__mul__), _swapped(__truediv__)


class _Dotted(Node):
    """A word, or an attribute of one: its attributes are read as Python's are, `np.add.reduce`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Attribute:
        if name.startswith("__"):
            raise AttributeError(name)
        return Attribute(self, name)


class Word(_Dotted):
    """A word of ours, for something outside of the code: `np`, or a kernel."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__((), name)

    def write(self, word: Naming) -> str:
        """Print what the code calls it."""
        return word(self.data)


class Attribute(_Dotted):
    """An attribute, or a method of an operand."""

    __slots__ = ()

    def __init__(self, value: Node, name: str) -> None:
        super().__init__((value,), name)

    def write(self, word: Naming) -> str:
        """Print it."""
        return f"{within(self.parts[0], ATOM, word)}.{self.data}"


class Slot(Node):
    """An operand of a form that is made once and filled often."""

    __slots__ = ()

    def __init__(self, place: int) -> None:
        super().__init__((), place)

    def write(self, _: Naming) -> str:
        """Print a slot as `str.format` has it."""
        return f"{{{self.data}}}"


class Phrase(Node):
    """What is printed already: its text, how tightly it binds, and what it reads."""

    __slots__ = ("text",)

    def __init__(self, text: str, binding: int = ATOM, reads: Sequence[Node] = ()) -> None:
        self.text, self.binding, self.parts = text, binding, reads

    def write(self, _: Naming) -> str:
        """Give the text."""
        return self.text

    def of(self, _: Sequence[Node]) -> Node:
        """Stay as it is printed."""
        return self


class Variable(Phrase):
    """A variable of the code, or an argument."""

    __slots__ = ()


class Literal(Phrase):
    """A number, a text, a tuple of numbers, or a range of an index: what has no words in it."""

    __slots__ = ()


class Number(Literal):
    """A finite number, and its value."""

    __slots__ = ("value",)

    def __init__(self, value: float) -> None:
        super().__init__(repr(value), TERM if value < 0 else ATOM)
        self.value = value


class Call(Node):
    """A call: a function and arguments, the last of which have the keywords that are `data`."""

    __slots__ = ()

    def write(self, word: Naming) -> str:
        """Print it."""
        function = within(self.parts[0], ATOM, word)
        texts = [x.write(word) for x in self.parts[1:]]
        for k, name in enumerate(self.data, len(texts) - len(self.data)):
            texts[k] = f"{name}={texts[k]}"
        return f"{function}({', '.join(texts)})"


class Index(Node):
    """Elements of a value."""

    __slots__ = ()

    def write(self, word: Naming) -> str:
        """Print it."""
        value = within(self.parts[0], ATOM, word)
        return f"{value}[{', '.join([x.write(word) for x in self.parts[1:]])}]"


class Group(Node):
    """Items in brackets: a tuple, a list, or one item that always has brackets."""

    __slots__ = ()

    def __init__(self, items: Iterable[Node], brackets: tuple[str, str] = ("(", ")")) -> None:
        super().__init__(tuple(items), brackets)

    def write(self, word: Naming) -> str:
        """Print it."""
        first, last = self.data
        return f"{first}{', '.join([x.write(word) for x in self.parts])}{last}"


class Operator(Node):
    """Operands with a sign before each of them, the first of which is mostly nothing.

    An operand that binds more loosely than its limit has brackets.
    """

    __slots__ = ()

    def __init__(
        self, signs: Sequence[str], operands: Sequence[Node], limits: Sequence[int], binding: int
    ) -> None:
        super().__init__(operands, (tuple(signs), tuple(limits)), binding)

    @classmethod
    def between(
        cls, sign: str, operands: Sequence[Node], limits: tuple[int, int], binding: int
    ) -> Self:
        """Write one sign between operands; the first of them has a limit of its own."""
        first, rest = limits
        others = len(operands) - 1
        return cls(["", *[sign] * others], operands, [first, *[rest] * others], binding)

    def write(self, word: Naming) -> str:
        """Print it."""
        signs, limits = self.data
        texts = [within(x, limit, word) for x, limit in zip(self.parts, limits, strict=True)]
        return "".join([text for pair in zip(signs, texts, strict=True) for text in pair])


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
    return Operator.between("*", factors, (limit, limit), TERM)


def total(terms: Sequence[Node], first: int = SUM) -> Node:
    """Write a sum, whose first term may be one; of very many terms, it is a sum of sums.

    Python's compiler needs a stack as deep as an expression has operators in a row.
    """
    if len(terms) > _IN_A_ROW:
        parts = [terms[k : k + _IN_A_ROW] for k in range(0, len(terms), _IN_A_ROW)]
        return total([bracketed(total(part, first)) for part in parts])
    return Operator.between(" + ", terms, (first, TERM), SUM)


_IN_A_ROW = 500
"""Terms of one sum."""


equal = _infix(" == ", SUM, SUM, RELATION)
"""Compare two nodes."""


def bracketed(node: Node) -> Group:
    """Put a node into brackets."""
    return Group([node])


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
        pending.extend(reversed(node.parts))


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Make a node anew from its leaves on, with a change of each node whose parts were changed."""
    return change(node.of([rebuilt(part, change) for part in node.parts]) if node.parts else node)


def filled(form: Node, operands: Sequence[Node]) -> Node:
    """Put operands into the slots of a form."""
    return rebuilt(form, lambda node: operands[node.data] if isinstance(node, Slot) else node)


def dotted(node: Node) -> tuple[str, str]:
    """Split a name of NumPy's or of another home, `np.exp`; a word has no home.

    >>> dotted(NP.exp), dotted(Word("select")), dotted(Slot(0))
    (('np', 'exp'), ('', 'select'), ('', ''))
    """
    if isinstance(node, Attribute) and isinstance(node.parts[0], Word):
        return node.parts[0].data, node.data
    return "", node.data if isinstance(node, Word) else ""


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
