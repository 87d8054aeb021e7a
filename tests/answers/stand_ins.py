"""What answers for TensorFlow's names beyond the public face, sparse tensors among them."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("stand_ins")


class Wide:
    """The names that answer `import tensorflow`, in a process that may have TensorFlow, too."""

    def __init__(self, path: str, holder: Any) -> None:
        self._path, self._holder = path, holder
        self._answer = resolve_name("symtape.stand_in.finder:Answer")(path, holder)

    def __getattr__(self, name: str) -> Any:
        within = self._path.partition(".")[2]
        found = resolve_name("symtape.stand_in.finder:_part")(within, self._holder, name)
        if isinstance(found, ModuleType):
            return Wide(f"{self._path}.{name}", found)
        return getattr(self._answer, name)


def wide(tf: Any) -> Any:
    """Give TensorFlow's own names, or those that answer for them."""
    return Wide("tensorflow", tf) if tf.__name__ == "symtape" else tf


def told(value: Any) -> Any:
    """Tell a sparse tensor by its parts."""
    if isinstance(value, (list, tuple)):
        return [told(v) for v in value]
    if hasattr(value, "dense_shape") and hasattr(value, "indices"):
        return [value.indices, value.values, value.dense_shape]
    return value


def _rows(name: str, runs: Any, **how: Any) -> None:
    TABLE.rows(name, [lambda tf, run=run: told(run(wide(tf))) for run in runs], **how)


def _chosen(tf: Any) -> Any:
    """Give two functions that choose, and ragged tensors of two and of other rows."""
    some, other = [[1.0, 2.0, 3.0], [4.0, 5.0]], [[-1.0], [-2.0, -3.0]]
    rows = [tf.ragged.constant(x) for x in (some, other, [[-1.0, -2.0, -3.0], [-4.0, -5.0]])]
    return tf.compat.v1.where, tf.where, *rows


def _of_chosen(run: Any) -> Any:
    """Tell what was chosen of ragged rows by its text."""

    def ask(tf: Any) -> Any:
        found = run(tf, *_chosen(tf))
        return str(found) if isinstance(found, tf.RaggedTensor) else found

    return ask


