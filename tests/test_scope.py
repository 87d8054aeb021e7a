"""The names of leaves and arguments change no number, whatever the code uses itself."""

from __future__ import annotations

import inspect
import pickle
import random
import re
import runpy
import unicodedata
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given as cases
from hypothesis import settings
from hypothesis import strategies as st

import symtape as tf
from symtape.codegen import scope as scopes
from symtape.codegen.loops.c.code import c_source
from symtape.codegen.loops.c.words import GRAMMAR
from symtape.codegen.scope import PYTHON, Scope, given
from symtape.forms.tex.latex import leaf_symbols
from symtape.tensor.names import distinct, symbols
from tests import loop_tasks
from tests.sampling import ALL, some
from tests.scopes import (
    NEUTRAL,
    ODD,
    SHAPES,
    Shape,
    compiled,
    failures,
    gradient,
    identifiers,
    renamings,
)

BY_NAME = {shape.name: shape for shape in SHAPES}
HERE = [(s, b) for s in SHAPES for b in ("numpy", "math", "scipy") if b in s.backends.split()]


# --- each identifier of the formula's own code ----------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "backend"), HERE, ids=lambda p: getattr(p, "name", p))
def test_a_leaf_may_have_any_name_of_the_code(shape, backend):
    """Leaves that are called as the code calls something keep their names and the numbers."""
    if backend == "scipy" or shape.name == "special":
        pytest.importorskip("scipy")
    is_large = len(np.shape(shape.values[0])) == 1 and np.size(shape.values[0]) > 10
    most = 60 if ALL else 8 if is_large else 15
    count, wrong = failures(shape, backend, most=most)
    assert wrong == []
    assert count > 5


@pytest.mark.slow
def test_there_are_many_such_names():
    """The test above has hundreds of cases, and the words that once failed are among them."""
    found = {(s.name, b): identifiers(compiled(s, b, NEUTRAL).source) for s, b in HERE}
    assert sum(2 * len(names) for names in found.values()) > 500
    assert {"s", "blocks", "first_s", "np"} <= set(found["blocks", "numpy"])
    assert {"math", "maximum"} <= set(found["scalars", "math"])


@pytest.mark.slow
def test_the_judge_convicts(monkeypatch):
    """Where words are not drawn apart from names, the numbers or the code go wrong."""
    monkeypatch.setattr(scopes, "_apart", lambda wish, _: wish)
    assert failures(BY_NAME["blocks"], "numpy")[1]
    assert failures(BY_NAME["cases"], "math")[1]


def as_function(shape: Shape, names: tuple[str, str]):
    """Make a function of arguments with some names."""
    space = {"formula": shape.formula}
    exec(f"def h({names[0]}, {names[1]}): return formula({names[0]}, {names[1]})", space)  # noqa: S102 - our own text
    return tf.value_and_grad(space["h"], argnums=(0, 1))


@pytest.mark.parametrize("shape", SHAPES[:6], ids=lambda s: s.name)
def test_an_argument_may_have_any_name_of_the_code(shape):
    """A function of arguments that are called as its code calls something, also by keyword."""
    f = as_function(shape, NEUTRAL)
    value, (a, b) = f(*shape.values)
    names = [n for n in identifiers(f.source(*shape.values)) if n not in NEUTRAL]
    names = [n for n in [*names, "self"] if PYTHON.is_name(n) and not PYTHON.is_word(n)]
    pairs = list(renamings(names))
    few = 50 if ALL else 6 if shape.name.endswith("blocks") else 20
    for pair in random.Random(3).sample(pairs, min(few, len(pairs))):
        other = as_function(shape, pair)
        keywords = dict(zip(pair, shape.values, strict=True))
        for again, (c, d) in (other(*shape.values), other(**keywords)):
            assert (again, c.tolist(), d.tolist()) == (value, a.tolist(), b.tolist()), pair
        assert f"({pair[0]}, {pair[1]}):" in other.source(*shape.values)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_loops_for_numba_may_have_any_name(shape):
    """Arguments of loop nests are called as the nests call something, and Python runs the text."""
    if np.size(shape.values[0]) > 1000:
        shape = shape._replace(values=(shape.values[0][:5], shape.values[1]))
        if np.ndim(shape.values[1]):
            shape = shape._replace(values=(shape.values[0], shape.values[1][:5]))
    found, _ = gradient(shape, NEUTRAL)
    base = loop_tasks.of_formula(shape.name, found.formula)
    values = dict(zip(base.task.names, base.values, strict=True))
    text = loop_tasks.NumbaSource(base.task).text
    names = [n for n in identifiers(text) if not PYTHON.is_word(n) and n not in NEUTRAL]
    wrong = []
    for pair in list(renamings(names))[: 40 if ALL else 10]:
        again = dict(zip(NEUTRAL, pair, strict=True))
        task = base.task._replace(names=[again.get(n, n) for n in values])
        wrong += loop_tasks.failures([base._replace(task=task, name=str(pair))])
        made = c_names(task) if "c" in shape.backends.split() else list(pair)
        assert len(set(made)) == len(made), made
    assert wrong == []


