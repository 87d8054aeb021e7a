"""Newton's method finds where the Rosenbrock function is least, with an exact Hessian."""

import numpy as np
import tensorflow as tf

point = tf.Variable([-1.2, 1.0], dtype=tf.float64)


def rosenbrock(p):
    a, b = p[0], p[1]
    return (1 - a) ** 2 + 100 * (b - a**2) ** 2


for step in range(7):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            value = rosenbrock(point)
        gradient = inner.gradient(value, point)
    hessian = outer.jacobian(gradient, point)
    point.assign_sub(np.linalg.solve(hessian.numpy(), gradient.numpy()))
    print(f"step {step}: f = {value.numpy():.6f}")

print("least at", point.numpy().round(6))
