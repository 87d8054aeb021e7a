"""The tensor, and the one door through which every operation is applied and recorded."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.numeric.compile import KERNELS
from symtape.program import operations as ops
from symtape.program import scalar
from symtape.program.operations import Cast, Constant, Einsum, Gather, Input, Map, Operation, Reshape, elementwise
from symtape.tensor import dtypes, indexing, names, printing
from symtape.tensor.dtypes import DType
from symtape.tensor.readings import Formula
from symtape.tensor.recorder import THREAD
from symtape.tensor.shape import TensorShape

if TYPE_CHECKING:
    import sympy as sp

OP_NAMES: dict[Operation, str] = {
    ops.add: "AddV2",
    ops.subtract: "Sub",
    ops.multiply: "Mul",
    ops.divide: "RealDiv",
    ops.power: "Pow",
    ops.equal: "Equal",
    ops.where: "SelectV2",
}
"""What TensorFlow calls an operation in its messages."""

_STEPS: dict[tuple[Any, Any], tuple[Input]] = {}


class Tensor:
    """An array that knows how it was computed (`tf.Tensor`).

    It is made by `tf.constant` and by every operation. It holds a NumPy array or scalar (`value`,
    not to be changed), and, where a tape recorded it, its place in the recorded program.
    """

    __slots__ = ("__weakref__", "label", "origin", "value")
    __array_priority__ = 100

    value: Any
    origin: tuple[Any, int] | None
    label: str | None

    def __init__(self, value: Any) -> None:
        self.value = value
        self.origin = None
        self.label = None

    # --- what TensorFlow tells of a tensor ---------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """The dtype, such as `tf.float32`."""
        return dtypes.of(self.value)

    @property
    def shape(self) -> TensorShape:
        """The shape; equal to a tuple or list of its sizes."""
        return TensorShape(self.value.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return int(self.value.ndim)

    @property
    def device(self) -> str:
        """The name that TensorFlow has for the processor."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def get_shape(self) -> TensorShape:
        """Give the shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check the shape; raises `ValueError` if it is another."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Tensor's shape {self.value.shape} is not compatible with supplied shape {TensorShape(shape)}")

    def numpy(self) -> Any:
        """Give a copy of the value: a NumPy array, or a NumPy scalar if there are no axes."""
        if isinstance(self.value, np.ndarray):
            return self.value.copy() if self.value.ndim else self.value[()]  # text is no scalar
        return self.value

    def ref(self) -> Reference:
        """Give a hashable reference to this very tensor."""
        return Reference(self)

    experimental_ref = ref

    def cpu(self) -> Tensor:
        """Give oneself: there is no other device."""
        return self

    gpu = cpu

    def consumers(self) -> list[Any]:
        """Give an empty list, as TensorFlow does for eager tensors."""
        return []

    def eval(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: this is TensorFlow 1."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    def __getattr__(self, name: str) -> NoReturn:
        if name in {"name", "op", "graph"}:
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

    # --- the formula ---------------------------------------------------------------------------------

    @property
    def formula(self) -> Formula:
        """Everything that can be read from the program behind this tensor."""
        if self.origin is None:
            return Formula.of_leaf(self)
        source, position = self.origin
        return Formula.of(source, position)

    @property
    def expr(self) -> sp.Expr:
        """The SymPy expression: of scalars an ordinary one, else one of array nodes.

        Raises `ExpansionError` where the expression written out is too long.
        """
        return self.formula.expr

    @property
    def entries(self) -> sp.ImmutableDenseNDimArray:
        """Every entry as an ordinary scalar expression, at most 10,000 of them."""
        return self.formula.to_entries()

    def to_entries(self, max_entries: int = 10_000) -> sp.ImmutableDenseNDimArray:
        """Give `entries`, with another limit; raises `ExpansionError` above it."""
        return self.formula.to_entries(max_entries)

    def index_expr(self, *symbols: sp.Symbol) -> sp.Expr:
        """Give one generic entry in index notation, one symbol an axis (default i, j, k, …)."""
        return self.formula.index_expr(*symbols)

    @property
    def matrix_expr(self) -> sp.MatrixExpr:
        """The formula in `MatrixSymbol`s; raises `NoMatrixFormError` where there is none."""
        return self.formula.matrix_expr

    def latex(self, form: str = "auto") -> str:
        """Write LaTeX: `auto`, `scalar`, `matrix`, `index`, `entries` or `steps`."""
        return self.formula.latex(form)

    def _repr_latex_(self) -> str | None:
        return None if self.origin is None else f"$\\displaystyle {self.latex()}$"

    def exact(self) -> Any:
        """The exact value at the recorded point: a SymPy number, or an array of them."""
        return self.formula.exact()

    def evalf(self, digits: int = 15) -> Any:
        """The value to a number of significant digits."""
        return self.formula.evalf(digits)

    @property
    def conditions(self) -> tuple[Any, ...]:
        """The relations under which the formula holds: what control flow decided on the way."""
        return self.formula.conditions

    @property
    def leaves(self) -> Mapping[sp.Symbol, Tensor]:
        """Each free symbol of the formula, and the tensor that it stands for."""
        return self.formula.leaves

    def lambdify(
        self, args: Sequence[Any] | None = None, backend: str = "numpy", *, check: bool = True
    ) -> Callable[..., Any]:
        """Compile the formula to a function of its watched leaves, or of `args`.

        A formula without watched leaves, as the slope of 3x, takes those of the tape and needs none.
        The other leaves keep their recorded values and can be given by keyword. With `check`, the
        function raises `PathConditionError` for values that would have taken another branch.
        """
        return self.formula.lambdify(args, backend, check=check)

    # --- Python's protocols --------------------------------------------------------------------------

    def __str__(self) -> str:
        return printing.string(self.value, self.dtype.name)

    def __repr__(self) -> str:
        return printing.representation(self.value, self.dtype.name)

    def __format__(self, spec: str) -> str:
        return format(self.value if self.value.ndim else self.value[()], spec)

    def __bool__(self) -> bool:
        if self.value.size != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        return bool(self._decide(bool(self.value)))

    def __int__(self) -> int:
        return int(self._decide(int(self._scalar())))

    def __index__(self) -> int:
        return int(self._decide(self._scalar().__index__()))

    def __float__(self) -> float:
        return float(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def _scalar(self) -> Any:
        if self.value.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.value

    def _decide(self, value: bool | int) -> bool | int:
        for recording in THREAD.state.recordings:
            recording.decided(self, value)
        return value

    def __len__(self) -> int:
        if not self.value.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self.value)

    def __iter__(self) -> Iterator[Tensor]:
        if not self.value.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return iter([self[i] for i in range(len(self.value))])

    def __hash__(self) -> NoReturn:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:  # noqa: FBT001
        array = np.array(self.value, dtype=dtype, copy=True if copy is None else copy)
        return array

    def __reduce__(self) -> Any:
        return _restored, (self.value, self.label)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return Tensor(self.value)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError(
            "'tensorflow.python.framework.ops.EagerTensor' object does not support item assignment"
        )

    def __getitem__(self, key: Any) -> Tensor:
        mask = key if hasattr(key, "dtype") and np.ndim(key) else None
        if mask is not None and np.dtype(mask.dtype.name).kind == "b":
            return boolean_mask(self, mask)
        if isinstance(key, list):
            key = tuple(key)
        result = self
        steps = _row if key.__class__ is int else indexing.operations
        for operation in steps(key, self.value.shape):
            result = apply1(operation, result)
        return result if result is not self else apply1(ops.identity, self)

    if TYPE_CHECKING:  # each is made at the end of this file, from the operation that it is

        def __add__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...

        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __add__
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __add__
        __matmul__ = __rmatmul__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __add__
        __abs__ = __invert__ = __neg__
        __le__ = __gt__ = __ge__ = __lt__

    # --- what the recorder asks ------------------------------------------------------------------------

    def leaf_step(self) -> tuple[Any, ...]:
        """Give the step that this tensor is where it enters a program."""
        value = self.value
        key = (value.dtype, value.shape)
        step = _STEPS.get(key)
        if step is None:
            step = _STEPS[key] = (Input(value.dtype.name, value.shape),)
        return step

    def find_label(self, opener: int | None) -> None:
        """Look for the name that the user's code has for this tensor."""
        self.label = names.find(self, opener, thorough=False)

    def weakly(self) -> tuple[Any, int | None]:
        """Give a weak reference that costs little, and the version of the variable that it is to."""
        return weakref.ref(self), None

    def read(self) -> Tensor:
        """Be read: a tensor is its own value."""
        return self


