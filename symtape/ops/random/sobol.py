"""Points that fill a cube evenly: `tf.math.sobol_sample` (Joe and Kuo, 2008), by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.extras import imported
from symtape.ops.arguments import allowed as allowed_dtypes
from symtape.ops.arguments import check, sample, tensor
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_OP = "SobolSample"
_KINDS = allowed_dtypes("float, double")
_MOST_AXES, _MOST, _BITS = 21200, 2**31 - 1, 32
_TRUE = 2**30
"""Points that TensorFlow has bits for; it leaves the cube after them."""


def sobol_sample(
    dim: Any,
    num_results: Any,
    skip: Any = 0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The points of a Sobol sequence in a cube of `dim` axes: shape [num_results, dim].

    The first is the middle of the cube; `skip` are left out before. SciPy, which the extra `scipy`
    installs, gives them. Raises `InvalidArgumentError` for numbers that are too small or large,
    with axes, or of other dtypes, `UnsupportedError` beyond 2³⁰ points, where TensorFlow's leave
    the cube, and `ExtraNotInstalledError` without SciPy.

    >>> sobol_sample(2, 3).numpy()
    array([[0.5 , 0.5 ],
           [0.75, 0.25],
           [0.25, 0.75]], dtype=float32)
    """
    kind = dtypes.of_kernel(dtype, dtypes.float32)
    check(_OP, sample(kind), _KINDS, "dim:int32 -> samples:dtype", "dtype")
    axes, count, first = (
        _number(what, value)
        for what, value in (("dim", dim), ("num_results", num_results), ("skip", skip))
    )
    _check(axes, count, first)
    quasi = imported("scipy.stats.qmc", "tf.math.sobol_sample", "scipy")
    sequence = quasi.Sobol(axes, scramble=False, bits=_BITS)
    sequence.fast_forward(first + 1)
    return Tensor(np.asarray(sequence.random(count)).astype(kind.numpy))


def _number(what: str, value: Any) -> int:
    found = np.asarray(decided_by_look(tensor(value)))
    if found.ndim:
        raise invalid(_OP, f"{what} must be a scalar")
    return int(found)


def _check(axes: int, count: int, first: int) -> None:
    if count < 1:
        raise invalid(_OP, "num_results must be at least one")
    if axes < 1:
        raise invalid(_OP, "dim must be at least one")
    if first < 0:
        raise invalid(_OP, "skip must be non-negative")
    if first + count >= _MOST:
        raise invalid(_OP, f"num_results+skip must be less than {_MOST}")
    if axes > _MOST_AXES:
        raise invalid(_OP, f"dim must be at most {_MOST_AXES}")
    if first + count >= _TRUE:
        raise UnsupportedError(
            f"tf.math.sobol_sample(num_results={count}, skip={first}): TensorFlow's points leave "
            "the cube after 2**30; skip fewer"
        )
