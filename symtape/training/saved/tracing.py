"""A function for one structure of arguments, as a program that is saved.

Sizes that are left open are tried twice: the program that was recorded at some sizes, made again
for others, has to be the one that is recorded there. So a number that Python reads of a size, and
that no rule follows, is seen, and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.exchange.fields import DTYPES
from symtape.functions.tracing import tracing
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.trace import Trace
from symtape.functions.transforms.programs import example
from symtape.nest.trees import Tree
from symtape.ops.control.signatures import Structure, leaves, rebuilt, unnoted
from symtape.ops.spec import TensorSpec
from symtape.program.kinds.structural import Gather, Reshape, Scatter
from symtape.program.operations import Cast, Shape, dtype_name
from symtape.program.program import Program
from symtape.tensor.recording.active import recorded_by
from symtape.tensor.recording.custom import Custom, Rule
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.versions import Version, unassigned
from symtape.training.saved.concrete import Axes, Concrete, Pulled, ends, moved

_FIRST = ((12, 36), (12, 12), (12, 64))
"""What is tried for open sizes: that of first axes, which are batches, and that of others."""

_SEARCHED = [pair for n in range(2, 64) if (pair := (12, n)) not in _FIRST]
"""What is tried where no call passes: others may have to fit an array that the function has."""

RANKS = range(5)
"""For so many axes a function is kept whose argument may have any number of them."""


class _Kept(Trace):
    """A recording that has to stand for a function at all values: nothing may be read of them."""

    authors: tuple[Pulled, ...] = ()
    changes = 0
    looks: tuple[Tensor, ...] = ()

    def changed(self) -> None:
        """Count what is done anew on every call."""
        self.changes += 1
        super().changed()

    def looked_at(self, tensor: Any) -> None:
        """Remember what was read, if it is a variable, or was computed here, and is no size."""
        place = id(tensor)
        position = self.known.get(place, self.others.get(place))
        if isinstance(tensor, Version) or (position is not None and not self.is_of_sizes(position)):
            self.looks += (tensor,)

    def record_custom(
        self, rule: Rule, inputs: Sequence[Any], results: Sequence[Any], outs: Sequence[Any]
    ) -> None:
        """Record results of a function with a gradient of its own, and that gradient."""
        if not self.knows(inputs) or any(out.raw.dtype.kind not in "fcV" for out in outs):
            super().record_custom(rule, inputs, results, outs)
            return
        Recording.record_custom(self, rule, inputs, results, outs)
        (custom,), self.customs = self.customs, ()
        with recorded_by([self]):
            self.authors += (self._pulled(custom, results),)

    def _pulled(self, custom: Custom, results: Sequence[Any]) -> Pulled:
        """Run an author's function on made-up cotangents, which are leaves."""
        given = [Tensor(example(TensorSpec(*like))[()]) for like in custom.rule.outputs]
        for cotangent in given:
            self.watch(cotangent)
        gradients = custom.rule.pull(given)
        return Pulled(
            custom.rule.name,
            custom.inputs,
            tuple([self._place(x) for x in results]),
            tuple([p for p in custom.outputs if p is not None]),
            tuple([self._place(u) for u in given]),
            tuple([None if g is None else self._place(g) for g in gradients]),
        )

    def has_lost_values(self) -> bool:
        """Say whether values decided something, but for places that have to be there.

        These are looked at on each call (`functions.py`).
        """
        if not all(self.is_of_sizes(g.position) for g in self.guards):
            return True
        return not all(self._is_place(tensor) for tensor in self.looks)

    def _is_place(self, tensor: Any) -> bool:
        """Say whether a tensor does nothing but say where elements are taken from, or put."""
        if tensor.raw.dtype.kind not in "iu" or isinstance(tensor, Version):
            return False
        places = {self._place(tensor)}
        for p, (operation, *operands) in enumerate(self.steps):
            met = [k for k, i in enumerate(operands) if i in places]
            if not met:
                continue
            if type(operation) in (Reshape, Cast):
                places.add(p)
            elif type(operation) not in (Gather, Scatter) or met != [1]:
                return False
        return True


def concrete(function: Callable[..., Any], structure: Structure) -> list[Concrete]:
    """Give the programs of a function for one structure of arguments.

    There is one for each number of axes, where some argument may have any. Raises
    `UnsupportedError` where no program stands for the function, and what the function raises.
    """
    for kind, *rest in leaves(structure):
        if kind == "other":
            raise UnsupportedError(f"an argument of type {rest[0]} is no part of a program")
        if kind == "tensor" and rest[1] not in DTYPES:
            raise UnsupportedError(f"an argument of {rest[1]} is no part of a program")
    tensors = [leaf for leaf in leaves(structure) if leaf[0] == "tensor"]
    if all(leaf[1] is not None for leaf in tensors):
        return [_of_ranks(function, structure, [leaf[1] for leaf in tensors])]
    found: list[Concrete] = []
    refused: Exception | None = None
    for rank in RANKS:
        sizes = [(None,) * rank if leaf[1] is None else leaf[1] for leaf in tensors]
        try:
            found.append(_of_ranks(function, structure, sizes))
        except Exception as error:  # noqa: BLE001 - it is raised where no number of axes passes
            refused = refused or error
    if not found and refused is not None:
        raise refused
    return found


