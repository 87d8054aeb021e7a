"""How bits become numbers of a distribution, digit for digit as in TensorFlow."""
