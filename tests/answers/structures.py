"""Structures compared, packed and mapped, and ragged and sparse tensors taken apart in them."""

from __future__ import annotations

import collections
import dataclasses
from collections import OrderedDict as Ordered
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.inner_kernels import within
from tests.answers.stand_ins import wide

TABLE = Table("structures")


def _rows(name: str, runs: Any) -> None:
    TABLE.rows(name, [lambda tf, run=run: run(wide(tf)) for run in runs])


class _List(list[Any]):
    pass


Pair = collections.namedtuple("Pair", "a b")  # noqa: PYI024 - TensorFlow tells its name
Same = collections.namedtuple("Same", "a b")  # noqa: PYI024 - as above
Other = collections.namedtuple("Other", "a c")  # noqa: PYI024 - as above

PAIRS = [
    *(([1], 1), (1, [1]), ([1, [2]], [1, 2]), ({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 1, "b": 2})),
    *(({"a": 1}, Ordered(a=1)), ({"a": 1}, [1]), ([1], (1,)), (Pair(1, 2), (1, 2))),
    *((Pair(1, 2), Same(1, 2)), (Pair(1, 2), Other(1, 2)), (Pair(1, [2]), Pair(1, [2]))),
    *((_List([1]), [1]), ([1], _List([1])), ({"b": 1, "a": [1]}, {"b": 1, "a": [1, 2]})),
    *(([1, 2], [1]), ([], [1]), ([None], [[]]), (None, None), ("a", ["a"]), ({"a": {}}, {"a": 1})),
    *((collections.defaultdict(int, a=1), {"a": 1}), ([1, (2, {"a": 3})], [1, (2, {"a": [3]})])),
    *(([{"a": 1}, 2], [{"c": 1}, 2]), (((1,),), ([1],)), (np.ones(2), [1.0, 1.0])),
]
for _types in (True, False):
    TABLE.rows(
        "compared" if _types else "compared without types",
        [
            lambda tf, a=a, b=b, types=_types: tf.nest.assert_same_structure(a, b, types)
            for a, b in PAIRS
        ],
    )
TABLE.rows(
    "packed",
    [
        lambda tf, structure=structure, flat=flat: str(tf.nest.pack_sequence_as(structure, flat))
        for structure, flat in (
            *(([1], 3), ([1], (3,)), (1, 3), (1, [3]), (1, [1, 2]), ([1], [1, 2]), ([1, 2], [1])),
            *(([], [1]), ([], []), ({"a": []}, []), ([1, 2], "ab"), ([{"b": 1, "a": 2}], [3, 4])),
            *((Ordered([("b", 1), ("a", 2)]), [1, 2]), (Pair(1, [2]), [3, 4]), (_List([1]), [2])),
            ([[1, 2], [3]], [1, 2, 3, 4]),
        )
    ],
)
TABLE.rows(
    "mapped",
    [
        lambda tf: tf.nest.map_structure(3, [1]),
        lambda tf: tf.nest.map_structure(lambda: 1),
        lambda tf: tf.nest.map_structure(lambda x: 1, [1], foo=1),
        lambda tf: tf.nest.map_structure(lambda x, y: (x, y), [1], (2,), check_types=False),
        lambda tf: tf.nest.map_structure(lambda x, y: (x, y), [1], (2,)),
        lambda tf: tf.nest.map_structure(
            lambda x, y: (x, y), {"a": 1, "b": 2}, Ordered([("b", 3), ("a", 4)])
        ),
        lambda tf: tf.nest.map_structure(lambda x, y: x + y, _List([1]), [2]),
        lambda tf: tf.nest.map_structure(lambda x, y: x + y, [1], [1, 2]),
        lambda tf: tf.nest.flatten(Ordered([("b", 1), ("a", [2])])),
        lambda tf: tf.nest.flatten({1: 2, "a": 3}),
    ],
)


def _ragged(tf: Any) -> Any:
    return tf.ragged.constant([[[1], [2, 3]], []])


def _sparse(tf: Any) -> Any:
    return tf.sparse.from_dense([[1, 0], [0, 2]])


def _again(tf: Any, structure: Any) -> Any:
    """Take apart and put together."""
    flat = tf.nest.flatten(structure, expand_composites=True)
    return str(tf.nest.pack_sequence_as(structure, flat, expand_composites=True))


