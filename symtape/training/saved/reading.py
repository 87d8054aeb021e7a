"""Reading what was written: nothing of it is run, and whatever is of another form is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symtape.errors import FormatError
from symtape.exchange import arrays, programs
from symtape.exchange.reader import Entry, Fields, parse
from symtape.ops.control.signatures import Structure, leaves
from symtape.ops.tracking import Trackable
from symtape.program.authors import passed
from symtape.program.operations import Input, dtype_name, dtype_named
from symtape.program.program import Program
from symtape.tensor.variables.variable import Variable
from symtape.training import files
from symtape.training.saved import structures
from symtape.training.saved.concrete import Concrete, Pulled
from symtape.training.saved.functions import (
    KINDS,
    LoadedFunction,
    Parameter,
    Signature,
    python_signature,
)
from symtape.training.saved.named import SignatureFunction
from symtape.training.saved.writing import DOCUMENT, FORM, VARIABLES

_KINDS = ("object", "variable", "list", "tuple", "dict", "nothing")
_TENSORFLOW = ("saved_model.pb", "saved_model.pbtxt")


class Loaded(Trackable):
    """An object that was read: its variables, parts and functions are attributes, as they were."""

    signatures: Mapping[str, Any]

    if TYPE_CHECKING:  # what its attributes are is in the file

        def __getattr__(self, name: str) -> Any: ...


class CallableLoaded(Loaded):
    """An object that was read and can be called."""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function that was the method `__call__` of its class."""
        return vars(self)["__call__"](*args, **kwargs)


def is_there(folder: Path) -> bool:
    """Say whether a folder has a document."""
    return (folder / DOCUMENT).is_file()


def read(folder: Path) -> tuple[Loaded, dict[str, SignatureFunction]]:
    """Read an object, and the functions that were named as signatures.

    Raises `OSError` where there is none, and `FormatError` for files of another form.
    """
    if not is_there(folder):
        for name in _TENSORFLOW:
            if (folder / name).is_file():
                raise FormatError(
                    f"{folder / name} is a SavedModel that TensorFlow wrote, and symtape reads its "
                    "own: load it with TensorFlow, and save the values of its variables with NumPy"
                )
        shown = "{" + "|".join(_TENSORFLOW[::-1]) + "}"
        raise OSError(f"SavedModel file does not exist at: {folder}/{shown}")
    entry = parse((folder / DOCUMENT).read_bytes())
    found = FORM.read(entry, ("objects", "functions", "signatures"))
    return _built(found, files.read(str(folder / VARIABLES)))


def _built(found: Fields, saved: files.Saved) -> tuple[Loaded, dict[str, SignatureFunction]]:
    entries = list(found["objects"].items())
    if len(entries) != len(saved.nodes):
        found["objects"].refuse(f"the variables are those of {len(saved.nodes)} objects")
    functions: dict[int, list[Fields]] = {}
    for entry in found["functions"].items():
        own = entry.fields(("object", *_FUNCTION))
        functions.setdefault(own["object"].integer(0, len(entries) - 1), []).append(own)
    kinds = [entry.fields(("kind",), ("trainable",)) for entry in entries]
    things = _Objects(kinds, saved, functions).made()
    for place, owned in functions.items():
        for own in owned:
            if not isinstance(things[place], Loaded):
                own["object"].refuse("only an object has functions")
            vars(things[place])[_attribute(own["name"])] = _function(own, things)
    named = [entry.fields(("key", *_FUNCTION), ("names",)) for entry in found["signatures"].items()]
    return things[0], {own["key"].text(): _named(own, things) for own in named}


