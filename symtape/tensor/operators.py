"""Python's operators on tensors, and the operations that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.program import operations as ops
from symtape.program import scalar
from symtape.program.kinds.structural import Gather, Reshape, Slice
from symtape.program.operations import Cast, Einsum, Map, Operation, elementwise
from symtape.tensor import indexing
from symtape.tensor.convert import as_operand, convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import (
    NO_TRUTH,
    OP_NAMES,
    apply,
    apply1,
    apply2,
    invalid,
    listed,
    mismatch,
    no_kernel,
    not_taken,
)
from symtape.tensor.recording.looking import looking
from symtape.tensor.requirements import all_true, meets
from symtape.tensor.rows import Rows
from symtape.tensor.slices import Places
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_places import looked_at
from symtape.tensor.unknown_sizes import unsized


def boolean_mask(x: Tensor, chosen: Any) -> Tensor:
    """Choose the elements where an array over the first axes is true."""
    shape = x.raw.shape
    if chosen.shape != shape[: chosen.ndim]:
        raise ValueError(f"Shapes {shape[: chosen.ndim]} and {chosen.shape} are incompatible")
    flat = (chosen.size, *shape[chosen.ndim :])
    line = apply1(Reshape(shape, flat), x) if chosen.ndim > 1 else x
    places = Places(np.flatnonzero(chosen))
    return unsized(apply(Gather(len(flat) - 1, 0, 0), line, places), 0)


@lru_cache(maxsize=1024)
def _row(key: int, shape: tuple[int, ...]) -> list[Operation]:
    """Read the commonest key."""
    return indexing.operations(key, shape)


def getitem(self: Tensor, key: Any) -> Tensor:
    """Index as TensorFlow does: integers, slices, `None`, `...`, and boolean masks."""
    mask = key if hasattr(key, "dtype") and np.ndim(key) else None
    if mask is not None and np.dtype(mask.dtype.name).kind == "b":
        return boolean_mask(self, decided(convert(mask)))
    if isinstance(key, list):
        key = tuple(key)
    if (run := looking()) is not None:
        self, key = looked_at(run, self, key)
    result = self
    steps = _row if key.__class__ is int else indexing.operations
    for operation in steps(key, self.raw.shape):
        result = apply1(operation, result)
    return result if result is not self else apply1(ops.identity, self)


def iterate(self: Tensor) -> Iterator[Tensor]:
    """Give one tensor for each element of the first axis, when it is asked for.

    A tape that is entered between two elements records those that come after it.
    """
    if not self.raw.ndim:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return Rows(partial(_element, self), len(self.raw))


def _element(x: Tensor, k: int) -> Tensor:
    """Give an element; how many there are was Python's to know, so its place is no number."""
    for operation in _row(k, x.raw.shape):
        x = apply1(operation.plain if type(operation) is Slice else operation, x)
    return x


def matmul(x: Tensor, y: Tensor, turned: tuple[bool, bool] = (False, False)) -> Tensor:
    """Multiply matrices, with batch axes that broadcast; `turned` ones are transposed first.

    The product of a bfloat16 matrix and a float32 one is float32.
    """
    a, b = x.raw.shape, y.raw.shape
    name = "MatMul" if max(len(a), len(b)) <= 2 else "BatchMatMulV2"
    if x.raw.dtype != y.raw.dtype and name == "MatMul":
        x, y = widened(x, y)
    if x.raw.dtype.kind in "bO":
        raise not_taken("MatMul" if x.raw.dtype.kind == "O" else name, x)
    if x.raw.dtype.kind == "u":
        raise no_kernel(name, x)
    if turned[0] and len(a) > 1:
        a = (*a[:-2], a[-1], a[-2])
    if turned[1] and len(b) > 1:
        b = (*b[:-2], b[-1], b[-2])
    if x.raw.dtype != y.raw.dtype:
        raise mismatch(name, x, y)
    if len(a) < 2 or len(b) < 2:
        raise _flat(a, b)
    if a[-1] != b[-2]:
        raise invalid(name, f"Matrix size-incompatible: In[0]: {listed(a)}, In[1]: {listed(b)}")
    if a[:-2] != b[:-2] and any(
        [n != m and 1 not in (n, m) for n, m in zip(a[-3::-1], b[-3::-1], strict=False)]
    ):
        raise invalid(
            "BatchMatMulV2",
            f"In[0] and In[1] must have compatible batch dimensions: {listed(a)} vs. {listed(b)}",
        )
    return apply2(_matmul_operation(a[:-2], b[:-2], turned), x, y)


