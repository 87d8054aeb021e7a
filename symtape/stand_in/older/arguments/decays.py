"""Learning rates that fall as a step is counted up, as of TensorFlow 1: functions, when eager.

p is the share of `decay_steps` that the step has gone; a rate is computed when it is asked for.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from functools import partial
from typing import Any

tf: Any = importlib.import_module(__name__.partition(".")[0])
"""The public face."""


def _rate(rule: Callable[..., Any], rate: Any, step: Any, steps: Any, *numbers: Any) -> Any:
    """Compute a rate now: the step may be a variable, which has changed since."""
    rate = tf.convert_to_tensor(rate)
    step, steps = (tf.cast(x, rate.dtype) for x in (step, steps))
    return rule(rate, step, steps, *[tf.cast(n, rate.dtype) for n in numbers])


def _later(rule: Callable[..., Any], *given: Any) -> Any:
    """Give a function that computes the rate."""
    return partial(_rate, rule, *given)


def _share(step: Any, steps: Any, *, in_stairs: bool) -> Any:
    return tf.floor(step / steps) if in_stairs else step / steps


def _exponential(rate: Any, step: Any, steps: Any, base: Any, *, in_stairs: bool) -> Any:
    return rate * base ** _share(step, steps, in_stairs=in_stairs)


def _inverse(rate: Any, step: Any, steps: Any, slope: Any, *, in_stairs: bool) -> Any:
    return rate / (1 + slope * _share(step, steps, in_stairs=in_stairs))


def _polynomial(rate: Any, step: Any, steps: Any, end: Any, power: Any, *, cycle: bool) -> Any:
    if cycle:
        steps = steps * tf.where(step == 0, tf.ones_like(step), tf.math.ceil(step / steps))
    else:
        step = tf.minimum(step, steps)
    return (rate - end) * (1 - step / steps) ** power + end


def _half_wave(share: Any) -> Any:
    return 0.5 * (1 + tf.cos(math.pi * share))


def _cosine(rate: Any, step: Any, steps: Any, least: Any) -> Any:
    wave = _half_wave(tf.minimum(step, steps) / steps)
    return rate * ((1 - least) * wave + least)


def _restarts(rate: Any, step: Any, steps: Any, longer: Any, lower: Any, least: Any) -> Any:
    """Begin anew after `steps`, each time `longer` and `lower` by a factor."""
    share = step / steps
    if float(longer) == 1.0:
        count = tf.floor(share)
        share = share - count
    else:
        count = tf.floor(tf.math.log(1 - share * (1 - longer)) / tf.math.log(longer))
        gone = (1 - longer**count) / (1 - longer)
        share = (share - gone) / longer**count
    return rate * ((1 - least) * lower**count * _half_wave(share) + least)


def _linear_cosine(rate: Any, step: Any, steps: Any, periods: Any, least: Any, more: Any) -> Any:
    step = tf.minimum(step, steps)
    wave = _half_wave(2 * periods * step / steps)
    return rate * ((least + (steps - step) / steps) * wave + more)


def _piecewise(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Any:
    """Give the value of the first boundary that is not passed."""
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")

    def rate() -> Any:
        at = sum(bool(tf.convert_to_tensor(x) > bound) for bound in boundaries)
        return tf.convert_to_tensor(values[at])

    return rate


def _natural(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """Multiply by e to the power of -`decay_rate` p."""
    base = tf.exp(tf.negative(decay_rate))
    rule = partial(_exponential, in_stairs=staircase)
    return _later(rule, learning_rate, global_step, decay_steps, base)


DECAYS: dict[str, Callable[..., Any]] = {
    "train.cosine_decay": lambda learning_rate, global_step, decay_steps, alpha=0.0, name=None: (
        _later(_cosine, learning_rate, global_step, decay_steps, alpha)
    ),
    "train.cosine_decay_restarts": lambda learning_rate, global_step, first_decay_steps, t_mul=2.0,
    m_mul=1.0, alpha=0.0, name=None: _later(
        _restarts, learning_rate, global_step, first_decay_steps, t_mul, m_mul, alpha
    ),
    "train.exponential_decay": lambda learning_rate, global_step, decay_steps, decay_rate,
    staircase=False, name=None: _later(
        partial(_exponential, in_stairs=staircase), learning_rate, global_step, decay_steps,
        decay_rate,
    ),
    "train.inverse_time_decay": lambda learning_rate, global_step, decay_steps, decay_rate,
    staircase=False, name=None: _later(
        partial(_inverse, in_stairs=staircase), learning_rate, global_step, decay_steps, decay_rate
    ),
    "train.linear_cosine_decay": lambda learning_rate, global_step, decay_steps, num_periods=0.5,
    alpha=0.0, beta=0.001, name=None: _later(
        _linear_cosine, learning_rate, global_step, decay_steps, num_periods, alpha, beta
    ),
    "train.natural_exp_decay": _natural,
    "train.piecewise_constant": _piecewise,
    "train.piecewise_constant_decay": _piecewise,
    "train.polynomial_decay": lambda learning_rate, global_step, decay_steps,
    end_learning_rate=0.0001, power=1.0, cycle=False, name=None: _later(
        partial(_polynomial, cycle=cycle), learning_rate, global_step, decay_steps,
        end_learning_rate, power,
    ),
}  # fmt: skip