def _slopes_of_chosen(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.RaggedTensor.from_row_splits(x, [0, 2, 3])
        found = tf.compat.v1.where([True, False], rows, tf.ragged.constant([[5.0], [6.0, 7.0]]))
        total = tf.reduce_sum(found.flat_values**2)
    return found.flat_values, tf.convert_to_tensor(tape.gradient(total, x))


_rows(
    "rows that are chosen",
    [
        _of_chosen(run)
        for run in (
            lambda tf, old, new, x, y, z: old([True, False], x, y),
            lambda tf, old, new, x, y, z: old([False, True], x, y),
            lambda tf, old, new, x, y, z: old(condition=[True, False], x=y, y=x, name="chosen"),
            lambda tf, old, new, x, y, z: old([False, True], x, [[7.0, 8.0], [9.0, 10.0]]),
            lambda tf, old, new, x, y, z: old([True, False], [[7.0, 8.0], [9.0, 10.0]], y),
            lambda tf, old, new, x, y, z: old([True, False], tf.stack([x, x]), tf.stack([y, y])),
            lambda tf, old, new, x, y, z: old(x > 1.5, x, z),
            lambda tf, old, new, x, y, z: old(x > 1.5),
            lambda tf, old, new, x, y, z: new(x > 1.5, x, z),
            lambda tf, old, new, x, y, z: new(condition=x > 1.5, x=x, y=z),
            lambda tf, old, new, x, y, z: new([[True], [False]], x, z),
            lambda tf, old, new, x, y, z: new(x > 1.5, x, 0.0),
            lambda tf, old, new, x, y, z: new(x=x, y=z, condition=True),
        )
    ],
)
_rows("slopes of rows that are chosen", [_slopes_of_chosen])
_rows(
    "rows that are not chosen",
    [
        _of_chosen(run)
        for run in (
            lambda tf, old, new, x, y, z: old(True, x, y),
            lambda tf, old, new, x, y, z: old([[True], [False]], x, z),
            lambda tf, old, new, x, y, z: old(x > 1.5, x, 0.0),
            lambda tf, old, new, x, y, z: old(x > 1.5, [[1.0]], [[2.0]]),
            lambda tf, old, new, x, y, z: old([True], x, y),
            lambda tf, old, new, x, y, z: old([True, False, True], x, y),
            lambda tf, old, new, x, y, z: old(x > 1.5, x),
            lambda tf, old, new, x, y, z: new(x > 1.5, None, x),
        )
    ],
    says="plain",
)

P = np.arange(12.0, dtype=np.float32).reshape(4, 3)


def _ids(tf: Any) -> Any:
    return tf.SparseTensor([[0, 0], [0, 1], [2, 0], [2, 2]], np.array([1, 3, 0, 0]), [4, 3])


def _weights(tf: Any) -> Any:
    return tf.SparseTensor(_ids(tf).indices, np.array([0.5, 2, -1, 1], np.float32), [4, 3])


def _looked_up(tf: Any, combiner: Any, weighed: bool, **how: Any) -> Any:
    """Look rows up, and give the slopes of their squares."""
    x = tf.constant(P)
    with tf.GradientTape() as tape:
        tape.watch(x)
        weights = _weights(tf) if weighed else None
        y = tf.nn.embedding_lookup_sparse(x, _ids(tf), weights, combiner=combiner, **how)
        loss = tf.reduce_sum(y * y)
    return y, tf.convert_to_tensor(tape.gradient(loss, x))


def _safely(tf: Any, combiner: str, weighed: bool, **how: Any) -> Any:
    ids = tf.SparseTensor([[0, 0, 0], [0, 0, 1], [1, 1, 0]], np.array([1, 3, -1]), [2, 2, 3])
    weights = ids.with_values(np.array([2, -1, 1], np.float32)) if weighed else None
    return tf.nn.safe_embedding_lookup_sparse(
        tf.constant(P), ids, weights, combiner=combiner, **how
    )


_COMBINERS = [(c, w) for c in ("sum", "mean", "sqrtn") for w in (False, True)]
_rows(
    "embedding_lookup_sparse",
    [
        *(lambda tf, c=c, w=w: _looked_up(tf, c, w) for c, w in _COMBINERS),
        *(lambda tf, c=c, w=w: _looked_up(tf, c, w, max_norm=4.0) for c, w in _COMBINERS[:3]),
        lambda tf: _looked_up(tf, None, False),
        lambda tf: _looked_up(tf, "max", False),
        lambda tf: tf.nn.embedding_lookup_sparse([P[:2], P[2:]], _ids(tf), None, combiner="sum"),
        lambda tf: tf.nn.embedding_lookup_sparse(
            tf.constant(P[:, :1], tf.float64), _ids(tf), _weights(tf)
        ),
        *(lambda tf, c=c, w=w: _safely(tf, c, w) for c, w in _COMBINERS),
        *(lambda tf, c=c, w=w: _safely(tf, c, w, default_id=2) for c, w in _COMBINERS),
        lambda tf: _safely(tf, "mean", True, max_norm=3.0),
    ],
)

_R = np.random.RandomState(3)
LOGITS = (3 * _R.randn(7, 3, 5)).astype(np.float32)
WIDE_LOGITS = _R.randn(6, 2, 4)
NARROW_LOGITS = np.random.RandomState(4).randn(10, 2, 4).astype(np.float32)
_rows(
    "ctc decoders",
    [
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 5, 0]),
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 7, 7], merge_repeated=False),
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 5, 6], blank_index=0),
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 5, 6], blank_index=-2),
        lambda tf: tf.nn.ctc_greedy_decoder(WIDE_LOGITS, [6, 6]),
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 8, 6]),
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 7]),
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS[0], [7, 7]),
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [[7, 7, 7]]),
        lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 7, 7], blank_index=5),
        lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 5, 6]),
        lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 5, 6], beam_width=3, top_paths=3),
        lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS / 4, [7, 5, 7], beam_width=2),
        lambda tf: tf.nn.ctc_beam_search_decoder(NARROW_LOGITS, [10, 8], beam_width=2, top_paths=2),
        lambda tf: tf.nn.ctc_beam_search_decoder(NARROW_LOGITS, [10, 8], beam_width=4, top_paths=2),
        lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 0, 6]),
        lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 5, 6], beam_width=2, top_paths=3),
        lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [1, 0, 6], top_paths=3),
    ],
)

_rows(
    "ctc decoder of doubles",
    [lambda tf: tf.nn.ctc_beam_search_decoder(WIDE_LOGITS, [6, 3], 10, 4)],
    ulps=2.0**27,  # TensorFlow takes logarithms of single precision
)


def _words(tf: Any, rows: Any) -> Any:
    return tf.sparse.from_dense(tf.constant(rows))


_rows(
    "edit_distance",
    [
        lambda tf: tf.edit_distance(
            _words(tf, [[1, 2, 3, 4], [5, 0, 0, 0]]), _words(tf, [[1, 3, 4], [6, 7, 8]])
        ),
        lambda tf: tf.edit_distance(
            _words(tf, [[1, 2, 3, 4], [5, 0, 0, 0]]), _words(tf, [[1, 3, 4], [0, 0, 0]]), False
        ),
        lambda tf: tf.edit_distance(
            _words(tf, [["a", "b"], ["c", ""], ["", ""]]),
            _words(tf, [["b", ""], ["", ""], ["", ""]]),
        ),
        lambda tf: tf.edit_distance([[1]], _words(tf, [[1]])),
        lambda tf: tf.edit_distance(_words(tf, [[1]]), [[1]]),
        lambda tf: tf.edit_distance(_words(tf, [[[1, 2]], [[3, 3]]]), _words(tf, [[[2, 2]]])),
    ],
)