def widened(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Give a matrix of bfloat16 and one of float32 as float32, and others as they are.

    Raises `InvalidArgumentError`, as TensorFlow does, for another dtype beside bfloat16.
    """
    names = [x.dtype.name, y.dtype.name]
    if "bfloat16" not in names or names[0] == names[1]:
        return x, y
    for name, operand in zip("ab", (x, y), strict=True):
        if operand.dtype.name not in {"bfloat16", "float32"}:
            raise invalid_dtype("SparseMatMul", f"T{name}", operand)
    made = [apply1(Cast("float32"), z) if z.dtype.name == "bfloat16" else z for z in (x, y)]
    return made[0], made[1]


def invalid_dtype(op: str, attr: str, x: Tensor) -> Exception:
    """Make the error of a product of matrices of bfloat16 or float32 for another dtype."""
    return InvalidArgumentError(
        message=f"Value for attr '{attr}' of {x.dtype.enum_name} is not in the list of allowed "
        f"values: float, bfloat16 [Op:{op}] name: "
    )


def _flat(a: tuple[int, ...], b: tuple[int, ...]) -> Exception:
    """Say which operand is no matrix."""
    bad = 0 if len(a) < 2 else 1
    if max(len(a), len(b)) > 2:
        return invalid("BatchMatMulV2", f"In[{bad}] ndims must be >= 2: {len((a, b)[bad])}")
    if len(a) != len(b):
        shapes = f"{listed(a)} vs. {listed(b)}"
        return invalid("MatMul", f"In[0] and In[1] has different ndims: {shapes}")
    return invalid("MatMul", f"In[0] and In[1] ndims must be == 2: {len(a)}")


def product(x: Tensor, y: Tensor) -> Tensor:
    """Multiply as NumPy's `@` does: a vector is a row on the left and a column on the right."""
    a, b = x.raw.shape, y.raw.shape
    if not a or not b or (len(a) > 1 and len(b) > 1):
        return matmul(x, y)
    if x.raw.dtype != y.raw.dtype:
        raise mismatch("MatMul", x, y)
    if a[-1] != b[-2 if len(b) > 1 else 0]:
        text = f"Matrix size-incompatible: In[0]: {listed(a)}, In[1]: {listed(b)}"
        raise invalid("MatMul", text)
    left, right = [*range(2, len(a) + 1)], [*range(2, len(b) + 1)]
    column = [*right[:-1], 0, *right[-1:]] if right else [0]
    return apply2(Einsum.of([[*left, 0], column], [*left, *right]), x, y)


@lru_cache(maxsize=1024)
def _matmul_operation(a: tuple[int, ...], b: tuple[int, ...], turned: tuple[bool, bool]) -> Einsum:
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
    rows = [*batch_a, *((1, 0) if turned[0] else (0, 1))]
    columns = [*batch_b, *((2, 1) if turned[1] else (1, 2))]
    return Einsum.of([rows, columns], [*output, 0, 2])


_DIVIDED = ", ".join(
    f"tf.{name}"
    for name in (
        *("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
        *("bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
    )
)


def refuse_quotient(x: Tensor, y: Tensor, function: str) -> None:
    """Raise `TypeError` for two dtypes, and for texts and bools, which cannot be divided."""
    if x.raw.dtype != y.raw.dtype:
        raise TypeError(f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}.")
    if x.raw.dtype.kind in "bO":
        raise TypeError(f"Invalid dtype {x.dtype!r} in {function}. Expected one of {{{_DIVIDED}}}.")


def true_divide(x: Tensor, y: Tensor) -> Tensor:
    """Divide; integers are divided as float64."""
    refuse_quotient(x, y, "__truediv__")
    if x.raw.dtype.kind in "iu":
        small = x.raw.dtype.itemsize < 4
        cast = Cast("float32" if small else "float64")
        x, y = apply1(cast, x), apply1(cast, y)
    return apply2(ops.divide, x, y)


floor_divide = elementwise("floordiv", scalar.floor_divide, 2)
floor_mod = elementwise("floormod", scalar.floor_mod, 2)


def _by_nonzero(operation: Map, op: str) -> Callable[[Tensor, Tensor], Tensor]:
    """Divide; raise `InvalidArgumentError` where integers are divided by 0."""

    def run(x: Tensor, y: Tensor) -> Tensor:
        if y.raw.dtype.kind in "iu" and not meets(y, all_true):
            raise invalid(op, "Integer division by zero")
        return apply2(operation, x, y)

    return run


floor_quotient = _by_nonzero(floor_divide, "FloorDiv")
floor_remainder = _by_nonzero(floor_mod, "FloorMod")
greater = ops.greater
greater_equal = elementwise("greater_equal", lambda x, y: x >= y, 2, result="bool")
less = elementwise("less", lambda x, y: x < y, 2, result="bool")
less_equal = elementwise("less_equal", lambda x, y: x <= y, 2, result="bool")
NO_TRUTH |= {floor_divide, floor_mod, greater, greater_equal, less, less_equal}
OP_NAMES |= {
    floor_divide: "FloorDiv",
    floor_mod: "FloorMod",
    greater: "Greater",
    greater_equal: "GreaterEqual",
    less: "Less",
    less_equal: "LessEqual",
}


Run = Callable[[Tensor, Tensor], Tensor]


def _asked(other: Any, reflected: str, self: Tensor, error: Exception) -> Any:
    """Let what is no tensor answer by an operator of its own; else raise why it is none.

    As in TensorFlow, it answers arithmetic and no comparison, which has no `__r…__`; but what is
    made of tensors, as rows of a ragged one, compares them itself.
    """
    answers = reflected.startswith("__r") or hasattr(type(other), "_type_spec")
    own = getattr(type(other), reflected, None) if answers else None
    try:
        made = NotImplemented if own is None else own(other, self)
    except (TypeError, ValueError):
        raise error from None
    if made is NotImplemented:
        raise error
    return made


def _plain(run: Run, reflected: str, beside: Any = as_operand) -> Any:
    """Make the method of an operator; `beside` reads the second operand."""

    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(other, Tensor):
            try:
                operand = beside(other, self)
            except (TypeError, ValueError) as error:
                return _asked(other, reflected, self, error)
            return run(self, operand)
        return run(self, other)

    return method


def _reflected(run: Run) -> Any:
    return lambda self, other: run(as_operand(other, self), self)


def _applied(operation: Operation | Run) -> Run:
    if isinstance(operation, Operation):
        return lambda x, y: apply2(operation, x, y)
    return operation


def _beside(value: Any, like: Tensor) -> Any:
    """Convert a second operand as TensorFlow's sums do: to a dtype of its own where it must."""
    try:
        return as_operand(value, like)
    except TypeError:
        return convert(value)


def _matmul_methods() -> tuple[Any, Any]:
    """Multiply tensors as TensorFlow does, and with a NumPy array as NumPy does."""
    plain = _plain(matmul, "__rmatmul__", _beside)

    def method(self: Tensor, other: Any) -> Any:
        if self.raw.dtype.kind == "O":
            raise not_taken("MatMul", self)
        if isinstance(other, np.ndarray):
            return product(self, _beside(other, self))
        return plain(self, other)

    def reflected(self: Tensor, other: Any) -> Any:
        operand = as_operand(other, self)
        return product(operand, self) if isinstance(other, np.ndarray) else matmul(operand, self)

    return method, reflected


def _unary(operation: Operation) -> Any:
    def method(self: Tensor) -> Tensor:
        return apply1(operation, self)

    return method


_LARGEST = 2**62


def to_int(self: Tensor) -> int:
    """Cut towards zero; what a tape remembers of it is the whole number, and not the float."""
    value = int(self._scalar())
    if self.raw.dtype.kind == "b":
        return int(self._decide(bool(value)))
    is_cut = self.raw.dtype.kind == "f" and abs(value) < _LARGEST
    return apply1(Cast("int64"), self).__index__() if is_cut else int(self._decide(value))


def _equality(*, negated: bool) -> Any:
    """Compare elementwise; shapes that do not broadcast are unequal as a whole."""
    operation = ops.not_equal if negated else ops.equal

    def method(self: Tensor, other: Any) -> Any:
        return negated if other is None else compared(self, other)

    def run(x: Tensor, y: Tensor) -> Tensor:
        try:
            np.broadcast_shapes(x.raw.shape, y.raw.shape)
        except ValueError:
            return Tensor(np.bool_(negated))
        return apply2(operation, x, y)

    compared = _plain(run, "__ne__" if negated else "__eq__")
    return method


def _of_bits(operation: Operation, op: str) -> Callable[..., Tensor]:
    """Apply an operation on booleans and on the bits of integers, refusing all other dtypes."""
    run_checked = apply1 if operation.arity == 1 else apply2

    def run(*operands: Tensor) -> Tensor:
        if operands[0].raw.dtype.kind not in "biu":
            raise not_taken(op, operands[0])
        if operands[-1].raw.dtype != operands[0].raw.dtype and operands[0].raw.dtype.kind != "b":
            raise mismatch(op, operands[0], operands[1])
        return run_checked(operation, *operands)

    return run


logical_and = elementwise("logical_and", scalar.both, 2, result="bool")
logical_or = elementwise("logical_or", scalar.either, 2, result="bool")
logical_xor = elementwise("logical_xor", scalar.one_of, 2, result="bool")
logical_not = elementwise("logical_not", scalar.negation, result="bool")
OP_NAMES |= {
    ops.not_equal: "NotEqual",
    logical_and: "LogicalAnd",
    logical_or: "LogicalOr",
    logical_xor: "LogicalXor",
    logical_not: "LogicalNot",
}


def _product(x: Tensor, y: Tensor) -> Tensor:
    """Multiply; beside a truth value, numbers count for whether their whole part is not zero."""
    try:
        return apply2(ops.multiply, x, y)
    except (InvalidArgumentError, TypeError):
        if {"b", "O"} & {x.raw.dtype.kind, y.raw.dtype.kind} != {"b"}:
            raise
    return apply2(ops.multiply, _truth(x), _truth(y))


def _power(x: Tensor, y: Tensor) -> Tensor:
    if x.raw.dtype.kind == "u" and x.raw.dtype == y.raw.dtype:
        raise not_taken("Pow", x)
    return apply2(ops.power, x, y)


def _truth(x: Tensor) -> Tensor:
    return apply1(Cast("bool"), apply1(Cast("int32"), x))


def _factor(value: Any, like: Tensor) -> Any:
    """Convert a second factor; one beside a truth value keeps a dtype of its own."""
    return convert(value) if like.raw.dtype.kind == "b" else as_operand(value, like)


OPERATORS: dict[str, Any] = {
    "__neg__": _unary(ops.negative),
    "__abs__": _unary(ops.absolute),
    "__invert__": _of_bits(logical_not, "Invert"),
    "__eq__": _equality(negated=False),
    "__ne__": _equality(negated=True),
}
_BINARY: dict[str, Operation | Callable[[Tensor, Tensor], Tensor]] = {
    "add": ops.add,
    "sub": ops.subtract,
    "mul": _product,
    "truediv": true_divide,
    "floordiv": floor_quotient,
    "mod": floor_remainder,
    "pow": _power,
    "and": _of_bits(logical_and, "BitwiseAnd"),
    "or": _of_bits(logical_or, "BitwiseOr"),
    "xor": _of_bits(logical_xor, "BitwiseXor"),
}


def _in_order(relation: Operation) -> Callable[[Tensor, Tensor], Tensor]:
    """Compare numbers that have an order, refusing truth values, complex numbers and texts."""

    def run(x: Tensor, y: Tensor) -> Tensor:
        if x.raw.dtype.kind in "bcO" and x.raw.dtype == y.raw.dtype:
            raise not_taken(OP_NAMES[relation], x)
        return apply2(relation, x, y)

    return run


_RELATIONS = {"lt": (less, "gt"), "le": (less_equal, "ge")}
_RELATIONS |= {"gt": (greater, "lt"), "ge": (greater_equal, "le")}
_SECOND = {"add": _beside, "truediv": _beside, "mul": _factor}
"""How operators read what is at their right."""
for _name, _operation in _BINARY.items():
    _run = _applied(_operation)
    _second = _SECOND.get(_name, as_operand)
    OPERATORS[f"__{_name}__"] = _plain(_run, f"__r{_name}__", _second)
    OPERATORS[f"__r{_name}__"] = _reflected(_run)
OPERATORS["__matmul__"], OPERATORS["__rmatmul__"] = _matmul_methods()
for _name, (_relation, _turned) in _RELATIONS.items():
    OPERATORS[f"__{_name}__"] = _plain(_in_order(_relation), f"__{_turned}__")
_PROTOCOLS = {"__getitem__": getitem, "__iter__": iterate, "__int__": to_int}
for _name, _method in (OPERATORS | _PROTOCOLS).items():
    setattr(Tensor, _name, _method)  # the class lies below its operations
Tensor.OVERLOADABLE_OPERATORS = frozenset({*OPERATORS, "__getitem__", "__eq__", "__ne__"})
Tensor.__nonzero__ = Tensor.__bool__
