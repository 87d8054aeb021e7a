"""The grammars of both notations, read by lark's LALR parser, which has no recursion.

"matrix" is that of matrixcalculus.org, of Matlab's kind: `*` multiplies matrices, `.*` entries, `'`
transposes. "python" is a part of Python's: `@` multiplies matrices, `*` entries. No text is
evaluated; a name is a name of a closed table or a variable.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Any

from symtape.extras import imported
from symtape.notation.scanning import LONGEST, MOST_NODES, scanned, too_many, what_is
from symtape.notation.tree import Node, blocks, folded, refused

DEEPEST = 40
"""The most functions of functions."""

_NUMBERS = r"""
NAME: /[^\W\d]\w*/
%ignore /[ \t\r\n]+/
"""

MATRIX = (
    r"""
?start: sum
?sum: product | sum "+" product -> add | sum "-" product -> subtract
?product: unary
    | product "*" unary -> times | product ".*" unary -> multiply
    | product "/" unary -> over | product "./" unary -> divide
?unary: postfix | "-" unary -> negative | "+" unary
?postfix: transposed | powered | atom
?transposed: postfix ("'" | ".'") -> transpose
?powered: (atom | transposed) "^" exponent -> power | (atom | transposed) ".^" exponent -> powers
?exponent: atom | "-" exponent -> negative
?atom: NUMBER -> number | NAME -> name | "(" sum ")" | NAME "(" sum ("," sum)* ")" -> call
    | "[" row (";" row)* "]" -> blocks
