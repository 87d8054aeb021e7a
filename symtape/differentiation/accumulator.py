"""`tf.autodiff.ForwardAccumulator`: derivatives along directions, forward mode."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from sys import _getframe
from typing import Any, Self

from symtape import nest
from symtape.errors import DerivativeError
from symtape.ops.elementwise.arithmetic import add_n
from symtape.program.authors import passed
from symtape.program.operations import Input
from symtape.tape import UnconnectedGradients
from symtape.tensor.convert import convert
from symtape.tensor.derivatives import differentiate
from symtape.tensor.derivatives.fixed import filled
from symtape.tensor.derivatives.surrogate import leading, surrogate
from symtape.tensor.recording.active import THREAD, recorded_by
from symtape.tensor.recording.custom import Rule
from symtape.tensor.recording.graphs import INSIDE
from symtape.tensor.recording.logs import warn
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of
from symtape.tensor.variables.variable import Variable


class ForwardAccumulator:
    """Gives derivatives of what is computed in the block, along directions that are said before.

    `primals` are tensors and variables, or a structure of them, and `tangents` a structure like it
    of directions, each of the shape of its primal. What is no primal has the direction zero. For
    one direction this is a product of the Jacobian with a vector, in the time of a gradient.

    Accumulators and tapes nest: whatever is around an accumulator sees the derivatives that it
    gives, also if they are asked for after the block. A function with a gradient of its own is
    differentiated by what it computes where that has a derivative, and else by the transpose of
    that gradient; within a `tf.function` that is called in the block, always by the transpose. This
    is as in TensorFlow.

    Raises `ValueError` for structures that differ, for a tangent of another shape or dtype, and for
    a primal that is given twice; `AttributeError` for what is no tensor.

    >>> from symtape.tensor.convert import convert
    >>> x = convert(3.0)
    >>> with ForwardAccumulator(x, convert(2.0)) as acc:
    ...     y = x ** 3
    >>> acc.jvp(y).numpy()
    np.float32(54.0)
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        flat = nest.flatten(primals)
        for k, primal in enumerate(flat):
            if any(primal is other for other in flat[:k]):
                raise ValueError(
                    f"Tensor {primal} was specified as a primal multiple times. This may indicate "
                    "an error. If it was intended, please sum the corresponding tangents."
                )
        self._primals: list[tuple[Any, Tensor]] = []
        self._recording: _Forward | None = None
        nest.map_structure(self._watch, primals, tangents)
        self._outer: list[Recording] = []
        self._is_active = False
        self._found: dict[int, Tensor | None] = {}

    def _watch(self, primal: Any, tangent: Any) -> None:
        if not isinstance(primal, (Tensor, Variable)):
            raise AttributeError(f"{type(primal).__name__!r} object has no attribute 'dtype'")
        if not (primal.dtype.is_floating or primal.dtype.is_complex):
            warn(
                "The dtype of the watched primal must be floating (e.g. tf.float32), got %r",
                primal.dtype,
            )
        direction = convert(tangent, primal.dtype)
        if direction.shape != primal.shape:
            raise ValueError(
                f"the tangent has the shape {direction.shape}, and its primal {primal.shape}"
            )
        if direction.label is None:
            direction.find_label(None)
        self._primals.append((primal, direction))
        if self._recording is not None:
            self._record(primal)
            self._found.clear()

    # --- recording --------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        if self._is_active:
            raise ValueError("Accumulator is already recording.")
        recordings = THREAD.state.recordings
        if self._recording is None:
            self._recording = _Forward(False, id(_getframe(1)))
            if recordings:
                self._recording.outermost = recordings[-1].block
            for primal, _ in self._primals:
                self._record(primal)
        self._outer = recordings.copy()
        recordings.insert(0, self._recording)
        self._is_active = True
        return self

    def __exit__(self, *_: object) -> None:
        recordings = THREAD.state.recordings
        recordings[:] = [r for r in recordings if r is not self._recording]
        self._is_active = False

    def _record(self, primal: Any) -> None:
        recording: Any = self._recording
        if isinstance(primal, Variable):
            recording.watch_variable(primal.handle)
        elif primal.raw.dtype.kind in "fcV":
            recording.watch(primal)

    # --- derivatives ------------------------------------------------------------------------------

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """Give the derivatives of tensors, in a structure like theirs: each like its tensor.

        None stands where nothing connects, or zeros if `unconnected_gradients` is "zero". Raises
        `AttributeError` for what is no tensor, and `DerivativeError` where the gradient of a
        function, its author's, has no transpose.
        """
        is_zero = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO

        def fetch(tensor: Any) -> Any:
            if not isinstance(tensor, (Tensor, Variable)):
                raise AttributeError(f"{type(tensor).__name__!r} object has no attribute '_id'")
            found = self._derivative(tensor)
            if found is None and is_zero:
                value = tensor if isinstance(tensor, Tensor) else tensor.handle.tensor
                return filled(0, shape_of(value), dtype_of(value))
            return found

        return nest.map_structure(fetch, primals)

    def _derivative(self, tensor: Any) -> Tensor | None:
        own = [direction for primal, direction in self._primals if primal is tensor]
        if own:
            return own[0] if len(own) == 1 else add_n(own)
        recording = self._recording
        place = None if recording is None else recording.known.get(id(tensor))
        if recording is None or place is None:
            return None
        if place not in self._found:
            with self._seen_outside():
                self._found[place] = _along(recording, place, self._sources(recording))
        return self._found[place]

    def _sources(self, recording: Recording) -> list[tuple[int, Tensor]]:
        """List where primals are recorded, all versions of a variable, with their directions."""
        found: list[tuple[int, Tensor]] = []
        for primal, direction in self._primals:
            if isinstance(primal, Variable):
                positions: Sequence[int] = recording.variables[id(primal.handle)][1]
            else:
                positions = [recording.known[id(primal)]] if id(primal) in recording.known else []
            found += [(p, direction) for p in positions]
        return found

    def _seen_outside(self) -> AbstractContextManager[None]:
        """Let what was around the block record, whether it still is or not."""
        return recorded_by([r for r in self._outer if r.kept is None])


