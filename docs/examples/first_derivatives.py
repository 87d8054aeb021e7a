"""Gradients of a small function: of its result, of a step on the way, and twice."""

import tensorflow as tf

x = tf.Variable(3.0)

with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y

print("dz/dx:", tape.gradient(z, x).numpy())
print("dy/dx:", tape.gradient(y, x).numpy())
print("dz/dy:", tape.gradient(z, y).numpy())

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        wave = tf.sin(x * x)
    slope = inner.gradient(wave, x)
curvature = outer.gradient(slope, x)
print("slope and curvature of sin(x^2):", round(float(slope), 4), round(float(curvature), 4))
