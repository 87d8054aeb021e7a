"""What is asked of layers, models, losses and optimizers that they do not do."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.refusals.room import Call, Room

ROOM = Room("keras")

keras = tf.keras
layers, models = keras.layers, keras.models
optimizers, losses, metrics = keras.optimizers, keras.losses, keras.metrics
initializers, activations = keras.initializers, keras.activations

ROW = tf.ones([1, 2])

# --- identifiers ----------------------------------------------------------------------------------


class Thing:
    """What no part of Keras is."""

    def __repr__(self) -> str:
        return "<a thing>"


ROOM.refuses(
    an_unknown_activation=lambda: activations.get("foo"),
    an_activation_that_is_a_number=lambda: activations.get(3),
    an_unknown_initializer=lambda: initializers.get("foo"),
    an_initializer_that_is_a_number=lambda: initializers.get(3),
    an_unknown_loss=lambda: losses.get("foo"),
    a_loss_that_is_a_thing=lambda: losses.get(Thing()),
    an_unknown_optimizer=lambda: optimizers.get("foo"),
    an_optimizer_that_is_a_number=lambda: optimizers.get(0.1),
    an_unknown_float_type=lambda: keras.backend.set_floatx("float8"),
    a_mixed_precision=lambda: layers.Dense(3, dtype="mixed_float16"),
    an_unknown_dtype=lambda: layers.Dense(3, dtype="foo"),
    a_seed_that_is_a_text=lambda: keras.utils.set_random_seed("a"),
    a_seed_of_an_initializer_that_is_a_float=lambda: initializers.GlorotNormal(seed=1.5),
    a_seed_of_a_generator_that_is_a_float=lambda: keras.random.SeedGenerator(1.5),
    a_seed_of_a_draw_that_is_a_text=lambda: keras.random.normal([2], seed="a"),
)
ROOM.allows(
    no_activation=lambda: activations.get(None),
    no_loss=lambda: losses.get(None),
    no_optimizer=lambda: optimizers.get(None),
    no_initializer=lambda: initializers.get(None),
    a_seed_that_is_nothing=lambda: keras.random.SeedGenerator(None),
    a_draw_without_a_seed=lambda: keras.random.normal([2]),
    the_float_type_that_is=lambda: keras.backend.set_floatx("float32"),
)

# --- initializers and variables -------------------------------------------------------------------

ROOM.refuses(
    an_initializer_without_a_call=lambda: initializers.Initializer()((2,)),
    a_negative_size=lambda: initializers.GlorotUniform()((-1, 2)),
    two_negative_sizes=lambda: initializers.GlorotUniform()((-1, -2)),
    a_scale_of_zero=lambda: initializers.VarianceScaling(scale=0.0),
    an_unknown_mode=lambda: initializers.VarianceScaling(mode="foo"),
    an_unknown_distribution=lambda: initializers.VarianceScaling(distribution="foo"),
    a_tensor_of_another_shape=lambda: initializers.get(tf.ones([2]))((3,)),
    a_constant_of_another_shape=lambda: initializers.Constant([1.0, 2.0])((3,)),
    a_variable_with_a_slash=lambda: keras.Variable(1.0, name="a/b"),
    a_variable_whose_name_is_a_number=lambda: keras.Variable(1.0, name=3),
    a_variable_without_a_shape=lambda: keras.Variable(initializers.Zeros()),
    a_variable_of_another_shape=lambda: keras.Variable([1.0, 2.0], name="v").assign([1.0]),
)
ROOM.allows(
    a_size_of_zero=lambda: initializers.GlorotUniform()((0, 2)),
    a_small_scale=lambda: initializers.VarianceScaling(scale=1e-9),
    a_tensor_of_its_shape=lambda: initializers.get(tf.ones([2]))((2,)),
    a_variable_of_a_shape=lambda: keras.Variable(initializers.Zeros(), shape=(2,)),
)

# --- layers ---------------------------------------------------------------------------------------


class Forgetful(layers.Layer):
    """A layer that does not call its parent first."""

    def __init__(self) -> None:
        self.units = 3


class Unfinished(layers.Layer):
    """A layer with nothing of its own."""


class Late(layers.Layer):
    """A layer that makes weights when it is called, which is too late."""

    def build(self, _: Any) -> None:
        """Make a weight."""
        self.a = self.add_weight(shape=(2,), name="a")

    def call(self, x: Any) -> Any:
        """Give the input."""
        return x * self.a


class Two(layers.Layer):
    """A layer of two inputs whose shapes have other names."""

    def build(self, first: Any, second: Any) -> None:
        """Make nothing."""

    def call(self, x: Any, y: Any) -> Any:
        """Add."""
        return x + y


class Penalized(layers.Layer):
    """A layer with a loss."""

    def __init__(self, loss: Any) -> None:
        super().__init__()
        self.loss = loss

    def call(self, x: Any) -> Any:
        """Add a loss."""
        self.add_loss(self.loss)
        return x


def late(layer: Any) -> Any:
    """Call a layer, then let it have another weight."""
    layer(ROW)
    return layer


def weighed(*weights: Any) -> Any:
    """Give a layer weights."""
    layer = layers.Dense(1, name="d")
    layer(ROW)
    layer.set_weights(list(weights))
    return layer


def assigned(layer: Any, value: Any) -> None:
    """Give a layer that was called another part."""
    layer(ROW)
    layer.more = value


def with_a_part_again() -> None:
    """Give a layer that was called the part that it has under another name."""
    layer = late(Late())
    layer.more = layer.a


ROOM.refuses(
    no_units=lambda: layers.Dense(0),
    units_that_are_a_text=lambda: layers.Dense("a"),
    units_that_are_a_float=lambda: layers.Dense(3.0),
    an_argument_that_no_layer_has=lambda: layers.Dense(3, foo=1),
    an_activation_that_no_layer_has=lambda: layers.Activation("nope"),
    a_regularizer_by_name=lambda: layers.Dense(3, kernel_regularizer="l2"),
    a_constraint_by_name=lambda: layers.Dense(3, bias_constraint="non_neg"),
    a_regularizer_of_activity=lambda: layers.Dense(3, activity_regularizer="l2"),
    a_rank_of_lora=lambda: layers.Dense(3, lora_rank=2),
    a_layer_that_may_be_trained_as_a_number=lambda: layers.Dense(3, trainable=1),
    a_weight_before_it_is_built=lambda: layers.Dense(3).kernel,
    an_attribute_that_no_layer_has=lambda: layers.Flatten().kernels,
    an_attribute_that_no_dense_layer_has=lambda: layers.Dense(3, name="d").colour,
    parameters_before_they_are_built=lambda: layers.Dense(3, name="d").count_params(),
    a_layer_that_forgets_its_parent=lambda: Forgetful()(ROW),
    a_layer_without_a_call=lambda: Unfinished()(ROW),
    a_layer_without_an_output_shape=lambda: Unfinished().compute_output_shape((1, 2)),
    a_layer_of_a_number=lambda: layers.Dense(3)(3.0),
    a_layer_of_a_list=lambda: layers.Dense(3)([[1.0, 2.0]]),
    a_layer_of_nothing=lambda: layers.Dense(3)(),
    a_layer_of_an_unknown_argument=lambda: layers.Dense(3)(ROW, foo=1),
    a_layer_of_too_few_axes=lambda: layers.Dense(3, name="d")(tf.ones([2])),
    a_layer_of_another_width=lambda: late(layers.Dense(3, name="d"))(tf.ones([1, 3])),
    a_layer_of_two_inputs=lambda: layers.Dense(3, name="d")([ROW, ROW]),
    a_layer_whose_shapes_have_no_names=lambda: Two()(ROW, ROW),
    a_weight_by_its_name=lambda: Unfinished().add_weight("w"),
    a_weight_that_comes_late=lambda: late(Late()).add_weight(shape=(2,)),
    a_weight_with_a_regularizer_by_name=lambda: Unfinished().add_weight((2,), regularizer="l2"),
    a_part_that_comes_late=lambda: assigned(Late(), layers.Dense(2)),
    a_loss_that_is_no_tensor=lambda: Penalized(3.0)(ROW),
    too_many_weights=lambda: weighed(np.ones((2, 1)), np.ones(1), np.ones(1)),
    weights_of_another_shape=lambda: weighed(np.ones((2, 2)), np.ones(1)),
    a_flattening_of_another_format=lambda: layers.Flatten(data_format="rows"),
    a_reshape_to_another_size=lambda: layers.Reshape((3,))(ROW),
    a_reshape_to_a_part=lambda: layers.Reshape((3,))(tf.ones([2, 6])),
    a_reshape_that_does_not_divide=lambda: layers.Reshape((-1, 4))(tf.ones([2, 6])),
    an_input_without_a_shape=lambda: layers.InputLayer(),
    an_input_of_two_shapes=lambda: layers.InputLayer(shape=(2,), batch_shape=(1, 2)),
    a_relu_up_to_a_negative_value=lambda: layers.ReLU(max_value=-1.0),
    a_relu_of_a_negative_slope=lambda: layers.ReLU(negative_slope=-1.0),
    a_relu_of_no_slope=lambda: layers.ReLU(negative_slope=None),
    a_relu_of_a_negative_threshold=lambda: layers.ReLU(threshold=-0.5),
    a_leaky_relu_of_a_negative_slope=lambda: layers.LeakyReLU(-1.0),
    a_leaky_relu_of_no_slope=lambda: layers.LeakyReLU(None),
    a_dropout_of_more_than_all=lambda: layers.Dropout(1.5),
    a_dropout_of_less_than_nothing=lambda: layers.Dropout(-0.5),
)
ROOM.allows(
    one_unit=lambda: layers.Dense(1)(ROW),
    a_relu_up_to_zero=lambda: layers.ReLU(max_value=0.0, negative_slope=0.0, threshold=0.0)(ROW),
    a_leaky_relu_of_slope_zero=lambda: layers.LeakyReLU(0.0)(ROW),
    a_dropout_of_all=lambda: layers.Dropout(1)(ROW),
    a_dropout_of_nothing=lambda: layers.Dropout(0)(ROW, training=True),
    a_constraint_that_is_a_function=lambda: layers.Dense(1, kernel_constraint=tf.abs)(ROW),
    its_own_weights=lambda: weighed(np.ones((2, 1)), np.ones(1)),
    a_loss_that_is_a_tensor=lambda: Penalized(tf.constant(1.0))(ROW),
    a_reshape_to_the_same_size=lambda: layers.Reshape((3, 2))(tf.ones([2, 6])),
    a_part_that_it_has=with_a_part_again,
    a_reshape_that_divides=lambda: layers.Reshape((-1, 3))(tf.ones([2, 6])),
    a_part_that_is_no_state=lambda: assigned(Late(), "a text"),
)

# --- models ---------------------------------------------------------------------------------------


def stack(*names: str) -> Any:
    """Make a model of layers with names."""
    return keras.Sequential([layers.Dense(1, name=name) for name in names], name="s")


ROOM.refuses(
    a_functional_model=lambda: keras.Model(ROW, ROW),
    a_functional_model_by_names=lambda: keras.Model(inputs=ROW, outputs=ROW),
    a_model_of_outputs=lambda: keras.Model(outputs=ROW),
    a_layer_that_is_none=lambda: keras.Sequential([Thing()]),
    two_layers_of_one_name=lambda: stack("a", "a"),
    an_input_that_comes_second=lambda: stack("a").add(layers.InputLayer(shape=(2,))),
    a_model_without_layers=lambda: keras.Sequential(name="s")(ROW),
    a_layer_after_the_last=lambda: stack("a", "b").get_layer(index=2),
    a_layer_of_no_name=lambda: stack("a", "b").get_layer("c"),
    a_layer_neither_by_name_nor_by_place=lambda: stack("a").get_layer(),
    a_layer_by_name_and_by_place=lambda: stack("a").get_layer("a", 0),
)
ROOM.allows(
    the_last_layer=lambda: stack("a", "b").get_layer(index=1),
    a_layer_of_a_name=lambda: stack("a", "b").get_layer("b"),
    an_input_that_comes_first=lambda: keras.Sequential([layers.InputLayer(shape=(2,))]),
)

# --- losses and metrics ---------------------------------------------------------------------------


def misjudged(name: str, true: Any, predicted: Any, **how: Any) -> Call:
    """Ask a loss about arrays of shapes."""
    return lambda: getattr(losses, name)(**how)(np.ones(true), np.ones(predicted))


def sparse(true: Any, predicted: Any, **how: Any) -> Call:
    """Ask how far numbers of classes are from scores."""
    call = losses.sparse_categorical_crossentropy
    return lambda: call(np.zeros(true, np.int64), tf.ones(predicted), **how)


ROOM.refuses(
    a_loss_without_a_call=lambda: losses.Loss()(ROW, ROW),
    an_unknown_reduction=lambda: losses.MeanSquaredError(reduction="foo"),
    a_binary_loss_of_two_shapes=misjudged("BinaryCrossentropy", (2, 3), (2, 4)),
    a_binary_loss_of_two_ranks=misjudged("BinaryCrossentropy", (2, 3), (2,)),
    a_categorical_loss_of_two_shapes=misjudged("CategoricalCrossentropy", (2, 3), (2, 4)),
    a_categorical_loss_of_two_ranks=misjudged("CategoricalCrossentropy", (3,), (2, 3)),
    a_squared_loss_of_two_shapes=misjudged("MeanSquaredError", (2, 3), (2, 4)),
    a_class_to_be_ignored=sparse((2,), (2, 3), ignore_class=0),
    classes_along_another_axis=sparse((2,), (2, 3), axis=0),
    classes_of_another_rank=sparse((2, 3, 1), (2, 3)),
    classes_of_another_shape=sparse((3,), (2, 3)),
    a_metric_without_an_update=lambda: metrics.Metric(name="m").update_state(1.0),
    a_metric_without_a_result=lambda: metrics.Metric(name="m").result(),
)
ROOM.allows(
    classes_along_the_last_axis=sparse((2,), (2, 3), axis=1),
    no_reduction=lambda: losses.MeanSquaredError(reduction=None),
)

# --- optimizers -----------------------------------------------------------------------------------

SGD = optimizers.SGD


def stepped(optimizer: Any, *pairs: Any) -> Any:
    """Take a step."""
    return optimizer.apply_gradients(pairs)


def unknown() -> Any:
    """Give an optimizer a variable that it does not know."""
    optimizer = SGD()
    stepped(optimizer, (tf.constant(1.0), tf.Variable(1.0)))
    return stepped(optimizer, (tf.constant(1.0), tf.Variable(3.0)))


def too_few() -> Any:
    """Give an optimizer fewer gradients than it has variables."""
    optimizer = SGD()
    optimizer.build([tf.Variable(1.0), tf.Variable(2.0)])
    return optimizer.apply([tf.constant(1.0)])


def one_of_two() -> Any:
    """Take a step of one of the variables that an optimizer has."""
    optimizer, first = SGD(), tf.Variable(1.0)
    optimizer.build([first, tf.Variable(2.0)])
    return optimizer.apply([tf.constant(1.0)], [first])


ROOM.refuses(
    a_rate_that_is_a_whole_number=lambda: SGD(1),
    a_rate_that_is_a_text=lambda: SGD("fast"),
    a_momentum_of_two=lambda: SGD(0.1, momentum=2.0),
    a_momentum_that_is_negative=lambda: SGD(0.1, momentum=-0.1),
    a_momentum_that_is_a_whole_number=lambda: SGD(0.1, momentum=1),
    an_argument_that_no_optimizer_has=lambda: SGD(foo=1),
    an_average_of_the_weights=lambda: SGD(use_ema=True),
    a_scaled_loss=lambda: optimizers.Adam(loss_scale_factor=2.0),
    gradients_that_accumulate=lambda: SGD(gradient_accumulation_steps=2),
    two_clips=lambda: SGD(0.1, clipnorm=1.0, clipvalue=1.0),
    two_clips_of_norms=lambda: SGD(0.1, clipnorm=1.0, global_clipnorm=1.0),
    no_gradients=lambda: stepped(SGD(), (None, tf.Variable(1.0))),
    no_pairs=lambda: stepped(SGD()),
    a_gradient_of_another_shape=lambda: stepped(SGD(), (ROW, tf.Variable(1.0))),
    a_variable_that_it_does_not_know=unknown,
    fewer_gradients_than_variables=too_few,
    gradients_without_variables=lambda: SGD().apply([tf.constant(1.0)]),
    an_optimizer_without_a_step=lambda: stepped(
        optimizers.Optimizer(0.1), (tf.constant(1.0), tf.Variable(1.0))
    ),
    an_attribute_that_no_optimizer_has=lambda: SGD().speed,
    a_minimization=lambda: SGD().minimize(lambda: 1.0, []),
)
ROOM.allows(
    one_variable_of_two=one_of_two,
    one_clip=lambda: SGD(0.1, global_clipnorm=1.0),
    a_momentum_of_one=lambda: SGD(0.1, momentum=1.0),
    a_momentum_of_zero=lambda: SGD(0.1, momentum=0.0),
    gradients_in_the_order_of_the_variables=lambda: SGD().apply(
        [tf.constant(1.0)], [tf.Variable(1.0)]
    ),
)
