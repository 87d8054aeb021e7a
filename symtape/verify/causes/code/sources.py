"""The source of a candidate: its syntax tree, which can be compiled again, and its numbers."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from symtape.verify.causes.code.careful import NAME as CAREFUL
from symtape.verify.causes.code.careful import careful, careful_at
from symtape.verify.running.written import written_of

_MOST_NUMBERS = 10
_LARGEST = 1e6
"""Larger numbers in a source are no inputs, if nothing is compared with them."""

_BOUND = 1e100
"""Larger ones stand for infinity."""


CHOICE = "__choice__"
_CAREFUL = types.CellType(careful_at)


class Source(NamedTuple):
    """The syntax tree of a function, the first line of it in its file, and a module around it."""

    function: Any
    tree: Any
    line: int
    module: Any

    def compiled(self, choice: Any = None) -> Callable[..., Any]:
        """Make the function of the tree as it is now, with the names and cells of the original.

        `choice` is the cell of a name that the tree has besides.
        """
        located = ast.fix_missing_locations(careful(self.module))  # what is put in has no lines
        outer = _code_in(compile(located, "<changed>", "exec"))
        code = _code_in(outer, self.function.__name__)
        own = self.function
        cells = dict(zip(own.__code__.co_freevars, own.__closure__ or (), strict=True))
        cells |= {CHOICE: choice, CAREFUL: _CAREFUL}
        closure = tuple([cells[name] for name in code.co_freevars])
        made = types.FunctionType(
            code, own.__globals__, own.__name__, own.__defaults__, closure or None
        )
        made.__kwdefaults__ = own.__kwdefaults__
        return made


def _code_in(code: Any, name: str = "outer") -> Any:
    """Find the code of a function that another one defines."""
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)


def _around(tree: Any, names: Any) -> Any:
    """Put a function into another one that has the names which it closes over."""
    module: Any = ast.parse("def outer(): pass")
    outer = module.body[0]
    outer.args.args = [ast.arg(n) for n in (*names, CHOICE, CAREFUL)]
    outer.body = [ast.Return(tree)] if isinstance(tree, ast.Lambda) else [tree]
    return ast.fix_missing_locations(module)


def source_of(candidate: Any) -> Source | None:
    """Read the source that was written; None where there is none, or more than one is meant."""
    written = written_of(candidate)
    return None if written is None else source_of_function(written.function)


def source_of_function(function: Any) -> Source | None:
    """Read the source of a plain function."""
    try:
        own = (_lambda if function.__name__ == "<lambda>" else _definition)(function)
    except (OSError, TypeError, SyntaxError):
        return None
    if own is None:
        return None
    tree, first = own
    return Source(function, tree, first, _around(tree, function.__code__.co_freevars))


def _definition(function: Any) -> tuple[Any, int] | None:
    """Find the definition of a function, and the line in its file that is the first."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)).strip())
    found = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))
    own = next((n for n in found if n.name == function.__name__), None)
    if own is None:
        return None
    own.decorator_list = []
    return own, first


def _lambda(function: Any) -> tuple[Any, int] | None:
    """Find a lambda among those of its file: its code says which part of the text it is of."""
    code = function.__code__
    lines, _ = inspect.findsource(function)
    nodes = [n for n in ast.walk(ast.parse("".join(lines))) if isinstance(n, ast.Lambda)]
    found = [n for n in nodes if n.lineno == code.co_firstlineno]
    if len(found) > 1:
        found = [n for n in found if _is_within(code, n.body)]
    own = max(found, key=lambda n: n.col_offset, default=None)  # the inner one
    return None if own is None else (own, 1)


def _is_within(code: Any, body: Any) -> bool:
    """Say whether all that some code does is written in an expression."""
    begin, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    places = [p for p in code.co_positions() if None not in p and p[:1] + p[2:3] != p[1:2] + p[3:]]
    return bool(places) and all(
        begin <= (line, column) and (last_line, last_column) <= end
        for line, last_line, column, last_column in places
    )


def numbers_in(candidate: Any) -> list[float]:
    """List numbers that a function has: those that it compares with first, a few of them.

    They stand in its source, in its defaults, or in what it closes over.
    """
    source = source_of(candidate)
    if source is None:
        return []
    function = source.function
    found: list[float] = []
    for compare in ast.walk(source.tree):
        if isinstance(compare, ast.Compare):
            found += numbers_of(compare)
    found += numbers_of(source.tree)
    held = [c.cell_contents for c in function.__closure__ or () if not _is_empty(c)]
    read = [function.__globals__.get(n) for n in function.__code__.co_names]
    found += [x for x in (*(function.__defaults__ or ()), *held, *read) if type(x) in (int, float)]
    finite = [float(x) for x in found if abs(x) < _LARGEST]
    return list(dict.fromkeys(finite))[:_MOST_NUMBERS]


def compared_in(candidate: Any) -> list[float]:
    """List the numbers that the source of a function compares with, a few of them."""
    source = source_of(candidate)
    nodes = ast.walk(source.tree) if source is not None else ()
    found = [x for n in nodes if isinstance(n, ast.Compare) for x in numbers_of(n)]
    return list(dict.fromkeys(float(x) for x in found if abs(x) < _BOUND))[:_MOST_NUMBERS]


def factors_in(candidate: Any) -> list[float]:
    """List the numbers in the source of a function that are no powers and no places."""
    source = source_of(candidate)
    if source is None:
        return []
    others = [x for n in ast.walk(source.tree) for x in _no_factors(n)]
    inner = {id(n) for x in others for n in ast.walk(x)}
    nodes = [n for n in ast.walk(source.tree) if id(n) not in inner]
    return [float(x) for n in nodes for x in _constant(n)]


def _no_factors(node: Any) -> list[Any]:
    """List the parts of a node that are powers, places, or axes, of which several stand together.

    >>> tree = ast.parse("2 * x.transpose(0, 2, 1)", mode="eval")
    >>> [x.value for n in ast.walk(tree) for x in _no_factors(n)]
    [0, 2, 1]
    """
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return [node.right]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    parts = getattr(node, "args" if isinstance(node, ast.Call) else "elts", ())
    whole = [x for x in parts if type(getattr(_signless(x), "value", None)) is int]
    if len(whole) > 1:
        return whole
    return [node.value] if isinstance(node, ast.keyword) else []


def _signless(node: Any) -> Any:
    """Give what a minus stands before."""
    return node.operand if isinstance(node, ast.UnaryOp) else node


def numbers_of(tree: Any) -> list[float]:
    """List the numbers of a syntax tree, those after a minus with their sign first."""
    negated = [
        n.operand for n in ast.walk(tree) if isinstance(n, ast.UnaryOp) and type(n.op) is ast.USub
    ]
    found = [-x for n in negated for x in _constant(n)]
    return found + [x for n in ast.walk(tree) for x in _constant(n)]


def _constant(node: Any) -> list[float]:
    is_number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return [node.value] if is_number else []


def _is_empty(cell: Any) -> bool:
    """Say whether a name that a function closes over has no value yet."""
    try:
        cell.cell_contents  # noqa: B018 - reading it raises where it is empty
    except ValueError:
        return True
    return False
