"""Elements that are left out: what was there before, what fails, and what is too many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtape.data.elements.structures import array_of, flatten
from symtape.data.stages.applying import Filter, Map
from symtape.data.stages.base import UNKNOWN, After, Failed, Stage
from symtape.data.stages.files.records import Files
from symtape.errors import FailedPreconditionError, InvalidArgumentError, UnsupportedError
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

    @property
    def cardinality(self) -> int:
        """Unknown."""
        return UNKNOWN

    def run(self) -> Iterator[Any]:
        """Remember all elements of this run."""
        if not self.before.is_certain:
            self._check()
        return self._first(self.before.run())

    def _first(self, found: Iterator[Any]) -> Iterator[Any]:
        seen = set()
        for element in found:
            key = tuple([_key(array_of(leaf)) for leaf in flatten(element)])
            if key not in seen:
                seen.add(key)
                yield element


def _key(array: Any) -> Any:
    return array.shape, tuple(array.ravel().tolist())


class Counted(After):
    """The same elements, of which there must be as many as somebody says."""

    def __init__(self, before: Stage, count: int) -> None:
        super().__init__(before)
        self._count = count

    @property
    def cardinality(self) -> int:
        """As somebody says."""
        return self._count

    def run(self) -> Iterator[Any]:
        """Count the elements."""
        return self._counted(self.before.run())

    def _counted(self, found: Iterator[Any]) -> Iterator[Any]:
        count = 0
        for count, element in enumerate(found, 1):
            if count > self._count >= 0:
                raise _miscounted(f"{self._count}", f"at least {count}")
            yield element
        if count != self._count:
            raise _miscounted(
                "an infinite number of" if self._count < 0 else f"{self._count}", f"only {count}"
            )


def _miscounted(expected: str, found: str) -> Failed:
    return Failed(
        FailedPreconditionError,
        f"Input dataset was expected to contain {expected} elements but contained {found} "
        "elements.",
    )


class Unfailing(After):
    """The elements of a function for which it does not fail."""

    def __init__(self, before: Stage) -> None:
        super().__init__(before)
        stage = before
        while isinstance(stage, (Map, Filter)) and stage.goes_on:
            stage = stage.before
        if stage.rows is None and not isinstance(stage, Files):
            raise UnsupportedError(
                "tf.data.Dataset.ignore_errors: put it right behind the `map` or `filter` that may "
                "fail, of rows of tensors or records; other steps do not go on after an error"
            )

    @property
    def cardinality(self) -> int:
        """Unknown."""
        return UNKNOWN

    def run(self) -> Iterator[Any]:
        """Go on after an error."""
        return self._without(self.before.run())

    def _without(self, found: Iterator[Any]) -> Iterator[Any]:
        while True:
            try:
                element = next(found)
            except StopIteration:
                return
            except Exception:  # noqa: BLE001, S112 - whatever the user's code raises
                continue
            yield element
