"""What compares clients' results convicts: other numbers, shapes, texts, types and errors."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.clients import assertions, child, digests, games, internals, parts
from tests.clients.comparing import printed_difference, verdict
from tests.clients.report import Row, failures, write
from tests.clients.sources import CLIENTS


def gave(printed: str = "", **names: Any) -> dict[str, Any]:
    """Say what a part gave."""
    return {"gives": digests.of_names(names, names), "printed": printed, "seconds": 1.0}


def raised(kind: str, text: str = "") -> dict[str, Any]:
    """Say what a part raised."""
    return {"raises": kind, "says": text, "seconds": 1.0}


VALUE = np.float32([1.0, 2.0])
AGREEING = [
    (gave(x=VALUE), gave(x=VALUE * np.float32(1.0001))),
    (gave(x=tf.constant([1.0, 2.0])), gave(x=VALUE)),
    (gave(x=[1, None, "a"]), gave(x=[1, None, "a"])),
    (gave("loss 0.5000\n"), gave("loss  0.5001\nelapsed 3 seconds\n")),
    (gave("[[ 1. 2.]]"), gave("[[1.  2. ]]")),
    (gave("{{function_node a_b}} no [Op:Mul] name: "), gave("no [Op:_MklMul]")),
    (gave("at /tmp/tmpabcdefgh/a"), gave("at /tmp/tmp12345678/a")),
    (gave("at /tmp/tmp_ab0xef1/a"), gave("at /tmp/tmp12345678/a")),
    (raised("ValueError", "one"), raised("ValueError", "other")),
    (gave(x=np.array([1 + 2j, 3])), gave(x=np.array([1 + 2j, 3]))),
    (gave(x=1795457809.47), gave(x=1795453555.12)),
    (gave(x=float(np.float32(0.1))), gave(x=float(np.nextafter(np.float32(0.1), 1)))),
]
DIFFERING = [
    (gave(x=VALUE), gave(x=VALUE * np.float32(1.01))),
    (gave(x=VALUE), gave(x=VALUE.astype(float))),
    (gave(x=VALUE), gave(x=VALUE[:1])),
    (gave(x=VALUE), gave(x=None)),
    (gave(), gave(x=VALUE)),
    (gave(x=[1, 2]), gave(x=[1, 3])),
    (gave(x={"a": 1.0}), gave(x={"a": 2.0})),
    (gave("loss 0.5"), gave("loss 0.6")),
    (gave("loss 0.5"), gave("cost 0.5")),
    (gave(""), gave("one line")),
    (gave("{{function_node a_b}} no [Op:Mul] name: "), gave("not [Op:Mul]")),
    (raised("TypeError"), raised("ValueError")),
    (gave(x=np.float64(1.0)), gave(x=np.float64(1.00001))),
    (gave(x=np.array([1 + 2j, 3])), gave(x=np.array([1 - 2j, 3]))),
    (gave(x=np.int32([1, 2])), gave(x=np.int32([1, 3]))),
]


@pytest.mark.parametrize("pair", AGREEING)
def test_what_is_the_same_agrees(pair):
    """Rounding, white space, times and the words of an error do not count."""
    assert verdict(*pair).word == "agrees", verdict(*pair).reason


@pytest.mark.parametrize("pair", DIFFERING)
def test_what_is_another_thing_differs(pair):
    """A percent, a dtype, a shape, a word, a line or the type of an error counts."""
    found = verdict(*pair)
    assert found.word == "differs"
    assert found.reason


def test_what_stops_here_alone_fails_and_what_stops_there_is_not_counted():
    """An error here is a failure; what TensorFlow cannot run for want of something is not one."""
    assert verdict(raised("AttributeError"), gave()).word == "fails"
    assert verdict(None, gave()).word == "fails"
    assert verdict(gave(), None).word == "not"
    assert verdict(gave(), raised("ModuleNotFoundError")).word == "not"
    assert verdict(gave(), raised("ValueError"), "script").word == "not"


def test_a_part_tells_the_names_that_it_binds_and_its_last_value():
    """A cell's names, and what it shows; an error says in which line."""
    names: dict[str, Any] = {}
    assert child.execute("a = 2\nfor k in range(a): pass\na + k", "cell", names) == ["a", "k", "_"]
    assert names["_"] == 3
    child.execute("def f():\n    return 1", "cell", names)
    assert inspect.getsource(names["f"]) == "def f():\n    return 1"
    assert child.failure(KeyError("b"))["raises"] == "KeyError"


def test_pages_are_read_by_their_tabs(tmp_path):
    """Of a page for several frameworks the blocks for TensorFlow are taken."""
    page = tmp_path / "page.md"
    blocks = ["%%tab pytorch\nimport torch", "%%tab tensorflow\nx = 1", "%%tab all\ny = 2", "z = 3"]
    page.write_text("".join(f"```{{.python .input}}\n{b}\n```\n\n" for b in blocks))
    sources = [source.strip() for _, source in parts.parts_of(page)]
    assert sources[1:] == ["x = 1", "y = 2", "z = 3"]


def test_internals_are_public_names_or_are_said_to_be_none():
    """Internals are found by public names; what has none ends the test that needs it."""
    math_ops = internals.Module("tensorflow.python.ops.math_ops", tf)
    assert math_ops.cos is tf.cos
    with pytest.raises(assertions.InternalError, match="_as_indexed_slices"):
        math_ops._as_indexed_slices(1)
    case = assertions.case(tf)()
    case.assertAllClose([tf.constant(1.0), [2.0]], [1.0, np.array([2.0])])
    with pytest.raises(AssertionError):
        case.assertAllClose(tf.constant([1.0]), [1.1])


def test_worlds_move_and_end():
    """The pole falls when it is pushed to one side only, and the pendulum turns."""
    pole, pendulum = games.make("CartPole-v1"), games.make("Pendulum-v0")
    pole.reset()
    assert any(pole.step(1)[2] for _ in range(40))
    first = pendulum.reset()
    assert not np.allclose(pendulum.step([2.0])[0], first)


def test_the_page_counts_parts_and_says_why(tmp_path):
    """A row has the parts that agree, the seconds of both, and the reason of what does not."""
    there = {1: gave(x=VALUE), 2: gave(x=VALUE)}
    row = Row(CLIENTS[0], {1: gave(x=VALUE), 2: raised("AttributeError", "no tf.x")}, there)
    write(tmp_path / "page.md", [row], tmp_path)
    text = (tmp_path / "page.md").read_text()
    assert "1 of 2 | 2.0 | 2.0 | fails: AttributeError: no tf.x |" in text
    assert "no tf.x" in failures([row])
    assert printed_difference("a 1", "a 1") is None


def test_what_another_run_gives_otherwise_is_not_counted():
    """A part that differs is counted unless TensorFlow, run once more, differs from itself."""
    other, third = VALUE * 3, VALUE * 7
    here, there = {1: gave(x=other), 2: gave(x=other)}, {1: gave(x=VALUE), 2: gave(x=VALUE)}
    row = Row(CLIENTS[0], here, there, {1: gave(x=third), 2: gave(x=VALUE)})
    assert [v.word for v in row.verdicts().values()] == ["not", "differs"]
    assert [v.word for v in Row(CLIENTS[0], here, there).verdicts().values()] == ["differs"] * 2


def test_no_client_is_listed_twice():
    """Each file of a repository stands in one row."""
    places = [(c.repo, c.path) for c in CLIENTS]
    assert len(set(places)) == len(places)
