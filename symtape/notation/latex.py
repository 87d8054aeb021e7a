r"""LaTeX of formulas, as a tree of operations: a closed list of commands, read by lark's parser.

Neighbours are multiplied: as matrices, or where the shapes forbid that, entry by entry. What stands
under `\frac`, `\odot` and `\oslash` is taken by entries. No text is evaluated, and a command that
is not in the list is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from functools import cache
from types import MappingProxyType
from typing import Any

from symtape.extras import imported
from symtape.notation.grammars import LONGEST, Builder, Options, check_depth
from symtape.notation.tree import Node, refused

GRAMMAR = r"""
%declare NUMBER NAME PI ONES FUNC EULER PLUS MINUS CDOT ODOT OSLASH SLASH CARET TOP
%declare LPAR RPAR LBRACE RBRACE FRAC SQRT LBAR RBAR LNORM RNORM
?start: sum
?sum: product | sum PLUS product -> add | sum MINUS product -> subtract
?product: signed | product CDOT signed -> times | product factor -> times
    | product ODOT signed -> multiply | product OSLASH signed -> divide
    | product SLASH signed -> over
?signed: factor | MINUS signed -> negative | PLUS signed -> itself
?factor: base | base CARET script -> raised | FUNC plain -> applied
    | FUNC CARET script plain -> applied_power | EULER CARET script -> exponential
?plain: atom | atom CARET script -> raised
?base: atom | LPAR sum RPAR -> inside | FUNC LPAR sum RPAR -> applied
    | FUNC CARET script LPAR sum RPAR -> applied_power
?atom: NUMBER -> number | NAME -> name | PI -> pi | ONES -> ones | LBRACE sum RBRACE -> inside
    | FRAC LBRACE sum RBRACE LBRACE sum RBRACE -> fraction | SQRT LBRACE sum RBRACE -> root
    | LBAR sum RBAR -> size | LNORM sum RNORM -> norm
?script: NUMBER -> number | NAME -> name | TOP -> top | LBRACE TOP RBRACE -> top
    | LBRACE sum RBRACE -> inside | LBRACE ODOT sum RBRACE -> by_entries
    | LBRACE MINUS TOP RBRACE -> inverse_top
"""

FUNCTIONS = MappingProxyType(
    {
        **{w: w for w in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "det")},
        **{f"arc{w}": f"a{w}" for w in ("sin", "cos", "tan")},
        "ln": "log",
        "sigma": "sigmoid",
        "Phi": "Phi",
        "varphi": "varphi",
    }
)
"""Commands that are functions, Φ and φ those of the normal distribution.

