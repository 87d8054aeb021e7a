"""NumPy's functions of polynomials that are arrays of coefficients, the highest power first.

NumPy's own leave out leading zeros; which there are is decided by the values.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import real
from symtape.ops.numpy.arrays.moves import known
from symtape.ops.numpy.arrays.sums import convolve
from symtape.ops.numpy.dtypes import pair, taken
from symtape.ops.shapes import joining, repetition, shaping
from symtape.ops.shapes.creation import ones_like
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of, size_of


def _polyval(p: Any, x: Any) -> Tensor:
    coefficients, at = pair(taken(p), taken(x))
    found = multiply(at, 0.0)
    for k in range(len(coefficients)):
        found = add(multiply(found, at), coefficients[k])
    return found


def _vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor:  # noqa: N803 - NumPy's names
    points = convert(x)
    if points.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    points = _by_integers(points)
    count = size_of(points) if N is None else int(N)
    powers = [ones_like(points)]
    for _ in range(1, count):
        powers.append(multiply(powers[-1], points))
    return joining.stack(powers[:count] if increasing else powers[:count][::-1], -1)


def _combined(run: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Any, Any], Tensor]:
    """Add or subtract coefficients of the same powers."""

    def apply(a1: Any, a2: Any) -> Tensor:
        x, y = [shaping.reshape(p, [-1]) for p in pair(a1, a2)]
        size = max(size_of(x), size_of(y))
        return run(*[joining.pad(p, [[size - size_of(p), 0]]) for p in (x, y)])

    return apply


def _trimmed(p: Tensor) -> Tensor:
    """Leave out leading zeros, but for a last one."""
    line = shaping.reshape(p, [-1])
    there = np.flatnonzero(np.asarray(known(line)))
    return line[(there[0] if len(there) else max(size_of(line) - 1, 0)) :]


def _polymul(a1: Any, a2: Any) -> Tensor:
    x, y = pair(a1, a2)
    return convolve(_trimmed(x), _trimmed(y))


def _by_integers(p: Any) -> Tensor:
    """Give a line in the dtype that it has multiplied by whole numbers."""
    line = shaping.reshape(taken(p), [-1])
    return cast(line, np.result_type(dtype_of(line), np.int64))


def _polyder(p: Any, m: int = 1) -> Tensor:
    """Differentiate so many times."""
    if index(m) < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    line = _by_integers(p)
    for _ in range(m):
        powers = np.arange(size_of(line) - 1, 0, -1)
        line = multiply(line[:-1], powers.astype(dtype_of(line)))
    return line


def _polyint(p: Any, m: int = 1, k: Any = None) -> Tensor:
    """Integrate so many times, with a constant for each, which is 0 if none is given."""
    if index(m) < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    given = np.zeros(m) if k is None else taken(k)
    line, more = [shaping.reshape(part, [-1]) for part in pair(p, given)]
    constants = repetition.broadcast_to(more, [m]) if size_of(more) == 1 else more
    if size_of(constants) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    for n in range(m):
        powers = np.arange(size_of(line), 0, -1).astype(dtype_of(line))
        line = joining.concat([divide(line, powers), constants[n : n + 1]], 0)
    return line


def _poly(seq_of_zeros: Any) -> Tensor:
    """Multiply x - z for all zeros z; it is real where they are, or come with their conjugates."""
    zeros = convert(seq_of_zeros)
    if zeros.ndim != 1 or not size_of(zeros):
        raise UnsupportedError(
            f"np.poly of shape {shape_of(zeros)} is not recorded: it is of the zeros, in one row"
        )
    found = ones_like(zeros[:1])
    for n in range(size_of(zeros)):
        found = convolve(found, joining.concat([ones_like(zeros[:1]), -zeros[n : n + 1]], 0))
    if dtype_of(zeros).kind == "c":
        values = np.asarray(known(zeros))
        found = real(found) if np.all(np.sort(values) == np.sort(values.conj())) else found
    return found


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.poly: _poly,
    np.polyadd: _combined(add),
    np.polyder: _polyder,
    np.polyint: _polyint,
    np.polymul: _polymul,
    np.polysub: _combined(subtract),
    np.polyval: _polyval,
    np.vander: _vander,
}
