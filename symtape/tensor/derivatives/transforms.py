"""What can be derived of a recording: a program becomes a longer one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.calculus import derive
from symtape.calculus.derive import Derived
from symtape.calculus.directional import directional as along
from symtape.calculus.terms.jacobian import jacobian as derive_jacobian
from symtape.program.program import Program

Places = Sequence[int]
"""The place in the program of each recorded position."""


def _gradient(
    program: Program,
    places: Places,
    seeds: Sequence[int],
    targets: tuple[int, ...],
    sources: tuple[tuple[int, ...], ...],
) -> Derived:
    groups = [placed(places, group) for group in sources]
    return derive.gradient(program, placed(places, targets), groups, seeds)


def _jacobian(
    program: Program,
    places: Places,
    _: Sequence[int],
    target: int,
    sources: tuple[tuple[int, ...], ...],
    batch: bool,
) -> Derived:
    groups = [placed(places, group) for group in sources]
    return derive_jacobian(program, places[target], groups, batch=batch)


def _hessian(
    program: Program,
    places: Places,
    _: Sequence[int],
    targets: tuple[int, ...],
    source: tuple[int, ...],
) -> Derived:
    group = placed(places, source)
    first = derive.gradient(program, placed(places, targets), [group])
    slope = first.outputs[0]
    return first if slope is None else derive_jacobian(first.program, slope, [group])


def _directional(
    program: Program,
    places: Places,
    directions: Sequence[int],
    targets: tuple[int, ...],
    sources: tuple[int, ...],
) -> Derived:
    at, by = placed(places, targets), placed(places, sources)
    if not derive.leads(program, by, at):
        return Derived(program, (None,) * len(at))
    made, found = along(program, at, by, directions)
    return Derived(made, tuple(found))


def placed(places: Places, positions: Sequence[int]) -> list[int]:
    """Give the places of recorded positions."""
    return [places[p] for p in positions]


def groups_of(kind: str, arguments: Sequence[Any]) -> Sequence[Sequence[int]]:
    """Give the versions of each source that a derivative other than along directions is by."""
    groups: Sequence[Sequence[int]] = (arguments[1],) if kind == "hessian" else arguments[1]
    return groups


def rows_of(program: Program, places: Places, kind: str, arguments: Sequence[Any]) -> int | None:
    """Count the axes of the target, where they come before those of the source."""
    if kind == "jacobian" and not arguments[-1]:
        return len(program.shapes[places[arguments[0]]])
    if kind == "hessian" and arguments[-1]:
        return len(program.shapes[places[arguments[-1][0]]])
    return None


DERIVATIONS: dict[str, Callable[..., Derived]] = {
    "gradient": _gradient,
    "jacobian": _jacobian,
    "hessian": _hessian,
    "directional": _directional,
}
