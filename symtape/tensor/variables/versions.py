"""What a variable holds: every assignment makes a new version of it, a tensor of its own."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Self

from symtape.tensor import names
from symtape.tensor.recording.active import THREAD, changing
from symtape.tensor.recording.provenance import RENEWALS
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.scopes import SCOPES


class Handle:
    """What a variable and the results of its assignments share: the value, and what is fixed.

    The version says how often it was assigned, and how often its value was renewed since; `sought`
    is the place from which nobody's variable was found to hold it.
    """

    __slots__ = (
        "__weakref__",
        "label",
        "name",
        "number",
        "reference",
        "sought",
        "tensor",
        "trainable",
        "variable",
        "version",
    )
    _made = count()

    def __init__(self, value: Any, name: str | None, variable: Any, *, trainable: bool) -> None:
        self.number = next(self._made)
        self.variable = weakref.ref(variable)
        self.name = SCOPES.named(name)
        self.label = None if name is None else name.removesuffix("/")
        self.sought = 0
        self.trainable = trainable
        self.version = 0
        self.reference = weakref.ref(self)
        self.tensor = Version(value, self)

    def renewed(self) -> Version:
        """Give the same value as another tensor, for the reads from now on."""
        self.version += 1
        self.tensor = Version(self.tensor.raw, self)
        return self.tensor

    def seen(self) -> Version:
        """Give the value to who looks at it and computes nothing: tapes watch the variable."""
        for recording in THREAD.state.recordings:
            if recording.watches(self):
                recording.notice(self)
        return self.tensor

    def put(self, value: Any) -> None:
        """Take another value."""
        changing()
        for note in THREAD.state.writers:
            note(self)
        self.version = ((self.version >> RENEWALS) + 1) << RENEWALS
        self.tensor = Version(value, self)


class Assignments:
    """A context that notes which variables are assigned in it, and can undo that."""

    __slots__ = ("_before", "_note")

    def __enter__(self) -> Self:
        before: dict[Handle, tuple[Version, int]] = {}

        def note(handle: Handle) -> None:
            before.setdefault(handle, (handle.tensor, handle.version))

        self._before, self._note = before, note
        THREAD.state.writers.append(note)
        return self

    def __exit__(self, *_: object) -> None:
        THREAD.state.writers.remove(self._note)

    def undo(self) -> None:
        """Give variables back the values that they had."""
        for handle, (tensor, version) in self._before.items():
            handle.tensor, handle.version = tensor, version


@contextmanager
def told_to(note: Callable[[Handle], Any]) -> Iterator[None]:
    """Tell of each variable that is assigned in the block."""
    THREAD.state.writers.append(note)
    try:
        yield
    finally:
        THREAD.state.writers.remove(note)


@contextmanager
def unassigned() -> Iterator[None]:
    """Give variables back the values that they have, whatever is assigned in the block."""
    with Assignments() as assignments:
        try:
            yield
        finally:
            assignments.undo()


class Version(Tensor):
    """The value of a variable between two assignments."""

    __slots__ = ("handle", "version")

    def __init__(self, value: Any, handle: Handle) -> None:
        self.raw = value
        self.origin = None
        self.label = handle.label
        self.handle = handle.reference
        self.version = handle.version

    def find_label(self, opener: int | None) -> None:
        """Be called what the variable is called."""
        handle = self.handle()
        if handle is not None:
            place = names.place()
            if handle.sought != place:
                handle.label = names.find(handle.variable(), opener, thorough=True)
                handle.sought = place
            self.label = handle.label

    def __reduce__(self) -> Any:
        """Travel with the variable, if it has not been assigned since."""
        handle = self.handle()
        variable = None if handle is None or handle.tensor is not self else handle.variable()
        if variable is None:
            return super().__reduce__()
        return _restored, (variable, self.label)

    def weakly(self) -> tuple[Any, int | None]:
        """Refer to the variable, whose reference exists already, and remember the version."""
        return (self.handle, self.version)


def _restored(variable: Any, label: str | None) -> Version:
    handle = variable.handle
    found: Version = handle.tensor
    handle.label = found.label = label or handle.label
    return found
