"""A compiled formula as a module of its own, which needs NumPy and neither symtape nor SymPy."""

from __future__ import annotations

import inspect
import keyword
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.compile import Source
from symtape.codegen.module_text import imports, joined
from symtape.codegen.scope import PYTHON, Scope
from symtape.codegen.task import Task, readable
from symtape.compiled import exported
from symtape.compiled.bundle import Bundle
from symtape.errors import UnsupportedError
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.special import NAMESPACE as SPECIAL
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
    """What is exported: a task, its leaves in order, and what it gives."""

    task: Task
    leaves: list[Leaf]
    output: int
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
        self.doc = _checked(doc.strip() or f"Compute a formula of {', '.join(labels)}.")
        self.scope = Scope(labels, apart=[title], spelled=self._spelled)
        self.inner = self.scope.name(f"_{title}")
        program, inputs, outputs, *_ = formula.task
        source = Source(program, inputs, outputs, self.scope, self.inner)
        self.computation = readable(source.text).rstrip("\n")
        self.function = self._function()
        self.bundle = Bundle(self.scope, title)

    def recorded(self, leaf: Leaf) -> str:
        """Name the recorded value of a leaf."""
        return self.scope.name(f"_RECORDED_{leaf.name}")

    def _spelled(self, template: str) -> str:
        """Let special functions compute in double precision, where a template calls them."""
        return _CALL.sub(lambda found: f"_in_double({_special_text(found[1])}, ", template)

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
            self.bundle.need_import(f"from builtins import {word}", own)

    def _define_special(self, word: str, own: str) -> None:
        function = inspect.unwrap(getattr(SPECIAL, word))
        known = inspect.getclosurevars(function).nonlocals
        if "letter" in known:
            special = self.bundle.need_import(_IMPORTS["special"])
            whole = self.bundle.builtin("int")
            text = _bessel_text(own, special, whole, known["letter"], known["orders"])
            self.bundle.parts.append(text)
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
        parts = [
            "\n".join([f'"""{self.doc}', "", *self._summary(beside), '"""']),
            "from __future__ import annotations",
            imports(self.bundle.import_texts()),
            *recorded,
            *self.bundle.parts,
            self.computation,
            self.function,
        ]
        return joined([part for part in parts if part])

    def _summary(self, beside: str) -> Iterator[str]:
        signature = ", ".join(self._signature())
        texts = self.bundle.import_texts()
        needs = "NumPy" + (" and SciPy" if any("scipy" in text for text in texts) else "")
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
        fill = self.scope.fill
        lines = [
            f"{self.recorded(leaf)} = {fill(_literal(leaf.value))}"
            for leaf in kept
            if not _is_large(leaf)
        ]
        if large:
            file = self.scope.name("_file")
            template = "with np.load(Path({0}).with_name({1}), allow_pickle=False) as {2}:"
            lines.append(fill(template, ["__file__", repr(beside), file]))
            lines += [f'    {name} = {file}["{name}"]' for name in map(self.recorded, large)]
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
        result, decided = self.scope.name("result"), self.scope.name("decided")
        dtype = program.dtypes[self.formula.output].name
        lines += [
            self.scope.fill('with np.errstate(all="ignore"):'),
            f"    {result}{f', *{decided}' if self.formula.guards else ''} = {self.inner}({names})",
            *self._path(decided),
            f'return {result}.astype("{dtype}", copy=False)[()]',
        ]
        return "\n".join([head, *[f"    {line}".rstrip() for line in lines]])

    def _described(self, leaf: Leaf) -> str:
        found = _array(self.formula.program, leaf.position)
        if leaf.value is not None:
            return f"{found}; without it, its recorded value."
        return f"{found}." if leaf.is_needed else f"{found}; the result does not depend on it."

    def _take(self, leaf: Leaf) -> str:
        program, name = self.formula.program, leaf.name
        dtype, shape = program.dtypes[leaf.position].name, program.shapes[leaf.position]
        taken = self.scope.fill(f'_taken("{name}", {{0}}, "{dtype}", {shape})', [name])
        if leaf.value is not None:
            return f"{self.recorded(leaf)} if {name} is None else {taken}"
        return taken if leaf.is_needed else f"None if {name} is None else {taken}"

    def _path(self, decided: str) -> Iterator[str]:
        fill = self.scope.fill
        for k, guard in enumerate(self.formula.guards):
            value = guard.value
            is_truth = isinstance(value, bool)
            wrong = (
                f"bool(np.all({{0}}[{k}])) is not {value}" if is_truth else f"{{0}}[{k}] != {value}"
            )
            yield fill(f"if {wrong}:", [decided])
            where = f"step v{guard.position} was {value}"
            yield fill(f'    raise ValueError("these values take another branch: {where}")')


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


_CALL = re.compile(r"\bspecial\.(\w+)\(")
"""How a template calls a special function."""

_IMPORTS = {
    "np": "import numpy as np",
    "special": "from scipy import special",
    "Path": "from pathlib import Path",
}
"""The words of a module that other libraries have."""

_HELPERS = {"_taken", "_in_double"}


def _special_text(name: str) -> str:
    """Write SciPy's function, or the word for a function of ours."""
    function = inspect.unwrap(getattr(SPECIAL, name))
    known = inspect.getclosurevars(function).nonlocals
    is_scipys = "<locals>" in function.__qualname__ and "letter" not in known
    return f"special.{known.get('scipy_name') or known['name']}" if is_scipys else name


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
    return f"{program.dtypes[position].name}" + (f", shape {shape}" if shape else "")


def _literal(value: Any) -> str:
    """Write an array so that each number comes back bit by bit."""
    text = re.sub(r"\b(nan|inf)\b", r"np.\1", repr(value.tolist()))
    made = f'np.array({text}, dtype="{value.dtype.name}")'
    if 0 in value.shape:
        made = f'np.zeros({value.shape}, dtype="{value.dtype.name}")'
    return f"{made}[()]" if value.shape == () else made
