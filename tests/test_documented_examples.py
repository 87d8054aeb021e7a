"""Every example of the documents that the project began with: same calls, numbers, Nones, texts."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import symtape as tf
from symtape.tape import gradient_tape as tape_module


def shown(capsys):
    """Give what was printed, line by line."""
    return capsys.readouterr().out.splitlines()


def near(tensor, expected):
    """Assert values, and that they are a float32 tensor."""
    np.testing.assert_allclose(tensor.numpy(), expected, rtol=1e-6)
    assert tensor.dtype == tf.float32


# --- gradients of several targets, persistent tapes, orders ---------------------------------------


def test_list_of_targets_and_sources(capsys):
    """The gradients of two targets add up: 4, 2, 0 and 1."""
    initializer = tf.keras.initializers.GlorotNormal()
    w1 = tf.Variable(name="w1", initial_value=initializer(shape=[3]))
    w2 = tf.Variable(name="w2", initial_value=initializer(shape=[3]))
    w3 = tf.Variable(name="w3", initial_value=initializer(shape=[3]))
    w4 = tf.Variable(name="w4", initial_value=initializer(shape=[3]))
    with tf.GradientTape() as g:
        z1 = 3 * w1 + 2 * w2 + w3
        z2 = w1 + -1 * w3 + w4
        grads = g.gradient([z1, z2], [w1, w2, w3, w4])
    print(type(grads))
    print(len(grads))
    print(grads)
    tensor = (
        "<tf.Tensor: shape=(3,), dtype=float32, numpy=array([{0}., {0}., {0}.], dtype=float32)>"
    )
    assert shown(capsys) == [
        "<class 'list'>",
        "4",
        "[" + ", ".join(tensor.format(n) for n in (4, 2, 0, 1)) + "]",
    ]
    assert [g.index_expr() for g in grads] == [4, 2, 0, 1]


def test_persistent_tape_with_gradients_inside(capsys):
    """pow(x, 4) and multiply(x, 3) at 3, differentiated inside of the block."""
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.pow(x, 4)
        z = tf.multiply(x, 3)
        dy_dx = tape.gradient(y, x)
        dz_dx = tape.gradient(z, x)
        print(dy_dx)
        print(dz_dx)
    del tape
    assert shown(capsys) == [
        "tf.Tensor(108.0, shape=(), dtype=float32)",
        "tf.Tensor(3.0, shape=(), dtype=float32)",
    ]
    assert str(dy_dx.expr) == "4*x**3"


def test_stop_recording():
    """Gradients inside of stop_recording are not traced."""
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        loss = tf.reduce_sum(w * w)
        with t.stop_recording():
            grads = t.gradient(loss, [w])
    near(grads[0], [2.0, 4.0])
    assert t.gradient(grads[0], w) is None


def test_second_order_inside_of_the_blocks(capsys):
    """x^4 at 1 has the derivatives 4 and 12."""
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape1:
        tape1.watch(x)
        with tf.GradientTape() as tape2:
            tape2.watch(x)
            y = tf.pow(x, 4)
            dy_dx = tape2.gradient(y, x)
            print(dy_dx)
        dy2_dx2 = tape1.gradient(dy_dx, x)
        print(dy2_dx2)
    del tape1, tape2
    assert shown(capsys) == [
        "tf.Tensor(4.0, shape=(), dtype=float32)",
        "tf.Tensor(12.0, shape=(), dtype=float32)",
    ]
    assert str(dy2_dx2.expr) == "12*x**2"


@pytest.mark.parametrize(("order", "value"), [(1, 4.0), (2, 12.0), (3, 24.0), (4, 24.0), (5, 0.0)])
def test_any_order(order, value):
    """x^4 at 1, differentiated n times."""

    def derivative(x, n):
        if n == 0:
            return tf.pow(x, 4)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = derivative(x, n - 1)
        return tape.gradient(y, x)

    near(derivative(tf.constant(1.0), order), value)


# --- the second document --------------------------------------------------------------------------


def test_square_of_a_constant():
    """x*x at 3 has the gradient 6."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    dy_dx = tape.gradient(y, x)
    assert str(dy_dx) == "tf.Tensor(6.0, shape=(), dtype=float32)"


