"""How tensors that no tape watches were computed, remembered for as long as they live.

A node is a step whose operands are nodes: `(operation, *operands)`. An operand can also be an
`Outside`, where a tensor entered, or the `origin` of a tensor that a recording or a derivative
made. Nodes hold no arrays of results, so a chain of them costs what its text costs.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

from symtape.errors import ReleasedError
from symtape.program.operations import Count, Operation

LARGE = 1000
"""Arrays of more elements are not kept for the sake of a formula."""


RENEWALS = 20
"""How many bits of a variable's version count its reads anew; those above count assignments.

A loop that keeps every loss keeps a version for each variable and step: one number is small.
"""


def are_of_one(version: int, other: int) -> bool:
    """Say whether two versions of a variable are of one assignment."""
    return version >> RENEWALS == other >> RENEWALS


class Scalar:
    """What is kept of a scalar tensor: its value, and by being one for each tensor, whose it is.

    The value alone does not tell: there is one `np.True_`, and `tf.identity` gives the same object.
    """

    __slots__ = ("raw",)
    ndim = 0

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    @classmethod
    def of(cls, tensor: Any) -> Scalar:
        """Give what is kept of a tensor, always the same."""
        try:
            found: Scalar = tensor.scalar
        except AttributeError:
            found = tensor.scalar = cls(tensor.raw)
        return found


class Held:
    """A way to get at a leaf: the tensor or its value, or a weak reference to either holder."""

    __slots__ = ("_version", "of")

    def __init__(self, of: Any, version: int | None = None) -> None:
        self.of = of
        self._version = version

    def alive(self) -> Any:
        """Give the tensor, or the scalar that is all that was kept, or None."""
        of = self.of
        found = of() if isinstance(of, weakref.ref) else of
        if found is not None and self._version is not None:
            found = found.tensor if are_of_one(found.version, self._version) else None
        return found

    def __call__(self, name: str = "a leaf") -> Any:
        """Give the same, or say that it is gone."""
        found = self.alive()
        if found is None:
            raise ReleasedError(
                f"the recorded value of {name} was freed with its tape, or within the block where "
                "it is large; keep the tensor itself, or use GradientTape(persistent=True), or "
                "read the value before the tape is consumed"
            )
        return found.raw if type(found) is Scalar else found

    @property
    def identity(self) -> Any:
        """What tells tensors apart, the same after they are gone as before."""
        found = self.alive()
        if found is None:  # nothing to hold tells nobody apart
            return (id(self), None) if self.of is None else (id(self.of), self._version)
        if not found.ndim:
            return id(found if type(found) is Scalar else Scalar.of(found))
        of, version = found.weakly()
        return id(found) if version is None else (id(of), version)

    def is_of(self, tensor: Any) -> bool:
        """Say whether it holds a tensor, or held this version of a variable."""
        if self.alive() is None:
            of, version = tensor.weakly()
            return self.of is of and self._version == version
        return bool(self.identity == Held(tensor).identity)


def slightly(tensor: Any) -> tuple[Any, int | None]:
    """Give what to hold of a tensor, at little cost: of a scalar, its value.

    One that code has no name for, as one that a function made of a list, is held by nobody else.
    """
    if not tensor.raw.ndim:
        return Scalar.of(tensor), None
    is_alone = tensor.origin is None and (tensor.label is None or tensor.is_own)
    return (tensor, None) if is_alone and tensor.raw.size <= LARGE else tensor.weakly()


class Leaf(NamedTuple):
    """A tensor that entered: its place in the program, its label, and how to get at it.

    `origin` is how it was computed in the block, where nobody watched that.
    """

    position: int
    label: str | None
    tensor: Held
    watched: bool
    origin: Any = None

    def read(self) -> Any:
        """Get at the tensor; raises `ReleasedError` with its name where it is gone."""
        return self.tensor(self.label or "a leaf")


class Outside:
    """A tensor that came from outside into what nobody watches: its name, its step, its value.

    `at` says when it came, in recorded steps.
    """

    __slots__ = ("_kept", "_tensor", "at", "label", "step")

    def __init__(self, tensor: Any, at: int) -> None:
        self.at = at
        self.label: str | None = tensor.label
        self.step: tuple[Any, ...] = tensor.leaf_step()
        self._tensor = weakref.ref(tensor)
        self._kept = slightly(tensor)

    def is_of(self, tensor: Any) -> bool:
        """Say whether it is the entry of a tensor."""
        return self._tensor() is tensor

    @property
    def held(self) -> Held:
        """How to get at the tensor, or at what is left of it: of a scalar, its value."""
        return Held(*self._kept) if self._tensor() is None else Held(self._tensor)


def is_from_outside(node: Any) -> bool:
    """Say whether a node was computed from values that came from outside, and not from shapes."""
    stack, met = [node], set[int]()
    while stack:
        item = stack.pop()
        if type(item) is Outside:
            return True
        if type(item) is not tuple or id(item) in met:
            continue
        met.add(id(item))
        operation, *operands = item
        if not isinstance(operation, Operation):
            return True  # an origin: what a recording or a derivative made
        if type(operation) is not Count:
            stack += operands
    return False


class Decision(NamedTuple):
    """What Python control flow took: how the tensor was computed, and the value that it had."""

    operand: Any
    value: bool | int


class By(NamedTuple):
    """A tensor by which was derived: how to get at it, its label, and its number of axes."""

    held: Held
    label: str | None
    rank: int


class Asked(NamedTuple):
    """A derivative that was taken: of which tensors, and for each result by which one.

    It is named when somebody asks, if there still are variables that hold the tensors.
    """

    kind: str
    targets: Sequence[weakref.ref[Any]]
    sources: Sequence[By]
    has_no_notation: str


class Noted(NamedTuple):
    """What a tape notes of a derivative that an inner one gave: little, and read when asked for.

    `kept` has a label, a reference or value, and a version of each tensor by which was derived.
    """

    kind: str
    targets: Sequence[weakref.ref[Any]]
    kept: Sequence[tuple[str | None, Any, int | None]]
    ranks: Sequence[int]
    has_no_notation: str

    def asked(self) -> Asked:
        """Say which derivative it was."""
        by = [
            By(Held(of, version), label, rank)
            for (label, of, version), rank in zip(self.kept, self.ranks, strict=True)
        ]
        return Asked(self.kind, self.targets, by, self.has_no_notation)


class Beside:
    """What is computed in a block beside what its outermost recording records.

    `decisions` are those of the block, in order; `entries` the tensors that came from outside into
    what nobody watches. The small ones, or all if the recording `keeps` them, are `held` while the
    block lasts, and found by identity in `outside`, as literals are.
    """

    __slots__ = ("decisions", "entries", "held", "outside")

    def __init__(self, decisions: list[Decision]) -> None:
        self.outside: dict[int, Any] = {}
        self.entries: list[Outside] = []
        self.held: list[Any] = []
        self.decisions = decisions

    def keep(self, tensor: Any, node: Any) -> None:
        """Remember what stands for a tensor, and hold that."""
        self.outside[id(tensor)] = node
        self.held.append(tensor)

    def entry(self, tensor: Any, recording: Any) -> Outside:
        """Give the entry of a tensor that came from outside."""
        if tensor.label is None:
            tensor.find_label(recording.opener)
        made = Outside(tensor, len(recording.steps))
        self.entries.append(made)
        if recording.keeps or tensor.raw.size <= LARGE:
            self.keep(tensor, made)
        if recording.settled:
            recording.entered_late(tensor)
        return made

    def release(self) -> None:
        """Let go of the tensors that entered."""
        self.outside, self.held = {}, []


def in_order(leaves: Sequence[Any], entries: Sequence[Outside]) -> dict[Any, str | None]:
    """Map what came from outside to its label, in the order in which it came.

    `leaves` are those of the outermost recording, with its positions.
    """
    found: dict[Any, tuple[Any, str | None]] = {}
    for k, entry in enumerate(entries):
        found.setdefault(entry.held.identity, ((entry.at, 0, k), entry.label))
    for at, leaf in leaves:
        key, when = leaf.tensor.identity, (at, 1, 0)
        if type(leaf.origin) is not tuple and (key not in found or when < found[key][0]):
            found[key] = when, leaf.label
    ordered = sorted(found.items(), key=lambda x: x[1][0])
    return {key: label for key, (_, label) in ordered}
