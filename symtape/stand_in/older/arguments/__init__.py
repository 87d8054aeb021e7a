"""Functions by the arguments that they had in TensorFlow 1: a line each, in tables."""
