"""What an author wrote of a candidate: its function, and the helpers that it calls."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from symtape.verify.causes.changes.harmless import is_harmless
from symtape.verify.causes.code.sources import Source, source_of_function
from symtape.verify.frameworks.called_rules import calling, named
from symtape.verify.running.written import Written

_DEEPEST = 2
"""So many calls away is a helper at most."""


class Authored(NamedTuple):
    """A function that an author wrote, what makes the candidate of another one, and its source.

    `wrong` lists the results to look at of `number` ones; they are all of a helper's.
    """

    written: Written
    source: Source
    wrong: frozenset[int]
    number: int


def authored(written: Written, wrong: frozenset[int], count: int) -> Iterator[Authored]:
    """List the function of a candidate with these `wrong` results, and then its helpers.

    Only what does nothing but compute is listed, since changes of it are run.
    """
    source = source_of_function(written.function)
    if source is None or not is_harmless(source.tree, names_of(written.function)):
        return
    marks = every_result(source.tree) if written.is_joint else (wrong, count)
    yield Authored(written, source, *marks)
    for helper in _helpers(written, _DEEPEST):
        own = source_of_function(helper.function)
        if own is not None:
            yield Authored(helper, own, *every_result(own.tree))


def _helpers(written: Written, depth: int) -> Iterator[Written]:
    """List the plain functions that a function finds by names, those nearby first."""
    own = [Written(f, _replacing(written, name)) for name, f in _plain(written.function)]
    yield from own
    for helper in own if depth > 1 else ():
        yield from _helpers(helper, depth - 1)


def _replacing(written: Written, name: str) -> Any:
    return lambda new: written.rebuilt(calling(written.function, {name: new}))


def _plain(function: Any) -> Iterator[tuple[str, Any]]:
    """List the functions of the same file that are called by their names."""
    file = function.__code__.co_filename
    for name, thing in named(function).items():
        is_other = isinstance(thing, types.FunctionType) and thing is not function
        if is_other and thing.__code__.co_filename == file and not thing.__closure__:
            yield name, thing


def every_result(tree: Any) -> tuple[frozenset[int], int]:
    r"""Give the results of a function as if each statement had to do with all of them.

    >>> every_result(ast.parse("def f(x):\n    return x, 2 * x"))
    (frozenset({0, 1, 2}), 3)
    """
    returned = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return)]
    listed = [v.elts for v in returned if isinstance(v, (ast.Tuple, ast.List))]
    longest = max(map(len, listed), default=0)
    return frozenset(range(longest + 1)), longest + 1


def names_of(function: Any) -> dict[str, Any]:
    """Give what a function finds by names: of its module, or closed over."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return dict(function.__globals__) | {name: c.cell_contents for name, c in cells}