_NUMPY_NAMES = frozenset(
    "T astype ravel transpose reshape clip size tolist data".split()
)


def _restored(value: Any, label: str | None) -> Tensor:
    tensor = Tensor(value)
    tensor.label = label
    return tensor


class Reference:
    """A hashable reference to a tensor or variable, compared by identity; see `Tensor.ref`."""

    __slots__ = ("_referred",)

    def __init__(self, referred: Any) -> None:
        self._referred = referred

    def deref(self) -> Any:
        """Give what is referred to."""
        return self._referred

    def __hash__(self) -> int:
        return id(self._referred)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._referred is other._referred

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._referred!r}>"


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
            constant = Constant.of(number, dtype)
            found = cls(constant.value)
            found.step = (constant,)
            if len(cls._known) > 10_000:
                cls._known.clear()
            cls._known[key] = found
        return found

    def leaf_step(self) -> tuple[Any, ...]:
        """Be the constant."""
        return self.step

    def find_label(self, opener: int | None) -> None:
        """Need no name."""


# --- the door -----------------------------------------------------------------------------------------


def apply1(operation: Operation, x: Tensor) -> Tensor:
    """Compute an operation of one tensor, and record it where a tape is listening."""
    state = THREAD.state
    try:
        out = Tensor(state.run(KERNELS[operation], x.value))
    except (ValueError, TypeError) as error:
        raise _failed(operation, (x,), error) from None
    for recording in state.recordings:
        recording.record1(operation, x, out)
    return out


