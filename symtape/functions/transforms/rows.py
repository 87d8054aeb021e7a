"""`vectorize`: a function of one row, traced on a row, as a program of all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from symtape.calculus.batching import batched
from symtape.errors import PathConditionError
from symtape.functions.tracing.arguments import Arguments, array_of
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.paths import Path
from symtape.functions.tracing.tracing import Traced, trace
from symtape.nest.trees import take_apart
from symtape.program.program import Builder
from symtape.tensor.convert import stack
from symtape.tensor.tensor import Tensor


class RowsDifferError(PathConditionError):
    """The rows take different branches, or each has to be recorded by itself."""


@contextmanager
def all_at_once(title: str, what: str) -> Iterator[None]:
    """Ask for what rows have together; where they have nothing, the error says what to ask for."""
    try:
        yield
    except RowsDifferError as error:
        raise PathConditionError(f"{title}: {error}; ask for the {what} of a row") from None


def count_rows(title: str, arguments: Arguments, over: Sequence[int]) -> int:
    """Count the rows of the arguments at some places.

    Raises `ValueError` if there are none, or if they differ.
    """
    counts: dict[int, str] = {}
    for n in over:
        start, stop = arguments.spans[n]
        where = arguments.where(n % len(arguments.args))
        for value in arguments.values[start:stop]:
            if not value.ndim:
                raise ValueError(f"{title}: vectorize needs rows, but {where} is a number")
            counts.setdefault(value.shape[0], where)
    if len(counts) != 1:
        found = ", ".join(f"{count} in {where}" for count, where in counts.items())
        raise ValueError(
            f"{title}: vectorize needs arguments of one number of rows"
            + (f", not {found}" if counts else "")
        )
    return next(iter(counts))


def row(arguments: Arguments, over: Sequence[int], k: int) -> Arguments:
    """Give the arguments of one row; of no rows, those of a row of ones."""
    chosen = {n % len(arguments.args) for n in over}
    args = [_row(arg, k) if n in chosen else arg for n, arg in enumerate(arguments.args)]
    return Arguments(arguments.names, tuple(args), arguments.kwargs)


def _row(arg: Any, k: int) -> Any:
    leaves, tree = take_apart(arg)
    return tree.build([_element(leaf, k) for leaf in leaves])


def _element(leaf: Any, k: int) -> Any:
    value = array_of(leaf)
    if value is None:
        return leaf
    if not len(value):
        return np.ones(value.shape[1:], value.dtype)[()]
    return value[k] if isinstance(leaf, (np.ndarray, np.generic)) else leaf[k]


def rows_of(arguments: Arguments, over: Sequence[int], title: str) -> tuple[list[Arguments], int]:
    """Give the arguments of each row, and how many there are: a row stands in for none."""
    count = count_rows(title, arguments, over)
    return [row(arguments, over, k) for k in range(max(count, 1))], count


def all_rows(
    names: Sequence[str], args: tuple[Any, ...], title: str
) -> tuple[list[Arguments], int]:
    """Give the same where each argument has rows."""
    return rows_of(Arguments(names, args, {}), range(len(args)), title)


def sources_of(traced: Traced) -> list[int]:
    """Give the positions of the arguments to differentiate by."""
    if traced.sources is None:
        return list(traced.arguments)
    return [traced.sources[p] for p in traced.one_row.arguments]


def stacked(results: Sequence[Any], count: int) -> Any:
    """Stack the leaves of equal structures; those of no rows are told by the row that stands in."""
    columns = zip(*[take_apart(result)[0] for result in results], strict=True)
    tree = take_apart(results[0])[1]
    whole = [stack(c) if isinstance(c[0], Tensor) else np.stack(c) for c in map(list, columns)]
    return tree.build([leaf[:count] for leaf in whole])


def of_all_rows(
    traced: Traced, arguments: Arguments, over: Sequence[int], sources: Sequence[int], count: int
) -> Traced:
    """Make the program of one row one of all; `sources` are what each row is differentiated by."""
    wide: list[int] = []
    for n in over:
        start, stop = arguments.spans[n]
        wide += traced.arguments[start:stop]
    made = batched(traced.program, wide, sources, count)
    b = Builder(made.program)
    results = []
    for p in traced.results:
        place = None if p is None else made.places[p]
        if place is not None and p is not None:
            place = b.broadcast(place, (count, *traced.program.shapes[p]))
        results.append(place)
    steps = made.program.inputs()
    inputs = dict(zip(traced.program.inputs(), steps, strict=True))
    return traced._replace(
        program=b.finish(),
        arguments=tuple([inputs[p] for p in traced.arguments]),
        others=tuple([o._replace(position=inputs[o.position]) for o in traced.others]),
        results=tuple(results),
        requirements=tuple([(made.places[p], r) for p, r in traced.requirements]),
        sources={p: made.sources[p] for p in sources},
        one_row=traced,
    )


class OfRows(Function):
    """A function that may be one of rows, which all arguments have in front."""

    vectorize = False

    @property
    def transform(self) -> tuple[Any, ...]:
        """Ask for rows, or for the whole."""
        return type(self), self.vectorize

    def traced(self, function: Callable[..., Any], arguments: Arguments, again: bool) -> Traced:
        """Trace the function, or trace it on one row and make a program of all rows of it."""
        if not self.vectorize:
            return super().traced(function, arguments, again)
        over = range(len(arguments.args))
        count = count_rows(self.title, arguments, over)
        first = row(arguments, over, 0)
        one = trace(function, first, self.sources(first))
        if one.captured is None:
            raise RowsDifferError("each row is recorded by itself")
        return of_all_rows(one, arguments, over, one.arguments, count)

    def undecided(self, path: Path, inputs: Sequence[Any]) -> Sequence[Any]:
        """Leave rows that take different branches to the loop."""
        if self.vectorize:
            raise RowsDifferError("the rows take different branches")
        return super().undecided(path, inputs)
