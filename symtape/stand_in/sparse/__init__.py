"""`tf.sparse` and its tensors, as far as Keras computes with them."""
