"""What packages ask of TensorFlow's tapes behind `tf.GradientTape` (`python.eager.record`)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from symtape.tensor.recording.active import THREAD, recorded_by
from symtape.tensor.variables.variable import Variable


def should_record_backprop(tensors: Iterable[Any]) -> bool:
    """Say whether an open tape watches any of some tensors and variables.

    >>> should_record_backprop([])
    False
    """
    recordings, found = THREAD.state.recordings, list(tensors)
    return any([_follows(recording, x) for recording in recordings for x in found])


def _follows(recording: Any, x: Any) -> bool:
    if isinstance(x, Variable):
        return id(x.handle.tensor) in recording.known or bool(recording.watches(x.handle))
    return id(x) in recording.known


def could_possibly_record() -> bool:
    """Say whether any tape is open.

    >>> could_possibly_record()
    False
    """
    return bool(THREAD.state.recordings)


def stop_recording() -> AbstractContextManager[None]:
    """A context in which no open tape records."""
    return recorded_by([])


def watch(tape: Any, tensor: Any) -> None:
    """Watch a tensor on a tape (`python.eager.tape`)."""
    tape.watch(tensor)


def remove_undocumented(
    module_name: str, allowed_exception_list: Any = None, doc_string_modules: Any = None
) -> None:
    """Leave a module with all its names (`python.util.all_util`)."""
