"""A compiled formula as a module of its own, which needs NumPy and neither symtape nor SymPy."""

from __future__ import annotations

import inspect
import keyword
import os
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.compile import Source
from symtape.codegen.module_text import Import, Part, imports, joined
from symtape.codegen.scope import PYTHON, Scope
from symtape.codegen.task import Task
from symtape.compiled import exported
from symtape.compiled.bundle import Bundle
from symtape.errors import UnsupportedError
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.nodes import (
    NP,
    Attribute,
    Call,
    Group,
    Literal,
    Node,
    Variable,
    Word,
    as_node,
    dotted,
    rebuilt,
)
from symtape.kernels.special.functions import NAMESPACE as SPECIAL
from symtape.nest.trees import Tree
from symtape.program.operations import dtype_name
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
    """What is exported: a task, its leaves in order, and what it gives, as a structure."""

    task: Task
    leaves: list[Leaf]
    outputs: Sequence[int]
    tree: Tree
    guards: tuple[Guard, ...]

    @property
    def program(self) -> Program:
        """The program that computes it."""
        return self.task.program


def export(formula: Formula, path: str | os.PathLike[str], name: str | None, doc: str) -> None:
    """Write the module, and beside it, in an `.npz` file, recorded values that are large."""
    target = Path(path)
    title = unicodedata.normalize("NFKC", target.stem if name is None else name)
    if not PYTHON.is_name(title) or PYTHON.is_word(title):
        raise ValueError(f"{title!r} is no name of a function; pass name=")
    odd = {d.name for d in formula.program.dtypes if d.kind not in "biufc"}
    if odd:
        raise UnsupportedError(f"{', '.join(odd)} is no dtype of NumPy's, and cannot be exported")
    if not formula.tree.has_texts_for_keys:
        raise UnsupportedError(
            "a module gives lists, tuples, and dicts with texts for keys; give the results such a "
            "structure"
        )
    made = _Module(formula, title, doc)
    large = {made.recorded(leaf): leaf.value for leaf in formula.leaves if _is_large(leaf)}
    text = made.text(target.with_suffix(".npz").name if large else "")
    if large:
        np.savez(target.with_suffix(".npz"), **large)
    target.write_text(text, encoding="utf-8")


def _is_large(leaf: Leaf) -> bool:
    return leaf.value is not None and leaf.value.size > LARGEST


