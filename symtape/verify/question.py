"""What is asked of a candidate: which derivative, by what, and what it is called with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from symtape.functions.transforms.products import jvp
from symtape.nest.trees import take_apart
from symtape.ops.elementwise.conversion import convert_to_tensor
from symtape.ops.elementwise.functions import conj
from symtape.tape import GradientTape


class Question(NamedTuple):
    """A derivative: its name, the inputs that it is taken by, and how many follow them.

    A candidate is called with the inputs, and for `vjp` with cotangents of all results, for `jvp`
    with a tangent of each input that is judged, after them. One that `is_bilinear` pairs complex
    cotangents with changes as JAX does, without conjugates: JAX's derivatives by complex numbers
    are the conjugates of TensorFlow's.
    """

    kind: str
    wrt: tuple[int, ...]
    is_bilinear: bool = False

    def truth(
        self, function: Callable[..., Any], inputs: Sequence[Any], more: Sequence[Any]
    ) -> Any:
        """Derive on tensors; a list of tensors or None, one for each thing asked."""
        derive = _TRUTHS[self.kind]
        if not (self.is_bilinear and self.kind in _COVARIANT):
            return derive(self, function, inputs, more)
        found = derive(self, function, inputs, [*map(_conjugate, more)])
        return [*map(_conjugate, found)]

    @property
    def is_listed(self) -> bool:
        """Whether there is one answer for each input, and not one for each result."""
        return self.kind not in {"value", "jvp"}


_COVARIANT = ("gradient", "vjp", "jacobian")
"""Questions whose answers are cotangents."""


def _conjugate(x: Any) -> Any:
    """Conjugate a tensor of complex numbers, and nothing else."""
    if x is None:
        return None
    x = convert_to_tensor(x)
    return conj(x) if x.dtype.is_complex else x


def _flat(results: Any) -> list[Any]:
    return [convert_to_tensor(r) for r in take_apart(results)[0]]


def _taped(question: Question, function: Any, inputs: Sequence[Any]) -> tuple[Any, Any, Any]:
    """Run the function under a tape; give the tape, the sources, the results."""
    args = [convert_to_tensor(x) for x in inputs]
    sources = [args[k] for k in question.wrt]
    with GradientTape(persistent=True) as tape:
        tape.watch(sources)
        results = _flat(function(*args))
    return tape, sources, results


def _scalar(question: Question, results: Sequence[Any]) -> Any:
    if len(results) != 1 or results[0].shape != ():
        shapes = ", ".join(str(tuple(r.shape)) for r in results)
        raise ValueError(
            f"verify.{question.kind}() takes a function with a scalar result, and this one gives "
            f"{shapes}; use verify.vjp() or verify.jacobian()"
        )
    return results[0]


def _value(_: Question, function: Any, inputs: Sequence[Any], __: Any) -> Any:
    return _flat(function(*[convert_to_tensor(x) for x in inputs]))


def _gradient(question: Question, function: Any, inputs: Sequence[Any], _: Any) -> Any:
    tape, sources, results = _taped(question, function, inputs)
    return tape.gradient(_scalar(question, results), sources)


def _vjp(question: Question, function: Any, inputs: Sequence[Any], upstream: Any) -> Any:
    tape, sources, results = _taped(question, function, inputs)
    return tape.gradient(results, sources, output_gradients=list(upstream))


def _jvp(question: Question, function: Any, inputs: Sequence[Any], tangents: Any) -> Any:
    args = [convert_to_tensor(x) for x in inputs]

    def of_judged(*primals: Any) -> Any:
        for k, x in zip(question.wrt, primals, strict=True):
            args[k] = x
        return _flat(function(*args))

    return jvp(of_judged, [args[k] for k in question.wrt], list(tangents))[1]


def _jacobian(question: Question, function: Any, inputs: Sequence[Any], _: Any) -> Any:
    tape, sources, results = _taped(question, function, inputs)
    if len(results) != 1:
        raise ValueError(
            f"verify.jacobian() takes a function with one result, and this one gives {len(results)}"
        )
    return tape.jacobian(results[0], sources)


def _hessian(question: Question, function: Any, inputs: Sequence[Any], _: Any) -> Any:
    if len(question.wrt) != 1:
        raise ValueError("verify.hessian() is by one input: say which with wrt=")
    args = [convert_to_tensor(x) for x in inputs]
    source = args[question.wrt[0]]
    with GradientTape(persistent=True) as outer:
        outer.watch(source)
        gradient = _gradient(question, function, args, ())[0]
    return [None if gradient is None else outer.jacobian(gradient, source)]


_TRUTHS: dict[str, Callable[..., Any]] = {
    "value": _value,
    "gradient": _gradient,
    "vjp": _vjp,
    "jvp": _jvp,
    "jacobian": _jacobian,
    "hessian": _hessian,
}