def apply2(operation: Operation, x: Tensor, y: Tensor) -> Tensor:
    """Compute an operation of two tensors of one dtype, and record it where a tape is listening."""
    a, b = x.value, y.value
    if a.dtype is not b.dtype and a.dtype != b.dtype:
        raise mismatch(operation, x, y)
    state = THREAD.state
    try:
        out = Tensor(state.run(KERNELS[operation], a, b))
    except (ValueError, TypeError) as error:
        raise _failed(operation, (x, y), error) from None
    for recording in state.recordings:
        recording.record2(operation, x, y, out)
    return out


def apply(operation: Operation, *operands: Tensor) -> Tensor:
    """Compute an operation of any number of tensors, and record it where a tape is listening."""
    state = THREAD.state
    try:
        out = Tensor(state.run(KERNELS[operation], *[x.value for x in operands]))
    except (ValueError, TypeError) as error:
        raise _failed(operation, operands, error) from None
    for recording in state.recordings:
        recording.record(operation, operands, out)
    return out


_DEVICE = "device_/job:localhost/replica:0/task:0/device:CPU:0"


def op_name(operation: Operation) -> str:
    """Name an operation as TensorFlow's messages do."""
    return OP_NAMES.get(operation) or (
        "".join(w.capitalize() for w in operation.name.split("_"))
        if isinstance(operation, Map)
        else type(operation).__name__
    )


