"""Functions of TensorFlow's that promote their operands, and give weak results of weak ones.

Which they are is TensorFlow's to say: `python -m tests.insides` asks it. A function that is called
by its name (`lifted`), an operator and a method of a variable come here while a mode asks for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial, wraps
from inspect import BoundArguments
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise import arithmetic, conversion
from symtape.ops.elementwise.conversion import cast
from symtape.signatures import read_signature
from symtape.stand_in.promotion.lattice import Kind, NotPromotedError, Promotion, kind_of
from symtape.stand_in.promotion.weak import ALLOWED, WeakTensor, as_it_is, strong, weak
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.operators import OPERATORS
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.variables.variable import Variable

Run = Callable[..., Any]
FILE = Path(__file__).with_name("promoting.json")
"""Which functions promote one operand, two, two that they compare, two that are first tensors."""
PROMOTED: dict[Run, Run] = {}
"""By each function, what promotes its operands first; nothing while no mode asks for that."""


def promote(mode: str) -> None:
    """Have functions promote their operands, as the modes "safe" and "all" say, or no more.

    >>> promote("all")
    >>> PROMOTED[conversion.constant](1)
    <tf.Tensor: shape=(), dtype=int32, numpy=1, weak=True>
    >>> promote("")
    """
    Promotion.mode = mode
    PROMOTED.clear()
    if mode:
        PROMOTED.update(_known())


def by_name(function: Run) -> Run:
    """Have a function be called as a script does: by what promotes in its place, if that does."""

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        return PROMOTED.get(function, function)(*args, **kwargs)

    return run


@cache
def _known() -> dict[Run, Run]:
    """Find the functions that are here, and make what promotes for each."""
    ways: dict[str, Callable[[Run], Run]] = {"unary": of_one, "binary": of_two}
    ways |= {"compared": compared, "strong": of_tensors}
    found: dict[Run, Run] = {
        conversion.constant: _constant,
        conversion.convert_to_tensor: _to_tensor,
        arithmetic.clip_by_value: of_one(_clipped),
    }
    for way, names in json.loads(FILE.read_text(encoding="utf-8")).items():
        for path in names:
            function = _found(path)
            if function is not None and function not in found:
                found[function] = ways[way](function)
    return found


def _found(path: str) -> Run | None:
    """Find the function that answers for a name of TensorFlow's, where there is one."""
    find = resolve_name(_FINDER)
    try:
        return find(path)  # type: ignore[no-any-return]  # a function of ours
    except AttributeError:
        return None


_FINDER = f"{__name__.rpartition('.')[0].rpartition('.')[0]}.finder:found"
"""What finds names, to which no module that it needs may bind itself."""


# --- operands -------------------------------------------------------------------------------------


def converted(value: Any, dtype: DType) -> Tensor:
    """Make a tensor of a dtype of an operand; a number of Python's is that number in a formula."""
    if is_tensor(value):
        return cast(value, dtype)
    made = convert(value, dtype)
    return Literal.of(value, made.raw.dtype) if type(value) in {int, float, complex} else made


def _given(function: Run, args: Any, kwargs: Any) -> BoundArguments:
    bound = _signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound


_signature = cache(read_signature)


def _promoted(
    function: Run, given: BoundArguments, operands: dict[str, Any], kind: Kind, keeps: bool = True
) -> Any:
    """Call a function with operands of one dtype; where it `keeps` that, the result can be weak."""
    with as_it_is():
        made = {name: converted(operand, kind.dtype) for name, operand in operands.items()}
        given.arguments.update(made)
        found = function(*given.args, **given.kwargs)
    return _result(found, kind) if keeps and kind.is_weak else strong(found)


def _result(found: Any, kind: Kind) -> Any:
    """Make a result weak, if that is what its operands are together."""
    if not kind.is_weak:
        return found
    if found.dtype.name not in ALLOWED:
        listed = ", ".join(f"tf.{name}" for name in ALLOWED)
        raise TypeError(
            f"{found.dtype} not allowed as a weak type. The allowed types are ({listed})."
        )
    return weak(found)


# --- functions ------------------------------------------------------------------------------------


def of_one(function: Run) -> Run:
    """Make a function of one operand give a weak result of a weak one, and of Python's numbers."""
    names = [*_signature(function).parameters]
    name = "x" if names[0] == "scalar" else names[0]  # of `scalar_mul` the second counts alone

    def run(*args: Any, **kwargs: Any) -> Any:
        bound = _given(function, args, kwargs)
        x = bound.arguments[name]
        is_known = isinstance(x, Tensor) and not isinstance(x, WeakTensor)
        if is_known or bound.arguments.get("dtype") is not None:
            return function(*args, **kwargs)
        try:
            kind = kind_of([x])
        except NotPromotedError:
            return function(*args, **kwargs)
        return _promoted(function, bound, {name: x}, kind)

    return run


