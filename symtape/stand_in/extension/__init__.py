"""Types of one's own that TensorFlow's functions take (`tf.experimental.ExtensionType`)."""
