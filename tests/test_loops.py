"""Loop nests: places, fusion, every operation run without a compiler, and the gaps that are meant.

The text for numba is Python, and so is run here as it stands; numba and C judge the same nests in
`tests/peers`.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.codegen.expressions import PYTHON, asks_for_order, both, related, word
from symtape.codegen.loops import numba_words
from symtape.codegen.loops.bodies import Body
from symtape.codegen.loops.c import helpers as c_helpers
from symtape.codegen.loops.c import library as c_library
from symtape.codegen.loops.c import words as c_words
from symtape.codegen.loops.c.code import CSource, c_source
from symtape.codegen.loops.c.helpers import HELPERS, helper_texts
from symtape.codegen.loops.c.lines import CALLS, call_of
from symtape.codegen.loops.c.words import GRAMMAR, C
from symtape.codegen.loops.elements import RULES
from symtape.codegen.loops.numba_code import NumbaSource
from symtape.codegen.loops.numba_words import NUMBA
from symtape.codegen.loops.places import Place, Var, flat, unflat
from symtape.codegen.loops.scalars import FORMS, Form
from symtape.codegen.loops.statements import MAKERS
from symtape.codegen.scope import given
from symtape.codegen.task import Task
from symtape.errors import ExtraNotInstalledError, UnsupportedError
from symtape.kernels import scalar_code, source
from symtape.kernels.nodes import Variable
from symtape.program.functions import scalar
from symtape.program.kinds import placement
from symtape.program.kinds.matrices import Cholesky, Determinant, Inverse, Solve
from symtape.program.kinds.structural import Position
from symtape.program.operations import Input, Item, multiply
from symtape.program.program import Builder
from tests import loop_words
from tests.cases import CASES, Case
from tests.goldens import kept
from tests.loop_tasks import OPEN, Work, failures, of_case, of_formula, of_program, run_plainly
from tests.sampling import some

# --- places ---------------------------------------------------------------------------------------


def value(place: Place, values: dict[str, int]) -> int:
    """Compute a place."""
    return eval(place.text(), {}, values)  # noqa: S307 - our own text


@pytest.mark.parametrize("old", [(2, 3, 4), (6, 4), (4, 6), (24,), (3, 2, 2, 2), (8, 3)])
@pytest.mark.parametrize("new", [(2, 3, 4), (6, 4), (4, 6), (24,), (3, 2, 2, 2), (8, 3)])
def test_a_place_finds_its_element_in_another_shape(old, new):
    """Numbering an element in one shape and finding it in another is what NumPy's reshape does."""
    variables = [Var(f"i{k}", 0, n - 1) for k, n in enumerate(new)]
    found = unflat(flat([Place.of(v) for v in variables], new), old)
    expected = np.arange(24).reshape(old)
    for place in np.ndindex(*new):
        values = {f"i{k}": i for k, i in enumerate(place)}
        at = tuple(value(p, values) for p in found)
        assert expected[at] == np.arange(24).reshape(new)[place]


def test_rows_and_columns_that_are_merged_divide_away():
    """A reshape that merges or splits axes needs no division."""
    variables = [Place.of(Var(f"i{k}", 0, n - 1)) for k, n in enumerate((4, 5, 6))]
    assert [p.text() for p in unflat(flat(variables, (4, 5, 6)), (20, 6))] == ["i0*5 + i1", "i2"]


# --- every operation ------------------------------------------------------------------------------


def families():
    """Put the cases into groups, so that a failure says roughly where."""
    groups: dict[str, list[Case]] = {}
    for k, case in enumerate(some([c for c in CASES if c.inputs], 24, 1)):
        groups.setdefault(f"cases from {k // 200 * 200}", []).append(case)
    return groups


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("group", families())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_loops_compute_every_case_and_its_gradient(group, dtype):
    """Results and gradients of each case, looped over by Python, are NumPy's."""
    cases = [c for c in families()[group] if dtype in c.dtypes]
    works = [work for case in cases for work in of_case(case, dtype)]
    assert failures(works) == []


