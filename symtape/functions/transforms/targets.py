"""What a function gave: the results that can be differentiated, or the reason why not."""

from __future__ import annotations

from typing import Any

from symtape.functions.tracing.tracing import Traced
from symtape.nest import Tree


def tensor_targets(title: str, traced: Traced) -> list[int]:
    """Give the positions of all results; raises `TypeError` if one is no tensor and no number."""
    targets = [p for p in traced.results if p is not None]
    if len(targets) < len(traced.results):
        raise TypeError(f"{title}: the function gave {_described(traced.plain[0])}")
    return targets


def scalar_target(title: str, traced: Traced, tree: Tree | None = None) -> int:
    """Give the position of the first result, which is all there is but for what is beside `tree`.

    Raises `TypeError` unless it is a scalar of a floating dtype.
    """
    tree = traced.tree if tree is None else tree
    if tree.type is not None:
        kind = "None" if tree.type is type(None) else f"a {tree.type.__name__}"
        raise TypeError(
            f"{title}: the function must give one scalar, not {kind}; jacobian differentiates "
            "several results"
        )
    value = traced.results[0]
    if value is None:
        raise TypeError(
            f"{title}: the function must give a scalar, not {_described(traced.plain[0])}"
        )
    shape, dtype = traced.program.shapes[value], traced.program.dtypes[value]
    if shape != ():
        raise TypeError(
            f"{title}: a gradient is that of a scalar, but the function gave shape {shape}; sum "
            "it, or use jacobian"
        )
    if dtype.kind not in "fV":
        hint = "; take its real or imaginary part" if dtype.kind == "c" else ""
        raise TypeError(
            f"{title}: a gradient is that of a floating number, but the function gave {dtype}{hint}"
        )
    return value


def _described(result: Any) -> str:
    if isinstance(result, int):
        return f"{result!r} of type {type(result).__name__}: give {float(result)!r} for {result!r}"
    return f"{result!r:.60}, which is no tensor and no number"
