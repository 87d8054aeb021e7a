"""`tf.train`: checkpoints, and averages of variables."""

from symtape.namespace import show
from symtape.training.averages import ExponentialMovingAverage
from symtape.training.checkpoint import Checkpoint
from symtape.training.manager import CheckpointManager
from symtape.training.reading import list_variables, load_checkpoint, load_variable
from symtape.training.state import get_checkpoint_state, latest_checkpoint

__all__ = [
    "Checkpoint",
    "CheckpointManager",
    "ExponentialMovingAverage",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]

show(__name__, __all__)
