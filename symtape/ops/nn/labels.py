"""Labels of sequences: the different ones of each, and repeated ones made one."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import listed, tensor
from symtape.ops.control.mapping import map_fn
from symtape.ops.elementwise.comparison import not_equal
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing.gathering import gather
from symtape.ops.indexing.scattering import scatter_nd
from symtape.ops.reductions.distinct import unique
from symtape.ops.shapes.joining import pad
from symtape.ops.shapes.shaping import reshape
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def ctc_unique_labels(labels: Any, name: str | None = None) -> list[Tensor]:
    """Give the different labels of each row of `labels` [batch, length], and where each label is.

    The first result, int64 of the shape of `labels`, has the different labels of a row in the order
    in which they come, and zeros behind; the second, int32, says for each label which of them it
    is. Raises `InvalidArgumentError` for rows that are no vectors.

    >>> [part.numpy().tolist() for part in ctc_unique_labels([[3, 4, 4, 3]])]
    [[[3, 4, 0, 0]], [[0, 1, 1, 0]]]
    """

    def distinct(row: Tensor) -> list[Tensor]:
        found = unique(row)
        lacking = shape_of(row)[0] - shape_of(found.y)[0]
        return [cast(pad(found.y, [[0, lacking]]), dtypes.int64), found.idx]

    x = tensor(labels)
    if x.ndim and not shape_of(x)[0]:
        return [Tensor(np.zeros(0, np.int64)), Tensor(np.zeros(0, np.int32))]
    made: list[Tensor] = map_fn(distinct, x, dtype=[dtypes.int64, dtypes.int32])
    return made


def collapse_repeated(
    labels: Any, seq_length: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Make one label of those that follow one another and are equal, in rows [batch, length].

    Of each row the first `seq_length` [batch] labels count. The first result has what remains,
    [batch, longest row], with zeros behind, the second how many there are. Raises
    `InvalidArgumentError` for labels that are no rows, and lengths that do not fit.

    >>> found, lengths = collapse_repeated([[5, 5, 7, 7], [1, 2, 2, 1]], [4, 3])
    >>> found.numpy().tolist(), lengths.numpy().tolist()
    ([[5, 7], [1, 2]], [2, 2])
    """
    x, lengths = tensor(labels), tensor(seq_length)
    if x.ndim > 2 or shape_of(x)[:1] == (0,):
        raise invalid("Reshape", f"labels are rows of a batch, not {listed(shape_of(x))}")
    changes = decided_by_look(not_equal(x[:, 1:], x[:, :-1]))
    batch, longest = shape_of(x)[:2]
    kept = np.concatenate([np.ones((batch, min(longest, 1)), bool), changes], axis=1)
    counted = np.arange(longest) < np.asarray(decided_by_look(lengths))[..., None]
    if counted.shape[:-1] not in {(), (1,), (batch,)}:
        shapes = f"{listed(kept.shape)} vs. {listed(counted.shape)}"
        raise invalid("LogicalAnd", f"Incompatible shapes: {shapes}")
    kept &= counted
    counts = kept.sum(axis=1)
    most = int(counts.max())
    places = np.flatnonzero(np.arange(most) < counts[:, None])
    flat = gather(reshape(x, [-1]), np.flatnonzero(kept))
    made = scatter_nd(places[:, None], flat, [batch * most])
    return reshape(made, [batch, most]), cast(Tensor(counts.astype(np.int32)), lengths.dtype)
