"""Every exception of symtape: TensorFlow's own types, and one family for what it has none for."""

from __future__ import annotations

from typing import Any, Self

from symtape.calls import Call as _Call  # which is no error that others may catch
from symtape.namespace import show


class OpError(Exception):
    """TensorFlow's base of its errors: ``message``, ``error_code``, ``op``, ``node_def``.

    Who raises an error anew gives its code after the message, as Keras does; a type has one code.

    >>> OpError(None, None, "words", 3).error_code, NotFoundError(None, None, "words", 5).error_code
    (3, 5)
    """

    error_code = 2

    def __init__(
        self, node_def: Any = None, op: Any = None, message: str = "", *details: Any
    ) -> None:
        super().__init__()
        self.node_def = node_def
        self.op = op
        self.message = message
        if details and type(self) is OpError:
            self.error_code = details[0]

    def __str__(self) -> str:
        return self.message

    @classmethod
    def of(cls, op: str, text: str) -> Self:
        """Put the frame around a text that TensorFlow puts around what a kernel says."""
        call = op if isinstance(op, _Call) else _Call(op)
        device = "device_/job:localhost/replica:0/task:0/device:CPU:0"
        head = f"{{{{function_node __wrapped__{call.kernel}_{device}}}}}"
        return cls(message=f"{head} {text} {call.tail}")


class CancelledError(OpError):
    """A call was given up before its end (``tf.errors.CancelledError``)."""

    error_code = 1


class UnknownError(OpError):
    """The user's code raised what has no type of TensorFlow's (``tf.errors.UnknownError``)."""

    error_code = 2


class InvalidArgumentError(OpError):
    """An operation cannot take an argument (``tf.errors.InvalidArgumentError``)."""

    error_code = 3


class DeadlineExceededError(OpError):
    """A call took longer than it may (``tf.errors.DeadlineExceededError``)."""

    error_code = 4


class NotFoundError(OpError):
    """Something asked for does not exist (``tf.errors.NotFoundError``)."""

    error_code = 5


class AlreadyExistsError(OpError):
    """Something to be made is there already (``tf.errors.AlreadyExistsError``)."""

    error_code = 6


class PermissionDeniedError(OpError):
    """The caller may not do it (``tf.errors.PermissionDeniedError``)."""

    error_code = 7


class ResourceExhaustedError(OpError):
    """A limit of the machine was reached (``tf.errors.ResourceExhaustedError``)."""

    error_code = 8


class FailedPreconditionError(OpError):
    """The state of the system does not allow the call (``tf.errors.FailedPreconditionError``)."""

    error_code = 9


class AbortedError(OpError):
    """A call was broken off (``tf.errors.AbortedError``)."""

    error_code = 10


class OutOfRangeError(OpError):
    """An iteration went past its end (``tf.errors.OutOfRangeError``)."""

    error_code = 11


class UnimplementedError(OpError):
    """TensorFlow's operation does not take these arguments (``tf.errors.UnimplementedError``)."""

    error_code = 12


class InternalError(OpError):
    """TensorFlow found itself in a state that it does not expect (``tf.errors.InternalError``)."""

    error_code = 13


class UnavailableError(OpError):
    """What would answer is not there at the moment (``tf.errors.UnavailableError``)."""

    error_code = 14


class DataLossError(OpError):
    """Data are damaged, or would be lost (``tf.errors.DataLossError``)."""

    error_code = 15


class UnauthenticatedError(OpError):
    """It is not known who calls (``tf.errors.UnauthenticatedError``)."""

    error_code = 16


OK = 0
CANCELLED = CancelledError.error_code
UNKNOWN = UnknownError.error_code
INVALID_ARGUMENT = InvalidArgumentError.error_code
DEADLINE_EXCEEDED = DeadlineExceededError.error_code
NOT_FOUND = NotFoundError.error_code
ALREADY_EXISTS = AlreadyExistsError.error_code
PERMISSION_DENIED = PermissionDeniedError.error_code
RESOURCE_EXHAUSTED = ResourceExhaustedError.error_code
FAILED_PRECONDITION = FailedPreconditionError.error_code
ABORTED = AbortedError.error_code
OUT_OF_RANGE = OutOfRangeError.error_code
UNIMPLEMENTED = UnimplementedError.error_code
INTERNAL = InternalError.error_code
UNAVAILABLE = UnavailableError.error_code
DATA_LOSS = DataLossError.error_code
UNAUTHENTICATED = UnauthenticatedError.error_code


class SymtapeError(Exception):
    """The base of every error that TensorFlow has no type for."""


class UnsupportedError(SymtapeError, NotImplementedError):
    """An argument or an operation that symtape does not do; the message names a way out."""


class DerivativeError(SymtapeError):
    """A derivative that has no closed form in the family of operations."""


class EscapedValueError(DerivativeError, UnsupportedError):
    """A value left the recording of a function, and a part of the derivative would with it."""


class ExpansionError(SymtapeError):
    """A formula that is too long to be written out; the shared steps are still there."""


class NoExactFormError(SymtapeError):
    """A value that has no exact or high-precision reading."""


class NoMatrixFormError(SymtapeError):
    """A formula that cannot be written in matrix notation."""


class MisfitError(InvalidArgumentError, ValueError):
    """Shapes that do not fit, within a function that TensorFlow traces.

    TensorFlow raises a `ValueError` where it knows the shapes while it traces, and else an
    `InvalidArgumentError` when the function runs: this is both.

    >>> issubclass(MisfitError, ValueError), MisfitError.error_code
    (True, 3)
    """


class PathConditionError(SymtapeError, ValueError):
    """Values for which the recorded program would have taken another branch."""


class ReleasedError(SymtapeError):
    """Recorded values that were freed with their tape and are not held by anyone else."""


class FormatError(SymtapeError, ValueError):
    """A file or text that is not of the documented form."""


class SizeWarning(UserWarning):
    """A number in a formula for any size that may be a size which Python read."""


class NotationError(SymtapeError, ValueError):
    """A text is no formula of a notation; the message shows the place."""


class ExtraNotInstalledError(SymtapeError, ImportError):
    """An optional dependency is missing; the message names the extra that installs it."""

    @classmethod
    def of(cls, what: str, extra: str) -> ExtraNotInstalledError:
        """Say that ``what`` needs the extra ``extra``."""
        return cls(f'{what} needs an optional dependency: pip install "symtape[{extra}]"')


show(__name__)