def mismatch(operation: Operation | str, x: Tensor, y: Tensor, number: int = 1) -> InvalidArgumentError:
    """Say that two operands differ in dtype, as TensorFlow does."""
    name = operation if isinstance(operation, str) else op_name(operation)
    return InvalidArgumentError(
        message=f"cannot compute {name} as input #{number}(zero-based) was expected to be a "
        f"{x.dtype.enum_name} tensor but is a {y.dtype.enum_name} tensor [Op:{name}] name: "
    )


def invalid(name: str, text: str) -> InvalidArgumentError:
    """Make the error of an operation, with the frame that TensorFlow puts around it."""
    head = f"{{{{function_node __wrapped__{name}_{_DEVICE}}}}}"
    return InvalidArgumentError(message=f"{head} {text} [Op:{name}] name: ")


def _failed(operation: Operation, operands: Sequence[Tensor], error: Exception) -> Exception:
    """Put NumPy's complaint about an operation into TensorFlow's words."""
    name = op_name(operation)
    shapes = [list(x.value.shape) for x in operands]
    if "broadcast" in str(error) and len(shapes) > 1:
        listed = " vs. ".join(str(s).replace(" ", "") for s in shapes)
        return invalid(name, f"Incompatible shapes: {listed}")
    if "negative integer powers" in str(error):
        return invalid(name, "Integers to negative integer powers are not allowed")
    kinds = ", ".join(x.dtype.name for x in operands)
    return invalid(name, f"{error} (operands of shapes {shapes} and dtypes {kinds})")


# --- conversion -----------------------------------------------------------------------------------------


def as_operand(value: Any, like: Tensor) -> Any:
    """Convert what stands beside a tensor to the tensor's dtype; give NotImplemented for strangers."""
    kind = value.__class__
    if kind is float or kind is int or kind is bool or kind is complex:
        return number_like(value, like)
    if isinstance(value, Tensor):
        return value
    if hasattr(value, "read_value"):
        return value.read()
    if isinstance(value, np.number):
        return Literal.of(value.item(), like.value.dtype)
    if value is None or isinstance(value, (str, bytes, dict, set)):
        return NotImplemented
    if isinstance(value, (np.ndarray, np.generic, list, tuple)):
        return convert(value, like.dtype)
    if hasattr(value, "__array__"):
        return convert(np.asarray(value), like.dtype)
    return NotImplemented


def number_like(number: Any, like: Tensor) -> Literal:
    """Make a Python number a literal of a tensor's dtype."""
    dtype = like.value.dtype
    kind = dtype.kind
    fits = kind in "fcV" or (kind in "iu" and isinstance(number, int)) or kind == number.__class__.__name__[0]
    if not fits or (isinstance(number, complex) and kind != "c"):
        raise TypeError(f"Cannot convert {number!r} to EagerTensor of dtype {like.dtype.enum_name}")
    try:
        return Literal.of(number, dtype)
    except OverflowError as error:
        raise ValueError(str(error)) from None


def convert(value: Any, dtype: Any = None, *, hint: Any = None) -> Tensor:
    """Convert anything to a tensor, as `tf.convert_to_tensor`; a tensor is given back as it is.

    Raises `ValueError` for a tensor of another dtype, ragged sequences and None.
    """
    if isinstance(value, Tensor) or hasattr(value, "read_value"):
        tensor: Tensor = value.read()
        if dtype is not None and dtypes.as_dtype(dtype) is not tensor.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for Tensor with "
                f"dtype {tensor.dtype.name}: {value!r}"
            )
        return tensor
    if isinstance(value, (list, tuple)) and holds_tensor(value):
        return packed(value, dtype)
    if dtype is None and hint is not None:
        try:
            return Tensor(to_array(value, hint))
        except (TypeError, ValueError):
            pass
    return Tensor(to_array(value, dtype))