SIZES = {"small": (1, 2, 3), "larger": (2, 3, 4, 5), "none": (0, 1, 2)}


@pytest.mark.parametrize("limits", [None, OPEN], ids=["as always", "opened up"])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_loops_compute_random_programs(sizes, limits):
    """Random programs of every kind, of zero sizes too, are computed as NumPy does."""
    works = [of_program(seed, 6, SIZES[sizes]) for seed in some(range(150), 3)]
    assert failures(works, limits) == []


def test_the_judge_convicts():
    """A result that is wrong by a millionth does not pass."""
    work = of_program(3, 6, (1, 2, 3))
    assert failures([work._replace(expected=[work.expected[0] * (1 + 1e-6)])])


# --- what is fused --------------------------------------------------------------------------------


def text_of(tensor, title="f"):
    """Write the nests of a formula for numba."""
    formula = tensor.formula
    positions = [leaf.position for leaf in formula.used]
    names = [formula.names[p] for p in positions]
    return NumbaSource(Task(formula.program, positions, [formula.position], names), title)


def test_the_gradient_of_rosenbrock_is_one_loop_and_two_edges():
    """Slices and paddings are places: nothing is stored between, and no iteration has to ask."""
    x = tf.constant(np.linspace(0.1, 1, 1000))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
    text = text_of(tape.gradient(y, x)).text
    assert text.count("for ") == 1
    assert text.count("np.empty") == 1
    assert " if " not in text


