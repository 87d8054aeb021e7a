"""`tf.io`: files, and bytes that stand for tensors."""
