"""`tf.keras`: layers, losses, optimizers and initializers, thin, for training with a tape."""

from symtape.keras import (
    activations as activations,
    backend as backend,
    initializers as initializers,
    layers as layers,
    losses as losses,
    metrics as metrics,
    models as models,
    optimizers as optimizers,
    random as random,
    utils as utils,
)
from symtape.keras.bases.layer import Layer as Layer
from symtape.keras.bases.loss import Loss as Loss
from symtape.keras.bases.optimizer import Optimizer as Optimizer
from symtape.keras.bases.variable import Variable as Variable
from symtape.keras.initializers import Initializer as Initializer
from symtape.keras.layers import Input as Input, InputSpec as InputSpec
from symtape.keras.metrics import Metric as Metric
from symtape.keras.models import Model as Model, Sequential as Sequential
from symtape.namespace import show


def version() -> str:
    """Give the version of Keras whose names these are.

    >>> version()
    '3.15'
    """
    return "3.15"


show(
    __name__,
    parts="activations backend initializers layers losses metrics models optimizers random utils",
)
