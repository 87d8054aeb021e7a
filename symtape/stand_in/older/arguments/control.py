"""Loops, choices and functions of functions by the arguments that they had in TensorFlow 1."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NoReturn

from symtape.stand_in.older.arguments.names import now

tf: Any = importlib.import_module(__name__.partition(".")[0])
"""The public face."""


def _while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """Loop; one variable of a loop is given by itself, unless the structure is to be the same."""
    may_be_bare = len(loop_vars) == 1 and not return_same_structure
    is_bare = False

    def step(*values: Any) -> Any:
        nonlocal is_bare
        found = body(*values)
        is_bare = may_be_bare and not isinstance(found, (list, tuple))
        return [found] if is_bare else found

    how = (shape_invariants, parallel_iterations, back_prop, swap_memory)
    found = tf.while_loop(cond, step, loop_vars, *how, maximum_iterations, name)
    return found[0] if is_bare else found


def _cond(
    pred: Any,
    true_fn: Any = None,
    false_fn: Any = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Any = None,
    fn2: Any = None,
) -> Any:
    """Call one of two functions; a list of one result is given by itself, unless it is `strict`."""
    pairs = (("true_fn", true_fn, "fn1", fn1), ("false_fn", false_fn, "fn2", fn2))
    for new, chosen, old, given in pairs:
        if given is not None and chosen is not None:
            raise TypeError(f"cond(): '{new}' and '{old}' may not be set simultaneously.")
    chosen = [given if way is None else way for _, way, _, given in pairs]
    found = tf.cond(pred, *chosen, name)
    is_bare = isinstance(found, (list, tuple)) and len(found) == 1 and not strict
    return found[0] if is_bare else found


def _one_shot_iterator(dataset: Any) -> Any:
    return iter(dataset)


def _initializable_iterator(dataset: Any, shared_name: str | None = None) -> NoReturn:
    """Refuse what a session would start, as TensorFlow does where it runs eagerly."""
    raise RuntimeError(
        "`make_initializable_iterator()` is not supported in eager mode. Use Python-style "
        "iteration instead."
    )


def _told(what: str) -> Callable[..., Any]:
    """Give what a spec says, of each part of the elements of a dataset or an iterator."""
    return lambda dataset_or_iterator: tf.nest.map_structure(
        lambda spec: getattr(spec, what), dataset_or_iterator.element_spec
    )


CONTROL: dict[str, Callable[..., Any]] = {
    "data.get_output_classes": _told("value_type"),
    "data.get_output_shapes": _told("shape"),
    "data.get_output_types": _told("dtype"),
    "data.make_initializable_iterator": _initializable_iterator,
    "data.make_one_shot_iterator": _one_shot_iterator,
    "cond": _cond,
    "case": lambda pred_fn_pairs, default=None, exclusive=False, strict=False, name="case": (
        now(tf.case, locals())
    ),
    "foldl": lambda fn, elems, initializer=None, parallel_iterations=10, back_prop=True,
    swap_memory=False, name=None: now(tf.foldl, locals()),
    "foldr": lambda fn, elems, initializer=None, parallel_iterations=10, back_prop=True,
    swap_memory=False, name=None: now(tf.foldr, locals()),
    "gradients": lambda ys, xs, grad_ys=None, name="gradients", colocate_gradients_with_ops=False,
    gate_gradients=False, aggregation_method=None, stop_gradients=None,
    unconnected_gradients=tf.UnconnectedGradients.NONE: tf.gradients(
        ys, xs, grad_ys, name, gate_gradients, aggregation_method, stop_gradients,
        unconnected_gradients,
    ),
    "map_fn": lambda fn, elems, dtype=None, parallel_iterations=None, back_prop=True,
    swap_memory=False, infer_shape=True, name=None, fn_output_signature=None: (
        now(tf.map_fn, locals())
    ),
    "py_func": lambda func, inp, Tout, stateful=True, name=None: now(tf.numpy_function, locals()),
    "scan": lambda fn, elems, initializer=None, parallel_iterations=10, back_prop=True,
    swap_memory=False, infer_shape=True, reverse=False, name=None: now(tf.scan, locals()),
    "while_loop": _while_loop,
}  # fmt: skip
