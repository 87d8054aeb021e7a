"""What a function of another framework becomes: one on tensors, with results for examples."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from symtape.functions.tracing.arguments import parameter_names, rest_name
from symtape.nest.trees import Tree, take_apart
from symtape.ops.elementwise.conversion import constant
from symtape.program.operations import identity
from symtape.tape import GradientTape
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply1
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor


def signature_of(names: Sequence[str]) -> inspect.Signature:
    """Give the signature of a function whose arguments are called so, where they can be."""
    own = [name if name.isidentifier() else f"arg{k}" for k, name in enumerate(names)]
    kind = inspect.Parameter.POSITIONAL_ONLY
    return inspect.Signature([inspect.Parameter(name, kind) for name in own])


def positional_names(function: Callable[..., Any], count: int) -> list[str]:
    """Name so many arguments as the parameters of a function; those of `*rest` are numbered."""
    known, rest = parameter_names(function), rest_name(function)
    more = range(len(known), count)
    further = [f"{rest}_{k - len(known)}" if rest else f"x{k}" for k in more]
    return [*known[:count], *further]


Run = Callable[[Sequence[Any], Tree], Any]
"""Runs a framework's function with tensors beside its values: leaves and structure of arguments."""


class ImportedFunction:
    """A function of another framework: called with tensors, it gives tensors that are recorded.

    On each call the framework runs the function for real, and every step of it is done with tensors
    beside and compared; so branches, shapes and random numbers are those of the call. It is called
    under tapes, and by whatever takes a function: `tf.grad`, `tf.hessian`, `tf.value_and_grad`.

    Attributes:
        parameters: What the function holds itself, as the weights of a module, by name: variables.
        examples: The tensors, by name, that the arguments it was imported with have become.

    `names` are those of the tensors in the arguments, which are themselves called as `own_names`
    says. `take` makes a tensor of a leaf of the arguments, or leaves it as it is, where it is no
    tensor for the framework either: a size, a flag.
    """

    def __init__(
        self,
        title: str,
        run: Run,
        arguments: Sequence[Any],
        own_names: Sequence[str],
        names: Sequence[str],
        parameters: Mapping[str, Any],
        take: Callable[[Any], Any] = convert,
    ) -> None:
        self.title, self._run, self._take = title, run, take
        self.parameters = dict(parameters)
        leaves, self._tree = take_apart(tuple(arguments))
        supply = iter(names)
        self._leaves = [
            constant(leaf.raw, name=next(supply)) if isinstance(leaf, Tensor) else leaf
            for leaf in map(take, leaves)
        ]
        tensors = [leaf for leaf in self._leaves if isinstance(leaf, Tensor)]
        self.examples = dict(zip(names, tensors, strict=True))
        self.__signature__ = signature_of(own_names)

    def __repr__(self) -> str:
        return f"<{self.title}({', '.join(self.examples)})>"

    def __call__(self, /, *arguments: Any) -> Any:
        """Run the function; tensors, arrays and numbers are arguments, in any structure."""
        leaves, tree = take_apart(arguments)
        taken = [self._take(leaf) for leaf in leaves]
        if tree == self._tree:
            self._name(leaves, taken)
        return self._run(taken, tree)

    def _name(self, leaves: Sequence[Any], taken: Sequence[Any]) -> None:
        """Call tensors that were made of arrays as the examples are called."""
        tensors = [k for k, leaf in enumerate(taken) if isinstance(leaf, Tensor)]
        for k, name in zip(tensors, self.examples, strict=False):
            if isinstance(leaves[k], np.ndarray):
                taken[k].label = name

    @cached_property
    def _recorded(self) -> tuple[Any, GradientTape]:
        with GradientTape(persistent=True) as tape:
            THREAD.state.recordings[0].keeps = True  # nobody else has what the framework made
            tape.watch([x for x in self.examples.values() if x.raw.dtype.kind in "fcV"])
            leaves, tree = take_apart(self._run(self._leaves, self._tree))
            for example in self.examples.values():  # a formula takes those that it does not need
                THREAD.state.recordings[0].know(example)
            result = tree.build([self._computed(leaf) for leaf in leaves])
        return result, tape

    def _computed(self, leaf: Any) -> Any:
        """Give a result that is an argument as a step, which the conditions of its branch hold."""
        is_own = any([leaf is own for own in self._leaves])
        return apply1(identity, leaf) if is_own and isinstance(leaf, Tensor) else leaf

    @property
    def result(self) -> Any:
        """What it gives for the examples: tensors with all readings, `f.result.latex()`."""
        return self._recorded[0]

    def leaf(self, name: str) -> Any:
        """Give an example or a parameter by its name; `KeyError` names those that there are."""
        known = {**self.examples, **self.parameters}
        if name not in known:
            raise KeyError(f"{self.title} has no leaf {name!r}; it has {', '.join(known)}")
        return known[name]

    def gradient(self, wrt: str) -> Any:
        """Give the gradient of the result for the examples by an example or a parameter."""
        return self._recorded[1].gradient(self.result, self.leaf(wrt))

    def jacobian(self, wrt: str) -> Any:
        """Give the Jacobian of the result for the examples by an example or a parameter."""
        return self._recorded[1].jacobian(self.result, self.leaf(wrt))

    def hessian(self, wrt: str) -> Any:
        """Give the second derivative of a scalar result by an example or a parameter."""
        leaf = self.leaf(wrt)
        with GradientTape() as outer:
            outer.watch(leaf)
            with GradientTape() as tape:
                tape.watch(leaf)
                result = self._run(self._leaves, self._tree)
            gradient = tape.gradient(result, leaf)
        return outer.jacobian(gradient, leaf)
