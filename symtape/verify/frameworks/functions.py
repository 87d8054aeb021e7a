"""Functions of PyTorch and JAX in the judge: what their own backward passes give is judged."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.differentiation.custom_gradient import CustomGradient
from symtape.frontends.imported import ImportedFunction
from symtape.signatures import read_signature
from symtape.tensor.tensor import Tensor
from symtape.verify.frameworks.own_gradients import ByItsRule, by_forward, calls_own_gradient
from symtape.verify.frameworks.own_rules import (
    TORCH,
    applied,
    forward_of,
    is_autograd,
    is_compiled,
    of_apply,
    rule_of_torch,
    within,
)
from symtape.verify.frameworks.rules_of_jax import JAX, rule_of_jax
from symtape.verify.frameworks.whole import around, inner_of
from symtape.verify.question import Question
from symtape.verify.running.points import does_run, on_arrays, on_watched
from symtape.verify.running.written import Written, signed

_EAGER, _LONG = 2, 0.03
"""After so many calls a JAX function is compiled, if they take so many seconds of the processor."""


def framework_of(thing: Any) -> str | None:
    """Say whose a function, a module or an array is: "torch", "jax" or nobody's.

    A function that is compiled, or of which some arguments are given, is whose it is without.
    """
    torch, inner = sys.modules.get("torch"), within(thing)
    if torch is not None and (
        isinstance(inner, (torch.Tensor, torch.nn.Module)) or is_autograd(inner)
    ):
        return "torch"
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(inner, (jax.Array, jax.custom_vjp, jax.custom_jvp)):
        return "jax"
    return None


def array_of(x: Any) -> Any:
    """Make a NumPy array of an array of any framework; a bfloat16 of torch's is one of NumPy's."""
    if framework_of(x) == "torch":
        from symtape.frontends.torch_functions.dtypes import to_numpy  # noqa: PLC0415 - if used

        return np.asarray(to_numpy(x.detach()))
    return np.asarray(x)


def as_function(
    f: Any, inputs: Sequence[Any], candidate: Any = None, wrt: Sequence[int] | None = None
) -> Callable[..., Any]:
    """Give a function on tensors; one of another framework is imported.

    A plain function whose inputs or candidate are another framework's is its, if it does not take
    tensors. Of a function with a gradient of its own it is the forward computation. A
    `torch.autograd.Function` is told that the inputs of `wrt` alone need one.
    """
    f = of_apply(f)
    inner = inner_of(f)
    if isinstance(inner, CustomGradient):
        forward: Callable[..., Any] = around(f, by_forward(inner))
        return forward
    whose = "jax" if is_compiled(inner) else framework_of(f)
    if whose is None and not isinstance(inner, ImportedFunction):
        whose = next(filter(None, map(framework_of, (*inputs, candidate))), None)
        if whose is not None and does_run(on_watched, f, [*map(array_of, inputs)]):
            whose = None
        if whose is None and is_of_jax(f, inputs):
            whose = "jax"
    if whose == "torch":
        return _imported_torch(_applied(f, wrt), inputs)
    if whose == "jax":
        return _imported_jax(f, inputs)
    function: Callable[..., Any] = f
    return function


def _applied(f: Any, wrt: Sequence[int] | None) -> Any:
    """Give the `apply` of an autograd function, for inputs of which some need no gradient."""
    return applied(f, wrt) if is_autograd(inner_of(f)) else f


def of_arrays(f: Any, inputs: Sequence[Any], needing: Sequence[int] = ()) -> Callable[..., Any]:
    """Give a function of arrays that is computed where it was written for.

    A forward of torch is told which inputs are `needing` a gradient.
    """
    inner = inner_of(of_apply(f))
    whose = framework_of(f) or next(filter(None, map(framework_of, inputs)), None)
    is_theirs = whose is not None or is_compiled(inner)
    own: Callable[..., Any] = f
    return run_by_framework(f, inputs, needing) if is_theirs else own


def run_by_framework(
    f: Any, inputs: Sequence[Any], needing: Sequence[int] = ()
) -> Callable[..., Any]:
    """Give a function of arrays that a framework computes, where it cannot be imported."""
    whose = framework_of(f) or next(filter(None, map(framework_of, inputs)), None)
    if isinstance(inner_of(f), ImportedFunction):
        own_one: Callable[..., Any] = f
        return own_one
    f = of_apply(f)
    if whose == "torch":
        run = _from_torch(forward_of(f, needing), _device_of(inputs))
        return lambda *arrays: _detached(run(arrays))
    computed = _FromJax(f)
    return lambda *arrays: computed(arrays)


def _detached(found: Any) -> Any:
    """Take what torch gave out of its graph."""
    if isinstance(found, (tuple, list)):
        return [x.detach() for x in found]
    return found.detach()


def is_of_jax(f: Any, inputs: Sequence[Any]) -> bool:
    """Say whether a plain function is one of JAX, which takes NumPy's arrays as well.

    It is one that takes no tensors, and that JAX can follow.
    """
    if "jax" not in sys.modules or framework_of(f) is not None:
        return False
    arrays = [*map(array_of, inputs)]
    if does_run(on_watched, f, arrays) or does_run(on_arrays, f, arrays):
        return False
    return does_run(_followed_by_jax, f, arrays)


def _followed_by_jax(f: Any, _: Sequence[str], arrays: Sequence[Any]) -> Any:
    from symtape.frontends.jax_functions import framework  # noqa: PLC0415 - an extra

    with framework.with_bits(True):
        return framework.module().make_jaxpr(f)(*arrays)


def _imported_torch(f: Any, inputs: Sequence[Any], device: Any = None) -> ImportedFunction:
    from symtape.frontends.torch_functions.dtypes import to_torch  # noqa: PLC0415 - an extra
    from symtape.frontends.torch_functions.importing import from_torch  # noqa: PLC0415 - an extra

    there = inputs if device is None else [to_torch(x, device) for x in inputs]
    return from_torch(f, *there, backward="forward")


def _device_of(inputs: Sequence[Any]) -> Any:
    """Give the device that inputs of torch are on, where a kernel of the user's computes."""
    from symtape.frontends.torch_functions.dtypes import device_of  # noqa: PLC0415 - an extra

    return device_of(inputs)


