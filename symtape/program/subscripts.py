"""Einsum subscripts: text, parsed once into index numbers."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Indices = tuple[int, ...]


class Subscripts(NamedTuple):
    """Index numbers of each operand and of the result; numbers count up by first appearance."""

    inputs: tuple[Indices, ...]
    output: Indices

    @classmethod
    def of(cls, inputs: Iterable[Sequence[int]], output: Sequence[int]) -> Subscripts:
        """Renumber by first appearance, so that equal contractions have equal subscripts."""
        names: dict[int, int] = {}
        renumbered = tuple(
            tuple([names.setdefault(i, len(names)) for i in term]) for term in inputs
        )
        return cls(renumbered, tuple([names.setdefault(i, len(names)) for i in output]))

    @property
    def text(self) -> str:
        """The subscripts as einsum writes them, ``ij,jk->ik``."""
        return ",".join(map(spell, self.inputs)) + "->" + spell(self.output)


LETTERS = "ijklmnpqrstuvwxyzabcdefgho" + string.ascii_uppercase


def spell(indices: Iterable[int]) -> str:
    """Write index numbers as letters, beginning at `i`.

    >>> spell((0, 1))
    'ij'
    """
    return "".join(
        LETTERS[i] if i < len(LETTERS) else chr(0x3B1 + i - len(LETTERS)) for i in indices
    )


class SubscriptsError(ValueError):
    """Subscripts that do not fit the grammar or the ranks of the operands."""


def parse(text: str, ranks: Sequence[int]) -> Subscripts:
    """Read einsum text, with an optional ellipsis for batch axes, for operands of given ranks.

    Without ``->`` the result has the indices that appear once, in alphabetical order.

    >>> parse("ij,jk", (2, 2)).text
    'ij,jk->ik'
    """
    text = text.replace(" ", "")
    head, arrow, tail = text.partition("->")
    terms = head.split(",")
    if len(terms) != len(ranks):
        raise SubscriptsError(f"{len(terms)} subscripts for {len(ranks)} operands in {text!r}")
    for term in [*terms, tail]:
        _check_term(term, text)
    batch = max(
        (
            rank - len(term.replace("...", ""))
            for term, rank in zip(terms, ranks, strict=True)
            if "..." in term
        ),
        default=0,
    )
    inputs = [_number(term, rank, text) for term, rank in zip(terms, ranks, strict=True)]
    letters = [c for term in terms for c in term if c != "."]
    if not arrow:
        dots = "..." if any("..." in term for term in terms) else ""
        tail = dots + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    if unknown := set(tail.replace("...", "")) - set(letters):
        raise SubscriptsError(f"result index {min(unknown)!r} is in no operand of {text!r}")
    output = _number(tail, len(tail.replace("...", "")) + (batch if "..." in tail else 0), text)
    return Subscripts.of(inputs, output)


def _check_term(term: str, text: str) -> None:
    letters = term.replace("...", "", 1)
    if not all(c.isalpha() for c in letters):
        raise SubscriptsError(f"{term!r} is not letters and at most one '...' in {text!r}")


def _number(term: str, rank: int, text: str) -> list[int]:
    """Number letters by code point; the axes of `...` are negative, -1 being the last."""
    before, dots, after = term.partition("...")
    batch = rank - len(before) - len(after)
    if batch < 0 or (batch and not dots):
        raise SubscriptsError(f"{term!r} does not fit an operand of rank {rank} in {text!r}")
    return [*map(ord, before), *range(-batch, 0), *map(ord, after)]
