"""`tf.from_torch`: a PyTorch function or module as a function on tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends.imported import ImportedFunction, positional_names
from symtape.frontends.torch_functions import beneath
from symtape.frontends.torch_functions.dtypes import device_of, to_numpy, torch_module
from symtape.frontends.torch_functions.modules import Held, label
from symtape.frontends.torch_functions.running import entered, follow
from symtape.frontends.torch_functions.tracer import Tracer
from symtape.nest.trees import Tree, take_apart
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


def from_torch(
    function: Callable[..., Any], /, *examples: Any, backward: str = "checked"
) -> ImportedFunction:
    """Make a function on tensors of a PyTorch function or module, with results for examples.

    Args:
        function: A function of torch tensors, or an `nn.Module`. What it gives is a tensor or a
            structure of tensors.
        examples: Its arguments: torch tensors, arrays, floats and tensors, in any structure, become
            tensors, named as in the signature. Integers, truth values, texts and None are handed
            over as they are.

        backward: What an `autograd.Function` is differentiated as. By default as its forward, which
            is compared with its backward; "forward" leaves the comparison out.

    Returns:
        A function of tensors, see `ImportedFunction`. Parameters and buffers of modules are
        variables in `parameters`, by the names that `named_parameters` has; they hold copies.

    Torch runs for real on each call, on copies of what it is given, so that neither arguments nor
    modules change, on the device of the examples, or of the module where these are on none; every
    operation is done with tensors beside and compared. The derivative is
    torch's: what torch's graph does not connect, as what `detach` gives, is not connected.

    Raises:
        ExtraNotInstalledError: Without torch.
        UnsupportedError: For an operation that nobody knows, with its name and the user's line;
            where a value differs from torch's; for a result that is no tensor; where a derivative
            is asked through an `autograd.Function` whose backward is another one.

    The gradient of `from_torch(lambda x: torch.sum(torch.sin(x) * x), torch.ones(2))` by "x" has
    the formula `x[i]*cos(x[i]) + sin(x[i])`.
    """
    torch_module()
    if not callable(function):
        raise TypeError(f"from_torch takes a function or an nn.Module, not {function!r}")
    if backward not in {"checked", "forward"}:
        raise ValueError(f'backward is "checked" or "forward", not {backward!r}')
    held = Held(function)
    inner = function.forward if isinstance(function, torch_module("nn").Module) else function
    own_names = positional_names(inner, len(examples))
    names = _names(own_names, examples)
    owned = [tensor for _, tensor in held.named()]
    device = device_of([*take_apart(examples)[0], *owned])
    title = getattr(function, "__name__", type(function).__name__)

    def run(leaves: Sequence[Any], tree: Tree) -> Any:
        checked, drawn = backward == "checked", torch_module().get_rng_state()
        try:
            return follow(lambda tracer: _run(tracer, held, leaves, tree, device), checked)
        except RuntimeError as error:
            if not beneath.is_refusal(error):
                raise
        torch_module().set_rng_state(drawn)
        return follow(
            lambda tracer: _run(tracer, held, leaves, tree, device, beneath.mode_class()(tracer)),
            checked,
        )

    return ImportedFunction(title, run, examples, own_names, names, held.variables, take)


def take(leaf: Any) -> Any:
    """Make a tensor of a leaf of the arguments; what is no number with a point stays as it is."""
    if isinstance(leaf, torch_module().Tensor):
        return Tensor(to_numpy(leaf))
    if isinstance(leaf, (float, complex)) and not isinstance(leaf, np.generic):
        return Tensor(np.float64(leaf) if isinstance(leaf, float) else np.complex128(leaf))
    if isinstance(leaf, (np.ndarray, np.generic)) or hasattr(leaf, "read_value"):
        return convert(leaf)
    return leaf


def _run(
    tracer: Tracer, held: Held, leaves: Sequence[Any], tree: Tree, device: Any, mode: Any = None
) -> Any:
    given = [
        entered(x, tracer, flows=True, device=device) if isinstance(x, Tensor) else x
        for x in leaves
    ]
    swapped = {
        name: entered(
            held.variables[name].read(),
            tracer,
            flows=bool(tensor.requires_grad),
            device=tensor.device,
        )
        for name, tensor in held.named()
    }
    for name, tensor in held.tensors.items():
        tracer.enter(tensor, _same(name, held.variables[name].read(), tensor), flows=True)
    with tracer.mode(), mode or nullcontext():
        result = held.call(swapped, tree.build(given))
    return _results(tracer, result)


def _same(name: str, value: Tensor, tensor: Any) -> Tensor:
    if not np.array_equal(value.raw, to_numpy(tensor), equal_nan=True):
        raise UnsupportedError(
            f"{name} is a tensor that the function holds, and its variable has another value than "
            "it: give it to the function as an argument, or hold it in a module"
        )
    return value


def _results(tracer: Tracer, result: Any) -> Any:
    leaves, tree = take_apart(result)
    if result is None:
        raise UnsupportedError("the function gave None: it has to return a tensor")
    for path, leaf in zip(tree.paths("result"), leaves, strict=True):
        if not isinstance(leaf, torch_module().Tensor):
            raise UnsupportedError(
                f"the function gave {leaf!r:.60} as {path}, which is no tensor: return tensors, "
                "in any structure"
            )
    return tree.build([tracer.value(leaf) for leaf in leaves])


def _names(own_names: Sequence[str], examples: Sequence[Any]) -> list[str]:
    """Name the tensors among the arguments by these."""
    names: list[str] = []
    for name, example in zip(own_names, examples, strict=True):
        leaves, tree = take_apart(example)
        paths = zip(tree.paths(name), leaves, strict=True)
        names += [label(path) for path, leaf in paths if isinstance(take(leaf), Tensor)]
    return _distinct(names)


def _distinct(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        count = sum(other == name or other.startswith(f"{name}_again") for other in found)
        found.append(f"{name}_again{count}" if count else name)
    return found
