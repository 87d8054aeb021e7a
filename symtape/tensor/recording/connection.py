"""Why nothing connects a target to a source, in words."""

from __future__ import annotations

from typing import Any

from symtape.calculus.derive import connected, is_differentiable
from symtape.program.operations import Input
from symtape.tensor.recording.provenance import Held
from symtape.tensor.recording.recorder import Recording


def why_none(recording: Recording, target: Any, source: Any) -> str:
    """Say why the gradient of a target with respect to a source is None, or that it is not."""
    name = _called(source, "the source")
    positions = _positions(recording, source)
    if not is_differentiable(_value(source).dtype):
        dtype = _value(source).dtype
        return f"{name} is of dtype {dtype}: only floats and complex numbers have gradients"
    if not positions:
        return _unwatched(recording, source, name)
    at_name = _called(target, "the target")
    place = _position(recording, _tensor(target))
    if place is None:
        return (
            f"{at_name} was not recorded by this tape: it was computed outside of the "
            "block, before the source was watched, or from tensors that are not watched"
        )
    program, places = recording.program()
    at, sources = places[place], [places[p] for p in positions]
    if connected(program, [at], sources)[at]:
        return f"{at_name} is connected to {name}: the gradient is not None"
    authors = _authors(recording, at, sources)
    if authors:
        return (
            f"{at_name} is connected to {name} through {authors}, with a gradient of its own: it "
            "is None where its author's function gives None for what comes from there"
        )
    cuts = _cuts(recording, at, sources)
    if cuts:
        return f"the connection from {name} ends at {', '.join(cuts)}, which has no gradient"
    return f"no recorded step leads from {name} to {at_name}"


def _tensor(x: Any) -> Any:
    return x.handle.tensor if hasattr(x, "handle") and hasattr(x, "read_value") else x


def _value(x: Any) -> Any:
    return _tensor(x).raw


def _called(x: Any, otherwise: str) -> str:
    tensor = _tensor(x)
    if tensor.label is None and tensor.origin is None:
        tensor.find_label(None)
    return tensor.label or otherwise


def _positions(recording: Recording, source: Any) -> list[int]:
    if recording.kept is not None:
        return _kept_positions(recording, source)
    if hasattr(source, "read_value"):
        return list(recording.variables.get(id(source.handle), (None, []))[1])
    place = recording.known.get(id(source))
    return [] if place is None else [place]


def _position(recording: Recording, tensor: Any) -> int | None:
    """Give the position of a tensor, also of one that carries no derivative."""
    place = recording.known.get(id(tensor))
    if place is None:
        place = recording.others.get(id(tensor))
    if place is None and tensor.origin is not None and tensor.origin[0] is recording:
        place = tensor.origin[1] if isinstance(tensor.origin[1], int) else None
    if place is None:
        place = next(iter(_kept_positions(recording, tensor)), None)
    return place


def _kept_positions(recording: Recording, source: Any) -> list[int]:
    """Find a source in a recording that let go of its tensors."""
    tensor = _tensor(source)
    if recording.kept is None:
        return []
    if tensor.origin is not None and tensor.origin[0] is recording:
        own = tensor.origin[1]  # a position, or a node of what stands beside the recording
        is_carried = isinstance(own, int) and recording.program()[1][own] in _carried(recording)
        return [own] if is_carried else []
    identity, places = Held(tensor).identity, recording.program()[1]
    found = [
        x.position
        for x in recording.leaves()
        if x.watched and (x.tensor.identity == identity or _is_version(x.tensor, source))
    ]
    return [places.index(p) for p in found]


def _carried(recording: Recording) -> set[int]:
    """Find the places that were recorded as computed from what is watched."""
    carried: set[int] = set()
    for p, (operation, *operands) in enumerate(recording.program()[0].steps):
        watched = type(operation) is Input and operation.watched
        if watched or (not operation.discrete and not carried.isdisjoint(operands)):
            carried.add(p)
    return carried


def _is_version(held: Held, source: Any) -> bool:
    return hasattr(source, "read_value") and held.of is source.handle.reference


def _unwatched(recording: Recording, source: Any, name: str) -> str:
    if not hasattr(source, "read_value"):
        return (
            f"{name} is a tensor that this tape does not watch, and comes from none that it "
            "watches: call tape.watch() with it before it is used, or make it a tf.Variable"
        )
    if not source.trainable:
        return (
            f"{name} is not trainable, so tapes do not watch it by themselves: "
            f"call tape.watch({name})"
        )
    if not recording.watches_variables:
        return (
            "this tape was made with watch_accessed_variables=False: call "
            f"tape.watch({name}) before it is used"
        )
    return (
        f"{name} was not read while this tape recorded: compute with it inside of the block, and "
        "without .numpy(), float() or np.asarray(), whose results are no tensors"
    )


def _authors(recording: Recording, target: int, sources: list[int]) -> str:
    """Name the functions with gradients of their own on the way from sources to a target."""
    program, places = recording.program()
    starts = set(sources)
    found: dict[str, list[int]] = {}
    for custom in recording.customs:
        inputs = [places[p] for p in custom.inputs if p is not None]
        if any(connected(program, [p], starts)[p] for p in inputs):
            outputs = [places[p] for p in custom.outputs if p is not None]
            starts.update(outputs)
            found[custom.rule.name] = outputs
    return ", ".join(found) if connected(program, [target], starts)[target] else ""


def _cuts(recording: Recording, target: int, sources: list[int]) -> list[str]:
    """Find the steps between source and target that pass no gradient on."""
    program, _ = recording.program()
    above = set(program.ancestors([target]))
    smooth = set(sources)
    found = []
    for p, (operation, *operands) in enumerate(program.steps):
        reached = [k for k, i in enumerate(operands) if i in smooth]
        if not reached:
            continue
        if any(operation.connects(k) for k in reached) and is_differentiable(program.dtypes[p]):
            smooth.add(p)
        elif p in above:
            found.append(f"{operation!r} (step v{p})")
    return found