def _s(tf: Any) -> Any:
    return tf.SparseTensor(
        [[0, 1], [0, 3], [1, 0], [2, 2], [2, 4]], np.array([1.0, -2, 0.5, 3, 4]), [4, 5]
    )


def _slope_of_softmax(tf: Any) -> Any:
    x = _s(tf)
    with tf.GradientTape() as tape:
        tape.watch(x.values)
        y = tf.sparse.softmax(x)
        loss = tf.reduce_sum(y.values * [1.0, 2, 3, 4, 5])
    return y, tape.gradient(loss, x.values)


_rows(
    "sparse parts",
    [
        lambda tf: tf.sparse.to_dense(
            tf.SparseTensor([[0, 1]], np.array([3], np.int64), [1, 3]), default_value=-1
        ),
        lambda tf: tf.sparse.to_dense(tf.SparseTensor([[1]], ["a"], [2]), default_value="<pad>"),
        lambda tf: tf.sparse.eye(3),
        lambda tf: tf.sparse.eye(2, 4, tf.int32),
        lambda tf: tf.sparse.eye(4, num_columns=2, dtype=tf.float64),
        lambda tf: tf.sparse.slice(_s(tf), [0, 1], [3, 3]),
        lambda tf: tf.sparse.slice(_s(tf), [1, 2], [9, 9]),
        lambda tf: tf.sparse.slice(_s(tf), [3, 0], [1, 5]),
        lambda tf: tf.sparse.split(sp_input=_s(tf), num_split=2, axis=1),
        lambda tf: tf.sparse.split(sp_input=_s(tf), num_split=4, axis=0),
        lambda tf: tf.sparse.split(sp_input=_s(tf), num_split=2, axis=-1),
        lambda tf: tf.sparse.split(sp_input=_s(tf), axis=1),
        lambda tf: tf.sparse.split(sp_input=_s(tf), num_split=2),
        lambda tf: tf.sparse.split(num_split=2, axis=0),
        _slope_of_softmax,
        lambda tf: tf.sparse.to_indicator(
            tf.SparseTensor([[0, 0], [0, 1], [1, 1]], np.array([2, 0, 2]), [3, 2]), 4
        ),
        lambda tf: tf.sparse.to_indicator(
            tf.SparseTensor([[0, 0, 0], [1, 0, 1]], np.array([1, 1], np.int32), [2, 1, 2]), 3
        ),
    ],
)


def _trained(tf: Any, make: Any, rate: Any = 0.05, kind: str = "float64") -> Any:
    """Move variables by an optimizer of TensorFlow 1, by a tape and by a function."""
    x, y = tf.Variable([1.0, -2.0]), tf.Variable(0.5, dtype=kind)
    optimizer, step = make(tf.compat.v1.train, rate), tf.Variable(0)

    def loss() -> Any:
        at = tf.cast(x, kind)
        return tf.reduce_sum(at**4) + 3 * y**2

    for _ in range(3):
        with tf.GradientTape() as tape:
            value = loss()
        slopes = tape.gradient(value, [x, y])
        optimizer.apply_gradients(zip(slopes, [x, y], strict=True), global_step=step)
    optimizer.minimize(loss, step, [x])
    optimizer.minimize(loss)
    names = optimizer.get_slot_names()
    return [x, y, step, optimizer.get_name(), names, [optimizer.get_slot(x, n) for n in names]]


