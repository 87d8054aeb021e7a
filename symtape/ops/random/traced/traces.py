"""For which arguments TensorFlow traces a function, and which of its traces a call takes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from symtape.ops.arguments import is_tensor
from symtape.ops.spec import TensorSpec
from symtape.tensor.values import dtype_of, shape_of


class Given(NamedTuple):
    """A tensor or a variable: its sizes are numbers, or of a trace for many, None."""

    is_variable: bool
    dtype: Any
    shape: tuple[int | None, ...] | None


def signature(value: Any) -> Any:
    """Say what of arguments decides about the trace.

    >>> signature((1, {"a": [2.5]}))
    ('tuple', 1, ('dict', 'a', ('list', 2.5)))
    """
    if is_tensor(value):
        tensor = value.read()
        return Given(type(value) is not type(tensor), dtype_of(tensor), shape_of(tensor))
    if isinstance(value, TensorSpec):
        sizes = None if value.shape.rank is None else tuple(value.shape.as_list())
        return Given(False, value.dtype, sizes)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, *map(signature, value)
    if isinstance(value, dict):
        return "dict", *(part for k in sorted(value) for part in (k, signature(value[k])))
    if hasattr(type(value), "element_spec"):  # an iterator or a dataset: of what, not which
        return type(value), signature(value.element_spec)
    try:
        hash(value)
    except TypeError:
        return type(value), id(value)
    return value  # 1 and True are one trace in TensorFlow, too


def taken(call: Any, traces: Collection[Any]) -> Any:
    """Give the trace that a call takes: its own, or the narrowest that covers it; None if none.

    >>> many, two = (signature(TensorSpec(sizes)) for sizes in ([None], [2]))
    >>> taken(two, [many]) == many, taken(two, [many, two]) == two, taken(many, [two])
    (True, True, None)
    """
    if call in traces:
        return call
    best = None
    for trace in traces:
        if _joined(trace, call) == trace and (best is None or _joined(best, trace) == best):
            best = trace
    return best


def relaxed(call: Any, traces: Collection[Any]) -> Any:
    """Widen what a call is traced for, so that it covers traces that differ in sizes alone.

    >>> relaxed(signature(TensorSpec([3, 1])), [signature(TensorSpec([2, 1]))]).shape
    (None, 1)
    """
    for trace in traces:
        wide = _joined(call, trace)
        call = call if wide is _UNLIKE else wide
    return call


def is_open(trace: Any) -> bool:
    """Say whether calls of several sizes can take a trace.

    >>> [is_open(signature([TensorSpec(sizes)])) for sizes in ([None], [2])]
    [True, False]
    """
    if isinstance(trace, Given):
        return trace.shape is None or None in trace.shape
    return type(trace) is tuple and any([is_open(part) for part in trace])


_UNLIKE = object()
"""That two signatures differ in more than sizes."""


def _joined(a: Any, b: Any) -> Any:
    """Give the narrowest signature that covers two."""
    if isinstance(a, Given) and isinstance(b, Given):
        return a._replace(shape=_wide(a.shape, b.shape)) if a[:2] == b[:2] else _UNLIKE
    if type(a) is tuple and type(b) is tuple and len(a) == len(b):
        parts = tuple([_joined(x, y) for x, y in zip(a, b, strict=True)])
        return _UNLIKE if any([p is _UNLIKE for p in parts]) else parts
    return a if a == b else _UNLIKE


def _wide(a: Any, b: Any) -> tuple[int | None, ...] | None:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple([x if x == y else None for x, y in zip(a, b, strict=True)])
