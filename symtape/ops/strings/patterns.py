"""Regular expressions over tensors of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from symtape.ops.attributes import attributes, boolean
from symtape.ops.strings.arguments import each, one_text_of, text_of
from symtape.ops.strings.expressions import PatternError, expression
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_ODD = "surrogateescape"
"""How bytes that are no letters stand among letters."""


@attributes(replace_global=boolean(True))
def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    r"""Replace what matches a pattern, everywhere or once; `\1` in `rewrite` is its first group.

    Raises `InvalidArgumentError` for what is no pattern, and `UnsupportedError` for a pattern of
    single bytes or of scripts.

    >>> regex_replace("a.b.c", r"\.", "-").numpy()
    b'a-b-c'
    """
    op = "RegexReplace"
    texts = text_of(op, input)
    found = _compiled(op, one_text_of(op, pattern, "Pattern must be scalar, but received", 1))
    new = one_text_of(op, rewrite, "Rewrite must be scalar, but received", 2).decode(errors=_ODD)
    parts = re.findall(r"\\[0-9\\]|[^\\]+|\\.?", new, re.DOTALL)
    if any(p[1:].isdigit() and int(p[1:]) > found.groups for p in parts if p[0] == "\\"):
        return each(lambda t: t, texts)  # TensorFlow leaves the text as it is

    def replaced(text: bytes) -> bytes:
        return _replaced(found, parts, text.decode(errors=_ODD), replace_global).encode(errors=_ODD)

    return each(replaced, texts)


def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Say which texts match a pattern from their first byte to the last.

    >>> regex_full_match(["ab", "b"], "a.*").numpy().tolist()
    [True, False]
    """
    op = "RegexFullMatch"
    texts = text_of(op, input)
    found = _compiled(op, one_text_of(op, pattern, "Pattern must be scalar, but received", 1))
    matched = [found.fullmatch(t.decode(errors=_ODD)) is not None for t in texts.flat]
    return convert(np.array(matched, bool).reshape(texts.shape), dtypes.bool_)


def _compiled(op: str, pattern: bytes) -> re.Pattern[str]:
    try:
        return expression(pattern)
    except PatternError as error:
        text = pattern.decode(errors="replace")
        raise invalid(op, f"Invalid pattern: {text}, error: {error}") from None


def _replaced(found: re.Pattern[str], parts: list[str], text: str, everywhere: bool) -> str:
    """Replace matches; with a mark in `parts` that says nothing, one alone is left as it is."""
    if not everywhere and not all(map(_says, parts)):
        return text
    out, end = "", 0
    for match in _matches(found, text):
        out += text[end : match.start()] + _written(parts, match)
        end = match.end()
        if not everywhere:
            break
    return out + text[end:]


def _says(part: str) -> bool:
    return part[0] != "\\" or part[1:].isdigit() or part[1:] == "\\"


def _written(parts: list[str], match: re.Match[str]) -> str:
    r"""Put the groups of a match in the places of `\0`, `\1`, up to a mark that says nothing."""
    out = ""
    for part in parts:
        if not _says(part):
            return out
        out += (
            (match[int(part[1:])] or "")
            if part[1:].isdigit() and part[0] == "\\"
            else ("\\" if part[0] == "\\" else part)
        )
    return out


def _matches(found: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Find matches as TensorFlow does: an empty one does not follow another at once."""
    at, end = 0, -1
    while at <= len(text) and (match := found.search(text, at)):
        if match.start() == match.end() == end:
            at = end + 1
            continue
        yield match
        at = end = match.end()