_rows(
    "optimizers of TensorFlow 1",
    [
        *(
            lambda tf, make=make: _trained(tf, make)
            for make in (
                lambda m, rate: m.GradientDescentOptimizer(rate),
                lambda m, rate: m.MomentumOptimizer(rate, 0.9),
                lambda m, rate: m.MomentumOptimizer(rate, 0.5, use_nesterov=True),
                lambda m, rate: m.AdamOptimizer(),
                lambda m, rate: m.AdamOptimizer(rate, 0.8, beta2=0.9, epsilon=1e-3, name="A"),
                lambda m, rate: m.RMSPropOptimizer(rate),
                lambda m, rate: m.RMSPropOptimizer(rate, decay=0.5, momentum=0.3, epsilon=0.1),
                lambda m, rate: m.RMSPropOptimizer(rate, momentum=0.3, centered=True),
                lambda m, rate: m.AdagradOptimizer(rate),
                lambda m, rate: m.AdagradOptimizer(learning_rate=rate, initial_accumulator_value=2),
                lambda m, rate: m.GradientDescentOptimizer(lambda: rate),
                lambda m, rate: m.AdadeltaOptimizer(rate),
                lambda m, rate: m.AdadeltaOptimizer(lambda: rate, rho=0.5, epsilon=0.1),
                lambda m, rate: m.FtrlOptimizer(rate),
                lambda m, rate: m.FtrlOptimizer(rate, -0.75, 0.5, 0.1, 0.2, name="F"),
                lambda m, rate: m.FtrlOptimizer(rate, l2_shrinkage_regularization_strength=0.1),
                lambda m, rate: m.FtrlOptimizer(rate, beta=0.5),
                lambda m, rate: m.FtrlOptimizer(rate, 0.5),
                lambda m, rate: m.FtrlOptimizer(rate, l1_regularization_strength=-1.0),
            )
        ),
        *(
            lambda tf, make=make: _trained(tf, make, kind="float32")
            for make in (
                lambda m, rate: m.ProximalGradientDescentOptimizer(rate),
                lambda m, rate: m.ProximalGradientDescentOptimizer(rate, 0.5, 0.25),
                lambda m, rate: m.ProximalAdagradOptimizer(rate, 0.2, 0.5, 0.25),
                lambda m, rate: m.ProximalAdagradOptimizer(rate, 0.0),
            )
        ),
        lambda tf: _trained(tf, lambda m, rate: m.AdamOptimizer(rate), tf.constant(0.1)),
        lambda tf: tf.compat.v1.train.AdamOptimizer().apply_gradients([]),
        lambda tf: tf.compat.v1.train.AdamOptimizer().minimize(tf.constant(1.0)),
    ],
)
TABLE.add(
    "optimizer of TensorFlow 1 without gradients",
    lambda tf: wide(tf).compat.v1.train.AdamOptimizer().apply_gradients([(None, tf.Variable(1.0))]),
    says="start",
)


def _drawn_by_the_older_seed(tf: Any) -> Any:
    tf.compat.v1.set_random_seed(5)
    first = tf.random.uniform([2])
    tf.compat.v1.random.set_random_seed(5)
    return first, tf.compat.v1.random.uniform([2])


def _scoped(tf: Any) -> Any:
    with tf.compat.v1.name_scope("a"):
        return tf.Variable(1.0, name="w").name


def _scoped_by_default(tf: Any) -> Any:
    found: list[Any] = []
    a, scope = tf.constant(1.0), tf.compat.v1.name_scope
    for given in (
        ("n", "d", [a]),
        (None, "d", [a]),
        (None, None, [a]),
        (None,),
        ("x/", "d"),
        ("",),
    ):
        with tf.name_scope("outer"), scope(*given) as whole:
            found += [whole, tf.Variable(1.0, name="w").name, scope(*given).name]
    return [*found, scope(None, default_name="d", values=None).name]


_KINDS = ("integral", "real", "complex", "bytes_or_text")


def _defaults(tf: Any) -> Any:
    x, held = tf.constant([1.0, 2.0]), tf.compat.v1.placeholder_with_default
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = held(x * x, [None]) + held(input=[1.0, 2.0], shape=[2], name="a")
    return y, tape.gradient(y, x)


def _configured(tf: Any) -> Any:
    v1 = tf.compat.v1
    v1.enable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    options = v1.GPUOptions(per_process_gpu_memory_fraction=0.25)
    config = v1.ConfigProto(allow_soft_placement=True, gpu_options=options)
    config.gpu_options.allow_growth = True
    v1.Session(config=config).close()
    kept = config.gpu_options.per_process_gpu_memory_fraction, config.allow_soft_placement
    return [*kept, v1.logging.get_verbosity(), v1.logging.INFO, v1.executing_eagerly()]


def _ran_without_a_graph(tf: Any) -> str:
    """TensorFlow has another word where something made a graph in its process before."""
    try:
        tf.compat.v1.Session().run(tf.constant(1))
    except (RuntimeError, AttributeError):
        return "refused"
    return "ran"


_rows(
    "older names",
    [
        _drawn_by_the_older_seed,
        _scoped,
        _scoped_by_default,
        lambda tf: tf.compat.v1.name_scope(3),
        lambda tf: tf.compat.v1.name_scope(None, 3),
        _defaults,
        lambda tf: [isinstance(3, getattr(tf.compat, f"{n}_types")) for n in _KINDS],
        lambda tf: [isinstance(2.5, getattr(tf.compat, f"{n}_types")) for n in _KINDS],
        lambda tf: [isinstance(np.float32(1), getattr(tf.compat, f"{n}_types")) for n in _KINDS],
        lambda tf: [tf.compat.path_to_str(p) for p in (Path("a/b"), "a", 3)],
        lambda tf: repr(tf.compat.dimension_at_index(tf.TensorShape([2, 3]), 1)),
        lambda tf: repr(tf.compat.v1.dimension_at_index(tf.TensorShape(None), 1)),
        lambda tf: tf.compat.dimension_at_index([2, 3], 1),
        lambda tf: [isinstance(n, tf.compat.v1.Dimension) for n in (3, *tf.TensorShape([2]).dims)],
        _configured,
        lambda tf: tf.compat.v1.reduce_sum(tf.constant(P), axis=1, keepdims=True),
        lambda tf: tf.compat.v1.math.log(tf.compat.v1.nn.relu(tf.constant([1.0, 2.0]))),
        lambda tf: tf.compat.v2.linalg.norm(tf.constant(P)),
        _ran_without_a_graph,
    ],
)