def test_nested_tapes():
    """x*x at 2 has the derivatives 4 and 2."""
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.GradientTape() as tt:
            tt.watch(x)
            y = x * x
        dy_dx = tt.gradient(y, x)
    dy2_dx2 = tape.gradient(dy_dx, x)
    assert str(dy_dx) == "tf.Tensor(4.0, shape=(), dtype=float32)"
    assert str(dy2_dx2) == "tf.Tensor(2.0, shape=(), dtype=float32)"


def test_persistent_tape():
    """z = y*y with y = x*x: 108 and 6."""
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    dz_dx = tape.gradient(z, x)
    dy_dx = tape.gradient(y, x)
    del tape
    assert str(dz_dx) == "tf.Tensor(108.0, shape=(), dtype=float32)"
    assert str(dy_dx) == "tf.Tensor(6.0, shape=(), dtype=float32)"


def test_watching_only_one_variable():
    """With watch_accessed_variables=False only the watched variable has a gradient."""
    variable_a, variable_b = tf.Variable(3.0), tf.Variable(2.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        tape.watch(variable_a)
        y = variable_a**2
        z = variable_b**3
    near(tape.gradient(y, variable_a), 6.0)
    assert tape.gradient(z, variable_b) is None


def test_layers_that_are_not_built_have_nothing_to_watch():
    """Before the first call a layer has no variables, so the tape watches none of them."""
    inputs = tf.ones([2, 3])
    a = tf.keras.layers.Dense(32)
    b = tf.keras.layers.Dense(32)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(a.variables)
        assert a.variables == []
        result = b(a(inputs))
        found = tape.gradient(result, a.variables)
    assert found == [None, None]


def test_batch_jacobian():
    """[[[2,0],[0,4]],[[6,0],[0,8]]], and the definition by rows."""
    with tf.GradientTape() as g:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]], dtype=tf.float32)
        g.watch(x)
        y = x * x
    batch_jacobian = g.batch_jacobian(y, x)
    near(batch_jacobian, [[[2, 0], [0, 4]], [[6, 0], [0, 8]]])
    with tf.GradientTape(persistent=True) as g:
        g.watch(x)
        rows = [x[i] for i in range(x.shape[0])]
        squares = [row * row for row in rows]
    near(
        tf.stack([g.jacobian(s, r) for s, r in zip(squares, rows, strict=True)]),
        batch_jacobian.numpy(),
    )


def test_jacobian():
    """[[2,0],[0,4]]."""
    with tf.GradientTape() as g:
        x = tf.constant([1.0, 2.0])
        g.watch(x)
        y = x * x
    jacobian = g.jacobian(y, x)
    near(jacobian, [[2, 0], [0, 4]])


def test_reset():
    """reset() forgets what was recorded before it."""
    w = tf.Variable(3.0)

    def loss_fn():
        return w * w

    def other_loss_fn():
        return 5 * w

    with tf.GradientTape() as t:
        loss = loss_fn()
    with tf.GradientTape() as t:
        loss += other_loss_fn()
    near(t.gradient(loss, w), 5.0)
    with tf.GradientTape() as t:
        loss = loss_fn()
        t.reset()
        loss += other_loss_fn()
    near(t.gradient(loss, w), 5.0)
    with tf.GradientTape() as t:
        loss = loss_fn()
        if loss > 1:
            t.reset()
    assert t.gradient(loss, w) is None


def test_watched_variables():
    """watched_variables lists them in the order in which they were made."""
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as t:
        _ = b * a
    assert [v is w for v, w in zip(t.watched_variables(), (a, b), strict=True)] == [True, True]


# --- the third document ---------------------------------------------------------------------------


def test_square_and_builtin_pow(capsys):
    """Values and gradients of tf.square and of Python's pow."""
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.square(x)
    dy_dx = tape.gradient(y, x)
    print(y)
    print(dy_dx)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.square(x)
        z = pow(x, 3)
    print(tape.gradient(y, x))
    print(z)
    print(tape.gradient(z, x))
    del tape
    values = ("9.0", "6.0", "6.0", "27.0", "27.0")
    assert shown(capsys) == [f"tf.Tensor({v}, shape=(), dtype=float32)" for v in values]


def test_watching_by_hand(capsys):
    """None without watching; 6 with it, for a variable and for a constant."""
    x = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = tf.square(x)
    print(tape.gradient(y, x))
    for x in (tf.Variable(3.0), tf.constant(3.0)):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(x)
            y = tf.square(x)
        print(tape.gradient(y, x))
    assert shown(capsys) == ["None", *["tf.Tensor(6.0, shape=(), dtype=float32)"] * 2]


