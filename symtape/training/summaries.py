"""`tf.summary`: writers that take what TensorFlow's take and write nothing.

Nobody here draws curves; a training loop that reports them runs as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from symtape.ops.arguments import plain
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class _State:
    """The writer that is the default, the step, and whether summaries are recorded."""

    writer: SummaryWriter | None = None
    step: Any = None
    recorded: Any = True


class SummaryWriter:
    """A writer that writes nothing (`tf.summary.SummaryWriter`).

    >>> with create_file_writer("logs").as_default(step=1):
    ...     scalar("loss", 0.5).numpy()
    np.False_
    """

    def __init__(self) -> None:
        self._closed = False

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator[SummaryWriter]:
        """A context in which this is the default writer, with a default step if one is given.

        Raises `RuntimeError` for a writer that was closed.
        """
        self.init()
        before = _State.writer, _State.step
        _State.writer = self
        _State.step = _State.step if step is None else step
        try:
            yield self
        finally:
            _State.writer, _State.step = before

    def set_as_default(self, step: Any = None) -> None:
        """Be the default writer from here on; raises `RuntimeError` if it was closed."""
        self.init()
        _State.writer = self
        _State.step = _State.step if step is None else step

    def init(self) -> None:
        """Raise `RuntimeError` for a writer that was closed."""
        if self._closed:
            raise RuntimeError(f"SummaryWriter {self!r} is already closed")

    def flush(self) -> None:
        """Do nothing: nothing waits to be written."""

    def close(self) -> None:
        """Be no longer used."""
        self._closed = True


class _NoWriter(SummaryWriter):
    """A writer that is the default of nothing, as TensorFlow's is."""

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator[Any]:
        """A context in which nothing is another one than before."""
        yield None

    def set_as_default(self, step: Any = None) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def create_file_writer(
    logdir: Any,
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """Make a writer; no file and no folder comes into being.

    >>> create_file_writer("logs").flush()
    """
    return SummaryWriter()


def create_noop_writer() -> SummaryWriter:
    """Make a writer, which writes nothing in TensorFlow, too.

    >>> create_noop_writer().flush()
    """
    return _NoWriter()


def _told(step: Any) -> Tensor:
    """Say that nothing was written; raises `ValueError` if a writer has no step to write for."""
    if _State.writer is not None and step is None and _State.step is None:
        raise ValueError(
            "No step set. Please specify one either through the `step` argument or through "
            "tf.summary.experimental.set_step()"
        )
    return convert(False)


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Check a scalar, and write nothing; gives False, which says so.

    Raises `ValueError` for data with axes, and, where there is a writer, without a step.

    >>> scalar("loss", 0.5, step=1).numpy()
    np.False_
    """
    shape = shape_of(convert(data))
    if shape:
        raise ValueError(f"Expected scalar shape, saw shape: {shape}.")
    return _told(step)


def image(
    name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None
) -> Tensor:
    """Check a batch of images, and write nothing.

    Raises `ValueError` unless there are four axes, and, where there is a writer, without a step.

    >>> image("sample", [[[[0.0]]]], step=1).numpy()
    np.False_
    """
    shape = shape_of(convert(data))
    if len(shape) != 4:
        raise ValueError(f"Shape {shape} must have rank 4")
    return _told(step)


def histogram(
    name: str,
    data: Any,
    step: Any = None,
    buckets: int | None = None,
    description: str | None = None,
) -> Tensor:
    """Write nothing; raises `ValueError` where there is a writer and no step.

    >>> histogram("weights", [0.5, 1.0], step=1).numpy()
    np.False_
    """
    convert(data)
    return _told(step)


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Write nothing; raises `ValueError` where there is a writer and no step.

    >>> text("note", "as before", step=1).numpy()
    np.False_
    """
    return _told(step)


def audio(
    name: str,
    data: Any,
    sample_rate: Any,
    step: Any = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Write nothing; raises `ValueError` where there is a writer and no step.

    >>> audio("tone", [[[0.0]]], 8000, step=1).numpy()
    np.False_
    """
    convert(data)
    return _told(step)


def write(
    tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None
) -> Tensor:
    """Write nothing; raises `ValueError` where there is a writer and no step.

    >>> write("anything", 0.5, step=1).numpy()
    np.False_
    """
    return _told(step)


def flush(writer: Any = None, name: str | None = None) -> None:
    """Do nothing: nothing waits to be written.

    >>> flush()
    """


def should_record_summaries() -> Tensor:
    """Say whether there is a writer, and `record_if` does not speak against it.

    >>> should_record_summaries().numpy()
    np.False_
    """
    recorded = _State.recorded() if callable(_State.recorded) else _State.recorded
    return convert(_State.writer is not None and bool(plain(recorded)))


@contextmanager
def record_if(condition: bool | Callable[[], Any] | Any) -> Iterator[None]:
    """A context in which summaries are recorded if a condition, or what it gives, is true.

    >>> with record_if(False):
    ...     should_record_summaries().numpy()
    np.False_
    """
    before, _State.recorded = _State.recorded, condition
    try:
        yield
    finally:
        _State.recorded = before


def trace_on(
    graph: bool = True, profiler: bool = False, profiler_outdir: str | None = None
) -> None:
    """Do nothing: there is no graph to trace.

    >>> trace_on()
    """


def trace_export(name: str, step: Any = None, profiler_outdir: str | None = None) -> None:
    """Do nothing: there is no graph to trace.

    >>> trace_export("step", step=1)
    """


def trace_off() -> None:
    """Do nothing: there is no graph to trace.

    >>> trace_off()
    """


def set_step(step: Any) -> None:
    """Set the step that summaries without one are of; None takes it away.

    >>> set_step(3)
    >>> get_step()
    3
    >>> set_step(None)
    """
    _State.step = step


def get_step() -> Any:
    """Give the step that summaries without one are of, or None.

    >>> get_step()
    """
    return _State.step