def _scope_that_is_open(tf: Any) -> list[str]:
    found = [tf.get_current_name_scope()]
    with tf.name_scope("a"), tf.name_scope("b"):
        return [*found, tf.get_current_name_scope()]


def _profiled_twice(tf: Any) -> Any:
    profiler = tf.profiler.experimental
    with tempfile.TemporaryDirectory() as folder:
        profiler.start(folder)
        try:
            profiler.start(folder)
        finally:
            profiler.stop()


def _profiled(tf: Any) -> Any:
    profiler = tf.profiler.experimental
    with tempfile.TemporaryDirectory() as folder:
        with profiler.Profile(folder), profiler.Trace("step", step_num=1, _r=1):
            found = tf.reduce_sum(tf.constant(P))
        with profiler.Profile(folder, profiler.ProfilerOptions(host_tracer_level=1)):
            return found


def _shown_errors(tf: Any) -> list[Any]:
    """Show what was raised, and what a copy of it keeps."""
    try:
        tf.ones(2) + tf.ones(3)
    except tf.errors.InvalidArgumentError as error:
        again = pickle.loads(pickle.dumps(error))
        shown = [repr(error), str(again) == str(error), type(again).__name__]
    made = tf.errors.NotFoundError(None, None, "words")
    return [*shown, repr(made), list(made.args), made.message]


def _by_dlpack(tf: Any) -> list[Any]:
    dlpack = tf.experimental.dlpack
    values = (P, P[0], np.arange(6).reshape(1, 2, 3), np.float16(1.5), np.zeros([0, 2]))
    return [dlpack.from_dlpack(dlpack.to_dlpack(tf.constant(v))) for v in values]


def _where_with_a_gradient(tf: Any) -> Any:
    x = tf.constant(P)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.compat.v1.where(tf.constant([True, False, True, False]), x**2, 3 * x)
    return [y, tape.gradient(y, x)]


CODES = """
    OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS
    PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED
    INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED
""".split()
Q = [[1, 2], [3, 4]], [[5, 6], [7, 8]]


def _with_short_tracebacks(tf: Any) -> Any:
    """Keras' tests may have asked for long ones."""
    tf.debugging.enable_traceback_filtering()
    return tf.debugging.is_traceback_filtering_enabled()


_rows(
    "of the runtime",
    [
        _scope_that_is_open,
        _profiled,
        _profiled_twice,
        lambda tf: tf.profiler.experimental.stop(),
        lambda tf: list(tf.profiler.experimental.ProfilerOptions()),
        lambda tf: tf.CriticalSection(name="one").execute(lambda: (3, {"a": tf.constant(2.0)})),
        lambda tf: tf.CriticalSection().execute(lambda: None) is None,
        lambda tf: tf.tuple([tf.constant(1), None, 2.0]),
        lambda tf: tf.experimental.async_clear_error(),
        lambda tf: tf.autograph.set_verbosity(0),
        lambda tf: isinstance(tf.constant(1), tf.types.experimental.TensorLike),
        lambda tf: isinstance([1.0], tf.types.experimental.TensorLike),
        lambda tf: isinstance({1}, tf.types.experimental.TensorLike),
        lambda tf: issubclass(tf.errors.OperatorNotAllowedInGraphError, TypeError),
        lambda tf: [getattr(tf.errors, code) for code in CODES],
        lambda tf: [
            getattr(tf.errors, f"{code.title().replace('_', '')}Error")(None, None, "").error_code
            for code in CODES[1:]
        ],
        _with_short_tracebacks,
        lambda tf: tf.debugging.get_log_device_placement(),
        lambda tf: [tf.device(name)._device_name for name in ("/GPU:0", None)],
        _by_dlpack,
        _shown_errors,
    ],
)
_rows(
    "choices of TensorFlow 1",
    [
        _where_with_a_gradient,
        lambda tf: tf.compat.v1.where([True, False]),
        lambda tf: tf.compat.v1.where([True, False], [1, 2], [3, 4]),
        lambda tf: tf.compat.v1.where([True, False], *Q),
        lambda tf: tf.compat.v1.where(True, *Q),
        lambda tf: tf.compat.v1.where([True, False], [1.5, 2], [3, 4]),
        lambda tf: tf.compat.v1.where([True, False], [], []),
        lambda tf: tf.compat.v1.where([True, False], 1, 2),
        lambda tf: tf.compat.v1.where(True, 1, 2),
        lambda tf: tf.compat.v1.where([[True], [False]], *Q),
        lambda tf: tf.compat.v1.where([[True, False]], *Q),
        lambda tf: tf.compat.v1.where([True, False, True], *Q),
        lambda tf: tf.compat.v1.where([True], [1, 2], [3, 4]),
        lambda tf: tf.compat.v1.where([True, False], [1, 2], [[3, 4]]),
        lambda tf: tf.compat.v1.where([True, False], [1, 2]),
        lambda tf: tf.compat.v1.where([True, False], tf.constant([1, 2]), tf.constant([3.0, 4.0])),
        lambda tf: tf.compat.v1.where(tf.constant([1, 0]), [1, 2], [3, 4]),
        lambda tf: tf.realdiv(3.0, 2.0),
        lambda tf: tf.realdiv(tf.constant([1 + 2j]), 2j),
    ],
)
_rows("quotients of integers", [lambda tf: tf.realdiv(3, 2)], says="type")


