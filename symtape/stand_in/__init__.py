"""Answers `import tensorflow` with symtape, so that Keras and scripts run on it unchanged."""

from symtape.namespace import show
from symtape.stand_in.takeover import for_tensorflow as for_tensorflow

show(__name__)
