"""What is seen of a text before it is read: its length, and characters that no formula has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from types import MappingProxyType

from symtape.errors import NotationError
from symtape.notation.tree import refused

LONGEST = 20_000
"""The most characters of a text."""

MOST_NODES = 200
"""The most names, numbers and operations of a text: a formula of more is read by nobody."""

_WORD = re.compile(r"[^\W\d]\w*|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|\*\*|\.?[*/^]|[-+'@]")
"""A name, a number or an operation."""

_WRITTEN = MappingProxyType(
    {
        **dict.fromkeys("−–—", "minus is -"),  # noqa: RUF001 - what pages and editors write
        **dict.fromkeys("·×⋅∙", "a product is *"),
        **dict.fromkeys("‘’′`", "a transpose is ' or .T"),  # noqa: RUF001 - what pages and editors write
        **dict.fromkeys("ᵀ⊤", "a transpose is ' or .T"),  # noqa: RUF001 - likewise
        **dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", "a power is ^ or **"),
        "⁻": "an inverse is inv()",
        "⊙": "entries are multiplied by .* or *",
        "⊘": "entries are divided by ./ or /",
        "÷": "a quotient is /",
        "√": "a root is sqrt()",
        "‖": "a norm is norm2()",
        "∑": "a sum is sum()",
        "𝟏": "ones are vector(1)",
        "|": "a norm is norm2(x), and |x| is abs(x)",
        "\\": "what solves A x = b is inv(A)*b, or np.linalg.solve(A, b); LaTeX is a notation, too",
        "=": "of an equation give the right side",
        "!": "a factorial is exp(lgamma(n + 1))",
        "^": "a power is **",
    }
)
"""How what formulas on paper have is typed."""

_TAKEN = MappingProxyType({"µ": "μ"})
"""The sign of micro, which keyboards have, is the letter."""


def scanned(text: str) -> str:
    """Give a text of the same length that is read as this one is, but faster.

    Raises `NotationError` for one that is too long, or has a character that is another one to
    whoever looks at it, as ² is.

    >>> scanned("((x + f((y))))")
    '( x + f((y)) )'
    """
    if len(text) > LONGEST:
        raise refused(text, LONGEST, f"a formula has at most {LONGEST} characters")
    plain = "".join([_plain(text, at) for at in range(len(text))])
    for number, word in enumerate(_WORD.finditer(plain), 1):
        if number > MOST_NODES:
            raise too_many(text, word.start())
    return _once_in_brackets(plain)


def too_many(text: str, at: int) -> NotationError:
    """Refuse what has more names and operations than a formula."""
    return refused(text, at, f"a formula has at most {MOST_NODES} names and operations")


def what_is(text: str, at: int) -> NotationError:
    """Refuse a character, and say how it is written if that is known."""
    own = text[at]
    same = unicodedata.normalize("NFKC", own).replace("⁄", "/")  # noqa: RUF001 - that of ½
    is_below = unicodedata.decomposition(own).startswith("<sub>")
    hint = f"it is _{same}" if is_below else f"{same} is read" if same != own else ""
    hint = _WRITTEN.get(own) or hint
    return refused(text, at, f"what is {own!r} here?" + (f" {hint}" if hint else ""))


def _plain(text: str, at: int) -> str:
    own = text[at]
    if own.isascii():
        return own
    if own.isspace():
        return " "
    if own in _TAKEN:
        return _TAKEN[own]
    if own in _WRITTEN or unicodedata.normalize("NFKC", own) != own:
        raise what_is(text, at)
    return own


def _once_in_brackets(text: str) -> str:
    """Blank brackets right within brackets, which then are as deep as a formula is.

    Those of a call stay: f((x, y)) has one argument.
    """
    ends = dict(_pairs(text))
    places = [at for at, own in enumerate(text) if not own.isspace()]
    order = {at: k for k, at in enumerate(places)}
    letters = list(text)
    for first, last in ends.items():
        k = order[first]
        inner, is_call = places[k + 1], k > 0 and _ends_a_name(text[places[k - 1]])
        if not is_call and ends.get(inner) == places[order[last] - 1]:
            letters[inner] = letters[ends[inner]] = " "
    return "".join(letters)


def _ends_a_name(own: str) -> bool:
    return own.isalnum() or own in "_)]"


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """Give the places of brackets that belong together."""
    opened: list[int] = []
    for at, own in enumerate(text):
        if own == "(":
            opened.append(at)
        elif own == ")" and opened:
            yield opened.pop(), at