def _in_a_strategy(tf: Any, strategy: Any) -> list[Any]:
    with strategy.scope():
        v = tf.Variable(2.0)
    found = strategy.run(lambda x: v * x, (tf.constant(3.0),))
    return [strategy.num_replicas_in_sync, found, strategy.reduce("SUM", found, axis=None)]


def _processors_if_there_are(tf: Any) -> int:
    try:
        tf.distribute.cluster_resolver.TPUClusterResolver()
    except ValueError:
        return tf.distribute.get_strategy().num_replicas_in_sync
    return 0


def _reducing(tf: Any, name: str, *how: Any) -> list[Any]:
    reduction = getattr(tf.distribute, name)(*how)
    strategy = tf.distribute.MirroredStrategy(cross_device_ops=reduction)
    return [isinstance(reduction, tf.distribute.CrossDeviceOps), *_in_a_strategy(tf, strategy)]


def _options(tf: Any, **how: Any) -> list[Any]:
    options = tf.distribute.experimental.CommunicationOptions(**how)
    return [options.bytes_per_pack, options.timeout_seconds, options.implementation.value]


_rows(
    "strategies",
    [
        _processors_if_there_are,
        lambda tf: tf.distribute.cluster_resolver.TPUClusterResolver(tpu=""),
        lambda tf: tf.distribute.cluster_resolver.TPUClusterResolver.connect(),
        lambda tf: tf.distribute.TPUStrategy(),
        lambda tf: tf.distribute.experimental.TPUStrategy(),
        lambda tf: _in_a_strategy(tf, tf.distribute.MultiWorkerMirroredStrategy()),
        lambda tf: _in_a_strategy(tf, tf.distribute.experimental.CentralStorageStrategy()),
        lambda tf: _reducing(tf, "ReductionToOneDevice"),
        lambda tf: _reducing(tf, "HierarchicalCopyAllReduce", 2),
        lambda tf: _reducing(tf, "NcclAllReduce"),
        lambda tf: tf.distribute.NcclAllReduce(-1),
        lambda tf: tf.distribute.HierarchicalCopyAllReduce(-1),
        lambda tf: [m.value for m in tf.distribute.experimental.CommunicationImplementation],
        _options,
        lambda tf: _options(tf, bytes_per_pack=5, timeout_seconds=2.5),
        lambda tf: _options(tf, bytes_per_pack=-5),
    ],
)


def _steps_of_a_loop(tf: Any) -> int:
    """Count the steps of a loop that is not traced, for which a limit is set."""
    steps = 0
    for _ in tf.range(4):
        tf.autograph.experimental.set_loop_options(maximum_iterations=2)
        steps += 1
    return steps


def _steps_of_loops(tf: Any, most: Any) -> list[Any]:
    """Count the steps of loops that are traced: the inner one has a limit, the outer another."""

    @tf.function
    def steps(x: Any) -> Any:
        inner = tf.constant(0)
        total = tf.constant(0.0)
        for row in x:
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            for k in tf.range(4):
                tf.autograph.experimental.set_loop_options(maximum_iterations=most)
                inner += k
                total += row
        return inner, total

    return [*steps(tf.constant([1.0, 2.0, 4.0, 8.0]))]


_rows(
    "functions that are converted",
    [
        lambda tf: tf.autograph.to_graph(lambda x: x + 1)(tf.constant(2)),
        lambda tf: tf.autograph.to_graph(len),
        lambda tf: tf.autograph.to_code(3),
        lambda tf: [str(feature) for feature in tf.autograph.experimental.Feature],
        lambda tf: tf.autograph.experimental.set_loop_options(parallel_iterations=2),
        _steps_of_a_loop,
        lambda tf: _steps_of_loops(tf, 2),
        lambda tf: _steps_of_loops(tf, tf.constant(7)),
    ],
)


