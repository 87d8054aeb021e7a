"""What TensorFlow's kernels do to variables: the steps of optimizers, assignments, and reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.arguments import INEXACT
from symtape.stand_in.raw.training import STEPS
from tests.answers.answer import Table
from tests.answers.inner_kernels import within
from tests.answers.numpy_names import outcome
from tests.answers.stand_ins import wide

TABLE = Table("training_kernels")

VARIABLES = (
    *("accum", "accum_update", "linear", "m", "v", "vhat", "mg", "ms", "mom"),
    *("gradient_accumulator", "gradient_squared_accumulator"),
)
NUMBERS = {"lr_power": -0.5, "global_step": 3}
SIZES = {"mg": 0.1}
"""What is less than the roots of squares are."""
_R = np.random.RandomState(5)
START = _R.normal(size=(4, 2))
SLOPES = _R.normal(size=(5, 2))
PLACES = [0, 2, 0, 3, 0]
"""Rows, of which one is named three times."""


def _words(name: str, of_rows: bool, flag: bool) -> tuple[str, list[str], dict[str, Any]]:
    """Name a kernel, its arguments that are no flags, and its flags."""
    words = STEPS[name].text.split()
    flags = {word.partition("=")[0]: flag for word in words if "=" in word}
    plain = [word for word in words if "=" not in word]
    if of_rows:
        plain = [w if w != "delta" else "grad" for w in plain]
    return f"Resource{'Sparse' if of_rows else ''}Apply{name}", plain, flags


def _stepped(tf: Any, name: str, dtype: str, of_rows: bool, flag: bool) -> list[Any]:
    """Take two steps, and give what all variables hold then."""
    kernel, words, given = _words(name, of_rows, flag)
    variables = {"var": tf.Variable(START.astype(dtype))}
    for k, word in enumerate(words, 1):
        if word in VARIABLES:
            kept = SIZES.get(word, 1.0) * np.cos(START + k) ** 2 + SIZES.get(word, 0.2)
            variables[word] = tf.Variable(kept.astype(dtype))
        elif word in ("grad", "delta"):
            given[word] = tf.constant(SLOPES[: 5 if of_rows else 4].astype(dtype))
        elif word == "global_step":
            given[word] = tf.constant(3, tf.int64)
        else:
            given[word] = NUMBERS.get(word, 0.1 + 0.07 * k)
    if of_rows:
        given["indices"] = PLACES
    given |= {word: variable.handle for word, variable in variables.items()}
    made = [getattr(tf.raw_ops, kernel)(**given) for _ in range(2)]
    return [*made, *(_parts(variable.numpy()) for variable in variables.values())]


def _parts(array: Any) -> list[float]:
    """Give the numbers of an array, of complex ones both parts."""
    return [float(part) for x in array.ravel() for part in (x.real, x.imag)]


def _steps(name: str) -> None:
    """Add a row: all kinds of steps of an optimizer."""
    kind = STEPS[name]
    asked = [
        (dtype, of_rows, flag)
        for dtype in ("float32", "float64", "complex64")[: 2 + (kind.dtypes is INEXACT)]
        for of_rows in (False, True)[: 1 + kind.has_rows]
        for flag in (False, True)[: 1 + ("=" in kind.text)]
    ]

    def run(plain: Any) -> Any:
        tf = wide(plain)
        return [outcome(lambda tf, how=how: _stepped(tf, name, *how), tf) for how in asked]

    TABLE.add(name, run)


for _name in STEPS:
    _steps(_name)


def _asked(name: str, *calls: Callable[[Any, Any], Any]) -> None:
    """Add a row: calls with a variable, and what it holds afterwards."""

    def run(plain: Any) -> Any:
        tf = wide(plain)

        def one(tf: Any, call: Callable[[Any, Any], Any]) -> Any:
            variable = tf.Variable([1.0, 2.0, 3.0])
            return call(tf, variable), variable.numpy()

        return [outcome(lambda tf, call=call: one(tf, call), tf) for call in calls]

    TABLE.add(name, run)


def _descent(tf: Any, var: Any, alpha: Any = 0.5, delta: Any = (1.0, 2.0, 3.0)) -> Any:
    return tf.raw_ops.ResourceApplyGradientDescent(var=var, alpha=alpha, delta=delta)


def _momentum(tf: Any, var: Any, kept: Any, **given: Any) -> Any:
    given = {"lr": 0.1, "momentum": 0.5, "grad": [1.0, 1.0], "indices": [0, 2], **given}
    return tf.raw_ops.ResourceSparseApplyMomentum(
        var=var.handle, accum=tf.Variable(kept).handle, **given
    )


_asked(
    "what does not fit",
    lambda tf, v: _descent(tf, v),
    lambda tf, v: _descent(tf, tf.constant(1.0)),
    lambda tf, v: _descent(tf, v.handle, delta=[1.0]),
    lambda tf, v: _descent(tf, v.handle, alpha=[0.5]),
    lambda tf, v: _momentum(tf, v, [0.0, 0.0]),
    lambda tf, v: _momentum(tf, v, [0.0, 0.0, 0.0], indices=[0, 3]),
    lambda tf, v: _momentum(tf, v, [0.0, 0.0, 0.0], indices=[0]),
    lambda tf, v: _momentum(tf, v, [0.0, 0.0, 0.0], momentum=[1.0]),
    lambda tf, v: tf.raw_ops.ResourceSparseApplyAdagrad(
        var=v.handle, accum=tf.Variable(v).handle, lr=0.1, grad=[[1.0], [2.0]], indices=[0, 2]
    ),
)
_asked(
    "rows with further axes of one",
    lambda tf, v: _momentum(tf, v, [0.0, 0.0, 0.0], grad=[[1.0], [2.0]]),
    lambda tf, v: _momentum(tf, v, [0.0, 0.0, 0.0], grad=[[[1.0]], [[2.0]]]),
)


@TABLE.program
def _by_places(tf: Any) -> Any:
    variable, kept = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([1.0, 0.0, 2.0])
    descend = within(tf, "ops.gen_training_ops.resource_apply_gradient_descent")
    descend(variable.handle, 0.1, [1.0, 1.0, 1.0])
    move = within(tf, "ops.gen_training_ops.resource_apply_momentum")
    move(variable.handle, kept.handle, 0.1, [1.0, 1.0, 1.0], 0.9, use_nesterov=True)
    return _parts(variable.numpy()), _parts(kept.numpy())


_asked(
    "scatter",
    *(
        lambda tf, v, how=how: getattr(tf.raw_ops, f"ResourceScatter{how}")(
            resource=v.handle, indices=[0, 2, 0], updates=[2.0, 3.0, 4.0]
        )
        for how in ("Add", "Sub", "Mul", "Div", "Min", "Max", "Update")
    ),
    *(
        lambda tf, v, how=how: getattr(tf.raw_ops, f"ResourceScatterNd{how}")(
            ref=v.handle, indices=[[0], [2]], updates=[2.0, 3.0]
        )
        for how in ("Add", "Sub", "Min", "Max", "Update")
    ),
    lambda tf, v: tf.raw_ops.ResourceScatterAdd(resource=v.handle, indices=[0, 0], updates=1.0),
    lambda tf, v: tf.raw_ops.ResourceScatterAdd(resource=v.handle, indices=[0, 3], updates=1.0),
)
_asked(
    "scatter outside",
    *(
        lambda tf, v, how=how, policy=policy: getattr(tf.raw_ops, f"ResourceScatterNd{how}")(
            ref=v.handle, indices=[[0], [7]], updates=[5.0, 6.0], bad_indices_policy=policy
        )
        for how in ("Add", "Sub", "Min", "Max", "Update")
        for policy in ("IGNORE", "ERROR", "junk", None, 3)
    ),
)
_asked(
    "assign and read",
    lambda tf, v: tf.raw_ops.AssignVariableOp(resource=v.handle, value=[4.0, 5.0, 6.0]),
    lambda tf, v: tf.raw_ops.AssignAddVariableOp(resource=v.handle, value=[4.0, 5.0, 6.0]),
    lambda tf, v: tf.raw_ops.AssignSubVariableOp(resource=v.handle, value=[4.0, 5.0, 6.0]),
    lambda tf, v: tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.float32),
    lambda tf, v: tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.int32),
    lambda tf, v: tf.raw_ops.ResourceGather(resource=v.handle, indices=[2, 2], dtype=tf.float32),
    lambda tf, v: tf.raw_ops.ResourceGatherNd(resource=v.handle, indices=[[1]], dtype=tf.float32),
)


def _slope(tf: Any, variable: Any) -> Any:
    with tf.GradientTape() as tape:
        before = variable * variable
        tf.raw_ops.ResourceApplyGradientDescent(
            var=variable.handle, alpha=1.0, delta=[1.0, 1.0, 1.0]
        )
        read = tf.raw_ops.ReadVariableOp(resource=variable.handle, dtype=tf.float32)
        rows = tf.raw_ops.ResourceGather(resource=variable.handle, indices=[2], dtype=tf.float32)
        total = tf.reduce_sum(before) + 3.0 * tf.reduce_sum(read) + 5.0 * tf.reduce_sum(rows)
    return tf.convert_to_tensor(tape.gradient(total, variable))


_asked("gradients", _slope)
