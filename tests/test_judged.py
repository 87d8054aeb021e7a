"""The judge of derivatives accepts what is right, and refutes and explains what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tests.judged import causes, mutants
from tests.judged.case import CASES as _CASES
from tests.judged.case import Candidate, Case
from tests.judged.numbers import answered, error, expected, passes_differences, upstream
from tests.judged.table import CASES
from tests.judged.verdicts import verdict, verdicts
from tests.sampling import all_hold, batches, some

NAMES = [*CASES]
MEASURED = [n for n in NAMES if CASES[n].has_numbers]


def draws(case: Case, candidate: Candidate, count: int):
    """Draw inputs, and what follows them, at which a candidate is tried."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        point = [np.asarray(x) for x in (candidate.witness or case.draw)(rng)]
        yield point, upstream(case, point, rng)


# --- the corpus itself ----------------------------------------------------------------------------


def test_there_are_enough():
    """There are enough functions, and right and wrong candidates, to count on."""
    assert _CASES is CASES
    assert len(CASES) >= 45
    assert sum(len(c.rights) for c in CASES.values()) >= 45
    assert sum(len(c.wrongs) for c in CASES.values()) >= 200
    assert all(c.rights and c.wrongs for c in CASES.values())


def right_by_differences(name: str) -> None:
    """Compare what is right in a case with differences of the sixth order."""
    case = CASES[name]
    for candidate in case.rights:
        for point, more in draws(case, candidate, 2):
            truth = expected(case, point, more)
            assert error(truth, answered(candidate.function, point, more)) < 1e-7, candidate.name


@pytest.mark.parametrize("names", batches(some(MEASURED, 32)), ids=str)
def test_right_ones_are_right_by_differences(names):
    """What the corpus calls right is right by numbers that know no derivative."""
    all_hold(right_by_differences, names)


def wrong_by_numbers(name: str) -> None:
    """Compare what is wrong in a case with what is right."""
    case = CASES[name]
    for candidate in case.wrongs:
        off = 0.0
        for point, more in draws(case, candidate, 8):
            truth = answered(case.rights[0].function, point, more)
            try:
                off = max(off, error(truth, answered(candidate.function, point, more)))
            except (ValueError, IndexError):  # it gives no answer
                off = np.inf
        is_of_form = candidate.cause in {causes.SHAPE, causes.CHANGES}
        assert off > 1e-8 or is_of_form, candidate.name


@pytest.mark.parametrize("names", batches(some(MEASURED, 32, 1)), ids=str)
def test_wrong_ones_are_wrong_by_numbers(names):
    """What the corpus calls wrong gives other numbers."""
    all_hold(wrong_by_numbers, names)


# --- the judge ------------------------------------------------------------------------------------


def judged(name: str) -> None:
    """Ask the judge about all candidates of a case."""
    found = verdicts(CASES[name])
    wrong = [f"{v.verdict}: {v.candidate}: {v.cause}" for v in found if not v.holds]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("names", batches(NAMES[3::180], 1), ids=str)
def test_the_judge_accepts_what_is_right_alone(names):
    """Every right candidate is accepted, and no wrong one is; `tests.judged` tries all cases."""
    all_hold(judged, names)


@pytest.mark.slow
def test_the_judge_names_three_causes_of_four():
    """A report has the words that the author of a wrong candidate looks for."""
    pairs = [(case, c) for case in CASES.values() for c in case.wrongs]
    found = [verdict(*pair) for pair in pairs[3::260]]
    assert sum(v.is_named for v in found) >= 0.6 * len(found)  # of all it is 0.75


TOLD = {
    ("power spectrum", "[1:] /= 2"): "a weight is wrong: the factor 1/2 at [4] (its last entry) of",
    (
        "power spectrum",
        "[: n // 2]",
    ): "a weight is wrong: the factor 1/2 at [0] (its first entry) of",
    ("distance of magnitudes", "weight[0]"): "the factor 1/2 at [:, 0] (its first entry) of s",
    ("log sum exp of rows", "by_the_largest"): "the largest of x alone counts",
    ("log sum exp of rows", "e.sum()"): "the axis is missing: sum is over all entries: line 3 has",
    ("maximum with a temperature", "softened_hard"): "a hard maximum stands for a soft one",
    ("distance to the nearest", "chamfer_soft"): "a and b: a soft minimum stands for a hard one",
    ("expected place in a heat map", "x = (p * at)"): "right with `x = (p * at).sum(axis=(1, 2), ",
    ("correlations with delays", "nothing"): "x[0:4] ⊙ x[2:6] is missing in each turn",
    ("cosine transform", "(2 * t)"): "the term 1 is missing",
    ("hessian of weights of classes", "np.eye(3)"): "the derivative through ‖w‖_F²/2 is missing",
}
"""Of a case, and a candidate by a part of its name, words of its cause."""


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(("name", "part"), TOLD)
def test_whole_classes_of_slips_are_told(name, part):
    """Weights of entries, axes, soft and hard maxima, and one place of several are told."""
    case = CASES[name]
    (candidate,) = [c for c in case.wrongs if part in c.name]
    cause = verdict(case, candidate).cause
    assert TOLD[name, part] in cause, cause


# --- mutants --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_mutants_are_refuted_or_change_nothing():
    """A right candidate with another token is refuted, unless it gives the same numbers."""
    outcomes = [mutants.tried(m) for m in mutants.chosen(MEASURED, 2, seed=0)]
    missed = [o for o in outcomes if o.state not in {"refuted", "the same"}]
    assert not missed, "\n".join(f"{o.state}: {o.mutant.case}: {o.mutant.words}" for o in missed)


def test_differences_accept_what_is_nearly_right():
    """Differences miss half a thousandth, which the judge does not."""
    case = CASES["sigmoid"]
    off = Candidate("off", lambda x, g: 1.0005 * case.rights[0].function(x, g))
    rng = np.random.default_rng(0)
    assert passes_differences(case, off.function, rng)
    assert not passes_differences(case, lambda x, g: 0 * g, rng)
    assert verdict(case, off).verdict == "refuted"


def test_mutants_differ_by_one_token():
    """No mutant is made twice."""
    found = list(mutants.mutants(CASES["log softmax"]))
    assert len(found) > 20
    assert len({m.text for m in found}) == len(found)
