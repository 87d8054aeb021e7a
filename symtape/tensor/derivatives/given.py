"""Derivatives of what a person gives a tape: structures of tensors and variables, and weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape import nest
from symtape.program.operations import add
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.derivatives import staged
from symtape.tensor.derivatives.fixed import filled
from symtape.tensor.dispatch import apply2, invalid, mismatch
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

TENSORS = (Tensor, Variable)
_PLAIN = {Tensor, Variable}
"""What needs no looking at, nor a list of it, as nearly all sources are."""


def gradients(
    recording: Recording,
    targets: Sequence[Any],
    sources: Sequence[Any],
    seeds: Sequence[Tensor | None] | None,
) -> Sequence[Tensor | None]:
    """Give the gradient of the sum of some targets by each source; targets may have weights.

    A source that is there twice has one gradient, as in TensorFlow, where it may be watched.
    """
    places = [id(s) for s in sources]
    if len(set(places)) == len(places):
        return _by_each(recording, targets, sources, seeds)
    own = dict(zip(places, sources, strict=True))
    found = dict(zip(own, _by_each(recording, targets, [*own.values()], seeds), strict=True))
    return [found[place] for place in places]


def _by_each(
    recording: Recording,
    targets: Sequence[Any],
    sources: Sequence[Any],
    seeds: Sequence[Tensor | None] | None,
) -> Sequence[Tensor | None]:
    known = recording.known
    groups = tuple(
        [(known[id(s)],) if id(s) in known else positions(recording, s) for s in sources]
    )
    if seeds is None and len(targets) == 1 and id(targets[0]) in known:
        found = staged.gradient(recording, (known[id(targets[0])],), groups)
        if not found or found[0] is not None or _is_differentiable(targets[0].dtype):
            return found
    seeds = seeds or [None] * len(targets)
    places: list[int] = []
    weights: list[Tensor] = []
    given = seeds.count(None) < len(seeds)
    unrecorded: list[tuple[Any, Tensor]] = []
    for target, seed in zip(targets, seeds, strict=True):
        tensor = target.handle.tensor if isinstance(target, Variable) else target
        place = known.get(id(tensor))
        if place is None or not _is_differentiable(target.dtype):
            unrecorded.append((target, _ones_like(tensor) if seed is None else seed))
            continue
        places.append(place)
        if given:
            weights.append(_ones_like(tensor) if seed is None else seed)
    results = staged.gradient(recording, tuple(places), groups, weights)
    if not unrecorded:
        return results
    return [_with_itself(r, s, unrecorded) for r, s in zip(results, sources, strict=True)]


def jacobians(
    recording: Recording, target: Any, sources: Sequence[Any], *, batch: bool
) -> Sequence[Tensor | None]:
    """Give the derivative of all elements of a target by each source, or of each row."""
    tensor = target.handle.tensor if isinstance(target, Variable) else target
    place = recording.known.get(id(tensor))
    if place is None and isinstance(target, Variable) and recording.watches(target.handle):
        recording.watch_variable(target.handle)  # its rows are read of it, by the tape
        place = recording.known.get(id(target.handle.tensor))
    if place is None:
        return [None] * len(sources)
    groups = [positions(recording, s) for s in sources]
    return staged.jacobian(recording, place, groups, batch=batch)


def check_loop(
    name: str, iterations: Any, size: int, *, vectorized: bool, persistent: bool
) -> None:
    """Refuse what TensorFlow refuses of the loop that it would run: here there is none."""
    if not vectorized and not persistent:
        spaced = "and with  " if name == "jacobian" else "and  with "  # as TensorFlow has it
        raise RuntimeError(
            f"GradientTape must be created with persistent=True to compute the {name} with "
            f"eager execution enabled {spaced}experimental_use_pfor set to False."
        )
    if iterations is None:
        return
    pieces = vectorized and not persistent and 1 < iterations <= size
    if pieces and name == "batch_jacobian":
        raise RuntimeError(
            "in user code:\n\n\n    RuntimeError: GradientTape must be created with "
            f"persistent=True to compute the {name} with parallel_iterations."
        )
    if pieces or (vectorized and iterations <= 1):
        raise ValueError(
            f"Encountered an exception while vectorizing the {name} computation. "
            "Vectorization can be disabled by setting experimental_use_pfor to False."
        )
    if iterations < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")


def flat(structure: Any) -> list[Any]:
    """List the tensors and variables of a structure; of what is made of tensors, its values."""
    if isinstance(structure, TENSORS):
        return [structure]
    if _is_plain(structure):
        return list(structure)
    return [checked(_values(x)) for x in nest.flatten(structure)]


def _is_plain(structure: Any) -> bool:
    """Say whether something is a list of tensors and variables, and of nothing else."""
    return type(structure) is list and _PLAIN.issuperset(map(type, structure))


def watched(structure: Any) -> list[Any]:
    """List what is watched of a structure: of ragged and sparse tensors, the values alone."""
    leaves = [getattr(x, "watched", x) for x in nest.flatten(structure)]
    return nest.flatten(leaves, expand_composites=True)


def _values(x: Any) -> Any:
    return x.differentiated() if hasattr(x, "differentiated") else x


def like(sources: Any, results: Sequence[Any]) -> Any:
    """Put results in the place of sources: what is made of tensors has results for its values."""
    if _is_plain(sources):
        return list(results)
    found = [
        x.with_flat_values(r) if hasattr(x, "differentiated") and r is not None else r
        for x, r in zip(nest.flatten(sources), results, strict=True)
    ]
    return nest.pack_sequence_as(sources, found)


def checked(x: Any) -> Any:
    """Refuse what is no tensor, with TensorFlow's type and text."""
    x = behind(x)
    if isinstance(x, (Tensor, Variable)):
        return x
    if isinstance(x, np.ndarray):
        raise AttributeError("'numpy.ndarray' object has no attribute '_id'")
    if hasattr(x, "_type_spec"):
        kind = type(x).__name__
        raise ValueError(f"Type {kind} is not supported as a gradient source or gradient target.")
    if x is None or isinstance(x, str) or type(x) is object:
        raise TypeError(f"Cannot convert the argument `type_value`: {x!r} to a TensorFlow DType.")
    raise AttributeError(f"{type(x).__name__!r} object has no attribute 'dtype'")