def _inside(tf: Any, path: str) -> Any:
    if tf.__name__ == "tensorflow":
        return resolve_name("tensorflow.python.{}:{}".format(*path.rsplit(".", 1)))
    found = wide(tf)
    for part in f"python.{path}".split("."):
        found = getattr(found, part)
    return found


TABLE.rows(
    "inside",
    [
        lambda tf: _inside(tf, "ops.math_ops.cast")([1.5], tf.int32),
        lambda tf: _inside(tf, "ops.nn_ops.softmax_v2")([1.0, 1.0]),
        lambda tf: _inside(tf, "ops.array_ops.stop_gradient")([1.0]),
        lambda tf: _inside(tf, "framework.constant_op.constant")([1]),
        lambda tf: _inside(tf, "framework.ops.RegisterGradient").__name__,
    ],
)


def _converted(tf: Any, *args: Any) -> Any:
    return wide(tf).compat.v1.convert_to_tensor_or_sparse_tensor(*args)


def _sparse(tf: Any) -> Any:
    return wide(tf).sparse.from_dense([[1.0, 0.0]])


TABLE.rows(
    "tensors or sparse ones",
    [
        lambda tf: _converted(tf, [1, 2]),
        lambda tf: _converted(tf, [1, 2], "float32"),
        lambda tf: _converted(tf, tf.constant([1]), tf.float32),
        lambda tf: _converted(tf, None),
        lambda tf: [(x := _sparse(tf)) is _converted(tf, x), x is _converted(tf, x, "float32")],
        lambda tf: _converted(tf, _sparse(tf), tf.int32),
    ],
)


def _beside(tf: Any, function: Any) -> Any:
    """Compute with a whole tensor before a sparse one, and tell the parts of what is sparse."""
    made = function(wide(tf), tf.constant([[2.0, 3.0], [4.0, 5.0]]), _diagonal(tf))
    return [made.indices, made.values, made.dense_shape] if hasattr(made, "values") else made


def _diagonal(tf: Any) -> Any:
    return wide(tf).sparse.from_dense([[1.0, 0.0], [0.0, 3.0]])


TABLE.rows(
    "behind a whole one",
    [
        lambda tf, f=f: _beside(tf, f)
        for f in (
            lambda tf, x, s: x * s,
            lambda tf, x, s: x[0] * s,
            lambda tf, x, s: tf.Variable(x) * s,
            lambda tf, x, s: 2.0 * s,
            lambda tf, x, s: tf.cast(x, tf.int32) * s,
            lambda tf, x, s: s / tf.cast(x, tf.int32),
            lambda tf, x, s: tf.ones([3, 2]) * s,
            lambda tf, x, s: tf.shape(input=s),
            lambda tf, x, s: tf.shape(s, tf.int64),
            lambda tf, x, s: tf.size(input=s, out_type=tf.int64),
            lambda tf, x, s: tf.size(s),
            lambda tf, x, s: tf.cast(dtype=tf.int32, x=s),
            lambda tf, x, s: tf.abs(x=s),
        )
    ],
)


def _two(tf: Any, values: Any = (1.0, -4.0)) -> Any:
    return tf.SparseTensor([[0, 0], [0, 1]], list(values), [2, 3])


def _two_parts(tf: Any) -> Any:
    return tf.compat.v1.SparseTensorValue([[0, 1], [1, 0]], [42, 24], [2, 3])


_rows(
    "sizes of sparse tensors",
    [
        lambda tf: tf.sets.size(_two(tf, [7, 7])),
        lambda tf: tf.sets.size(_two(tf, [7, 8]), validate_indices=False),
        *(
            lambda tf, measure=measure, make=make: measure(tf)(make(tf))
            for make in (_two, _two_parts)
            for measure in (
                lambda tf: tf.shape,
                lambda tf: tf.size,
                lambda tf: tf.rank,
                lambda tf: tf.compat.v1.shape,
                lambda tf: tf.compat.v1.size,
                lambda tf: tf.compat.v1.rank,
            )
        ),
        lambda tf: tf.shape(_two(tf), tf.int64),
        lambda tf: tf.size(_two(tf), out_type=tf.int64),
        lambda tf: tf.compat.v1.size(_two(tf), "a", tf.int64),
        lambda tf: tf.compat.v1.shape(_two(tf), "a", tf.int64),
    ],
)
_rows(
    "values of sparse tensors",
    [
        lambda tf, name=name: getattr(tf.math, name)(_two(tf, [0.5, -0.25]))
        for name in (
            *("abs", "negative", "sign", "square", "sqrt", "sin", "tan", "asin", "atan", "tanh"),
            *("asinh", "atanh", "erf", "bessel_i0e", "bessel_i1e"),
        )
    ],
)
_rows(
    "no values of sparse tensors",
    [
        lambda tf: tf.exp(_two(tf)),
        lambda tf: tf.cos(_two(tf)),
        lambda tf: tf.experimental.numpy.abs(_two(tf)),
        lambda tf: tf.experimental.numpy.size(_two(tf)),
        lambda tf: tf.experimental.numpy.shape(_two(tf)),
    ],
    says="type",
)