def _imported_jax(f: Any, inputs: Sequence[Any]) -> ImportedFunction:
    from symtape.frontends.jax_functions import from_jax  # noqa: PLC0415 - an extra

    return from_jax(f, *map(array_of, inputs), backward="forward")


def backward_of(
    given: Any, question: Question, inputs: Sequence[Any], more: Sequence[Any]
) -> Callable[..., Any] | None:
    """Give what a function of a framework computes for a question by its own rules.

    That is a `torch.autograd.Function` by its backward, a `jax.custom_vjp` by its own, and what
    takes the inputs of such a function alone. Another function of theirs, with inputs of theirs,
    computes the answer itself, of the inputs and what follows them, of which there is `more`. None
    for what is neither. It is called with arrays, and with tensors to be followed. A
    `tf.custom_gradient` is derived by its own rule, too, and so is what takes the inputs alone and
    calls one.
    """
    count = len(inputs)
    if isinstance(inner_of(given), CustomGradient):
        return ByItsRule(given, question, count)
    given = of_apply(given)
    if isinstance(inner_of(given), ImportedFunction):
        return None
    own = framework_of(given) or next(filter(None, map(framework_of, inputs)), None)
    asked, is_derived = given, has_own_rule(given, question.kind, count)
    if own is None and is_of_jax(given, inputs if is_derived else [*inputs, *more]):
        own = "jax"
    if own is None:
        is_tensors = is_derived and calls_own_gradient(given, [*map(array_of, inputs)])
        return ByItsRule(given, question, count) if is_tensors else None
    if is_derived:
        asked = (TORCH if own == "torch" else JAX)[question.kind](given, question, count)
    if own == "torch":
        rule = rule_of_torch(given, question, count, is_derived=is_derived)
        device = _device_of(inputs)
        there, here = (partial(_writing_back, device=d) for d in (device, None))
        ways = _Ways(partial(_imported_torch, device=device), there, here)
        return _Run(asked, ways, rule)
    rule = rule_of_jax(given, question, count, is_derived=is_derived)
    return _Run(asked, _OF_JAX, rule)


_WITH_MORE = ("vjp", "jvp")
"""Questions whose candidates take more than the inputs."""