def _apart(tf: Any, structure: Any) -> Any:
    return [str(x) for x in tf.nest.flatten(structure, expand_composites=True)]


_rows(
    "composites",
    [
        lambda tf: tf.nest.flatten(_ragged(tf), expand_composites=True),
        lambda tf: tf.nest.flatten({"b": _sparse(tf), "a": [1]}, expand_composites=True),
        lambda tf: tf.nest.flatten([_ragged(tf), 1])[1],
        lambda tf: len(tf.nest.flatten([tf.Variable(1.0), None, 2], expand_composites=True)),
        lambda tf: _apart(tf, [None, {"a": tf.RaggedTensorSpec([2, None])}]),
        lambda tf: _apart(tf, tf.RaggedTensorSpec([None, 3, None, 4], "int32", 2)),
        lambda tf: _apart(tf, tf.SparseTensorSpec([2, None])),
        lambda tf: _apart(tf, [tf.TensorSpec([2])]),
        lambda tf: _again(tf, [_ragged(tf), 5]),
        lambda tf: _again(tf, (_sparse(tf), {"a": tf.constant(1)})),
        lambda tf: _again(tf, tf.constant([1, 2])),
        lambda tf: str(
            tf.nest.pack_sequence_as(
                tf.type_spec_from_value(_ragged(tf)),
                tf.nest.flatten(_ragged(tf), expand_composites=True),
                expand_composites=True,
            )
        ),
        lambda tf: tf.nest.pack_sequence_as(_ragged(tf), [1], expand_composites=True),
        lambda tf: tf.nest.pack_sequence_as(
            tf.ragged.constant([[1]]),
            tf.nest.flatten(tf.ragged.constant([[1], [2, 3]]), expand_composites=True),
            expand_composites=True,
        ),
        lambda tf: str(
            tf.nest.map_structure(
                lambda x: tf.identity(x) + 0, [_ragged(tf)], expand_composites=True
            )
        ),
        lambda tf: str(
            tf.nest.map_structure(
                lambda x, y: x * y, _sparse(tf), _sparse(tf), expand_composites=True
            ).values
        ),
        *(
            lambda tf, make=make: tf.nest.assert_same_structure(
                tf.ragged.constant([[1]]), make(tf), expand_composites=True
            )
            for make in (
                lambda tf: [1, 2],
                lambda tf: tf.constant([[1]]),
                lambda tf: tf.ragged.constant([[1], [2]]),
                lambda tf: tf.ragged.constant([[[1]]]),
                lambda tf: tf.ragged.constant([[1.0]]),
                lambda tf: tf.sparse.from_dense([[1]]),
            )
        ),
        lambda tf: tf.nest.assert_same_structure(
            tf.ragged.constant([[1]]), tf.ragged.constant([[[1]]])
        ),
    ],
)


def _one(tf: Any, kind: str) -> Any:
    return [getattr(tf, kind)(shape) for shape in ([2, 3], [2, None], [None, 3])]


_rows(
    "spec of what two have",
    [
        lambda tf, kind=kind, i=i, j=j, ask=ask: str(ask(_one(tf, kind)[i], _one(tf, kind)[j]))
        for kind in ("TensorSpec", "SparseTensorSpec", "RaggedTensorSpec")
        for ask in (
            lambda a, b: a.is_subtype_of(b),
            lambda a, b: a.most_specific_common_supertype([b]),
            lambda a, b: a.most_specific_compatible_type(b),
        )
        for i, j in ((0, 0), (0, 1), (1, 0), (0, 2))
    ],
)
_rows(
    "spec of nothing in common",
    [
        lambda tf: tf.TensorSpec([2]).most_specific_common_supertype([tf.TensorSpec([3], "int32")]),
        lambda tf: tf.TensorSpec([2]).most_specific_compatible_type(tf.TensorSpec([2], "int32")),
        lambda tf: tf.TensorSpec([2]).most_specific_compatible_type(tf.RaggedTensorSpec([2])),
        lambda tf: tf.TensorSpec([2], name="a").is_subtype_of(tf.TensorSpec([2], name="b")),
        lambda tf: tf.TensorSpec([2], name="a").is_subtype_of(tf.TensorSpec([2])),
        lambda tf: tf.TensorSpec([2], name="a").most_specific_common_supertype(
            [tf.TensorSpec([2])]
        ),
        lambda tf: tf.TensorSpec([2]).is_subtype_of(3),
        lambda tf: tf.TensorSpec([2]).most_specific_common_supertype([3]),
        lambda tf: tf.SparseTensorSpec([2]).most_specific_compatible_type(
            tf.SparseTensorSpec([2], "int32")
        ),
        lambda tf: tf.SparseTensorSpec([2]).is_subtype_of(tf.SparseTensorSpec([2], "int32")),
    ],
)


