"""TensorFlow's operations: thin compositions of the closed family, one file an idea."""
