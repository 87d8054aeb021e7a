r"""LaTeX of formulas, as a tree of operations, read by lark's parser.

What signs mean that have several meanings is settled by shapes, in `meanings/latex.py`. No
text is evaluated, and a command that is not in the list of `words.py` is refused. A sum over an
index reaches to the next + or -: where a product may go on, the parser lets it.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from symtape.errors import NotationError
from symtape.extras import imported
from symtape.notation.grammars import Builder, Options, check_depth
from symtape.notation.latex.arguments import Bare, goes_on, with_last
from symtape.notation.latex.cases import by_cases
from symtape.notation.latex.factors import (
    POWERS,
    alone,
    factors,
    first,
    has_index,
    is_letter,
    last,
    reached,
)
from symtape.notation.latex.functions import MADE, binomial, factorial
from symtape.notation.latex.grammar import parser
from symtape.notation.latex.tokens import WORDS, Piece, Scan, is_latex
from symtape.notation.latex.words import ALONE, APART, BARS, CALLED, FUNCTIONS, OF_TEST, TESTED
from symtape.notation.ranges import Range
from symtape.notation.tree import Node, blocks, folded, refused


def parse_latex(text: str, names: Collection[str]) -> Node:
    r"""Read a formula.

    Letters in a row are one variable if it is among `names`, else one variable each. Raises
    `NotationError`, which shows the place that cannot be read.

    >>> parse_latex(r"\frac{x}{2}", ["x"]).word
    'fraction'
    """
    return parsed(Scan(text, names))


def variable_of(text: str) -> str:
    r"""Name the variable that a text is, as it is called in Python.

    >>> variable_of(r"\lambda"), variable_of(r"\mathbf{w}_0"), variable_of("x")
    ('lambda', 'w_0', 'x')
    """
    if not is_latex(text):
        return text
    node = parse_latex(text, ())
    if node.word != "name":
        raise NotationError(f"{text} is no variable")
    return str(node.value)


def parsed(scan: Scan) -> Node:
    """Read what was taken apart, as `parse_latex` does."""
    lark, text = imported("lark", "reading formulas from text", "text"), scan.text
    tokens = [_token(piece) for piece in scan.pieces]
    try:
        made = parser().parse(tokens)
    except lark.exceptions.UnexpectedToken as error:
        raise _unread(text, error, tokens) from None
    root: Node = folded(_LatexBuilder(scan).node(made), _plain)
    check_depth(text, root)
    return root


def _plain(node: Node, own: list[Node]) -> Node:
    """Write what signs and brackets say of an operation as the operation that it is."""
    if node.word == "grouped":
        return own[0]
    word = "times" if node.word == "beside" else node.word
    return node._replace(word=word, operands=tuple(own))


def _unread(text: str, error: Any, tokens: list[Any]) -> Exception:
    """Say where a text cannot be read, and what is often meant there."""
    at = len(text) if error.token.type == "$END" else error.token.start_pos
    if error.token.type == "TEST":
        why = "of an equation give the right side; what is compared stands in brackets, as [x > 0]"
        return refused(text, at, why)
    before = [token.type for token in tokens if token.start_pos < at][-1:]
    why = "this cannot be read, or something is missing before it"
    if before == ["CARET"] and error.token.type == "MINUS":
        why = "an exponent with a sign stands in braces, as ^{-1}"
    elif before == ["EULER"]:
        why = r"e has an exponent: e alone is \exp(1), and a variable e has a shape"
    elif any(token.value in BARS for token in tokens):
        why += r"; \lvert, \rvert, \lVert and \rVert say what a bar does"
    elif error.token.type == "COMMA":
        why += r"; a comma stands in \max, \min and inner products"
    return refused(text, at, why)


def _token(piece: Piece) -> Any:
    lark = imported("lark", "reading formulas from text", "text")
    kind, value, at = piece
    return lark.Token(kind, value, start_pos=at, end_pos=at + len(value))


def _part_of(text: str) -> int | slice:
    """Read 0, or 1:3, or a colon alone."""
    first, colon, last = [part.strip() for part in text.partition(":")]
    if not colon:
        return int(first)
    return slice(int(first) if first else None, int(last) if last else None)


_ARGUMENTS = (
    r"a comma stands in \max, \min and inner products, and a letter before it is a function; a "
    r"matrix times a column is A \begin{pmatrix} x \\ y \end{pmatrix}"
)

_OF_WHAT = "say by parentheses what the product is of"

_ORDERS = ("p", "q", "r")
"""Letters below a norm that are its order, and no space or metric."""

_PRIMES = "two primes are of a second derivative, or of another variable: call it else"


class _LatexBuilder(Builder):
    """Turns the parser's tree into the nodes that the readers of notations know."""

    def __init__(self, scan: Scan) -> None:
        super().__init__(scan.text)
        self.names, self.tests = scan.names, scan.tests
        self.bare: dict[int, Bare] = {}
        """What functions take whose arguments have no parentheses, by where they stand."""

    def _binary(self, word: str, own: list[Any], at: int) -> Node:
        a, *_, b = own
        return Node(word, (a, b), at)

    def _add(self, own: list[Any], at: int) -> Node:
        return self._binary("add", own, at)

    def _subtract(self, own: list[Any], at: int) -> Node:
        return self._binary("subtract", own, at)

    def _times(self, own: list[Any], at: int) -> Node:
        word = "dot" if str(own[1]) == "\\cdot" else "times"
        return self._binary(word, own, at)._replace(value=own[0].word == "multiply")

    def _beside(self, own: list[Any], at: int) -> Node:
        """Multiply neighbours, unless nobody can say where an argument without brackets ends."""
        left, right = own
        if self._ends_bare(left) and right.at not in self.bare:
            return self._into_argument(left, right)
        if APART.search(self.text, 0, right.at):
            why = r"a formula ends before \quad: what follows is no factor"
            raise refused(self.text, right.at, why)
        self._check_number(right)
        self._check_product(last(left), right)
        return Node("beside", (left, right), at)

    def _into_argument(self, left: Node, right: Node) -> Node:
        r"""Let an argument without brackets go on, as in `\sin 2\pi x`, or refuse to say where."""
        at = last(left).at
        name, script, operand = self.bare[at]
        if not goes_on(self.text, name, operand, right):
            raise refused(self.text, right.at, "say by parentheses where the argument ends")
        return with_last(left, self._bare(name, script, self._beside([operand, right], at), at))

    def _check_number(self, right: Node) -> None:
        """Refuse a number that nobody writes behind a factor: it is a power that slipped down."""
        if self.text[right.at] in ".0123456789":
            why = r"a number behind a factor may be x_2, x^2 or x \cdot 2, and 1\,000 is 1000"
            raise refused(self.text, right.at, f"{why}: which is meant?")

    def _check_product(self, left: Node, right: Node) -> None:
        """Refuse what is no product on paper: f(x), f(0), and the entry y[0]."""
        if right.word == "tested" and left.word in ("name", "unit") and self._is_argument(right):
            raise refused(self.text, right.at, OF_TEST)
        if is_letter(left) and self._is_of_arguments(right):
            raise refused(self.text, right.at, _ARGUMENTS)
        inside = alone(right)
        if inside.word == "number" and left.word != "number":
            raise refused(self.text, right.at, "a number in brackets is an argument, or a place")
        is_pi = left.word == "number" and self.text.startswith("\\pi", left.at)
        if is_letter(inside) and (is_pi or is_letter(left)):
            why = "a letter before a variable in parentheses is a function: write its formula"
            raise refused(self.text, right.at, rf"{why}; a product is f \cdot x")

    def _is_of_arguments(self, right: Node) -> bool:
        """Say whether a row may be the arguments of a letter: (x, y), and [x, y] beside it."""
        while right.word in ("transpose", *POWERS):
            right = right.operands[0]
        opening, before = self.text[right.at], self.text[right.at - 1]
        return right.word == "blocks" and (opening == "(" or (opening == "[" and before.isalnum()))

    def _is_argument(self, right: Node) -> bool:
        """Say whether a test in brackets may be an argument, as of P(X > 0), and not [x > 0]."""
        return right.at not in self.tests and self.text[right.at] != "["

    def _ends_bare(self, node: Node) -> bool:
        """Say whether a function without parentheses is the last factor."""
        return last(node).at in self.bare

    def _multiply(self, own: list[Any], at: int) -> Node:
        return self._by_sign("multiply", own, at)

    def _divide(self, own: list[Any], at: int) -> Node:
        return self._by_sign("divide", own, at)

    def _by_sign(self, word: str, own: list[Any], at: int) -> Node:
        """Remember a dot before a sign, and neighbours behind it: some take the first alone."""
        left, sign, right = own
        own = [self._entries(left), sign, self._entries(right)]
        open_sides = (left.word == "dot", right.word == "beside")
        return self._binary(word, own, at)._replace(value=open_sides)

    def _entries(self, node: Node) -> Node:
        """Take bars by entries, where a sign is of entries."""
        return self._of("abs", node.operands[0], node.at) if node.word == "bars" else node

    def _over(self, own: list[Any], at: int) -> Node:
        """Divide, unless what stands behind a slash may be below the line, or not."""
        left, _, right = own
        if self._ends_bare(left):
            raise refused(self.text, at, "say by parentheses where the argument ends")
        if right.word in ("beside", "total"):
            why = r"say by parentheses or by \frac what is below the line: a/(bc), or (a/b)c"
            raise refused(self.text, right.operands[-1].at, why)
        return self._binary("over", own, at)

    def _total(self, own: list[Any], at: int) -> Node:
        *how, body = own
        word, index, lower, limit = map(str, how)
        places = Range.of(lower, limit)
        if not places.letter and places.upper is not None and places.upper < places.lower:
            raise refused(self.text, at, f"there is nothing from {places.lower} to {places.upper}")
        if word != "sum" and not has_index(reached(body), index):
            why = _OF_WHAT if word == "prod" else rf"of what is solved by \{word} {ALONE}"
            raise refused(self.text, reached(body).at, f"{index} is not here; {why}")
        return Node("total", (body,), at, (index, places, word))

    def _negative(self, own: list[Any], at: int) -> Node:
        return Node("negative", (own[1],), at)

    def _itself(self, own: list[Any], _: int) -> Any:
        return own[-1]

    def _inside(self, own: list[Any], at: int) -> Any:
        if own[0].type != "LBRACE":
            return Node("grouped", (own[1],), at)
        if self._ends_bare(own[1]):  # an argument ends with the braces in which it stands
            del self.bare[last(own[1]).at]
        return own[1]

    def _pi(self, _: list[Any], at: int) -> Node:
        return Node("number", (), at, math.pi)

    def _ones(self, _: list[Any], at: int) -> Node:
        return self._of("vector", Node("number", (), at, 1), at)

    def _unit(self, _: list[Any], at: int) -> Node:
        return Node("unit", (), at)

    def _of(self, name: str, operand: Node, at: int) -> Node:
        if name in MADE:
            return MADE[name](operand, at)
        if name == "exp":
            self._check_real(operand)
        gamma = operand.operands[0] if operand.word == "bars" else operand
        if name == "log" and gamma.word == "call" and gamma.value[0] == "gamma":
            name, (operand,) = "lgamma", gamma.operands
        return Node("call", (operand,), at, (name, Options()))

    def _check_real(self, exponent: Node) -> None:
        """Refuse i where it is the imaginary unit on paper."""
        for node in factors(exponent):
            if node.word == "name" and node.value == "i" and "i" not in self.names:
                why = "formulas are of real numbers; if i is a variable, give it a shape"
                raise refused(self.text, node.at, why)

    def _called(self, own: list[Any], at: int) -> Node:
        return self._of(str(own[0]), own[2], at)

    def _applied(self, own: list[Any], at: int) -> Node:
        return self._bare(str(own[0]), None, own[1], at)

    def _called_power(self, own: list[Any], at: int) -> Node:
        name, _, script, _, operand, _ = own
        if script.word == "entries":
            return Node("call", (operand,), at, (str(name), Options(entries=True)))
        if script.word in ("negative", "top", "by_entries", "inverse_top", "grouped"):
            raise refused(self.text, at, "an inverse function has a name of its own, as arcsin")
        return Node("powers", (self._of(str(name), operand, at), script), at)

    def _applied_power(self, own: list[Any], at: int) -> Node:
        name, _, script, operand = own
        return self._bare(str(name), script, operand, at)

    def _bare(self, name: str, script: Node | None, operand: Node, at: int) -> Node:
        """Apply a function to what has no brackets, and remember to what."""
        self.bare[at] = Bare(name, script, operand)
        if script is None:
            return self._of(name, operand, at)
        return self._called_power([name, None, script, None, operand, None], at)

    def _paired(self, own: list[Any], at: int) -> Node:
        """Take the larger or smaller of two, entry by entry."""
        name, _, a, _, b, _ = own
        word = {"max": "maximum", "min": "minimum"}.get(str(name))
        if word is None:
            is_known = name in WORDS or name in CALLED.values()
            why = "takes one argument" if is_known else "is not among the functions of formulas"
            raise refused(self.text, at, f"{name} {why}")
        return Node(word, (a, b), at)

    def _exponential(self, own: list[Any], at: int) -> Node:
        if own[2].word in ("top", "entries", "inverse_top"):
            raise refused(self.text, at, "e is raised to a number")
        if own[2].word == "by_entries":
            return Node("call", own[2].operands, at, ("exp", Options(entries=True)))
        self._check_real(own[2])
        return Node("exponential", (own[2],), at)

    def _tested(self, own: list[Any], at: int) -> Node:
        return Node("tested", (own[1], own[3]), at, TESTED[str(own[2])])

    def _case(self, own: list[Any], at: int) -> Node:
        return Node(
            "case", (own[0], *([self._tested([None, *own[2:]], at)] if own[3:] else [])), at
        )

    def _case_between(self, own: list[Any], at: int) -> Node:
        value, _, low, first, x, second, high = own
        both = [(low, first, x), (x, second, high)]
        return Node("case", (value, *[self._tested([None, *one], at) for one in both]), at)

    def _cases(self, own: list[Any], at: int) -> Node:
        return by_cases(self.text, [row for row in own if isinstance(row, Node)], at)

    def _fraction(self, own: list[Any], at: int) -> Node:
        above, below = own[2], own[5]
        if first(above) == first(below) == "d":
            raise refused(self.text, at, "a formula is derived, and has no derivatives in it")
        return Node("fraction", (above, below), at)

    def _row(self, own: list[Any], _: int) -> list[Node]:
        return [entry for entry in own if isinstance(entry, Node)]

    def _blocks(self, own: list[Any], at: int) -> Node:
        """Make a matrix of what stands in rows, or in parentheses as those of a row."""
        rows = [row for row in own if isinstance(row, list)]
        entries = [entry for entry in own if isinstance(entry, Node)]
        return blocks(self.text, rows or [entries], at)

    def _taken(self, own: list[Any], at: int) -> Node:
        r"""Take an entry that is counted from 1, as x_1, or a part that is from 0, as x[0]."""
        name, place = own
        whole = (Node("name", (), at, str(name)),)
        if place[0] == "_":
            return Node("numbered", whole, at, "".join(place[1:].split()))
        parts = [_part_of(part) for part in place[1:-1].split(",")]
        return Node("item", whole, at, tuple(parts))

    def _factorial(self, own: list[Any], at: int) -> Node:
        return factorial(own[0], at)

    def _binomial(self, own: list[Any], at: int) -> Node:
        return binomial(own[2], own[5], at)

    def _root(self, own: list[Any], at: int) -> Node:
        if own[0] == "2":
            return self._of("sqrt", own[2], at)
        if not int(own[0]):
            raise refused(self.text, at, "there is no root of degree 0")
        one, degree = Node("number", (), at, 1), Node("number", (), at, int(own[0]))
        return Node("roots", (own[2], Node("divide", (one, degree), at)), at)

    def _bars(self, own: list[Any], at: int) -> Node:
        return Node("bars", (own[1],), at)

    def _norm(self, own: list[Any], at: int) -> Node:
        which, end = str(own[2]), own[2].start_pos
        if which in _ORDERS:
            order = Node("name", (), end, which)
        elif which.isdecimal() and int(which) > 2:
            order = Node("number", (), end, int(which))
        else:
            return Node("norm", (own[1],), at, which)
        return Node("norm", (own[1], order), at, which)

    def _inner(self, own: list[Any], at: int) -> Node:
        return self._of("sum", Node("multiply", (own[1], own[3]), at), at)

    def _top(self, own: list[Any], at: int) -> Node:
        is_prime = any(sign in ("'", "\\prime") for sign in own)
        return Node("top", (), at, "prime" if is_prime else None)

    def _inverse_top(self, _: list[Any], at: int) -> Node:
        return Node("inverse_top", (), at)

    def _by_entries(self, own: list[Any], at: int) -> Node:
        return Node("by_entries", (own[2],), at)

    def _entries_alone(self, _: list[Any], at: int) -> Node:
        return Node("entries", (), at)

    def _again(self, own: list[Any], at: int) -> Node:
        """Transpose what has an exponent, or raise what is transposed: TeX has no x^2^3."""
        base, _, script = own
        if base.word == "transpose" and script.value == "prime":
            raise refused(self.text, script.at, _PRIMES)
        if base.word in POWERS and script.word != "top":
            raise refused(self.text, script.at, "what has an exponent has parentheses: (x^2)^3")
        return self._raised(own, at)

    def _raised(self, own: list[Any], at: int) -> Node:
        base, _, script = own
        if script.word == "grouped" and base.word == "name":
            why = "in parentheses this is an index: write x_i, or a power without parentheses"
            raise refused(self.text, script.at, why)
        if script.word == "entries":
            why = r"\odot above stands at a function, as \exp^{\odot}(A), or has a power behind it"
            raise refused(self.text, script.at, why)
        if script.word in ("top", "inverse_top") and base.word == "number":
            if base.value != 1 or script.word != "top":
                raise refused(self.text, at, "a number has no transpose")
            return Node("transpose", (self._ones([], at),), at)
        if script.word == "top":
            return Node("transpose", (base,), at, script.value)
        if script.word == "inverse_top":
            return Node("transpose", (self._of("inv", base, at),), at)
        if script.word == "by_entries":
            return Node("powers", (self._entries(base), script.operands[0]), at)
        return Node("power", (base, script), at)


__all__ = ["FUNCTIONS", "parse_latex"]
