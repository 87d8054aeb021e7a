"""What packages ask of TensorFlow's control flow, and of the graph that there is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy as np

from symtape import nest
from symtape.differentiation.custom_gradient import custom_gradient
from symtape.ops.arguments import is_tensor, plain, tensor
from symtape.ops.control.flow import case
from symtape.ops.control.mapping import vectorized_map
from symtape.ops.elementwise.conversion import identity
from symtape.ops.shapes.grids import range as numbers
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

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

    Raises `TypeError` for a predicate that is no tensor, unless these are allowed.

    >>> from symtape.ops.control.flow import cond
    >>> case_helper(cond, [(False, lambda: 1), (True, lambda: 2)], None, False, "case", True)
    2
    """
    pairs = [*pred_fn_pairs.items()] if isinstance(pred_fn_pairs, dict) else [*pred_fn_pairs]
    if not allow_python_preds and not all(is_tensor(pred) for pred, _ in pairs):
        raise TypeError("pred must be a Tensor")
    return case(pairs, default, exclusive, cond_kwargs.get("strict", False), name)


def variables_as_tensors(values: Any) -> Any:
    """Read variables, also in what is made of several (`convert_variables_to_tensors`)."""
    return nest.map_structure(_read, values)


def _read(value: Any) -> Any:
    if isinstance(value, Variable):
        return value.read()
    reads = getattr(value, "_convert_variables_to_tensors", None)
    return value if reads is None or isinstance(value, Tensor) else reads()


def sticky_attribute_assignment(trackable: Any, name: str, value: Any) -> Any:
    """Give a value that becomes an attribute: it is kept as it is (`data_structures`)."""
    return value


Kind = TypeVar("Kind", bound=type)


def make_composite_tensor(cls: Kind, module_name: str = "tf.linalg") -> Kind:
    """Give a class of linear operators as it is; these are no composites here."""
    return cls


def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Tensor:
    """Give a tensor as it is, of which no derivative is taken: that raises `LookupError`.

    >>> prevent_gradient([1.0]).numpy()
    array([1.], dtype=float32)
    """

    def refuse(*_: Any) -> NoReturn:
        raise LookupError(f"Gradient explicitly disabled. Reason: b{message!r}")

    made: Tensor = custom_gradient(lambda x: (identity(x), refuse))(tensor(input))
    return made


def shape_of_constant(given: Any) -> TensorShape:
    """Read a shape, in which -1 is a size that is not known (`constant_value_as_shape`).

    >>> shape_of_constant([2, -1])
    TensorShape([2, None])
    """
    sizes = np.asarray(plain(given))
    if sizes.ndim == 0 and sizes == -1:
        return TensorShape(None)
    return TensorShape([None if n == -1 else int(n) for n in sizes.ravel()])


def evaluated(given: Any) -> Any:
    """Give the value of a tensor as an array (`try_evaluate_constant`)."""
    return plain(given)


def as_shape(shape: Any) -> TensorShape:
    """Make a shape of what stands for one."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)
