"""`tf.keras`: layers, losses, optimizers and initializers, thin, for training with a tape."""

from symtape.keras import (
    activations,
    backend,
    initializers,
    layers,
    losses,
    metrics,
    models,
    optimizers,
    random,
    utils,
)
from symtape.keras.bases.layer import Layer
from symtape.keras.bases.loss import Loss
from symtape.keras.bases.optimizer import Optimizer
from symtape.keras.bases.variable import Variable
from symtape.keras.initializers import Initializer
from symtape.keras.layers import Input, InputSpec
from symtape.keras.metrics import Metric
from symtape.keras.models import Model, Sequential
from symtape.namespace import show


def version() -> str:
    """Give the version of Keras whose names these are.

    >>> version()
    '3.15'
    """
    return "3.15"


__all__ = [
    "Initializer",
    "Input",
    "InputSpec",
    "Layer",
    "Loss",
    "Metric",
    "Model",
    "Optimizer",
    "Sequential",
    "Variable",
    "activations",
    "backend",
    "initializers",
    "layers",
    "losses",
    "metrics",
    "models",
    "optimizers",
    "random",
    "utils",
    "version",
]

show(__name__, __all__)
