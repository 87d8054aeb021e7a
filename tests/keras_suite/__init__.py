"""Keras' own tests, which its wheel holds, on symtape and on TensorFlow."""
