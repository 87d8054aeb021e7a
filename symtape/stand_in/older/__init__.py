"""TensorFlow 1, as far as programs of TensorFlow 2 still call it."""