def test_two_variables(capsys):
    """x² + 2y² + 1 has the gradients 6 and 16."""
    x = tf.Variable(3.0)
    y = tf.Variable(4.0)
    with tf.GradientTape() as tape:
        f = tf.square(x) + 2 * tf.square(y) + 1
    df_dx, df_dy = tape.gradient(f, [x, y])
    print(df_dx)
    print(df_dy)
    assert shown(capsys) == [
        "tf.Tensor(6.0, shape=(), dtype=float32)",
        "tf.Tensor(16.0, shape=(), dtype=float32)",
    ]
    assert (str(df_dx.expr), str(df_dy.expr)) == ("2*x", "4*y")


def test_second_gradients_of_a_list(capsys):
    """The gradients of a list of gradients, printed as a list of lists."""
    x = tf.Variable(3.0)
    y = tf.Variable(4.0)
    with tf.GradientTape(persistent=True) as tape2:
        with tf.GradientTape(persistent=True) as tape1:
            f = tf.square(x) + 2 * tf.square(y) + 1
        first_grads = tape1.gradient(f, [x, y])
    second_grads = [tape2.gradient(first_grads, [x, y])]
    print(f)
    print(first_grads)
    print(second_grads)
    del tape1
    del tape2
    tensor = "<tf.Tensor: shape=(), dtype=float32, numpy={}>"
    assert shown(capsys) == [
        "tf.Tensor(42.0, shape=(), dtype=float32)",
        f"[{tensor.format('6.0')}, {tensor.format('16.0')}]",
        f"[[{tensor.format('2.0')}, {tensor.format('4.0')}]]",
    ]


def test_vectors(capsys):
    """Elementwise on vectors."""
    x = tf.Variable([1.0, 2.0, 3.0])
    y = tf.Variable([4.0, 5.0, 6.0])
    with tf.GradientTape() as tape:
        f = tf.square(x) + 2 * tf.square(y) + 1
    df_dx, df_dy = tape.gradient(f, [x, y])
    print(f)
    print(df_dx)
    print(df_dy)
    values = ("[34. 55. 82.]", "[2. 4. 6.]", "[16. 20. 24.]")
    assert shown(capsys) == [f"tf.Tensor({v}, shape=(3,), dtype=float32)" for v in values]


# --- the fourth document --------------------------------------------------------------------------


def test_constant_and_variable(capsys):
    """An unwatched constant gives None; watched, or a variable, it gives 6."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    print(tape.gradient(y, x))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    print(tape.gradient(y, x))
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    print(tape.gradient(y, x))
    x1 = tf.Variable(3.0)
    x2 = x1 + 2
    with tf.GradientTape() as tape:
        y = x2 * x2
    print(tape.gradient(y, x1))
    six = "tf.Tensor(6.0, shape=(), dtype=float32)"
    assert shown(capsys) == ["None", six, six, "None"]


def test_second_gradient_of_a_tape_that_is_not_persistent():
    """A RuntimeError with TensorFlow's text; a persistent tape gives 6 twice."""
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError) as error:
        tape.gradient(y, x)
    assert str(error.value) == (
        "A non-persistent GradientTape can only be used to compute one set of gradients "
        "(or jacobians)"
    )
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    near(tape.gradient(y, x), 6.0)
    near(tape.gradient(y, x), 6.0)


def dense_network(sizes, activation):
    """Make a small dense network."""
    layers = [tf.keras.layers.Dense(n, activation=activation) for n in sizes[:-1]]
    return tf.keras.Sequential([*layers, tf.keras.layers.Dense(sizes[-1])])


