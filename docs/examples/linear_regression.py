"""A straight line is fitted to points by gradient descent; 200 steps make one row of the table."""

import tensorflow as tf

inputs = tf.constant([[0.0], [1.0], [2.0], [3.0]])
outputs = tf.constant([[1.0], [3.0], [5.0], [7.0]])

weight = tf.Variable(tf.zeros([1, 1]), name="weight")
bias = tf.Variable(tf.zeros([1]), name="bias")

for step in range(200):
    with tf.GradientTape() as tape:
        prediction = tf.matmul(inputs, weight) + bias
        loss = tf.reduce_mean(tf.square(prediction - outputs))
    for variable, gradient in zip([weight, bias], tape.gradient(loss, [weight, bias])):
        variable.assign_sub(0.05 * gradient)
    if step % 50 == 0:
        print(f"step {step:3d}: loss {loss.numpy():.3f}")

print(f"the line is y = {weight.numpy().item():.2f} x + {bias.numpy().item():.2f}")