def has_own_rule(given: Any, kind: str, count: int) -> bool:
    """Say whether something is derived by a framework, and no function that gives derivatives."""
    if isinstance(inner_of(given), CustomGradient) or framework_of(given) is not None:
        return True
    return kind in _WITH_MORE and _takes_alone(given, count)


def _takes_alone(given: Any, count: int) -> bool:
    """Say whether a function takes the inputs, and nothing after them but options."""
    try:
        signature = read_signature(signed(given))
        signature.bind(*range(count))
    except (TypeError, ValueError):
        return False
    return all(p.kind is not p.VAR_POSITIONAL for p in signature.parameters.values())


class _Ways(NamedTuple):
    """How a framework's function is imported, and run on arrays; an edited one is run else.

    An edit may look for entries that are not there. The processor raises then; a device loses all
    that the process has on it, so that edits are not run there.
    """

    importing: Callable[..., ImportedFunction]
    on_arrays: Callable[[Any], Callable[[Sequence[Any]], Any]]
    edited: Callable[[Any], Callable[[Sequence[Any]], Any]]


class _Run:
    """Runs a framework's function on arrays, and imports it where tensors follow it."""

    def __init__(self, function: Any, ways: _Ways, rule: Written | None = None) -> None:
        self.function, self._importing = function, ways.importing
        edited = ways._replace(on_arrays=ways.edited)
        self.written = rule and rule._replace(rebuilt=lambda f: _Run(rule.rebuilt(f), edited))
        self._compute = ways.on_arrays(function)

    @property
    def is_bilinear(self) -> bool:
        """Whether cotangents of complex numbers are JAX's."""
        return self._importing is _imported_jax

    def __call__(self, *inputs: Any) -> Any:
        if any(isinstance(x, Tensor) for x in inputs):
            like = [np.ones(x.shape, x.dtype.as_numpy_dtype) for x in inputs]
            return self._importing(self.function, like)(*inputs)
        return self._compute(inputs)


def _from_torch(f: Any, device: Any) -> Callable[[Sequence[Any]], Any]:
    def run(arrays: Sequence[Any]) -> Any:
        from symtape.frontends.torch_functions.dtypes import to_torch  # noqa: PLC0415 - if used

        return f(*[to_torch(x, device) for x in arrays])

    return run


def _writing_back(f: Any, device: Any) -> Callable[[Sequence[Any]], Any]:
    """Run a candidate of torch; what it writes into its tensors is written into the arrays."""

    def run(arrays: Sequence[Any]) -> Any:
        from symtape.frontends.torch_functions.dtypes import to_numpy, to_torch  # noqa: PLC0415 - if used

        tensors = [to_torch(x, device) for x in arrays]
        found = f(*tensors)
        for x, tensor in zip(arrays, tensors, strict=True):
            if isinstance(x, np.ndarray):  # a number of NumPy's is nothing to write into
                x[...] = to_numpy(tensor.detach())
        return found

    return run


class _FromJax:
    """Runs a JAX function; one that takes long again and again is compiled.

    JAX compiles a loop anew on each call that is not compiled itself.
    """

    def __init__(self, f: Any) -> None:
        self._f, self._run, self._calls = f, f, 0

    def __call__(self, arrays: Sequence[Any]) -> Any:
        from symtape.frontends.jax_functions import framework  # noqa: PLC0415 - an extra

        with framework.with_bits(True):
            if self._run is not self._f:
                try:
                    return self._run(*arrays)
                except Exception:  # noqa: BLE001 - it asks for values, or raises by itself too
                    self._run = self._f
            begin = time.process_time()
            found = self._f(*arrays)
            self._calls += 1
            if self._calls == _EAGER and time.process_time() - begin > _LONG:
                self._run = framework.module().jit(self._f)
            return found


def _once_by_jax(f: Any) -> Callable[[Sequence[Any]], Any]:
    """Run a JAX function that is called a few times: nothing of it is compiled, if that can be."""

    def run(arrays: Sequence[Any]) -> Any:
        from symtape.frontends.jax_functions import framework  # noqa: PLC0415 - an extra

        with framework.with_bits(True):
            try:
                with framework.module().disable_jit():
                    return f(*arrays)
            except Exception:  # noqa: BLE001 - it has to be compiled, or raises by itself too
                return f(*arrays)

    return run


_OF_JAX = _Ways(_imported_jax, _FromJax, _once_by_jax)
