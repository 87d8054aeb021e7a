"""`tf.data`: elements, orders, specs and counts, with numbers that TensorFlow gave."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import symtape as tf

Dataset = tf.data.Dataset


def listed(dataset):
    """List the elements as Python has them."""
    return [
        tuple(np.asarray(part).tolist() for part in element)
        if isinstance(element, tuple)
        else np.asarray(element).tolist()
        for element in dataset.as_numpy_iterator()
    ]


# --- elements -------------------------------------------------------------------------------------


@pytest.mark.parametrize("shuffles", [False, True])
def test_rows_and_elements_make_the_same_batches(shuffles):
    """Batches of rows, which are cut from arrays, are those of elements that were computed."""
    arrays = {"x": np.arange(22.0).reshape(11, 2), "y": np.arange(11)}
    rows = Dataset.from_tensor_slices(arrays)
    computed = rows.map(lambda element: element)
    if shuffles:
        rows, computed = rows.shuffle(4, seed=2), computed.shuffle(4, seed=2)
    for drops in (False, True):
        pairs = zip(rows.batch(3, drops), computed.batch(3, drops), strict=True)
        for ours, theirs in pairs:
            assert list(ours) == ["x", "y"]
            for name in arrays:
                np.testing.assert_array_equal(ours[name], theirs[name])
                assert ours[name].dtype == theirs[name].dtype


def test_elements_are_constants_to_a_tape():
    """What a dataset computes of a variable carries no gradient, as in TensorFlow."""
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        (sliced,) = Dataset.from_tensor_slices(v).take(1)
        (mapped,) = Dataset.from_tensors(3.0).map(lambda x: x * v[0])
        y, z = sliced * sliced, mapped * mapped
        w = v[1] * mapped
    assert tape.gradient(y, v) is None
    assert tape.gradient(z, v) is None
    assert tape.gradient(w, v).numpy().tolist() == [0.0, 3.0]


def test_an_iterator_ends_as_tensorflows_does():
    """`next` stops, `get_next` raises `OutOfRangeError`, an optional says that it is empty."""
    iterator = iter(Dataset.range(1))
    assert iterator.get_next_as_optional().get_value().numpy() == 0
    assert not iterator.get_next_as_optional().has_value()
    with pytest.raises(StopIteration):
        next(iterator)
    with pytest.raises(tf.errors.OutOfRangeError, match=r"End of sequence \[Op:IteratorGetNext\]"):
        iterator.get_next()


# --- specs ----------------------------------------------------------------------------------------


def test_sizes_that_vary_are_none_after_a_function():
    """The spec after a function knows which sizes come from the batch, and which are fixed."""
    dataset = Dataset.from_tensor_slices(np.ones((7, 3), np.float32)).batch(2)
    spec = dataset.map(lambda x: (tf.transpose(x), tf.reduce_sum(x), tf.ones([4]))).element_spec
    assert [s.shape.as_list() for s in spec] == [[3, None], [], [4]]


def test_to_look_at_a_spec_changes_nothing():
    """The function that is run for a spec leaves random states and variables as they were."""
    counter = tf.Variable(0)
    tf.random.set_seed(3)
    expected = tf.random.uniform([2]).numpy()

    def change(x):
        counter.assign_add(1)
        return tf.random.uniform([2]) + tf.cast(x, tf.float32)

    tf.random.set_seed(3)
    assert Dataset.range(3).map(change).element_spec.shape == [2]
    assert counter.numpy() == 0
    np.testing.assert_array_equal(tf.random.uniform([2]), expected)


def test_a_spec_that_is_asked_for_on_the_way_draws_nothing():
    """Rows of a function's elements are known by its spec, which takes no numbers of the run."""
    tf.random.set_seed(3)
    rows = Dataset.range(3).map(lambda n: tf.random.uniform([2])).unbatch()
    first, second = [[float(x) for x in rows] for _ in range(2)]
    assert first == second


def test_a_function_is_not_run_to_count():
    """`cardinality` and `len` run nothing."""

    def fail(_):
        raise AssertionError

    dataset = Dataset.range(10).map(fail).batch(3)
    assert len(dataset) == 4
    assert dataset.repeat().cardinality().numpy() == tf.data.INFINITE_CARDINALITY
    assert dataset.filter(fail).cardinality().numpy() == tf.data.UNKNOWN_CARDINALITY


def test_a_function_for_one_size_alone_has_a_spec_without_sizes():
    """Where other sizes fail, the function is run as it will be, and no size is claimed."""
    batches = Dataset.range(8).batch(4)
    spec = batches.map(lambda x: tf.linalg.matvec(tf.eye(4, dtype=x.dtype), x)).element_spec
    assert spec == tf.TensorSpec([None], tf.int64)


def test_what_a_function_fails_with_is_its_own():
    """An error of the function is raised for its element, and its type is not changed."""

    def fail(x):
        if x == 2:
            raise KeyError("two")
        return x

    found = iter(Dataset.range(4).map(fail))
    assert [int(next(found)), int(next(found))] == [0, 1]
    with pytest.raises(KeyError, match="two"):
        next(found)
    assert int(next(found)) == 3


def test_padding_reaches_what_no_spec_could_know():
    """Elements whose sizes depend on values are filled up, whatever a few of them looked like."""
    numbers = Dataset.from_tensor_slices([2, 2, 2, 2, 2, 2, 5, 1])
    padded = numbers.map(lambda n: tf.ones([n], tf.int32)).padded_batch(4)
    assert [batch.shape.as_list() for batch in padded] == [[4, 2], [4, 5]]