def test_forces_between_pairs_are_one_nest():
    """Both sums of the forces run in the loops of the pairs, and no array of pairs is made."""
    n = 50
    x = tf.constant(np.random.default_rng(0).random((n, 3)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        d = x[:, None, :] - x[None, :, :]
        r = tf.reduce_sum(d * d, -1) + tf.eye(n, dtype=tf.float64)
        y = tf.reduce_sum(1 / r**3)
    made = text_of(tape.gradient(y, x)).text
    sizes = [int(size) for size in re.findall(r"np\.empty\((\d+)", made)]
    assert max(sizes) == 3 * n


def test_softmax_takes_one_exponential_an_element():
    """What is needed on both sides of a sum is kept, not computed twice."""
    x = tf.constant(np.random.default_rng(0).random((40, 50)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.softmax(x)
    assert text_of(y).text.count("math.exp") == 1


def test_what_a_product_reads_again_and_again_is_kept():
    """Each entry of a factor is read once for every column of the other, and computed once."""
    x = tf.constant(np.random.default_rng(0).random((3, 4)))
    A = tf.constant(np.random.default_rng(1).random((4, 2)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x) @ A
    text = text_of(y).text
    assert re.search(r"np\.empty\((12|\(3, 4\))", text), text


def both_ways(x):
    """Read each result in its own iteration and in another one."""
    y = tf.exp(x)
    return y * tf.reverse(y, [0])


def over_its_sum(x):
    """Read a sum, in the loops that it is added up in."""
    return tf.exp(x) / tf.reduce_sum(tf.exp(x), 1, keepdims=True)


def of_places(x):
    """Read what is put at places that only all iterations know."""
    y = tf.math.unsorted_segment_sum(tf.exp(x), list(range(19, -1, -1)), 20)
    return tf.sin(y) * y + tf.exp(x)


def past_other_loops(x):
    """Read what other loops between have made of a part."""
    y = tf.exp(x)
    return y * tf.sin(2.0 * y[0])


@pytest.mark.parametrize("function", [both_ways, over_its_sum, of_places, past_other_loops])
def test_what_is_read_of_other_iterations_is_there(function):
    """Steps of one shape share loops only where each reads its own iteration of the others."""
    x = tf.constant(np.random.default_rng(0).random((20, 30)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert failures([of_formula(function.__name__, y.formula)]) == []


def test_what_is_added_to_an_array_comes_after_all_of_it():
    """A block that is transposed onto another of its shape does not share its loops."""
    b = Builder()
    x = b.append(Input("float64", (3, 3)))
    plain, turned = (
        placement.Placement((3, 3), (placement.Form.of(i), placement.Form.of(1 - i)))
        for i in (0, 1)
    )
    y = b.append(placement.Assemble((3, 3), (plain, turned)), x, x)
    value = np.random.default_rng(0).random((3, 3))
    task = Task(b.finish(), [x], [y], ["x"])
    (found,) = run_plainly(Work("x + xᵀ", task, [value], []))
    np.testing.assert_array_equal(found, value + value.T)


def test_a_large_product_of_matrices_is_left_to_blas():
    """Above a size, `@` stands between the nests; below, a loop does."""
    for n, is_left in ((4, False), (60, True)):
        a = tf.constant(np.ones((n, n)))
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = tf.matmul(tf.tanh(a), a)
        assert ("@" in text_of(y).text.split("def f(")[1]) == is_left


@pytest.mark.slow
def test_a_program_of_many_steps_needs_no_recursion():
    """Ten thousand steps in a row are written without a stack of as many calls."""
    x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(2000):
            y = tf.sin(y)
    assert text_of(y).text.count("math.sin") == 2000


def test_a_sum_within_a_sum_keeps_its_parentheses():
    """What is written as a difference is subtracted, and negated, as a whole."""
    x, y, m = sp.symbols("x y m")
    named = {s: (Variable(s.name), np.dtype("float64")) for s in (x, y, m)}
    values = {"x": 2.0, "y": 3.0, "m": 5.0}
    shifted = scalar.shifted(x, m)
    for body, expected in ((y - shifted, 6.0), (-x * y - shifted, -3.0), (-shifted, 3.0)):
        text = (
            Body(NUMBA, named, np.dtype("float64"), lambda node, _: node).write(body).write(PYTHON)
        )
        assert eval(text, {}, values) == expected, text  # noqa: S307 - our own text


ORDERS = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}


@pytest.mark.parametrize("dtypes", ["f8 f8", "i4 i4", "f4 f8", "c16 c16", "c16 f8", "f8 c16"])
@pytest.mark.parametrize("language", [NUMBA, C], ids=["numba", "C"])
def test_numbers_are_compared_where_they_have_an_order(language, dtypes):
    """All of one kind are equal or not; complex ones are no larger than others."""
    x, y = sp.symbols("x y")
    first, second = map(np.dtype, dtypes.split())
    named = {x: (Variable("x"), first), y: (Variable("y"), second)}

    def text(relation):
        body = Body(language, named, np.dtype(bool), lambda node, _: node)
        return body.write(relation(x, y)).write(language.spelling)

    for sign, relation in {"==": sp.Eq, "!=": sp.Ne}.items():
        assert sign in text(relation)
    for sign, relation in ORDERS.items():
        if "c" in dtypes:
            with pytest.raises(UnsupportedError, match="does not order complex numbers"):
                text(relation)
        else:
            assert text(relation) in {f"x {sign} y", f"y {SIGNS_TURNED[sign]} x"}


SIGNS_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


# --- names ----------------------------------------------------------------------------------------


def test_names_that_the_code_uses_itself_are_kept_apart():
    """Arguments are called what they are called, unless C or the code needs the name."""
    found = given(["x", "x", "double", "v3", "status", "λ", "i0", "exp", "max", "I", "_a"], GRAMMAR)
    expected = ["x", "x_1", "double_", "v3", "status", "x_2", "i0", "exp_", "max", "I_", "x_a"]
    assert found == expected


@pytest.mark.parametrize("write", [c_source, NumbaSource], ids=["c", "numba"])
def test_names_that_are_code_do_not_become_code(write):
    """Whatever names are given, the text has none that is not a name."""
    b = Builder()
    x = b.append(Input("float64", (3,)))
    y = b.append(multiply, x, x)
    for name in ("x; system(1)", "x):\n    import os #", "*/ x", "a b", ""):
        text = write(Task(b.finish(), [x], [y], [name])).text
        assert "system(" not in text
        assert "import " not in text


# --- words ----------------------------------------------------------------------------------------

SPOKEN = kept(loop_words.FILE)
GROUPS = sorted({name.partition(":")[0] for name in loop_words.SAID})


@pytest.mark.parametrize("group", GROUPS)
def test_loops_are_written_in_the_words_that_were_read(group):
    """Every function, body and text is what was read when it was kept; see `tests.loop_words`."""
    names = [name for name in loop_words.SAID if name.partition(":")[0] == group]
    assert {name: loop_words.SAID[name]() for name in names} == {n: SPOKEN[n] for n in names}


def test_no_word_is_forgotten():
    """Each line that was kept is written by the tests."""
    assert SPOKEN.keys() == loop_words.SAID.keys()


# --- gaps -----------------------------------------------------------------------------------------

C_LACKS_KINDS = {"Fourier", "SVD", "QR", "Eigh", "Eig", "PseudoInverse", "MatrixFunction",
                 "Elimination", "LogDeterminant"}  # fmt: skip
C_LACKS = set(
    "airy_ai airy_ai_slope airy_bi airy_bi_slope bessel_i bessel_i0e bessel_i1e bessel_j "
    "bessel_k bessel_k0e bessel_k1e bessel_y beta beta_density betainc binomial box_cox "
    "box_cox1p chebyshev_t chebyshev_u confluent confluent_limit cos_of_square cosine_integral "
    "dawson elliptic_e elliptic_k erfcinv erfcinv_slope erfi erfinv erfinv_slope exp_integral "
    "exp_mean expint fresnel_cos fresnel_sin gamma gamma_density gegenbauer hermite "
    "hermite_of_normal hypergeometric i_decay igamma igamma_derivative igammac inverse_box_cox "
    "inverse_box_cox1p jacobi k_decay laguerre lambert_w legendre log_beta log_normal_cdf "
    "log_normal_cdf_slope log_quotient normal_quantile normal_quantile_slope omega omega_slope "
    "polygamma polygamma_less pseudo_huber psi rising scaled_erfc sin_of_square sine_integral "
    "spence spherical_j spherical_y zeta zeta_slope".split()
)

TRUTHS = {scalar.both, scalar.either, scalar.one_of, scalar.negation}


def test_c_lacks_what_is_listed_and_nothing_else():
    """A kind of operation that C cannot compute is listed here with those that need LAPACK."""
    known = RULES.keys() | MAKERS.keys() | CALLS.keys()
    lacking = {kind.__name__ for kind in source.WRITERS.keys() - known - {Item}}
    assert lacking - C_LACKS_KINDS == set()


def test_every_function_has_a_form():
    """What NumPy has a line for has a form for loops."""
    assert scalar_code.FUNCTIONS.keys() - FORMS.keys() == set()


@pytest.mark.parametrize("language", [C, NUMBA], ids=["c", "numba"])
def test_functions_without_words_are_listed(language):
    """A function that neither C nor numba has is refused by name; numba leaves it to NumPy."""
    lacking = set()
    for kind, form in FORMS.items():
        dtype = np.dtype(bool if kind in TRUTHS else np.float64)
        definition = getattr(kind, "definition", None)
        arity = definition.__code__.co_argcount if definition else 1 + (kind is sp.atan2)
        try:
            form(Form(language, dtype, lambda node, _: node, kind), *map(Variable, "xyzw"[:arity]))
        except UnsupportedError:
            lacking.add(str(kind))
    assert lacking == C_LACKS


COMPLEX = [scalar.absolute, scalar.sign, scalar.conj, scalar.real, scalar.imag, scalar.angle,
           scalar.is_nan, scalar.is_inf, scalar.is_finite]  # fmt: skip


@pytest.mark.parametrize("language", [C, NUMBA], ids=["c", "numba"])
@pytest.mark.parametrize("kind", COMPLEX, ids=str)
def test_parts_of_complex_numbers_have_words(language, kind):
    """What tells something of a complex number is there in both languages."""
    dtype = np.dtype(np.complex128)
    assert FORMS[kind](Form(language, dtype, lambda node, _: node, kind), Variable("z"))


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (True, "bool", "true"),
        (0.1, "float32", "0.1f"),
        (-(2**63), "int64", "INT64_MIN"),
        (1 - 2**63, "int64", "INT64_C(-9223372036854775807)"),
        (2**63, "uint64", "UINT64_C(9223372036854775808)"),
        (-(2**31) + 1, "int64", "-2147483647"),
        (-(2**31), "int64", "INT64_C(-2147483648)"),
        (np.nan, "float64", "NAN"),
        (-np.inf, "float32", "-INFINITY"),
        (np.inf, "float64", "INFINITY"),
        (1 - 2j, "complex64", "st_complexf(1.0f, -2.0f)"),
    ],
)
def test_numbers_are_those_of_c(value, dtype, text):
    """C has no literal for the least of its whole numbers, nor for what is not finite."""
    assert c_words.number(value, np.dtype(dtype)).write(C.spelling) == text


def test_numbers_are_converted_in_c():
    """A real number is the real part of a complex one, and a truth whether a number is not 0."""

    def converted(name, old, new):
        return C.convert(Variable(name), np.dtype(old), np.dtype(new)).write(C.spelling)

    assert converted("z", "complex128", "float64") == "(double)(creal(z))"
    assert converted("z", "complex128", "float32") == "(float)(creal(z))"
    assert converted("x", "float64", "complex128") == "(double _Complex)(x)"
    assert converted("x", "float64", "bool") == "x != 0"
    assert converted("b", "bool", "bool") == "b"


def test_powers_of_whole_numbers_are_whole():
    """Whole numbers to whole powers are taken by Python's own sign."""
    x, n = tf.constant([2, -3]), tf.constant([5, 3])
    with tf.GradientTape() as tape:
        tape.watch([x, n])
        y = tf.pow(x, n)
    (found,) = run_plainly(of_formula("powers", y.formula))
    np.testing.assert_array_equal(found, [32, -27])


WHOLES = [tf.linalg.inv, tf.linalg.det, tf.linalg.cholesky, tf.argsort,
          lambda m: tf.linalg.solve(m, m)]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_helpers_that_c_calls_are_in_the_file(dtype):
    """What the code calls by a name of our own is a function of the same text."""
    for f in WHOLES:
        x = tf.constant(2 * np.eye(3), dtype)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        text = y.lambdify(backend="c").source
        called = set(re.findall(r"\b(st_\w+)\(", text))
        made = set(re.findall(r"^static [^;=(]*?\b(st_\w+)\(", text, re.MULTILINE))
        assert called
        assert called <= made


def test_whole_numbers_are_added_up_as_such():
    """A sum of whole numbers is exact above what a float of double precision tells apart."""
    x = tf.constant([2**53, 1, 1, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x)
    assert run_plainly(of_formula("a sum", y.formula))[0] == 2**53 + 3


def test_what_c_lacks_is_refused_by_name():
    """The error names the operation, the shapes and a way out."""
    x = tf.constant(np.eye(3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.svd(x, compute_uv=False)
    with pytest.raises(UnsupportedError, match=r"c has no code for svd.*\(3, 3\).*backend='numpy'"):
        _ = y.lambdify(backend="c").source
    z = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(z)
        w = tf.math.erfinv(z)
    with pytest.raises(UnsupportedError, match="c has no code for erfinv of float32"):
        _ = w.lambdify(backend="c").source


def test_half_precision_is_refused_by_c():
    """C99 has no type of half precision, and says so."""
    x = tf.constant([1.0], tf.float16)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(UnsupportedError, match="no type for float16"):
        _ = y.lambdify(backend="c").source


@pytest.mark.parametrize(("backend", "module"), [("numba", "numba"), ("c", "cffi")])
def test_a_missing_extra_is_named(monkeypatch, backend, module):
    """Without what a backend needs, the error names the extra that installs it."""
    from symtape.codegen.loops import numba_code  # noqa: PLC0415 - its cache is cleared

    numba_code._numba.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(ExtraNotInstalledError, match=rf"symtape\[{backend}\]"):
        y.lambdify(backend=backend)(3.0)


# --- C without a compiler -------------------------------------------------------------------------


def test_source_and_header_are_written_without_a_compiler(monkeypatch):
    """What is missing is missed when the function is called, and the error says what."""
    monkeypatch.setenv("PATH", "")
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x)
    f = tape.gradient(y, x).lambdify(backend="c")
    assert "int f(const float *restrict x," in f.source
    assert f.header.startswith("#ifndef SYMTAPE_F_H")
    assert "const float *restrict x" in f.header
    if "cffi" in sys.modules or _has_cffi():
        with pytest.raises(UnsupportedError, match="compiler"):
            f([1.0, 2.0])


class Interface:
    """What cffi would be asked for."""

    def __init__(self):
        self.declared = []
        self.cdef = self.declared.append

    def dlopen(self, path):
        """Give the name of the library."""
        return path


def test_every_function_is_in_a_file_of_its_own(monkeypatch):
    """The compiler gets each of them once, and makes one library; nothing else is looked for."""
    read = {}

    def compiled(command, **_):
        files = [word for word in command if word.endswith(".c")]
        read.update({Path(file).stem: Path(file).read_text("utf-8") for file in files})
        assert command[0] == "/cc"
        assert command[-3] == "-o"
        return SimpleNamespace(returncode=0)

    monkeypatch.setitem(sys.modules, "cffi", SimpleNamespace(FFI=Interface))
    monkeypatch.setattr(c_library.shutil, "which", lambda name: f"/{name}")
    monkeypatch.setattr(c_library.subprocess, "run", compiled)
    texts = {"f": "first", "g": "second", "h": "third"}
    library = c_library.build([CSource(name, text, "", ()) for name, text in texts.items()])
    assert read == texts
    assert library.ffi.declared == ["int f(void);", "int g(void);", "int h(void);"]
    assert library.lib.endswith("library.so")


def _has_cffi() -> bool:
    try:
        import cffi  # noqa: F401, PLC0415 - an extra
    except ImportError:
        return False
    return True


def test_a_program_without_inputs_has_no_arguments():
    """A formula of numbers alone is a function of nothing."""
    b = Builder()
    p = b.constant(2.5, np.dtype("float64"))
    text = c_source(Task(b.finish(), [], [p], [])).text
    assert "int f(double *restrict out0)" in text


LINES = {
    "inverse": (
        Inverse(),
        [(4, 3, 3)],
        (4, 3, 3),
        "st_inverse(3, {0} + {2}*9, {1} + {2}*9)",
    ),
    "solve": (
        Solve("full", False),
        [(4, 3, 3), (4, 3, 2)],
        (4, 3, 2),
        "st_solve(3, 2, {0} + {3}*9, {1} + {3}*6, {2} + {3}*6, 0, 0)",
    ),
    "solve of a triangle": (
        Solve("lower", True),
        [(3, 3), (3, 2)],
        (3, 2),
        "st_solve(3, 2, {0}, {1}, {2}, 1, 1)",
    ),
    "cholesky": (
        Cholesky(),
        [(5, 2, 2)],
        (5, 2, 2),
        "st_cholesky(2, {0} + {2}*4, {1} + {2}*4)",
    ),
    "determinant": (
        Determinant("value"),
        [(3, 3)],
        (),
        "st_determinant(3, {0}, {1}, 0, 0)",
    ),
    "determinants, as logarithms": (
        Determinant("log"),
        [(2, 4, 3, 3)],
        (2, 4),
        "st_determinant(3, {0} + {2}*9, 0, 0, {1} + {2}*1)",
    ),
    "argsort": (
        Position("argsort", (-1,), np.dtype("int64")),
        [(4, 6)],
        (4, 6),
        "st_argsort(6, {0} + {2}*6, {1} + {2}*6)",
    ),
}
"""What C calls for the lines or matrices of an array: sizes, where each line begins, how."""


@pytest.mark.parametrize("name", LINES)
def test_c_calls_a_helper_for_each_line(name):
    """A helper gets the sizes of one line, and each array moves on by the length of its lines."""
    operation, shapes, result, call = LINES[name]
    *names, line = [f"{{{k}}}" for k in range(len(shapes) + 2)]
    node, count = call_of(operation, shapes, np.dtype("float64"), result, names, line)
    lines = np.prod(shapes[0][: -1 if type(operation) is Position else -2], dtype=int)
    assert (node.write(C.spelling), count) == (call, lines)
    name, given = call.rstrip(")").split("(")
    helpers = "\n".join(helper_texts([name]))
    (takes,) = re.findall(rf"^static int {name}\(([^)]*)\)", helpers, re.MULTILINE)
    assert takes.count(",") == given.count(",")


def test_every_kind_that_c_computes_by_lines_is_called():
    """The table above has each kind."""
    assert {type(row[0]) for row in LINES.values()} == set(CALLS)


def test_helpers_of_c_are_called_what_the_words_call_them():
    """Each function of ours that C code calls is in the table, under the name that it defines."""
    words = [word for forms in c_words.WORDS.values() for word in forms.values()]
    called = {word.rstrip("{}") for word in words if isinstance(word, str) and word[:3] == "st_"}
    assert called <= HELPERS.keys()
    for name, text in HELPERS.items():
        assert re.search(rf"^static [^(]*\b{name}(\$N)?\(", text, re.MULTILINE), name


REAL = """
exp log sin cos tan atan asin acos sinh cosh tanh asinh acosh atanh sqrt log1p expm1 erf erfc floor
ceil rint trunc lgamma hypot atan2 nextafter pow fabs
""".split()
COMPLEX = """
exp log sin cos tan atan asin acos sinh cosh tanh asinh acosh atanh sqrt pow abs real imag arg
""".split()
C99 = {*REAL, "conj", *[f"c{name}" for name in COMPLEX]}
"""Functions of <math.h> and <complex.h> that have a float's under the same name and an f."""
ANY_TYPE = {"isnan", "isinf", "isfinite", "creal", "cimag"}
"""Macros, and what double precision is taken of."""


def calls(form, dtype):
    """List what the word of an operation calls, for operands of a type."""
    if isinstance(form, str):
        return {c_words.spell(form, dtype)}
    takes = inspect.signature(form).parameters.values()
    many = any(p.kind is p.VAR_POSITIONAL for p in takes)
    operands = [word("x"), word("y")][: 2 if many else len(takes) - 1]
    return set(re.findall(r"([a-z]\w*)\(", form(dtype, *operands).write(C.spelling)))


@pytest.mark.parametrize("kind", ["float32", "float64", "complex64", "complex128", "int64", "bool"])
def test_c_has_what_words_call(kind):
    """A word is a function of C99 for the type that it is called with, or one of our own."""
    dtype = np.dtype(kind)
    suffix = c_words.spell("{}", dtype)
    known = {f"{name}{suffix}" for name in C99} | ANY_TYPE
    known |= {name + end for name in HELPERS for end in ("", suffix)}
    for name, forms in c_words.WORDS.items():
        if dtype.kind in forms:
            assert calls(forms[dtype.kind], dtype) <= known, name


def test_helpers_of_c_call_functions_of_c99():
    """The letters of a type stand for functions of <math.h> and <complex.h>."""
    for dtype, words in c_helpers._WORDS.items():
        suffix = c_words.spell("{}", np.dtype(dtype))
        known = {f"{name}{suffix}" for name in C99} | C99 | ANY_TYPE
        called = {words[k] for k in ("ABS", "CONJ", "REAL", "ROOT", "LOG") if k in words} - {""}
        assert called <= known, dtype


@pytest.mark.parametrize("x", [-2.5, -0.0, 0.0, 3.0, np.inf, -np.inf, np.nan, 0, 4, -7])
def test_words_that_numba_compiles_are_numpys(x):
    """They run as Python, too."""
    np.testing.assert_array_equal(numba_words.sign(x), np.sign(x))
    for y in (0.0, -1.0, 3.0, np.nan):
        np.testing.assert_array_equal(numba_words.maximum(x, y), np.maximum(x, y))
        np.testing.assert_array_equal(numba_words.minimum(x, y), np.minimum(x, y))
    with np.errstate(all="ignore"):
        for y in map(np.float64, (0.0, -1.0, 3.0, 0.3, -0.3, 1e300, -np.inf, np.nan)):
            z = np.float64(x)
            for word in (numba_words.floor_mod, numba_words.floored_remainder):
                np.testing.assert_array_equal(word(z, y), np.mod(z, y))
            found, expected = numba_words.floor_divide(z, y), np.floor_divide(z, y)
            np.testing.assert_array_equal(found, expected)


def test_both_languages_have_the_same_words():
    """For operands of the same kinds."""
    kinds = [
        {(n, k) for n, forms in w.WORDS.items() for k in forms} for w in (c_words, numba_words)
    ]
    assert kinds[0] == kinds[1]
    assert {k for _, k in kinds[0]} == set("fcib")


@pytest.mark.parametrize(
    ("sign", "is_order"),
    [("<", True), ("<=", True), (">", True), (">=", True), ("==", False), ("!=", False)],
)
def test_complex_numbers_are_not_asked_for_an_order(sign, is_order):
    """Whether they are equal may be asked, also beside another condition."""
    x, y = Variable("x"), Variable("y")
    assert asks_for_order(related(sign, x, y)) == is_order
    assert asks_for_order(both([related("==", x, y), related(sign, y, x)])) == is_order


def test_a_compiler_takes_the_flags():
    """Where there is one; it says of a flag that it does not know."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    command = [str(compiler), *c_library.FLAGS, "-fsyntax-only", "-x", "c", os.devnull]
    assert compiler is None or subprocess.run(command, check=False).returncode == 0  # noqa: S603 - our flags


def test_types_of_numba_are_those_of_numpy():
    """numba knows a bool by the name that every version of NumPy has."""
    for name in numba_words.TYPES:
        text = numba_words.type_name(np.dtype(name))
        assert text == ("np.bool_" if name == "bool" else f"np.{name}")
        for value in (0, 1):
            made = numba_words.number(np.dtype(name).type(value), np.dtype(name)).write(PYTHON)
            assert eval(made, {"np": np, "complex": complex}) == value  # noqa: S307 - our own text
    ends = [numba_words.number(x, np.dtype("f8")) for x in (np.inf, -np.inf, np.nan)]
    assert [e.write(PYTHON) for e in ends] == ["math.inf", "-math.inf", "math.nan"]
    with pytest.raises(UnsupportedError, match="no type for float16"):
        numba_words.type_name(np.dtype("float16"))


def test_words_of_numba_for_places_and_complex_numbers():
    """A place that is none raises, and a sign is a number on the unit circle, or 0."""
    assert [numba_words.checked(k, 3) for k in range(3)] == [0, 1, 2]
    for k in (-1, 3):
        with pytest.raises(IndexError, match="out of range"):
            numba_words.checked(k, 3)
    assert [numba_words.complex_sign(z) for z in (0j, 3 - 4j)] == [0j, 0.6 - 0.8j]


def test_the_largest_real_number_is_found_in_a_loop():
    """And not in an array of its own."""
    x = tf.constant(np.random.default_rng(0).random((40, 50)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_max(tf.exp(x), 1)
    text = text_of(y).text
    assert "extremum" not in text
    assert text.count("maximum(") == 1
    assert text.count("for ") == 2


@pytest.mark.parametrize("name", ["x", "f", "f_1", "np"])
@pytest.mark.parametrize("title", ["f", "np", "njit"])
def test_functions_of_one_text_have_names_of_their_own(name, title):
    """Loops are functions beside the one that is asked for, whatever that and a leaf are called."""
    x = tf.constant([1.0, 2.0], name=name)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x * x)
    text = text_of(tape.gradient(y, x), title).text
    defined = re.findall(r"^def (\w+)", text, re.MULTILINE)
    assert defined[-1] == title
    assert len(set(defined)) == len(defined) == 2
    assert name not in defined[:-1]
    assert not re.search(rf"(?<!\w){title}\.empty|@{title}\(", text)
