"""Elements that are left out: what was there before, what fails, and what is too many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from symtape.data.elements.structures import array_of, flatten
from symtape.data.stages.base import UNKNOWN, After, Failed, Stage
from symtape.data.stages.passing import OfCount
from symtape.data.stages.resuming import GoesOn, attempts
from symtape.errors import FailedPreconditionError, InvalidArgumentError
from symtape.ops.composite import CompositeSpec

_COMPARED = ("int32", "int64", "string")


class Unique(After):
    """Each element once, where it comes first."""

    def __init__(self, before: Stage) -> None:
        super().__init__(before)
        if before.is_certain:
            self._check()

    def _check(self) -> None:
        specs = flatten(self.before.spec)
        for spec in specs:
            if isinstance(spec, CompositeSpec):
                raise InvalidArgumentError.of(
                    "UniqueDataset",
                    "UniqueDataset only supports inputs with a single `tf.int32`, `tf.int64`, or "
                    "`tf.string` component.",
                )
            if spec.dtype.name not in _COMPARED:
                raise TypeError(
                    f"`tf.data.Dataset.unique` does not support type {spec.dtype} -- only "
                    "`tf.int32`, `tf.int64`, and `tf.string` are supported."
                )
        if len(specs) > 1:
            raise InvalidArgumentError.of(
                "UniqueDataset", "UniqueDataset only supports inputs with a single component."
            )

    cardinality = UNKNOWN

    def run(self) -> Iterator[Any]:
        """Remember all elements of this run."""
        if not self.before.is_certain:
            self._check()
        return GoesOn(partial(self._first, self.before.run(), set()))

    def _first(self, found: Iterator[Any], seen: set[Any]) -> Iterator[Any]:
        for element in found:
            key = tuple([_key(array_of(leaf)) for leaf in flatten(element)])
            if key not in seen:
                seen.add(key)
                yield element


def _key(array: Any) -> Any:
    return array.shape, tuple(array.ravel().tolist())


class Counted(OfCount):
    """The same elements, of which there must be as many as somebody says."""

    @property
    def cardinality(self) -> int:
        """As somebody says."""
        return self._count

    def run(self) -> Iterator[Any]:
        """Count the elements."""
        return GoesOn(partial(self._counted, self.before.run(), [0]))

    def _counted(self, found: Iterator[Any], count: list[int]) -> Iterator[Any]:
        for element in found:
            count[0] += 1
            if count[0] > self._count >= 0:
                raise _miscounted(f"{self._count}", f"at least {count[0]}")
            yield element
        if count[0] != self._count:
            wanted = "an infinite number of" if self._count < 0 else f"{self._count}"
            raise _miscounted(wanted, f"only {count[0]}")


def _miscounted(expected: str, found: str) -> Failed:
    return Failed(
        FailedPreconditionError,
        f"Input dataset was expected to contain {expected} elements but contained {found} "
        "elements.",
    )


class Unfailing(After):
    """The elements that do not fail."""

    cardinality = UNKNOWN

    def run(self) -> Iterator[Any]:
        """Go on after an error."""
        return self._without(attempts(self.before.run()))

    def _without(self, found: Iterator[Callable[[], Any]]) -> Iterator[Any]:
        for element in found:
            with suppress(Exception):
                yield element()
