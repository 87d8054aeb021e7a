"""What programs ask of `tf.autograph`: here Python itself runs, and no function is rewritten."""

from __future__ import annotations

import enum
import inspect
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

from symtape.errors import UnsupportedError
from symtape.stand_in.devices.runtime import inside_function
from symtape.tensor.indexing.rows import end_loop_after

_Function = TypeVar("_Function", bound=Callable[..., Any])


class ConversionError(Exception):
    """Something that is no function of Python's has no code to look at."""


class Feature(enum.Enum):
    """What TensorFlow may do while it rewrites code."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


def to_graph(
    entity: _Function, recursive: bool = True, experimental_optional_features: Any = None
) -> _Function:
    """Give a function as it is, for it decides and loops by tensors without being rewritten.

    Raises `ConversionError` for what has no code of Python's.

    >>> to_graph(lambda x: x if x > 0 else -x)(-2)
    2
    """
    _code(entity)
    return entity


def to_code(
    entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: Any = None
) -> str:
    """Give the text of a function as it was written, which is the code that runs.

    Raises `ConversionError` for what has no code of Python's.

    >>> to_code(textwrap.dedent).startswith("def dedent")
    True
    """
    _code(entity)
    return textwrap.dedent(inspect.getsource(entity))


def _code(entity: Any) -> None:
    if not hasattr(entity, "__code__"):
        raise ConversionError(
            f"converting {entity}: ValueError: Cannot apply autograph to a function that doesn't "
            "expose a __code__ object. If this is a @tf.function, try passing f.python_function "
            "instead."
        )


def set_loop_options(
    parallel_iterations: Any = None,
    swap_memory: Any = None,
    maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:
    """Have a loop over a tensor end after `maximum_iterations`; the other options change nothing.

    Python runs loops one step at a time, and asks for no shapes. The number holds for loops that
    TensorFlow traces, and for no others: within a `tf.function`, in the first line of the body.
    For another loop than one over a tensor it raises `UnsupportedError` there.

    >>> set_loop_options(parallel_iterations=1)
    """
    if maximum_iterations is None or not inside_function():
        return
    if not end_loop_after(int(maximum_iterations)):
        raise UnsupportedError(
            f"tf.autograph.experimental.set_loop_options(maximum_iterations={maximum_iterations}) "
            "within a tf.function: it ends loops over tensors, for a number above 0 that stands in "
            "the first line of the body; write a break, or use tf.while_loop, which has "
            "maximum_iterations"
        )