def _rows(tf: Any) -> Any:
    return wide(tf).ragged.constant([[1.0, 2.0], [3.0]])


TABLE.rows(
    "rows by words",
    [
        lambda tf: wide(tf).reduce_sum(input_tensor=_rows(tf), axis=1),
        lambda tf: wide(tf).reduce_mean(axis=1, input_tensor=_rows(tf)),
        lambda tf: wide(tf).concat(values=[_rows(tf), _rows(tf)], axis=0).to_list(),
        lambda tf: wide(tf).abs(x=_rows(tf)).to_list(),
        lambda tf: wide(tf).size(input=_rows(tf)),
    ],
)


TABLE.rows(
    "initializers",
    [
        lambda tf: wide(tf).compat.v1.global_variables_initializer(),
        lambda tf: wide(tf).compat.v1.local_variables_initializer(),
        lambda tf: wide(tf).compat.v1.tables_initializer(),
        lambda tf: wide(tf).compat.v1.variables_initializer([]),
    ],
)


TURNED: list[Any] = [
    lambda tf: tf.ragged.constant([[1, 2], [3]]),
    lambda tf: tf.ragged.constant([[[1, 2], [3]], [], [[4]]]),
    lambda tf: tf.RaggedTensor.from_row_splits(np.arange(8).reshape(4, 2), [0, 1, 4]),
]
TABLE.rows(
    "rows turned",
    [
        lambda tf, make=make, axes=axes: wide(tf).reverse(make(tf), axes).to_list()
        for make in TURNED
        for axes in ([1], [0, 1], [-1], [0], [2], [1, 2], [0, 1, 2], [], [-4])
    ],
)
TABLE.rows(
    "rows of ones and zeros",
    [
        lambda tf, make=make, axis=axis: wide(tf).one_hot(make(tf), 3, axis=axis).to_list()
        for make in TURNED
        for axis in (None, -1, 0, 1, 2, 3)
    ],
)
TABLE.rows(
    "rows by themselves",
    [
        lambda tf, make=make, axis=axis: wide(tf).concat(make(tf), axis).to_list()
        for make in TURNED
        for axis in (0, 1, -1)
    ],
)


# --- values of sparse tensors, as sessions gave them ----------------------------------------------
def _value(tf: Any) -> Any:
    return tf.compat.v1.SparseTensorValue(np.array([[0, 0], [1, 2]]), [1.0, 2.0], [2, 3])


def refused(run: Any, kind: Any) -> bool:
    """Say that a call is refused by a type of error; its text names a class by its module."""
    try:
        run()
    except kind:
        return True
    return False


_OF_VALUES: list[Any] = [
    lambda tf: tf.sparse.to_dense(_value(tf)),
    lambda tf: tf.sparse.reorder(_value(tf)),
    lambda tf: tf.sparse.add(_value(tf), _value(tf)),
    lambda tf: tf.sparse.concat(0, [_value(tf), _value(tf)]),
    lambda tf: tf.sparse.sparse_dense_matmul(_value(tf), tf.ones([3, 2])),
    lambda tf: tf.sparse.reduce_sum(sp_input=_value(tf), axis=1),
    lambda tf: tf.sparse.retain(_value(tf), [True, False]),
    lambda tf: tf.sparse.maximum(_value(tf), _value(tf)),
    lambda tf: tf.io.serialize_sparse(_value(tf)).shape,
    lambda tf: tf.compat.v1.convert_to_tensor_or_sparse_tensor(_value(tf)),
    lambda tf: tf.compat.v1.convert_to_tensor_or_sparse_tensor(_value(tf), tf.int32),
    lambda tf: tf.RaggedTensor.from_sparse(
        tf.compat.v1.SparseTensorValue([[0, 0], [1, 0]], [1, 2], [2, 1])
    ).to_list(),
    lambda tf: tf.convert_to_tensor(_value(tf)),
    lambda tf: refused(
        lambda: tf.nn.embedding_lookup_sparse(tf.ones([3, 2]), _value(tf), None), TypeError
    ),
]
TABLE.rows(
    "values as sessions gave them",
    [lambda tf, run=run: told(run(wide(tf))) for run in _OF_VALUES],
)
