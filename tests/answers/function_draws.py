"""Random numbers within `tf.function`: each trace is numbered, and goes on from call to call."""

from __future__ import annotations

from typing import Any

from tests.answers.answer import Table

TABLE = Table("function_draws")


def start(tf: Any, seed: Any = 1) -> Any:
    """Set the global seed, and give what draws a number."""
    tf.random.set_seed(seed)
    return lambda seed=None: tf.random.uniform([], seed=seed)


@TABLE.program
def two_operations(tf: Any) -> Any:
    """Operations of a function have the seeds 0, 1, …, whatever was drawn outside."""
    draw = start(tf)
    f = tf.function(lambda: (draw(), draw()))
    return [draw(), f(), f(), draw(), f()]


@TABLE.program
def operations_with_seeds(tf: Any) -> Any:
    """Equal seeds have streams of their own within a function."""
    draw = start(tf)
    f = tf.function(lambda: (draw(3), draw(3), draw()))
    return [f(), draw(3), f(), draw(3)]


@TABLE.program
def seeds_of_operations_alone(tf: Any) -> Any:
    """Without a global seed, an operation's own is enough."""
    draw = start(tf, None)
    f = tf.function(lambda: draw(3))
    return [f(), f(), draw(3), draw(3)]


@TABLE.program
def two_functions(tf: Any) -> Any:
    """Each function begins by itself."""
    draw = start(tf)
    f, g = tf.function(lambda: draw()), tf.function(lambda: draw())
    return [f(), g(), f(), g(), draw()]


@TABLE.program
def other_shapes(tf: Any) -> Any:
    """A function of another shape is traced anew."""
    draw = start(tf)
    f = tf.function(lambda x: draw() + 0 * tf.reduce_sum(x))
    return [f(tf.zeros([n])) for n in (1, 2, 1, 2)]


@TABLE.program
def iterators(tf: Any) -> Any:
    """Iterators over equal elements are one trace, as those of the epochs of a training."""
    draw = start(tf)
    f = tf.function(lambda it: draw() + 0 * it.get_next())
    g = tf.function(lambda of: draw() + 0 * of.reduce(0.0, tf.add))
    kinds = [tf.data.Dataset.from_tensor_slices(tf.zeros(shape)) for shape in ([2], [2], [2, 1])]
    return [[tf.reduce_sum(f(iter(d))) for d in kinds], [tf.reduce_sum(g(d)) for d in kinds]]


@TABLE.program
def other_arguments(tf: Any) -> Any:
    """So is one of another number, or another text; nested arguments count, too."""
    draw = start(tf)
    f = tf.function(lambda n, more=None: draw())
    return [f(1), f(2), f(1), f("a"), f(1, more={"a": [1]}), f(1, more={"a": [1]}), f(True)]


@TABLE.program
def other_tensors(tf: Any) -> Any:
    """Tensors and variables of one shape and dtype are one trace."""
    draw = start(tf)
    f = tf.function(lambda x: draw() + 0 * tf.cast(x, tf.float32))
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    numbers = [tf.constant(n) for n in (1.0, 2.0)]
    return [f(x) for x in (*numbers, v, w, tf.constant(1), tf.constant(2))]


@TABLE.program
def a_signature(tf: Any) -> Any:
    """With `input_signature` there is one trace."""
    draw = start(tf)

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x):
        return draw() + 0 * tf.reduce_sum(x)

    return [f(tf.zeros([n])) for n in (1, 2, 1)]


@TABLE.program
def functions_within(tf: Any) -> Any:
    """A function that is called within has streams for each place where it is called."""
    draw = start(tf)
    inner = tf.function(lambda: (draw(), draw()))
    f = tf.function(lambda: (draw(), inner(), draw(), inner()))
    return [f(), f(), inner(), f(), inner()]


@TABLE.program
def the_global_seed_again(tf: Any) -> Any:
    """A global seed that is set later has states begin anew; a trace keeps the seed it had."""
    draw = start(tf)
    f = tf.function(lambda x: draw() + 0 * tf.reduce_sum(x))
    found = [f(tf.zeros([1])), f(tf.zeros([1]))]
    tf.random.set_seed(1)
    found += [f(tf.zeros([1])), f(tf.zeros([1]))]
    tf.random.set_seed(2)
    return [*found, f(tf.zeros([1])), f(tf.zeros([2])), draw()]


@TABLE.program
def a_seed_within(tf: Any) -> Any:
    """A global seed that is set within a function is that of the function."""
    draw = start(tf)

    def run():
        tf.random.set_seed(7)
        return draw(), draw()

    f = tf.function(run)
    return [f(), f(), draw(), draw()]


