"""`tf.sparse`, of whose functions each says that there are no sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from symtape.errors import UnsupportedError
from symtape.namespace import show

_NAMES = (
    "add bincount concat cross cross_hashed expand_dims eye fill_empty_rows from_dense map_values "
    "mask maximum minimum reduce_max reduce_sum reorder reset_shape reshape retain slice softmax "
    "sparse_dense_matmul split to_dense to_indicator transpose"
).split()


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(
            f"tf.sparse.{name}: tf.SparseTensor does not exist in symtape; give dense tensors to "
            "the function of the same meaning"
        )

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


def csr_sparse_matrix_to_sparse_tensor(*args: Any, **kwargs: Any) -> NoReturn:
    """Refuse, as every function here."""
    _refusing("csr_sparse_matrix_to_sparse_tensor")()


vars().update({name: _refusing(name) for name in _NAMES})
show(__name__, _NAMES)