def test_adversarial_step_with_two_tapes():
    """Two tapes record one step of a generator and a discriminator, and both losses fall."""
    tf.random.set_seed(1)
    generator = dense_network([8, 4], "relu")
    discriminator = dense_network([8, 1], "relu")
    cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    generator_optimizer = tf.keras.optimizers.Adam(1e-3)
    discriminator_optimizer = tf.keras.optimizers.Adam(1e-3)
    images, noise = tf.random.normal([16, 4]), tf.random.normal([16, 5])

    def discriminator_loss(real_output, fake_output):
        real_loss = cross_entropy(tf.ones_like(real_output), real_output)
        fake_loss = cross_entropy(tf.zeros_like(fake_output), fake_output)
        return real_loss + fake_loss

    def generator_loss(fake_output):
        return cross_entropy(tf.ones_like(fake_output), fake_output)

    def train_step(update):
        with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
            generated_images = generator(noise, training=True)
            real_output = discriminator(images, training=True)
            fake_output = discriminator(generated_images, training=True)
            gen_loss = generator_loss(fake_output)
            disc_loss = discriminator_loss(real_output, fake_output)
        gradients_of_generator = gen_tape.gradient(gen_loss, generator.trainable_variables)
        gradients_of_discriminator = disc_tape.gradient(
            disc_loss, discriminator.trainable_variables
        )
        assert [g.shape for g in gradients_of_generator] == [
            v.shape for v in generator.trainable_variables
        ]
        if update == "generator":
            generator_optimizer.apply_gradients(
                zip(gradients_of_generator, generator.trainable_variables, strict=True)
            )
        if update == "discriminator":
            discriminator_optimizer.apply_gradients(
                zip(gradients_of_discriminator, discriminator.trainable_variables, strict=True)
            )
        return float(gen_loss), float(disc_loss)

    first = train_step("discriminator")
    second = train_step("generator")
    third = train_step(None)
    assert second[1] < first[1]
    assert third[0] < second[0]


def test_second_derivative_of_a_square(capsys):
    """6 and 2."""
    x = tf.Variable(3.0)
    with tf.GradientTape() as t1:
        with tf.GradientTape() as t2:
            y = x * x
        dx = t2.gradient(y, x)
    ddx = t1.gradient(dx, x)
    print(dx)
    print(ddx)
    assert shown(capsys) == [
        "tf.Tensor(6.0, shape=(), dtype=float32)",
        "tf.Tensor(2.0, shape=(), dtype=float32)",
    ]


# --- the fifth document ---------------------------------------------------------------------------


def column():
    """Make the column 0, 1, 2, 3."""
    return tf.reshape(tf.Variable(range(4), dtype=tf.float32), (4, 1))


def test_column_prints():
    """A column vector of a variable, as today's TensorFlow prints it."""
    assert repr(column()) == (
        "<tf.Tensor: shape=(4, 1), dtype=float32, numpy=\n"
        "array([[0.],\n       [1.],\n       [2.],\n       [3.]], dtype=float32)>"
    )


def test_two_x_transposed_x():
    """The gradient of 2xᵀx is 4x."""
    x = column()
    with tf.GradientTape() as t:
        t.watch(x)
        y = 2 * tf.matmul(tf.transpose(x), x)
    dy_dx = t.gradient(y, x)
    assert repr(dy_dx) == (
        "<tf.Tensor: shape=(4, 1), dtype=float32, numpy=\n"
        "array([[ 0.],\n       [ 4.],\n       [ 8.],\n       [12.]], dtype=float32)>"
    )
    assert str(dy_dx.index_expr()) == "4*x[i, 0]"


def test_persistent_gradients_inside_warn_once(caplog, monkeypatch):
    """Gradients inside of a persistent tape: 4x³ and 2x, and TensorFlow's warning, once."""
    monkeypatch.setattr(tape_module._SAID, "inside", 0)
    x = column()
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        with tf.GradientTape(persistent=True) as g:
            g.watch(x)
            y = x * x
            z = y * y
            dz_dx = g.gradient(z, x)
            dy_dx = g.gradient(y, x)
    near(dz_dx, [[0.0], [4.0], [32.0], [108.0]])
    near(dy_dx, [[0.0], [2.0], [4.0], [6.0]])
    (record,) = caplog.records
    assert record.getMessage().startswith(
        "Calling GradientTape.gradient on a persistent tape inside its context is significantly "
        "less efficient than calling it outside the context"
    )


@pytest.mark.parametrize("seed", range(6))
def test_gradient_through_control_flow(seed):
    """The gradient of the doubling function is c/a, exactly, with its conditions."""

    def f(a):
        b = a * 2
        while tf.norm(b) < 1000:
            b = b * 2
        if tf.reduce_sum(b) > 0:
            c = b
        else:
            c = 100 * b
        return c

    tf.random.set_seed(seed)
    a = tf.random.normal((1, 1), dtype=tf.float32)
    with tf.GradientTape() as t:
        t.watch(a)
        c = f(a)
    g = t.gradient(c, a)
    np.testing.assert_allclose(g.numpy(), (c / a).numpy(), rtol=1e-6)
    assert g.entries[0, 0] == round(float(g[0, 0]))
    assert len(g.conditions) >= 3