`\\operatorname` has the functions of formulas, too.
"""

_SIGNS = MappingProxyType(
    {
        "+": "PLUS", "-": "MINUS", "*": "CDOT", "/": "SLASH", "^": "CARET", "(": "LPAR",
        "[": "LPAR", ")": "RPAR", "]": "RPAR", "{": "LBRACE", "}": "RBRACE",
        "\\cdot": "CDOT", "\\times": "CDOT",
        "\\odot": "ODOT", "\\circ": "ODOT", "\\oslash": "OSLASH", "\\top": "TOP",
        "\\intercal": "TOP", "\\frac": "FRAC", "\\dfrac": "FRAC", "\\tfrac": "FRAC",
        "\\sqrt": "SQRT", "\\lvert": "LBAR", "\\rvert": "RBAR", "\\lVert": "LNORM",
        "\\rVert": "RNORM", "\\pi": "PI", "\\left(": "LPAR", "\\right)": "RPAR",
        "\\left[": "LPAR", "\\right]": "RPAR", "\\left|": "LBAR", "\\right|": "RBAR",
        "\\left\\|": "LNORM", "\\right\\|": "RNORM", "\\left\\{": "LPAR", "\\right\\}": "RPAR",
        "\\{": "LPAR", "\\}": "RPAR", "\\mathbf{1}": "ONES", "\\mathbb{1}": "ONES",
        "\\mathsf{T}": "TOP", "\\mathrm{T}": "TOP", "{T}": "TOP",
    }
)  # fmt: skip
_SPACES = re.compile(
    r"(?:\s|\\[,;:! ]|~|\\quad|\\qquad|\\displaystyle|\\[bB]ig[lr]?"
    r"|\\(?:left|right)(?=\s*\\[lr][vV]ert))+"
)
_FONTS = r"mathbf|mathrm|mathit|boldsymbol|bm|vec|text|operatorname|hat|bar|tilde"
_TOKENS = re.compile(
    r"(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<fixed>\\(?:left|right)\s*(?:\\[{}|]|[()\[\]|])|\\math(?:bf|bb)\{1\}|\\math(?:sf|rm)\{T\})"
    rf"|\\(?:{_FONTS})\s*\{{\\?(?P<styled>\w+)\}}(?P<first>_\w|_\{{\w+\}})?"
    r"|\\(?P<command>[a-zA-Z]+)(?P<second>_\w|_\{\w+\})?"
    r"|(?P<letters>[^\W\d_]+)(?P<third>_\w|_\{\w+\})?"
    r"|(?P<sign>\\[{}]|[-+*/^()\[\]{}])"
)


def is_latex(text: str) -> bool:
    """Say whether a text is written in LaTeX: it has a command or braces."""
    return "\\" in text or "{" in text


def parse_latex(text: str, names: Collection[str], *, by_entries: bool) -> Node:
    r"""Read a formula; neighbours are multiplied by entries, or as matrices.

    Letters in a row are one variable if it is among `names`, else one variable each. Raises
    `NotationError`, which shows the place that cannot be read.

    >>> parse_latex(r"\frac{x}{2}", ["x"], by_entries=True).word
    'divide'
    """
    lark = imported("lark", "reading formulas from text", "text")
    if len(text) > LONGEST:
        raise refused(text, LONGEST, f"a formula has at most {LONGEST} characters")
    tokens = list(_tokens(text, frozenset(names)))
    try:
        made = _parser().parse(tokens)
    except lark.exceptions.UnexpectedToken as error:
        at = len(text) if error.token.type == "$END" else error.token.start_pos
        raise refused(text, at, "this cannot be read, or something is missing before it") from None
    root: Node = _LatexBuilder(text, by_entries=by_entries).node(made)
    check_depth(text, root)
    return root


@cache
def _parser() -> Any:
    lark = imported("lark", "reading formulas from text", "text")

    class Given(lark.lexer.Lexer):  # type: ignore[name-defined]  # of a module that is asked for
        """Hands over tokens that are made already."""

        __future_interface__ = False

        def __init__(self, _: Any) -> None:
            pass

        def lex(self, tokens: Any) -> Any:
            return iter(tokens)

    return lark.Lark(GRAMMAR, parser="lalr", lexer=Given, propagate_positions=True)


def _tokens(text: str, names: frozenset[str]) -> Iterator[Any]:
    """Take a text apart."""
    at = 0
    while at < len(text):
        space = _SPACES.match(text, at)
        if space:
            at = space.end()
            continue
        found = _TOKENS.match(text, at)
        if found is None:
            raise refused(text, at, f"what is {text[at]!r} here?")
        yield from _of(text, found, names)
        at = found.end()


def _of(text: str, found: Any, names: frozenset[str]) -> Iterator[Any]:
    """Give the tokens of one piece: letters may be several variables."""
    at, whole = found.start(), found.group()
    fixed = _SIGNS.get(re.sub(r"\s", "", whole))
    word = found["styled"] or found["command"] or found["letters"]
    below = found["first"] or found["second"] or found["third"]
    if fixed is not None and word not in names:
        yield _token(fixed, whole, at)
    elif found["number"]:
        yield _token("NUMBER", whole, at)
    elif below:
        yield _token("NAME", f"{word}_{re.sub(r'[_{}]', '', below)}", at)
    elif word in names:
        yield _token("NAME", word, at)
    elif found["letters"]:
        for n, letter in enumerate(word):
            is_top = letter == "T" and re.search(r"\^\s*\{?\s*$", text[: at + n])
            kind = "TOP" if is_top else "EULER" if letter == "e" and "e" not in names else "NAME"
            yield _token(kind, letter, at + n)
    elif found["command"] in FUNCTIONS or found["styled"]:
        yield _token("FUNC", FUNCTIONS.get(word, word), at)
    elif found["command"] in _GREEK:
        yield _token("NAME", word, at)
    else:
        raise refused(text, at, f"{whole} is not among the commands of formulas")


_GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi rho tau phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega".split()
)


def _token(kind: str, value: str, at: int) -> Any:
    lark = imported("lark", "reading formulas from text", "text")
    return lark.Token(kind, value, start_pos=at, end_pos=at + len(value))


class _LatexBuilder(Builder):
    """Turns the parser's tree into the nodes that the readers of notations know."""

    def __init__(self, text: str, *, by_entries: bool) -> None:
        super().__init__(text)
        self.by_entries = by_entries

    def _binary(self, word: str, own: list[Any], at: int) -> Node:
        a, *_, b = own
        return Node(word, (a, b), at)

    def _add(self, own: list[Any], at: int) -> Node:
        return self._binary("add", own, at)

    def _subtract(self, own: list[Any], at: int) -> Node:
        return self._binary("subtract", own, at)

    def _times(self, own: list[Any], at: int) -> Node:
        return self._binary("multiply" if self.by_entries else "times", own, at)

    def _multiply(self, own: list[Any], at: int) -> Node:
        return self._binary("multiply", own, at)

    def _divide(self, own: list[Any], at: int) -> Node:
        return self._binary("divide", own, at)

    def _over(self, own: list[Any], at: int) -> Node:
        return self._binary("divide" if self.by_entries else "over", own, at)

    def _negative(self, own: list[Any], at: int) -> Node:
        return Node("negative", (own[1],), at)

    def _itself(self, own: list[Any], _: int) -> Any:
        return own[-1]

    def _inside(self, own: list[Any], _: int) -> Any:
        return own[1]

    def _pi(self, _: list[Any], at: int) -> Node:
        return Node("number", (), at, math.pi)

    def _ones(self, _: list[Any], at: int) -> Node:
        return self._of("vector", Node("number", (), at, 1), at)

    def _of(self, name: str, operand: Node, at: int) -> Node:
        if name == "Phi":
            scaled = self._scaled(-(0.5**0.5), operand, at)
            return self._scaled(0.5, self._of("erfc", scaled, at), at)
        if name == "varphi":
            square = Node("powers", (operand, Node("number", (), at, 2)), at)
            bell = self._of("exp", self._scaled(-0.5, square, at), at)
            return self._scaled((2 * math.pi) ** -0.5, bell, at)
        return Node("call", (operand,), at, (name, Options()))

    def _scaled(self, factor: float, operand: Node, at: int) -> Node:
        return Node("multiply", (Node("number", (), at, factor), operand), at)

    def _applied(self, own: list[Any], at: int) -> Node:
        return self._of(str(own[0]), own[2] if len(own) > 2 else own[1], at)

    def _applied_power(self, own: list[Any], at: int) -> Node:
        name, _, script, *rest = own
        if script.word == "negative" or script.word in ("top", "by_entries"):
            raise refused(self.text, at, "an inverse function has a name of its own, as arcsin")
        inner = self._of(str(name), rest[1] if len(rest) > 1 else rest[0], at)
        return Node("powers", (inner, script), at)

    def _exponential(self, own: list[Any], at: int) -> Node:
        if own[2].word in ("top", "by_entries", "inverse_top"):
            raise refused(self.text, at, "e is raised to a number")
        return self._of("exp", own[2], at)

    def _fraction(self, own: list[Any], at: int) -> Node:
        return Node("divide", (own[2], own[5]), at)

    def _root(self, own: list[Any], at: int) -> Node:
        return self._of("sqrt", own[2], at)

    def _size(self, own: list[Any], at: int) -> Node:
        return self._of("abs", own[1], at)

    def _norm(self, own: list[Any], at: int) -> Node:
        return self._of("norm2", own[1], at)

    def _top(self, _: list[Any], at: int) -> Node:
        return Node("top", (), at)

    def _inverse_top(self, _: list[Any], at: int) -> Node:
        return Node("inverse_top", (), at)

    def _by_entries(self, own: list[Any], at: int) -> Node:
        return Node("by_entries", (own[2],), at)

    def _raised(self, own: list[Any], at: int) -> Node:
        base, _, script = own
        if script.word == "top":
            return Node("transpose", (base,), at)
        if script.word == "inverse_top":
            return Node("transpose", (self._of("inv", base, at),), at)
        if script.word == "by_entries":
            return Node("powers", (base, script.operands[0]), at)
        return Node("powers" if self.by_entries else "power", (base, script), at)


__all__ = ["FUNCTIONS", "GRAMMAR", "is_latex", "parse_latex"]
