"""Nodes of code print what Python reads as the same tree, and know what they name."""

from __future__ import annotations

import ast
import random

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.codegen import expressions as loops
from symtape.codegen.scope import Scope
from symtape.kernels import nodes
from symtape.kernels.nodes import NP, POWER, SUM, TERM, Node, Slot, Variable, Word, equal
from symtape.kernels.scalar_code import body, strong, uses
from symtape.kernels.source import literal
from symtape.program.functions import scalar
from symtape.program.operations import Constant, Map, parameters

LEAVES = ("a", "b", "c")


def minus(tree: ast.expr) -> ast.expr:
    """Put a minus in front of a tree: before the first factor, as Python reads it of a product."""
    if ast.unparse(tree).startswith("-"):  # which has brackets
        return ast.UnaryOp(ast.USub(), tree)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult | ast.Div):
        return ast.BinOp(minus(tree.left), tree.op, tree.right)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):  # its factors are atoms
        return ast.BinOp(ast.UnaryOp(ast.USub(), tree.left), tree.op, tree.right)
    return ast.UnaryOp(ast.USub(), tree)


def drawn(rng: random.Random, depth: int) -> tuple[Node, ast.expr]:
    """Draw a node, and the tree that Python should read of it."""
    if depth == 0:
        name = rng.choice(LEAVES)
        return Variable(name), ast.Name(name, ast.Load())
    x, left = drawn(rng, rng.randrange(depth))
    y, right = drawn(rng, rng.randrange(depth))
    made = {
        "+": (lambda: x + y, ast.BinOp(left, ast.Add(), right)),
        "-": (lambda: x - y, ast.BinOp(left, ast.Sub(), right)),
        "*": (lambda: x * y, ast.BinOp(left, ast.Mult(), right)),
        "/": (lambda: x / y, ast.BinOp(left, ast.Div(), right)),
        "@": (lambda: x @ y, ast.BinOp(left, ast.MatMult(), right)),
        "&": (lambda: x & y, ast.BinOp(left, ast.BitAnd(), right)),
        ">": (lambda: x > y, ast.Compare(left, [ast.Gt()], [right])),
        "~": (lambda: ~x, ast.UnaryOp(ast.Invert(), left)),
        "-x": (lambda: -x, minus(left)),
        "call": (lambda: Word("f")(x, y), ast.Call(ast.Name("f", ast.Load()), [left, right], [])),
        "T": (lambda: nodes.Attribute(x, "T"), ast.Attribute(left, "T", ast.Load())),
        "index": (lambda: x[y], ast.Subscript(left, right, ast.Load())),
    }
    make, tree = made[rng.choice(list(made))]
    return make(), tree


def drawn_of_loops(rng: random.Random, depth: int) -> tuple[Node, ast.expr]:
    """Draw a node that loops may have."""
    if depth == 0 or rng.random() < 0.3:
        return drawn(rng, min(depth, 2))
    (x, left), (y, right), (z, third) = [drawn_of_loops(rng, rng.randrange(depth)) for _ in "xyz"]
    made = {
        "and": (lambda: loops.both([x, y]), ast.BoolOp(ast.And(), [left, right])),
        "or": (lambda: loops.either([x, y]), ast.BoolOp(ast.Or(), [left, right])),
        "not": (lambda: loops.negated(x), ast.UnaryOp(ast.Not(), left)),
        "if": (lambda: loops.choice(x, y, z), ast.IfExp(left, right, third)),
        "!=": (lambda: loops.related("!=", x, y), ast.Compare(left, [ast.NotEq()], [right])),
        "**": (lambda: loops.operator("**", [x, y], POWER), ast.BinOp(left, ast.Pow(), right)),
        "//": (lambda: loops.operator("//", [x, y], SUM), ast.BinOp(left, ast.FloorDiv(), right)),
        "+": (
            lambda: loops.total([x, y, z]),
            ast.BinOp(ast.BinOp(left, ast.Add(), right), ast.Add(), third),
        ),
        "*": (
            lambda: loops.multiplied([x, y, z]),
            ast.BinOp(ast.BinOp(left, ast.Mult(), right), ast.Mult(), third),
        ),
    }
    make, tree = made[rng.choice(list(made))]
    return make(), tree


def as_read(tree: ast.expr) -> ast.expr:
    """Print and read a tree, so that `a and b and c` is one tree however it was made."""
    return ast.parse(ast.unparse(tree), mode="eval").body


@pytest.mark.slow
@pytest.mark.parametrize("draw", [drawn, drawn_of_loops])
def test_what_is_printed_is_read_as_the_same_tree(draw):
    """Brackets stand wherever Python would read something else without them, or C would."""
    rng = random.Random(7)
    for _ in range(3000):
        node, tree = draw(rng, rng.randrange(1, 6))
        text = node.write(loops.PYTHON)
        assert ast.dump(as_read(ast.parse(text, mode="eval").body)) == ast.dump(as_read(tree)), text
        assert "--" not in text  # which is another sign in C


