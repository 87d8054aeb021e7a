r"""LaTeX of formulas, as tokens: a closed list of commands, fonts, accents and brackets.

A scan knows what TeX knows: that `\frac12` has two arguments, that a script without braces is one
character, and whether a bar opens or closes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from string import digits
from types import MappingProxyType

from symtape.notation.latex.pieces import (
    ARRAY,
    BRACED,
    BRACKETED,
    CASES,
    Piece,
    Pieces,
    is_latex,
    is_written,
    word_of,
)
from symtape.notation.latex.words import (
    ACCENTS,
    BARS,
    BESSEL,
    CALLED,
    CASE,
    ENDING,
    ENDS,
    FONT,
    FUNCTIONS,
    GREEK,
    INDICATED,
    INVERSE,
    LETTER,
    ON_PAPER,
    PLACE,
    PRINTED,
    PROSE,
    SIGNS,
    STYLE,
    SUBSCRIPT,
    SUM,
    TOKENS,
    TURNS,
    UPRIGHT,
    VARIANTS,
    WORD,
)
from symtape.notation.latex.words import ARRAY as LAID_OUT
from symtape.notation.scanning import LONGEST, what_is
from symtape.notation.tree import refused
from symtape.notation.words import ENTRYWISE, MOST_ORDER, REDUCTIONS, SAME

_HINTS = MappingProxyType(
    {
        "_": "a subscript is a letter, a number or a word, and stands before an exponent: x_i^2; "
        r"a positive part is \max(0, x)",
    }
)
_SUMS = (
    r"a sum goes over indices, as \sum_{i=1}^n, \sum_{t=2}^{T-1}, \sum_i or \sum_{i,j}; "
    r"the sum of a column is \mathbf{1}^\top x"
)
_PRODUCTS = r"a product goes over indices, as \prod_{i=1}^n, \prod_{i=2}^n, \prod_i or \prod_{i,j}"
_FAR = 12
"""So far before a bar may what says whether it opens begin."""


class Scan(Pieces):
    """Takes a text apart; letters in a row are one variable if it is among `names`."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        if len(text) > LONGEST:
            raise refused(text, LONGEST, f"a formula has at most {LONGEST} characters")
        ending = ENDING.search(text)
        text = text[: ending.start()] if ending else text
        super().__init__(text, names)
        self.called: dict[str, int] = {}
        """The letters that are functions, and where."""
        self.fonts: dict[str, str] = {}
        """The font of each variable: letters of two fonts are two variables to who reads them."""
        self.turned: list[int] = []
        """Where T transposes."""
        at = 0
        while (at := self._blank(at)) < len(text):
            at = self._piece(at)
        for name in self.called.keys() & self.fonts.keys():
            why = f"{name} is a function before a parenthesis, and elsewhere a variable"
            raise refused(text, self.called[name], rf"{why}; a product is {name} \cdot (...)")
        if self.turned and "T" in self.fonts:
            why = r"T transposes here, and is a variable elsewhere: ^\top transposes, and a number"
            raise refused(text, self.turned[0], f"{why} T has the shape ()")

    def _piece(self, at: int) -> int:
        """Take one piece, and say where the next one begins."""
        text = self.text
        if self.wanted and text[at] != "{":
            return self._argument(at)
        if laid := self._laid_out(at):
            return laid
        found = TOKENS.match(text, at)
        if found is None:
            hint = f"; {_HINTS[text[at]]}" if text[at] in _HINTS else ""
            raise refused(text, at, f"what is {text[at]!r} here?{hint}")
        if found["number"]:
            return self._number(found)
        if found["style"]:
            return self._styled(found)
        if found["above"]:
            return self._above(found)
        if found["raised"] or found["entries"]:
            return self._raised(found)
        if found["letters"]:
            return self._letters(found)
        return self._sign(found) or self._command(found)

    def _laid_out(self, at: int) -> int:
        """Take what an environment has besides formulas: the innermost that is open, or a new one.

        0 if it is something else.
        """
        for opened, pattern, take in ((ARRAY, LAID_OUT, self._array), (CASES, CASE, self._case)):
            found = pattern.match(self.text, at)
            if found and (found["begin"] or self._environment() == opened):
                return take(found)
        return 0

    def _environment(self) -> tuple[str, int] | None:
        """Give the innermost environment that is open."""
        return next((one for one in reversed(self.opened) if one in (ARRAY, CASES)), None)

    def _argument(self, at: int) -> int:
        r"""Take one character or command, as those of `\frac12`, as if it had braces."""
        left, self.wanted = self.wanted - 1, 0
        self._add("LBRACE", "{", at)
        own = self.text[at]
        if own in digits:
            self._add("NUMBER", own, at)
            at += 1
        elif own.isalpha():
            self._letter(own, at)
            at += 1
        elif own == "\\":
            at = self._piece(at)
        else:
            raise refused(self.text, at, "an argument is missing here")
        if self.wanted or self.pieces[-1].kind not in ENDS:
            raise refused(self.text, at, "an argument like this one stands in braces")
        self._add("RBRACE", "}", at)
        self.wanted = left
        return at

    def _number(self, found: re.Match[str]) -> int:
        if self._kinds(1) == ("CARET",) and len(found.group()) > 1:
            why = f"an exponent of more than one digit stands in braces, as ^{{{found.group()}}}"
            raise refused(self.text, found.start(), why)
        self._add("NUMBER", found.group(), found.start())
        return found.end()

    # --- signs and brackets -----------------------------------------------------------------------

    def _sign(self, found: re.Match[str]) -> int:
        """Take a sign or a bracket; 0 if it is none."""
        whole, at, end = found.group(), found.start(), found.end()
        if whole[1:] in self.names:
            return 0
        if self._of_list(whole, at):
            return end
        self._check_sign(whole, at, end)
        if whole == "'":
            self._add("CARET", "^", at)
            self._add("TOP", whole, at)
            return end
        kind = self._bar(BARS[whole], at) if whole in BARS else SIGNS.get(whole, "")
        if kind == "RPAR" and self.opened and self.opened[-1][0] == BRACED:
            kind = "RBRACE"
        elif kind == "RBRACE" and self.opened and self.opened[-1][0] == BRACKETED:
            kind = "RPAR"
        if not kind:
            return 0
        if whole == "√" and self.text[self._blank(end) :][:1] == "(":
            self._add("SQRT", "2", at)
            self._add("LBRACE", "{", at)
            self.opened.append((BRACED, 0))
            return self._blank(end) + 1
        if kind == "SQRT":
            return self._root(at, end)
        if kind == "PI" and SUBSCRIPT.match(self.text, end):
            return self._named("pi", at, end)
        value = whole if kind != "RNORM" else ""
        if kind in ("FRAC", "BINOM"):
            self.wanted = 2
        elif kind == "RNORM":
            value, end = self._which(end)
        elif kind == "RANGLE":
            end = self._inner_of(end)
        self._bracket(kind)
        self._add(kind, value, at)
        return end

    def _check_sign(self, sign: str, at: int, end: int) -> None:
        """Refuse a sign that may be another one to whoever wrote it, or that ends a row of none."""
        if sign == ";":
            raise what_is(self.text, at)
        if sign == "*" and is_written(self.text):
            why = "beside signs as ᵀ neighbours are multiplied, and entries by ⊙: which is meant?"
            raise refused(self.text, at, why)
        if sign == "!" and self.text[end : end + 1] == "=":
            raise refused(self.text, at, r"what is not equal is \ne, and x! = y is (x!) = y")

    def _bar(self, kind: str, at: int) -> str:
        turn = TURNS.search(self.text[max(0, at - _FAR) : at])
        if turn:
            return f"L{kind}" if turn[1] or turn[2] else f"R{kind}"
        opened = self.opened[-1][0] if self.opened else ""
        ends = self.pieces and self.pieces[-1].kind in ENDS
        return f"R{kind}" if opened == f"L{kind}" and ends else f"L{kind}"

    def _bracket(self, kind: str) -> None:
        """Remember what is open, and the arguments that are wanted once it is closed."""
        if kind[0] == "L":
            left = self.wanted - 1 if kind == "LBRACE" and self.wanted else 0
            self.opened.append((kind, left))
            self.wanted = 0
        elif kind[0] == "R" and self.opened:
            _, self.wanted = self.opened.pop()

    # --- words ------------------------------------------------------------------------------------

    def _letters(self, found: re.Match[str]) -> int:
        """Take letters in a row: one variable, or one each; a subscript belongs to the last."""
        word, at, end = found.group(), found.start(), found.end()
        if word in self.names:
            return self._named(word, at, end)
        if quantile := self._quantile(word, at, end):
            return quantile
        is_called = not self.is_latex and self._is_called(end)
        if is_called and (word in FUNCTIONS or word in PRINTED or word in ENTRYWISE):
            self._add("FUNC", PRINTED.get(word, FUNCTIONS.get(word, word)), at)
            return end
        if word in WORDS and len(word) > 1:
            why = rf"{word} is a function: \{word} or \operatorname{{{word}}}"
            raise refused(self.text, at, why)
        if word in GREEK or word == "pi":
            raise refused(self.text, at, rf"{word} is a letter: \{word}; a product has spaces")
        for k, letter in enumerate(word[:-1]):
            self._letter(letter, at + k)
        return self._named(word[-1], at + len(word) - 1, end)

    def _named(self, word: str, at: int, end: int, font: str = "") -> int:
        """Take a variable with what stands below it."""
        found = SUBSCRIPT.match(self.text, end)
        below = word_of(found)
        if place := self._place_of(word, below, end):
            self._letter(word, at, font, end)
            return self._placed(place)
        if found and self._kinds(1) == ("CARET",):
            raise refused(self.text, found.start(), _HINTS["_"])
        if found and (found[1] or "").isdigit() and self.text[found.end() :][:1].isdigit():
            why = "a subscript of more than one digit stands in braces, as x_{12}"
            raise refused(self.text, found.end(), why)
        if found and not font and self._is_bessel(word, below, at, found.end()):
            return found.end()
        if word == "I" and not {"I", f"I_{below}"} & self.names:  # the letter of a size is no more
            self._add("UNIT", word, at)
        elif below:
            self._variable(f"{word}_{below}", at, font)
        else:
            self._letter(word, at, font, end)
        return found.end() if found else end

    def _place_of(self, word: str, below: str, end: int) -> re.Match[str] | None:
        """Find what takes an entry or a part of a variable, if there is one that has any."""
        if word not in self.names or f"{word}_{below}" in self.names:
            return None
        return PLACE.match(self.text, end)

    def _placed(self, found: re.Match[str]) -> int:
        """Take what says which part of the variable before it is meant."""
        below = found[1] or found[2]
        self._add("PLACE", f"_{below}" if below else found[3], found.start())
        return found.end()

    def _is_bessel(self, letter: str, order: str, at: int, end: int) -> bool:
        """Take J_0 before a parenthesis for a Bessel function, unless it may be a factor."""
        name = f"{letter}_{order}"
        is_known = {letter, name} & self.names
        if letter not in BESSEL or not order.isdecimal() or is_known or not self._is_called(end):
            return False
        if letter in "IK" and self._has_in_brackets(end, "sign"):
            why = rf"{name} may be a factor, {name} \cdot (...), or a Bessel function of a sum"
            raise refused(self.text, at, f"{why}, which is read where the sum has a name")
        if int(order) > MOST_ORDER:
            why = f"Bessel functions are read up to the order {MOST_ORDER}"
            raise refused(self.text, at, rf"{why}; a product is {name} \cdot (...)")
        self._add("FUNC", f"bessel_{letter.lower()}{int(order)}", at)
        self.called[name] = at
        return True

    def _letter(self, letter: str, at: int, font: str = "", end: int = 0) -> None:
        if unicodedata.normalize("NFKC", letter) != letter:
            raise what_is(self.text, at)
        if letter == "π" and letter not in self.names:
            self._add("PI", letter, at)
        elif letter == "T" and letter not in self.names and self._is_script(end or at + 1):
            self.turned.append(at)
            self._add("TOP", letter, at)
        elif letter in ("e", "I") and letter not in self.names and font not in ("bold", "vec"):
            self._add("EULER" if letter == "e" else "UNIT", letter, at)
        else:
            self._variable(letter, at, font)

    def _variable(self, name: str, at: int, font: str) -> None:
        if self.fonts.setdefault(name, font) != font:
            raise refused(self.text, at, f"{name} stands here in another font than before")
        self._add("NAME", name, at)

    def _is_script(self, end: int) -> bool:
        """Say whether a letter is all that stands above, but for a minus."""
        before = self._kinds(3)
        is_first = before[-2:] == ("CARET", "LBRACE") or before == ("CARET", "LBRACE", "MINUS")
        is_alone = self.text[self._blank(end) :][:1] == "}"
        return before[-1:] == ("CARET",) or (is_first and is_alone)

    def _styled(self, found: re.Match[str]) -> int:
        r"""Take what stands in fonts and under accents, as `\hat{\mathbf{y}}` does."""
        at, styles = found.start(), STYLE.findall(found.group())
        if PROSE.match(self.text, at):
            why = r"words in a formula are no variables; one is written \text{loss}"
            raise refused(self.text, at, why)
        count = found.group().count("{")
        inner = (WORD if count else LETTER).match(self.text, found.end())
        below = SUBSCRIPT.match(self.text, inner.end()) if inner and count else None
        inside = below or inner
        closing = inside and re.compile(rf"(?:\s*\}}){{{count}}}").match(self.text, inside.end())
        if not inner or not closing:
            raise refused(self.text, at, "what has a font or an accent is one word")
        word = inner[1] or inner[2]
        accents = [ACCENTS[style] for style in styles if style in ACCENTS]
        font = next((FONT[style] for style in styles if style in FONT), "")
        if word == "1" and font in ("bold", "mathbb") and not accents:
            if self._is_of_test(closing.end()):
                return closing.end()
            if self._is_of_test(closing.end(), INDICATED):
                return self._indicated(closing.end())
            size = SUBSCRIPT.match(self.text, closing.end())
            self._add("ONES", word, at)
            return size.end() if size else closing.end()
        if font == "mathbb" and word == "I" and self._is_of_test(closing.end()):
            return closing.end()
        if font == "mathbb":
            raise refused(self.text, at, f"{word} in this font is a set or an expected value")
        if word[0].isdigit():
            raise refused(self.text, at, f"what is {word} in this font?")
        if not accents and self._is_function(word, styles[-1], closing.end()):
            self._add("FUNC", FUNCTIONS.get(word, word), at)
            return closing.end()
        is_one = inner[1] or word in self.names or styles[-1] in UPRIGHT
        for k, letter in enumerate("" if is_one else word[:-1]):
            self._letter(letter, inner.start() + k, font)
        under = [word_of(below)] if below else []
        last = "_".join([word if is_one else word[-1], *reversed(accents), *under])
        return self._named(last, at, closing.end(), font)

    def _is_function(self, word: str, style: str, end: int) -> bool:
        if len(word) == 1 or word in self.names or style not in UPRIGHT:
            return False
        return style == "operatorname" or word in WORDS or self._is_called(end)

    def _command(self, found: re.Match[str]) -> int:
        word, at, end = found["command"] or "", found.start(), found.end()
        if word in ("sum", "prod") or (word in ("max", "min") and SUM.match(self.text, end)):
            return self._sum(word, at, end)
        below = SUBSCRIPT.match(self.text, end)
        why = f": {ON_PAPER[word]}" if word in ON_PAPER else ""
        if word in FUNCTIONS and word not in self.names:
            if below:
                word, end = f"{word}_{word_of(below)}", below.end()
            if word not in FUNCTIONS:
                raise refused(
                    self.text, at, f"\\{word} is not among the functions of formulas{why}"
                )
            self._add("FUNC", FUNCTIONS[word], at)
            return end
        if quantile := self._quantile(word, at, end):
            return quantile
        if word in CALLED and word not in self.names and self._is_called(end):
            self._add("FUNC", CALLED[word], at)
            self.called[word] = at
            return end
        if word == "phi" and word not in self.names and self._is_called(end):
            hint = r"\varphi is the normal density; a product is \phi \cdot (...)"
            raise refused(self.text, at, hint)
        if word in self.names or word in GREEK or word in VARIANTS:
            return self._named(VARIANTS.get(word, word), at, end)
        raise refused(self.text, at, f"{found.group()} is not among the commands of formulas{why}")

    def _quantile(self, word: str, at: int, end: int) -> int:
        r"""Take `\Phi^{-1}(p)`, and say where the parenthesis is; 0 if it is something else."""
        found = INVERSE.match(self.text, end) if PRINTED.get(word, word) == "Phi" else None
        if found is None or word in self.names or not self._is_called(found.end()):
            return 0
        self._add("FUNC", "ndtri", at)
        self.called["Phi"] = at
        return found.end()

    def _sum(self, word: str, at: int, end: int) -> int:
        found = SUM.match(self.text, end)
        if found is None:
            raise refused(self.text, at, _SUMS if word == "sum" else _PRODUCTS)
        lower, limit = found[3] or "", found[4] or found[5] or ""
        group = 1 if found[1] else 2
        places = [found.start(group) + k for k, c in enumerate(found[group]) if c.isalpha()]
        for k, place in enumerate(places):
            values = {"SUM": word, "INDEX": self.text[place], "LOWER": lower, "LIMIT": limit}
            for kind, value in values.items():
                self._add(kind, value, place if k else at)
        return found.end()


WORDS = frozenset({*FUNCTIONS, *ENTRYWISE, *SAME, *REDUCTIONS, "mean", "norm1", "norm2"})
"""What is a function wherever it stands upright."""


__all__ = ["Piece", "Scan", "is_latex", "is_written"]
