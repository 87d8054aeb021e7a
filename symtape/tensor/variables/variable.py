"""Variables: `tf.Variable`, a value that can be assigned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from symtape.namespace import hiding
from symtape.program import operations as ops
from symtape.tensor.convert import convert, to_array
from symtape.tensor.dispatch import apply1
from symtape.tensor.dtypes import DType
from symtape.tensor.operators import OPERATORS
from symtape.tensor.readings import printing
from symtape.tensor.recording.active import THREAD
from symtape.tensor.references import Reference
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Operand, Tensor
from symtape.tensor.values import value_of
from symtape.tensor.variables.assigning import Part, change
from symtape.tensor.variables.creators import Created
from symtape.tensor.variables.modes import GraphMembers, modes
from symtape.tensor.variables.refusals import Refusals
from symtape.tensor.variables.versions import Handle

if TYPE_CHECKING:
    import sympy as sp


@hiding("converted put read written")
class Variable(Refusals, Operand, GraphMembers, metaclass=Created):
    """A value that can be assigned (`tf.Variable`).

    `initial_value` is anything that converts to a tensor, or a function without arguments that
    gives it. Trainable variables are watched by every tape that is active when they are read.

    >>> v = Variable(3.0, name="v")
    >>> v.assign_add(1.0)
    <tf.Variable 'UnreadVariable' shape=() dtype=float32, numpy=4.0>
    """

    __slots__ = ("__dict__", "__weakref__", "_constraint", "_fixed", "handle")
    __array_priority__ = 100
    _asks_creators = True

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are "
                "not providing a `variable_def`. You provided neither."
            )
        value = initial_value() if callable(initial_value) else initial_value
        tensor = convert(value, dtype)
        if shape is not None and not TensorShape(shape).is_compatible_with(tensor.shape):
            raise ValueError(
                f"In this `tf.Variable` creation, the initial value's shape ({tensor.shape}) is "
                f"not compatible with the explicitly supplied `shape` argument ({shape})."
            )
        if constraint is not None and not callable(constraint):
            raise ValueError(
                "Argument `constraint` must be None or a callable. a callable. Got a "
                f"{type(constraint)}:  {constraint}"
            )
        self._constraint = constraint
        declared = None if shape is None else TensorShape(shape)
        known = declared is None or declared.is_fully_defined()
        when, how, trained = modes(synchronization, aggregation, trainable, name)
        self._fixed = (None if known else declared, when, how)
        self.handle = Handle(value_of(tensor, "tf.Variable()"), name, self, trainable=trained)

    # --- reading ----------------------------------------------------------------------------------

    def read(self) -> Tensor:
        """Give the present value, watched by the tapes that watch variables."""
        handle = self.handle
        tensor = handle.tensor
        state = THREAD.state
        for recording in state.recordings:
            if id(tensor) not in recording.known and recording.watches(handle):
                recording.watch_variable(handle)
                tensor = handle.tensor
        for reader in state.readers:
            reader(handle)
        return tensor

    def value(self) -> Tensor:
        """Give the present value as a new tensor."""
        return apply1(ops.identity, self.read())

    read_value = read_value_no_copy = value

    @property
    def initializer(self) -> None:
        """None: what starts a variable in a graph is not there, as in TensorFlow run eagerly."""

    def numpy(self) -> Any:
        """Give a copy of the value."""
        return self.handle.seen().numpy()

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self.handle.tensor.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape; sizes that were left open when it was made are None."""
        return self.handle.tensor.shape if self._fixed[0] is None else self._fixed[0]

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.handle.tensor.ndim

    @property
    def name(self) -> str:
        """The name with its scopes and TensorFlow's suffix, such as ``dense/w:0``."""
        return f"{self.handle.name}:0"

    @property
    def _shared_name(self) -> str:
        """The name without TensorFlow's suffix, which Keras asks for."""
        return self.handle.name

    @property
    def _unique_id(self) -> str:
        """A text that no other variable has, by which Keras finds what belongs to this one."""
        return f"{self._shared_name}_{self.handle.number}"

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it when it is read."""
        return self.handle.trainable

    @property
    def _trainable(self) -> bool:
        """The same by TensorFlow's own name, which libraries set to fix a variable or free it."""
        return self.handle.trainable

    @_trainable.setter
    def _trainable(self, value: bool) -> None:
        self.handle.trainable = value

    @property
    def constraint(self) -> Any:
        """The function that was given as `constraint`."""
        return self._constraint

    @property
    def synchronization(self) -> Any:
        """When TensorFlow would join replicas, as it was given."""
        return self._fixed[1]

    @property
    def aggregation(self) -> Any:
        """How TensorFlow would join replicas, as it was given."""
        return self._fixed[2]

    @property
    def device(self) -> str:
        """The name that TensorFlow has for the processor."""
        return self.handle.tensor.device

    def get_shape(self) -> TensorShape:
        """Give the shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check the shape; raises `ValueError` if it is another."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Shapes {self.shape} and {TensorShape(shape)} are not compatible")

    def ref(self) -> Reference:
        """Give a hashable reference to this variable."""
        return Reference(self)

    experimental_ref = ref

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Say that there is a value: a scalar of bool."""
        return convert(True)

    # --- assigning --------------------------------------------------------------------------------

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Take another value of the same shape; tapes do not record it.

        Raises `ValueError` for another shape, unless it was left open when the variable was made.
        """
        array = self.converted(value)
        shape = self.handle.tensor.raw.shape if self._fixed[0] is None else self._fixed[0]
        if array.shape != shape and not TensorShape(shape).is_compatible_with(array.shape):
            raise ValueError(
                f"Cannot assign value to variable ' {self.name}': Shape mismatch.The variable "
                f"shape {shape}, and the assigned value shape {array.shape} are incompatible."
            )
        return self.put(array, read_value)

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Add to the value."""
        return self.put(
            self.handle.tensor.raw + change(self, delta, "AssignAddVariableOp"), read_value
        )

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtract from the value."""
        return self.put(
            self.handle.tensor.raw - change(self, delta, "AssignSubVariableOp"), read_value
        )

    def load(self, value: Any, session: Any = None) -> None:
        """Take another value."""
        self.assign(value)

    if TYPE_CHECKING:  # `ops/indexing/variable_places.py` has them
        scatter_add: Callable[..., Variable]
        scatter_sub: Callable[..., Variable]
        scatter_update: Callable[..., Variable]
        scatter_min: Callable[..., Variable]
        scatter_max: Callable[..., Variable]
        scatter_mul: Callable[..., Variable]
        scatter_div: Callable[..., Variable]
        scatter_nd_add: Callable[..., Variable]
        scatter_nd_sub: Callable[..., Variable]
        scatter_nd_update: Callable[..., Variable]
        scatter_nd_min: Callable[..., Variable]
        scatter_nd_max: Callable[..., Variable]
        batch_scatter_update: Callable[..., Variable]
        gather_nd: Callable[..., Tensor]
        sparse_read: Callable[..., Tensor]
        count_up_to: Callable[[int], Tensor]

    def converted(self, value: Any) -> Any:
        """Give the array of what is assigned, in the dtype of the variable."""
        if isinstance(value, (Tensor, Variable)):
            tensor = value if isinstance(value, Tensor) else value.handle.seen()
            return value_of(convert(tensor, self.dtype), "assign()")
        return to_array(value, self.dtype)

    def put(self, array: Any, read_value: bool = True) -> Any:
        """Hold another array, as it is; give what an assignment gives."""
        self.handle.put(array)
        if not read_value:
            return None
        self.handle.seen()
        return _UnreadVariable(self)

    def __getitem__(self, key: Any) -> Tensor:
        return Part(self, key)

    # --- Python's protocols -----------------------------------------------------------------------

    def __repr__(self) -> str:
        return self.written(self.name)

    def written(self, name: str) -> str:
        """Write `repr` with a name: that of what an assignment gives is another one."""
        return printing.variable(name, self.handle.seen().raw, self.dtype.name, self._fixed[0])

    def __bool__(self) -> bool:
        return bool(self.read())

    def __int__(self) -> int:
        return int(self.read())

    def __float__(self) -> float:
        return float(self.read())

    def __complex__(self) -> complex:
        return complex(self.read())

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.read())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.handle.seen().__array__(dtype, copy)

    def __reduce__(self) -> Any:
        handle = self.handle
        return _restored, (handle.seen().raw, handle.name, handle.trainable, handle.label)

    def __copy__(self) -> Variable:
        return self

    def __deepcopy__(self, memo: Any) -> Variable:
        return _restored(*self.__reduce__()[1])

    # --- the formula ------------------------------------------------------------------------------

    @property
    def expr(self) -> sp.Expr:
        """The symbol of the present value."""
        return self.handle.tensor.expr


def _restored(value: Any, name: str | None, trainable: bool, label: str | None) -> Variable:
    made = Variable(Tensor(value), trainable=trainable, name=name)
    made.handle.label = made.handle.tensor.label = label
    return made


class _UnreadVariable(Variable):
    """What an assignment gives: the variable, not read yet."""

    __slots__ = ("_of",)

    def __init__(self, variable: Variable) -> None:
        self._of = variable
        self.handle = variable.handle
        self._constraint = variable.constraint
        self._fixed = variable._fixed  # noqa: SLF001 - it is the same variable

    @property
    def name(self) -> str:
        """What TensorFlow calls the results of all assignments."""
        return "UnreadVariable"

    def __repr__(self) -> str:
        return self._of.written(self.name)


def _delegated(name: str) -> Any:
    run = OPERATORS[name]

    def method(self: Variable, *others: Any) -> Any:
        if others and others[0] is None:  # which is unlike a tensor
            convert(None)
        return run(self.read(), *others)

    return method


for _name in OPERATORS:
    setattr(Variable, _name, _delegated(_name))

Variable.__name__ = "ResourceVariable"
"""What `type(v).__name__` is in TensorFlow, where scripts print it."""