def holds_tensor(value: Any) -> bool:
    """Say whether a value is a tensor or a list that holds one."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_tensor, value))
    return isinstance(value, Tensor) or hasattr(value, "read_value")


def packed(values: Sequence[Any], dtype: Any = None) -> Tensor:
    """Stack a nested list that holds tensors, so that gradients flow to them."""
    known = _first_tensor(values)
    parts = [
        packed(v, dtype) if isinstance(v, (list, tuple)) and holds_tensor(v) else v for v in values
    ]
    parts = [convert(v, None if isinstance(v, Tensor) else (dtype or known.dtype)) for v in parts]
    return stack(parts)


def _first_tensor(values: Any) -> Tensor:
    for value in values:
        if isinstance(value, (list, tuple)):
            if holds_tensor(value):
                return _first_tensor(value)
        elif holds_tensor(value):
            tensor: Tensor = value.read()
            return tensor
    raise AssertionError("called only where there is a tensor")


def stack(parts: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors of one shape along a new axis."""
    shape = parts[0].value.shape
    for k, part in enumerate(parts):
        if part.value.shape != shape:
            raise invalid(
                "Pack",
                f"Shapes of all inputs must match: values[0].shape = {_listed(shape)} != "
                f"values[{k}].shape = {_listed(part.value.shape)}",
            )
        if part.value.dtype != parts[0].value.dtype:
            raise mismatch("Pack", parts[0], part, k)
    rank = len(shape) + 1
    axis = axis % rank
    new = Einsum.of([range(rank - 1)], [*range(axis), rank, *range(axis, rank - 1)], {rank: 1})
    return apply(ops.Concat(axis - rank), *[apply1(new, part) for part in parts])


def _listed(shape: Sequence[int]) -> str:
    return "[" + ",".join(map(str, shape)) + "]"


