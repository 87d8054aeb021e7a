"""Programs answer what TensorFlow was seen to answer: values, gradients, texts, names, errors."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest

import symtape
from tests.answers import ROWS, TABLES, derivatives, difference
from tests.answers.derivatives import X
from tests.pythons import as_before
from tests.sampling import all_hold, batches, some

EXPECTED = {table: programs.answers() for table, programs in TABLES.items()}

_ORDERED = re.compile(r"OrderedDict\(\[(.*?)\]\)(?=[})\n]|$)")
_PAIR = re.compile(r"\('(\w+)', (.*?)\)(?=, \('|$)")


def as_written(answer: Any) -> Any:
    """Write ordered dictionaries as this Python does: the answers are of one before 3.12."""
    if sys.version_info < (3, 12):
        return answer
    if isinstance(answer, dict):
        return {key: as_written(part) for key, part in answer.items()}

    def written(found: re.Match[str]) -> str:
        return "OrderedDict({" + _PAIR.sub(r"'\1': \2", found[1]) + "})"

    return _ORDERED.sub(written, answer) if isinstance(answer, str) else answer


def judge(row: tuple[str, str]) -> None:
    """Assert that a program answers what was seen."""
    table, name = row
    programs = TABLES[table]
    found = as_before(programs.answer(name, symtape))
    expected = as_written(EXPECTED[table][name])
    assert difference(found, expected, programs[name].ulps) is None


@pytest.mark.parametrize("rows", batches(ROWS), ids=lambda rows: " ".join(rows[0]))
def test_what_tensorflow_answered(rows):
    """A program answers what TensorFlow does."""
    all_hold(judge, rows)


@pytest.mark.parametrize("rows", batches(some(ROWS, 8, 3)), ids=lambda rows: " ".join(rows[0]))
def test_what_is_answered_again(rows):
    """A program answers the same again and again, since a second run is another path of code."""
    all_hold(judge, [*rows, *rows])


@pytest.mark.parametrize("table", TABLES)
def test_no_program_is_forgotten(table):
    """Every recorded answer belongs to a program."""
    assert EXPECTED[table].keys() == TABLES[table].keys()


def test_a_hessian_is_that_of_nested_tapes():
    """`hessian`, inside of an outer tape too, is the Jacobian of a gradient."""
    x = symtape.constant(X)
    expected = derivatives.nested(symtape, X).numpy()
    with symtape.GradientTape() as outer:
        outer.watch(x)
        with symtape.GradientTape() as tape:
            tape.watch(x)
            y = derivatives.valley(symtape, x)
        found = tape.hessian(y, x)
        trace = symtape.reduce_sum(found**2)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-11, atol=1e-13)
    step = 1e-6 * np.cos(X)
    moved = [np.sum(derivatives.nested(symtape, X + s).numpy() ** 2) for s in (step, -step)]
    slope = np.sum(outer.gradient(trace, x).numpy() * step)
    np.testing.assert_allclose(slope, (moved[0] - moved[1]) / 2, rtol=1e-6)


@pytest.mark.parametrize("unconnected", [None, "zero"])
def test_a_hessian_of_what_is_not_connected(unconnected):
    """It is None, or zeros of the shape of a Hessian, as a gradient is."""
    x, other = symtape.Variable([1.0, 2.0]), symtape.Variable([[1.0]])
    with symtape.GradientTape(persistent=True) as tape:
        y = symtape.reduce_sum(x**3)
    found = tape.hessian(y, other, unconnected_gradients=unconnected or "none")
    if unconnected is None:
        assert found is None
    else:
        assert (found.shape, found.dtype) == ((1, 1, 1, 1), symtape.float32)
        assert not found.numpy().any()
    assert tape.hessian(y, x).numpy().tolist() == [[6.0, 0.0], [0.0, 12.0]]


def test_print_goes_to_the_error_stream(capsys):
    """By default the text goes to the standard error stream."""
    symtape.print("a", symtape.constant(2.0))
    assert capsys.readouterr().err == "a 2\n"
