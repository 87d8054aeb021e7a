"""`tf.random.Generator`: random numbers with a state of their own."""

from __future__ import annotations

import enum
import os
from functools import partial
from math import prod
from typing import Any

import numpy as np

from symtape.errors import UnimplementedError
from symtape.ops.arguments import FEATURES, PLACES, Allowed
from symtape.ops.random.binomials import binomial
from symtape.ops.random.drawing import gaussian, philox
from symtape.ops.random.drawing.philox import RESERVED, Stream
from symtape.ops.random.draws import (
    FULL_INTEGERS,
    Sampler,
    allowed,
    between,
    integer_sampler,
    parameter,
    sample,
    sizes,
    with_moments,
)
from symtape.ops.tracking import Trackable
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of
from symtape.tensor.variables.variable import Variable

_HALF = (1 << 64) - 1


class Algorithm(enum.Enum):
    """The algorithms that TensorFlow has names for; on a CPU it draws with Philox alone."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


_STATE_SIZES = {1: 3, 2: 2, 3: 3}


def algorithm_number(alg: Any) -> int:
    """Read an `alg=` argument; raises `ValueError` or `TypeError` with TensorFlow's text.

    >>> algorithm_number("philox"), algorithm_number(Algorithm.AUTO_SELECT)
    (1, 3)
    """
    if isinstance(alg, Algorithm):
        return int(alg.value)
    if isinstance(alg, str):
        plain = alg.strip().lower().replace("-", "").replace("_", "")
        for algorithm in Algorithm:
            if plain == algorithm.name.lower().replace("_", ""):
                return int(algorithm.value)
        raise ValueError(_unknown(alg, "philox", "threefry", "auto_select"))
    if isinstance(alg, (Tensor, Variable, np.integer)):
        alg = int(alg)
    if not isinstance(alg, int):
        raise TypeError(
            f"Can't convert argument `alg` (of value {alg} and type {type(alg)}) to int."
        )
    if alg not in _STATE_SIZES:
        raise ValueError(_unknown(alg, 1, 2, 3))
    return alg


def _unknown(alg: Any, *known: Any) -> str:
    return (
        f"Argument `alg` got unsupported value {alg}. Supported values are {known[0]} for the "
        f"Philox algorithm, {known[1]} for the ThreeFry algorithm, and {known[2]} for "
        "auto-selection."
    )


def create_rng_state(seed: Any, alg: Any) -> Tensor:
    """Make the state of a generator from a seed: an integer of any size, or a vector of integers.

    >>> create_rng_state(1234, "philox").numpy().tolist()
    [1234, 0, 0]
    """
    size = _STATE_SIZES[algorithm_number(alg)]
    if isinstance(seed, int):
        parts = [seed >> 64 * k & _HALF for k in range(size)]
    else:
        parts = [int(n) & _HALF for n in np.ravel(np.asarray(seed)).tolist()[:size]]
    state = [0] * (size - len(parts)) + parts
    return Tensor(np.array(state, np.uint64).view(np.int64))


class Generator(Trackable):
    """A source of random numbers with a state of its own (`tf.random.Generator`).

    It is made by `from_seed`, `from_state`, `from_key_counter`, `from_non_deterministic_state`, or
    as a copy of another one. Each draw moves the state on.

    >>> g = Generator.from_seed(1234)
    >>> g.normal(shape=(2, 3)).shape
    TensorShape([2, 3])
    >>> g.state.numpy().tolist()
    [2770, 0, 0]
    """

    def __init__(
        self, copy_from: Generator | None = None, state: Any = None, alg: Any = None
    ) -> None:
        if copy_from is not None:
            state, alg = copy_from.state, copy_from.algorithm
        if state is None or alg is None:
            raise TypeError(
                "Generator() needs `copy_from`, or `state` and `alg`; use Generator.from_seed(seed)"
            )
        self._algorithm = algorithm_number(alg)
        if isinstance(state, Variable) and copy_from is None:
            self._state_var = state
        else:
            self._state_var = Variable(_as_state(state), trainable=False, name="StateVar")
        self._check(self._state_var)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """Make a generator from a seed, an integer or a vector of integers."""
        number = algorithm_number(Algorithm.PHILOX if alg is None else alg)
        return cls(state=create_rng_state(seed, number), alg=number)

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """Make a generator from the state of another one."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """Make a generator from a key, a scalar, and a counter, a vector."""
        return cls(state=_joined(key, counter, algorithm_number(alg)), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """Make a generator that nobody can predict."""
        number = algorithm_number(Algorithm.PHILOX if alg is None else alg)
        state = np.frombuffer(os.urandom(8 * _STATE_SIZES[number]), np.int64)
        return cls(state=state, alg=number)

    # --- the state -----------------------------------------------------------------------------

    @property
    def state(self) -> Variable:
        """The state: a variable of int64, the counter and then the key."""
        return self._state_var

    @property
    def algorithm(self) -> int:
        """The number of the algorithm."""
        return self._algorithm

    @property
    def key(self) -> Tensor:
        """The key, the last number of the state."""
        return self._state_var[-1]

    def _check(self, state: Any) -> None:
        state.shape.assert_is_compatible_with([_STATE_SIZES[self._algorithm]])

    def reset(self, state: Any) -> None:
        """Take another state."""
        made = convert(_as_state(state))
        self._check(made)
        self._state_var.assign(made)

    def reset_from_seed(self, seed: Any) -> None:
        """Start again from a seed."""
        self._state_var.assign(create_rng_state(seed, self._algorithm))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Start again from a key and a counter."""
        self.reset(_joined(key, counter, self._algorithm))

    def skip(self, delta: Any) -> Tensor:
        """Move on as if `delta` numbers were drawn; give the state from before."""
        if self._algorithm == Algorithm.THREEFRY.value:
            op = "RngReadAndSkip"
            text = "Non-XLA devices don't support the ThreeFry algorithm."
            raise UnimplementedError(message=invalid(op, text).message)
        before = self._state_var.numpy()
        low, high = (int(n) & _HALF for n in before[:2])
        after = (low | high << 64) + int(delta) * RESERVED
        counter = np.array([after & _HALF, after >> 64 & _HALF], np.uint64).view(np.int64)
        self._state_var.assign(np.append(counter, before[2]))
        return Tensor(before)

    def _stream(self, count: int) -> Stream:
        low, high, key = (int(n) & _HALF for n in value_of(self.skip(count)))
        return Stream(key, low | high << 64)

    def make_seeds(self, count: int = 1) -> Tensor:
        """Draw `count` seeds for the stateless operations: shape (2, count), int64."""
        keys = value_of(self.uniform_full_int([count], dtypes.int64))
        return Tensor(np.stack([keys, np.zeros_like(keys)]))

    def split(self, count: int = 1) -> list[Generator]:
        """Make `count` generators that are independent of each other and of this one."""
        keys = value_of(self.uniform_full_int([count], dtypes.int64))
        zeros = [0] * (_STATE_SIZES[self._algorithm] - 1)
        return [type(self)(state=np.array([*zeros, k]), alg=self._algorithm) for k in keys.tolist()]

    # --- drawing -------------------------------------------------------------------------------

    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Draw from normal distributions; see `tf.random.normal`."""
        draw = partial(self._draw, "StatelessRandomNormalV2", gaussian.normal, shape, FEATURES)
        wanted = dtypes.of_kernel(dtype, dtypes.float32)
        return with_moments(draw, mean, stddev, wanted)

    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Draw normal numbers less than two deviations from the mean."""
        op, sampler = "StatelessTruncatedNormalV2", gaussian.truncated_normal
        draw = partial(self._draw, op, sampler, shape, FEATURES)
        return with_moments(draw, mean, stddev, dtypes.of_kernel(dtype, dtypes.float32))

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Draw from [minval, maxval); integers of any size if both are None."""
        found = dtypes.as_dtype(dtype)
        if found.is_integer:
            return self._integers(shape, minval, maxval, found)
        low = parameter("min", minval, found)
        high = parameter("max", 1 if maxval is None else maxval, found)
        drawn = self._draw("StatelessRandomUniformV2", philox.uniform, shape, FEATURES, found)
        return between(drawn, low, high)

    def uniform_full_int(
        self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None
    ) -> Tensor:
        """Draw integers of 32 or 64 bits, any of them equally likely."""
        op, found = "StatelessRandomUniformFullIntV2", dtypes.as_dtype(dtype)
        return self._draw(op, philox.full_integers, shape, FULL_INTEGERS, found)

    def binomial(
        self,
        shape: Any,
        counts: Any,
        probs: Any,
        dtype: Any = dtypes.int32,
        name: str | None = None,
    ) -> Tensor:
        """Draw from binomial distributions; see `tf.random.stateless_binomial`."""
        op, kind = "StatefulRandomBinomial", dtypes.as_dtype(dtype)
        return binomial(op, shape, convert(counts), convert(probs), kind, self._stream)

    def _integers(self, shape: Any, minval: Any, maxval: Any, dtype: DType) -> Tensor:
        if (minval is None) != (maxval is None):
            raise ValueError(
                f"For integer dtype {dtype}, minval and maxval must be both `None` or both "
                f"non-`None`; got minval={minval} and maxval={maxval}"
            )
        if minval is None:
            return self.uniform_full_int(shape, dtype)
        op = "StatelessRandomUniformIntV2"
        count = prod(sizes(op, shape, dtypes.int64)[0])
        sampler = integer_sampler(op, minval, maxval, dtype, count)
        return self._draw(op, sampler, shape, PLACES, dtype)

    def _draw(self, op: str, sampler: Sampler, shape: Any, takes: Allowed, dtype: DType) -> Tensor:
        found, _ = sizes(op, shape, dtypes.int64)
        allowed(op, dtype, takes)
        return sample(op, sampler, self._stream(prod(found)), found, dtype)


def _as_state(state: Any) -> Any:
    """Give a state as int64; numbers of 64 bits without sign are taken as they are stored."""
    if isinstance(state, (Tensor, Variable)):
        return np.asarray(state).astype(np.int64)
    parts = [int(n) & _HALF for n in np.ravel(np.asarray(state, dtype=object)).tolist()]
    return np.array(parts, np.uint64).view(np.int64)


def _joined(key: Any, counter: Any, algorithm: int) -> Any:
    """Put a counter, of one number or two, and a key into one state."""
    count = 2 if algorithm == Algorithm.PHILOX.value else 1
    for given, wanted in ((counter, [count]), (key, [])):
        if list(np.shape(given)) != wanted:
            raise ValueError(f"Shapes {TensorShape(np.shape(given))} and {wanted} are incompatible")
    return np.append(_as_state(counter), _as_state(key))


class _Shared:
    """The generator that `get_global_generator` gives, made when it is first asked for."""

    generator: Generator | None = None


def get_global_generator() -> Generator:
    """Give the global generator, which starts from fresh entropy.

    >>> get_global_generator() is get_global_generator()
    True
    """
    if _Shared.generator is None:
        _Shared.generator = Generator.from_non_deterministic_state()
    return _Shared.generator


def set_global_generator(generator: Generator) -> None:
    """Replace the global generator.

    >>> before = get_global_generator()
    >>> set_global_generator(Generator.from_seed(7))
    >>> get_global_generator().uniform([2]).shape
    TensorShape([2])
    >>> set_global_generator(before)
    """
    _Shared.generator = generator
