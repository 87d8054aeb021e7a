"""Random numbers within functions that TensorFlow traces."""
