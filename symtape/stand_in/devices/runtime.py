"""What Keras asks of TensorFlow's runtime: one processor, on which everything has happened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import RLock
from typing import Any, TypeVar

from symtape.errors import UnsupportedError
from symtape.nest import map_structure
from symtape.ops.control.flow import executing_eagerly
from symtape.ops.files.opened import bytes_of
from symtape.ops.random.traced.scopes import eagerly
from symtape.ops.runtime.device_specs import DeviceSpecV2 as DeviceSpec
from symtape.tensor.convert import convert
from symtape.tensor.variables.scopes import SCOPES
from symtape.tensor.within import WITHIN

_Any = TypeVar("_Any")


VERSION = "2.21.0"
"""The TensorFlow whose behaviour is kept, for scripts that ask."""
GIT_VERSION = f"v{VERSION}"
COMPILER_VERSION = "none: nothing is compiled"
GRAPH_DEF_VERSION = GRAPH_DEF_VERSION_MIN_CONSUMER = GRAPH_DEF_VERSION_MIN_PRODUCER = 0
"""There are no graphs whose format would have a version."""


def async_wait() -> None:
    """Wait for what still runs: nothing does."""


def async_scope() -> AbstractContextManager[None]:
    """A context that changes nothing: operations have happened when their calls return."""
    return nullcontext()


def async_clear_error() -> None:
    """Forget the errors of what still runs: there are none."""


class Context:
    """The state of the runtime."""

    device_name = ""

    @property
    def device_spec(self) -> DeviceSpec:
        """The device that was asked for: none, since there is one."""
        return DeviceSpec()

    def executing_eagerly(self) -> bool:
        """Say whether no function runs that TensorFlow traces."""
        return executing_eagerly()

    def clear_kernel_cache(self) -> None:
        """Forget what is kept for speed alone: `tf.cache_clear` does, and nothing has to."""


_CONTEXT = Context()


def context() -> Context:
    """Give the state of the runtime."""
    return _CONTEXT


def get_build_info() -> dict[str, Any]:
    """Say for which processors this was built.

    >>> get_build_info()["is_cuda_build"]
    False
    """
    return {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}


def is_op_determinism_enabled() -> bool:
    """Say whether other operations have to be used to get the same numbers again: they need not.

    >>> is_op_determinism_enabled()
    False
    """
    return False


def inside_function() -> bool:
    """Say whether a function runs that TensorFlow traces, as those of `tf.function` and of `map`.

    >>> inside_function()
    False
    """
    return WITHIN.find is not None or WITHIN.is_lifted


def tf2_enabled() -> bool:
    """Say whether this behaves as the second version of TensorFlow.

    >>> tf2_enabled()
    True
    """
    return True


def do_not_convert(func: _Any = None) -> _Any:  # type: ignore[assignment]  # also a decorator with ()
    """Give the function as it is: Python runs it."""
    return func if func is not None else do_not_convert  # type: ignore[return-value]  # or a decorator


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Do nothing: Python itself runs, and there is nothing to tell of."""


def trace(*args: Any) -> None:
    """Print what is given, as TensorFlow does while it traces.

    >>> trace("a", 3)
    a 3
    """
    print(*args)  # noqa: T201 - what it is for


def get_current_name_scope() -> str:
    """Give the names of the scopes that are open.

    >>> get_current_name_scope()
    ''
    """
    return SCOPES.open.removesuffix("/")


class CriticalSection:
    """What runs one function at a time, though several threads call it.

    >>> CriticalSection().execute(lambda: 3).numpy()
    np.int32(3)
    """

    def __init__(
        self,
        name: str | None = None,
        shared_name: str | None = None,
        critical_section_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if critical_section_def is not None:
            raise UnsupportedError("tf.CriticalSection(critical_section_def=): there are no graphs")
        self._lock = RLock()

    def execute(
        self,
        fn: Callable[[], Any],
        exclusive_resource_access: bool = True,
        name: str | None = None,
    ) -> Any:
        """Call a function that takes nothing; numbers in what it gives become tensors."""
        with self._lock:
            return map_structure(_as_tensor, fn())


def _as_tensor(value: Any) -> Any:
    return value if value is None else convert(value)


def tuple_v2(tensors: Any, control_inputs: Any = None, name: str | None = None) -> Any:
    """Give the tensors as they are: each has been computed."""
    return tensors


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Give a text for bytes or a text.

    >>> as_text(b"a")
    'a'
    """
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Give a text for anything.

    >>> as_str_any(1)
    '1'
    """
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Give bytes for bytes or a text.

    >>> as_bytes("a")
    b'a'
    """
    return bytes_of(bytes_or_text, encoding)


def eager_mode() -> AbstractContextManager[None]:
    """A context in which operations run at once, as they always do (`context.eager_mode`).

    >>> with eager_mode():
    ...     inside_function()
    False
    """
    return eagerly()
