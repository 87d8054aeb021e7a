"""What public code takes from TensorFlow's private modules, and the public face has not."""
