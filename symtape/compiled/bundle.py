"""The source of some functions of symtape with all that it needs, for a module that stands alone.

Statements at the top of our files are taken as they stand there, each after those that it reads.
Names that two files use for different things are told apart.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from symtape.codegen.module_text import Import, Part
from symtape.codegen.scope import Scope
from symtape.errors import UnsupportedError
from symtape.kernels.special import error_function, functions, integrals, scipy_functions

Name = tuple[str, str]
"""A module, and a name in it."""

EXTERNAL = sys.stdlib_module_names | {"numpy", "scipy"}
"""What a module that was exported may import."""

REPLACED: dict[Name, Import] = {
    (scipy_functions.__name__, "special"): Import("scipy", "special"),
    (error_function.__name__, "erf"): Import("scipy.special", "erf"),
}
"""Imports that take the place of what symtape looks for when it is needed, or has tables for."""


def _zeta_text(own: str) -> str:
    return f"def {own}() -> list[float]:\n    return {functions.zeta_less_one()!r}"


def _gauss_text(own: str) -> str:
    nodes, weights = integrals.gauss(1)
    return "\n    ".join(
        [
            f"def {own}(panels):",
            f"nodes = np.array({nodes.tolist()})",
            f"weights = np.array({weights.tolist()})",
            "starts = np.arange(panels)[:, None]",
            "return ((starts + nodes) / panels).ravel(), np.tile(weights / panels, panels)",
        ]
    )


TABLES: dict[Name, Callable[[str], str]] = {
    (functions.__name__, "zeta_less_one"): _zeta_text,
    (integrals.__name__, "gauss"): _gauss_text,
}
"""Functions that mpmath computes once: what is written in their place has the numbers."""


LEFT_OUT = {"in_double"}
"""Decorators that the exported module calls in its own way."""


class Bundle:
    """Statements that a module needs, in order, under names of a scope.

    The function that is called `title` takes the place of a function of Python's, if that is
    what somebody calls it.
    """

    def __init__(self, scope: Scope, title: str) -> None:
        self.parts: list[Part] = []
        self._scope, self._title = scope, title
        self._imports: dict[Import, str] = {}
        self._names: dict[Name, str] = {}
        self._wanted: dict[Name, str] = {}
        self._assigned: dict[tuple[str, ...], str] = {}

    def will_be(self, names: Mapping[Name, str]) -> None:
        """Say what some names will be called when they are needed."""
        self._wanted.update({_origin(*name): own for name, own in names.items()})

    def need(self, module: str, name: str) -> str:
        """Add what a name of a module stands for, once, and give the name that it has here."""
        module, name = _origin(module, name)
        known = self._names.get((module, name))
        if known is not None:
            return known
        replaced = REPLACED.get((module, name))
        node = _statements(module).get(name)
        if replaced is not None or isinstance(node, (ast.Import, ast.ImportFrom)):
            own = self._import(module, replaced or _import_of(node, name))
            self._names[module, name] = own
            return own
        if node is None:
            raise UnsupportedError(f"{name} of {module} cannot be exported: it is no statement")
        own = self._assigned.get(self._assignment(module, name, node)) or self._free((module, name))
        self._names[module, name] = own
        table = TABLES.get((module, name))
        if table is not None:
            self.parts.append(Part(table(own), is_definition=True))
        elif own not in self._assigned.values():
            self._add(module, node)
            self._assigned[self._assignment(module, name, node)] = own
        return own

    def _assignment(self, module: str, name: str, node: ast.stmt) -> tuple[str, ...]:
        """Know by what it is made of: two files may say the same, such as ``Array = Any``."""
        if not isinstance(node, ast.Assign):
            return module, name
        read = [n.id for n, _ in free_names(node) if n.id in _statements(module)]
        return name, _segment(module, node), *[self.need(module, n) for n in read]

    def need_import(self, what: Import, own: str | None = None) -> str:
        """Add an import of another library, and give its name here."""
        if what not in self._imports:
            self._imports[what] = own or self._scope.fresh(what.wish)
        return self._imports[what]

    def builtin(self, name: str) -> str:
        """Say what a function of Python's is called here."""
        return self.need_import(Import("builtins", name)) if name == self._title else name

    def imports(self) -> list[Import]:
        """List the imports."""
        return [what._replace(own=own) for what, own in self._imports.items()]

    # --- one statement ------------------------------------------------------------------------

    def _import(self, module: str, what: Import) -> str:
        if what.package not in EXTERNAL:
            raise UnsupportedError(
                f"{module} needs {what.package}, so what calls it cannot be exported; only NumPy "
                "and SciPy can be asked of a module that stands alone"
            )
        return self.need_import(what)

    def _add(self, module: str, node: ast.stmt) -> None:
        text, spots = _segment(module, node), []
        top = _first_line(node)
        for used, attribute in free_names(node):
            name, line = used.id, used.lineno - top + 1
            if line > 0 and name not in _statements(module):
                spots.append((line, used.col_offset, name, self.builtin(name)))
            elif line > 0:
                inner = _own_module(module, name)
                if inner is None:
                    spots.append((line, used.col_offset, name, self.need(module, name)))
                else:
                    found = self.need(inner, attribute)
                    spots.append((line, used.col_offset, f"{name}.{attribute}", found))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own = self._names[module, node.name]
            column = len("def " if isinstance(node, ast.FunctionDef) else "class ")
            spots.append((node.lineno - top + 1, column, node.name, own))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in _targets(node):
                own = self._names[module, target.id]
                spots.append((target.lineno - top + 1, target.col_offset, target.id, own))
        text = _REMARKS.sub("", replaced_at(text, spots))
        is_definition = isinstance(node, (ast.FunctionDef, ast.ClassDef))
        self.parts.append(Part(_LISTED.sub(r"\1(\2)", text), is_definition))

    def _free(self, name: Name) -> str:
        return self._wanted.get(name) or self._scope.fresh(name[1])


