"""Which files fit a pattern with wildcards: POSIX's rules, as TensorFlow asks for them.

`*` and `?` stop at the end of a folder's name, and a name that begins with a point is like others.
Source: POSIX.1-2017, XCU 2.13 (Pattern Matching Notation).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import accumulate

_WILDCARDS = "*?[\\"
_ONE = r"\[\.(?:.)\.\]|\[=(?:.)=\]|\\.|[^]\\]"
_CLASS = r"\[:[a-z]*:\]"
_BRACKET = re.compile(
    rf"\[(?P<other>(?>[!^]?))(?P<items>(?>\]|{_CLASS}|{_ONE})(?>{_CLASS}|{_ONE})*)\]", re.DOTALL
)
_ITEM = re.compile(rf"({_CLASS})|(\]|{_ONE})(?:-({_ONE}))?", re.DOTALL)
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_NEVER = "(?!)"


def matching(pattern: str) -> list[str]:
    """List the files and folders that fit a pattern, in order; a plain name fits if it is there.

    What fits a pattern whose first folder is not named begins with `./`, as TensorFlow's does.

    >>> matching("/no/such/*")
    []
    """
    start = re.split(r"[*?[\\]", pattern, maxsplit=1)[0]
    if start == pattern:
        return [pattern] if pattern and os.path.exists(pattern.rstrip("/") or "/") else []  # noqa: PTH110 - names are texts
    levels = _levels(pattern if "/" in start else "./" + pattern)
    known = sum(not any(c in level for c in _WILDCARDS) for level in levels)
    found = [levels[known - 1]]
    for level in levels[known:]:
        fits = re.compile(translated(level), re.DOTALL).fullmatch
        found = [path for folder in found for path in sorted(_inside(folder)) if fits(path)]
    return found


def _levels(pattern: str) -> list[str]:
    """List the folders that a pattern goes through, and the pattern itself."""
    pattern = pattern.removesuffix("/")
    parts = re.findall(r"/*[^/]*", pattern)[:-1]
    root = ["/"] if pattern.startswith("/") else []
    return [*root, *accumulate(parts)]


def _inside(folder: str) -> Iterator[str]:
    """List what is in a folder; what is none, or may not be read, has nothing in it."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names are texts
    except OSError:
        return
    for name in names:
        yield folder + name if folder.endswith("/") else f"{folder}/{name}"


def translated(pattern: str) -> str:
    r"""Write a pattern as a regular expression.

    >>> translated("a*[!0-9].txt")
    'a[^/]*(?!/)[^0-9]\\.txt'
    """
    found, at = [], 0
    while at < len(pattern):
        bracket = _BRACKET.match(pattern, at)
        if bracket:
            found.append(_characters(bracket["other"], bracket["items"]))
            at = bracket.end()
            continue
        char = pattern[at]
        if char == "\\":
            at += 1
            found.append(re.escape(pattern[at]) if at < len(pattern) else _NEVER)
        else:
            found.append({"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char)))
        at += 1
    return "".join(found)


def _characters(other: str, items: str) -> str:
    """Write what stands in brackets; a folder's end is never one of them."""
    found = ""
    for named, first, last in _ITEM.findall(items):
        if named:
            found += _CLASSES.get(named[2:-2], "")
            if named[2:-2] not in _CLASSES:
                return _NEVER
            continue
        low, high = _literal(first), _literal(last or first)
        if low <= high:
            found += f"{re.escape(low)}-{re.escape(high)}" if last else re.escape(low)
    if "/" in items:
        return _NEVER
    if not found:
        return "[^/]" if other else _NEVER
    return f"(?!/)[{'^' if other else ''}{found}]"


def _literal(item: str) -> str:
    """Read a character that stands for itself, alone, escaped, or as `[.a.]` and `[=a=]`."""
    return item if len(item) == 1 else item[1] if item[0] == "\\" else item[2]
