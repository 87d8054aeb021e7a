"""Functions whose derivative is their author's: where a recording has one, and what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from symtape.errors import ReleasedError

Pull = Callable[[Sequence[Any]], Sequence[Any]]
"""Gives a cotangent, or None, for each input, from one for each result: tensors."""


class Rule(NamedTuple):
    """What the author says: the name of the function, and how cotangents pass to its inputs.

    `outputs` are the shapes and dtypes of the results, as NumPy's.
    """

    name: str
    pull: Pull
    outputs: Sequence[tuple[tuple[int, ...], Any]]


class Custom(NamedTuple):
    """A rule in a recording: the positions of inputs and results, None for what it does not know.

    Results without derivatives, as integers, have no position either.
    """

    rule: Rule
    inputs: tuple[int | None, ...]
    outputs: tuple[int | None, ...]

    def moved(self, inputs: Sequence[int], outputs: Sequence[int]) -> Custom:
        """Give the same for a recording in which positions are others."""
        return self._replace(
            inputs=tuple([None if p is None else inputs[p] for p in self.inputs]),
            outputs=tuple([None if p is None else outputs[p] for p in self.outputs]),
        )

    def released(self) -> Custom:
        """Give the same without the author's function, which holds tensors."""
        return self._replace(rule=Rule(self.rule.name, _gone, ()))


def _gone(_: Sequence[Any]) -> Sequence[Any]:
    raise ReleasedError("the function of cotangents was freed with its tape")