def c_names(task) -> list[str]:
    """Give the names of the parameters of a task in C, none of which its own code may declare."""
    source = c_source(task)
    names = [a.name for a in source.arguments]
    body = source.text.rpartition("\n{\n")[2]
    declared = re.findall(r"\b(?:double|int|int64_t|char|bool) \*?(?:restrict )?(\w+) [=;]", body)
    assert not set(names) & set(declared)
    return names


@pytest.mark.slow
def test_exported_modules_may_have_any_name(tmp_path):
    """A leaf, or the function itself, is called as the module calls something."""
    pytest.importorskip("scipy")
    rng = random.Random(5)
    for shape in (BY_NAME["special"], BY_NAME["chosen"], BY_NAME["three factors"]):
        f = compiled(shape, "numpy", NEUTRAL)
        expected = f(*shape.values)
        path = tmp_path / "slope.py"
        f.export(path)
        names = [n for n in identifiers(path.read_text("utf-8")) if n not in NEUTRAL]
        names = [n for n in names if PYTHON.is_name(n) and not PYTHON.is_word(n)]
        for name in rng.sample(names, 30 if ALL else 10):
            for pair in renamings([name]):
                g = compiled(shape, "numpy", pair)
                g.export(path, name=rng.choice([name, "slope", pair[0]]))
                space = runpy.run_path(str(path))
                function = [v for v in space.values() if inspect.isfunction(v)][-1]
                own = [unicodedata.normalize("NFKC", name) for name in pair]  # as Python reads them
                found = function(**dict(zip(own, shape.values, strict=True)))
                np.testing.assert_array_equal(found, expected, err_msg=str(pair))


def test_arguments_of_an_exported_branch_may_be_words_of_python(tmp_path):
    """What tells the branches apart, and refuses another one, is no argument of that name."""
    x, y = tf.constant([1.0, 2.0], name="bool"), tf.constant(3.0, name="ValueError")
    with tf.GradientTape() as tape:
        tape.watch((x, y))
        z = x * y if tf.reduce_sum(x) > 0 else x
    tape.gradient(z, x).lambdify([x, y]).export(tmp_path / "slope.py")
    slope = runpy.run_path(str(tmp_path / "slope.py"))["slope"]
    np.testing.assert_array_equal(slope([1.0, 2.0], 3.0), [3.0, 3.0])
    with pytest.raises(ValueError, match="these values take another branch"):
        slope([-1.0, -2.0], 3.0)


@pytest.mark.parametrize("name", ["file", "allow_pickle", "np", "Path", "_file", "__file__"])
def test_large_recorded_values_may_have_any_name(name, tmp_path):
    """What is kept beside an exported module is found whatever the leaf is called."""
    x, w = tf.constant(np.arange(400.0), name=name), tf.constant(np.ones(400), name="w")
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.reduce_sum(w * w * x)
    f = tape.gradient(y, w).lambdify()
    f.export(tmp_path / "a 'file'.py", name="slope")
    slope = runpy.run_path(str(tmp_path / "a 'file'.py"))["slope"]
    np.testing.assert_array_equal(slope(np.ones(400)), 2.0 * np.arange(400.0))
    np.testing.assert_array_equal(slope(**{"w": w.numpy(), name: np.zeros(400)}), np.zeros(400))


# --- names that cannot stand in code --------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=250 if ALL else 40, deadline=None, derandomize=True)
@cases(st.tuples(*[st.sampled_from(ODD) | st.text(max_size=6)] * 2))
def test_any_text_is_a_label(labels):
    """Whatever two leaves are called, the numbers stay, and each can be given by its label."""
    shape = BY_NAME["scalars"]
    f = compiled(shape, "numpy", [label or None for label in labels])
    names = list(f.signature.parameters)
    assert len(set(names)) == 2 == len(names)
    expected = compiled(shape, "numpy", NEUTRAL)(*shape.values)
    assert f(*shape.values) == expected
    assert f(**dict(zip(names, shape.values, strict=True))) == expected
    for label, name in zip(labels, names, strict=True):
        if PYTHON.is_name(label) and not PYTHON.is_word(label) and labels[0] != labels[1]:
            plain = unicodedata.normalize("NFKC", label)
            others = {unicodedata.normalize("NFKC", x) for x in labels if x != label}
            assert name == plain or plain in others
    if labels[0] != labels[1] and all(labels) and not set(labels) & set(names):
        assert f(**dict(zip(labels, shape.values, strict=True))) == expected
    assert pickle.loads(pickle.dumps(f))(*shape.values) == expected


@settings(max_examples=200 if ALL else 40, deadline=None, derandomize=True)
@cases(st.lists(st.none() | st.sampled_from(ODD) | st.text(max_size=5), max_size=8))
@pytest.mark.slow
def test_names_that_are_given(labels):
    """Names are distinct, the language takes them, and no label loses its name to another."""
    for grammar in (PYTHON, GRAMMAR):
        names = given(labels, grammar)
        assert len(set(names)) == len(names) == len(labels)
        assert all(grammar.is_name(n) and not grammar.is_word(n) for n in names)
        assert all(unicodedata.normalize("NFKC", n) == n for n in names)
        for label in set(labels) - {None, ""}:
            plain = unicodedata.normalize("NFKC", label) == label
            if plain and grammar.is_name(label) and not grammar.is_word(label):
                assert label in [n for n, own in zip(names, labels, strict=True) if own == label]
        scope = Scope(labels, grammar)
        drawn = [scope.fresh("x"), scope.name("x"), scope.word("x"), scope.word("np")]
        assert len({*names, *drawn}) == len(names) + 4


