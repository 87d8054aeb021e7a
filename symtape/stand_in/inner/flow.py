"""`control_flow_util` and its kin: loops and branches as packages of TensorFlow's ask for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from symtape.ops.arguments import is_tensor
from symtape.ops.control.flow import case
from symtape.ops.control.mapping import vectorized_map
from symtape.ops.shapes.grids import range as numbers

ENABLE_CONTROL_FLOW_V2 = True
"""`control_flow_util.ENABLE_CONTROL_FLOW_V2`: loops and branches are those of version 2."""


def control_flow_v2_enabled() -> bool:
    """Say whether loops and branches are those of version 2 (`tf.compat.v1`).

    >>> control_flow_v2_enabled()
    True
    """
    return ENABLE_CONTROL_FLOW_V2


def enable_control_flow_v2() -> None:
    """Do what is done already (`tf.compat.v1.enable_control_flow_v2`)."""


def in_xla_context(graph: Any) -> bool:
    """Say whether a graph is compiled (`control_flow_util.GraphOrParentsInXlaContext`): none is."""
    return False


def pfor(
    loop_fn: Callable[[Any], Any],
    iters: Any,
    fallback_to_while_loop: bool = True,
    parallel_iterations: int | None = None,
    warn: bool = False,
) -> Any:
    """Call a function with 0, 1, …, and stack what it gives (`control_flow_ops.pfor`).

    >>> pfor(lambda i: i * i, 3).numpy()
    array([0, 1, 4], dtype=int32)
    """
    return vectorized_map(loop_fn, numbers(iters), fallback_to_while_loop, warn)


def case_helper(
    cond_fn: Callable[..., Any],
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None,
    exclusive: bool,
    name: str,
    allow_python_preds: bool = False,
    **cond_kwargs: Any,
) -> Any:
    """Call the function of the first pair whose predicate is true (`control_flow_case`).

    `cond_fn`, as `tf.cond`, chooses between a function and those of the later pairs. Raises
    `TypeError` for a predicate that is no tensor, unless these are allowed.

    >>> from symtape.ops.control.flow import cond
    >>> case_helper(cond, [(False, lambda: 1), (True, lambda: 2)], int, False, "case", True)
    2
    """
    pairs = [*pred_fn_pairs.items()] if isinstance(pred_fn_pairs, dict) else [*pred_fn_pairs]
    if not allow_python_preds and not all(is_tensor(pred) for pred, _ in pairs):
        raise TypeError("pred must be a Tensor")
    if exclusive or default is None:
        return case(pairs, default, exclusive, cond_kwargs.get("strict", False), name)
    chosen = default
    for pred, function in reversed(pairs):
        chosen = partial(cond_fn, pred, true_fn=function, false_fn=chosen, **cond_kwargs)
    return chosen()
