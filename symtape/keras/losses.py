"""`tf.keras.losses`: objects that reduce the losses of rows, and the functions behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.keras.bases.loss import Loss, same_rank
from symtape.keras.loss_functions import (
    binary_crossentropy,
    categorical_crossentropy,
    huber,
    kl_divergence,
    mean_absolute_error,
    mean_squared_error,
    sparse_categorical_crossentropy,
)
from symtape.namespace import show
from symtape.tensor.tensor import Tensor

_DEFAULT = "sum_over_batch_size"
RowLoss = Callable[..., Tensor]


class _Of(Loss):
    """A loss made of a function of labels, predictions and parameters."""

    function: RowLoss

    def __init__(self, reduction: str | None, name: str | None, dtype: Any, **given: Any) -> None:
        super().__init__(name, reduction, dtype)
        self._given = given

    def call(self, y_true: Any, y_pred: Any) -> Tensor:
        """Give one loss a row."""
        true, predicted = same_rank(y_true, y_pred)
        return type(self).function(true, predicted, **self._given)


def _plain(name: str, function: RowLoss) -> type[_Of]:
    """Make the class of a loss without parameters."""
    own = function.__name__

    def __init__(  # noqa: N807 - it becomes the method
        self: Any, reduction: str | None = _DEFAULT, name: str | None = own, dtype: Any = None
    ) -> None:
        _Of.__init__(self, reduction, name, dtype)

    doc = f"The reduced `{own}`: {str(function.__doc__).strip().splitlines()[0]}"
    members = {"__init__": __init__, "__doc__": doc, "function": staticmethod(function)}
    return type(name, (_Of,), members)


MeanSquaredError = _plain("MeanSquaredError", mean_squared_error)
MeanAbsoluteError = _plain("MeanAbsoluteError", mean_absolute_error)
KLDivergence = _plain("KLDivergence", kl_divergence)


class Huber(_Of):
    """The reduced `huber`: quadratic up to an error of `delta`, and straight beyond it."""

    function = staticmethod(huber)

    def __init__(
        self,
        delta: float = 1.0,
        reduction: str | None = _DEFAULT,
        name: str | None = "huber_loss",
        dtype: Any = None,
    ) -> None:
        super().__init__(reduction, name, dtype, delta=delta)


class BinaryCrossentropy(_Of):
    """The reduced `binary_crossentropy` of labels 0 and 1.

    >>> BinaryCrossentropy(from_logits=True)([[1.0]], [[0.0]]).numpy()
    np.float32(0.6931472)
    """

    function = staticmethod(binary_crossentropy)

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = _DEFAULT,
        name: str | None = "binary_crossentropy",
        dtype: Any = None,
    ) -> None:
        given = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(reduction, name, dtype, **given)


class CategoricalCrossentropy(_Of):
    """The reduced `categorical_crossentropy` of labels of the shape of the predictions."""

    function = staticmethod(categorical_crossentropy)

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = _DEFAULT,
        name: str | None = "categorical_crossentropy",
        dtype: Any = None,
    ) -> None:
        given = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(reduction, name, dtype, **given)


class SparseCategoricalCrossentropy(_Of):
    """The reduced `sparse_categorical_crossentropy` of labels that are numbers of classes."""

    function = staticmethod(sparse_categorical_crossentropy)

    def __init__(
        self,
        from_logits: bool = False,
        ignore_class: int | None = None,
        reduction: str | None = _DEFAULT,
        axis: int = -1,
        name: str | None = "sparse_categorical_crossentropy",
        dtype: Any = None,
    ) -> None:
        given = {"from_logits": from_logits, "ignore_class": ignore_class, "axis": axis}
        super().__init__(reduction, name, dtype, **given)


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
kld = KLD = kullback_leibler_divergence = kl_divergence

__all__ = [
    "KLD",
    "MAE",
    "MSE",
    "BinaryCrossentropy",
    "CategoricalCrossentropy",
    "Huber",
    "KLDivergence",
    "Loss",
    "MeanAbsoluteError",
    "MeanSquaredError",
    "SparseCategoricalCrossentropy",
    "binary_crossentropy",
    "categorical_crossentropy",
    "get",
    "huber",
    "kl_divergence",
    "kld",
    "kullback_leibler_divergence",
    "mae",
    "mean_absolute_error",
    "mean_squared_error",
    "mse",
    "sparse_categorical_crossentropy",
]


def get(identifier: Any) -> Callable[..., Any] | None:
    """Find a loss by its name: a function, or an object of a class; what can be called is itself.

    Raises `ValueError` for anything else.

    >>> get("mse") is mean_squared_error
    True
    """
    found: Callable[..., Any] | None = identifier
    if isinstance(identifier, str) and identifier in __all__ and identifier != "get":
        named = globals()[identifier]
        found = named() if isinstance(named, type) else named
    if found is None or callable(found):
        return found
    raise ValueError(f"Could not interpret loss identifier: {identifier}")


show(__name__, __all__)