@pytest.mark.slow
def test_twins_are_told_apart():
    """`ﬁ` and `fi` are one name to Python: who writes it as Python does keeps it."""
    assert given(["ﬁ", "fi"]) == ["fi_1", "fi"]
    f = compiled(BY_NAME["scalars"], "numpy", ["ﬁ", "fi"])
    by_label = dict(zip(["ﬁ", "fi"], (0.7, 0.4), strict=True))
    assert f(**by_label) == f(0.7, 0.4)
    with pytest.raises(TypeError, match="multiple values for argument 'fi_1'"):
        f(**by_label, fi_1=0.4)


def test_a_label_that_several_have_names_none_of_them():
    """A label that two leaves have is the name of the first, and a mended one is refused."""
    f = compiled(BY_NAME["scalars"], "numpy", ["a b", "a b"])
    assert list(f.signature.parameters) == ["a_b", "a_b_1"]
    with pytest.raises(TypeError, match="signature is"):
        f(**{"a b": 0.7, "a_b_1": 0.4})


def test_leaves_are_chosen_by_label_symbol_or_argument():
    """`args=` takes what the user said, what the formula shows and what the signature shows."""
    for chosen in ("pi", "pi_", sp.Symbol("pi_")):
        found, _ = gradient(BY_NAME["scalars"], ["pi", "x²"])
        assert list(found.lambdify([chosen, "x²"]).signature.parameters) == ["pi", "x2"]
    with pytest.raises(ValueError, match="its leaves are pi, x2"):
        found.lambdify(["y"])


# --- what is printed ------------------------------------------------------------------------------


def look(text: str) -> str:
    """Reduce LaTeX to what a reader sees."""
    return re.sub(r"[{} ]", "", text)


@settings(max_examples=300 if ALL else 60, deadline=None, derandomize=True)
@cases(st.lists(st.sampled_from(ODD), min_size=2, max_size=6, unique=True))
@pytest.mark.slow
def test_no_two_leaves_print_alike(labels):
    """In formulas and LaTeX each leaf has a form of its own, which is no number's."""
    found = symbols(distinct(dict(enumerate(labels))), range(len(labels)))
    names = list(found.values())
    texts = list(map(str, leaf_symbols(dict.fromkeys(names, ()), sp.S.Zero).values()))
    latex = [*map(look, texts), *[look(sp.latex(c)) for c in (sp.pi, sp.E, sp.I)]]
    assert len(set(latex)) == len(latex), dict(zip(names, latex, strict=False))
    assert len({*names, "pi", "E", "I", "oo", "nan"}) == len(names) + 5
    assert all(text.count("{") == text.count("}") for text in texts)


@pytest.mark.parametrize(
    "pair", some([*combinations("x x1 x_1 x_ xabs x__2 pi i alpha β lambda lamda".split(), 2)], 3)
)
def test_the_printed_forms_of_a_product(pair):
    """A product of two leaves and π has three factors in every form, and no two are alike."""
    shape = Shape("product", lambda x, y: tf.math.erf(x) * y, (0.5, 0.25))
    found, _ = gradient(shape, pair)
    assert len(found.expr.free_symbols) == 2
    assert sp.pi in found.expr.atoms(sp.pi.__class__)
    assert set(found.leaves) == found.expr.free_symbols
    leaves = {str(s): () for s in found.expr.free_symbols}
    for text in leaf_symbols(leaves, found.expr).values():
        assert text in found.latex()
    assert found.latex().count(r"\pi") == 1


def test_an_entry_is_no_scalar():
    """The entries of an array `x` print otherwise than a scalar `x_1`, and so do the steps."""
    x, y = tf.constant([0.1, 0.2, 0.3], name="x"), tf.constant(2.0, name="x_1")
    v = tf.constant([1.0, 2.0, 3.0], name="v")
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.reduce_sum(x * v * y)
    g = tape.gradient(z, x)
    assert Counter(re.findall(r"\{x\}_\{\d\}|\\mathtt\{x\\_1\}", y.latex() + z.latex("entries")))
    assert look(r"x_{1}") not in look(z.latex("entries")).replace(look(r"{x}_{1}"), "", 1)
    assert "v_{1;" not in g.latex("steps")


def test_a_leaf_is_no_index():
    """A symbol of a leaf cannot be the index of an entry."""
    x = tf.constant([0.1, 0.2], name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert y is not None
    with pytest.raises(ValueError, match="x is a leaf of the formula, and no index"):
        y.index_expr(sp.Symbol("x"))
    assert tape.gradient(y, x).index_expr() == 2 * sp.IndexedBase("x")[sp.Symbol("i", integer=True)]
