"""Index notation of what adds sliding windows up."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symtape.forms.index.sums import summed
from symtape.program.kinds.windows import Overlap
from symtape.program.operations import Operation

Indices = tuple[Any, ...]


def _overlap(w: Any, op: Overlap, operands: list[int], _: int, at: Indices) -> Any:
    """Add up, over the places k, the windows i with stride·i + dilation·k = n."""
    shape = w.shape(operands[0])
    first = len(at) - op.after - len(op.windows)
    own = at[first : first + len(op.windows)]
    counts = shape[first : first + len(own)]
    if 0 in counts:
        return sp.S.Zero
    places = [w.dummy(window.size) if window.size != 1 else sp.S.Zero for window in op.windows]
    windows, conditions, bounds = [], [], []
    for n, k, count, window in zip(own, places, counts, op.windows, strict=True):
        rest = n - window.dilation * k
        windows.append(rest / window.stride)
        conditions += [sp.Ge(rest, 0), sp.Le(rest, window.stride * (count - 1))]
        if window.stride != 1 and count != 1:
            conditions.append(sp.Eq(sp.Mod(rest, window.stride), 0))
        if window.size != 1:
            bounds.append((k, 0, window.size - 1))
    inner = (*at[:first], *windows, *places, *at[first + len(own) :])
    condition = sp.And(*conditions)
    if condition is sp.false:
        return sp.S.Zero
    value = sp.Piecewise((w.entry(operands[0], inner), condition), (0, True))
    return summed(value, bounds)


RULES: dict[type[Operation], Any] = {Overlap: _overlap}