def to_array(value: Any, dtype: Any = None) -> Any:
    """Make the array or scalar that a tensor holds, with TensorFlow's rules for dtypes."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if value is None:
        raise ValueError(
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor."
        )
    try:
        array = np.array(value)
    except ValueError:
        raise ValueError("Can't convert non-rectangular Python sequence to Tensor.") from None
    if array.dtype.kind in "USO":
        return _strings(value, array, wanted)
    if wanted is None:
        keeps = isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__array__")
        made = array if keeps or _holds_numpy(value) else array.astype(_default(array))
        dtypes.as_dtype(made.dtype)
        return made[()]
    if not isinstance(value, (np.ndarray, np.generic)):
        _check_numbers(value, array, wanted)
    return array.astype(wanted.numpy)[()]


def _holds_numpy(value: Any) -> bool:
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (np.ndarray, np.generic))


def _default(array: Any) -> Any:
    """Choose the dtype of Python numbers: float32, int32 if they fit, else int64."""
    if array.dtype.kind == "f":
        return np.float32
    if array.dtype.kind in "iu":
        info = np.iinfo(np.int32)
        fits = array.size == 0 or (array.min() >= info.min and array.max() <= info.max)
        return np.int32 if fits else np.int64
    return array.dtype


def _check_numbers(value: Any, array: Any, wanted: DType) -> None:
    kind, target = array.dtype.kind, wanted.numpy.kind
    if array.size and ((kind == "f" and target in "iub") or (kind == "c" and target != "c") or (kind in "iu" and target == "b")):
        raise TypeError(f"Cannot convert {value!r:.80} to EagerTensor of dtype {wanted.enum_name}")


def _strings(value: Any, array: Any, wanted: DType | None) -> Any:
    if array.dtype.kind == "O":
        flat = [v for v in array.flat if not isinstance(v, (str, bytes))]
        if flat and flat[0] is None:
            return to_array(None)
        if flat and isinstance(flat[0], int):
            raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
        if flat and isinstance(value, (list, tuple)) and any(isinstance(v, (list, tuple)) for v in flat):
            raise ValueError("Can't convert non-rectangular Python sequence to Tensor.")
        if flat:
            raise ValueError(
                f"Attempt to convert a value ({flat[0]!r}) with an unsupported type "
                f"({type(flat[0])}) to a Tensor."
            )
    if wanted is not None and wanted is not dtypes.string:
        raise TypeError(f"Cannot convert {value!r:.80} to EagerTensor of dtype {wanted.enum_name}")
    out = np.empty(array.shape, object)
    for k, v in enumerate(array.flat):
        out.flat[k] = v.encode() if isinstance(v, str) else bytes(v)
    return out


# --- operations that operators need ------------------------------------------------------------------------


def boolean_mask(x: Tensor, mask: Any) -> Tensor:
    """Choose the elements where a mask over the first axes is true."""
    chosen = np.asarray(mask)
    shape = x.value.shape
    if chosen.shape != shape[: chosen.ndim]:
        raise ValueError(f"Shapes {shape[: chosen.ndim]} and {chosen.shape} are incompatible")
    flat = (chosen.size, *shape[chosen.ndim :])
    line = apply1(Reshape(shape, flat), x) if chosen.ndim > 1 else x
    places = Tensor(np.flatnonzero(chosen))
    return apply(Gather(len(flat) - 1, 0, 0), line, places)


@lru_cache(maxsize=1024)
def _row(key: int, shape: tuple[int, ...]) -> list[Operation]:
    """Read the commonest key."""
    return indexing.operations(key, shape)


def matmul(x: Tensor, y: Tensor) -> Tensor:
    """Multiply matrices, with batch axes that broadcast."""
    a, b = x.value.shape, y.value.shape
    if len(a) < 2 or len(b) < 2:
        bad = 0 if len(a) < 2 else 1
        raise invalid("MatMul", f"In[0] and In[1] ndims must be == 2: {len((a, b)[bad])}")
    if x.value.dtype != y.value.dtype:
        raise mismatch("MatMul", x, y)
    if a[-1] != b[-2]:
        name = "MatMul" if len(a) == len(b) == 2 else "BatchMatMulV2"
        raise invalid(
            name, f"Matrix size-incompatible: In[0]: {_listed(a)}, In[1]: {_listed(b)}"
        )
    if a[:-2] != b[:-2] and any([n != m and 1 not in (n, m) for n, m in zip(a[-3::-1], b[-3::-1], strict=False)]):
        raise invalid(
            "BatchMatMulV2",
            f"In[0] and In[1] must have compatible batch dimensions: {_listed(a)} vs. {_listed(b)}",
        )
    return apply2(_matmul_operation(a[:-2], b[:-2]), x, y)


@lru_cache(maxsize=1024)
def _matmul_operation(a: tuple[int, ...], b: tuple[int, ...]) -> Einsum:
    """Contract the inner axes; batch axes of size one that meet a larger one are summed away."""
    rank = max(len(a), len(b))
    batch_a = [axis - rank for axis in range(rank - len(a), rank)]
    batch_b = [axis - rank for axis in range(rank - len(b), rank)]
    output = list(range(-rank, 0))
    for k, axis in enumerate(batch_a):
        other = b[axis] if -axis <= len(b) else 1
        if a[k] == 1 != other:
            batch_a[k] = 100 + k
    for k, axis in enumerate(batch_b):
        other = a[axis] if -axis <= len(a) else 1
        if b[k] == 1 != other:
            batch_b[k] = 200 + k
    return Einsum.of([[*batch_a, 0, 1], [*batch_b, 1, 2]], [*output, 0, 2])


def true_divide(x: Tensor, y: Tensor) -> Tensor:
    """Divide; integers are divided as float64."""
    if x.value.dtype != y.value.dtype:
        raise TypeError(f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}.")
    if x.value.dtype.kind in "iu":
        small = x.value.dtype.itemsize < 4
        cast = Cast("float32" if small else "float64")
        x, y = apply1(cast, x), apply1(cast, y)
    return apply2(ops.divide, x, y)


floor_divide = elementwise("floordiv", scalar.floor_divide, 2)
floor_mod = elementwise("floormod", scalar.floor_mod, 2)
greater = elementwise("greater", lambda x, y: x > y, 2, result="bool")
greater_equal = elementwise("greater_equal", lambda x, y: x >= y, 2, result="bool")
less = elementwise("less", lambda x, y: x < y, 2, result="bool")
less_equal = elementwise("less_equal", lambda x, y: x <= y, 2, result="bool")
OP_NAMES |= {
    floor_divide: "FloorDiv",
    floor_mod: "FloorMod",
    greater: "Greater",
    greater_equal: "GreaterEqual",
    less: "Less",
    less_equal: "LessEqual",
}


def _binary(operation: Operation | Callable[[Tensor, Tensor], Tensor]) -> tuple[Any, Any]:
    """Make the methods of an operator, plain and reflected."""
    run: Any = operation
    if isinstance(operation, Operation):

        def run(x: Tensor, y: Tensor) -> Tensor:
            return apply2(operation, x, y)

    def method(self: Tensor, other: Any) -> Any:
        if other.__class__ is not Tensor:
            other = as_operand(other, self)
            if other is NotImplemented:
                return other
        return run(self, other)

    def reflected(self: Tensor, other: Any) -> Any:
        other = as_operand(other, self)
        return other if other is NotImplemented else run(other, self)

    return method, reflected


def _unary(operation: Operation) -> Any:
    def method(self: Tensor) -> Tensor:
        return apply1(operation, self)

    return method


def _equality(*, negated: bool) -> Any:
    """Compare elementwise; shapes that do not broadcast are unequal as a whole."""
    operation = not_equal if negated else ops.equal

    def method(self: Tensor, other: Any) -> Any:
        if other is None:
            return negated
        other = as_operand(other, self) if other.__class__ is not Tensor else other
        if other is NotImplemented:
            return other
        try:
            np.broadcast_shapes(self.value.shape, other.value.shape)
        except ValueError:
            return Tensor(np.bool_(negated))
        return apply2(operation, self, other)

    return method


not_equal = elementwise("not_equal", lambda x, y: scalar.unequal(x, y), 2, result="bool")
logical_and = elementwise("logical_and", scalar.both, 2, result="bool")
logical_or = elementwise("logical_or", scalar.either, 2, result="bool")
logical_xor = elementwise("logical_xor", scalar.one_of, 2, result="bool")
logical_not = elementwise("logical_not", scalar.negation, result="bool")
OP_NAMES |= {
    not_equal: "NotEqual",
    logical_and: "LogicalAnd",
    logical_or: "LogicalOr",
    logical_xor: "LogicalXor",
    logical_not: "LogicalNot",
}

OPERATORS: dict[str, Any] = {
    "__neg__": _unary(ops.negative),
    "__abs__": _unary(ops.absolute),
    "__invert__": _unary(logical_not),
    "__eq__": _equality(negated=False),
    "__ne__": _equality(negated=True),
}
_BINARY: dict[str, Operation | Callable[[Tensor, Tensor], Tensor]] = {
    "add": ops.add,
    "sub": ops.subtract,
    "mul": ops.multiply,
    "truediv": true_divide,
    "floordiv": floor_divide,
    "mod": floor_mod,
    "pow": ops.power,
    "matmul": matmul,
    "and": logical_and,
    "or": logical_or,
    "xor": logical_xor,
}
_RELATIONS = {"lt": less, "le": less_equal, "gt": greater, "ge": greater_equal}
for _name, _run in _BINARY.items():
    OPERATORS[f"__{_name}__"], OPERATORS[f"__r{_name}__"] = _binary(_run)
for _name, _relation in _RELATIONS.items():
    OPERATORS[f"__{_name}__"] = _binary(_relation)[0]
for _name, _method in OPERATORS.items():
    setattr(Tensor, _name, _method)
