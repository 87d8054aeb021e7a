"""ATen operations that are products of matrices and vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtape.frontends.functions import with_slope_of
from symtape.frontends.torch_functions.rules.promotion import as_operand
from symtape.frontends.torch_functions.rules.reductions import vector_norm
from symtape.frontends.torch_functions.rules.rules import Rule, Step, rule, table
from symtape.ops.elementwise import functions as maps
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.comparison import equal
from symtape.ops.elementwise.functions import conj
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg.contraction import einsum
from symtape.ops.linalg.products import cross as cross_product
from symtape.ops.linalg.products import matmul, matvec
from symtape.ops.reductions.reduction import reduce_max, reduce_sum
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.program.operations import Einsum
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def scaled(x: Tensor, by: Any) -> Tensor:
    """A multiple, where it is another one."""
    return x if by == 1 else as_operand(by, dtype_of(x)) * x


table(
    {"mm": matmul, "bmm": matmul, "mv": matvec, "dot": partial(einsum, "i,i->")},
    lambda _, a, b, *__: (a, b),
)


@rule("vdot")
def vdot(step: Step, x: Tensor, y: Tensor) -> Tensor:
    """xᴴy."""
    return einsum("i,i->", conj(x) if dtype_of(x).kind == "c" else x, y)


def _added(product: Callable[[Tensor, Tensor], Tensor]) -> Rule:
    """βC + α times a product; where β is 0, C does not count."""

    def rule_of(
        step: Step, c: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1
    ) -> Tensor:
        made = scaled(product(a, b), alpha)
        return made if beta == 0 else scaled(c, beta) + made

    return rule_of


rule("addmm", "baddbmm")(_added(matmul))
rule("addbmm")(_added(partial(einsum, "bij,bjk->ik")))
rule("addmv")(_added(matvec))
rule("addr")(_added(partial(einsum, "i,j->ij")))


@rule("linalg_cross")
def cross(step: Step, x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """x × y."""
    x, y = (broadcast_to(v, step.shape) for v in (x, y))
    order = [k for k in range(x.ndim) if k != dim % x.ndim] + [dim % x.ndim]
    made = cross_product(permuted(x, order), permuted(y, order))
    return permuted(made, sorted(range(x.ndim), key=lambda k: order[k]))


@rule("_trilinear")
def trilinear(
    step: Step, x: Tensor, y: Tensor, z: Tensor, new_x: Sequence[int], new_y: Sequence[int],
    new_z: Sequence[int], summed: Sequence[int], *_: Any,
) -> Tensor:  # fmt: skip
    """Σ x·y·z, where each operand lacks some axes."""
    rank = x.ndim + len(new_x)
    labels = [[k for k in range(rank) if k not in new] for new in (new_x, new_y, new_z)]
    output = [k for k in range(rank) if k not in summed]
    return apply(Einsum.of(labels, output), x, y, z)


@rule("_cdist_forward")
def cdist(step: Step, x: Tensor, y: Tensor, p: float, _: Any = None) -> Tensor:
    """The distance of each row of one matrix from each of another."""
    columns = shape_of(y)[-2]
    wide = with_shape(x, (*shape_of(x)[:-1], 1, shape_of(x)[-1]))
    off = wide - with_shape(y, (*shape_of(y)[:-2], 1, columns, shape_of(y)[-1]))
    return _length(step, off, p)


@rule("_pdist_forward")
def pdist(step: Step, x: Tensor, p: float = 2.0) -> Tensor:
    """The distance of each two rows, the first before the second."""
    first, second = np.triu_indices(shape_of(x)[0], 1)
    off = gather(x, Tensor(first)) - gather(x, Tensor(second))
    return _length(step, off, p)


def _length(step: Step, x: Tensor, p: float) -> Tensor:
    """The norms of the last axis; of several largest distances each has the whole gradient."""
    if p != np.inf or not shape_of(x)[-1]:
        return vector_norm(step, x, p, [x.ndim - 1])
    size = maps.abs(x)
    best = reduce_max(size, [-1], True)
    all_of_them = reduce_sum(where(equal(size, best), size, as_operand(0, dtype_of(x))), [-1])
    return with_slope_of(reduce_max(size, [-1]), all_of_them)
