"""Python's operators on tensors, and the operations that they stand for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.operations import Cast, Map, Operation, elementwise
from symtape.tensor.convert import as_operand, convert
from symtape.tensor.dispatch import (
    NO_TRUTH,
    OP_NAMES,
    apply1,
    apply2,
    invalid,
    mismatch,
    not_taken,
)
from symtape.tensor.indexing.brackets import getitem, iterate
from symtape.tensor.products import matmul, product
from symtape.tensor.requirements import all_true, meets
from symtape.tensor.tensor import Tensor

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
"""The whole quotient of which `floor_mod` is what is left, as NumPy and PyTorch divide."""
floored_quotient = elementwise("floored_quotient", lambda x, y: scalar.floor(x / y), 2)
"""The quotient, rounded, and then rounded down, as TensorFlow divides floats: 1 // 0.1 is 10."""
floor_mod = elementwise("floormod", scalar.floor_mod, 2)
floored_remainder = elementwise("floored_remainder", scalar.floored_remainder, 2)
"""What is left of `floored_quotient`, as TensorFlow's gradient says; a zero has the sign of x."""


def _by_nonzero(of_integers: Map, other: Map, op: str) -> Callable[[Tensor, Tensor], Tensor]:
    """Divide; raise `InvalidArgumentError` where integers are divided by 0."""

    def run(x: Tensor, y: Tensor) -> Tensor:
        if y.raw.dtype.kind not in "iu":
            return apply2(other, x, y)
        if not meets(y, all_true):
            raise invalid(op, "Integer division by zero")
        return apply2(of_integers, x, y)

    return run


floor_quotient = _by_nonzero(floor_divide, floored_quotient, "FloorDiv")
floor_remainder = _by_nonzero(floor_mod, floored_remainder, "FloorMod")
whole_remainder = _by_nonzero(floor_mod, floor_mod, "FloorMod")
greater = ops.greater
greater_equal = elementwise("greater_equal", lambda x, y: x >= y, 2, result="bool")
less = elementwise("less", lambda x, y: x < y, 2, result="bool")
less_equal = elementwise("less_equal", lambda x, y: x <= y, 2, result="bool")
NO_TRUTH |= {
    floor_divide,
    floored_quotient,
    floor_mod,
    floored_remainder,
    greater,
    greater_equal,
    less,
    less_equal,
}
OP_NAMES |= {
    floor_divide: "FloorDiv",
    floored_quotient: "FloorDiv",
    floor_mod: "FloorMod",
    floored_remainder: "FloorMod",
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
