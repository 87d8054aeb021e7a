"""TensorFlow's functions of rows of unlike lengths."""
