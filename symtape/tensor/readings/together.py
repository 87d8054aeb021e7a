"""`lambdify`: several formulas as one function, which computes what they have in common once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Literal, overload

import sympy as sp

from symtape.compiled.function import Compiled, CompiledFormula, compiled
from symtape.compiled.joining import joined
from symtape.compiled.resized import ResizedFormula
from symtape.nest.trees import LEAF, Tree, take_apart
from symtape.tensor.names import distinct
from symtape.tensor.readings.readable import Readable
from symtape.tensor.readings.readings import Formula, shortest, takes_one_size
from symtape.tensor.recording.provenance import Leaf
from symtape.tensor.values import leave


@overload
def lambdify(
    formulas: Any,
    args: Sequence[Any] | None = None,
    backend: Any = "numpy",
    *,
    check: bool = True,
    sizes: Literal["recorded"] = "recorded",
) -> CompiledFormula: ...


@overload
def lambdify(
    formulas: Any,
    args: Sequence[Any] | None = None,
    backend: Any = "numpy",
    *,
    check: bool = True,
    sizes: Literal["any"],
) -> ResizedFormula: ...


def lambdify(
    formulas: Any,
    args: Sequence[Any] | None = None,
    backend: Any = "numpy",
    *,
    check: bool = True,
    sizes: Literal["recorded", "any"] = "recorded",
) -> CompiledFormula | ResizedFormula:
    """Compile several formulas to one function, which computes what they have in common once.

    `formulas` is a structure of tensors: a list, a tuple, a dict, or these within each other. The
    function gives its results in the same structure, and None where there is None, as for a
    gradient that is not connected. It takes the watched leaves of all of them in the order in
    which they are met, dicts by their sorted keys, or `args`; a leaf that several have is one
    argument, and two that are called alike, as two values of a variable, are `v` and `v_1`. All
    else is as `Tensor.lambdify` has it for one formula, which is what a single tensor gets.

    Raises `TypeError` for what is no tensor, `ValueError` for a structure without any and for an
    argument that is no leaf of them, and what `Tensor.lambdify` raises.

    >>> import symtape as tf
    >>> x = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * tf.exp(x)
    >>> f = tf.lambdify({"value": y, "slope": tape.gradient(y, x)})
    >>> f(0.0)
    {'slope': np.float32(1.0), 'value': np.float32(0.0)}
    >>> print(f.source, end="")
    def f(x):
        v1 = np.exp(x)
        v2 = x*v1
        v3 = v1 + v2
        return v3, v2
    """
    tensors, tree = take_apart(formulas)
    one_size = takes_one_size(sizes)
    for tensor, path in zip(tensors, tree.paths("formulas"), strict=True):
        if not isinstance(tensor, Readable):
            raise TypeError(f"{path} is no tensor with a formula, but {tensor!r:.60}")
        leave(tensor, "lambdify()")
    if not tensors:
        raise ValueError(f"there is no formula in {formulas!r:.60}")
    own: list[Formula] = [tensor.formula for tensor in tensors]
    if tree is LEAF:
        return own[0].lambdify(args, backend, check=check, sizes=sizes)
    return _Together(own, tree).lambdify(args, backend, check=check, one_size=one_size)


class _Together:
    """Formulas whose leaves have names in common."""

    def __init__(self, formulas: Sequence[Formula], tree: Tree) -> None:
        self._formulas, self._tree = formulas, tree
        labels = _labels(formulas)
        self._names = distinct(labels)
        self._called = {labels[key]: name for key, name in reversed(self._names.items())}
        self._needed = {self._name(x) for formula in formulas for x in formula.used}

    def lambdify(
        self, args: Sequence[Any] | None, backend: Any, *, check: bool, one_size: bool
    ) -> CompiledFormula | ResizedFormula:
        given = self._watched() if args is None else [self._name_of(arg) for arg in args]
        chosen = dict.fromkeys(given)
        parts = [self._part(formula, chosen, check=check) for formula in self._formulas]
        whole = joined([shortest(part) for part in parts], self._tree)
        place = dict(whole.arguments)
        made = compiled(
            whole._replace(arguments=tuple([(name, place[name]) for name in chosen])), backend
        )
        if one_size:
            return made
        pairs = zip(self._formulas, parts, strict=True)
        return ResizedFormula(made, [formula.resizing(part) for formula, part in pairs])

    def _watched(self) -> list[str]:
        """Name the watched leaves that are used, or all where none is."""
        used = [x for formula in self._formulas for x in formula.used if x.watched]
        every = [x for formula in self._formulas for x in formula.all_leaves if x.watched]
        return list(dict.fromkeys(map(self._name, used or every)))

    def _part(self, formula: Formula, chosen: Collection[str], *, check: bool) -> Compiled:
        names = {x.position: self._name(x) for x in formula.all_leaves}
        needless = [x for x in formula.all_leaves if names[x.position] not in self._needed]
        known = {names[x.position]: x for x in [*needless, *formula.used]}
        arguments = [known[name] for name in chosen if name in known]
        rest = [x for x in formula.used if names[x.position] not in chosen]
        return formula.part(arguments, rest, names, check=check)

    def _name(self, leaf: Leaf) -> str:
        if leaf.tensor.of is not None:
            return self._names[leaf.tensor.identity]
        return self._called[leaf.label]

    def _name_of(self, arg: Any) -> str:
        """Name the leaf that a symbol, a name or a tensor stands for; `ValueError` if none does."""
        if isinstance(arg, (str, sp.Symbol, sp.IndexedBase)) and str(arg) in self._names.values():
            return str(arg)
        for formula in self._formulas:
            with suppress(ValueError):
                return self._name(formula.leaf_of(arg))
        known = ", ".join(self._names.values())
        raise ValueError(f"{arg!r} is no leaf of the formulas; their leaves are {known}")


def _labels(formulas: Sequence[Formula]) -> dict[Any, str | None]:
    """List the leaves of all formulas; one that a formula does not need has its label alone."""
    leaves = [x for formula in formulas for x in [*formula.used, *formula.all_leaves]]
    found = {x.tensor.identity: x.label for x in leaves if x.tensor.of is not None}
    known = {*found.values()}
    return found | {("needless", x.label): x.label for x in leaves if x.label not in known}
