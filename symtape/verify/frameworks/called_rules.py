"""The one thing with a rule of its own that a plain function calls, as a wrapper does."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from symtape.verify.running.written import written_of


class Called(NamedTuple):
    """Something with a rule, and what makes the function that calls another one for it."""

    rule: Any
    calling: Callable[[Any], Any]


def called_rule(given: Any, found_in: Callable[[Any], Any]) -> Called | None:
    """Find what a plain function names and has a rule; None for none, or for several.

    `found_in` gives what has the rule of what a name means, or None.

    >>> import math
    >>> def f(x):
    ...     return math.exp(x)
    >>> called = called_rule(f, lambda thing: thing if thing is math else None)
    >>> called.calling(types.SimpleNamespace(exp=abs))(-1.0)
    1.0
    """
    own = written_of(given)
    if own is None:
        return None
    function = own.function
    rules = {name: found_in(thing) for name, thing in named(function).items()}
    rules = {name: rule for name, rule in rules.items() if rule is not None}
    if len({id(rule) for rule in rules.values()}) != 1:
        return None
    return Called(
        next(iter(rules.values())),
        lambda new: own.rebuilt(calling(function, dict.fromkeys(rules, new))),
    )


def _cells(function: Any) -> dict[str, Any]:
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def named(function: Any) -> dict[str, Any]:
    """List what the names in a function mean, of the module and of what it closes over."""
    known = function.__globals__
    found = {name: known[name] for name in names_in(function.__code__) if name in known}
    for name, cell in _cells(function).items():
        try:
            found[name] = cell.cell_contents
        except ValueError:  # it is given later
            continue
    return found


def names_in(code: Any) -> Iterator[str]:
    """List the names of some code, and of the functions that it defines."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from names_in(inner)


def calling(function: Any, new: dict[str, Any]) -> Any:
    """Make a function of the same code in which names mean something else."""
    cells = {n: types.CellType(new[n]) if n in new else c for n, c in _cells(function).items()}
    made = types.FunctionType(
        function.__code__,
        function.__globals__ | new,
        function.__name__,
        function.__defaults__,
        tuple(cells.values()) or None,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made
