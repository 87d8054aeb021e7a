"""Parameters and buffers: which ones a function has, and how it runs with others in their place."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from symtape.frontends.torch_functions.dtypes import to_numpy, torch_module
from symtape.tensor.variables.variable import Variable


class Held:
    """What a function holds itself: modules, and tensors that require gradients.

    Attributes:
        variables: A variable for each parameter and buffer of the modules, by the name that
            `named_parameters` has for it, and for each tensor that requires a gradient.
        tensors: The tensors that are held outside of modules, by name.
        module: A module whose parameters and buffers are those in `variables`, or None.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        captured = _captured(function)
        kind = torch_module("nn").Module
        modules = {name: value for name, value in captured.items() if isinstance(value, kind)}
        self.module = function if isinstance(function, kind) else _holder(function, modules)
        self.tensors = {
            name: value
            for name, value in captured.items()
            if isinstance(value, torch_module().Tensor) and value.requires_grad and value.is_leaf
        }
        self.variables: dict[str, Variable] = {}
        for name, tensor in [*self.named(), *self.tensors.items()]:
            trainable = bool(tensor.requires_grad)
            value = to_numpy(tensor)
            self.variables[name] = Variable(value, name=label(name), trainable=trainable)

    def named(self) -> list[tuple[str, Any]]:
        """List parameters and buffers of the modules by name."""
        if self.module is None:
            return []
        return [*self.module.named_parameters(), *self.module.named_buffers()]

    def call(self, given: Mapping[str, Any], arguments: Sequence[Any]) -> Any:
        """Call the function with tensors in place of parameters and buffers."""
        if self.module is None:
            return self.function(*arguments)
        with _flat_weights(self.module):
            return torch_module("func").functional_call(self.module, dict(given), tuple(arguments))


def label(name: str) -> str:
    """Write the name of a parameter as a formula can have it: numbers in front go to the end.

    >>> label("0.weight"), label("encoder.layers.1.bias")
    ('weight_0', 'encoder_layers_1_bias')
    """
    words = [word for word in re.split(r"\W+", name) if word]
    first = next((k for k, word in enumerate(words) if not word[0].isdigit()), 0)
    return "_".join(words[first:] + words[:first])


def _captured(function: Callable[..., Any]) -> dict[str, Any]:
    """List what a function finds outside of itself: closures, globals, the object it belongs to."""
    owner = getattr(function, "__self__", None)
    inner = inspect.unwrap(getattr(function, "__func__", function))
    found = {} if owner is None else {"self": owner}
    if inspect.isfunction(inner):
        seen = inspect.getclosurevars(inner)
        found.update(seen.globals)
        found.update(seen.nonlocals)
    return found


def _holder(function: Callable[..., Any], modules: Mapping[str, Any]) -> Any:
    """Make a module of a function that uses modules, with their names in front."""
    if not modules:
        return None
    base = torch_module("nn").Module

    class Holder(base):  # type: ignore[misc,valid-type]  # torch's, at run time
        def forward(self, *arguments: Any) -> Any:
            return function(*arguments)

    made = Holder()
    for name, module in modules.items():
        made.add_module(name, module)
    return made


@contextmanager
def _flat_weights(module: Any) -> Iterator[None]:
    """Let recurrent modules look their weights up when they are called, past their own list."""
    kind = torch_module("nn").RNNBase
    recurrent = [m for m in module.modules() if isinstance(m, kind)]
    handles = [m.register_forward_pre_hook(_renew) for m in recurrent]
    lists = [m._flat_weights for m in recurrent]  # noqa: SLF001 - which nobody else renews
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
        for m, weights in zip(recurrent, lists, strict=True):
            m._flat_weights = weights  # noqa: SLF001 - likewise


def _renew(module: Any, _: Any) -> None:
    names = module._flat_weights_names  # noqa: SLF001 - torch has no public list of weights
    module._flat_weights = [getattr(module, name) for name in names]  # noqa: SLF001 - likewise
