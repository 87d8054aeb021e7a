r"""Regular expressions as TensorFlow reads them (RE2), written as Python's.

An expression is read part by part, and each part is written anew over letters: what RE2 does not
have, as `(?=a)` and `a++`, raises, and what both write alike and mean differently, as `$` before
the last line break and `\s`, is written as RE2 means it. Bytes that are no letters match nothing.

Source: the syntax of RE2, https://github.com/google/re2/wiki/Syntax.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, NoReturn

from symtape.errors import UnsupportedError
from symtape.ops.strings.letter_sets import (
    ANY,
    CLASSES,
    Ranges,
    folded,
    named,
    outside,
    property_of,
)

_MOST = 1000
"""How often a part may be repeated at most."""
_COUNTS = re.compile(r"\{(\d+)(,?)(\d*)\}")
_GROUP = re.compile(r"\(\?P<([^>]*)>")
_FLAGS = re.compile(r"\(\?([imsU]*)(-[imsU]+)?([:)])")
_ESCAPED = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_PLACES = {"A": r"\A", "z": r"\Z", "b": r"\b", "B": r"(?!\b)"}
_DIGITS, _SPACES, _WORDS = CLASSES["digit"], ((9, 10), (12, 13), (32, 32)), CLASSES["word"]
_LETTERED = {"d": _DIGITS, "s": _SPACES, "w": _WORDS}


class PatternError(Exception):
    """Raised for what is no expression, in RE2's words."""


class _Part(NamedTuple):
    """A part that can be repeated, and how often what it holds is repeated at most."""

    text: str
    repeats: int = 1


@lru_cache(maxsize=256)
def expression(pattern: bytes) -> re.Pattern[str]:
    r"""Read an expression; it is of letters, and bytes that are none stand as `surrogateescape`.

    Raises `PatternError` for what is none, and `UnsupportedError` for single bytes and scripts.

    >>> expression(b"[[:alpha:]]+$").pattern
    '(?:[A-Za-z])+\\Z'
    """
    try:
        text = pattern.decode()
    except UnicodeDecodeError:
        raise PatternError("invalid UTF-8") from None
    return re.compile(_Reading(text).whole(), re.ASCII)