class _Objects:
    """Makes the objects of a document: parts that are lists, tuples and dicts, last."""

    def __init__(
        self, kinds: Sequence[Fields], saved: files.Saved, functions: Mapping[int, list[Fields]]
    ) -> None:
        self.kinds = [own["kind"].choice(_KINDS) for own in kinds]
        self.nodes, self.saved = saved.nodes, saved
        self.things: dict[int, Any] = {}
        for k, (own, kind) in enumerate(zip(kinds, self.kinds, strict=True)):
            if (kind == "variable") != (saved.nodes[k].value is not None):
                own.entry.refuse("a variable has a value, and nothing else has")
            if kind == "variable":
                self.things[k] = self._variable(own, k)
            elif kind == "object":
                names = [f["name"].text() for f in functions.get(k, ())]
                self.things[k] = CallableLoaded() if "__call__" in names else Loaded()
        self.where = kinds

    def _variable(self, own: Fields, k: int) -> Variable:
        value: Any = self.nodes[k].value
        trainable = own["trainable"].boolean()
        return Variable(self.saved.array(value), trainable=trainable, name=value.name)

    def made(self) -> list[Any]:
        """Make all, and set attributes."""
        if self.kinds[0] != "object":
            self.where[0].entry.refuse("the first object is one with attributes")
        for k in range(len(self.kinds)):
            self._thing(k, ())
        for k, kind in enumerate(self.kinds):
            if kind == "object":
                for name, place in self.nodes[k].parts.items():
                    if self.kinds[place] != "nothing":
                        _attribute(Entry(name, f"the parts of object {k}"))
                        vars(self.things[k])[name] = self.things[place]
        return [self.things.get(k) for k in range(len(self.kinds))]

    def _thing(self, k: int, above: tuple[int, ...]) -> Any:
        if k in above or len(above) > _DEEPEST:
            self.where[k].entry.refuse("lists and dicts hold one another")
        if k not in self.things and self.kinds[k] != "nothing":
            parts = {
                name: self._thing(place, (*above, k)) for name, place in self.nodes[k].parts.items()
            }
            self.things[k] = parts if self.kinds[k] == "dict" else self._listed(k, parts)
        return self.things.get(k)

    def _listed(self, k: int, parts: Mapping[str, Any]) -> Any:
        if list(parts) != [str(n) for n in range(len(parts))]:
            self.where[k].entry.refuse("the parts of a list are numbered")
        return list(parts.values()) if self.kinds[k] == "list" else tuple(parts.values())


def _attribute(entry: Entry) -> str:
    name = entry.text()
    if not name.isidentifier() or name == "_waiting":
        entry.refuse(f"{name!r:.40} is no name of an attribute")
    return name


_DEEPEST = 50
_FUNCTION = ("name", "parameters", "refused", "programs")
_PROGRAM = ("sizes", *programs.KEYS, "inputs", "leaves", "outputs", "results", "authors")


# --- functions ------------------------------------------------------------------------------------


def _function(own: Fields, things: Sequence[Any]) -> LoadedFunction:
    refused = own["refused"]
    return LoadedFunction(
        own["name"].text(),
        _parameters(own["parameters"]),
        [_signature(entry, things) for entry in own["programs"].items()],
        None if refused.value is None else refused.text(),
    )


def _named(own: Fields, things: Sequence[Any]) -> SignatureFunction:
    """Read a signature; files that have no names for its tensors have those of parameters."""
    function = _function(own, things)
    if len(function.signatures) == 0:
        own["programs"].refuse("a signature has a program")
    if "names" not in own or own["names"].value is None:
        return SignatureFunction(own["key"].text(), function)
    names = [entry.text() for entry in own["names"].items()]
    key = own["key"].text()
    made: SignatureFunction = programs.guarded(
        own["names"], lambda: SignatureFunction(key, function, names)
    )
    return made


def _parameters(entry: Entry) -> list[Parameter]:
    found = []
    for part in entry.items():
        parts = list(part.items())
        if len(parts) != 3:
            part.refuse("a parameter is a name, a kind, and a default or null")
        name, kind = parts[0].text(), parts[1].choice(KINDS)
        default = None if parts[2].value is None else structures.read(parts[2])
        found.append(Parameter(name, kind, default))
    programs.guarded(entry, lambda: python_signature(found))
    return found


def _signature(entry: Entry, things: Sequence[Any]) -> Signature:
    own = entry.fields(("arguments", "programs"))
    structure = structures.read(own["arguments"])
    if structure[0] != "tuple" or [part[0] for part in structure[1:]] != ["tuple", "dict"]:
        own["arguments"].refuse("arguments are a tuple and a dict")
    made = [_program(part, structure, things) for part in own["programs"].items()]
    return Signature(structure, tuple(made))