class _Module:
    """The parts of the text of a module, whose names are all drawn from one scope."""

    def __init__(self, formula: Formula, title: str, doc: str) -> None:
        self.formula, self.title = formula, title
        labels = [leaf.name for leaf in formula.leaves]
        what = "a formula" if len(formula.outputs) == 1 else "formulas"
        self.doc = _checked(doc.strip() or f"Compute {what} of {', '.join(labels)}.")
        self.scope = Scope(labels, apart=[title], spelled=_in_double)
        self.inner = self.scope.name(f"_{title}")
        program, inputs, outputs, *_ = formula.task
        source = Source(program, inputs, outputs, self.scope, self.inner)
        self.computation = source.definition.rstrip("\n")
        self.before = self._quietly(source.before)
        self.function = self._function()
        self.bundle = Bundle(self.scope, title)

    def _quietly(self, lines: Sequence[str]) -> str:
        """Compute as the function does, without warnings."""
        return "\n    ".join([f"with {self._quiet}:", *lines]) if lines else ""

    @cached_property
    def _quiet(self) -> str:
        return self.scope.write(NP.errstate(all=Literal('"ignore"')))

    def recorded(self, leaf: Leaf) -> str:
        """Name the recorded value of a leaf."""
        return self.scope.name(f"_RECORDED_{leaf.name}")

    def _define(self, word: str, own: str) -> None:
        """Let the module define a word under the name that it has in the code."""
        if word in _IMPORTS:
            self.bundle.need_import(_IMPORTS[word], own)
        elif word in _HELPERS:
            self.bundle.need(exported.__name__, word)
        elif word in NAMESPACE:
            self.bundle.need(NAMESPACE[word].__module__, word)
        elif hasattr(SPECIAL, word):
            self._define_special(word, own)
        elif not keyword.iskeyword(word) and own != word:
            self.bundle.need_import(Import("builtins", word), own)

    def _define_special(self, word: str, own: str) -> None:
        function = inspect.unwrap(getattr(SPECIAL, word))
        known = inspect.getclosurevars(function).nonlocals
        if "letter" in known:
            special = self.bundle.need_import(_IMPORTS["special"])
            whole = self.bundle.builtin("int")
            text = _bessel_text(own, special, whole, known["letter"], known["orders"])
            self.bundle.parts.append(Part(text, is_definition=True))
        else:
            self.bundle.need(function.__module__, function.__name__)

    # --- text ---------------------------------------------------------------------------------

    def text(self, beside: str) -> str:
        """Write the module; `beside` is the file that has the large values."""
        recorded = list(self._recorded(beside))
        words = dict(self.scope.words)
        self.bundle.will_be(
            {(_home(word), word): own for word, own in words.items() if _home(word)}
        )
        for word, own in sorted(words.items(), key=lambda pair: pair[0] not in _IMPORTS):
            self._define(word, own)
        return joined(
            [
                Part("\n".join([f'"""{self.doc}', "", *self._summary(beside), '"""'])),
                Part("from __future__ import annotations"),
                *[Part(text) for text in (imports(self.bundle.imports()), *recorded) if text],
                *self.bundle.parts,
                *[Part(text) for text in (self.before,) if text],
                Part(self.computation, is_definition=True),
                Part(self.function, is_definition=True),
            ]
        )

    def _summary(self, beside: str) -> Iterator[str]:
        signature = ", ".join(self._signature())
        packages = {what.package for what in self.bundle.imports()}
        needs = "NumPy and SciPy" if "scipy" in packages else "NumPy"
        yield f"    {self.title}({signature})"
        yield ""
        yield f"Exported by symtape {__version__}; it needs {needs} alone."
        if beside:
            yield f"Large recorded values are beside it, in {_checked(beside)}."

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
        write = self.scope.write
        lines = [
            f"{self.recorded(leaf)} = {write(_literal(leaf.value))}"
            for leaf in kept
            if not _is_large(leaf)
        ]
        if large:
            file = self.scope.name("_file")
            path = Attribute(Word("Path")(Variable("__file__")), "with_name")(beside)
            lines.append(f"with {write(NP.load(path, allow_pickle=False))} as {file}:")
            lines += [f'    {name} = {file}["{name}"]' for name in map(self.recorded, large)]
        if lines:
            yield "\n".join(lines)

    def _function(self) -> str:
        names = ", ".join(leaf.name for leaf in self.formula.leaves)
        head = f"def {self.title}({', '.join(self._signature())}):"
        lines = [f'"""{self.doc}', ""]
        if self.formula.leaves:
            lines.append("Args:")
            lines += [f"    {leaf.name}: {self._described(leaf)}" for leaf in self.formula.leaves]
            lines.append("")
        lines += ["Returns:", *[f"    {line}" for line in self._results_described()]]
        if self.formula.guards:
            lines += ["", "Raises:", "    ValueError: for values that take another branch than the"]
            lines += ["        recorded one, for which this formula does not hold."]
        lines.append('"""')
        for leaf in self.formula.leaves:
            lines.append(f"{leaf.name} = {self._take(leaf)}")
        results, decided = self._results(), self.scope.name("decided")
        taken = ", ".join([*results, *([f"*{decided}"] if self.formula.guards else [])])
        lines += [
            f"with {self._quiet}:",
            f"    {taken} = {self.inner}({names})",
            *self._path(decided),
            f"return {self._structure(results)}",
        ]
        return "\n".join([head, *[f"    {line}".rstrip() for line in lines]])

    def _results(self) -> list[str]:
        count = len(self.formula.outputs)
        if count == 1:
            return [self.scope.name("result")]
        return [self.scope.name(f"result{k}") for k in range(count)]

    def _structure(self, results: Sequence[str]) -> str:
        """Put the results into their structure, each an array of its own."""
        dtypes, outputs = self.formula.program.dtypes, self.formula.outputs
        pairs = zip(results, outputs, strict=True)
        made = [f'{result}.astype("{dtypes[p].name}")[()]' for result, p in pairs]
        return str(self.formula.tree.text(iter(made)))

    def _results_described(self) -> Iterator[str]:
        formula = self.formula
        for path, p in zip(formula.tree.paths(), formula.outputs, strict=True):
            yield f"{path}: {_array(formula.program, p)}" if path else _array(formula.program, p)

    def _described(self, leaf: Leaf) -> str:
        found = _array(self.formula.program, leaf.position)
        if leaf.value is not None:
            return f"{found}; without it, its recorded value."
        return f"{found}." if leaf.is_needed else f"{found}; the result does not depend on it."

    def _take(self, leaf: Leaf) -> str:
        program, name = self.formula.program, leaf.name
        dtype, shape = program.dtypes[leaf.position].name, program.shapes[leaf.position]
        label, kind = Literal(f'"{name}"'), Literal(f'"{dtype}"')
        taken = self.scope.write(Word("_taken")(label, Variable(name), kind, shape))
        if leaf.value is not None:
            return f"{self.recorded(leaf)} if {name} is None else {taken}"
        return taken if leaf.is_needed else f"None if {name} is None else {taken}"

    def _path(self, decided: str) -> Iterator[str]:
        write = self.scope.write
        for k, guard in enumerate(self.formula.guards):
            value, found = guard.value, Variable(decided)[k]
            if isinstance(value, bool):
                yield f"if {write(Word('bool')(NP.all(found)))} is not {value}:"
            else:
                yield f"if {write(found)} != {value}:"
            where = f"step v{guard.position} was {value}"
            error = Word("ValueError")(Literal(f'"these values take another branch: {where}"'))
            yield f"    raise {write(error)}"


