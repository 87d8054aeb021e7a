"""What TensorFlow tells of devices, runtimes and strategies: here there is one processor."""
