"""Rows of unlike lengths: `RaggedTensor`, and `tf.ragged`."""
