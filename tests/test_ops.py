"""The namespaces, control flow, functions, modules, and what operations refuse."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.absent import ABSENT
from symtape.program.operations import dtype_named

NAMESPACES = [
    *(tf, tf.math, tf.linalg, tf.nn, tf.dtypes, tf.debugging, tf.autodiff, tf.random),
    *(tf.signal, tf.image),
]


@pytest.mark.parametrize("module", NAMESPACES, ids=lambda m: m.__name__)
def test_every_name_is_there_and_described(module: Any) -> None:
    """A namespace has each name that it lists, once, and every function says what it does."""
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        if name == "bfloat16":
            continue  # it needs an extra
        value = getattr(module, name)
        if callable(value):
            assert value.__doc__, name


@pytest.mark.parametrize("module", NAMESPACES, ids=lambda m: m.__name__)
def test_a_name_that_is_lacking_is_said_with_the_nearest_ones(module: Any) -> None:
    """An unknown name raises `AttributeError` that says so and names its neighbours."""
    existing = module.__all__[-1]
    path = "tf" + module.__name__.removeprefix("symtape")
    with pytest.raises(AttributeError, match=f"symtape has no {path}.{existing}x") as error:
        getattr(module, existing + "x")
    assert f"{path}.{existing}" in str(error.value).split(";")[1]


def test_a_name_that_is_absent_on_purpose_says_why() -> None:
    """The error says why there is no such name, and what to use; so does the page."""
    with pytest.raises(AttributeError, match=r"no tf\.SparseTensor: every tensor is dense here;"):
        tf.SparseTensor  # noqa: B018
    assert all(path.startswith("tf.") and reason for path, reason in ABSENT.items())


def test_suggestions_are_of_the_family_of_a_name() -> None:
    """What begins alike, shares a word, or stands elsewhere is named; no mere anagram."""
    said = {}
    for name in ("data_", "reduce_men", "mul", "log", "arctan"):
        with pytest.raises(AttributeError) as error:
            getattr(tf, name)
        said[name] = str(error.value).partition(f"tf.{name}")[2]
    assert "atan" not in said["data_"]
    assert said["reduce_men"].startswith("; the nearest names are tf.reduce_mean")
    assert said["mul"] == "; the nearest name is tf.multiply"
    assert said["log"] == "; there is tf.math.log"
    assert said["arctan"] == "; the nearest name is tf.atan"


def test_a_name_like_no_other_has_no_neighbours() -> None:
    """Where no name is near, none is named."""
    with pytest.raises(AttributeError, match=r"^symtape has no tf\.zqxjk$"):
        tf.zqxjk  # noqa: B018


def test_keras_and_random_are_found_late() -> None:
    """The namespaces that are imported on first use are there."""
    assert tf.keras.__name__ == "symtape.keras"
    assert tf.random.__name__ == "symtape.random"


# --- tf.function ----------------------------------------------------------------------------------


def test_function_with_and_without_arguments() -> None:
    """The decorator leaves a function what it is."""

    @tf.function
    def double(x: Any) -> Any:
        """Give twice x."""
        return 2 * x

    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([])])
    def triple(x: Any) -> Any:
        return 3 * x

    assert double(tf.constant(2.0)).numpy() == 4.0
    assert triple(tf.constant(2.0)).numpy() == 6.0
    assert double.__name__ == "double"
    assert double.__doc__ == "Give twice x."
    assert double.python_function(3) == 6
    assert triple.get_concrete_function(tf.constant(1.0))(tf.constant(1.0)).numpy() == 3.0
    assert tf.function(lambda x: x)(1) == 1


def test_function_decorates_methods() -> None:
    """A decorated method is bound to its object."""

    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable(3.0)

        @tf.function
        def __call__(self, x: Any) -> Any:
            return self.w * x

        @tf.function
        def loss(self, x: Any) -> Any:
            return self(x) ** 2

    model = Model()
    with tf.GradientTape() as tape:
        loss = model.loss(tf.constant(2.0))
    assert tape.gradient(loss, model.w).numpy() == 24.0


def test_function_decorates_methods_of_what_has_no_hash() -> None:
    """Calls of an object that nothing can be kept for are calls as others."""

    class Model:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            return False

        @tf.function
        def twice(self, x: Any) -> Any:
            return 2 * x

    model = Model()
    assert [model.twice(tf.constant(x)).numpy() for x in (1.5, 2.5)] == [3.0, 5.0]
    assert model.twice.get_concrete_function(tf.constant(1.0))(tf.constant(4.0)).numpy() == 8.0


# --- control flow ---------------------------------------------------------------------------------


def test_cond_is_remembered() -> None:
    """The relation that `tf.cond` decided stands in the conditions of the derivative."""
    x = tf.constant(3.0, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cond(x > 1, lambda: x * x, lambda: x)
    g = tape.gradient(y, x)
    assert g.expr == 2 * sp.Symbol("x")
    assert [str(c) for c in g.conditions] == ["x > 1"]


def test_while_loop_is_remembered() -> None:
    """Each turn of a loop that a tensor decided leaves its relation."""
    x = tf.constant(2.0, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        (y,) = tf.while_loop(lambda y: y < 10, lambda y: [y * x], [x])
    g = tape.gradient(y, x)
    assert g.numpy() == 32.0
    assert g.expr == 4 * sp.Symbol("x") ** 3
    assert len(g.conditions) == 4


def test_while_loop_keeps_the_structure() -> None:
    """The loop variables come back in the structure that they went in."""
    start = {"i": tf.constant(0), "s": (tf.constant(1.0),)}
    (end,) = tf.while_loop(
        lambda v: v["i"] < 3, lambda v: [{"i": v["i"] + 1, "s": (v["s"][0] * 2,)}], [start]
    )
    assert end["i"].numpy() == 3
    assert end["s"][0].numpy() == 8.0
    limited = tf.while_loop(
        lambda i: i < 9, lambda i: [i + 1], [tf.constant(0)], maximum_iterations=2
    )
    assert limited[0].numpy() == 2


def test_case_is_exclusive_if_asked() -> None:
    """Two predicates that hold are an error where only one may."""
    pairs = [(tf.constant(True), lambda: 1), (tf.constant(True), lambda: 2)]
    assert tf.case(pairs) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than 1"):
        tf.case(pairs, lambda: 3, exclusive=True)
    assert tf.case(pairs, exclusive=True) == 1  # the last one is for what TensorFlow has no default
    with pytest.raises(tf.errors.InvalidArgumentError, match="None of conditions"):
        tf.case([(tf.constant(False), lambda: 1)])


# --- modules --------------------------------------------------------------------------------------


class Layer(tf.Module):
    """A layer with two variables, one of them fixed."""

    def __init__(self, value: float, name: str | None = None) -> None:
        super().__init__(name=name)
        self.w = tf.Variable(value)
        self.b = tf.Variable(value + 1, trainable=False)


def test_module_finds_its_variables_in_order() -> None:
    """Attributes are taken by name, lists and dicts looked into, and parts come after."""

    class Net(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = [Layer(10.0), Layer(20.0)]
            self.extra = {"z": tf.Variable(2.0), "a": tf.Variable(1.0)}
            self.again = self.extra["a"]
            self.first = Layer(30.0, name="first")

    net = Net()
    assert net.name == "net"
    assert net.first.name == "first"
    assert [v.numpy().item() for v in net.variables] == [
        1.0,
        2.0,
        31.0,
        30.0,
        11.0,
        10.0,
        21.0,
        20.0,
    ]
    assert [v.numpy().item() for v in net.trainable_variables] == [1.0, 2.0, 30.0, 10.0, 20.0]
    assert [v.numpy().item() for v in net.non_trainable_variables] == [31.0, 11.0, 21.0]
    assert net.submodules == (net.first, *net.layers)
    with pytest.raises(ValueError, match="not a valid module name"):
        tf.Module(name="a b")


# --- gaps are loud --------------------------------------------------------------------------------

GAPS: dict[str, Callable[[], Any]] = {
    "matmul": lambda: tf.matmul(tf.ones((1, 1)), tf.ones((1, 1)), output_type=tf.float64),
    "map_fn": lambda: tf.function(tf.map_fn)(lambda x: x, tf.zeros([0, 2])),
}


@pytest.mark.parametrize("name", GAPS)
def test_a_gap_names_the_call_and_a_way_out(name: str) -> None:
    """What is not done raises `UnsupportedError` with the name of the call."""
    with pytest.raises(tf.UnsupportedError, match=name) as error:
        GAPS[name]()
    assert any(sign in str(error.value) for sign in (":", ";"))


def test_keywords_that_do_not_exist_are_refused() -> None:
    """An argument that TensorFlow does not have raises `TypeError`."""
    with pytest.raises(TypeError):
        tf.reduce_sum([1.0], axes=0)
    with pytest.raises(TypeError):
        tf.einsum("i->i", tf.constant([1.0]), axis=0)


# --- formulas of compositions ---------------------------------------------------------------------

X, Y = sp.symbols("x y", real=True)

FORMULAS: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {
    "softmax": (lambda x, y: tf.nn.softmax([x, y])[0], sp.exp(X) / (sp.exp(X) + sp.exp(Y))),
    "log_softmax": (lambda x, y: tf.nn.log_softmax([x, y])[1], Y - sp.log(sp.exp(X) + sp.exp(Y))),
    "logsumexp": (lambda x, y: tf.reduce_logsumexp([x, y]), sp.log(sp.exp(X) + sp.exp(Y))),
    "logistic loss": (
        lambda x, y: tf.nn.sigmoid_cross_entropy_with_logits(y, x),
        sp.log(1 + sp.exp(X)) - X * Y,
    ),
    "squared_difference": (lambda x, y: tf.math.squared_difference(x, y), (X - Y) ** 2),
    "norm": (lambda x, y: tf.norm([x, y]), sp.sqrt(X**2 + Y**2)),
    "reduce_mean": (lambda x, y: tf.reduce_mean([x, y]), X / 2 + Y / 2),
    "maximum": (lambda x, y: tf.maximum(x, y), sp.Max(X, Y)),
    "gelu": (lambda x, y: tf.nn.gelu(x) + y, X * (1 + sp.erf(X / sp.sqrt(2))) / 2 + Y),
    "rsqrt": (lambda x, y: tf.math.rsqrt(x) * y, Y / sp.sqrt(X)),
    "log1p": (lambda x, y: tf.math.log1p(x) * y, Y * sp.log(1 + X)),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formula_is_what_a_person_writes(name: str) -> None:
    """Shifts that keep numbers from overflowing, and the like, are not in the formula."""
    run, expected = FORMULAS[name]
    x, y = tf.constant(1.5, name="x"), tf.constant(0.5, name="y")
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        found = run(x, y).expr
    plain = expected.subs({X: sp.Symbol("x"), Y: sp.Symbol("y")})
    assert sp.simplify(found - plain) == 0
    np.testing.assert_allclose(
        float(found.subs({"x": 1.5, "y": 0.5})), float(plain.subs({"x": 1.5, "y": 0.5}))
    )


@pytest.mark.parametrize("places", [[9, 0, 1], [-1, 2, 2], [0, 9, 0], [9, 9, 9]])
def test_what_is_ignored_has_no_slope(places):
    """Updates and elements at bad places count for nothing; TensorFlow's own gradient raises."""
    updates, base = tf.constant([1.0, 2.0, 3.0]), tf.constant([10.0, 20.0, 30.0, 40.0])
    where = [[k] for k in places]
    with tf.GradientTape() as tape:
        tape.watch([updates, base])
        made = tf.scatter_nd(where, updates, [4], bad_indices_policy="IGNORE")
        read = tf.gather_nd(base, where, bad_indices_policy="IGNORE")
        total = tf.reduce_sum(made * [1.0, 2.0, 3.0, 4.0]) + tf.reduce_sum(read * [5.0, 6.0, 7.0])
    by_updates, by_base = tape.gradient(total, [updates, base])
    good = [0 <= k < 4 for k in places]
    assert by_updates.numpy().tolist() == [
        k + 1.0 if ok else 0.0 for k, ok in zip(places, good, strict=True)
    ]
    expected = np.zeros(4)
    np.add.at(expected, np.array(places)[good], np.array([5.0, 6.0, 7.0])[good])
    np.testing.assert_array_equal(by_base, expected)


