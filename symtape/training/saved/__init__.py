"""`tf.saved_model`: the variables and functions of an object, in files, and read from them."""
