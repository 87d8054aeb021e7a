"""Kernels that move a variable by a gradient, with what is kept for it: the steps of optimizers.

A step is a formula of arrays in the order of the kernel's arguments, its variables first, and gives
what these hold afterwards. Those of rows, as `ResourceSparseApplyAdagrad`, are the same formulas of
the rows that `indices` names; where a row is named again it takes a further step. Sources of the
formulas are the descriptions of `tf.raw_ops`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import (
    FLOATS,
    INEXACT,
    PLACES,
    Allowed,
    check,
    listed,
    tensor,
)
from symtape.stand_in.raw.resources import handle_of
from symtape.tensor.convert import to_array
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of
from symtape.tensor.variables.versions import Handle

Step = Callable[..., tuple[Any, ...]]


def _descent(x: Any, rate: Any, g: Any) -> tuple[Any, ...]:
    return (x - rate * g,)


def _shrunk(x: Any, rate: Any, l1: Any, l2: Any) -> Any:
    """Be nearer to zero by `rate l1`, and not beyond, and smaller by `1 + rate l2`."""
    return np.sign(x) * np.maximum(abs(x) - rate * l1, 0) / (1 + l2 * rate)


def _proximal_descent(x: Any, rate: Any, l1: Any, l2: Any, g: Any) -> tuple[Any, ...]:
    return (_shrunk(x - rate * g, rate, l1, l2),)


def _adadelta(
    x: Any, squares: Any, moves: Any, rate: Any, rho: Any, eps: Any, g: Any
) -> tuple[Any, ...]:
    squares = squares * rho + g * g * (1 - rho)
    move = np.sqrt(moves + eps) / np.sqrt(squares + eps) * g
    return x - move * rate, squares, moves * rho + move * move * (1 - rho)


def _adagrad(x: Any, squares: Any, rate: Any, g: Any, adds: bool) -> tuple[Any, ...]:
    return _adagrad_v2(x, squares, rate, g.dtype.type(0), g, adds)


def _adagrad_v2(x: Any, squares: Any, rate: Any, eps: Any, g: Any, adds: bool) -> tuple[Any, ...]:
    squares = squares + g * g if adds else squares
    return x - g * rate / (np.sqrt(squares) + eps), squares


def _proximal_adagrad(x: Any, squares: Any, rate: Any, l1: Any, l2: Any, g: Any) -> tuple[Any, ...]:
    squares = squares + g * g
    rates = rate / np.sqrt(squares)
    return _shrunk(x - g * rates, rates, l1, l2), squares


def _dual_averaging(
    x: Any, total: Any, squares: Any, g: Any, rate: Any, l1: Any, l2: Any, step: Any
) -> tuple[Any, ...]:
    total, squares = total + g, squares + g * g
    pulled = np.sign(total) * np.maximum(abs(total) - step * l1, 0) if l1 > 0 else total
    return -rate * pulled / (l2 * step * rate + np.sqrt(squares)), total, squares


def _ftrl(
    x: Any, squares: Any, linear: Any, g: Any, rate: Any, l1: Any, l2: Any, power: Any, times: bool
) -> tuple[Any, ...]:
    return _ftrl_v2(x, squares, linear, g, rate, l1, l2, g.dtype.type(0), power, times)


def _ftrl_v2(
    x: Any, squares: Any, linear: Any, g: Any, rate: Any, l1: Any, l2: Any, shrinkage: Any,
    power: Any, times: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """Follow the regularized leader; `times` keeps `linear` and the penalties times the rate."""
    summed = squares + g * g
    own, over = (rate, 1) if times else (1, rate)
    change = (summed**-power - squares**-power) / over
    linear = linear + (g + 2 * shrinkage * x) * own - change * x
    bend = summed**-power / over + 2 * l2 * own
    return (np.clip(linear, -l1 * own, l1 * own) - linear) / bend, summed, linear


def _momentum(x: Any, kept: Any, rate: Any, g: Any, momentum: Any, ahead: bool) -> tuple[Any, ...]:
    kept = kept * momentum + g
    return x - (g * rate + kept * momentum * rate if ahead else kept * rate), kept


def _keras_momentum(
    x: Any, kept: Any, rate: Any, g: Any, momentum: Any, ahead: bool
) -> tuple[Any, ...]:
    kept = kept * momentum - g * rate
    return x + (kept * momentum - g * rate if ahead else kept), kept


def _nearer(mean: Any, value: Any, decay: Any) -> Any:
    """Move a running mean towards a value, by the part that does not stay."""
    return mean + (value - mean) * (1 - decay)


def _unbiased(rate: Any, power1: Any, power2: Any) -> Any:
    """Give the rate for running means that began with zeros; powers are those of their decays."""
    return rate * np.sqrt(1 - power2) / (1 - power1)


def _adam(
    x: Any, m: Any, v: Any, power1: Any, power2: Any, rate: Any, beta1: Any, beta2: Any, eps: Any,
    g: Any, ahead: bool,
) -> tuple[Any, ...]:  # fmt: skip
    m, v = _nearer(m, g, beta1), _nearer(v, g * g, beta2)
    move = m * beta1 + (1 - beta1) * g if ahead else m
    return x - _unbiased(rate, power1, power2) * move / (np.sqrt(v) + eps), m, v


def _amsgrad(
    x: Any, m: Any, v: Any, largest: Any, power1: Any, power2: Any, rate: Any, beta1: Any,
    beta2: Any, eps: Any, g: Any,
) -> tuple[Any, ...]:  # fmt: skip
    m, v = _nearer(m, g, beta1), _nearer(v, g * g, beta2)
    largest = np.maximum(largest, v)
    return x - _unbiased(rate, power1, power2) * m / (np.sqrt(largest) + eps), m, v, largest


def _adamax(
    x: Any, m: Any, v: Any, power1: Any, rate: Any, beta1: Any, beta2: Any, eps: Any, g: Any
) -> tuple[Any, ...]:
    m, v = _nearer(m, g, beta1), np.maximum(beta2 * v, abs(g))
    return x - rate / (1 - power1) * m / (v + eps), m, v


def _rms(
    x: Any, squares: Any, kept: Any, rate: Any, rho: Any, momentum: Any, eps: Any, g: Any
) -> tuple[Any, ...]:
    squares = _nearer(squares, g * g, rho)
    kept = kept * momentum + g * rate / np.sqrt(squares + eps)
    return x - kept, squares, kept


def _centered_rms(
    x: Any, mean: Any, squares: Any, kept: Any, rate: Any, rho: Any, momentum: Any, eps: Any, g: Any
) -> tuple[Any, ...]:
    squares, mean = _nearer(squares, g * g, rho), _nearer(mean, g, rho)
    kept = kept * momentum + g * rate / np.sqrt(squares - mean * mean + eps)
    return x - kept, mean, squares, kept


def _add_sign(
    x: Any, m: Any, rate: Any, alpha: Any, decay: Any, beta: Any, g: Any
) -> tuple[Any, ...]:
    m = m * beta + g * (1 - beta)
    return x - rate * (alpha + decay * np.sign(g) * np.sign(m)) * g, m


def _power_sign(
    x: Any, m: Any, rate: Any, base: Any, decay: Any, beta: Any, g: Any
) -> tuple[Any, ...]:
    m = m * beta + g * (1 - beta)
    return x - rate * np.exp(base * decay * np.sign(g) * np.sign(m)) * g, m


_AHEAD, _ADDS, _TIMES = "use_nesterov=False", "update_slots=True", "multiply_linear_by_lr=False"
_MEANS = "lr beta1 beta2 epsilon grad"
_SPREAD = "lr rho momentum epsilon grad"
_SUMS = "gradient_accumulator gradient_squared_accumulator"


class Kind(NamedTuple):
    """A step, how many variables it moves, its further arguments, and what it is for.

    A gradient of rows may have further axes of size 1, where it is of `any_rank`.
    """

    step: Step
    moved: int
    text: str
    has_rows: bool = True
    dtypes: Allowed = INEXACT
    any_rank: bool = True


STEPS = {
    "GradientDescent": Kind(_descent, 1, "alpha delta", has_rows=False),
    "ProximalGradientDescent": Kind(_proximal_descent, 1, "alpha l1 l2 delta", dtypes=FLOATS),
    "Adadelta": Kind(_adadelta, 3, "accum accum_update lr rho epsilon grad"),
    "Adagrad": Kind(_adagrad, 2, f"accum lr grad {_ADDS}", any_rank=False),
    "AdagradV2": Kind(_adagrad_v2, 2, f"accum lr epsilon grad {_ADDS}", any_rank=False),
    "ProximalAdagrad": Kind(_proximal_adagrad, 2, "accum lr l1 l2 grad", dtypes=FLOATS),
    "AdagradDA": Kind(_dual_averaging, 3, f"{_SUMS} grad lr l1 l2 global_step", dtypes=FLOATS),
    "Ftrl": Kind(_ftrl, 3, f"accum linear grad lr l1 l2 lr_power {_TIMES}", dtypes=FLOATS),
    "FtrlV2": Kind(
        *(_ftrl_v2, 3, f"accum linear grad lr l1 l2 l2_shrinkage lr_power {_TIMES}"), dtypes=FLOATS
    ),
    "Momentum": Kind(_momentum, 2, f"accum lr grad momentum {_AHEAD}"),
    "KerasMomentum": Kind(_keras_momentum, 2, f"accum lr grad momentum {_AHEAD}"),
    "Adam": Kind(_adam, 3, f"m v beta1_power beta2_power {_MEANS} {_AHEAD}", has_rows=False),
    "AdamWithAmsgrad": Kind(
        *(_amsgrad, 4, f"m v vhat beta1_power beta2_power {_MEANS}"), has_rows=False, dtypes=FLOATS
    ),
    "AdaMax": Kind(_adamax, 3, f"m v beta1_power {_MEANS}", has_rows=False, dtypes=FLOATS),
    "RMSProp": Kind(_rms, 3, f"ms mom {_SPREAD}"),
    "CenteredRMSProp": Kind(_centered_rms, 4, f"mg ms mom {_SPREAD}"),
    "AddSign": Kind(
        *(_add_sign, 2, "m lr alpha sign_decay beta grad"), has_rows=False, dtypes=FLOATS
    ),
    "PowerSign": Kind(
        *(_power_sign, 2, "m lr logbase sign_decay beta grad"), has_rows=False, dtypes=FLOATS
    ),
}
"""The steps; those that compare numbers take no complex ones."""


class Given(NamedTuple):
    """What a kernel of these is called with: variables, numbers and the gradient, and flags."""

    op: str
    names: tuple[str, ...]
    handles: list[Handle]
    values: list[Any]

    @classmethod
    def read(cls, op: str, kind: Kind, words: list[str], given: tuple[Any, ...]) -> Given:
        """Read arguments; raises `InvalidArgumentError` for shapes and dtypes that do not fit."""
        names, count = tuple(word.partition("=")[0] for word in words), kind.moved
        handles = [handle_of(value) for value in given[:count]]
        own = handles[0].tensor
        check(op, own, kind.dtypes, "var:resource, grad:T -> ", "T")
        for name, handle in zip(names[1:], handles[1:], strict=False):
            _alike(op, name, own.raw.shape, handle.tensor.raw.shape)
        values = [
            value if "=" in word else _value(op, word, value, own)
            for word, value in zip(words[count:], given[count:], strict=True)
        ]
        return cls(op, names, handles, values)

    def gradient(self) -> Any:
        """Give the gradient."""
        return self.values[self.names.index(self.word()) - len(self.handles)]

    def word(self) -> str:
        """Say what the gradient is called."""
        return next(name for name in self.names if name in _GRADIENTS)


_GRADIENTS = ("grad", "delta")
_COUNTS = "global_step"


def _value(op: str, word: str, value: Any, own: Tensor) -> Any:
    """Read a number or the gradient in the dtype of the variable; a count has another."""
    if word == _COUNTS:
        array = np.asarray(value_of(tensor(value))).astype(own.dtype.numpy)
    elif isinstance(value, Tensor) or hasattr(value, "handle"):
        array = value_of(tensor(value))
        if array.dtype != own.raw.dtype:
            raise invalid(op, f"{word} has the dtype {array.dtype}, and var {own.raw.dtype}")
    else:
        array = to_array(value, own.dtype)
    if word not in _GRADIENTS and array.ndim:
        raise invalid(op, f"{word} is not a scalar: {listed(array.shape)}")
    return array if word in _GRADIENTS else array[()]


def _alike(op: str, name: str, own: tuple[int, ...], other: tuple[int, ...]) -> None:
    if own != other:
        raise invalid(op, f"var and {name} do not have the same shape{listed(own)} {listed(other)}")


def _whole(op: str, kind: Kind, words: list[str]) -> Callable[..., None]:
    """Make the kernel that takes a step of whole variables."""

    def run(*given: Any) -> None:
        known = Given.read(op, kind, words, given)
        held = [handle.tensor.raw for handle in known.handles]
        _alike(op, known.word(), held[0].shape, known.gradient().shape)
        with np.errstate(all="ignore"):
            made = kind.step(*held, *known.values)
        for handle, before, after in zip(known.handles, held, made, strict=True):
            handle.put(np.asarray(after, before.dtype))

    return run


def _rows(op: str, kind: Kind, words: list[str]) -> Callable[..., None]:
    """Make the kernel that takes steps of the rows that are named."""
    at = words.index("indices")
    others = [*words[:at], *words[at + 1 :]]

    def run(*given: Any) -> None:
        known = Given.read(op, kind, others, (*given[:at], *given[at + 1 :]))
        held = [np.array(handle.tensor.raw) for handle in known.handles]
        values = [None if value is known.gradient() else value for value in known.values]
        slope = _of_rank(op, kind, known.gradient(), held[0].ndim)
        places = _places(op, given[at], held[0], slope)
        with np.errstate(all="ignore"):
            for chosen in _rounds(places):
                rows = places[chosen]
                now = [slope[chosen] if value is None else value for value in values]
                made = kind.step(*[array[rows] for array in held], *now)
                for array, after in zip(held, made, strict=True):
                    array[rows] = after
        for handle, array in zip(known.handles, held, strict=True):
            handle.put(array)

    return run


def _of_rank(op: str, kind: Kind, slope: Any, rank: int) -> Any:
    """Leave out axes of size 1 that a gradient has after those of the variable."""
    if slope.ndim > rank > 0 and not kind.any_rank:
        raise invalid(op, "grad must have the same number of dimensions as var")
    is_wider = slope.ndim > rank > 0 and set(slope.shape[rank:]) == {1}
    return slope.reshape(slope.shape[:rank]) if is_wider else slope


def _places(op: str, indices: Any, var: Any, slope: Any) -> Any:
    """Read which rows are meant; raises `InvalidArgumentError` for what does not fit."""
    found = tensor(indices)
    check(op, found, PLACES, "indices:Tindices -> ", "Tindices")
    places = value_of(found)
    if not var.ndim:
        raise invalid(op, "var must be at least 1 dimensional")
    if places.ndim != 1:
        raise invalid(op, "indices must be one-dimensional")
    if slope.shape[1:] != var.shape[1:] or not slope.ndim:
        raise invalid(op, f"var and grad must match in dimension 1: {listed(var.shape)}")
    if len(slope) != len(places):
        raise invalid(op, "grad must be the same size as indices in the first dimension.")
    bad = np.flatnonzero((places < 0) | (places >= len(var)))
    if len(bad):
        k = int(bad[0])
        raise invalid(op, f"Index {places[k]} at offset {k} in indices is out of range")
    return places


def _rounds(places: Any) -> Iterator[Any]:
    """Choose places so that no round has one twice: first those that are named first.

    >>> [chosen.tolist() for chosen in _rounds(np.array([4, 7, 4]))]
    [[0, 1], [2]]
    """
    left = np.arange(len(places))
    while len(left):
        _, first = np.unique(places[left], return_index=True)
        yield left[np.sort(first)]
        left = np.delete(left, first)


def _kernels() -> Iterator[tuple[str, tuple[Callable[..., None], str]]]:
    for name, kind in STEPS.items():
        words = ["var", *kind.text.split()]
        op = f"ResourceApply{name}"
        yield op, (_whole(op, kind, words), _worded(words))
        if kind.has_rows:
            slope = next(k for k, word in enumerate(words) if word in _GRADIENTS)
            of_rows = [*words[:slope], "grad", "indices", *words[slope + 1 :]]
            op = f"ResourceSparseApply{name}"
            yield op, (_rows(op, kind, of_rows), _worded(of_rows))


def _worded(words: list[str]) -> str:
    """Write arguments as kernels have them: whether others wait stands before the flags."""
    flags = [word for word in words if "=" in word]
    return " ".join([*words[: len(words) - len(flags)], "use_locking=False~", *flags])


TRAINING = dict(_kernels())