def _program(entry: Entry, structure: Structure, things: Sequence[Any]) -> Concrete:
    own = entry.fields(_PROGRAM)
    excerpt = programs.read(own)
    known = {p: k for k, p in enumerate(excerpt.positions)}
    program = excerpt.program
    arguments = [programs.input_of(part, program, known) for part in own["inputs"].items()]
    specs = [leaf for leaf in leaves(structure) if leaf[0] == "tensor"]
    sizes = [structures.sizes(part) for part in own["sizes"].items()]
    if len(specs) != len(arguments) or len(sizes) != len(arguments) or excerpt.guards:
        entry.refuse("there is not one input for each tensor of the arguments")
    for p, spec, shape in zip(arguments, specs, sizes, strict=True):
        if dtype_name(program.dtypes[p]) != spec[2] or not _fits(program.shapes[p], shape):
            own["sizes"].refuse(f"the input at {p} is no {spec[2]} {shape}")
    outputs = tuple([programs.position_of(part, known) for part in own["outputs"].items()])
    entered = [_leaf(part, program, known, things) for part in own["leaves"].items()]
    authors = tuple([_author(part, program, known) for part in own["authors"].items()])
    given = [*arguments, *[p for p, _ in entered], *[p for a in authors for p in a.cotangents]]
    _check_entered(entry, program, given, [*outputs, *[p for a in authors for p in a.positions]])
    results = structures.read(own["results"], len(outputs))
    inputs = tuple(arguments)
    return Concrete(tuple(sizes), program, inputs, tuple(entered), outputs, results, authors)


def _author(entry: Entry, program: Program, known: Mapping[int, int]) -> Pulled:
    """Read a gradient that its author says, whose shapes and dtypes are those that it is by."""
    own = entry.fields(Pulled._fields)

    def positions(name: str) -> list[Any]:
        parts = own[name].items()
        return [None if p.value is None else programs.position_of(p, known) for p in parts]

    author = Pulled(own["name"].text(), *[tuple(positions(n)) for n in Pulled._fields[1:]])
    _, inputs, computed, outputs, cotangents, gradients = author
    pairs = [*zip(inputs, gradients, strict=False)]
    pairs += [*zip(computed, outputs, strict=False), *zip(outputs, cotangents, strict=False)]
    counts = len(inputs) - len(gradients), len(computed) - len(outputs)
    if any(counts) or len(outputs) != len(cotangents) or None in (*computed, *outputs, *cotangents):
        entry.refuse("there is not one gradient for each input, or cotangent for each result")
    for p, q in pairs:
        if p is not None and q is not None and _kind(program, p) != _kind(program, q):
            entry.refuse(f"what is at {p} and at {q} has one shape and dtype")
    for p, q in zip(computed, outputs, strict=True):
        if program.steps[q] != (passed, p):
            own["outputs"].refuse(f"the step at {q} does not pass on what is at {p}")
    for p in cotangents:
        if type(program.steps[p][0]) is not Input:
            own["cotangents"].refuse(f"step {p} is no input")
    return author


def _kind(program: Program, p: int) -> Any:
    return program.shapes[p], dtype_name(program.dtypes[p])


def _fits(shape: Sequence[int], sizes: Any) -> bool:
    return (
        sizes is not None
        and len(shape) == len(sizes)
        and all(m in (None, n) for n, m in zip(shape, sizes, strict=True))
    )


def _leaf(
    entry: Entry, program: Program, known: Mapping[int, int], things: Sequence[Any]
) -> tuple[int, Any]:
    own = entry.fields(("position",), ("variable", "array"))
    p = programs.input_of(own["position"], program, known)
    shape, dtype = program.shapes[p], program.dtypes[p]
    if ("variable" in own) == ("array" in own):
        entry.refuse("a leaf is a variable, or an array")
    if "array" in own:
        return p, arrays.read(own["array"], shape, dtype_named(dtype.name))[()]
    variable = things[own["variable"].integer(0, len(things) - 1)]
    is_one = isinstance(variable, Variable) and variable.dtype.name == dtype.name
    if not is_one or tuple(variable.shape) != shape:
        own["variable"].refuse(f"it is no variable of {dtype.name} {shape}")
    return p, variable


def _check_entered(
    entry: Entry, program: Program, entered: Sequence[int], outputs: Sequence[int]
) -> None:
    """See that everything that enters has a value, once."""
    if len({*entered}) < len(entered):
        entry.refuse("an input has two values")
    for p in program.ancestors(outputs):
        if type(program.steps[p][0]) is Input and p not in entered:
            entry.refuse(f"the input at position {p} has no value")