@TABLE.program
def many_kinds(tf: Any) -> Any:
    """All random operations are numbered together."""
    draw = start(tf)
    f = tf.function(
        lambda: (
            *(tf.random.normal([2]), draw(), tf.random.truncated_normal([2])),
            *(tf.nn.dropout(tf.ones([5]), 0.5), tf.random.shuffle(tf.range(5))),
            *(tf.random.categorical([[1.0, 2.0, 3.0]], 2), draw()),
        )
    )
    return [f(), f()]


@TABLE.program
def loops_of_python(tf: Any) -> Any:
    """A loop of Python's is unrolled."""
    draw = start(tf)
    f = tf.function(lambda: sum(draw() for _ in range(3)))
    return [f(), f()]


@TABLE.program
def loops_and_branches(tf: Any) -> Any:
    """Bodies and branches are numbered by themselves."""
    draw = start(tf)

    def turn(i, total):
        return i + 1, total + draw()

    @tf.function
    def f(p):
        chosen = tf.cond(p, lambda: draw(), lambda: -draw())
        total = tf.while_loop(lambda i, _: i < 3, turn, (tf.constant(0), tf.constant(0.0)))[1]
        rows = tf.reduce_sum(tf.map_fn(lambda x: x + draw(), tf.zeros([3])))
        last = tf.foldl(lambda a, x: a + x * draw(), tf.ones([3]))
        which = tf.switch_case(tf.cast(p, tf.int32), [lambda: draw(), lambda: -draw()])
        return draw(), chosen, total, rows, last, which, draw()

    return [f(tf.constant(p)) for p in (True, False, True)]


@TABLE.program
def methods(tf: Any) -> Any:
    """Each instance is traced by itself."""
    draw = start(tf)

    class Net(tf.Module):
        @tf.function
        def __call__(self):
            return draw()

    a, b = Net(), Net()
    return [a(), b(), a(), b(), a()]


@TABLE.program
def concrete_functions(tf: Any) -> Any:
    """A concrete function is the trace."""
    draw = start(tf)
    f = tf.function(lambda: draw())
    concrete = f.get_concrete_function()
    return [concrete(), f(), draw()]


@TABLE.program
def functions_run_eagerly(tf: Any) -> Any:
    """Functions that run eagerly draw as what is outside."""
    draw = start(tf)
    f = tf.function(lambda: draw())
    tf.config.run_functions_eagerly(True)
    try:
        return [f(), f(), draw()]
    finally:
        tf.config.run_functions_eagerly(False)


@TABLE.program
def what_runs_eagerly_within(tf: Any) -> Any:
    """What Python computes for a function draws as what is outside."""
    draw = start(tf)
    f = tf.function(lambda: (draw(), tf.py_function(lambda: draw(), [], tf.float32), draw()))
    return [f(), draw(), f()]


@TABLE.program
def functions_of_datasets(tf: Any) -> Any:
    """A function that a dataset calls draws there, and begins by itself outside."""
    draw = start(tf)
    f = tf.function(lambda _: (draw(), draw()))
    return [list(tf.data.Dataset.range(3).map(f)), f(tf.constant(1, tf.int64))]


@TABLE.program
def a_training_step(tf: Any) -> Any:
    """Numbers that a step draws are no part of what is differentiated."""
    draw = start(tf)
    w = tf.Variable(2.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = (w * x + draw()) ** 2 * draw()
        slope = tape.gradient(y, w)
        w.assign_sub(0.1 * slope)
        return y, slope

    return [step(tf.constant(1.0)), step(tf.constant(2.0)), step(tf.constant(1.0)), w]


@TABLE.program
def a_variable_that_is_made_first(tf: Any) -> Any:
    """A variable that the first call makes starts from the seeds of that trace."""
    start(tf)
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(tf.random.normal([2])))
        return made[0] * x

    return [f(tf.constant(1.0)), f(tf.constant(2.0)), made[0]]


@TABLE.program
def an_iterator_whose_function_draws(tf: Any) -> Any:
    """What an iterator gives is asked while the function looks for its seeds, and draws, too."""
    draw = start(tf)
    elements = tf.data.Dataset.range(3).map(lambda k: tf.cast(k, tf.float32))
    iterator = iter(elements.map(lambda x: x + tf.reduce_sum(0 * tf.random.normal([2]))))
    f = tf.function(lambda rows: (next(rows), draw()))
    return [f(iterator), f(iterator)]


CALLS: list[tuple[list[Any], list[str]]] = [
    *(([1.0], []), ([1.0, False], []), ([1.0], ["training"]), ([], ["x", "training", "scale"])),
    *(([1.0, True], []), ([1.0], ["training", "scale"]), ([1.0, 0.0], ["scale"])),
]
GIVEN = {"training": False, "scale": 3}


