"""Loop nests: blocks of scalar assignments, stores and loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symtape.codegen.expressions import At
from symtape.codegen.loops.places import Place
from symtape.kernels.nodes import Node, variables
from symtape.program.operations import DType


@dataclass(eq=False, slots=True)
class Let:
    """A scalar that is computed once; one that is `changed` later is an accumulator."""

    name: str
    dtype: DType
    node: Node
    changed: bool = False


@dataclass(eq=False, slots=True)
class Set:
    """A new value for an accumulator."""

    name: str
    node: Node


@dataclass(eq=False, slots=True)
class Store:
    """Writes one element of a buffer; one that is not `settled` is changed later, or was before."""

    buffer: str
    place: Place
    node: Node
    settled: bool = True


@dataclass(eq=False, slots=True)
class Outside:
    """A step that is computed as a whole, between loops."""

    position: int


@dataclass(eq=False, slots=True)
class Loop:
    """Counts a variable from `first` on, `count` times."""

    var: str
    first: int
    count: int
    body: list[Line]


Line = Let | Set | Store | Outside | Loop


def walk(lines: list[Line]) -> Iterator[Line]:
    """List all lines, those inside of a loop after it."""
    for line in lines:
        yield line
        if isinstance(line, Loop):
            yield from walk(line.body)


def names_in(line: Line) -> list[str]:
    """List the names that a line reads, itself left out."""
    if isinstance(line, (Let, Set)):
        return [n for n in variables(line.node) if n != line.name]
    if isinstance(line, Store):
        own = [*variables(line.node), *variables(At(line.place))]
        return [n for n in own if n != line.buffer]
    return []


def words(lines: list[Line]) -> set[str]:
    """List the names that lines read, and the buffers that they write."""
    found: set[str] = set()
    for line in walk(lines):
        found.update(names_in(line))
        if isinstance(line, Store):
            found.add(line.buffer)
    return found


def without_dead(lines: list[Line], is_wanted: Callable[[str], bool]) -> list[Line]:
    """Leave out stores into buffers that nobody reads, names that nobody uses, and empty loops.

    Whatever reads a name or a buffer stands below of what makes it, but for accumulators.
    """
    anywhere: Counter[str] = Counter()
    for line in walk(lines):
        anywhere.update(names_in(line))
    return _living(lines, is_wanted, anywhere, set())


def _living(
    lines: list[Line], is_wanted: Callable[[str], bool], anywhere: Counter[str], used: set[str]
) -> list[Line]:
    kept: list[Line] = []
    for line in reversed(lines):
        if isinstance(line, Loop):
            line.body = _living(line.body, is_wanted, anywhere, used)
            lives = bool(line.body)
        elif isinstance(line, Store):
            lives = line.buffer in used or is_wanted(line.buffer)
        elif isinstance(line, Set):
            lives = bool(anywhere[line.name])
        else:
            lives = isinstance(line, Outside) or line.name in used
        if lives:
            used.update(names_in(line))
            kept.append(line)
    kept.reverse()
    return kept
