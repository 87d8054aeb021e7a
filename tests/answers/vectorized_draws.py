"""Random numbers within `tf.vectorized_map`: drawn for all elements at once, in a trace."""

from __future__ import annotations

from typing import Any

from tests.answers.answer import Table

TABLE = Table("vectorized_draws")


def start(tf: Any) -> Any:
    """Set the global seed, and give three zeros."""
    tf.random.set_seed(1)
    return tf.zeros([3])


def noisy(tf: Any, x: Any, seed: Any = None) -> Any:
    """Add a number."""
    return x + tf.random.normal([], seed=seed)


@TABLE.program
def outside_of_functions(tf: Any) -> Any:
    """Each call is traced by itself, and leaves the sequence outside as it is."""
    x = start(tf)
    twice = [tf.vectorized_map(lambda v: noisy(tf, v) * tf.random.uniform([2]), x)] * 2
    return [*twice, tf.vectorized_map(lambda v: noisy(tf, v, 4), x), tf.random.normal([2])]


@TABLE.program
def other_operations(tf: Any) -> Any:
    """Integers, truncated numbers, and what dropout draws."""
    start(tf)
    whole = tf.zeros([3], tf.int32)
    return [
        tf.vectorized_map(lambda v: v + tf.random.uniform([], maxval=10, dtype=tf.int32), whole),
        tf.vectorized_map(lambda v: v + tf.random.truncated_normal([]), tf.zeros([1])),
        tf.vectorized_map(lambda v: tf.nn.dropout(v, 0.5), tf.ones([2, 3])),
    ]


@TABLE.program
def within_a_function(tf: Any) -> Any:
    """Operations are numbered with those of the function, and go on from call to call."""
    x = start(tf)
    noise = lambda v: noisy(tf, v)  # noqa: E731 - it is given twice
    f = tf.function(
        lambda x: [noise(0.0), tf.vectorized_map(noise, x), noise(0.0), tf.vectorized_map(noise, x)]
    )
    return [f(x), f(x)]


@TABLE.program
def within_each_other(tf: Any) -> Any:
    """The inner elements of all outer ones are drawn at once; a loop draws in each turn."""
    start(tf)
    rows = tf.zeros([2, 3])
    return [
        tf.vectorized_map(lambda r: tf.vectorized_map(lambda v: noisy(tf, v), r), rows),
        tf.vectorized_map(lambda r: tf.map_fn(lambda v: noisy(tf, v), r), rows),
    ]


@TABLE.program
def where_functions_are_not_traced(tf: Any) -> Any:
    """Whether operations are eager: in functions, in maps, and where these are left."""
    found: list[Any] = []

    def tell(x: Any = 0.0) -> Any:
        found.append(tf.executing_eagerly())
        return x

    @tf.function
    def traced(x: Any) -> Any:
        tell()
        with tf.init_scope():
            tell()
        return tf.cond(x > 0, tell, tell)

    traced(tf.constant(1.0))
    for run in (tf.vectorized_map, tf.map_fn):
        run(tell, tf.constant([1.0]))
    list(tf.data.Dataset.range(1).map(tell))
    tf.py_function(tell, [1.0], tf.float32)
    return [len(found) > 6, found[:2], found[-4:], tell(), found[-1]]
