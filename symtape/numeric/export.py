"""A compiled formula as a module of its own, which needs NumPy and neither symtape nor SymPy."""

from __future__ import annotations

import ast
import inspect
import keyword
import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.numeric.bundle import Bundle, replaced_at
from symtape.numeric.kernels import NAMESPACE
from symtape.numeric.special import NAMESPACE as SPECIAL
from symtape.program.program import Guard, Program
from symtape.version import __version__

LARGEST = 256
"""How many numbers a recorded value may have to be written into the module."""


class Leaf(NamedTuple):
    """An argument of the formula: its name in the code, and its recorded value, if it has one."""

    name: str
    position: int
    value: Any = None
    is_needed: bool = True


class Formula(NamedTuple):
    """What is exported: NumPy code that defines `f`, its leaves in order, and what it gives."""

    source: str
    leaves: list[Leaf]
    program: Program
    output: int
    guards: tuple[Guard, ...]


def export(formula: Formula, path: str | os.PathLike[str], name: str | None, doc: str) -> None:
    """Write the module, and beside it, in an `.npz` file, recorded values that are large."""
    target = Path(path)
    title = target.stem if name is None else name
    if not title.isidentifier() or keyword.iskeyword(title):
        raise ValueError(f"{title!r} is no name of a function; pass name=")
    odd = {d.name for d in formula.program.dtypes if d.kind not in "biufc"}
    if odd:
        raise UnsupportedError(f"{', '.join(odd)} is no dtype of NumPy's, and cannot be exported")
    made = _Module(formula, title, doc)
    large = {leaf.name: leaf.value for leaf in formula.leaves if _is_large(leaf)}
    text = made.text(target.with_suffix(".npz").name if large else "")
    if large:
        np.savez(target.with_suffix(".npz"), **large)
    target.write_text(text, encoding="utf-8")


def _is_large(leaf: Leaf) -> bool:
    return leaf.value is not None and leaf.value.size > LARGEST


