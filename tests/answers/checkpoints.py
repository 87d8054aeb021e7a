"""`tf.train.Checkpoint`: which values it saves under which keys, and what it restores."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("checkpoints")


def kept(run: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """Add a program that has a folder of its own, which no answer names."""

    def program(tf: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            try:
                return _without(folder, run(tf, folder))
            except Exception as error:
                error.args = tuple(_without(folder, part) for part in error.args)
                if hasattr(error, "_message"):
                    error._message = _without(folder, error._message)
                if hasattr(error, "message") and not hasattr(error, "_message"):
                    error.message = _without(folder, error.message)
                raise

    TABLE.add(run.__name__.strip("_").replace("_", " "), program)
    return run


def _without(folder: str, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_without(folder, part) for part in value)
    return value.replace(folder, "FOLDER") if isinstance(value, str) else value


def _net(tf: Any, start: float = 0.0) -> Any:
    """Make a module with variables at many places."""

    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([start + 1.0, start + 2.0])
            self.parts = [tf.Variable(start + 2.0), {"a": tf.Variable(start + 3.0)}]
            self.table = {"k.l": tf.Variable(start + 4.0), "m/n": tf.Variable(start + 4.5)}
            self.pair = (tf.Variable(start + 5.0), "text")
            self.twin = self.w
            self._own = tf.Variable(int(start), dtype=tf.int64)
            self.count, self.nothing, self.numbers = 3, None, [1, 2]

    return Net()


def _values(module: Any) -> list[Any]:
    return [v.numpy().tolist() for v in module.variables]


def _keys(tf: Any, path: str) -> list[Any]:
    return [[key, list(shape)] for key, shape in tf.train.list_variables(path)]


def _files(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


@kept
def the_files_of_two_checkpoints(tf, folder):
    checkpoint = tf.train.Checkpoint(net=_net(tf))
    paths = [checkpoint.save(folder + "/ckpt"), checkpoint.save(folder + "/ckpt")]
    said = Path(folder, "checkpoint").read_text("utf-8")
    return paths, checkpoint.save_counter, _files(folder), said


@kept
def the_keys_of_a_checkpoint(tf, folder):
    checkpoint = tf.train.Checkpoint(net=_net(tf), step=tf.Variable(0, dtype=tf.int64))
    return _keys(tf, checkpoint.save(folder + "/ckpt"))


@kept
def the_keys_below_a_root(tf, folder):
    checkpoint = tf.train.Checkpoint(_net(tf), step=tf.Variable(0, dtype=tf.int64))
    return _keys(tf, checkpoint.save(folder + "/ckpt"))


@kept
def the_keys_without_a_count(tf, folder):
    return _keys(tf, tf.train.Checkpoint(root=_net(tf)).write(folder + "/file"))


@kept
def the_keys_of_a_generator(tf, folder):
    generator = tf.random.Generator.from_seed(1)
    return _keys(tf, tf.train.Checkpoint(g=generator).write(folder + "/file"))


@kept
def the_keys_of_one_variable_with_two_names(tf, folder):
    x = tf.Variable(1.0)
    return _keys(tf, tf.train.Checkpoint(b=x, a=x).write(folder + "/file"))


@kept
def values_come_back(tf, folder):
    net, other = _net(tf), _net(tf, 10.0)
    path = tf.train.Checkpoint(net=net).save(folder + "/ckpt")
    checkpoint = tf.train.Checkpoint(net=other)
    checkpoint.restore(path).assert_consumed().assert_existing_objects_matched()
    return _values(other), checkpoint.save_counter


@kept
def a_generator_goes_on(tf, folder):
    generator = tf.random.Generator.from_seed(1)
    checkpoint = tf.train.Checkpoint(g=generator)
    path = checkpoint.save(folder + "/ckpt")
    first = generator.normal([2])
    checkpoint.restore(path)
    return first, generator.normal([2])


@kept
def values_wait_for_attributes(tf, folder):
    path = tf.train.Checkpoint(net=_net(tf)).save(folder + "/ckpt")
    module = tf.Module()
    status = tf.train.Checkpoint(net=module).restore(path)
    module.w = tf.Variable([0.0, 0.0])
    module.parts = [tf.Variable(0.0), {"a": tf.Variable(0.0)}]
    module.sub = tf.Variable(7.0)
    return _values(module), status.expect_partial() is status


@kept
def texts(tf, folder):
    words = tf.Variable([["a", ""], ["w\u00f6rd", b"\xff"]])
    path = tf.train.Checkpoint(words=words).write(folder + "/file")
    words.assign(tf.fill([2, 2], "other"))
    tf.train.Checkpoint(words=words).read(path).assert_consumed()
    reader = tf.train.load_checkpoint(path)
    key = "words/.ATTRIBUTES/VARIABLE_VALUE"
    return words.numpy().tolist(), reader.get_tensor(key).tolist(), reader.has_tensor(key)


@kept
def values_wait_for_the_root(tf, folder):
    path = tf.train.Checkpoint(_net(tf)).write(folder + "/ckpt")
    module = tf.Module()
    tf.train.Checkpoint(module).read(path)
    module.w = tf.Variable([0.0, 0.0])
    return _values(module)


@kept
def a_value_that_nobody_takes(tf, folder):
    path = tf.train.Checkpoint(a=tf.Variable(1.0, name="mine"), b=tf.Variable(2.0)).save(folder)
    checkpoint = tf.train.Checkpoint(b=tf.Variable(0.0))
    status = checkpoint.restore(path).assert_existing_objects_matched()
    return status.assert_consumed()


@kept
def a_variable_without_a_value(tf, folder):
    path = tf.train.Checkpoint(b=tf.Variable(2.0)).save(folder)
    checkpoint = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(0.0))
    return checkpoint.restore(path).assert_existing_objects_matched()


@kept
def a_count_that_was_not_saved(tf, folder):
    path = tf.train.Checkpoint(b=tf.Variable(2.0)).write(folder + "/file")
    return tf.train.Checkpoint(b=tf.Variable(2.0)).restore(path).assert_consumed()


@kept
def nothing_that_fits(tf, folder):
    path = tf.train.Checkpoint(b=tf.Variable(2.0)).write(folder + "/file")
    return tf.train.Checkpoint(a=tf.Variable(2.0)).read(path).assert_nontrivial_match()


@kept
def lists_of_other_lengths(tf, folder):
    path = tf.train.Checkpoint(v=[tf.Variable(1.0), tf.Variable(2.0)]).write(folder + "/file")
    longer, shorter = [tf.Variable(0.0) for _ in range(3)], [tf.Variable(0.0)]
    tf.train.Checkpoint(v=longer).read(path)
    status = tf.train.Checkpoint(v=shorter).read(path).assert_existing_objects_matched()
    found = [v.numpy().item() for v in (*longer, *shorter)]
    try:
        status.assert_consumed()
    except AssertionError as error:
        return found, re.sub(r"\s+", " ", str(error))
    return found, None


@kept
def another_dtype(tf, folder):
    path = tf.train.Checkpoint(a=tf.Variable(1, dtype=tf.int64)).write(folder + "/file")
    return tf.train.Checkpoint(a=tf.Variable(1.0)).read(path)


@kept
def another_shape(tf, folder):
    path = tf.train.Checkpoint(a=tf.Variable(1.0)).write(folder + "/file")
    return tf.train.Checkpoint(a=tf.Variable([1.0, 2.0], name="wide")).read(path)


@kept
def no_such_file(tf, folder):
    return tf.train.Checkpoint(a=tf.Variable(1.0)).restore(folder + "/none")


@kept
def no_path(tf, folder):
    status = tf.train.Checkpoint(a=tf.Variable(1.0)).restore(None)
    return status.expect_partial().assert_consumed()


@kept
def what_has_no_variables(tf, folder):
    return tf.train.Checkpoint(a=3)


@kept
def a_root_without_variables(tf, folder):
    return tf.train.Checkpoint("text")


@kept
def a_tensor_is_no_variable(tf, folder):
    return tf.train.Checkpoint(a=[1.0, 2.0], b=tf.constant(1.0))


@kept
def values_by_their_keys(tf, folder):
    path = tf.train.Checkpoint(net=_net(tf)).save(folder + "/ckpt")
    reader = tf.train.load_checkpoint(folder)
    key = "net/w/.ATTRIBUTES/VARIABLE_VALUE"
    shapes, dtypes = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    return (
        *(shapes[key], dtypes[key].name, reader.has_tensor(key), reader.has_tensor("x")),
        *(reader.get_tensor(key).tolist(), tf.train.load_variable(path, key).tolist()),
    )


@kept
def a_key_that_is_not_there(tf, folder):
    tf.train.Checkpoint(w=tf.Variable(1.0)).save(folder + "/ckpt")
    return tf.train.load_checkpoint(folder).get_tensor("x")


@kept
def the_latest_of_a_folder(tf, folder):
    checkpoint = tf.train.Checkpoint(w=tf.Variable(1.0))
    before = tf.train.latest_checkpoint(folder)
    checkpoint.save(folder + "/ckpt")
    checkpoint.save(folder + "/other")
    state = tf.train.get_checkpoint_state(folder)
    found = state.model_checkpoint_path, list(state.all_model_checkpoint_paths)
    return before, tf.train.latest_checkpoint(folder), found


@kept
def the_last_few(tf, folder):
    checkpoint = tf.train.Checkpoint(w=tf.Variable(1.0))
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    start = manager.latest_checkpoint, list(manager.checkpoints)
    saved = [manager.save() for _ in range(4)] + [manager.save(checkpoint_number=50)]
    again = tf.train.CheckpointManager(checkpoint, folder, 2, checkpoint_name="other")
    files = _files(folder)
    return start, saved, manager.checkpoints, again.checkpoints, again.save(), files


@kept
def one_in_some_steps(tf, folder):
    step = tf.Variable(0)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(w=tf.Variable(1.0)),
        folder,
        max_to_keep=None,
        step_counter=step,
        checkpoint_interval=3,
    )
    saved = []
    for _ in range(5):
        saved.append(manager.save())
        step.assign_add(1)
    return saved, manager.save(check_interval=False), manager.checkpoint_interval


@kept
def the_last_one_or_a_start(tf, folder):
    w, started = tf.Variable(1.0), []
    checkpoint = tf.train.Checkpoint(w=w)
    manager = tf.train.CheckpointManager(checkpoint, folder, 3, init_fn=lambda: started.append(1))
    first = manager.restore_or_initialize()
    manager.save()
    w.assign(5.0)
    return first, manager.restore_or_initialize(), w.numpy().item(), len(started)


@kept
def no_checkpoints_to_keep(tf, folder):
    return tf.train.CheckpointManager(tf.train.Checkpoint(), folder, max_to_keep=0)


@kept
def an_interval_of_nothing(tf, folder):
    return tf.train.CheckpointManager(tf.train.Checkpoint(), folder, 1, checkpoint_interval=2)


@kept
def dtypes_come_back(tf, folder):
    kinds = "bool int8 uint8 int16 int32 int64 float16 float32 float64 complex64 complex128".split()
    start = {kind: tf.Variable(np.array([[0, 1, 2]]).astype(kind)) for kind in kinds}
    path = tf.train.Checkpoint(v=start).write(folder + "/file")
    other = {kind: tf.Variable(np.zeros((1, 3), kind)) for kind in kinds}
    tf.train.Checkpoint(v=other).read(path).assert_consumed()
    return {kind: tf.convert_to_tensor(v) for kind, v in other.items()}


# --- iterators ------------------------------------------------------------------------------------

PIPELINES: list[Callable[[Any], Any]] = [
    lambda tf: tf.data.Dataset.range(20),
    lambda tf: tf.data.Dataset.from_tensor_slices(["a", "b", "c"]).repeat(),
    lambda tf: tf.data.Dataset.range(9).map(lambda k: (k, {"square": k * k})).batch(2),
    lambda tf: tf.data.Dataset.range(6).shuffle(4, seed=3).repeat().batch(4),
    lambda tf: tf.data.Dataset.range(6).shuffle(6, 3, reshuffle_each_iteration=False).repeat(),
    lambda tf: tf.data.Dataset.range(5).repeat(3).shuffle(3, seed=1).prefetch(1),
]


def _restored(make: Callable[[Any], Any], *, anew: bool) -> Callable[[Any], Any]:
    """Go on where an iterator was saved, by itself, or by another one of such a dataset."""

    def run(tf: Any) -> Any:
        iterator = iter(make(tf))
        first = next(iterator)
        checkpoint = tf.train.Checkpoint(step=tf.Variable(1), iterator=iterator)
        second = next(iterator)
        with tempfile.TemporaryDirectory() as folder:
            path = checkpoint.save(folder + "/ckpt")
            third = next(iterator)
            if anew:
                iterator = iter(make(tf))
                checkpoint = tf.train.Checkpoint(step=tf.Variable(0), iterator=iterator)
            checkpoint.restore(path)
            return [first, second, third, *[next(iterator) for _ in range(3)], checkpoint.step]

    return run


TABLE.rows("an iterator goes on", [_restored(f, anew=False) for f in PIPELINES])
TABLE.rows("another iterator goes on", [_restored(f, anew=True) for f in PIPELINES])


@kept
def callbacks_after_a_checkpoint(tf, folder):
    found: list[Any] = []
    options = tf.train.CheckpointOptions(
        experimental_io_device="/job:localhost",
        experimental_write_callbacks=[lambda: found.append("none"), found.append],
    )
    v = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=v)
    checkpoint.save(folder + "/a", options)
    checkpoint.write(folder + "/b", options=options)
    tf.train.CheckpointManager(checkpoint, folder, 3).save(options=options)
    v.assign(2.0)
    checkpoint.restore(folder + "/b", options)
    return [*found, v, options.enable_async]


def _two_arguments(tf):
    tf.train.CheckpointOptions(experimental_write_callbacks=[lambda a, b: None])


TABLE.add("a callback of two arguments", _two_arguments, says="type")
