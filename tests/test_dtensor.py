"""Tensors with layouts are tensors: they have formulas, and nothing of a layout is guessed."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Iterator

import numpy as np
import pytest

import symtape
from symtape.errors import UnsupportedError
from symtape.tensor.dispatch import FOLLOWERS
from tests.answers.apart import named
from tests.answers.dtensor import World


@pytest.fixture
def world() -> Iterator[World]:
    """A mesh of eight names."""
    with named(8):
        yield World(symtape)


def test_a_gradient_has_its_formula_and_the_value_of_the_whole(world):
    """What is cut derives as what is whole."""
    found = []
    for word in ("..", "xy"):
        x = world.put(word, 4, 4)
        with symtape.GradientTape() as tape:
            tape.watch(x)
            y = symtape.reduce_sum(symtape.sin(x) * x)
        found.append(tape.gradient(y, x))
    whole, cut = found
    assert whole.expr == cut.expr
    np.testing.assert_array_equal(whole.numpy(), symtape.convert_to_tensor(cut).numpy())
    assert world.word(whole) == ".."
    with pytest.raises(UnsupportedError, match="it is a derivative of tensors that are cut"):
        world.d.fetch_layout(cut)
    assert "layout=unknown" in str(cut)
    assert world.word(world.d.relayout(cut, world.lay("xy"))) == "xy"


def test_a_jacobian_of_a_variable(world):
    """Variables with layouts are watched, and Jacobians of them are whole."""
    v = world.d.DVariable(world.put("x", 4))
    with symtape.GradientTape() as tape:
        y = v * v
    jacobian = tape.jacobian(y, v)
    assert np.diagonal(np.asarray(jacobian)).tolist() == [2.0, 4.0, 6.0, 8.0]


@pytest.mark.parametrize(
    ("run", "match"),
    [
        (lambda o: symtape.linalg.inv(o.put("..", 2, 2)), "Inverse is not followed"),
        (lambda o: o.put("x.", 4, 4)[::-1], "steps through each part"),
        (lambda o: symtape.reshape(o.put("x", 6), (3, 2)), "of several sizes"),
        (lambda o: symtape.tensordot(o.put(".x", 4, 4), o.put("..", 4, 4), 1), "tensordot"),
        (lambda o: symtape.matmul(o.put("..", 4, 4), symtape.ones((4, 4))), "without a layout"),
    ],
)
def test_a_layout_that_is_not_known_is_none(world, run, match):
    """It is computed with, and who asks for it hears why."""
    made = run(world)
    assert np.isfinite(made.numpy()).all()
    with pytest.raises(UnsupportedError, match=match):
        world.d.fetch_layout(made + 1.0)


def test_what_has_no_meaning_in_one_process_is_refused(world):
    """Devices have one value of each part, and draws beside others have no known parts."""
    with pytest.raises(UnsupportedError, match="different values of the same part"):
        world.d.pack([[float(k)] for k in range(8)], world.lay("."))

    @world.tf.function
    def drawn():
        return symtape.random.stateless_uniform((4, 2), [1, 2])

    with pytest.raises(UnsupportedError, match="beside others"):
        world.d.call_with_layout(drawn, world.lay("x."))


def test_tensors_are_written_and_read_by_name(world, tmp_path):
    """A file has the whole, and a tensor that is read has the layout of the one that is given."""
    x, s = world.put("x.", 4, 2), world.put("")
    world.d.name_based_save(world.mesh, str(tmp_path / "a"), {"x": x, "y/z": s})
    like = {"x": world.put(".y", 4, 2), "y/z": s}
    found = world.d.name_based_restore(world.mesh, str(tmp_path / "a"), like)
    assert [world.word(t) for t in found.values()] == [".y", ""]
    assert bool(symtape.reduce_all(found["x"] == x))


def test_copies_keep_layouts(world):
    """Copies, and what travels, are laid out as before."""
    x = world.put("x.", 4, 2)
    v = world.d.DVariable(x)
    for made in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), copy.deepcopy(v)):
        assert world.word(made) == "x."


def test_other_threads_follow_and_have_scopes_of_their_own(world):
    """A thread lays out what it computes; a mesh is the default of the thread that said so."""
    x, found = world.put("x.", 4, 2), []

    def work():
        found.extend([world.word(x + 1.0), world.d.get_default_mesh()])

    with world.d.default_mesh(world.mesh):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert found == ["x.", None]


def test_nobody_follows_before_there_is_a_mesh():
    """Programs without layouts pay nothing for them."""
    assert FOLLOWERS == []
