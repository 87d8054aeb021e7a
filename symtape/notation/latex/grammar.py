"""The grammar of formulas in LaTeX, in the tokens of `tokens.py`, and its parser."""

from __future__ import annotations

from functools import cache
from typing import Any

from symtape.extras import imported

GRAMMAR = r"""
%declare NUMBER NAME UNIT PI ONES FUNC EULER PLUS MINUS CDOT ODOT OSLASH SLASH CARET TOP COMMA
%declare LPAR RPAR LBRACE RBRACE FRAC SQRT LBAR RBAR LNORM RNORM LANGLE RANGLE
%declare SUM INDEX LOWER LIMIT TEST BINOM BANG CASES AMP ROW OTHERWISE ENDCASES ARRAY ENDARRAY PLACE
?start: sum
?sum: product | sum PLUS product -> add | sum MINUS product -> subtract
?product: chain | product CDOT chain -> times | product ODOT chain -> multiply
    | product OSLASH chain -> divide | product SLASH chain -> over
?chain: signed | chain factor -> beside | chain last -> beside
?signed: factor | last | MINUS signed -> negative | PLUS signed -> itself
?last: total | FUNC total -> applied
total: SUM INDEX LOWER LIMIT product
?factor: base | raised | base BANG -> factorial | FUNC plain -> applied
    | FUNC CARET script plain -> applied_power | EULER CARET script -> exponential
raised: base CARET script | raised CARET script -> again
?plain: atom | atom BANG -> factorial
    | atom CARET script -> raised | FUNC plain -> applied | FUNC LPAR sum RPAR -> called
?base: atom | LPAR sum RPAR -> inside | LPAR sum TEST sum RPAR -> tested
    | FUNC LPAR sum RPAR -> called | FUNC CARET script LPAR sum RPAR -> called_power
    | FUNC LPAR sum COMMA sum RPAR -> paired | LPAR sum (COMMA sum)+ RPAR -> blocks
?atom: NUMBER -> number | NAME -> name | UNIT -> unit | PI -> pi | ONES -> ones
    | LBRACE sum RBRACE -> inside
    | FRAC LBRACE sum RBRACE LBRACE sum RBRACE -> fraction | SQRT LBRACE sum RBRACE -> root
    | BINOM LBRACE sum RBRACE LBRACE sum RBRACE -> binomial
    | NAME PLACE -> taken | ARRAY row (ROW row)* [ROW] ENDARRAY -> blocks
    | CASES case (ROW case)* [ROW] ENDCASES -> cases
    | LBAR sum RBAR -> bars | LNORM sum RNORM -> norm | LANGLE sum COMMA sum RANGLE -> inner
row: sum (AMP sum)*
case: sum AMP sum TEST sum | sum AMP sum TEST sum TEST sum -> case_between | sum AMP OTHERWISE
?script: NUMBER -> number | NAME -> name | PI -> pi | TOP -> top | LBRACE TOP RBRACE -> top
    | LBRACE sum RBRACE -> inside | LBRACE ODOT sum RBRACE -> by_entries
    | ODOT -> entries_alone | LBRACE ODOT RBRACE -> entries_alone
    | LBRACE MINUS TOP RBRACE -> inverse_top
    | FRAC LBRACE sum RBRACE LBRACE sum RBRACE -> fraction
"""


@cache
def parser() -> Any:
    """Make the parser, which reads tokens that are made already."""
    lark = imported("lark", "reading formulas from text", "text")

    class Given(lark.lexer.Lexer):  # type: ignore[name-defined]  # of a module that is asked for
        """Hands over tokens that are made already."""

        __future_interface__ = False

        def __init__(self, _: Any) -> None:
            pass

        def lex(self, tokens: Any) -> Any:
            return iter(tokens)

    return lark.Lark(GRAMMAR, parser="lalr", lexer=Given, propagate_positions=True)