row: sum ("," sum)*
NUMBER: /(\d+(\.(?![*\/^'])\d*)?|\.\d+)([eE][+-]?\d+)?/
"""
    + _NUMBERS
)

PYTHON = (
    r"""
?start: test
?test: sum | sum "<" sum -> less | sum "<=" sum -> less_equal | sum ">" sum -> greater
    | sum ">=" sum -> greater_equal | sum "==" sum -> equal | sum "!=" sum -> not_equal
?sum: product | sum "+" product -> add | sum "-" product -> subtract
?product: unary | product "*" unary -> multiply | product "@" unary -> matmul
    | product "/" unary -> divide
?unary: power | "-" unary -> negative | "+" unary
?power: trailer | trailer "**" unary -> powers
?trailer: atom | trailer "." NAME -> attribute | trailer "(" [arguments] ")" -> called
    | trailer "[" index ("," index)* "]" -> item
?atom: NUMBER -> number | NAME -> name | "(" test ")"
    | "[" test ("," test)* [","] "]" -> listed | "(" test ("," test)+ [","] ")" -> listed
arguments: argument ("," argument)* [","]
?argument: test | STRING -> string | NAME "=" literal -> option
?literal: NAME | NAME "." NAME -> constant | STRING | sign | "(" sign ("," sign)* [","] ")" -> signs
sign: [MINUS] NUMBER
index: [MINUS] NUMBER | ":" -> all | NAME ["." NAME] -> new
    | sign ":" [sign] -> part | ":" sign -> before
MINUS: "-"
STRING: /'[^'\n]*'|"[^"\n]*"/
NUMBER: /(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/
"""
    + _NUMBERS
)


_BETWEEN = frozenset(
    "add subtract times multiply over divide matmul transpose power powers "
    "less less_equal greater greater_equal equal not_equal".split()
)
"""Operators that stand after their first operand."""


_FLAT = frozenset({"add", "subtract", "multiply", "times", "negative"})


_QUOTES = ("'", '"')

_NEW_AXES = frozenset({"None", "np.newaxis", "numpy.newaxis", "tf.newaxis"})

_MOST_DIGITS = 9
"""Of the number of a place or of an axis."""


def _short(number: str) -> str:
    return number if len(number) < 30 else f"{number[:20]}…"


class Options(dict[str, Any]):
    """The arguments of a call that have names."""


def parse(text: str, notation: str) -> Node:
    """Read a text; raises `NotationError`, which shows the place that cannot be read."""
    lark = imported("lark", "reading formulas from text", "text")
    builder, plain = Builder(text), scanned(text)
    try:
        made = _parser(notation).parse(plain)
    except lark.exceptions.UnexpectedCharacters as error:
        raise what_is(text, error.pos_in_stream) from None
    except lark.exceptions.UnexpectedToken as error:
        at = len(text) if error.token.type == "$END" else error.token.start_pos
        raise refused(text, at, _expected(error)) from None
    root: Node = builder.node(made)
    check_depth(text, root)
    return root


def check_depth(text: str, root: Node) -> None:
    """Refuse functions of functions deeper than formulas are; long sums are not deep."""

    def depth(node: Node, own: list[int]) -> int:
        found = max(own, default=0) + (node.word not in _FLAT)
        if found > DEEPEST:
            raise refused(text, node.at, f"a formula is at most {DEEPEST} functions deep")
        return found

    folded(root, depth)


@cache
def _parser(notation: str) -> Any:
    lark = imported("lark", "reading formulas from text", "text")
    grammar = {"matrix": MATRIX, "python": PYTHON}[notation]
    return lark.Lark(grammar, parser="lalr", propagate_positions=True)


def _expected(error: Any) -> str:
    accepted = error.accepts or error.expected
    meant = _MEANT.get(str(error.token))
    if "NUMBER" in accepted:
        what = "a name, a number or a parenthesis is missing"
        return f"{what}; a power is ^" if str(error.token) == "*" else what
    if meant:
        return f"what is {str(error.token)!r} here? {meant}"
    closing = [sign for name, sign in (("RPAR", ")"), ("RSQB", "]")) if name in accepted]
    what = " or ".join(["an operator", *closing] if "PLUS" in accepted else closing)
    hint = "; a product is *" if error.token.type in ("NAME", "NUMBER", "LPAR") else ""
    return f"{what or 'something else'} is missing{hint}"


_MEANT = MappingProxyType(
    {
        "=": "of an equation give the right side",
        "if": "np.where(test, a, b) chooses by entries",
        ":": "a formula is what a function gives, without its head",
    }
)
"""What a sign is meant by that has no place in a formula, or not there."""


class Builder:
    """Turns the parser's tree into nodes, each after its operands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.count = 0

    def node(self, root: Any) -> Any:
        """Turn a tree into a node, without recursion."""
        done: list[Any] = []
        waiting: list[tuple[Any, bool]] = [(root, False)]
        while waiting:
            tree, is_ready = waiting.pop()
            if not hasattr(tree, "children"):
                done.append(tree)
            elif is_ready:
                count = len(tree.children)
                own = done[len(done) - count :]
                del done[len(done) - count :]
                done.append(self._made(tree, own))
            else:
                waiting.append((tree, True))
                waiting += [(child, False) for child in reversed(tree.children)]
        return done[0]

    def _made(self, tree: Any, own: list[Any]) -> Any:
        self.count += 1
        at = self._place(tree)
        if self.count > MOST_NODES:
            raise too_many(self.text, at)
        rule: Callable[[list[Any], int], Any] | None = getattr(self, f"_{tree.data}", None)
        return rule(own, at) if rule else Node(str(tree.data), tuple(own), at)

    def _place(self, tree: Any) -> int:
        """Give the place of an operator that stands between, else where the tree begins."""
        if tree.data not in _BETWEEN:
            return 0 if tree.meta.empty else int(tree.meta.start_pos)
        first = tree.children[0]
        at = int(first.end_pos if hasattr(first, "end_pos") else first.meta.end_pos)
        while at < len(self.text) - 1 and self.text[at] in " \t\r\n)":
            at += 1
        return at

    def _number(self, own: list[Any], at: int) -> Node:
        (text,) = own
        exact, value = Decimal(text), float(text)
        if value == float("inf"):
            raise refused(self.text, at, f"{_short(text)} is larger than any float")
        if exact and not value:
            raise refused(self.text, at, f"{_short(text)} is smaller than any float")
        if not text.isdigit():
            return Node("number", (), at, value)
        if exact != Decimal(value):
            raise refused(self.text, at, f"{_short(text)} is no float; {value!r} is the nearest")
        return Node("number", (), at, int(value))

    def _name(self, own: list[Any], at: int) -> Node:
        return Node("name", (), at, str(own[0]))

    def _call(self, own: list[Any], at: int) -> Node:
        return Node("call", tuple(own[1:]), at, (str(own[0]), Options()))

    def _row(self, own: list[Any], _: int) -> list[Node]:
        return own

    def _blocks(self, rows: list[list[Node]], at: int) -> Node:
        return blocks(self.text, rows, at)

    # --- Python -----------------------------------------------------------------------------------

    def _attribute(self, own: list[Any], at: int) -> Node:
        base, name = own
        if name == "T":
            return Node("transpose", (base,), name.start_pos)
        if base.word in ("name", "dotted"):
            return Node("dotted", (), at, f"{base.value}.{name}")
        return Node("method", (base,), name.start_pos, str(name))

    def _called(self, own: list[Any], at: int) -> Node:
        function, arguments = own
        positional, options = arguments or ((), Options())
        if function.word in ("name", "dotted"):
            return Node("call", positional, at, (function.value, options))
        if function.word == "method":
            called = (f".{function.value}", options)
            return Node("call", (*function.operands, *positional), function.at, called)
        raise refused(self.text, function.at, "only a function can be called")

    def _arguments(self, own: list[Any], at: int) -> tuple[tuple[Node, ...], Options]:
        found = [a for a in own if a is not None]
        options = Options(a.value for a in found if a.word == "option")
        positional = tuple([a for a in found if a.word != "option"])
        if len(positional) + len(options) != len(found):
            raise refused(self.text, at, "an argument is given twice")
        return positional, options

    def _option(self, own: list[Any], at: int) -> Node:
        name, value = own
        words = {"True": True, "False": False, "None": None}
        if isinstance(value, str) and value[0] in _QUOTES:
            value = value[1:-1]
        elif isinstance(value, str):
            if value not in words:
                raise refused(self.text, at, f"{name}= takes a number, True, False or None")
            value = words[value]
        return Node("option", (), at, (str(name), value))

    def _constant(self, own: list[Any], at: int) -> float:
        if own[1] != "inf":
            raise refused(self.text, at, f"{own[0]}.{own[1]} is no option")
        return float("inf")

    def _string(self, own: list[Any], at: int) -> Node:
        return Node("string", (), at, str(own[0])[1:-1])

    def _sign(self, own: list[Any], at: int) -> int:
        minus, number = own
        if not number.isdigit() or len(number) > _MOST_DIGITS:
            raise refused(self.text, at, "a whole number is wanted here")
        return -int(number) if minus else int(number)

    def _signs(self, own: list[Any], _: int) -> tuple[int, ...]:
        return tuple([n for n in own if n is not None])

    _index = _sign

    def _all(self, *_: Any) -> slice:
        return slice(None)

    def _new(self, own: list[Any], at: int) -> None:
        if ".".join(map(str, filter(None, own))) not in _NEW_AXES:
            raise refused(self.text, at, "a place is a whole number, :, or None for a new axis")

    def _part(self, own: list[Any], _: int) -> slice:
        return slice(*own)

    _before = _part

    def _item(self, own: list[Any], _: int) -> Node:
        base, *places = own
        return Node("item", (base,), base.at, tuple(places))


__all__ = ["LONGEST", "MOST_NODES", "Builder", "Options", "check_depth", "parse"]
