"""The tensor: an array that knows how it was computed."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from symtape.namespace import hiding
from symtape.program.operations import Constant, Input, dtype_name
from symtape.tensor import dtypes, names
from symtape.tensor.dtypes import DType
from symtape.tensor.readings import printing
from symtape.tensor.readings.readable import Readable
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.looking import fitted, looking, resized
from symtape.tensor.recording.travel import origin_to_send
from symtape.tensor.references import Reference
from symtape.tensor.shape import TensorShape
from symtape.tensor.values import look_at, value_of

if TYPE_CHECKING:
    import sympy as sp

_STEPS: dict[tuple[Any, Any, bool], tuple[Input]] = {}
"""What a tensor is where it enters, by dtype and shape; a lookup is all that it costs."""
_MOST_STEPS = 10_000


class Operand:  # noqa: PLW1641 - neither hashes, and each says why
    """What stands on either side of an operator; `operators.py` makes each from its operation."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __getitem__(self, key: Any, /) -> Tensor: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __int__(self) -> int: ...
        def __add__(self, other: Any, /) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __lt__(self, other: Any, /) -> Tensor: ...
        def __eq__(self, other: Any, /) -> Tensor: ...  # type: ignore[override]  # by element
        def __ne__(self, other: Any, /) -> Tensor: ...  # type: ignore[override]  # likewise

        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __add__
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __add__
        __matmul__ = __rmatmul__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = (
            __add__
        )
        __abs__ = __invert__ = __neg__
        __le__ = __gt__ = __ge__ = __lt__


