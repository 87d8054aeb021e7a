"""Which change of one place in a candidate's source makes it right: the slip, with its line.

The syntax tree of the function is changed, one node at a time, and compiled; the function that was
given is not touched. It runs as the candidate itself does, on the same numbers.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import time
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.verify.causes.changes import changes
from symtape.verify.causes.explanations import same
from symtape.verify.subject import CandidateError, Subject, limited

_SECONDS = 2.0
"""So long are changes tried: what a candidate takes is not known."""


_MOST_NUMBERS = 10
_LARGEST = 1e6
"""Larger numbers in a source are no inputs."""


class Source(NamedTuple):
    """The syntax tree of a function, the first line of it in its file, and what it closes over."""

    function: Any
    tree: Any
    line: int

    def compiled(self) -> Callable[..., Any]:
        """Make the function of the tree as it is now, with the names and cells of the original."""
        names = self.function.__code__.co_freevars
        module = ast.parse("def outer(): pass")
        outer: Any = module.body[0]
        outer.args.args = [ast.arg(n) for n in names]
        outer.body = [*_defined(self.tree)]
        ast.fix_missing_locations(module)
        namespace = dict(self.function.__globals__)
        exec(compile(module, "<changed>", "exec"), namespace)  # noqa: S102 - the user's own function
        cells = [c.cell_contents for c in self.function.__closure__ or ()]
        made: Callable[..., Any] = namespace["outer"](*cells)
        return made


def _defined(tree: Any) -> Iterator[Any]:
    """Define a function or a lambda, and give it back."""
    if isinstance(tree, ast.Lambda):
        yield ast.Return(tree)
        return
    yield tree
    yield ast.Return(ast.Name(tree.name, ast.Load()))


def source_of(function: Any) -> Source | None:
    """Read the source of a plain function; None where there is none, or more than one is meant."""
    if not isinstance(function, types.FunctionType):
        return None
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)).strip())
    except (OSError, TypeError, SyntaxError, IndentationError):
        return None
    kind = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    found: list[Any] = [n for n in ast.walk(tree) if isinstance(n, kind)]
    found = [n for n in found if kind is ast.Lambda or n.name == function.__name__][:2]
    if not found or (kind is ast.Lambda and len(found) > 1):
        return None
    if isinstance(found[0], ast.FunctionDef):
        found[0].decorator_list = []
    return Source(function, found[0], first)


def numbers_in(function: Any) -> list[float]:
    """List numbers that a function has: those that it compares with first, a few of them.

    They stand in its source, in its defaults, or in what it closes over.
    """
    source = source_of(function)
    if source is None:
        return []
    found: list[float] = []
    for compare in ast.walk(source.tree):
        if isinstance(compare, ast.Compare):
            found += _numbers(compare)
    found += _numbers(source.tree)
    held = [c.cell_contents for c in function.__closure__ or () if not _is_empty(c)]
    read = [function.__globals__.get(n) for n in function.__code__.co_names]
    found += [x for x in (*(function.__defaults__ or ()), *held, *read) if type(x) in (int, float)]
    finite = [float(x) for x in found if abs(x) < _LARGEST]
    return list(dict.fromkeys(finite))[:_MOST_NUMBERS]


def compared_in(function: Any) -> list[float]:
    """List the numbers that the source of a function compares with, a few of them."""
    source = source_of(function)
    nodes = ast.walk(source.tree) if source is not None else ()
    found = [x for n in nodes if isinstance(n, ast.Compare) for x in _numbers(n)]
    return list(dict.fromkeys(float(x) for x in found if abs(x) < _LARGEST))[:_MOST_NUMBERS]


def _numbers(tree: Any) -> list[float]:
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


def is_harmless(tree: Any, names: dict[str, Any]) -> bool:
    """Say whether a function calls nothing but what computes, so that a changed one may be run.

    These are functions of modules of numbers, some builtins, functions that it defines itself, and
    methods of arrays that do not write to files.
    """
    own = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.With, ast.Global, ast.Delete)):
            return False
        if isinstance(node, ast.Call) and not _computes(node.func, names, own):
            return False
    return True


_BUILTINS = frozenset(
    {"abs", "bool", "complex", "divmod", "enumerate", "float", "int", "len", "list", "map", "max",
     "min", "pow", "range", "reversed", "round", "slice", "sorted", "sum", "tuple", "zip"}
)  # fmt: skip
_MODULES = frozenset({"numpy", "math", "scipy", "symtape", "jax", "torch"})
_WRITES = frozenset({"tofile", "dump", "dumps", "setflags"})
_FILES = frozenset(
    {"save", "savez", "savez_compressed", "savetxt", "memmap", "load", "loadtxt", "fromfile", "io"}
)


def _computes(func: Any, names: dict[str, Any], own: set[str]) -> bool:
    if isinstance(func, ast.Name):
        return func.id in own or (func.id in _BUILTINS and func.id not in names)
    path = []
    while isinstance(func, ast.Attribute):
        path.append(func.attr)
        func = func.value
    module = names.get(func.id) if isinstance(func, ast.Name) else None
    if isinstance(module, types.ModuleType):
        return module.__name__.split(".")[0] in _MODULES and _FILES.isdisjoint(path)
    return bool(path) and hasattr(np.ndarray, path[0]) and path[0] not in _WRITES


class Repair(NamedTuple):
    """A change that makes a candidate right: what is wrong, in words, and the line as it is."""

    words: str
    where: str


def repaired(subject: Subject, points: Sequence[Any]) -> Repair | None:
    """Find a change that gives the truth at all points; say what it is, and where."""
    source = source_of(subject.candidate)
    if source is None or not is_harmless(source.tree, source.function.__globals__):
        return None
    begin = time.perf_counter()
    for change in changes(source.tree):
        if time.perf_counter() - begin > _SECONDS:
            return None
        before = _text(change.statement)
        with change.made():
            after = _text(change.new if isinstance(change.new, ast.stmt) else change.statement)
            try:
                found = source.compiled()
            except (SyntaxError, ValueError, TypeError):
                continue
            if _is_right(subject, found, points):
                line = source.line + change.statement.lineno - 1
                where = f"line {line} has `{before}`, and is right with `{after}`"
                return Repair(change.words, where)
    return None


def _text(statement: Any) -> str:
    """Write the first line of a statement."""
    return ast.unparse(statement).splitlines()[0]


def _is_right(subject: Subject, function: Callable[..., Any], points: Sequence[Any]) -> bool:
    return all(_agrees(subject, function, s) for s in points)


def _agrees(subject: Subject, function: Callable[..., Any], seen: Any) -> bool:
    """Run a changed candidate at a point; whatever it raises, it is no repair."""
    try:
        with limited(1.0), np.errstate(all="ignore"):
            found = subject.listed(function(*[x.copy() for x in seen.point]), len(seen.truths))
        return all(
            same(np.asarray(a, float), t) or (not np.any(t) and not np.any(a))
            for a, t in zip(found, seen.truths, strict=True)
        )
    except CandidateError:
        return False
    except Exception:  # noqa: BLE001 - see above
        return False


__all__ = ["Repair", "compared_in", "is_harmless", "numbers_in", "repaired", "source_of"]
