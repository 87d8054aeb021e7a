"""The canonical form: one form for equal programs, itself in canonical form, of the same value."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import example, given, note, settings
from hypothesis import strategies as st

from symtape.calculus.derive import gradient
from symtape.calculus.terms.canonical import canonical
from symtape.calculus.terms.jacobian import jacobian
from symtape.errors import ExpansionError
from symtape.kernels.interpret import QUIET, interpret
from symtape.program import operations as ops
from symtape.program.operations import AddN, Einsum, Input
from symtape.program.program import Builder
from tests.programs import random_program
from tests.sampling import ALL

SEEDS = st.integers(0, 10**6)
SIZES = [(1, 2, 3), (0, 1, 2, 3), (2, 4, 6), (2, 3, 4)]


def derived_program(seed):
    """Write a random program, or its gradient, or its Jacobian; give it with outputs and values."""
    program, last, inputs, values = random_program(seed, 2 + seed % 6, SIZES[seed % 4])
    outputs = [last]
    derive = [None, gradient, jacobian][seed % 3]
    if derive is not None:
        target = [last] if derive is gradient else last
        found = derive(program, target, [(p,) for p in inputs])
        program, outputs = found.program, [o for o in found.outputs if o is not None]
    sizes = [np.prod(program.shapes[o]) for o in outputs]
    return program, outputs if max(sizes, default=0) < 3000 else [], values


def moved(program, other, values):
    """Give the values of the inputs at their places in another program."""
    places = dict(zip(program.inputs(), other.inputs(), strict=True))
    return {places[p]: value for p, value in values.items()}


@pytest.mark.slow
@given(SEEDS)
@settings(max_examples=200 if ALL else 80, deadline=None)
def test_same_value_and_idempotent(seed):
    """The canonical form computes the same, and its own canonical form is itself."""
    program, outputs, values = derived_program(seed)
    note(str(program))
    form, places = canonical(program, outputs)
    expected = QUIET.run(interpret, program, values, outputs)
    found = QUIET.run(interpret, form, moved(program, form, values), places)
    for a, b in zip(expected, found, strict=True):
        assert np.shape(a) == np.shape(b)
        np.testing.assert_allclose(b, a, rtol=1e-7, atol=1e-9)
    again, places_again = canonical(form, places)
    assert (str(again), places_again) == (str(form), places)


def scrambled(program, outputs, seed):
    """Write a program another way: operands in another order, products bracketed, axes turned."""
    rng = random.Random(seed)
    b = Builder()
    place = {}
    for p in range(len(program)):
        operation, *operands = program.steps[p]
        inner = [place[i] for i in operands]
        if type(operation) is Input:
            b.steps.append(program.steps[p])
            b.shapes.append(program.shapes[p])
            b.dtypes.append(program.dtypes[p])
            place[p] = len(b.steps) - 1
        elif type(operation) is Einsum:
            place[p] = scrambled_einsum(b, operation, inner, rng)
        elif type(operation) is AddN or operation in (ops.add, ops.multiply):
            rng.shuffle(inner)
            place[p] = b.append(operation, *inner)
        elif operation is ops.subtract:
            place[p] = b.append(ops.add_n, b.append(ops.negative, inner[1]), inner[0])
        else:
            place[p] = b.append(operation, *inner)
        if program.dtypes[p].kind == "f" and rng.random() < 0.3:
            place[p] = decorated(b, place[p], rng)
    return b.finish(), [place[p] for p in outputs]


def scrambled_einsum(b, operation, operands, rng):
    """Contract in two steps, the operands in another order, their indices renamed."""
    sizes = operation.index_sizes([b.shapes[i] for i in operands])
    pairs = list(zip(operation.inputs, operands, strict=True))
    rng.shuffle(pairs)
    names = list(sizes)
    rng.shuffle(names)
    new = {i: names.index(i) + 50 for i in sizes}
    pairs = [([new[i] for i in term], p) for term, p in pairs]
    output = [new[i] for i in operation.output]
    renamed = {new[i]: n for i, n in sizes.items()}
    if len(pairs) > 2:
        (first, x), (second, y), *rest = pairs
        kept = {i for term, _ in rest for i in term} | set(output)
        middle = [i for i in dict.fromkeys([*first, *second]) if i in kept]
        rng.shuffle(middle)
        pairs = [(middle, b.append(Einsum.of([first, second], middle), x, y)), *rest]
    terms = [term for term, _ in pairs]
    return b.append(Einsum.of(terms, output, renamed), *[p for _, p in pairs])


def decorated(b, p, rng):
    """Write a value in another way: doubled and halved, turned twice, its negative's negative."""
    kind = rng.randrange(3)
    if kind == 0:
        two, half = b.constant(2, b.dtypes[p]), b.constant(0.5, b.dtypes[p])
        return b.append(ops.multiply, b.append(ops.multiply, two, p), half)
    if kind == 1:
        axes = list(range(len(b.shapes[p])))
        there = Einsum.of([axes], axes[::-1])
        return b.append(Einsum.of([axes[::-1]], axes), b.append(there, p))
    return b.append(ops.negative, b.append(ops.negative, p))


