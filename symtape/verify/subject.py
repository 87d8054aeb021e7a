"""A function and a candidate for its derivative: run with floats, or recorded as one program."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import OpError, SymtapeError
from symtape.functions.tracing.arguments import Arguments, parameter_names
from symtape.functions.tracing.tracing import trace
from symtape.nest.trees import take_apart
from symtape.ops.numpy.dtypes import stacked
from symtape.program.program import Program
from symtape.signatures import read_signature
from symtape.tensor.recording.active import THREAD
from symtape.verify.answers import CandidateError, as_array, listed
from symtape.verify.frameworks.dense import written_out
from symtape.verify.frameworks.functions import array_of
from symtape.verify.frameworks.makers import followable
from symtape.verify.question import Question
from symtape.verify.running.limits import is_asked_to_stop, limited
from symtape.verify.running.points import Runner, on_tensors
from symtape.verify.running.watching import Author
from symtape.verify.running.written import signed

OUTSIDE = (
    ArithmeticError,
    AssertionError,
    LookupError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
    TimeoutError,
    np.linalg.LinAlgError,
    OpError,
    SymtapeError,
)
"""What a function raises at a point where it is not defined; a loop may not end there."""

_LEAST, _TIMES = 1.0, 20
"""So many seconds may a function take at a point, and so many times as long as at the example."""
AT_EXAMPLE = 5.0
"""So many seconds may a candidate take to be followed at the example, where it is known to end."""


class Pair(NamedTuple):
    """The truth and a candidate as one program of the same leaves.

    `leaves` are the positions of the inputs and what follows them, `others` the rest with their
    values; `truths` and `answers` are positions, or None where there is no derivative.
    """

    program: Program
    leaves: tuple[int, ...]
    others: dict[int, Any]
    truths: tuple[int | None, ...]
    answers: tuple[int | None, ...]


class Subject:
    """What is judged: arrays go in, arrays come out."""

    def __init__(
        self,
        question: Question,
        function: Callable[..., Any],
        candidate: Callable[..., Any],
        names: Sequence[str],
        count: int,
        seconds: float,
    ) -> None:
        self.question, self.function, self.candidate = question, function, candidate
        self.names, self.count, self.seconds = names, count, seconds
        self.patience = seconds

    def at_example(self, point: Sequence[Any]) -> list[Any]:
        """Derive at the example; what takes much longer elsewhere is not defined there."""
        begin = time.perf_counter()
        found = self.truth(point)
        self.patience = min(self.seconds, max(_LEAST, _TIMES * (time.perf_counter() - begin)))
        return found

    def alone(self) -> Subject:
        """Give the truth as its own candidate."""

        def own(*inputs: Any) -> Any:
            found = self.question.truth(self.function, inputs[: self.count], inputs[self.count :])
            return [*map(_some, found)]

        return self._like(self.question, own)

    def itself(self) -> Subject:
        """Give the function as its own candidate."""

        def own(*inputs: Any) -> Any:
            return self.function(*inputs[: self.count])

        return self._like(Question("value", ()), own)

    def _like(self, question: Question, own: Callable[..., Any]) -> Subject:
        """Give the same function with another question and candidate."""
        made = Subject(question, self.function, own, self.names, self.count, self.seconds)
        made.patience = self.patience
        return made

    def truth(self, point: Sequence[Any]) -> list[Any]:
        """Derive at a point: tensors, or None."""

        def truth(*tensors: Any) -> list[Any]:
            inputs, more = tensors[: self.count], tensors[self.count :]
            return list(self.question.truth(self.function, inputs, more))

        with limited(self.patience, waiting=self.seconds), np.errstate(all="ignore"):
            return list(self.run(truth, self.names, point))

    def numbers(self, point: Sequence[Any]) -> list[Any]:
        """Compute the truth in double precision, by a recorded program where that is at hand."""
        found = None if self.quick is None else self.quick(point)
        return values(self.truth(point)) if found is None else found

    run: Runner = staticmethod(on_tensors)
    """Runs a function of tensors at a point."""

    reason = ""
    """Why the truth is measured, if it is."""

    source: Any = None
    """The function as it was given."""

    quick: Callable[[Sequence[Any]], list[Any] | None] | None = None
    """Gives the numbers of the truth, or None where only the function knows."""

    def values(self, point: Sequence[Any]) -> list[Any]:
        """Run the function itself, and give its results as arrays."""
        with limited(self.patience, waiting=self.seconds), np.errstate(all="ignore"):
            found = self.run(self.function, self.names, point[: self.count])
        return [array_of(x) for x in take_apart(found)[0] if x is not None]

    def answer(self, point: Sequence[Any], shapes: Sequence[Any]) -> list[Any]:
        """Run the candidate on copies of arrays; raises `CandidateError` for a bad answer.

        Arrays whose memory is transposed stay so.
        """
        copies = [x.copy(order="K") for x in point]
        try:
            with limited(self.seconds), np.errstate(all="ignore"), self._quietly():
                parts = self.listed(self.candidate(*copies), len(shapes))
                parts = [*map(written_out, parts)]  # operators are run, too
        except TimeoutError:
            raise CandidateError(f"the candidate gave no answer in {self.seconds:g} s") from None
        except CandidateError:
            raise
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            if is_asked_to_stop(error):
                raise
            first = f": {str(error).splitlines()[0][:200]}" if str(error) else ""
            words = f"the candidate raised {type(error).__name__}{first}{self._misfit(point)}"
            raise CandidateError(words) from error
        for name, before, after in zip(self.names, point, copies, strict=True):
            if not np.array_equal(before, after, equal_nan=before.dtype.kind in "fc"):
                raise CandidateError(f"the candidate changes its input {name}")
        return [*map(as_array, parts)]

    def _misfit(self, point: Sequence[Any]) -> str:
        """Say what a candidate is called with that does not take so much."""
        with suppress(ValueError):  # it has no signature
            try:
                read_signature(self.candidate).bind(*point)
            except TypeError:
                return f"; it is called with {', '.join(self.names)}"
        return ""

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        """Keep what a candidate prints, which is run at hundreds of points, from the reader."""
        text = io.StringIO()
        with redirect_stdout(text):
            yield
        self.prints = self.prints or bool(text.getvalue())

    prints = False
    """Whether a candidate has printed something."""

    def listed(self, found: Any, count: int) -> list[Any]:
        """Give what a candidate gave as a list; raises `CandidateError` for another number."""
        question = self.question
        names = [self.names[k] for k in question.wrt] if question.is_listed else None
        return listed(found, names, count)

    def recorded(
        self, point: Sequence[Any], author: Author | None = None, *, least: float = 0.0
    ) -> Pair | None:
        """Record truth and candidate as one program; None where the candidate leaves for floats.

        `author` hears what the candidate calls the steps, and which lines make them. There are so
        many seconds at `least`.
        """
        pair = self._recorded(point, author, least)
        if pair is None and self._is_as_given:
            self._is_as_given, copy = False, followable(self.candidate)
            if copy is not None:
                self._followed = copy
                pair = self._recorded(point, author, least)
        return pair

    _is_as_given = True
    """Whether what is recorded is the candidate itself, and no copy that makes tensors."""

    _followed: Callable[..., Any] | None = None

    def _recorded(self, point: Sequence[Any], author: Author | None, least: float) -> Pair | None:
        candidate = self._followed or self.candidate

        def both(*inputs: Any) -> Any:
            given = self.question.truth(self.function, inputs[: self.count], inputs[self.count :])
            with author.watches(self.candidate) if author else nullcontext(), self._quietly():
                found = candidate(*inputs)
            own = [*map(stacked, map(_some, self.listed(found, len(given))))]
            if any(isinstance(x, (list, tuple)) for x in own):
                raise CandidateError("lists of what is no number of NumPy's are not followed")
            return [*map(_some, given), *own]

        before, seconds = THREAD.state.recordings, min(self.seconds, max(least, self.patience))
        try:
            with limited(seconds, waiting=self.seconds), np.errstate(all="ignore"):
                traced = trace(
                    both, Arguments(self.names, tuple(point), {}), range(len(point)), again=True
                )
        except (SymtapeError, TimeoutError, CandidateError):
            return None
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            if is_asked_to_stop(error):
                raise  # else it is run with floats, and says so there
            THREAD.state.recordings = before
            return None
        if traced.has_lost or len(traced.results) % 2:
            return None
        found = list(traced.results)
        half = len(found) // 2
        others = {o.position: o.tensor().raw for o in traced.others}
        return Pair(
            traced.program,
            traced.arguments,
            others,
            tuple(found[:half]),
            tuple(found[half:]),
        )


def values(tensors: Sequence[Any]) -> list[Any]:
    """Give arrays of tensors, in double precision; None for no derivative."""
    return [None if t is None else wide(np.asarray(t.numpy())) for t in tensors]


def wide(x: Any) -> Any:
    """Give an array of numbers in double precision."""
    return x.astype("complex128" if x.dtype.kind == "c" else "float64")


def _some(x: Any) -> Any:
    """Give zero for no derivative, and all numbers of what is sparse."""
    return np.zeros(()) if x is None else written_out(x)


def _names_of_forward(function: Any) -> list[str]:
    """List the parameters of a forward; its context is the first where nothing else sets it up."""
    named = list(read_signature(function.forward).parameters)
    is_apart = function.setup_context.__module__ != "torch.autograd.function"
    return named if is_apart else named[1:]


def input_names(function: Callable[..., Any], count: int) -> list[str]:
    """Call inputs as the parameters of the function are called."""
    if isinstance(function, type):  # a torch.autograd.Function, whose forward has names
        named = _names_of_forward(function)
        return [named[k] if k < len(named) else f"arg{k}" for k in range(count)]
    plain = parameter_names(signed(function))
    return [plain[k] if k < len(plain) else f"arg{k}" for k in range(count)]
