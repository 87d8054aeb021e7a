"""Functions that were read from files: which program a call takes, and how it is run.

A program is run step by step, so that tapes see the same steps as those of the function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.arguments import is_tensor
from symtape.ops.control.signatures import Structure, children, described, leaves, rebuilt
from symtape.ops.indexing.gathering import check_inside
from symtape.ops.spec import TensorSpec
from symtape.program.kinds.structural import Gather, Scatter
from symtape.program.operations import Constant, Input, Shape, dtype_name
from symtape.program.program import Program
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.custom import Rule
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.variables.variable import Variable
from symtape.training.saved.concrete import Axes, Concrete, Pulled, moved

_MOST_SIZES = 64


KINDS = {
    "positional": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "rest": inspect.Parameter.VAR_POSITIONAL,
    "named": inspect.Parameter.KEYWORD_ONLY,
    "others": inspect.Parameter.VAR_KEYWORD,
}
"""How a parameter is given."""


class Parameter(NamedTuple):
    """A parameter of a function: its name and kind, and the structure of its default, if any."""

    name: str
    kind: str
    default: Structure | None


class Signature(NamedTuple):
    """The structure of positional and named arguments, and the programs for it."""

    arguments: Structure
    programs: tuple[Concrete, ...]


class Running:
    """Runs one program on tensors of any sizes that it can have."""

    def __init__(self, own: Concrete) -> None:
        self._own = own
        self._known: dict[tuple[Shape, ...], tuple[Any, Callable[[int], int]]] = {}
        self._given = [(p, _entering(x)) for p, x in own.leaves]

    @cached_property
    def _axes(self) -> Axes:
        return Axes(self._own)

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        """Compute the results, in their structure."""
        own = self._own
        program, place = self._program(tuple([x.raw.shape for x in tensors]))
        entered = zip(own.arguments, tensors, strict=True)
        known = {place(p): x for p, x in entered}
        known |= {place(p): get() for p, get in self._given}
        outputs = [place(p) for p in own.outputs]
        found = Steps(program, [moved(author, place) for author in own.authors]).computed(
            outputs, known
        )
        results = [found[p] for p in outputs]
        return rebuilt(own.results, lambda leaf: results[leaf[1]])

    def _program(self, shapes: tuple[Shape, ...]) -> tuple[Any, Callable[[int], int]]:
        own = self._own
        if shapes == tuple([own.program.shapes[p] for p in own.arguments]):
            return own.program, lambda p: p
        if shapes not in self._known:
            try:
                made = self._axes.resized(self._axes.numbers(shapes))
            except (ValueError, UnsupportedError) as error:
                raise InvalidArgumentError(
                    message=f"the program of the function is not for shapes {shapes}: {error}"
                ) from None
            if len(self._known) >= _MOST_SIZES:
                self._known.clear()
            self._known[shapes] = made.program, made.place.__getitem__
        return self._known[shapes]


def _entering(thing: Any) -> Callable[[], Tensor]:
    """Say how what is no argument is got at: a variable is read anew, an array is one tensor."""
    if isinstance(thing, Variable):
        return thing.read
    tensor = Tensor(thing)
    return lambda: tensor


def _applied(operation: Any, operands: Sequence[Tensor]) -> Tensor:
    """Apply an operation; places that are taken have to be there."""
    if type(operation) is Gather:
        x, places = operands
        check_inside(places, x.raw.shape[x.raw.ndim - 1 - operation.after])
    if type(operation) is Scatter:
        check_inside(operands[1], operation.size)
    return apply(operation, *operands)


class Steps:
    """Computes the steps of a program, with the gradients that authors say of some."""

    def __init__(self, program: Program, authors: Sequence[Pulled]) -> None:
        self._program = program
        self._authors = {p: author for author in authors for p in author.outputs}

    def computed(self, wanted: Sequence[int], known: Mapping[int, Tensor]) -> dict[int, Tensor]:
        """Compute what is wanted of what is known, and give both."""
        found = dict(known)
        for p in self._schedule(wanted, known):
            operation, *operands = self._program.steps[p]
            if p in found:
                continue
            if p in self._authors:
                found |= self._authored(self._authors[p], found)
            elif type(operation) is Constant:
                found[p] = Literal.of(operation.number, self._program.dtypes[p])
            elif type(operation) is not Input:
                found[p] = _applied(operation, [found[i] for i in operands])
        return found

    def _schedule(self, wanted: Sequence[int], known: Mapping[int, Tensor]) -> list[int]:
        """List the steps in order, with those that only a gradient depends on."""
        ends, found = {*wanted}, self._program.ancestors(wanted, known)
        while True:
            met = {id(a): a for p in found if (a := self._authors.get(p)) is not None}
            more = {p for a in met.values() for p in (*a.inputs, *a.computed) if p is not None}
            if more <= ends:
                return found
            ends |= more
            found = self._program.ancestors(ends, known)

    def _authored(self, author: Pulled, found: dict[int, Tensor]) -> dict[int, Tensor]:
        """Let results have the gradient that their author says."""
        inputs = [None if p is None else found[p] for p in author.inputs]
        results = [found[p] for p in author.computed]
        outs = [Tensor(x.raw) for x in results]

        def pull(cotangents: Sequence[Tensor]) -> list[Tensor | None]:
            given = found | dict(zip(author.cotangents, cotangents, strict=True))
            wanted = [p for p in author.gradients if p is not None]
            made = self.computed(wanted, given)
            own = [None if p is None else made[p] for p in author.gradients]
            return [g for g, x in zip(own, inputs, strict=True) if x is not None]

        rule = Rule(author.name, pull, [(x.raw.shape, x.raw.dtype) for x in results])
        for recording in THREAD.state.recordings:
            recording.record_custom(rule, [x for x in inputs if x is not None], results, outs)
        return dict(zip(author.outputs, outs, strict=True))


class LoadedFunction:
    """A function of a saved object: it takes what the function was saved for.

    Raises `ValueError` and `TypeError` for arguments that it was not saved for, and
    `UnsupportedError` if it could not be saved.
    """

    def __init__(
        self,
        name: str,
        parameters: Sequence[Parameter],
        signatures: Sequence[Signature],
        refused: str | None = None,
    ) -> None:
        self.__name__ = name
        self.parameters, self.signatures, self.refused = parameters, tuple(signatures), refused
        self._running = {id(c): Running(c) for s in signatures for c in s.programs}

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        if self.refused is not None:
            raise UnsupportedError(f"this function could not be saved: {self.refused}")
        given = bound(self.parameters, args, kwargs)
        for converts in (False, True):
            for signature in self.signatures:
                for program in signature.programs:
                    tensors = _taken(signature.arguments, program, given, converts=converts)
                    if tensors is not None:
                        return self._running[id(program)](tensors)
        raise self._unfit(args, kwargs)

    def _unfit(self, args: Any, kwargs: Any) -> Exception:
        if not self.signatures:
            return ValueError("Found zero restored functions for caller function.")
        listed = "\n\n".join(
            f"Option {k}:\n{_listed(*rebuilt(s.arguments, _spec))}"
            for k, s in enumerate(self.signatures, 1)
        )
        return ValueError(
            "Could not find matching concrete function to call loaded from the SavedModel. Got:\n"
            f"{_listed(args, kwargs)}\n\n Expected these arguments to match one of the following "
            f"{len(self.signatures)} option(s):\n\n{listed}"
        )

    def __repr__(self) -> str:
        return f"<LoadedFunction {self.__name__}>"


def _listed(args: Any, kwargs: Any) -> str:
    lines = "\n    * ".join(["", *map(str, args)])
    return f"  Positional arguments ({len(args)} total):{lines}\n  Keyword arguments: {kwargs}"


def _spec(leaf: Structure) -> Any:
    return TensorSpec(leaf[1], leaf[2])


def bound(
    parameters: Sequence[Parameter], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Give what is named its place, and what is not given its default.

    Raises `TypeError` where a function with these parameters does.
    """
    signature = python_signature(parameters)
    try:
        found = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(
            f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and "
            f"kwargs: {kwargs} for signature: {signature}."
        ) from None
    found.apply_defaults()
    return found.args, found.kwargs