def _bessel_text(name: str, special: str, whole: str, letter: str, orders: str) -> str:
    return "\n    ".join(
        [
            f"def {name}(order, x):",
            f"n = {whole}(order)",
            "if n < 2:",
            f"    return {special}.{letter}1(x) if n else {special}.{letter}0(x)",
            f"return {special}.{orders}(n, x)",
        ]
    )


_IMPORTS = {
    "np": Import("numpy", own="np"),
    "special": Import("scipy", "special"),
    "Path": Import("pathlib", "Path"),
}
"""The words of a module that other libraries have."""

_HELPERS = {"_taken", "_in_double"}


@lru_cache(maxsize=256)
def _in_double(form: Node) -> Node:
    """Let special functions compute in double precision, where a body calls them."""

    def change(node: Node) -> Node:
        home, name = dotted(node.parts[0]) if isinstance(node, Call) else ("", "")
        if home != "special":
            return node
        return Word("_in_double")(_special(name), *node.parts[1:])

    return rebuilt(form, change)


def _special(name: str) -> Node:
    """Give SciPy's function, or the word for a function of ours."""
    function = inspect.unwrap(getattr(SPECIAL, name))
    known = inspect.getclosurevars(function).nonlocals
    is_scipys = "<locals>" in function.__qualname__ and "letter" not in known
    if is_scipys:
        return Attribute(Word("special"), known.get("scipy_name") or known["name"])
    return Word(name)


def _home(word: str) -> str:
    """Give the module of ours that defines a word, or nothing."""
    if word in _HELPERS:
        return exported.__name__
    function = NAMESPACE.get(word) or getattr(SPECIAL, word, None)
    if function is None or word in _IMPORTS:
        return ""
    own: str = inspect.unwrap(function).__module__
    return own


def _checked(text: str) -> str:
    """Refuse what would end a docstring."""
    if '"""' in text or "\\" in text:
        raise ValueError("doc: a docstring has no three quotes and no backslash")
    return text


def _array(program: Program, position: int) -> str:
    shape = program.shapes[position]
    return dtype_name(program.dtypes[position]) + (f", shape {shape}" if shape else "")


def _literal(value: Any) -> Node:
    """Write an array so that each number comes back bit by bit."""
    dtype = Literal(f'"{dtype_name(value.dtype)}"')
    if 0 in value.shape:
        return NP.zeros(value.shape, dtype=dtype)
    made = NP.array(_rows(value.tolist()), dtype=dtype)
    return made[Group(())] if value.shape == () else made


def _rows(values: Any) -> Node:
    """Write lists of numbers."""
    if isinstance(values, list):
        return Group(map(_rows, values), ("[", "]"))
    return as_node(values)
