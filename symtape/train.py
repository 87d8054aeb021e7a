"""`tf.train`: checkpoints, averages of variables, and messages that are records."""

from functools import partial
from typing import TYPE_CHECKING, Any

from symtape.namespace import show
from symtape.ops.records.examples import NAMES, message
from symtape.training.averages import ExponentialMovingAverage
from symtape.training.checkpoint import Checkpoint
from symtape.training.coordinator import Coordinator
from symtape.training.following import checkpoints_iterator
from symtape.training.manager import CheckpointManager
from symtape.training.options import CheckpointOptions
from symtape.training.reading import list_variables, load_checkpoint, load_variable
from symtape.training.state import get_checkpoint_state, latest_checkpoint
from symtape.training.views import CheckpointView, TrackableView

__all__ = [
    "BytesList",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "CheckpointView",
    "Coordinator",
    "Example",
    "ExponentialMovingAverage",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FloatList",
    "Int64List",
    "SequenceExample",
    "TrackableView",
    "checkpoints_iterator",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]

if TYPE_CHECKING:
    BytesList: Any
    Example: Any
    Feature: Any
    FeatureList: Any
    FeatureLists: Any
    Features: Any
    FloatList: Any
    Int64List: Any
    SequenceExample: Any

show(__name__, __all__, late={name: partial(message, name) for name in NAMES})
