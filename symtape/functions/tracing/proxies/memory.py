"""Which arrays of a recording share memory, and what a write into one of them changes.

NumPy's arrays are written into, tensors are not. So a write computes a new tensor by recorded
steps, and the object that was written into stands for it from then on; what was computed before
keeps the old one. A view is known by the calls that made it. Made again of an array of places, they
say which elements it shares, since NumPy itself then decides what is a view and what a copy.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.functions.tracing.escape import line_of_user
from symtape.program.kinds.structural import Concat, Gather, Reshape, Slice
from symtape.program.operations import Cast, Einsum, dtype_name
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Literal, Tensor


class View(NamedTuple):
    """How an array is made of the one whose memory it shares; surely, or if that is laid out so."""

    root: Any
    parent: Any
    make: Callable[[Any], Any]
    is_sure: bool

    def of(self, root: Any) -> Any:
        """Make the same view of another array."""
        makers = []
        view: View | None = self
        while view is not None:
            makers.append(view.make)
            view = view.parent
        for make in reversed(makers):
            root = make(root)
        return root


class Memory:
    """The arrays of one recording that may share memory."""

    def __init__(self, recording: Recording, covered: dict[int, Any]) -> None:
        self._recording, self._covered = recording, covered
        self._views: dict[int, View] = {}
        self._of: dict[int, list[weakref.ref[Any]]] = {}
        self._made: dict[int, Any] = {}
        self._in_rows: dict[int, Any] = {}

    def own(self, tensor: Any) -> None:
        """Know that a tensor was made inside the function, though no step made it."""
        self._made[id(tensor)] = tensor

    def in_rows(self, tensor: Any) -> None:
        """Know that NumPy lays an array out row by row."""
        self._in_rows[id(tensor)] = tensor

    def view(self, base: Any, made: Any, make: Callable[[Any], Any]) -> None:
        """Know that an array is a view of another one."""
        self._view(base, made, make, is_sure=True)

    def maybe_view(self, base: Any, made: Any, make: Callable[[Any], Any]) -> None:
        """Know that an array is a view of another one, if NumPy makes it one."""
        parent = self._views.get(id(base))
        root = base if parent is None else parent.root
        in_rows = _places(root)
        is_known = id(root) in self._in_rows or root.ndim < 2
        shares = set()
        for places in [in_rows] if is_known else [in_rows, np.asfortranarray(in_rows)]:
            own = make(places if parent is None else parent.of(places))
            shares.add(np.may_share_memory(own, places))
        if True in shares:
            self._view(base, made, make, is_sure=len(shares) == 1)

    def _view(self, base: Any, made: Any, make: Callable[[Any], Any], *, is_sure: bool) -> None:
        parent = self._views.get(id(base))
        root = base if parent is None else parent.root
        is_sure = is_sure and (parent is None or parent.is_sure)
        self._views[id(made)] = View(root, parent, make, is_sure)
        if self._is_own(root):
            self._of.setdefault(id(root), []).append(self._loosened(made))

    def alive(self) -> Iterator[Any]:
        """List the views that somebody still holds."""
        for views in self._of.values():
            for reference in views:
                made = reference()
                if made is not None:
                    yield made

    def write(self, target: Any, key: Any, value: Any) -> None:
        """Compute what an array is after `target[key] = value`, and what its views are."""
        view = self._views.get(id(target))
        root = target if view is None else view.root
        places = _places(root)
        own = places if view is None else view.of(places)
        if not self._is_own(root):
            raise _not_ours(root)
        if view is not None and not view.is_sure:
            raise _unsure(target)
        if not own.flags.writeable:
            raise ValueError("assignment destination is read-only")
        chosen = np.asarray(own[key])
        if not chosen.size:
            _fitted(value, chosen.shape, root.raw.dtype)  # raises where it does not fit
            return
        new = _written(root, chosen, value)
        self._recording.follow(new)
        self.own(root)
        is_written = np.zeros(places.size, bool)
        is_written[chosen] = True
        _replace(root, new)
        for made in self._sharing(root):
            changed = self._views[id(made)]
            if is_written[changed.of(places)].any():
                if not changed.is_sure:
                    raise _unsure(made)
                _replace(made, changed.of(root))

    def _sharing(self, root: Any) -> list[Any]:
        pairs = [(reference, reference()) for reference in self._of.get(id(root), ())]
        self._of[id(root)] = [reference for reference, made in pairs if made is not None]
        return [made for _, made in pairs if made is not None]

    def _is_own(self, root: Any) -> bool:
        recording = self._recording
        position = recording.known.get(id(root))
        if position is None and id(root) in recording.shadows:
            position = recording.others[id(root)]
        made = position is not None and len(recording.steps[position]) > 1
        return made or id(root) in self._made

    def _loosened(self, made: Any) -> weakref.ref[Any]:
        """Let recordings hold the value in place of the object, so that it goes with its user."""
        recordings = tuple(THREAD.state.recordings)
        held = _copied(made)
        for recording in recordings:
            position = _position(recording, made)
            if position is not None and recording.tensors[position] is made:
                recording.tensors[position] = held
                _known_as(recording, position, held, is_shadow=id(made) in recording.shadows)
        place = id(made)
        self._covered.pop(place, None)
        return weakref.ref(made, partial(self._forget, recordings, place))

    def _forget(self, recordings: Sequence[Recording], place: int, _: Any) -> None:
        self._views.pop(place, None)
        for recording in recordings:
            _taken_out(recording, place)


def _places(root: Any) -> Any:
    return np.arange(root.raw.size).reshape(root.raw.shape)


def _position(recording: Recording, tensor: Any) -> int | None:
    position = recording.known.get(id(tensor))
    return recording.others.get(id(tensor)) if position is None else position


def _known_as(recording: Recording, position: int, held: Tensor, *, is_shadow: bool) -> None:
    """Know a value that is held for another object: a tape inside asks by it for a derivative."""
    if is_shadow:
        recording.others[id(held)] = position
        recording.shadows = {*recording.shadows, id(held)}
    else:
        recording.known[id(held)] = position


def _taken_out(recording: Recording, place: int) -> int | None:
    """Let a recording forget an object; give the position that it had."""
    position = None
    if place in recording.known:  # a tape that was released knows nothing any more
        position = recording.known.pop(place)
    elif place in recording.others:
        position = recording.others.pop(place)
        if place in recording.shadows:
            recording.shadows = set(recording.shadows) - {place}
    return position


def _copied(tensor: Any) -> Tensor:
    held = Tensor(tensor.raw)
    held.origin, held.label = tensor.origin, tensor.label
    return held


def _replace(tensor: Any, new: Any) -> None:
    """Let an object stand for a new value; steps that used it keep the old one."""
    held = _copied(tensor)
    for recording in THREAD.state.recordings:
        is_shadow = id(tensor) in recording.shadows
        position = _taken_out(recording, id(tensor))
        if position is not None and recording.tensors[position] is tensor:
            recording.tensors[position] = held
            _known_as(recording, position, held, is_shadow=is_shadow)
        if id(new) in recording.known:
            recording.known[id(tensor)] = recording.known[id(new)]
        elif id(new) in recording.shadows:
            recording.others[id(tensor)] = recording.others[id(new)]
            recording.shadows = {*recording.shadows, id(tensor)}
    tensor.raw, tensor.origin = new.raw, new.origin


# --- what is computed -----------------------------------------------------------------------------


def _written(root: Any, chosen: Any, value: Any) -> Tensor:
    """Put values at places of the elements of an array, in order."""
    count, shape = root.raw.size, root.raw.shape
    new = _flat(_fitted(value, chosen.shape, root.raw.dtype))
    old = _flat(root)
    places = chosen.ravel()
    first, last = int(places[0]), int(places[0]) + places.size
    if np.array_equal(places, np.arange(first, last)):
        before = [] if first == 0 else [apply1(Slice(((0, 1, first),)), old)]
        after = [] if last == count else [apply1(Slice(((last, 1, count - last),)), old)]
        made = apply(Concat(-1), *before, new, *after) if before or after else new
        return _shaped(made, shape)
    order = np.arange(count)
    order[places] = count + np.arange(places.size)
    return _shaped(apply(Gather(0, 0, 0), apply(Concat(-1), old, new), Tensor(order)), shape)


def _fitted(value: Any, shape: tuple[int, ...], dtype: Any) -> Tensor:
    """Convert and broadcast what is assigned, as NumPy does."""
    if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
        x: Tensor = Literal.of(value, np.result_type(value, dtype))
        for recording in THREAD.state.recordings:
            recording.follow(x)
    else:
        x = convert(value)
    if x.raw.dtype.kind == "c" and dtype.kind != "c":
        raise UnsupportedError(
            f"{line_of_user()}complex values are written into an array of {dtype}, which would cut "
            "off their imaginary parts: make the array with dtype=complex"
        )
    if x.raw.dtype != dtype:
        x = apply1(Cast(dtype_name(dtype)), x)
    own = x.raw.shape
    while len(own) > len(shape) and own[0] == 1:
        own = own[1:]
    try:
        fits = np.broadcast_shapes(own, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"could not broadcast input array from shape {x.raw.shape} into shape {shape}"
        )
    return _broadcast(_shaped(x, own), shape)


def _broadcast(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Repeat along axes of size one and along new ones."""
    own = x.raw.shape
    if own == shape:
        return x
    lead = len(shape) - len(own)
    kept = [k for k, n in enumerate(own) if n == shape[lead + k]]
    dropped = _shaped(x, tuple([own[k] for k in kept]))
    axes = [lead + k for k in kept]
    sizes = {axis: n for axis, n in enumerate(shape) if axis not in axes}
    return apply1(Einsum.of([axes], range(len(shape)), sizes), dropped)


def _flat(x: Tensor) -> Tensor:
    return _shaped(x, (x.raw.size,))


def _shaped(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    own = x.raw.shape
    return x if own == shape else apply1(Reshape(own, shape), x)


def _unsure(view: Any) -> UnsupportedError:
    return UnsupportedError(
        f"{line_of_user()}whether an array of shape {view.raw.shape} that was reshaped shares the "
        "memory that is written into depends on how NumPy lays it out: reshape a copy, as in "
        "A.reshape(-1).copy(), or write before"
    )


def _not_ours(root: Any) -> UnsupportedError:
    name = f" {root.label}" if root.label else ""
    return UnsupportedError(
        f"{line_of_user()}a write into the array{name} of shape {root.raw.shape}, which the "
        "function did not make itself, would change the caller's data: write into a copy, "
        "A = x.copy()"
    )