@hiding("entering find_label is_own label leaf_step origin raw read structure_of weakly")
class Tensor(Operand, Readable):
    """An array that knows how it was computed (`tf.Tensor`).

    It is made by `tf.constant` and by every operation. It holds a NumPy array or scalar (`raw`,
    not to be changed), and, where a tape recorded it, its place in the recorded program.
    """

    __slots__ = ("__dict__", "__weakref__", "label", "origin", "raw", "scalar")
    __array_priority__ = 100

    raw: Any
    origin: tuple[Any, int] | None
    label: str | None
    is_own = False
    """Whether an operation made it, and nobody else has it."""
    is_packed = False
    """Whether it stands for tensors on several devices."""

    def __init__(self, value: Any) -> None:
        self.raw = value
        self.origin = None
        self.label = None

    def __init_subclass__(cls) -> None:
        """Have tensors of all kinds read as TensorFlow's: `type(x).__name__` is EagerTensor."""
        cls.__name__ = "EagerTensor"

    # --- what TensorFlow tells of a tensor --------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """The dtype, such as `tf.float32`."""
        return dtypes.of(self.raw)

    @property
    def shape(self) -> TensorShape:
        """The shape; equal to a tuple or list of its sizes."""
        return TensorShape(self.raw.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return int(self.raw.ndim)

    @property
    def is_late(self) -> bool:
        """Whether the value is still to be computed."""
        return False

    @property
    def device(self) -> str:
        """The name that TensorFlow has for the processor."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    backing_device = device

    def get_shape(self) -> TensorShape:
        """Give the shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check the shape; raises `ValueError` if it is another."""
        if (run := looking()) is not None:
            self.raw = resized(self.raw, fitted(self, TensorShape(shape), run.number))
            return
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.raw.shape} is not compatible with supplied shape "
                f"{TensorShape(shape)}."
            )

    @property
    def value(self) -> Any:
        """The value, not to be changed: a NumPy array or scalar."""
        return value_of(self, "value")

    def numpy(self) -> Any:
        """Give a copy of the value: a NumPy array, or a NumPy scalar if there are no axes."""
        value = value_of(self, "numpy()")
        if isinstance(value, np.ndarray):
            return value.copy() if value.ndim else value[()]  # text is no scalar
        return value

    def __bytes__(self) -> bytes:
        """Give the bytes of the value; a whole number asks for as many zeros, as elsewhere."""
        return bytes(self.numpy())

    def ref(self) -> Reference:
        """Give a hashable reference to this very tensor."""
        return Reference(self)

    experimental_ref = ref

    def cpu(self) -> Tensor:
        """Give oneself: there is no other device."""
        return self

    gpu = cpu

    def consumers(self) -> NoReturn:
        """Refuse: this is TensorFlow 1."""
        raise NotImplementedError("Tensor.consumers is undefined when eager execution is enabled.")

    def eval(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: this is TensorFlow 1."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, "
            "is .numpy() what you're looking for?"
        )

    def _lacks(self, name: str) -> Any:
        """Say what TensorFlow says of an attribute that is not there."""
        if hasattr(type(self), name):  # a property failed: its own error says more
            return object.__getattribute__(self, name)
        if name in {"name", "op", "graph", "value_index"}:
            raise AttributeError(f"Tensor.{name} is undefined when eager execution is enabled.")
        if name in _NUMPY_NAMES:
            raise AttributeError(
                f"EagerTensor object has no attribute {name!r}. \n"
                "        If you are looking for numpy-related methods, please run the following:\n"
                "        tf.experimental.numpy.experimental_enable_numpy_behavior()\n      "
            )
        raise AttributeError(
            f"'tensorflow.python.framework.ops.EagerTensor' object has no attribute {name!r}"
        )

    if not TYPE_CHECKING:  # a checker shall know which attributes there are
        __getattr__ = _lacks

    # --- the formula ------------------------------------------------------------------------------

    @property
    def _kind(self) -> type[Tensor]:
        return Tensor

    @property
    def leaves(self) -> Mapping[sp.Symbol, Tensor]:
        """Each free symbol of the formula, and the tensor that it stands for.

        Raises `ReleasedError` where one was freed with its tape.
        """
        return self.formula.leaves

    # --- Python's protocols -----------------------------------------------------------------------

    def __str__(self) -> str:
        return printing.string(look_at(self), self.dtype.name)

    def __repr__(self) -> str:
        return printing.representation(look_at(self), self.dtype.name)

    def __format__(self, spec: str) -> str:
        value = look_at(self)
        return format(value if value.ndim else value[()], spec)

    OVERLOADABLE_OPERATORS: ClassVar[frozenset[str]]
    """The operators that packages wrap in classes of their own, as TensorFlow lists them."""
    __nonzero__: Callable[[Any], bool]

    def __bool__(self) -> bool:
        if self.raw.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        return bool(self._decide(bool(self.raw))) if self.raw.size else False

    def __index__(self) -> int:
        if self.raw.ndim:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        if self.raw.dtype.kind == "b":  # NumPy before 2.3 takes truth values, too
            raise AttributeError("'numpy.bool' object has no attribute '__index__'")
        return int(self._decide(self._scalar().__index__()))

    def __float__(self) -> float:
        return float(self._scalar("float()"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex()"))

    def _scalar(self, way: str = "") -> Any:
        if self.raw.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return value_of(self, way) if way else self.raw

    def _decide(self, value: bool | int) -> bool | int:
        for recording in THREAD.state.recordings:
            recording.decided(self, value)
        return value

    def __len__(self) -> int:
        if not self.raw.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self.raw)

    def __hash__(self) -> NoReturn:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        value = value_of(self, "np.asarray")
        return np.array(value, dtype=dtype, copy=True if copy is None else copy)

    def __reduce__(self) -> Any:
        sent = _restored, (value_of(self, "pickle"), self.label)
        if any([recording.refuses for recording in THREAD.state.recordings]):
            return sent  # what leaves a function that is recorded leaves as a value
        return *sent, origin_to_send(self)

    def __setstate__(self, sent: tuple[Any, ...]) -> None:
        self.origin = sent[1:]

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self  # as TensorFlow: nobody changes a tensor

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError(
            "'tensorflow.python.framework.ops.EagerTensor' object does not support item assignment"
        )

    # --- what the recorder asks -------------------------------------------------------------------

    def leaf_step(self, *, watched: bool = False) -> tuple[Any, ...]:
        """Give the step that this tensor is where it enters a program."""
        value = self.raw
        key = (value.dtype, value.shape, watched)
        step = _STEPS.get(key)
        if step is None:
            if len(_STEPS) >= _MOST_STEPS:
                _STEPS.clear()
            step = _STEPS[key] = (Input(dtype_name(value.dtype), value.shape, watched),)
        return step

    def find_label(self, opener: int | None) -> None:
        """Look for the name that the user's code has for this tensor."""
        self.label = names.find(self, opener, thorough=False)

    def entering(self, block: Any) -> Any:
        """Be what a computation that nobody watches starts from."""
        beside = block.set_aside()
        return beside.outside.get(id(self)) or beside.entry(self, block)

    def weakly(self) -> tuple[Any, int | None]:
        """Give a weak reference that costs little, and the variable's version that it is to."""
        return weakref.ref(self), None

    def read(self) -> Tensor:
        """Be read: a tensor is its own value."""
        return self


Tensor.__name__ = "EagerTensor"
"""What `type(t).__name__` is in TensorFlow, where scripts print it."""

_NUMPY_NAMES = frozenset("T astype ravel transpose reshape clip size tolist data".split())


def _restored(value: Any, label: str | None) -> Tensor:
    tensor = Tensor(value)
    tensor.label = label
    return tensor


class Literal(Tensor):
    """A number that the author wrote; in a formula it is that number and not a symbol."""

    __slots__ = ("step",)
    step: tuple[Constant]
    _known: ClassVar[dict[Any, Literal]] = {}

    @classmethod
    def of(cls, number: Any, dtype: Any) -> Literal:
        """Give the literal of a number in a dtype; the same one for the same number."""
        key = (number.__class__, number or str(number), dtype)
        found = cls._known.get(key)
        if found is None:
            if isinstance(number, int) and np.dtype(dtype).kind not in "iub":
                float(number)  # raises for one that is beyond all floats
            constant = Constant.of(number, dtype)
            found = cls(constant.value)
            found.step = (constant,)
            if len(cls._known) > 10_000:
                cls._known.clear()
            cls._known[key] = found
        return found

    def leaf_step(self, *, watched: bool = False) -> tuple[Any, ...]:  # noqa: ARG002 - a number is one
        """Be the constant."""
        return self.step

    def entering(self, block: Any) -> Any:
        """Be the constant."""
        block.set_aside().keep(self, self.step)
        return self.step

    def find_label(self, opener: int | None) -> None:
        """Need no name."""
