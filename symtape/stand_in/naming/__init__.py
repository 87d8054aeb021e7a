"""Which names of TensorFlow's are answered beyond the public face, and which can only be named."""
