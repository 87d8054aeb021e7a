"""TensorFlow's `dtensor`, of which there is nothing here: there is one processor."""