def _of_own(tf: Any) -> Any:
    """Make the spec of somebody's own type, which has a shape, a list and a word."""

    class Own(tf.TypeSpec):  # type: ignore[misc]  # of any module
        value_type = property(lambda self: float)
        _component_specs = property(lambda self: tf.TensorSpec(self.shape))

        def __init__(self, shape: Any, inner: Any, word: str) -> None:
            self.shape, self.inner, self.word = tf.TensorShape(shape), inner, word

        def _serialize(self) -> Any:
            return self.shape, self.inner, self.word

        def _to_components(self, value: Any) -> Any:
            return value

        def _from_components(self, components: Any) -> Any:
            return components

    return Own


_rows(
    "spec of one's own",
    [
        lambda tf, ask=ask: str(ask(_of_own(tf), tf))
        for ask in (
            lambda own, tf: own([2], [tf.TensorSpec([None])], "a"),
            lambda own, tf: own([2], [], "a") == own([2], [], "a"),
            lambda own, tf: own([2], [], "a") == own([2], [], "b"),
            lambda own, tf: hash(own([2], [1], "a")) == hash(own([2], [1], "a")),
            lambda own, tf: own([None], [], "a").is_compatible_with(own([2], [], "a")),
            lambda own, tf: own([None], [1], "a").is_compatible_with(own([2], [2], "a")),
            lambda own, tf: own([2], [1], "a").is_subtype_of(own([None], [1], "a")),
            lambda own, tf: own([None], [1], "a").is_subtype_of(own([2], [1], "a")),
            lambda own, tf: own([2], [1], "a").most_specific_common_supertype([own([3], [1], "a")]),
            lambda own, tf: own([2], [1], "a").most_specific_common_supertype([own([2], [1], "b")]),
            lambda own, tf: own([2], {"a": tf.TensorSpec([2])}, "a").most_specific_compatible_type(
                own([3], {"a": tf.TensorSpec([4])}, "a")
            ),
            lambda own, tf: own([2], [1], "a").most_specific_compatible_type(own([2], [1], "b")),
        )
    ],
)


# --- paths into what is made of several tensors ---------------------------------------------------
def _composites(tf: Any) -> dict[str, Any]:
    rows, places = tf.constant([[1.0], [2.0]]), tf.constant([0, 1])
    return {
        "ragged": tf.ragged.constant([[[1], [2]], [[3]]]),
        "sparse": tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]]),
        "slices": tf.IndexedSlices(rows, places, tf.constant([3, 1])),
        "rows alone": tf.IndexedSlices(rows, places),
    }


def _plain(found: Any) -> Any:
    """Tell paths, leaves, and what was made again."""
    if isinstance(found, dict):
        return {k: _plain(v) for k, v in found.items()}
    if isinstance(found, (list, tuple)):
        return [_plain(v) for v in found]
    if isinstance(found, (str, int)):
        return found
    if type(found).__name__ in {"IndexedSlices", "SparseTensor"}:
        return [type(found).__name__, *map(_plain, [found.values, found.indices])]
    return found.to_list() if hasattr(found, "to_list") else found.numpy().tolist()


class _Nest:
    """The functions of `tensorflow.python.util.nest`."""

    def __init__(self, tf: Any) -> None:
        self._tf = tf

    def __getattr__(self, name: str) -> Any:
        return within(self._tf, f"util.nest.{name}")


