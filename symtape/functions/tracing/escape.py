"""What depends on what a function is differentiated by, and the error where such a value leaves.

A value that Python or NumPy takes out of a recording is a number from then on: the derivative would
lose what depends on it. Whether something depends is decided by what is connected, as everywhere.
"""

from __future__ import annotations

import linecache
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from itertools import takewhile
from types import CodeType, FrameType
from typing import Any, TypeVar

from symtape.calculus.derive import is_differentiable, reachable
from symtape.errors import EscapedValueError
from symtape.functions.tracing.libraries import way_around
from symtape.program.operations import Call, Item
from symtape.tensor.recording.recorder import Recording

Function = TypeVar("Function", bound=Callable[..., Any])


class Dependence:
    """Which steps of a recording a derivative by the sources can flow from, as far as asked."""

    def __init__(self, recording: Recording, is_source: Callable[[int], bool]) -> None:
        self._recording, self._is_source = recording, is_source
        self._reached: list[bool] = []
        self._calls: dict[int, tuple[bool, ...]] = {}

    def reaches(self, position: int) -> bool:
        """Say whether a derivative by a source can flow from a position."""
        steps = self._recording.steps
        for p in range(len(self._reached), position + 1):
            self._reached.append(self._is_reached(p, steps[p]))
        return self._reached[position]

    def _is_reached(self, p: int, step: Any) -> bool:
        operation, *operands = step
        if type(operation) is Call:
            self._calls[p] = self._through(operation, operands)
            return False
        if not is_differentiable(self._recording.tensors[p].raw.dtype):
            return False
        if type(operation) is Item:
            place: int = operation.parameters[0]
            return self._calls[operands[0]][place]
        if not operands:
            return self._is_source(p)
        return any(self._reached[i] and operation.connects(k) for k, i in enumerate(operands))

    def sources_of(self, position: int) -> str:
        """Name the sources that a position depends on."""
        depends = {position}
        for p in range(position, -1, -1):
            if p in depends:
                depends.update(i for i in self._recording.steps[p][1:])
        leaves = [p for p in sorted(depends) if len(self._recording.steps[p]) == 1]
        found = [self._recording.tensors[p].label for p in leaves if self._reached[p]]
        return ", ".join([label for label in found if label]) or "an argument"

    def _through(self, call: Call, operands: list[int]) -> tuple[bool, ...]:
        own = [p for p, i in zip(call.inputs, operands, strict=True) if self._reached[i]]
        reached = reachable(call.program, own)
        return tuple([reached[p] for p in call.outputs])


_ARRAYS = "np.stack([...]) for np.array([...]), A = np.zeros_like(x) for np.zeros(...)"
_NUMBERS = "np.exp or tf.exp for math.exp"
_VARIABLES = "a tensor of its own in the place of the variable"
_HINTS = {
    "np.asarray": _ARRAYS,
    "float()": f"{_NUMBERS}, {_ARRAYS}",
    "complex()": f"{_NUMBERS}, {_ARRAYS}",
    "tf.Variable()": _VARIABLES,
    "assign()": _VARIABLES,
}


def escaped(tensor: Any, way: str, by: str) -> EscapedValueError:
    """Make the error for a value that leaves, which names the line, what left, and the way out."""
    what = f"a value of shape {tensor.raw.shape} and dtype {tensor.raw.dtype}"
    hint = f" ({_HINTS[way]})" if way in _HINTS else ""
    around = way_around(_within_users()) or f"compute with the tensor itself{hint}"
    return EscapedValueError(
        f"{line_of_user()}{way or 'an operation without a derivative'} takes {what} out of the "
        f"recording of a function, but it depends on {by}, which the function is differentiated "
        f"by, so a part of the derivative would be lost: {around}, or "
        "take tf.stop_gradient(x).numpy() where the value alone is meant"
    )


def raise_escape(error: BaseException) -> None:
    """Raise the error for a value that left, where it is the cause of another error."""
    cause = error.__cause__
    while cause is not None:
        if isinstance(cause, EscapedValueError):
            raise cause from None
        cause = cause.__cause__


def outlived(tensor: Any) -> EscapedValueError:
    """Make the error for a tensor of an earlier run of a function."""
    return EscapedValueError(
        f"{line_of_user()}a tensor of shape {tensor.raw.shape} and dtype {tensor.raw.dtype} was "
        "computed in another run of a differentiated function, kept outside of its recording, and "
        "is used now as if it were a number: give it to the function as an argument, compute it "
        "anew, or keep tf.stop_gradient(x).numpy() where the value alone is meant"
    )


@cache
def _libraries() -> tuple[str, ...]:
    """List the folders that libraries are in, once somebody asks: looking them up takes long."""
    return tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})


def _within_users() -> Iterator[FrameType]:
    """List the frames within the innermost line of the user's."""
    return takewhile(lambda f: f.f_code.co_filename.startswith(_libraries()), _others())


def _others() -> Iterator[FrameType]:
    """List the frames that are not ours."""
    return (f for f in _frames() if f.f_globals.get("__name__", "").split(".")[0] != "symtape")


def line_of_user() -> str:
    """Say which line of the user's code runs: the innermost one that is no library's."""
    frames = [*_others()]
    own = [f for f in frames if not f.f_code.co_filename.startswith(_libraries())]
    frame = next(iter(own or frames), None)
    if frame is None:
        return ""
    name, line = frame.f_code.co_filename, frame.f_lineno
    text = linecache.getline(name, line, frame.f_globals).strip()
    return f"{name}, line {line}{f' ({text})' if text else ''}: "


_RUNNING: set[CodeType] = set()


def running(function: Function) -> Function:
    """Mark the function of ours in which a function of the user's is recorded."""
    _RUNNING.add(function.__code__)
    return function


def _frames() -> Iterator[FrameType]:
    """List the frames from here to where the function that is recorded was called."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to the user's line
    while frame is not None:
        if frame.f_code in _RUNNING:
            return
        yield frame
        frame = frame.f_back