# --- dtypes and sizes that TensorFlow decides -----------------------------------------------------

BROADCAST = (
    *("add", "subtract", "multiply", "divide", "maximum", "minimum", "pow", "equal", "less"),
    *("math.squared_difference", "math.atan2", "math.floormod", "math.floordiv", "math.truediv"),
    *("math.divide_no_nan", "math.multiply_no_nan", "math.xdivy", "math.xlogy", "math.xlog1py"),
    *("math.igamma", "math.igammac", "math.zeta", "math.polygamma", "math.nextafter"),
)


@pytest.mark.parametrize("name", BROADCAST)
@pytest.mark.parametrize("number", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("shapes", [((2, 1), (3,)), ((0, 2), (1, 2)), ((1, 2), (0, 1)), ((), (0,))])
def test_shapes_broadcast_whatever_the_numbers_are(name: str, number: float, shapes: Any) -> None:
    """No number, as an order of zero, makes a result of fewer axes; nor does the gradient."""
    first, second = (tf.fill(shape, tf.constant(number, tf.float64)) for shape in shapes)
    with tf.GradientTape() as tape:
        tape.watch([first, second])
        found = attrgetter(name)(tf)(first, second)
    assert tuple(found.shape) == np.broadcast_shapes(*shapes) == found.numpy().shape
    for x, g in zip((first, second), tape.gradient(found, [first, second]), strict=True):
        assert g is None or g.numpy().shape == tuple(x.shape)


TOO_LARGE = {
    "Fill": lambda: tf.zeros([10**6] * 2),
    "MatrixDiagV3": lambda: tf.eye(10**7),
    "Mul": lambda: tf.ones([10**6, 1]) * tf.ones([1, 10**7]),
    "Range": lambda: tf.range(-(2**40), 2**41),
    "OneHot": lambda: tf.one_hot(tf.range(10**4), 10**9),
    "SequenceMask": lambda: tf.sequence_mask([10**13]),
    "RandomUniform": lambda: tf.random.uniform([10**7, 10**6]),
    "StatelessRandomNormalV2": lambda: tf.random.stateless_normal([10**13], [1, 2]),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_result_without_room_says_how_large_it_would_be(name: str) -> None:
    """The error is TensorFlow's, and names the operation."""
    with pytest.raises(tf.errors.ResourceExhaustedError, match=rf"TiB .*\[Op:{name}\]"):
        TOO_LARGE[name]()


def test_a_shape_of_too_many_elements_is_refused() -> None:
    """More than an index can count is an argument that is wrong on every machine."""
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than 2\\*\\*63 - 1 elements"):
        tf.zeros([10**6] * 5)


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("...i,ij->...j", [(4, 2, 3), (3, 5)]),
        ("...i,...i->...", [(4, 2, 3), (2, 3)]),
        ("i...,i...", [(3, 2), (3, 4, 2)]),
        ("...ij->...ji", [(2, 3, 4)]),
        ("...,...", [(2, 3), (3,)]),
        ("ij...,jk->ik...", [(2, 3, 4), (3, 5)]),
        ("ba", [(2, 3)]),
        ("ij,jk", [(2, 3), (3, 4)]),
        ("ii->i", [(3, 3)]),
        ("iij,j->i", [(2, 2, 3), (3,)]),
        ("i,j,k->kji", [(2,), (3,), (4,)]),
        ("aAb,bA->Aa", [(2, 3, 4), (4, 3)]),
    ],
)
def test_einsum_is_that_of_numpy(text: str, shapes: list[tuple[int, ...]]) -> None:
    """Ellipses, repeated indices and results that are not written give NumPy's axes."""
    rng = np.random.default_rng(0)
    given = [rng.normal(size=shape) for shape in shapes]
    expected = np.einsum(text, *given)
    found = tf.einsum(text, *given).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-13, strict=True)


