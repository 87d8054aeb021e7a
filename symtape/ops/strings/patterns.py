"""Regular expressions over tensors of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from symtape.ops.strings.arguments import each, text_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_LOOKS = re.compile(rb"\(\?(<?[=!])|\\[1-9]")
"""What Python's expressions have and TensorFlow's have not."""


def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    r"""Replace what matches a pattern, everywhere or once; `\1` in `rewrite` is its first group.

    Raises `InvalidArgumentError` for what is no pattern.

    >>> regex_replace("a.b.c", r"\.", "-").numpy()
    b'a-b-c'
    """
    op = "StaticRegexReplace"
    texts = text_of(op, input)
    expression = _compiled(op, text_of(op, pattern)[()])
    new = text_of(op, rewrite)[()]
    if any(int(n) > expression.groups for n in re.findall(rb"\\(\d)", new)):
        return each(lambda t: t, texts)  # TensorFlow leaves the text as it is
    return each(lambda t: _replaced(expression, new, t, everywhere=replace_global), texts)


def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Say which texts match a pattern from their first byte to the last.

    >>> regex_full_match(["ab", "b"], "a.*").numpy().tolist()
    [True, False]
    """
    op = "StaticRegexFullMatch"
    texts = text_of(op, input)
    expression = _compiled(op, text_of(op, pattern)[()])
    found = [expression.fullmatch(t) is not None for t in texts.flat]
    return convert(np.array(found, bool).reshape(texts.shape), dtypes.bool_)


def _compiled(op: str, pattern: bytes) -> re.Pattern[bytes]:
    if look := _LOOKS.search(pattern):
        text = pattern.decode(errors="replace")
        raise invalid(
            op, f"Invalid pattern: {text}, error: invalid perl operator: {look[0].decode()}"
        )
    try:
        return re.compile(pattern)
    except re.error as error:
        text = pattern.decode(errors="replace")
        raise invalid(op, f"Invalid pattern: {text}, error: {error}") from None


def _replaced(expression: re.Pattern[bytes], new: bytes, text: bytes, *, everywhere: bool) -> bytes:
    out, end = b"", 0
    for match in _matches(expression, text):
        out += text[end : match.start()] + _written(new, match)
        end = match.end()
        if not everywhere:
            break
    return out + text[end:]


def _written(new: bytes, match: re.Match[bytes]) -> bytes:
    r"""Put the groups of a match in the places of `\0`, `\1` and so on."""

    def group(mark: re.Match[bytes]) -> bytes:
        return mark[1] if mark[1] == b"\\" else match[int(mark[1])] or b""

    return re.sub(rb"\\([0-9\\])", group, new)


def _matches(expression: re.Pattern[bytes], text: bytes) -> Iterator[re.Match[bytes]]:
    """Find matches as TensorFlow does: an empty one does not follow another at once."""
    end = -1
    for match in expression.finditer(text):
        if match.end() > match.start() or match.start() != end:
            yield match
            end = match.end()
