"""Whole documents: a program or a compiled formula as one JSON object with a version."""

from __future__ import annotations

import keyword
import unicodedata
from collections.abc import Sequence
from typing import Any

from symtape.errors import UnsupportedError
from symtape.exchange import arrays, programs
from symtape.exchange.programs import input_of, position_of
from symtape.exchange.reader import Entry, Fields, lines, parse
from symtape.nest.trees import Tree, take_apart
from symtape.program.excerpt import Excerpt, Parcel, TracedProgram
from symtape.program.operations import Input, dtype_named
from symtape.program.program import Program
from symtape.version import __version__

FORMAT = "symtape"
VERSION = 1
"""The version of the form; one that is not known is refused."""

_HEAD = ("format", "version", "kind", "written_by")
_FORMULA = ("output", "arguments", "defaults", "backend")
_TRACED = ("arguments", "results")


def program_text(program: Program) -> str:
    """Write a program, with the arguments and results of one that `trace` gave."""
    own: dict[str, Any] = {}
    flat, place = programs.without_calls(program)
    if isinstance(program, TracedProgram):
        results = [None if p is None else place(p) for p in program.results]
        own = {"arguments": [place(p) for p in program.arguments], "results": results}
    excerpt = Excerpt.of(flat, range(len(flat)), flat.guards)
    return _text("program", {**programs.written(excerpt), **own})


def formula_text(parcel: Parcel) -> str:
    """Write a compiled formula."""
    flat, place = programs.without_calls(parcel.excerpt.program)
    is_same = flat is parcel.excerpt.program
    inputs = [*parcel.arguments, *[(name, p) for name, p, _ in parcel.defaults]]
    wanted = [place(p) for p in [*parcel.outputs, *[p for _, p in inputs]]]
    excerpt = parcel.excerpt if is_same else Excerpt.of(flat, wanted, flat.guards)
    return _text(
        "formula",
        {
            **programs.written(excerpt),
            "output": _output(parcel.tree, [place(p) for p in parcel.outputs]),
            "arguments": [{"name": n, "position": place(p)} for n, p in parcel.arguments],
            "defaults": [
                {"name": n, "position": place(p), "value": arrays.written(value)}
                for n, p, value in parcel.defaults
            ],
            "backend": parcel.backend,
        },
    )


def _output(tree: Tree, places: Sequence[int]) -> Any:
    if not tree.has_texts_for_keys:
        raise UnsupportedError(
            "a file has lists, tuples, and dicts with texts for keys; pickle the formula, or give "
            "its results such a structure"
        )
    return tree.build(places)


def _text(kind: str, body: dict[str, Any]) -> str:
    head = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "written_by": f"symtape {__version__}",
    }
    return lines(head | body)


# --- reading --------------------------------------------------------------------------------------


def read(text: str | bytes) -> Program | Parcel:
    """Read a document; raises `FormatError` that says what is wrong, and where."""
    root = parse(text)
    _check_head(root)
    kind = Fields(root)["kind"].choice(("program", "formula"))
    own = (*_HEAD, *programs.KEYS)
    if kind == "formula":
        return _formula(root.fields((*own, *_FORMULA)))
    return _program(root.fields(own, _TRACED))


def _check_head(root: Entry) -> None:
    if type(root.value) is not dict or root.value.get("format") != FORMAT:
        root.refuse(f'this is no document of symtape: it has no "format": "{FORMAT}"')
    for name in _HEAD:
        if name not in root.value:
            root.refuse(f"the key {name!r} is missing")
    head = Fields(root)
    if head["version"].integer() != VERSION:
        head["version"].refuse(
            f"this is version {head['version'].value}; version {VERSION} can be read"
        )
    head["written_by"].text(200)


def _program(fields: Fields) -> Program:
    excerpt = programs.read(fields)
    if list(excerpt.positions) != list(range(len(excerpt.positions))):
        fields["steps"].refuse("the steps of a whole program are numbered 0, 1, 2, …")
    program = excerpt.program
    present = [name in fields for name in _TRACED]
    if not any(present):
        return program
    if not all(present):
        fields.entry.refuse("arguments and results are there together, or neither is")
    known = {p: p for p in range(len(program))}
    arguments = [position_of(entry, known) for entry in fields["arguments"].items()]
    for p, entry in zip(arguments, fields["arguments"].items(), strict=True):
        if type(program.steps[p][0]) is not Input:
            entry.refuse(f"step {p} is no input")
    results = [
        None if entry.value is None else position_of(entry, known)
        for entry in fields["results"].items()
    ]
    return TracedProgram(program, tuple(arguments), tuple(results))


def _formula(fields: Fields) -> Parcel:
    excerpt = programs.read(fields)
    known = {p: k for k, p in enumerate(excerpt.positions)}
    places, tree = take_apart(fields["output"].value)
    if not places:
        fields["output"].refuse("a formula has a result")
    entries = [Entry(*pair) for pair in zip(places, tree.paths("output"), strict=True)]
    outputs = tuple([position_of(entry, known) for entry in entries])
    program = excerpt.program
    arguments = []
    for entry in fields["arguments"].items():
        own = entry.fields(("name", "position"))
        arguments.append((_name(own["name"]), input_of(own["position"], program, known)))
    defaults = []
    for entry in fields["defaults"].items():
        own = entry.fields(("name", "position", "value"))
        position = input_of(own["position"], program, known)
        k = known[position]
        value = arrays.read(own["value"], excerpt.shapes[k], dtype_named(excerpt.dtypes[k]))
        defaults.append((_name(own["name"]), position, value))
    entered = [*arguments, *[(name, p) for name, p, _ in defaults]]
    for what, found in enumerate(zip(*entered, strict=True)):
        if len(set(found)) < len(found):
            fields.entry.refuse(f"two leaves have one {('name', 'position')[what]}")
    _check_given(fields["steps"], excerpt, outputs, {p for _, p in entered})
    backend = fields["backend"].text(100)
    return Parcel(excerpt, outputs, tuple(arguments), tuple(defaults), backend, tree=tree)


def _name(entry: Entry) -> str:
    name = entry.text(200)
    is_plain = name.isidentifier() and unicodedata.normalize("NFKC", name) == name
    if not is_plain or keyword.iskeyword(name) or name == "__debug__":
        entry.refuse(f"{name!r:.40} is no name of an argument")
    return name


def _check_given(entry: Entry, excerpt: Excerpt, outputs: Sequence[int], given: set[int]) -> None:
    """See that everything that enters has a value."""
    program = excerpt.program
    for p in program.ancestors([*outputs, *[g.position for g in excerpt.guards]]):
        if type(program.steps[p][0]) is Input and p not in given:
            entry.refuse(f"the input at position {p} is neither an argument nor has it a value")