def _ways_to_call(tf: Any, function: Any) -> list[Any]:
    """Write calls in several ways: those that mean the same are one trace."""
    found = []
    for places, names in CALLS:
        args = [tf.constant(x) if type(x) is float and x == 1.0 else x for x in places]
        kwargs = {n: tf.constant(1.0) if n == "x" else GIVEN[n] for n in names}
        found += [function(*args, **kwargs), function.experimental_get_tracing_count()]
    return found


@TABLE.program
def ways_to_write_a_call(tf: Any) -> Any:
    """Defaults may be left out or given, and arguments have their names or their places."""
    draw = start(tf)
    return _ways_to_call(tf, tf.function(lambda x, training=False, *, scale=2: draw() + 0 * x))


@TABLE.program
def ways_to_call_a_method(tf: Any) -> Any:
    """The same of a method."""
    draw = start(tf)

    class Layer:
        @tf.function
        def call(self, x, training=False, *, scale=2):
            return draw() + 0 * x * scale * int(training)

    return _ways_to_call(tf, Layer().call)


@TABLE.program
def a_default_that_is_a_tensor(tf: Any) -> Any:
    """A tensor that is given in the place of one is the same trace; a number is not."""
    draw = start(tf)
    f = tf.function(lambda x, y=tf.constant(1.0), **more: draw() + 0 * x * y)  # noqa: B008
    x = tf.constant(2.0)
    calls = [f(x), f(x, x), f(x, y=x), f(x, 1.0), f(x=x), f(x, a=1, b=2), f(x, b=2, a=1)]
    return [*calls, f.experimental_get_tracing_count()]


def _of_sizes(tf: Any, how: dict[str, Any], sizes: list[Any]) -> list[Any]:
    """Call a function with tensors of some sizes, some of them in a structure, and count traces."""
    draw = start(tf)
    f = tf.function(lambda x, more=None: draw() + 0 * tf.cast(tf.reduce_sum(x), tf.float32), **how)
    calls = [(tf.ones(s),) if type(s) is list else s(tf) for s in sizes]
    return [answer for given in calls for answer in (f(*given), f.experimental_get_tracing_count())]


SIZES: list[list[Any]] = [
    [[2], [3], [4], [2], [5], [3]],
    [[2], [2, 2], [3, 2], [4, 3], [2], [2, 2], []],
    [[2, 1], [3, 1], [4, 1], [4, 2], [5, 2], [2, 1]],
    [[2], lambda tf: [tf.ones([3]), 1], [3], lambda tf: [tf.ones([4]), 1], [5], [2]],
    [[2], lambda tf: [tf.ones([3], tf.float64)], [3], lambda tf: [tf.ones([4], tf.float64)]],
    [lambda tf, n=n: [tf.ones([n]), {"a": [tf.ones([n + 1])]}] for n in (1, 2, 3, 1)],
]
TABLE.rows(
    "traces for many sizes",
    [lambda tf, s=s: _of_sizes(tf, {"reduce_retracing": True}, s) for s in SIZES],
)
TABLE.rows("a trace for each size", [lambda tf, s=s: _of_sizes(tf, {}, s) for s in SIZES])


@TABLE.program
def a_trace_that_was_asked_for(tf: Any) -> Any:
    """Calls take the trace of a concrete function that covers them, with the seed of its time."""
    draw = start(tf)
    f = tf.function(lambda x: draw() + 0 * tf.reduce_sum(x))
    two = f(tf.ones(2))
    many = f.get_concrete_function(tf.TensorSpec([None]))
    found = [two, many(tf.ones(3)), f(tf.ones(3)), f(tf.ones(2)), f(tf.ones([2, 2]))]
    alone = f.get_concrete_function(tf.TensorSpec([]))
    tf.random.set_seed(5)
    return [*found, alone(tf.constant(1.0)), f(tf.constant(1.0)), many(tf.ones(4)), draw()]


@TABLE.program
def a_function_that_was_traced_before(tf: Any) -> Any:
    """Within another function it keeps the seed of its trace, and has states for each call."""
    draw = start(tf, 0)
    f = tf.function(lambda: draw())
    found = [f()]
    tf.random.set_seed(5)
    g = tf.function(lambda: f())
    found += [f(), draw(), g(), g()]
    tf.random.set_seed(5)
    h = tf.function(lambda: (f(), f(), draw()))
    found += [g(), f(), h(), h()]
    tf.random.set_seed(7)
    return [*found, tf.function(lambda: f() + f())()]


@TABLE.program
def a_function_that_is_traced_within(tf: Any) -> Any:
    """What is traced first within another function keeps the seed of that, also outside of it."""
    draw = start(tf, 2)
    f = tf.function(lambda: draw())

    @tf.function
    def outer() -> Any:
        tf.random.set_seed(9)
        return f(), draw()

    found = [outer(), f(), f()]
    tf.random.set_seed(3)
    return [*found, f(), outer(), list(tf.data.Dataset.range(2).map(lambda _: f() + draw()))]
