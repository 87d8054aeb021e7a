"""What the library refuses, it refuses in the words that were read and kept, and then goes on."""

from __future__ import annotations

import pytest

import symtape as tf
from tests.goldens import kept
from tests.pythons import as_before
from tests.refusals import ALLOWED, REFUSED
from tests.refusals.room import FILE, said
from tests.sampling import all_hold, batches

EXPECTED = kept(FILE)


def assert_goes_on() -> None:
    """Assert that the next ordinary call gives what it gives."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0


@pytest.mark.parametrize("names", batches(REFUSED), ids=lambda names: names[0])
def test_what_is_refused_is_told_in_these_words(names):
    """Type and text are those that were kept, and what comes after the refusal works."""

    def judge(name: str) -> None:
        assert as_before(said(REFUSED[name])) == EXPECTED[name]
        assert_goes_on()

    all_hold(judge, names)


@pytest.mark.parametrize("names", batches(ALLOWED), ids=lambda names: names[0])
def test_what_lies_just_inside_of_a_border_passes(names):
    """A call beside one that is refused raises nothing."""
    all_hold(lambda name: ALLOWED[name](), names)


def test_every_sentence_has_its_call():
    """Nothing is kept that no call says, and every call is told in words."""
    assert EXPECTED.keys() == REFUSED.keys()
    assert all(EXPECTED.values())


def test_a_batch_names_all_that_do_not_hold():
    """A row that fails hides none of those after it."""
    with pytest.raises(AssertionError, match=r"2 rows do not hold\n0:[^$]*\n2:"):
        all_hold(lambda k: 1 / (k % 2), [0, 1, 2, 3])
    all_hold(lambda k: 1 / k, [1, 2])