def test_a_cache_keeps_the_first_whole_iteration():
    """An iteration that is broken off keeps nothing; a whole one keeps its order."""
    tf.random.set_seed(None)
    cached = Dataset.range(6).shuffle(6, seed=1).cache()
    first = next(iter(cached)).numpy()
    whole = listed(cached)
    assert whole == listed(cached)
    assert first == listed(Dataset.range(6).shuffle(6, seed=1))[0]
    assert whole != listed(Dataset.range(6).shuffle(6, seed=1))


def test_options_are_merged_and_cannot_be_changed_behind_ones_back():
    """Options of all inputs hold; those that a dataset tells are not its own."""
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    first = Dataset.range(3).with_options(options)
    options.deterministic = True
    other = tf.data.Options()
    other.threading.private_threadpool_size = 3
    told = Dataset.zip((first, Dataset.range(3).with_options(other))).batch(2).options()
    assert told.experimental_optimization.apply_default_optimizations is False
    assert told.threading.private_threadpool_size == 3
    assert told.deterministic is None
    with pytest.raises(ValueError, match="has no effect"):
        told.deterministic = False
    with pytest.raises(ValueError, match="has no effect"):
        told.threading.private_threadpool_size = 4


def test_numbers_within_a_function_leave_those_outside_alone():
    """A function draws from states of its own, the same in each iteration."""
    tf.random.set_seed(7)
    noise = Dataset.range(3).map(lambda _: tf.random.uniform([]))
    first, second = listed(noise), listed(noise)
    assert first == second
    drawn = tf.random.uniform([2]).numpy()
    tf.random.set_seed(7)
    np.testing.assert_array_equal(tf.random.uniform([2]), drawn)


def test_rows_that_are_passed_on_are_those_of_elements():
    """Steps that pass places on give what they give element by element."""
    numbers = np.arange(40).reshape(20, 2)

    def chain(dataset):
        tf.random.set_seed(3)
        dataset = dataset.skip(1).shard(3, 1).repeat(3).skip(2).shuffle(5, seed=1)
        return dataset.take(9).repeat(2).enumerate().batch(4)

    rows = Dataset.from_tensor_slices(numbers)
    for ours, theirs in zip(chain(rows), chain(rows.map(lambda x: x)), strict=True):
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_named_tuple_and_a_dict_keep_their_order():
    """Structures come back as they were: types, and keys in their order."""
    element = next(iter(Dataset.from_tensor_slices({"b": [1], "a": ([2], None)}).batch(1)))
    assert list(element) == ["b", "a"]
    assert element["a"][1] is None
    assert element["a"][0].shape == [1]


def test_a_batch_of_rows_is_not_made_row_by_row(monkeypatch):
    """No tensor is made for a row that goes into a batch."""
    made = []
    monkeypatch.setattr("symtape.data.stages.base.Tensor", lambda value: made.append(value))
    batches = Dataset.from_tensor_slices((np.ones((100, 3)), np.ones(100))).shuffle(10).batch(20)
    assert [x.shape.as_list() for x, _ in batches] == [[20, 3]] * 5
    assert made == []


def test_a_dataset_has_the_type_by_which_keras_knows_it():
    """A parent has the name and the module of TensorFlow's type, which Keras looks for."""
    parents = [f"{kind.__module__}.{kind.__name__}" for kind in type(Dataset.range(1)).__mro__]
    assert "tensorflow.python.types.data.DatasetV2" in parents


def test_a_traced_function_reads_a_dataset_anew():
    """What a dataset gives is no constant of a traced function, and what it takes is refused."""
    numbers = Dataset.range(5).shuffle(5, seed=1)
    slope = tf.grad(lambda w: w * tf.cast(next(iter(numbers)), tf.float64))
    expected = [listed(Dataset.range(5).shuffle(5, seed=1))[0], float(slope(np.float64(2.0)))]
    assert expected[0] == expected[1]
    assert len({float(slope(np.float64(2.0))) for _ in range(9)}) > 1
    lost = tf.grad(lambda w: next(iter(Dataset.from_tensors(w))) * w)
    with pytest.raises(tf.EscapedValueError, match=r"tf\.data takes a value"):
        lost(np.float64(2.0))


def test_how_many_datasets_are_open_at_once(monkeypatch):
    """A third of the processors where TensorFlow would choose, and all where calls are in turn."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(7), raising=False)

    def order(**how):
        found = tf.data.Dataset.range(9).interleave(
            lambda n: tf.data.Dataset.from_tensors(n).repeat(2), **how
        )
        return [int(n) for n in found]

    for how, count in (({"num_parallel_calls": tf.data.AUTOTUNE}, 3), ({}, 7)):
        assert order(**how) == order(cycle_length=count)
    assert order(num_parallel_calls=5) == order(cycle_length=5)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"is 8 and `cycle_length` is 7"):
        order(num_parallel_calls=8)


def test_an_iterator_that_is_over_holds_nothing():
    """What a generator holds goes with the last element, while the iterator is still there."""
    gone = []

    class Numbers:
        def __iter__(self):
            return self

        def __next__(self):
            return 42

        def __del__(self):
            gone.append(True)

    found = iter(tf.data.Dataset.from_generator(Numbers, output_types=tf.int64).take(2))
    assert len(list(found)) == 2
    gc.collect()
    assert gone
    assert list(found) == []
