"""Random numbers equal to TensorFlow's for equal seeds."""