def behind(x: Any) -> Any:
    """Give the variable that an object keeps, as Keras' variables do; anything else is itself."""
    if isinstance(x, (Tensor, Variable)) or not hasattr(x, "read_value"):
        return x
    return x.handle.variable()


def seeds(given: Any, targets: Sequence[Any]) -> Sequence[Tensor | None]:
    """Pair weights with targets; as in TensorFlow, missing ones are one and further ones unused."""
    flat = nest.flatten(given)
    seeds: list[Tensor | None] = [_seed(g, t) for g, t in zip(flat, targets, strict=False)]
    return seeds + [None] * (len(targets) - len(seeds))


def _seed(given: Any, target: Any) -> Tensor:
    seed = (
        convert(given, hint=target.dtype) if not isinstance(given, np.ndarray) else convert(given)
    )
    if seed.dtype != target.dtype:
        raise mismatch("Mul", seed, target.read())
    shape, wide = seed.raw.shape, target.read().raw.shape
    try:
        fits = np.broadcast_shapes(shape, wide) == wide
    except ValueError:
        fits = False
    if not fits:
        texts = " vs. ".join(str(list(s)).replace(" ", "") for s in (shape, wide))
        raise invalid("Mul", f"Incompatible shapes: {texts}")
    return seed


def positions(recording: Recording, source: Any) -> tuple[int, ...]:
    """Find where a source was recorded; a variable has a place for each of its versions."""
    if isinstance(source, Variable):
        _, positions = recording.variables.get(id(source.handle), (None, ()))
        return tuple(positions)
    place = recording.known.get(id(source))
    return () if place is None else (place,)


def _with_itself(
    result: Tensor | None, source: Any, unrecorded: Sequence[tuple[Any, Tensor]]
) -> Tensor | None:
    """Add what a target that has no derivative, or was never recorded, gives to itself: its weight.

    As in TensorFlow, so does one of integers or truth values, and no text.
    """
    for target, seed in unrecorded:
        if _is_same(target, source) and source.dtype is not dtypes.string:
            result = seed if result is None else apply2(add, result, seed)
    return result


def _is_same(a: Any, b: Any) -> bool:
    """Say whether two are one tensor, or one variable, which assignments give anew."""
    return a is b or (isinstance(a, Variable) and isinstance(b, Variable) and a.handle is b.handle)


def _is_differentiable(dtype: dtypes.DType) -> bool:
    return dtype.is_floating or dtype.is_complex


def _ones_like(tensor: Tensor) -> Tensor:
    return filled(1, tensor.raw.shape, tensor.raw.dtype)


def zeros_like(source: Any) -> Tensor:
    """Give zeros of the shape and dtype of a source."""
    return zeros(tuple(source.shape), source.dtype)


def zeros(shape: Any, dtype: dtypes.DType) -> Tensor:
    """Give zeros of a shape; of texts, empty ones."""
    if dtype is dtypes.string:
        return Tensor(np.full(tuple(shape), b"", object))
    return filled(0, tuple(shape), dtype.numpy)
