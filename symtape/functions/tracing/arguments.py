"""The arguments of one call: leaves that a program takes, and the rest that it is made for."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.functions.tracing.proxies.arrays import require_plain
from symtape.nest.trees import Tree, take_apart
from symtape.signatures import read_signature
from symtape.tensor.dtypes import as_dtype
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

_TENSORS = (Tensor, Variable)
_VALUES = {int, bool, str, bytes, type(None)}


class _Static:
    """Something that is no array: calls with another one are traced anew.

    What never changes is compared by its value. Other things are what they are: two that say that
    they are equal may still differ in what a function reads of them.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def _key(self) -> Any:
        kind = type(self.value)
        return (kind, self.value) if kind in _VALUES else id(self.value)

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Static) and self._key() == other._key()


class Arguments:
    """The arguments of a call, taken apart.

    `leaves` are the arrays and numbers, in order; `spans` says which of them belong to each
    positional argument, and `statics` are the rest. `key` is equal for calls that one program can
    serve. `further` are arrays that the function itself does not take, such as tangents.
    """

    __slots__ = (
        "args", "further", "further_labels", "further_values", "key", "kwargs", "leaves", "names",
        "spans", "statics", "values",
    )  # fmt: skip

    def __init__(self, names: Sequence[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        while kwargs and len(args) < len(names) and names[len(args)] in kwargs:
            kwargs = kwargs.copy()  # what is given by its name has its place all the same
            args = (*args, kwargs.pop(names[len(args)]))
        self.args, self.kwargs, self.names = args, kwargs, names
        self.leaves: list[Any] = []
        self.values: list[Any] = []
        self.statics: list[Any] = []
        self.further: list[Any] = []
        self.further_values: list[Any] = []
        self.further_labels: list[str] = []
        self.spans: list[tuple[int, int]] = []
        parts: list[Any] = []
        for arg in args:
            start = len(self.leaves)
            self._take(arg, parts)
            self.spans.append((start, len(self.leaves)))
        for name, arg in kwargs.items():
            parts.append(name)
            self._take(arg, parts)
        for value in self.values:
            parts += (value.dtype.num, value.shape)
        self.key = tuple(parts)

    def _take(self, arg: Any, parts: list[Any]) -> None:
        value = array_of(arg)
        if value is not None:
            self.leaves.append(arg)
            self.values.append(value)
            parts.append(None)
            return
        leaves, tree = take_apart(arg)
        parts.append(tree)
        for leaf in leaves:
            value = array_of(leaf)
            if value is None:
                self.statics.append(leaf)
                parts.append(_Static(leaf))
            else:
                self.leaves.append(leaf)
                self.values.append(value)
                parts.append(None)

    @property
    def is_plain(self) -> bool:
        """Whether all structures are Python's own, none of a class that has code of its own."""
        return all([take_apart(arg)[1].is_plain for arg in (*self.args, *self.kwargs.values())])

    @property
    def has_tensors(self) -> bool:
        """Whether some argument is a tensor, so that results are tensors."""
        for leaf in (*self.leaves, *self.further):
            if leaf.__class__ is not np.ndarray and isinstance(leaf, _TENSORS):
                return True
        return False

    def with_further(
        self, leaves: Sequence[Any], values: Sequence[Any], labels: Sequence[str]
    ) -> Arguments:
        """Give the same arguments with other arrays besides."""
        made = Arguments(self.names, self.args, self.kwargs)
        made.further, made.further_values = list(leaves), list(values)
        made.further_labels = list(labels)
        return made

    def add(self, argnum: int, given: Any, what: str) -> None:
        """Take something of the structure, shapes and dtypes of an argument, such as its tangent.

        Raises `TypeError` for another structure or dtype, `ValueError` for another shape.
        """
        tree = self.tree_of(argnum, what)
        leaves, own = take_apart(given)
        if tree != own:
            raise TypeError(
                f"{what}: what belongs to {self.where(argnum)} must have its structure, "
                f"{_shown(tree)}, not {_shown(own)}"
            )
        start, stop = self.spans[argnum]
        likes, labels = self.values[start:stop], self.labels()[start:stop]
        for leaf, like, path, label in zip(leaves, likes, tree.paths(), labels, strict=True):
            value = as_like(leaf, like, f"{what}: what belongs to {self.where(argnum)}{path}")
            self.further.append(leaf if isinstance(leaf, _TENSORS) else value)
            self.further_values.append(value)
            self.further_labels.append(getattr(leaf, "label", None) or f"d{label}")

    def rebuild(
        self, leaves: Sequence[Any], standin: Callable[[Any], Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """Make the arguments anew, with other leaves, and with what stands for the rest."""
        supply = iter(leaves)

        def made(arg: Any) -> Any:
            parts, tree = take_apart(arg)
            return tree.build([standin(x) if array_of(x) is None else next(supply) for x in parts])

        return [made(arg) for arg in self.args], {k: made(v) for k, v in self.kwargs.items()}

    def labels(self) -> list[str]:
        """Name each leaf: the parameter, and where in it the leaf is."""
        names = []
        for name, arg in [*zip(self._positional(), self.args, strict=True), *self.kwargs.items()]:
            leaves, tree = take_apart(arg)
            labels = zip(tree.labels(name), leaves, strict=True)
            names += [label for label, leaf in labels if array_of(leaf) is not None]
        return [
            getattr(leaf, "label", None) or label
            for leaf, label in zip(self.leaves, names, strict=True)
        ]

    def _positional(self) -> list[str]:
        return [self.names[k] if k < len(self.names) else f"x{k}" for k in range(len(self.args))]

    def where(self, argnum: int) -> str:
        """Say which argument is meant, in an error."""
        return f"argument {argnum} ({self._positional()[argnum]})"

    def tree_of(self, argnum: int, what: str) -> Tree:
        """Give the structure of an argument to differentiate by; refuse all but arrays of floats.

        Raises `TypeError` for integers and other things that have no derivative.
        """
        leaves, tree = take_apart(self.args[argnum])
        for path, leaf in zip(tree.paths(), leaves, strict=True):
            value = array_of(leaf)
            if value is None or value.dtype.kind not in "fcV":
                kind = "" if value is None else as_dtype(value.dtype).name
                name = f"{self.where(argnum)}{', at ' + path if path else ''}"
                shown = kind or f"{leaf!r:.60} of type {type(leaf).__name__}"
                hint = "; integers have none: give 3.0 for 3" if not kind or kind[0] in "iu" else ""
                raise TypeError(
                    f"{what}: derivatives are with respect to floating or complex numbers, but "
                    f"{name} is {shown}{hint}"
                )
        return tree


def array_of(x: Any) -> Any:
    """Give the array or NumPy scalar that a leaf holds, or None for what is no array.

    Python's integers and booleans are none: they choose a program, such as a number of steps.
    """
    kind = x.__class__
    if kind is list or kind is tuple or kind is dict:
        return None
    if kind is np.ndarray:
        return x if x.ndim and x.dtype.kind in "fciub" and x.dtype.isnative else _read(x)
    if kind is float:
        return np.float64(x)
    if isinstance(x, Tensor):
        return x.raw
    if isinstance(x, Variable):
        return x.handle.tensor.raw
    if kind is complex:
        return np.complex128(x)
    if isinstance(x, (float, complex)) and not isinstance(x, np.generic):
        return np.asarray(x)[()]
    if isinstance(x, (np.generic, np.ndarray)) or (
        hasattr(x, "__array__") and not isinstance(x, type)
    ):
        require_plain(x)
        return _read(x)
    return None


def _read(x: Any) -> Any:
    array = np.asarray(x)
    if array.dtype.kind not in "fciubV":
        return None
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    as_dtype(array.dtype)
    return array[()]


def as_like(leaf: Any, like: Any, where: str) -> Any:
    """Convert a tangent or cotangent to the dtype of what it belongs to; refuse other shapes."""
    value = np.asarray(leaf)[()] if type(leaf) in (int, bool) else array_of(leaf)
    if value is None:
        raise TypeError(f"{where} must be an array, not {leaf!r:.60}")
    if value.shape != like.shape:
        raise ValueError(f"{where} must have shape {like.shape}, not {value.shape}")
    if value.dtype == like.dtype:
        return value
    if isinstance(leaf, _TENSORS) or not np.can_cast(value.dtype, like.dtype, "same_kind"):
        raise TypeError(f"{where} must have dtype {like.dtype}, not {value.dtype}")
    return value.astype(like.dtype)


def _shown(tree: Tree) -> str:
    return repr(tree.build(["*"] * tree.size))


def parameter_names(function: Callable[..., Any]) -> list[str]:
    """List the names of positional parameters, as far as they are known."""
    plain = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
    return [p.name for p in _parameters(function) if p.kind in plain]


def rest_name(function: Callable[..., Any]) -> str:
    """Name the parameter that takes all further positional arguments; "" where there is none."""
    kind = inspect.Parameter.VAR_POSITIONAL
    return next((p.name for p in _parameters(function) if p.kind is kind), "")


def _parameters(function: Callable[..., Any]) -> Sequence[inspect.Parameter]:
    try:
        return list(read_signature(function).parameters.values())
    except (TypeError, ValueError):
        return ()


def called(function: Callable[..., Any], names: Sequence[str]) -> str:
    """Write a function as one calls it.

    >>> called(lambda x, y: x * y, ["x", "y"])
    'lambda x, y'
    >>> called(max, ["a", "b"])
    'max(a, b)'
    """
    if isinstance(function, functools.partial):
        return f"partial({called(function.func, names)})"
    phrase = getattr(function, "phrase", None)
    if isinstance(phrase, str):  # a derivative of a derivative
        return phrase
    qualified = getattr(function, "__qualname__", None) or type(function).__qualname__
    name = qualified.rpartition("<locals>.")[2]
    parameters = ", ".join(names)
    return f"lambda {parameters}" if name == "<lambda>" else f"{name}({parameters})"


def by_arguments(numbers: Sequence[int], names: Sequence[str]) -> str:
    """Say by which arguments a derivative is.

    >>> by_arguments((0, -1), ["w", "b", "x"])
    'by w, x'
    >>> by_arguments((3,), ["w"])
    'by argument 3'
    """
    shown = [names[n] if -len(names) <= n < len(names) else f"argument {n}" for n in numbers]
    return f"by {', '.join(shown) or 'nothing'}"


def itself(thing: Any) -> Any:
    """Give what was given."""
    return thing
