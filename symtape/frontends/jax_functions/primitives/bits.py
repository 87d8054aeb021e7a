"""Primitives on bits and on random keys: JAX computes them, of integers that are decided.

They have no derivative. Truth values are different: `and`, `or` and `not` of them are recorded.
"""

from __future__ import annotations

from typing import Any

from symtape.frontends.functions import OF_TRUTH
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.frontends.jax_functions.values import Value, decided, is_fixed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of


def computed(step: Step, *tensors: Tensor) -> list[Any]:
    """Take what JAX made, and remember the integers that it made it of."""
    for value in step.operands:
        if not is_fixed(value) and dtype_of(value).kind not in "biu":
            raise step.refused("the bits of a number that depends on arguments have no formula")
        decide(value)
    return list(step.results)


def decide(value: Value) -> None:
    """Leave a guard for each integer of a value."""
    if not is_fixed(value):
        decided(value)


def _logic(step: Step, *tensors: Tensor) -> Any:
    if dtype_of(tensors[0]).kind != "b":
        return computed(step, *tensors)
    return OF_TRUTH[step.name](*tensors)


ON_BITS = (
    *("shift_left", "shift_right_arithmetic", "shift_right_logical", "bitcast_convert_type"),
    *("population_count", "clz", "mulhi", "reduce_xor"),
    *("random_bits", "random_fold_in", "random_seed", "random_split", "random_unwrap"),
    *("random_wrap", "random_clone", "threefry2x32", "rng_bit_generator"),
    *("lu_pivots_to_permutation",),
)

RULES: dict[str, Rule] = dict.fromkeys(OF_TRUTH, _logic) | dict.fromkeys(ON_BITS, computed)
