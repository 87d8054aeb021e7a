"""What `get_variable` of TensorFlow 1 makes, and under which names."""
