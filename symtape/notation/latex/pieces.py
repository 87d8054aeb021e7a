r"""What is taken of a text in LaTeX, the brackets that are open, and signs that are printed.

Text that symtape prints has powers above, roots and brackets without braces, which are put in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from symtape.notation.latex.words import (
    ABOVE,
    DEGREE,
    INDICATED,
    KIND,
    KIND_AFTER,
    NESTED,
    OPENED,
    SPACES,
    SUBSCRIPT,
    WRITTEN,
)
from symtape.notation.tree import refused

BRACED = "LPAR as a brace"
"""What opens where parentheses of a text are the braces of a script, or of a root."""

BRACKETED = "LBRACE as a bracket"
"""What opens below a 1 of what is true."""

CASES = ("CASES", 0)
"""What is open where values are given by cases."""

ARRAY = ("ARRAY", 0)
"""What is open where a matrix is written out."""

LISTED = ("LBRACKET of an array", 0)
"""What is open where that is done in brackets: [a, b; c, d]."""

_OF_CASES = MappingProxyType(
    {"begin": "CASES", "end": "ENDCASES", "row": "ROW", "amp": "AMP", "otherwise": "OTHERWISE"}
)
_OF_ARRAYS = MappingProxyType({"begin": "ARRAY", "end": "ENDARRAY", "row": "ROW", "amp": "AMP"})
_OF_LISTS = MappingProxyType({",": "AMP", ";": "ROW", "]": "ENDARRAY"})


class Piece(NamedTuple):
    """A token that is not one of lark's yet."""

    kind: str
    value: str
    at: int