def test_a_form_prints_as_its_nodes_do():
    """A form that is printed once, and filled, says what its nodes say with the operands in it."""
    rng = random.Random(8)
    for _ in range(500):
        node, _ = drawn(rng, rng.randrange(1, 5))
        places = {name: Slot(k) for k, name in enumerate(LEAVES)}
        form = nodes.rebuilt(node, lambda n, p=places: p[n.text] if isinstance(n, Variable) else n)
        scope = Scope(["f"])
        given = [scope.phrase(drawn(rng, 2)[0]) for _ in LEAVES]
        assert scope.phrase(form, given).text == nodes.filled(form, given).write(scope.word)


def test_a_statement_knows_its_variables():
    """The variables of a phrase are those of its operands, and no words, texts or keywords."""
    scope = Scope(["np"])
    inner = scope.phrase(NP.exp(Slot(0)) + 1, [Variable("v1")])
    outer = scope.phrase(Word("f")(Slot(0), "v9", axis=Slot(1)), [inner, Variable("np")])
    assert outer.text == "f(np_1.exp(v1) + 1, 'v9', axis=np)"
    assert sorted(nodes.variables(outer)) == ["np", "v1"]


@pytest.mark.parametrize("value", [2, -3, 0.1, -1e-20, float("inf"), -float("inf"), 1 - 2j])
def test_numbers_come_back(value):
    """A number is written so that Python reads it again, also after a sign."""
    words = {"np": np, "complex": complex}
    text = (Variable("zero") - nodes.number(value) * Variable("one")).write(str)
    assert eval(text, words, {"zero": 0, "one": 1}) == -value  # noqa: S307 - our own text


def test_complex_numbers_that_are_not_finite_are_written():
    """Parts that are nan or infinite have NumPy's names."""
    made = literal(Constant.of(complex(float("inf"), -2.0), np.dtype("complex128")), weak=False)
    assert made.write(str) == "np.complex128(complex(np.inf, -2.0))"
    assert np.isnan(eval(nodes.number(complex("nan")).write(str), {"np": np}).real)  # noqa: S307 - our own text


def test_what_a_function_is_called_with_keeps_its_brackets():
    """An operand that a function needs twice stands in brackets where an operator reads it."""
    x, y, z = parameters(3)
    node = body(Map.of(scalar.difference(x, y - z), 3))
    assert node.write(str) == "select({0} == ({1} - {2}), 0, {0} - ({1} - {2}))"
    assert uses(Map.of(scalar.difference(x, y - z), 3)) == {0: 2, 1: 2, 2: 2}


def test_numbers_that_need_a_dtype():
    """A number without an array in some call is strong; beside an array it is not."""
    x, y = parameters(2)
    alone, beside = Map.of(sp.exp(x) * y, 2), Map.of(scalar.maximum(x, y), 2)
    assert strong(alone, frozenset({0})) == {0}
    assert strong(beside, frozenset({0})) == frozenset()


def test_logic_of_comparisons():
    """Comparisons within `logical_and` and `logical_or` are bracketed on both sides."""
    a, b = tf.constant([1.0, 2.0, -1.0], name="a"), tf.constant([2.0, 1.0, 3.0], name="b")
    with tf.GradientTape() as tape:
        tape.watch(a)
        both = tf.logical_and(tf.logical_and(a > 0, b > 1), b > a)
        y = tf.where(tf.logical_or(both, tf.logical_and(a < 0, b > 2)), a * b, b)
    slope = tape.gradient(y, a)
    f = slope.lambdify([a, b], check=False)
    np.testing.assert_array_equal(f(a.numpy(), b.numpy()), slope.numpy())
    np.testing.assert_array_equal(slope.numpy(), [2.0, 0.0, 3.0])


def test_relations_are_bracketed_in_sums():
    """A relation binds more loosely than a sum."""
    x, y = Variable("x"), Variable("y")
    assert (equal(x + 1, y) + 2).write(str) == "(x + 1 == y) + 2"
    assert nodes.total([x - y, x - y], SUM).write(str) == "x - y + (x - y)"
    assert nodes.product([x * y, x], TERM).write(str) == "x*y*x"


def test_calls_and_quotients_are_worth_a_name() -> None:
    """What takes long is named, so that another step may have the same."""
    x, y = Variable("x"), Variable("y")
    costly = [loops.call("sin", x), loops.operator("/", (x, y), POWER), x / y]
    cheap = [x, x + y, x * y, loops.related("<", x, y), loops.total([x, y])]
    assert [loops.is_costly(node) for node in costly + cheap] == [True] * 3 + [False] * 5