def _of_ranks(
    function: Callable[..., Any], structure: Structure, sizes: Sequence[tuple[int | None, ...]]
) -> Concrete:
    """Record a function, and see that it is the same at other sizes."""
    first = _at_first_sizes(function, structure, sizes)
    if not any(None in shape for shape in sizes):
        return first
    sizes = first.sizes
    axes = Axes(first)
    used = count(16, 4)
    numbers = {root: next(used) for root in axes.open}
    again = _recorded(function, structure, axes.shapes(numbers), sizes)
    made = axes.resized(numbers)
    if _steps(made.program, axes.moved(made)) != _steps(again.program, ends(again)):
        raise UnsupportedError(
            "what it computes at other sizes is not what it computes at these, with other sizes: "
            "a number was read of a shape; give the sizes in its input_signature"
        )
    return first


def _at_first_sizes(
    function: Callable[..., Any], structure: Structure, sizes: Sequence[tuple[int | None, ...]]
) -> Concrete:
    """Record a function where sizes that are open are such that it can be called.

    What can be called for one size alone, as for so many features, has that size.
    """
    failed: Exception | None = None
    is_wide = any(None in shape[1:] for shape in sizes)
    for batch, other in (*_FIRST, *_SEARCHED) if is_wide else _FIRST[:1]:
        searched = [
            tuple([other if n is None and k else n for k, n in enumerate(shape)]) for shape in sizes
        ]
        shapes = [tuple([batch if n is None else n for n in shape]) for shape in searched]
        own = searched if (batch, other) in _SEARCHED else sizes
        try:
            return _recorded(function, structure, shapes, own)
        except (InvalidArgumentError, ValueError) as error:
            failed = failed or error
    raise AssertionError if failed is None else failed


# --- recording ------------------------------------------------------------------------------------


def _recorded(
    function: Callable[..., Any],
    structure: Structure,
    shapes: Sequence[Shape],
    sizes: Sequence[tuple[int | None, ...]],
) -> Concrete:
    """Record a function on made-up tensors of some shapes."""
    dtypes = [leaf[2] for leaf in leaves(structure) if leaf[0] == "tensor"]
    examples = [
        Tensor(example(TensorSpec(shape, dtype))[()])
        for shape, dtype in zip(shapes, dtypes, strict=True)
    ]

    def call(*tensors: Tensor) -> Any:
        rest = iter(tensors)
        args, kwargs = rebuilt(structure, lambda _: next(rest))
        return function(*args, **kwargs)

    arguments = Arguments((), tuple(examples), {})
    recording = _Kept(arguments, range(len(examples)))
    with unassigned(), unnoted():
        result = tracing.run(recording, call, arguments)
    traced = tracing.finish(recording, len(examples), result, None)
    _check(recording, traced)
    outputs = tuple([p for p in traced.results if p is not None])
    places = recording.program()[1]
    authors = tuple([moved(author, places.__getitem__) for author in recording.authors])
    cotangents = {p for author in authors for p in author.cotangents}
    return Concrete(
        tuple(sizes),
        _unguarded(traced.program),
        traced.arguments,
        tuple([(o.position, _kept(o)) for o in traced.others if o.position not in cotangents]),
        outputs,
        _structure(traced.tree, iter(range(len(outputs)))),
        authors,
    )


def _check(recording: _Kept, traced: tracing.Traced) -> None:
    if recording.changes:
        raise UnsupportedError(
            "it assigns variables or draws random numbers, which a program does not; keep what "
            "trains outside of the object, and draw before the call"
        )
    if recording.has_lost_values():
        raise UnsupportedError(
            "values of its arguments or variables decide what it computes; use tf.where, or "
            "tensors for what is read as numbers"
        )
    if traced.plain and any(x is not None for x in traced.plain):
        raise UnsupportedError(f"it gives {traced.plain[0]!r:.60}, which is no tensor")


def _unguarded(program: Program) -> Program:
    """Leave out what was decided by sizes: it is the same at these, and is seen at others."""
    return Program(program.steps, program.shapes, program.dtypes, (), program.recorded)


def _kept(other: tracing.Outsider) -> Any:
    """Give the variable, or the array as it is; raises `UnsupportedError` for texts."""
    if dtype_name(other.tensor().raw.dtype) not in DTYPES:
        raise UnsupportedError("it has a tensor of texts, which are no part of a program")
    return other.tensor().raw if other.variable is None else other.variable


def _structure(tree: Tree, places: Iterator[int]) -> Structure:
    """Write the structure of results, whose leaves are numbered."""
    if tree.type is None:
        return "result", next(places)
    if tree.type is type(None):
        return "none", None
    parts = [_structure(part, places) for part in tree.branches]
    if tree.type is dict and all(type(key) is str for key in tree.keys):
        return "dict", tuple(tree.keys), *parts
    if tree.type in (list, tuple):
        return tree.type.__name__, *parts
    raise UnsupportedError(f"it gives a {tree.type.__name__}; give tensors, lists, tuples or dicts")


# --- comparing programs -------------------------------------------------------------------------


def _steps(program: Program, ends: Sequence[int]) -> list[Any]:
    """Write what positions are computed from, in numbers of its own: equal programs are equal."""
    number: dict[int, int] = {}
    found: list[Any] = []
    stack = [*reversed(ends)]
    while stack:
        p = stack[-1]
        operation, *operands = program.steps[p]
        missing = [i for i in reversed(operands) if i not in number]
        if p in number or missing:
            stack = stack[:-1] if p in number else stack + missing
            continue
        number[stack.pop()] = len(found)
        inner = [number[i] for i in operands]
        found.append((operation, *inner, program.shapes[p], program.dtypes[p]))
    return [*found, [number[p] for p in ends]]