class _Reading:
    """Reads an expression from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.flags, self.depth = text, 0, frozenset[str](), 0

    @property
    def rest(self) -> str:
        """What is not read yet."""
        return self.text[self.at :]

    def whole(self) -> str:
        """Read all there is."""
        found = self.choices()
        if self.rest:
            raise PatternError(f"unexpected ): {self.text}")
        return found.text

    def choices(self) -> _Part:
        """Read what stands between bars, up to a bracket; flags hold until there."""
        flags, found = self.flags, [self.row()]
        while self.rest.startswith("|"):
            self.at += 1
            found.append(self.row())
        self.flags = flags
        return _Part("|".join(p.text for p in found), max(p.repeats for p in found))

    def row(self) -> _Part:
        """Read parts that follow each other."""
        parts: list[_Part] = []
        while self.rest and self.rest[0] not in "|)":
            begin, count = self.at, self.count()
            if count is None:
                parts += self.quoted() if self.rest.startswith(r"\Q") else self.part()
            elif not parts:
                self.at += self.rest.startswith("?")
                raise PatternError(
                    f"no argument for repetition operator: {self.text[begin : self.at]}"
                )
            else:
                parts[-1] = self.repeated(parts[-1], *count)
        return _Part("".join(p.text for p in parts), max([p.repeats for p in parts], default=1))

    # --- repetition -------------------------------------------------------------------------------

    def count(self) -> tuple[str, int] | None:
        """Read how often a part is repeated: as it is written, and the largest number of it."""
        if self.rest[0] in "*+?":
            self.at += 1
            return self.text[self.at - 1], 1
        found = _COUNTS.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        least, comma, most = found.groups()
        high = int(most or least)
        if max(int(least), high) > _MOST or (comma and most and int(most) < int(least)):
            raise PatternError(f"invalid repetition size: {found[0]}")
        return found[0], max(high, 1)

    def repeated(self, part: _Part, sign: str, most: int) -> _Part:
        """Repeat a part; `?` behind takes as few as can be, or as many with the flag `U`."""
        begin = self.at - len(sign)
        is_short = self.rest.startswith("?")
        self.at += is_short
        after = self.at
        if self.rest and self.count() is not None:
            self.at += self.rest.startswith("?")
            raise PatternError(f"bad repetition operator: {self.text[begin : self.at]}")
        self.at = after
        if part.repeats * most > _MOST:
            raise PatternError(f"invalid repetition size: {sign}")
        lazy = "?" if is_short != ("U" in self.flags) else ""
        return _Part(f"(?:{part.text}){sign}{lazy}", part.repeats * most)

    # --- parts ------------------------------------------------------------------------------------

    def part(self) -> list[_Part]:
        """Read one part, or flags, which are none."""
        first = self.rest[0]
        if first == "(":
            return self.group()
        if first == "[":
            return [_Part(_written(self.set_of()))]
        if first == "\\":
            return [_Part(self.escaped())]
        self.at += 1
        if first == ".":
            return [_Part(_written(ANY if "s" in self.flags else outside(((10, 10),))))]
        if first == "^":
            return [_Part("(?m:^)" if "m" in self.flags else r"\A")]
        if first == "$":
            return [_Part("(?m:$)" if "m" in self.flags else r"\Z")]
        return [_Part(self.letter(ord(first)))]

    def quoted(self) -> list[_Part]:
        r"""Read what stands between `\Q` and `\E` as it is."""
        quoted, end, _ = self.rest[2:].partition(r"\E")
        self.at += 2 + len(quoted) + len(end)
        return [_Part(self.letter(ord(c))) for c in quoted]

    def letter(self, number: int) -> str:
        """Write a letter, and those that differ from it by case alone where case is ignored."""
        given = ((number, number),)
        return _written(folded(given)) if "i" in self.flags else re.escape(chr(number))

    def group(self) -> list[_Part]:
        """Read what stands in brackets."""
        begin = self.at
        if not self.rest.startswith("(?"):
            return [self.closed(begin, 1, "(")]
        if name := _GROUP.match(self.text, begin):
            if not re.fullmatch(r"\w+", name[1]):
                raise PatternError(f"invalid named capture group: {name[0]}")
            return [self.closed(begin, len(name[0]), "(")]
        if self.rest.startswith("(?P<"):
            raise PatternError(f"invalid named capture group: {self.rest}")
        flags = _FLAGS.match(self.text, begin) or self.refuse_group()
        kept, within = self.flags, flags[1]
        self.flags = (kept | {*within}) - {*(flags[2] or "")}
        if flags[3] == ")":
            self.at = flags.end()
            return []
        found = self.closed(begin, len(flags[0]), "(?:")
        self.flags = kept
        return [found]

    def closed(self, begin: int, width: int, bracket: str) -> _Part:
        """Read up to the bracket that closes."""
        self.at = begin + width
        found = self.choices()
        if not self.rest.startswith(")"):
            raise PatternError(f"missing ): {self.text}")
        self.at += 1
        return _Part(f"{bracket}{found.text})", found.repeats)

    def refuse_group(self) -> NoReturn:
        """Raise for a bracket of a kind that RE2 does not know; the first odd letter is named."""
        end = re.compile(r"\(\?[imsU-]*.?", re.DOTALL).match(self.text, self.at)
        raise PatternError(f"invalid perl operator: {end[0] if end else self.rest}")

    # --- what a backslash says --------------------------------------------------------------------

    def escaped(self) -> str:
        """Read what a backslash begins, outside of a set."""
        if (second := self.rest[1:2]) in _PLACES:
            self.at += 2
            return _PLACES[second]
        if second == "C":
            raise UnsupportedError(r"regular expressions of single bytes, as \C, are not here")
        found = self.lettered()
        return self.letter(self.code()) if found is None else _written(found)

    def lettered(self) -> Ranges | None:
        r"""Read a set that has a letter, as `\d` and `\pN`."""
        second = self.rest[1:2]
        if second in {"p", "P"}:
            return self.property(is_without=second == "P")
        if not second or second.lower() not in _LETTERED:
            return None
        self.at += 2
        found = _LETTERED[second.lower()]
        return outside(found) if second.isupper() else found

    def property(self, *, is_without: bool) -> Ranges:
        """Read a set of letters by what Unicode says of them."""
        found = re.compile(r"\\[pP](\{([^}]*)\}|[^{])", re.DOTALL).match(self.text, self.at)
        if found is None:
            raise PatternError(f"invalid character class range: {self.rest}")
        self.at = found.end()
        name = found[1] if found[2] is None else found[2]
        known = property_of(name.removeprefix("^"))
        if known is None:
            raise PatternError(f"invalid character class range: {found[0]}")
        known = folded(known) if "i" in self.flags else known
        return outside(known) if is_without != name.startswith("^") else known

    def code(self) -> int:
        """Read the number of one letter that a backslash begins."""
        form = r"\\(?:(0[0-7]{0,2}|[1-7][0-7]{1,2})|x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]+)\}|(.))"
        found = re.compile(form, re.DOTALL).match(self.text, self.at)
        if found is None:
            raise PatternError("trailing \\")
        self.at = found.end()
        octal, two, many, one = found.groups()
        if one is None:
            number = int(octal, 8) if octal else int(two or many, 16)
            if number < 0x110000:
                return number
        elif one in _ESCAPED:
            return _ESCAPED[one]
        elif one.isascii() and not (one.isalnum()):
            return ord(one)
        raise PatternError(f"invalid escape sequence: {found[0]}")

    # --- sets -------------------------------------------------------------------------------------

    def set_of(self) -> Ranges:
        """Read a set of letters in brackets."""
        begin = self.at
        is_without = self.rest.startswith("[^")
        self.at += 1 + is_without
        found: list[tuple[int, int]] = []
        first = self.at
        while not self.rest.startswith("]") or self.at == first:
            if not self.rest:
                raise PatternError(f"missing ]: {self.text[begin:]}")
            found += self.member()
        self.at += 1
        among = folded(tuple(found)) if "i" in self.flags else tuple(found)
        return outside(among) if is_without else among

    def member(self) -> Ranges:
        """Read one member of a set: a named set, a letter, or those from one to another."""
        if word := re.compile(r"\[:([^\]]*):\]").match(self.text, self.at):
            self.at = word.end()
            known = named(word[1])
            if known is None:
                raise PatternError(f"invalid character class range: {word[0]}")
            return known
        if self.rest.startswith("\\") and (found := self.lettered()) is not None:
            return found
        begin, low = self.at, self.single()
        if not self.rest.startswith("-") or self.rest.startswith("-]"):
            return ((low, low),)
        self.at += 1
        if not self.rest:
            return ((low, low),)
        high = self.single()
        if high < low:
            raise PatternError(f"invalid character class range: {self.text[begin : self.at]}")
        return ((low, high),)

    def single(self) -> int:
        """Read one letter of a set."""
        if self.rest.startswith("\\"):
            return self.code()
        self.at += 1
        return ord(self.text[self.at - 1])


def _written(ranges: Ranges) -> str:
    """Write a set of letters for Python's expressions, without what stands for odd bytes."""
    parts = [
        re.escape(chr(low)) if low == high else f"{re.escape(chr(low))}-{re.escape(chr(high))}"
        for low, high in ranges
    ]
    return f"[{''.join(parts)}]" if parts else r"(?!)"