def of_two(function: Run, *, keeps: bool = True, is_strong: bool = False) -> Run:
    """Make a function of two operands promote them first.

    Of weak ones the result is weak, where it `keeps` that. If `is_strong` no operand counts for
    weak.
    """
    first, second, *_ = _signature(function).parameters

    def run(*args: Any, **kwargs: Any) -> Any:
        bound = _given(function, args, kwargs)
        operands = [bound.arguments[name] for name in (first, second)]
        try:
            operands = [*map(convert, operands)] if is_strong else operands
            kind = kind_of(operands)
        except NotPromotedError:
            return function(*args, **kwargs)
        given = dict(zip((first, second), operands, strict=True))
        return _promoted(function, bound, given, kind, keeps=keeps)

    return run


compared = partial(of_two, keeps=False)
of_tensors = partial(of_two, is_strong=True)


def _constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """Make a constant: a weak one of Python's numbers, and of a tensor one of a wider dtype."""
    try:
        kind = kind_of([value, dtype])
    except NotPromotedError:
        return conversion.constant(value, dtype, shape, name)
    given = strong(value)
    if dtype is None:
        made: Tensor = _result(conversion.constant(given, kind.dtype, shape, name), kind)
        return made
    if is_tensor(given) and kind.dtype == dtype:
        given = cast(given, kind.dtype)
    return conversion.constant(given, dtype, shape, name)


def _clipped(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Tensor:
    """Hold a tensor between bounds that are promoted with it, the upper one first."""
    x = convert(t)
    with suppress(NotPromotedError):
        for bound in (clip_value_max, clip_value_min):
            x = cast(x, kind_of([x.dtype, bound]).dtype)
    low, high = (
        cast(bound, x.dtype) if is_tensor(bound) else bound
        for bound in (clip_value_min, clip_value_max)
    )
    return arithmetic.clip_by_value(x, low, high, name)


def _to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Tensor:
    """Make a tensor that is not weak; raises what a promotion of a value to the dtype raises."""
    if not is_tensor(value):
        with suppress(NotPromotedError):
            kind_of([value, dtype])
    return conversion.convert_to_tensor(value, dtype, dtype_hint, name)


# --- operators and methods ------------------------------------------------------------------------

_UNARY = {"__neg__", "__abs__", "__invert__"}
_AS_THEY_ARE = {"__and__", "__or__", "__xor__", "__rand__", "__ror__", "__rxor__"} | {
    *("__lt__", "__le__", "__gt__", "__ge__", "__ne__")
}
"""Operators of two tensors that promote nothing."""


def operators() -> dict[str, Run]:
    """Make the operators of tensors that promote their operands, by their names."""
    names = {*OPERATORS}.difference(_UNARY, _AS_THEY_ARE)
    return {name: _operator(name) for name in names}


def _operator(name: str) -> Run:
    is_turned = name.startswith("__r") and name.replace("__r", "__") in OPERATORS
    plain = OPERATORS[name.replace("__r", "__") if is_turned else name]
    promoted = of_two(_of_pair(plain), keeps=name != "__eq__")
    run = _product(promoted, plain) if name in {"__mul__", "__rmul__"} else promoted
    if name == "__eq__":
        return lambda self, other: False if other is None else run(self, other)
    return (lambda self, other: run(other, self)) if is_turned else run


def _of_pair(plain: Run) -> Run:
    def operator(x: Any, y: Any) -> Any:
        return plain(x if isinstance(x, Tensor) else convert(x), y)

    return operator


def _product(promoted: Run, plain: Run) -> Run:
    """Leave products with truth values alone, which are truth values themselves."""

    def product(x: Any, y: Any) -> Any:
        if any([isinstance(z, Tensor) and z.dtype.is_bool for z in (x, y)]):
            return plain(convert(x), convert(y))
        return promoted(x, y)

    return product


for _name in _UNARY:
    setattr(WeakTensor, _name, lambda self, run=OPERATORS[_name]: weak(run(self)))


def assigning(name: str) -> Run:
    """Make a method of variables that promotes what is assigned to the variable's dtype."""
    plain = vars(Variable)[name]

    def method(self: Variable, value: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            kind = kind_of([self, value])
        except NotPromotedError:
            return plain(self, value, *args, **kwargs)
        if kind.dtype is not self.dtype:
            raise TypeError(
                f"Variable dtype is immutable. Calling {name} of Variable (with dtype {self.dtype})"
                f" on {value} requires converting {value} to {self.dtype}. This is disabled in the "
                f"current promotion semantics. Please convert {value} manually before calling "
                f"{name}."
            )
        return plain(self, converted(value, kind.dtype), *args, **kwargs)

    return method
