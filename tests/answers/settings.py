"""What settings answer that are kept and told, and what names of files and signatures are."""

from __future__ import annotations

from typing import Any

from tests.answers.answer import Table

TABLE = Table("settings")


def _config(name: str, *given: Any) -> Any:
    """Call a function of `tf.config.experimental`; a call on what it is made for is a function."""

    def ask(tf: Any) -> Any:
        made = [x(tf) if callable(x) else x for x in given]
        return getattr(tf.config.experimental, name)(*made)

    return ask


def _cpu(tf: Any) -> Any:
    return tf.config.list_physical_devices()[0]


TABLE.rows(
    "devices",
    [
        *[_config(f"get_{what}", _cpu) for what in ("device_details", "memory_growth")],
        *[
            _config(name, device)
            for name in ("get_memory_info", "get_memory_usage", "reset_memory_stats")
            for device in ("CPU:0", "GPU:0", "CPU", "x", "CPU:")
        ],
        _config("get_device_details", 3),
        _config("set_device_policy", "x"),
    ],
)


def _policies(tf: Any) -> Any:
    """Set what can be set, ask what was set, and set it back."""
    c = tf.config.experimental
    found: list[Any] = [c.get_device_policy(), c.get_synchronous_execution()]
    found.append(c.tensor_float_32_execution_enabled())
    for policy in ("warn", "explicit", "silent_for_int32", None):
        c.set_device_policy(policy)
        found.append(c.get_device_policy())
    for waits in (False, True):
        c.set_synchronous_execution(waits)
        found.append(c.get_synchronous_execution())
    for rounds in (False, True):
        c.enable_tensor_float_32_execution(rounds)
        found.append(c.tensor_float_32_execution_enabled())
    return found


def _optimizer(tf: Any) -> Any:
    o = tf.config.optimizer
    found: list[Any] = [o.get_jit()]
    for enabled in (True, "autoclustering", "x", True, "", False):
        o.set_jit(enabled)
        found.append(o.get_jit())
    return found


def _options(tf: Any) -> Any:
    o = tf.config.optimizer
    found = []
    for options in (
        {},
        {"layout_optimizer": True, "constant_folding": False},
        {"x": 1, "min_graph_nodes": 3},
        {"disable_meta_optimizer": True},
        {"layout_optimizer": None, "constant_folding": None, "min_graph_nodes": None},
    ):
        o.set_experimental_options(options)
        found.append(list(o.get_experimental_options().items()))
    o.set_experimental_options({"disable_meta_optimizer": None})
    return found


TABLE.rows("kept", [_policies, _optimizer, _options])
TABLE.rows(
    "names of files and signatures",
    [
        lambda tf: [
            [name, getattr(tf.saved_model, name)]
            for name in sorted(dir(tf.saved_model))
            if name.isupper()
        ]
    ],
)


def _checked(run: Any) -> Any:
    """Look at all that operations give."""

    def ask(tf: Any) -> Any:
        tf.debugging.enable_check_numerics()
        try:
            return run(tf)
        finally:
            tf.debugging.disable_check_numerics()

    return ask


NAN, INF = float("nan"), float("inf")
TABLE.rows(
    "numbers that are looked at",
    [
        _checked(run)
        for run in (
            lambda tf: tf.math.log(tf.constant([0.0, 1.0])),
            lambda tf: tf.constant([1.0]) / 0.0,
            lambda tf: tf.constant(NAN),
            lambda tf: tf.constant([1.0, 2.0]) + tf.constant([NAN, 1.0]),
            lambda tf: tf.sqrt(tf.constant(-1.0, tf.float64)),
            lambda tf: tf.math.log(tf.constant([0.0, -1.0, INF])),
            lambda tf: tf.math.log(tf.constant([-1.0, 0.0])),
            lambda tf: tf.math.log(tf.constant([0.0, INF])),
            lambda tf: tf.math.log(tf.constant([-1.0, INF])),
            lambda tf: tf.exp(tf.constant([[20.0, -1.0]], tf.float16)),
            lambda tf: tf.reshape(tf.constant([NAN, 1.0]), [2, 1]),
            lambda tf: tf.constant([1.0, NAN])[1],
            lambda tf: tf.concat([tf.constant([NAN]), tf.constant([1.0])], 0),
            lambda tf: tf.identity(tf.constant(NAN)),
            lambda tf: tf.math.divide_no_nan(tf.constant(1.0), 0.0),
            lambda tf: tf.math.is_nan(tf.constant(NAN)),
            lambda tf: tf.constant(3.0) * tf.constant(2.0),
            lambda tf: tf.pow(tf.constant(0.0), tf.constant(-1.0)),
            lambda tf: tf.transpose(tf.constant([[NAN]])),
            lambda tf: tf.complex(tf.constant(NAN), tf.constant(1.0)),
            lambda tf: tf.square(tf.constant([1e38, 1.0])),
        )
    ],
)
TABLE.rows(
    "sums that are looked at",
    [
        _checked(run)
        for run in (
            lambda tf: tf.matmul(tf.constant([[INF]]), tf.constant([[1.0]])),
            lambda tf: tf.nn.softmax(tf.constant([INF, 1.0])),
            lambda tf: tf.reduce_mean(tf.zeros([0])),
            lambda tf: tf.gather(tf.constant([1.0, NAN]), [1]),
            lambda tf: _slope(tf),
        )
    ],
    says="type",  # the text names what TensorFlow computes a sum or a slope with
)
TABLE.rows(
    "numbers that are not looked at any more",
    [
        lambda tf: [
            tf.debugging.enable_check_numerics(stack_height_limit=3, path_length_limit=5),
            tf.debugging.disable_check_numerics(),
            tf.debugging.disable_check_numerics(),
            tf.math.log(tf.constant(0.0)),
        ]
    ],
)


def _slope(tf: Any) -> Any:
    x = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        y = tf.sqrt(x)
    return tape.gradient(y, x)