@pytest.mark.parametrize("size", [3, [3], (3,), tf.constant(3), tf.constant([3]), np.int64(3)])
def test_a_shape_is_a_number_or_a_sequence_of_any_kind(size: Any) -> None:
    """One number stands for one axis, a tensor too."""
    assert tf.zeros(size).shape == (3,)
    assert tf.constant(0.5, shape=size).shape == (3,)
    assert tf.ones(tf.TensorShape([3])).shape == (3,)


def test_a_shape_equals_what_tensorflow_makes_it_of():
    """A shape equals shapes, tuples, lists and its one size, and nothing else: a truth value."""
    shape = tf.TensorShape([3])
    assert (shape == 3) is True
    assert (shape != 3) is (shape == 4) is (shape == "3") is False
    assert (shape != "3") is True
    assert shape == (3,)
    assert shape == [3]


@pytest.mark.parametrize("name", ["float99", "bfloat61", "number"])
def test_dtypes_that_nobody_has_are_refused(name):
    """A name that NumPy does not know is not taken for the one that is ml_dtypes'."""
    with pytest.raises(TypeError, match=name):
        dtype_named(name)


@pytest.mark.parametrize("step", [None, 1, 2, -1, -2, -3])
def test_a_slice_takes_what_numpy_takes(step: int | None) -> None:
    """The elements of each slice, and the places that its gradient has, forward and backward."""
    x = np.arange(1.0, 5.0)
    leaf = tf.constant(x)
    for start in (None, *range(-4, 4)):
        for stop in (None, *range(-5, 6)):
            own = slice(start, stop, step)
            with tf.GradientTape() as tape:
                tape.watch(leaf)
                y = leaf[own]
            np.testing.assert_array_equal(y.numpy(), x[own])
            expected = np.zeros(4)
            expected[own] = 1
            np.testing.assert_array_equal(tape.gradient(y, leaf).numpy(), expected)


