"""A function whose path depends on its argument: doubled until it is long enough."""

import tensorflow as tf


def grow(a):
    b = a * 2
    while tf.norm(b) < 1000:
        b = b * 2
    if tf.reduce_sum(b) > 0:
        return b
    return 100 * b


for start in (0.5, -3.0):
    a = tf.constant([[start]])
    with tf.GradientTape() as tape:
        tape.watch(a)
        c = grow(a)
    slope = tape.gradient(c, a)
    print("start", start, "slope", slope.numpy().item(), "is c/a:", bool(slope == c / a))