# --- looking at our own files ---------------------------------------------------------------------

_LISTED = re.compile(r"\b(all|any)\(\[([^\[\]]*)\]\)")
"""What is faster with a list, and reads better without."""

_REMARKS = re.compile(r"\s*# (noqa|type: ignore|fmt:).*$", re.MULTILINE)


class _Module(NamedTuple):
    lines: list[str]
    statements: dict[str, ast.stmt]


@cache
def _module(name: str) -> _Module:
    text = inspect.getsource(importlib.import_module(name))
    statements: dict[str, ast.stmt] = {}
    for node in ast.parse(text).body:
        for bound in _bound_by(node):
            statements[bound] = node
    return _Module(text.splitlines(), statements)


def _statements(module: str) -> dict[str, ast.stmt]:
    return _module(module).statements


def _bound_by(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        yield from [target.id for target in _targets(node)]


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target for target in targets if isinstance(target, ast.Name)]


def _origin(module: str, name: str) -> Name:
    """Follow imports of our own to where something is defined."""
    while True:
        node = _statements(module).get(name)
        is_own = isinstance(node, ast.ImportFrom) and str(node.module).startswith("symtape")
        if not is_own or (module, name) in REPLACED:
            return module, name
        alias = next(a for a in node.names if (a.asname or a.name) == name)  # type: ignore[union-attr]  # is_own
        module, name = str(node.module), alias.name  # type: ignore[union-attr]  # likewise


def _own_module(module: str, name: str) -> str | None:
    """Give the module of our own that a name stands for, if it is one."""
    node = _statements(module).get(name)
    if not isinstance(node, ast.ImportFrom) or not str(node.module).startswith("symtape"):
        return None
    alias = next(a for a in node.names if (a.asname or a.name) == name)
    path = f"{node.module}.{alias.name}"
    return path if path in sys.modules else None


def _import_of(node: Any, name: str) -> Import:
    alias = next(a for a in node.names if (a.asname or a.name) == name)
    if isinstance(node, ast.Import):
        return Import(alias.name, own=alias.asname or "")
    return Import(node.module, alias.name, alias.asname or "")


def _first_line(node: Any) -> int:
    """Give the line that a statement begins at, without decorators that are left out."""
    kept = [d for d in getattr(node, "decorator_list", ()) if getattr(d, "id", "") not in LEFT_OUT]
    first: int = min([node.lineno, *[d.lineno for d in kept]])
    return first


def _segment(module: str, node: Any) -> str:
    return "\n".join(_module(module).lines[_first_line(node) - 1 : node.end_lineno])


def replaced_at(text: str, spots: Iterable[tuple[int, int, str, str]]) -> str:
    """Replace names at lines and columns, as `ast` counts them, by others."""
    lines = [line.encode() for line in text.splitlines()]
    for line, column, old, new in sorted(set(spots), reverse=True):
        own = lines[line - 1]
        lines[line - 1] = own[:column] + new.encode() + own[column + len(old.encode()) :]
    return "\n".join([line.decode() for line in lines])


# --- which names of a statement are not its own ---------------------------------------------------


Use = tuple[ast.Name, str]
"""A name, and the attribute of it that is read, if it is only one."""


def free_names(node: ast.AST) -> Iterator[Use]:
    """List the names that a statement reads from the module that it stands in."""
    yield from _free(node, frozenset())


def _free(node: ast.AST, bound: frozenset[str], attribute: str = "") -> Iterator[Use]:
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in bound:
            yield node, attribute
    elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
        yield from _free_in_function(node, bound)
    elif isinstance(node, ast.Attribute):
        yield from _free(node.value, bound, node.attr)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _free(child, bound)


def _free_in_function(node: ast.FunctionDef | ast.Lambda, bound: frozenset[str]) -> Iterator[Use]:
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    every += [a for a in (given.vararg, given.kwarg) if a is not None]
    body: list[Any] = node.body if isinstance(node.body, list) else [node.body]
    inner = bound | {a.arg for a in every} | {name for part in body for name in _stored(part)}
    for part in body:
        yield from _free(part, inner)
    outer = [*given.defaults, *given.kw_defaults, *[a.annotation for a in every]]
    if isinstance(node, ast.FunctionDef):
        outer += [*node.decorator_list, node.returns]
    for part in outer:
        if part is not None:
            yield from _free(part, bound)


def _stored(node: ast.AST) -> Iterator[str]:
    """List the names that a part of a function binds."""
    if isinstance(node, ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif not isinstance(node, ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _stored(child)