class Pieces:
    """The tokens of a text so far."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self.text, self.names, self.is_latex = text, frozenset(names), is_latex(text)
        self.pieces: list[Piece] = []
        self.opened: list[tuple[str, int]] = []
        self.wanted = 0
        """So many arguments a command still takes."""
        self.skipped: dict[int, int] = {}
        self.tests: set[int] = set()
        """Where brackets open behind a 1 of what is true."""

    def _blank(self, at: int) -> int:
        while at < len(self.text):
            space = SPACES.match(self.text, at)
            if space is None and at not in self.skipped:
                break
            at = self.skipped[at] if space is None else space.end()
        return at

    def _add(self, kind: str, value: str, at: int) -> None:
        self.pieces.append(Piece(kind, value, at))

    def _kinds(self, count: int) -> tuple[str, ...]:
        return tuple([piece.kind for piece in self.pieces[-count:]])

    def _root(self, at: int, end: int) -> int:
        degree = DEGREE.match(self.text, end)
        if degree and not degree[1]:
            why = "the degree of a root is a number; with a letter it is x^{1/n}"
            raise refused(self.text, end, why)
        self.wanted = 1
        self._add("SQRT", degree[1] if degree else "2", at)
        return degree.end() if degree else end

    def _which(self, end: int) -> tuple[str, int]:
        """Say which norm it is: 2, 1, F, * or infinity, or nothing."""
        found = KIND.match(self.text, end)
        if found:
            return word_of(found).strip("\\"), found.end()
        found = KIND_AFTER.match(self.text, end)
        if found:
            self.skipped[found.start(2)] = found.end()
            return next(filter(None, found.groups()[2:])).strip("\\"), end
        if SUBSCRIPT.match(self.text, end) or self.text[end:].lstrip()[:1] == "_":
            raise refused(self.text, end, r"norms have a 1, 2, 3, p, F, * or \infty below them")
        return "", end

    def _inner_of(self, end: int) -> int:
        """Pass over what says that an inner product is that of all entries."""
        below = KIND.match(self.text, end)
        if below and word_of(below) == "F":
            return below.end()
        if below or SUBSCRIPT.match(self.text, end):
            why = r"an inner product has an F below it, or nothing; else it is x^\top A y"
            raise refused(self.text, end, why)
        return end

    def _case(self, found: re.Match[str]) -> int:
        """Take what separates values by cases, where they are open."""
        at, kind = found.start(), _OF_CASES[str(found.lastgroup)]
        if kind == "CASES":
            self.opened.append(CASES)
        elif self.opened[-1] == CASES and kind == "ENDCASES":
            self.opened.pop()
        self._add(kind, found.group(), at)
        return found.end()

    def _array(self, found: re.Match[str]) -> int:
        """Take what separates the entries of a matrix that is written out."""
        at, kind = found.start(), _OF_ARRAYS[str(found.lastgroup)]
        if kind == "ARRAY":
            self.opened.append(ARRAY)
        elif kind == "ENDARRAY":
            self.opened.pop()
        self._add(kind, found.group(), at)
        return found.end()

    def _of_list(self, sign: str, at: int) -> bool:
        """Take a sign of a matrix in brackets, if it is one."""
        if sign == "[" and self._kinds(1) != ("FUNC",) and self._has_in_brackets(at, "comma"):
            self.opened.append(LISTED)
            self._add("ARRAY", sign, at)
        elif self.opened and self.opened[-1] == LISTED and sign in _OF_LISTS:
            self._add(_OF_LISTS[sign], sign, at)
            if sign == "]":
                self.opened.pop()
        else:
            return False
        return True

    def _above(self, found: re.Match[str]) -> int:
        """Take a power or a transpose of text, as ⁻¹, in the braces of a script."""
        own, at = found.group(), found.start()
        digits_above = own.lstrip("⁻")
        number = "".join([str(ABOVE.index(c)) for c in digits_above if c in ABOVE])
        pieces = [("CARET", "^"), ("LBRACE", "{")]
        pieces += [("MINUS", "-")] if own[0] == "⁻" else []
        pieces += [("NUMBER", number) if number else ("TOP", "ᵀ"), ("RBRACE", "}")]
        for kind, value in pieces:
            self._add(kind, value, at)
        return found.end()

    def _raised(self, found: re.Match[str]) -> int:
        """Take a power in parentheses, which are the braces of a script, or one of entries."""
        own, at = found.group(), found.start()
        if self.is_latex and not found["entries"]:
            self._add("CARET", "^", at)
            return at + 1
        for kind, value in (("CARET", "^"), ("LBRACE", "{")):
            self._add(kind, value, at)
        if own[1] == "⊙":
            self._add("ODOT", "⊙", at)
        if found["entries"]:
            kind = "NUMBER" if found["entries"].isdigit() else "NAME"
            self._add(kind, found["entries"], at)
            self._add("RBRACE", "}", at)
        else:
            self.opened.append((BRACED, 0))
        return found.end()

    def _indicated(self, end: int) -> int:
        """Take the braces below a 1 for brackets in which something is compared."""
        found = INDICATED.match(self.text, end)
        if found is None:
            return end
        self._add("LPAR", "[", found.start(1))
        self.opened.append((BRACKETED, 0))
        return found.end(1)

    def _is_of_test(self, end: int, opening: re.Pattern[str] = OPENED) -> bool:
        """Say whether a bracket follows in which something is compared, which is 1 or 0."""
        opened = self._has_in_brackets(end, "test", opening)
        if opened:
            self.tests.add(opened.start(1))
        return opened is not None

    def _has_in_brackets(
        self, end: int, what: str, opening: re.Pattern[str] = OPENED
    ) -> re.Match[str] | None:
        """Give the bracket that follows, if a sign or a comparison stands in it, not deeper."""
        opened = opening.match(self.text, end)
        if opened is None or self._within(opened.end()).get(what, -1) < opened.end():
            return None
        return opened

    def _within(self, at: int) -> dict[str, int]:
        """Say where the signs and comparisons stand last that lie in one bracket with a place."""
        starts, inner = self._brackets
        return inner[bisect_left(starts, at)]

    @cached_property
    def _brackets(self) -> tuple[list[int], list[dict[str, int]]]:
        """List brackets and signs, and between any two of them what lies in the innermost bracket.

        A text is looked through once, however deep it is.
        """
        open_ones: list[dict[str, int]] = [{}]
        starts: list[int] = []
        inner = [open_ones[0]]
        for found in NESTED.finditer(self.text):
            if found["left"]:
                open_ones.append({})
            elif found["right"]:
                open_ones.pop()
                open_ones = open_ones or [{}]
            else:
                open_ones[-1][str(found.lastgroup)] = found.start()
            starts.append(found.start())
            inner.append(open_ones[-1])
        return starts, inner

    def _is_called(self, end: int) -> bool:
        return OPENED.match(self.text, end) is not None


def is_written(text: str) -> bool:
    """Say whether a text has signs of formulas that are printed as text, as Aᵀ x has."""
    return not WRITTEN.isdisjoint(text) and not is_latex(text)


def is_latex(text: str) -> bool:
    """Say whether a text is written in LaTeX: it has a command or braces."""
    return "\\" in text or "{" in text


def word_of(below: re.Match[str] | None) -> str:
    """Give what stands below a variable or a norm."""
    found = next(filter(None, below.groups()), "") if below else ""
    return found.replace(",", "").replace(" ", "")
