"""`tf.recompute_grad`: less memory for a second run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any, ParamSpec, TypeVar

from symtape import nest
from symtape.differentiation.custom_gradient import custom_gradient
from symtape.ops.elementwise.conversion import identity
from symtape.tape import GradientTape
from symtape.tensor.recording.active import THREAD, recorded_by
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor

P = ParamSpec("P")
R = TypeVar("R")


def recompute_grad(f: Callable[P, R]) -> Callable[P, R]:
    """Give a function of the same values that is run again when a gradient is taken.

    Tapes then keep its arguments and not what it computed on the way. Gradients flow to positional
    arguments and to the trainable variables that it reads, not to other tensors that it takes from
    elsewhere.

    It raises what `f` raises.

    >>> from symtape.ops.elementwise.functions import exp
    >>> from symtape.tensor.convert import convert
    >>> x = convert(0.0)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = recompute_grad(lambda x: exp(exp(x)))(x)
    >>> print(tape.gradient(y, x).expr)
    exp(x + exp(x))
    """

    def recomputed(*args: Any, **kwargs: Any) -> Any:
        result = _without_memory(f, args, kwargs)

        def grad(*upstream: Any, variables: Any = ()) -> Any:
            with _Tape(watch_accessed_variables=False) as tape:
                again = nest.map_structure(identity, args)
                tape.know(nest.flatten(again))
                tape.watch(list(variables))
                value = f(*again, **kwargs)
            sources = [list(again), list(variables)]
            found = tape.gradient(value, sources, list(upstream), "zero")
            return found if variables else found[0]

        return result, grad

    made: Callable[P, R] = update_wrapper(custom_gradient(recomputed), f)
    return made


class _Tape(GradientTape):
    """A tape whose sources have formulas, where others have symbols."""

    def know(self, tensors: Sequence[Tensor]) -> None:
        """Record what is computed from tensors."""
        for tensor in tensors:
            if self._recording is not None and tensor.raw.dtype.kind in "fcV":
                self._recording.know(tensor)


def _without_memory(f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a function so that tapes write down what it does, and keep nothing of what it makes.

    Functions that are traced go on, since their program is all that there is of them.
    """
    recordings = THREAD.state.recordings
    held = [r for r in recordings if not r.refuses]
    if not held:
        return f(*args, **kwargs)
    silent = _Silent(held)
    with recorded_by([*[r for r in recordings if r.refuses], silent]):
        result = f(*args, **kwargs)
    results = [x for x in nest.flatten(result) if isinstance(x, Tensor)]
    for recording in held:
        if recording.knows([silent.tensors[p] for p in silent.entered()]):
            recording.graft(silent, results)
    return result


class _Silent(Recording):
    """Records what is computed of tensors that some tapes know, in their place."""

    def __init__(self, of: Sequence[Recording]) -> None:
        super().__init__(opener=of[0].opener)
        self.outermost = of[-1].block
        self._of = of

    def watches(self, handle: Any) -> bool:
        """Say whether a tape watches a variable."""
        return any([r.watches(handle) for r in self._of])

    def watch_variable(self, handle: Any) -> None:
        """Let the tapes watch it before they know it as a number, and know what they know."""
        for recording in self._of:
            if recording.watches(handle):
                recording.watch_variable(handle)
        self.know(handle.tensor)

    def decided(self, tensor: Any, value: bool | int) -> None:
        """Remember what was decided; what nothing known decided is as it is for the tapes."""
        if self.followed(tensor) is not None:
            super().decided(tensor, value)
            return
        for recording in self._of:
            recording.decided(tensor, value)

    def _record_shadow(self, operation: Any, operands: Sequence[Any], out: Any) -> None:
        if self._adopts(operands):
            self.record(operation, operands, out)
        else:
            super()._record_shadow(operation, operands, out)

    def record_call(self, call: Any, operands: Sequence[Any], results: Sequence[Any]) -> bool:
        """Record a derivative that was taken inside."""
        self._adopts(operands)
        return super().record_call(call, operands, results)

    def _adopts(self, operands: Sequence[Any]) -> bool:
        """Know from now on what the tapes know; say whether there was any."""
        found = [x for x in operands if id(x) not in self.known and self._is_known(x)]
        for x in found:
            self.know(x)
        return bool(found)

    def _is_known(self, tensor: Any) -> bool:
        return any([id(tensor) in r.known for r in self._of])