class _Module:
    """The parts of the text of a module."""

    def __init__(self, formula: Formula, title: str, doc: str) -> None:
        self.formula, self.title = formula, title
        names = ", ".join([leaf.name for leaf in formula.leaves])
        self.doc = doc.strip() or f"Compute a formula of {names}."
        if '"""' in self.doc or "\\" in self.doc:
            raise ValueError("doc: a docstring has no three quotes and no backslash")
        tree = ast.parse(formula.source)
        taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - NAMESPACE.keys()
        taken |= {leaf.name for leaf in formula.leaves}
        self.bundle = Bundle({*taken, title, f"_{title}", "_taken", "_in_double", "Path"})
        self.bundle.need_import("import numpy as np")
        self.computation = self._computation(tree)

    def _computation(self, tree: ast.AST) -> str:
        """Rename the kernels in the code to what they are called in the module."""
        text, spots = self.formula.source, []
        for node in ast.walk(tree):
            special = _special_name(node)
            if special is not None and isinstance(node, ast.Call):
                line, column = node.lineno, node.func.col_offset
                old = f"special.{special}("
                spots.append((line, column, old, f"_in_double({self._special(special)}, "))
            elif isinstance(node, ast.Name) and node.id in _KERNELS:
                found = self._kernel(node.id)
                spots.append((node.lineno, node.col_offset, node.id, found))
        text = replaced_at(text, spots)
        self.has_special = any(new.startswith("_in_double") for *_, new in spots)
        return text.replace("def f(", f"def _{self.title}(", 1).rstrip("\n")

    def _kernel(self, name: str) -> str:
        function = NAMESPACE[name]
        return self.bundle.need(function.__module__, function.__name__)

    def _special(self, name: str) -> str:
        """Give the function that computes in double precision: SciPy's, or one of symtape's."""
        function = inspect.unwrap(getattr(SPECIAL, name))
        if function.__qualname__ == function.__name__ or "<locals>" not in function.__qualname__:
            return self.bundle.need(function.__module__, function.__name__)
        known = inspect.getclosurevars(function).nonlocals
        self.bundle.need_import("from scipy import special")
        if "letter" in known:
            return self.bundle.add(name, _bessel_text(name, known["letter"], known["orders"]))
        return f"special.{known.get('scipy_name') or known['name']}"

    # --- text ---------------------------------------------------------------------------------

    def text(self, beside: str) -> str:
        """Write the module; `beside` is the file that has the large values."""
        recorded = list(self._recorded(beside))
        imports = self.bundle.imports | ({"Path": "from pathlib import Path"} if beside else {})
        helpers = [_TAKEN, _IN_DOUBLE] if self.has_special else [_TAKEN]
        parts = [
            "\n".join([f'"""{self.doc}', "", *self._summary(beside), '"""']),
            "from __future__ import annotations",
            _imports(imports.values()),
            *recorded,
            *self.bundle.parts,
            *helpers,
            self.computation,
            self._function(),
        ]
        return _joined([part for part in parts if part])

    def _summary(self, beside: str) -> Iterator[str]:
        signature = ", ".join(self._signature())
        needs = "NumPy" + (" and SciPy" if "special" in self.bundle.imports else "")
        yield f"    {self.title}({signature})"
        yield ""
        yield f"Exported by symtape {__version__}; it needs {needs} alone."
        if beside:
            yield f"Large recorded values are beside it, in {beside}."

    def _signature(self) -> Iterator[str]:
        keyword_only = False
        for leaf in self.formula.leaves:
            if leaf.value is not None and not keyword_only:
                keyword_only = True
                yield "*"
            yield leaf.name if leaf.value is None and leaf.is_needed else f"{leaf.name}=None"

    def _recorded(self, beside: str) -> Iterator[str]:
        """Write the values of leaves: small ones as numbers, large ones as what the file has."""
        kept = [leaf for leaf in self.formula.leaves if leaf.value is not None]
        large = [leaf for leaf in kept if _is_large(leaf)]
        lines = [
            f"_RECORDED_{leaf.name} = {_literal(leaf.value)}"
            for leaf in kept
            if not _is_large(leaf)
        ]
        if large:
            file = f'Path(__file__).with_name("{beside}")'
            lines.append(f"with np.load({file}, allow_pickle=False) as _file:")
            lines += [f'    _RECORDED_{leaf.name} = _file["{leaf.name}"]' for leaf in large]
        if lines:
            yield "\n".join(lines)

    def _function(self) -> str:
        program = self.formula.program
        names = ", ".join(leaf.name for leaf in self.formula.leaves)
        head = f"def {self.title}({', '.join(self._signature())}):"
        lines = [f'"""{self.doc}', ""]
        if self.formula.leaves:
            lines.append("Args:")
            lines += [f"    {leaf.name}: {self._described(leaf)}" for leaf in self.formula.leaves]
            lines.append("")
        lines += ["Returns:", f"    {_array(program, self.formula.output)}"]
        if self.formula.guards:
            lines += ["", "Raises:", "    ValueError: for values that take another branch than the"]
            lines += ["        recorded one, for which this formula does not hold."]
        lines.append('"""')
        for leaf in self.formula.leaves:
            lines.append(f"{leaf.name} = {self._take(leaf)}")
        lines += [
            'with np.errstate(all="ignore"):',
            f"    result{', *decided' if self.formula.guards else ''} = _{self.title}({names})",
            *self._path(),
        ]
        dtype = program.dtypes[self.formula.output].name
        lines.append(f'return result.astype("{dtype}", copy=False)[()]')
        return "\n".join([head, *[f"    {line}".rstrip() for line in lines]])

    def _described(self, leaf: Leaf) -> str:
        found = _array(self.formula.program, leaf.position)
        if leaf.value is not None:
            return f"{found}; without it, its recorded value."
        return f"{found}." if leaf.is_needed else f"{found}; the result does not depend on it."

    def _take(self, leaf: Leaf) -> str:
        dtype = self.formula.program.dtypes[leaf.position].name
        shape = self.formula.program.shapes[leaf.position]
        taken = f'_taken("{leaf.name}", {leaf.name}, "{dtype}", {shape})'
        if leaf.value is not None:
            return f"_RECORDED_{leaf.name} if {leaf.name} is None else {taken}"
        return taken if leaf.is_needed else f"None if {leaf.name} is None else {taken}"

    def _path(self) -> Iterator[str]:
        for k, guard in enumerate(self.formula.guards):
            found = f"decided[{k}]"
            is_truth = isinstance(guard.value, bool)
            wrong = (
                f"bool(np.all({found})) is not {guard.value}"
                if is_truth
                else (f"{found} != {guard.value}")
            )
            yield f"if {wrong}:"
            where = f"step v{guard.position} was {guard.value}"
            yield f'    raise ValueError("these values take another branch: {where}")'