def python_signature(parameters: Sequence[Parameter]) -> inspect.Signature:
    """Make a signature of parameters; raises `ValueError` where they are none of a function."""
    return inspect.Signature([_parameter(p) for p in parameters])


def _parameter(p: Parameter) -> inspect.Parameter:
    default = inspect.Parameter.empty if p.default is None else rebuilt(p.default, _spec)
    return inspect.Parameter(p.name, KINDS[p.kind], default=default)


def _taken(
    structure: Structure, program: Concrete, given: Any, *, converts: bool
) -> list[Tensor] | None:
    """Give the tensors of arguments that fit a program; None where they do not."""
    found: list[Tensor] = []
    sizes = iter(program.sizes)
    for spec, value in _paired(structure, given):
        if spec[0] != "tensor":
            if described(value) != spec:
                return None
            continue
        tensor = _as_tensor(value, spec[2], converts=converts)
        if tensor is None or dtype_name(tensor.raw.dtype) != spec[2]:
            return None
        if not TensorShape(next(sizes)).is_compatible_with(tensor.shape):
            return None
        found.append(tensor)
    return found


_MISSING = object()


def _paired(structure: Structure, value: Any) -> Iterator[tuple[Structure, Any]]:
    """Pair the leaves of a structure with what is given for each; what differs fits no leaf."""
    kind, parts = structure[0], children(structure)
    if kind not in {"list", "tuple", "dict"}:
        yield structure, value
    elif described(value)[0] != kind or len(value) != len(parts):
        yield from [(leaf, _MISSING) for leaf in leaves(structure)] or [(("none",), value)]
    elif kind == "dict":
        for key, part in zip(structure[1], parts, strict=True):
            yield from _paired(part, value.get(key, _MISSING))
    else:
        for part, inner in zip(parts, value, strict=True):
            yield from _paired(part, inner)


def _as_tensor(value: Any, dtype: str, *, converts: bool) -> Tensor | None:
    if value is _MISSING or value is None:
        return None
    if is_tensor(value):
        tensor: Tensor = value.read()
        return tensor
    if not converts:
        return None
    try:
        return convert(value, dtype)
    except (TypeError, ValueError):
        return None