_OPENED: dict[str, Any] = {
    "flattened": lambda nest, x: nest.flatten([x, 1], expand_composites=True),
    "paths": lambda nest, x: nest.flatten_with_tuple_paths({"a": [x]}, expand_composites=True),
    "texts": lambda nest, x: nest.flatten_with_joined_string_paths([x], expand_composites=True),
    "flat paths": lambda nest, x: [*nest.yield_flat_paths([x, 1], expand_composites=True)],
    "mapped": lambda nest, x: nest.map_structure_with_paths(
        lambda path, part: part, {"a": x}, expand_composites=True
    ),
    "up to": lambda nest, x: nest.flatten_up_to([x], [x], expand_composites=True),
    "less": lambda nest, x: nest.flatten_up_to([1], [x], expand_composites=True),
    "no more": lambda nest, x: nest.assert_shallow_structure([x], [1], expand_composites=True),
    "packed": lambda nest, x: nest.pack_sequence_as(
        x, nest.flatten(x, expand_composites=True), expand_composites=True
    ),
    "nested": lambda nest, x: nest.is_nested_or_composite(x),
    "as they are": lambda nest, x: nest.flatten_with_tuple_paths([x]),
}
for _name, _open in _OPENED.items():
    TABLE.rows(
        f"opened, {_name}",
        [
            lambda tf, run=_open, k=k: _plain(run(_Nest(tf), _composites(wide(tf))[k]))
            for k in ("ragged", "sparse", "slices", "rows alone")
        ],
    )
TABLE.rows(
    "opened, of other specs",
    [
        lambda tf, a=a, b=b: _Nest(tf).assert_shallow_structure(
            [_composites(wide(tf))[a]], [_composites(wide(tf))[b]], expand_composites=True
        )
        for a, b in (("ragged", "sparse"), ("slices", "rows alone"), ("sparse", "sparse"))
    ],
)


# --- dataclasses that say which parts they have ---------------------------------------------------
@dataclasses.dataclass
class Masked:
    """A tensor and a mask, and a word that is no part."""

    value: Any
    mask: Any
    word: str = "x"

    def __tf_flatten__(self) -> Any:
        return (self.word,), (self.value, self.mask)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Masked:
        return cls(*components, *metadata)


def _masked(tf: Any) -> Masked:
    return Masked(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), "y")


def _told(found: Any) -> Any:
    if isinstance(found, Masked):
        return ["Masked", _told(found.value), _told(found.mask), found.word]
    if isinstance(found, dict):
        return {k: _told(v) for k, v in found.items()}
    if isinstance(found, (list, tuple)):
        return [_told(v) for v in found]
    return str(found) if hasattr(found, "is_compatible_with") else found


def _slope(tf: Any) -> Any:
    given = _masked(tf)
    with tf.GradientTape() as tape:
        tape.watch(given.value)
        y = tf.reduce_sum(given.value * given.mask)
    return tape.gradient(y, given)


_WITH_PARTS: list[Any] = [
    lambda tf: tf.nest.flatten([_masked(tf), {"a": _masked(tf)}]),
    lambda tf: tf.nest.map_structure(lambda x, y: x + y, _masked(tf), _masked(tf)),
    lambda tf: tf.nest.pack_sequence_as(_masked(tf), [5, 6]),
    lambda tf: tf.nest.assert_same_structure(_masked(tf), (1, 2)),
    lambda tf: tf.nest.is_nested(_masked(tf)),
    lambda tf: tf.function(lambda x: Masked(x.value * 2, x.mask, x.word))(_masked(tf)),
    lambda tf: tf.cond(tf.constant(True), lambda: _masked(tf), lambda: _masked(tf)),
    lambda tf: tf.map_fn(lambda x: x.value + x.mask, _masked(tf), fn_output_signature="float32"),
    lambda tf: _slope(tf),
    lambda tf: [*tf.data.Dataset.from_tensors(_masked(tf))],
    lambda tf: [*tf.data.Dataset.from_tensor_slices(_masked(tf)).map(lambda x: x.value + x.mask)],
    lambda tf: [*tf.data.Dataset.range(3).map(lambda x: Masked(x, x + 1)).batch(2)],
    lambda tf: tf.data.Dataset.range(3).map(lambda x: Masked(x, x + 1)).element_spec,
]
TABLE.rows(
    "dataclasses with parts",
    [lambda tf, run=run: _told(run(wide(tf))) for run in _WITH_PARTS],
    says="start",
)
