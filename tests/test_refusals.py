"""What the library refuses, it refuses in the words that were read and kept, and then goes on."""

from __future__ import annotations

import pytest

import symtape as tf
from tests.refusals import ALLOWED, REFUSED
from tests.refusals.room import recorded, said

EXPECTED = recorded()


def assert_goes_on() -> None:
    """Assert that the next ordinary call gives what it gives."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_told_in_these_words(name):
    """Type and text are those that were kept, and what comes after the refusal works."""
    assert said(REFUSED[name]) == EXPECTED[name]
    assert_goes_on()


@pytest.mark.parametrize("name", ALLOWED)
def test_what_lies_just_inside_of_a_border_passes(name):
    """A call beside one that is refused raises nothing."""
    ALLOWED[name]()


def test_every_sentence_has_its_call():
    """Nothing is kept that no call says, and every call is told in words."""
    assert EXPECTED.keys() == REFUSED.keys()
    assert all(EXPECTED.values())
