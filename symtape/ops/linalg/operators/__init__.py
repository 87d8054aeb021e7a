"""`tf.linalg.LinearOperator`: matrices that are known by what they are made of."""
