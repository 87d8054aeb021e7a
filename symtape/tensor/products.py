"""Products of matrices, as `x @ y` and `tf.matmul` compute them."""

from __future__ import annotations

from functools import lru_cache

from symtape.errors import InvalidArgumentError
from symtape.program.operations import Cast, Einsum
from symtape.tensor.dispatch import (
    apply1,
    apply2,
    invalid,
    listed,
    misfit,
    mismatch,
    no_kernel,
    not_taken,
)
from symtape.tensor.tensor import Tensor


def matmul(x: Tensor, y: Tensor, turned: tuple[bool, bool] = (False, False)) -> Tensor:
    """Multiply matrices, with batch axes that broadcast; `turned` ones are transposed first.

    The product of a bfloat16 matrix and a float32 one is float32.
    """
    a, b = x.raw, y.raw
    is_plain = a.ndim == b.ndim == 2 and not (turned[0] or turned[1])
    if is_plain and a.dtype is b.dtype and a.dtype.kind in "fc" and a.shape[1] == b.shape[0]:
        return apply2(_MATMUL, x, y)  # what nearly all are
    return _matmul(x, y, turned)


def _matmul(x: Tensor, y: Tensor, turned: tuple[bool, bool]) -> Tensor:
    """Multiply the same, or say what does not fit."""
    a, b = x.raw.shape, y.raw.shape
    name = "MatMul" if max(len(a), len(b)) <= 2 else "BatchMatMulV2"
    if x.raw.dtype != y.raw.dtype and name == "MatMul":
        x, y = widened(x, y)
    if x.raw.dtype.kind in "bO":
        raise not_taken("MatMul" if x.raw.dtype.kind == "O" else name, x)
    if x.raw.dtype.kind == "u":
        raise no_kernel(name, x)
    if turned[0] and len(a) > 1:
        a = (*a[:-2], a[-1], a[-2])
    if turned[1] and len(b) > 1:
        b = (*b[:-2], b[-1], b[-2])
    if x.raw.dtype != y.raw.dtype:
        raise mismatch(name, x, y)
    if len(a) < 2 or len(b) < 2:
        raise _flat(a, b)
    if a[-1] != b[-2]:
        raise misfit(name, f"Matrix size-incompatible: In[0]: {listed(a)}, In[1]: {listed(b)}")
    if a[:-2] != b[:-2] and any(
        [n != m and 1 not in (n, m) for n, m in zip(a[-3::-1], b[-3::-1], strict=False)]
    ):
        raise misfit(
            "BatchMatMulV2",
            f"In[0] and In[1] must have compatible batch dimensions: {listed(a)} vs. {listed(b)}",
        )
    return apply2(_matmul_operation(a[:-2], b[:-2], turned), x, y)


def widened(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Give a matrix of bfloat16 and one of float32 as float32, and others as they are.

    Raises `InvalidArgumentError`, as TensorFlow does, for another dtype beside bfloat16.
    """
    names = [x.dtype.name, y.dtype.name]
    if "bfloat16" not in names or names[0] == names[1]:
        return x, y
    for name, operand in zip("ab", (x, y), strict=True):
        if operand.dtype.name not in {"bfloat16", "float32"}:
            raise InvalidArgumentError(
                message=f"Value for attr 'T{name}' of {operand.dtype.enum_name} is not in the list "
                "of allowed values: float, bfloat16 [Op:SparseMatMul] name: "
            )
    made = [apply1(Cast("float32"), z) if z.dtype.name == "bfloat16" else z for z in (x, y)]
    return made[0], made[1]


def _flat(a: tuple[int, ...], b: tuple[int, ...]) -> Exception:
    """Say which operand is no matrix."""
    bad = 0 if len(a) < 2 else 1
    if max(len(a), len(b)) > 2:
        return misfit("BatchMatMulV2", f"In[{bad}] ndims must be >= 2: {len((a, b)[bad])}")
    if len(a) != len(b):
        shapes = f"{listed(a)} vs. {listed(b)}"
        return misfit("MatMul", f"In[0] and In[1] has different ndims: {shapes}")
    return misfit("MatMul", f"In[0] and In[1] ndims must be == 2: {len(a)}")


def product(x: Tensor, y: Tensor) -> Tensor:
    """Multiply as NumPy's `@` does: a vector is a row on the left and a column on the right."""
    a, b = x.raw.shape, y.raw.shape
    if not a or not b or (len(a) > 1 and len(b) > 1):
        return matmul(x, y)
    if x.raw.dtype != y.raw.dtype:
        raise mismatch("MatMul", x, y)
    if a[-1] != b[-2 if len(b) > 1 else 0]:
        text = f"Matrix size-incompatible: In[0]: {listed(a)}, In[1]: {listed(b)}"
        raise invalid("MatMul", text)
    left, right = [*range(2, len(a) + 1)], [*range(2, len(b) + 1)]
    column = [*right[:-1], 0, *right[-1:]] if right else [0]
    return apply2(Einsum.of([[*left, 0], column], [*left, *right]), x, y)


@lru_cache(maxsize=1024)
def _matmul_operation(a: tuple[int, ...], b: tuple[int, ...], turned: tuple[bool, bool]) -> Einsum:
    """Contract the inner axes; batch axes of size one that meet a larger one are summed away."""
    rank = max(len(a), len(b))
    batch_a = [axis - rank for axis in range(rank - len(a), rank)]
    batch_b = [axis - rank for axis in range(rank - len(b), rank)]
    output = list(range(-rank, 0))
    for k, axis in enumerate(batch_a):
        other = b[axis] if -axis <= len(b) else 1
        if a[k] == 1 != other:
            batch_a[k] = 100 + k
    for k, axis in enumerate(batch_b):
        other = a[axis] if -axis <= len(a) else 1
        if b[k] == 1 != other:
            batch_b[k] = 200 + k
    rows = [*batch_a, *((1, 0) if turned[0] else (0, 1))]
    columns = [*batch_b, *((2, 1) if turned[1] else (1, 2))]
    return Einsum.of([rows, columns], [*output, 0, 2])


_MATMUL = _matmul_operation((), (), (False, False))