def _bessel_text(name: str, letter: str, orders: str) -> str:
    return "\n    ".join(
        [
            f"def {name}(order, x):",
            "n = int(order)",
            "if n < 2:",
            f"    return special.{letter}1(x) if n else special.{letter}0(x)",
            f"return special.{orders}(n, x)",
        ]
    )


_KERNELS = NAMESPACE.keys() - {"np", "special"}


def _special_name(node: ast.AST) -> str | None:
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.attr if function.value.id == "special" else None
    return None


def _array(program: Program, position: int) -> str:
    shape = program.shapes[position]
    return f"{program.dtypes[position].name}" + (f", shape {shape}" if shape else "")


def _literal(value: Any) -> str:
    """Write an array so that each number comes back bit by bit."""
    text = re.sub(r"\b(nan|inf)\b", r"np.\1", repr(value.tolist()))
    made = f'np.array({text}, dtype="{value.dtype.name}")'
    if 0 in value.shape:
        made = f'np.zeros({value.shape}, dtype="{value.dtype.name}")'
    return f"{made}[()]" if value.shape == () else made


def _imports(texts: Any) -> str:
    """Sort imports as linters want them: the standard library, then the others."""

    def is_library(text: str) -> bool:
        return text.split()[1].partition(".")[0] in {"numpy", "scipy"}

    def key(text: str) -> tuple[bool, str]:
        return text.startswith("from"), text

    groups: list[list[str]] = [[], []]
    for text in sorted(_merged(texts), key=key):
        groups[is_library(text)].append(text)
    return "\n\n".join(["\n".join(group) for group in groups if group])


def _merged(texts: Any) -> list[str]:
    """Join imports from one module."""
    found: dict[str, list[str]] = {}
    plain = []
    for text in texts:
        head, from_module, names = text.partition(" import ")
        if from_module:
            found.setdefault(head, []).append(names)
        else:
            plain.append(text)
    return plain + [f"{head} import {', '.join(sorted(own))}" for head, own in found.items()]


def _joined(parts: list[str]) -> str:
    """Put two lines around what is defined, and one between what is assigned."""
    text = parts[0]
    for before, part in pairwise(parts):
        both = [_is_definition(before), _is_definition(part)]
        text += ("\n\n\n" if any(both) else "\n\n") + part
    return text + "\n"


def _is_definition(part: str) -> bool:
    return part.startswith(("def ", "class ", "@"))


_TAKEN = '''def _taken(name, value, dtype, shape):
    """Take an argument; a number takes on the dtype, an array must have the shape."""
    array = np.asarray(value)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, the formula is for {shape}")
    if not np.can_cast(array.dtype, dtype, "same_kind"):
        raise TypeError(f"{name} has dtype {array.dtype}, the formula is for {dtype}")
    return array.astype(dtype, copy=False)[()]'''

_IN_DOUBLE = '''def _in_double(function, *operands):
    """Compute in float64, and give back the dtype of the last operand that has one."""
    dtypes = [x.dtype for x in operands if hasattr(x, "dtype")]
    found = function(*[np.asarray(x, np.float64) for x in operands])
    return np.asarray(found).astype(dtypes[-1] if dtypes else np.float64)[()]'''