@pytest.mark.slow
@given(SEEDS)
@example(521)  # of no elements
@settings(max_examples=200 if ALL else 80, deadline=None)
def test_the_way_of_writing_does_not_matter(seed):
    """Programs that differ in order, names, brackets and signs have one canonical form."""
    program, outputs, _ = derived_program(seed)
    other, places = scrambled(program, outputs, seed)
    note(str(program))
    note(str(other))
    first, second = canonical(program, outputs), canonical(other, places)
    assert (str(first[0]), first[1]) == (str(second[0]), second[1])


def test_walks_do_not_copy_what_they_know():
    """A walk that stops at what is known takes the time of what is new, however much is known."""

    class Known(dict):
        def __iter__(self):
            raise AssertionError("all that is known is gone through")

    program, last, *_ = random_program(0, 4, SIZES[0])
    assert program.ancestors([last], Known({last: 0})) == [last]


def test_unequal_products_differ():
    """A product and its transpose are not taken for each other."""
    b = Builder()
    x = b.append(Input("float64", (3, 3)))
    plain = b.append(Einsum.of([(0, 1), (1, 2)], (0, 2)), x, x)
    turned = b.append(Einsum.of([(0, 1), (1, 2)], (2, 0)), x, x)
    (first, [p]), (second, [q]) = (canonical(b.finish(), [o]) for o in (plain, turned))
    assert (str(first), p) != (str(second), q)


@pytest.mark.parametrize("count", [2, 5, 9])
def test_like_terms_are_added(count):
    """A sum of equal products, each written another way, is one product with a number."""
    b = Builder()
    x, y = b.append(Input("float64", (2, 3))), b.append(Input("float64", (3, 2)))
    terms = []
    for k in range(count):
        names = random.Random(k).sample(range(20), 3)
        i, j, n = names
        operands = [((i, j), x), ((j, n), y)]
        operands = operands[:: 1 if k % 2 else -1]
        terms.append(
            b.append(Einsum.of([t for t, _ in operands], (i, n)), *[p for _, p in operands])
        )
    form, [place] = canonical(b.finish(), [b.append(ops.add_n, *terms)])
    number, product = form.steps[place][1:]
    assert form.steps[number][0].number == count
    assert form.steps[product][0].text == "ij,jk->ik"


@pytest.mark.parametrize("dtype", ["uint8", "uint32", "uint64", "int8", "int32"])
@pytest.mark.parametrize("turn", ["difference", "taken off twice", "large numbers"])
def test_whole_numbers_go_around(dtype, turn):
    """A difference of numbers without a sign, and a factor beyond the largest, are as computed."""
    b = Builder()
    x, y = (b.append(Input(dtype, (3,))) for _ in range(2))
    far = b.constant(int(np.iinfo(dtype).max) - 1, np.dtype(dtype))
    made = {
        "difference": lambda: b.append(ops.subtract, x, y),
        "taken off twice": lambda: b.append(ops.subtract, b.append(ops.subtract, x, y), y),
        "large numbers": lambda: b.multiply(far, b.append(ops.add, x, b.multiply(far, y))),
    }[turn]()
    program = b.finish()
    values = dict(zip((x, y), np.array([[1, 2, 3], [2, 1, 100]], dtype), strict=True))
    form, [place] = canonical(program, [made])
    [expected] = QUIET.run(interpret, program, values, [made])
    [found] = QUIET.run(interpret, form, moved(program, form, values), [place])
    assert np.array_equal(found, expected)


def test_a_form_of_too_many_products_is_an_error():
    """Who compares forms gives up after so many products, and not after so much time."""
    b = Builder()
    x, y = (b.append(Input("float64", (3,))) for _ in range(2))
    rows = [b.append(ops.add, x, y) for _ in range(4)]
    total = b.append(ops.add_n, *rows)
    form, free = canonical(b.finish(), [total], 100), canonical(b.finish(), [total])
    assert (str(form[0]), form[1]) == (str(free[0]), free[1])
    with pytest.raises(ExpansionError, match="too many products"):
        canonical(b.finish(), [total], 5)