def _along(
    recording: Recording, place: int, sources: Sequence[tuple[int, Tensor]]
) -> Tensor | None:
    """Derive along directions; what has a gradient of its own, by its transpose."""
    directions = [direction for _, direction in sources]
    at = tuple([p for p, _ in sources])
    authors = leading(recording, place)
    if not authors:
        return differentiate.directional(recording, place, at, directions)
    found = surrogate(recording, place)
    if found is None:
        names = ", ".join(sorted({custom.rule.name for custom in authors}))
        raise DerivativeError(
            f"jvp: the gradient of {names}, its author's, is not shown to be linear in the "
            "cotangent, so it has no transpose; tape.gradient and tape.jacobian do without"
        )
    made, moved, _ = found
    return differentiate.directional(made, moved[place], tuple([moved[p] for p in at]), directions)


class _Forward(Recording):
    """What an accumulator records: of functions with gradients of their own, what they compute.

    As in TensorFlow, a `tf.function` that is called in the block is the transpose of its gradient.
    """

    def __init__(self, watches_variables: bool, opener: int) -> None:
        super().__init__(watches_variables, opener)
        self._depth = INSIDE.depth
        self._reached: list[bool] = []

    def watch(self, tensor: Any) -> None:
        """Record what is computed from a tensor, which may have been a constant before."""
        super().watch(tensor)
        self._reached.clear()

    def record_custom(
        self, rule: Rule, inputs: Sequence[Any], results: Sequence[Any], outs: Sequence[Any]
    ) -> None:
        """Record results, and ask for the gradient, as who transposes it does: it may raise."""
        super().record_custom(rule, inputs, results, outs)
        if self.knows(inputs):
            with recorded_by([]):
                rule.pull([filled(1, shape, dtype) for shape, dtype in rule.outputs])

    def takes_rule(self, result: Any) -> bool:
        """Take the author's gradient within functions, and where what is computed has none."""
        return super().takes_rule(result) and (
            INSIDE.depth > self._depth or not self._is_reached(result)
        )

    def _is_reached(self, tensor: Any) -> bool:
        """Say whether a derivative can flow to a tensor from what is watched."""
        reached, position = self._reached, self.known.get(id(tensor))
        for operation, *operands in self.steps[len(reached) :]:
            flows = [reached[p] and operation.connects(k) for k, p in enumerate(operands)]
            is_source = type(operation) is Input and operation.watched
            reached.append(is_source or operation is passed or any(flows))
        return position is not None and reached[position]