@pytest.mark.parametrize("padding", [0, 7, 0.0, 7.0])
@pytest.mark.parametrize("is_tensor", [False, True])
def test_diagonals_stand_among_what_they_are_padded_with(padding, is_tensor):
    """A matrix has the number wherever no diagonal is."""
    a = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])  # the upper one has no first element
    value = tf.constant(float(padding), tf.float64) if is_tensor else padding
    expected = np.full((3, 3), float(padding))
    expected[[0, 1], [1, 2]], expected[[0, 1, 2], [0, 1, 2]] = a[0, 1:], a[1]
    found = tf.linalg.diag(a, k=(0, 1), padding_value=value)
    np.testing.assert_array_equal(found.numpy(), expected)
    back = tf.linalg.diag_part(found, k=(0, 1), padding_value=value)
    np.testing.assert_array_equal(back.numpy(), np.where(a == 0.0, padding, a))
    alone = tf.linalg.diag(a[1], padding_value=value).numpy()
    np.testing.assert_array_equal(alone, np.where(np.eye(3, dtype=bool), np.diag(a[1]), padding))


LONG = np.random.default_rng(8).normal(size=(40, 200))
LINES = {
    "all different": LONG,
    "equal ones": np.round(LONG, 1),
    "a pair of equal ones": np.where(np.arange(200) == 7, LONG[:, 3:4], LONG),
    "zeros of either sign": np.where(np.abs(LONG) < 0.02, np.copysign(0.0, LONG), LONG),
    "nans": np.where(np.abs(LONG) < 0.01, np.nan, LONG),
    "infinities": np.where(np.abs(LONG) < 0.01, np.inf, LONG),
}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("axis", [0, 1])
def test_long_lines_are_sorted_with_equal_elements_in_their_order(name: str, axis: int) -> None:
    """What is fast where all differ gives way where some are equal."""
    x = LINES[name]
    expected = np.argsort(x, axis=axis, kind="stable")
    np.testing.assert_array_equal(tf.argsort(x, axis=axis, stable=True).numpy(), expected)
