"""What cannot be compiled, called, exported or run."""

from __future__ import annotations

import json
import pickle
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.calculus.batching import batched
from symtape.calculus.derive import pullback
from symtape.calculus.slopes import Pull
from symtape.cli import script
from symtape.codegen.libraries import writers
from symtape.codegen.loops import numba_words
from symtape.codegen.loops.c import library as c_library
from symtape.codegen.loops.c.code import CSource
from symtape.codegen.scope import Scope
from symtape.compiled import bundle
from symtape.compiled.exported import _taken
from symtape.extras import imported
from symtape.forms.index.entry import index_expression
from symtape.kernels import source
from symtape.kernels.nodes import Slot, Variable, Word, as_node
from symtape.kernels.special import scipy_functions
from symtape.program.evaluation.evaluation import evaluate
from symtape.program.evaluation.symbolic import Symbolic
from symtape.program.functions.scalar import KINDS, Kind
from symtape.program.operations import Input, Operation, elementwise
from symtape.program.program import Builder, Program
from symtape.stand_in.finder import Finder
from symtape.tensor.dispatch import apply1
from tests.refusals.misfits import document
from tests.refusals.readings import HELD
from tests.refusals.room import Call, Room

ROOM = Room("formula")


def compiled(f: Any, *values: Any, backend: Any = "numpy", dtype: Any = np.float64) -> Any:
    """Compile the result of a function of arrays."""
    xs = [tf.constant(np.asarray(v, dtype)) for v in values]
    HELD[:] = xs
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    return y.lambdify(xs, backend=backend)


def square(x: Any) -> Any:
    """Be a function of one number."""
    return x * x


# --- backends -------------------------------------------------------------------------------------

ROOM.refuses(
    a_backend_that_is_not_there=lambda: compiled(square, 1.0, backend="fortran"),
    a_namespace_that_is_not_there=lambda: compiled(square, 1.0, backend="array_api:nothing"),
    a_backend_that_is_a_number=lambda: compiled(square, 1.0, backend=3),
    a_backend_that_is_nothing=lambda: compiled(square, 1.0, backend=None),
    arrays_for_the_math_backend=lambda: compiled(square, [1.0, 2.0], backend="math"),
    many_arrays_for_the_math_backend=lambda: compiled(
        lambda *xs: sum(tf.reduce_sum(x) for x in xs),
        *[np.ones(n) for n in range(2, 8)],
        backend="math",
    ),
    a_function_that_math_does_not_have=lambda: compiled(tf.math.bessel_i0, 1.0, backend="math"),
    a_function_of_complex_numbers_that_math_does_not_have=lambda: compiled(
        tf.math.log1p, 1j, backend="math", dtype=np.complex128
    ),
    half_precision_in_c=lambda: compiled(square, 1.0, backend="c", dtype=np.float16),
    an_eigenvalue_in_c=lambda: compiled(tf.linalg.eigvalsh, np.eye(2), backend="c"),
    a_special_function_in_c=lambda: compiled(tf.math.polygamma, 1.0, 2.0, backend="c"),
    a_sigmoid_of_complex_numbers_in_c=lambda: compiled(
        tf.math.log1p, 1j, backend="c", dtype=np.complex64
    ),
)


def of_file(
    operation: dict[str, Any], backend: str, dtype: str = "float64", shape: Any = (), **how: Any
) -> Call:
    """Write code for a formula of one operation that only a file can have."""
    whole = json.loads(document(operation, [(dtype, shape)], how.get("gives", (dtype, shape))))
    own = {
        "kind": "formula",
        "output": 1,
        "arguments": [{"name": "x", "position": 0}],
        "defaults": [],
        "backend": backend,
    }
    text = json.dumps({**whole, **own})
    return lambda: tf.from_json(text).source


def of_body(body: Any, backend: str, dtype: str, result: str = "same") -> Call:
    """Write code for an elementwise operation that only a file can have."""
    whole = {"kind": "map", "arity": 1, "result": result, "body": body}
    gives = ("bool" if result == "bool" else dtype, ())
    return of_file(whole, backend, dtype, gives=gives)


ROOM.refuses(
    a_step_that_math_does_not_have=of_file({"kind": "slice", "ranges": []}, "math"),
    a_fraction_of_whole_numbers_in_c=of_body(
        ["Add", "a0", ["Rational", "1", "2"]], "c", "int32"
    ),
    the_order_of_complex_numbers_in_c=of_body(["Gt", "a0", 0], "c", "complex128", "bool"),
    the_sign_of_complex_numbers_in_c=of_body(["symtape.relu", "a0"], "c", "complex128"),
    the_largest_of_complex_numbers_in_c=of_file(
        {"kind": "extremum", "which": "max", "axes": [-1]}, "c", "complex128", (3,),
        gives=("complex128", ())),
    a_step_of_complex_numbers_in_c=of_body(["symtape.step", "a0"], "c", "complex128"),
    a_function_that_c_does_not_have=of_body(["gamma", "a0"], "c", "float64"),
    half_precision_in_numba=lambda: numba_words.type_name(np.dtype(np.float16)),
    an_index_of_numba_below_all=lambda: numba_words.checked(-1, 3),
    an_index_of_numba_beyond_all=lambda: numba_words.checked(3, 3),
)  # fmt: skip
ROOM.allows(
    the_last_index_of_numba=lambda: numba_words.checked(2, 3),
    the_first_index_of_numba=lambda: numba_words.checked(0, 3),
    complex_numbers_that_are_equal_in_c=of_body(["Eq", "a0", 0], "c", "complex128", "bool"),
)

# --- operations without a rule --------------------------------------------------------------------


class Foreign(Operation):
    """An operation that no table has."""

    __slots__ = ()

    def infer(self, shapes: Any, dtypes: Any) -> Any:
        """Keep shape and dtype."""
        return shapes[0], dtypes[0]


FOREIGN = Foreign()
PROGRAM = Program([(Input("float64", ()),), (FOREIGN, 0)], [(), ()], [np.dtype("float64")] * 2)
SEGMENTS = tf.from_json(
    document(
        {"kind": "segment_extremum", "which": "max", "after": 0, "count": 3},
        [(3,), ("int64", (3,))],
        (3,),
    )
)
TWIN = Kind("sigmoid", lambda x: x, (), flat=False)


POLYGAMMA = Word("special").polygamma
V1, V2 = Variable("v1"), Variable("v2")


def step(*given: Any) -> Any:
    """Give a step for a library of arrays that knows two orders of one function."""
    library = types.SimpleNamespace(
        name="moon",
        prefix="np",
        xp=np,
        special=["polygamma"],
        static=["polygamma"],
        orders={"polygamma": 2},
    )
    return types.SimpleNamespace(library=library, nodes=given)


AIRY = elementwise("airy_of_a_person", sp.airyai)

ROOM.refuses(
    a_slope_of_a_foreign_operation=lambda: pullback(
        Builder(PROGRAM), Pull(FOREIGN, [0], 1, 0, [0])
    ),
    an_exact_value_of_a_foreign_operation=lambda: evaluate(
        PROGRAM, [1], {0: 1}, Symbolic(exact=True)
    ),
    an_entry_of_a_foreign_operation=lambda: index_expression(PROGRAM, 1, {0: "x"}),
    code_of_NumPy_for_a_foreign_operation=lambda: source.code(FOREIGN, []),
    code_of_a_library_for_a_foreign_operation=lambda: writers.expression(
        types.SimpleNamespace(operation=FOREIGN, nodes=[], xp=Word("np"))
    ),
    rows_of_a_foreign_operation=lambda: batched(PROGRAM, [0], [0], 3),
    rows_with_segments_of_their_own=lambda: batched(SEGMENTS, [0, 1], [0], 2),
    a_function_that_travels_under_the_name_of_another=lambda: pickle.dumps(TWIN),
    a_function_that_no_library_has=lambda: writers.check_words(Word("nothing")(V1), step()),
    an_order_that_no_number_is=lambda: writers.check_words(POLYGAMMA(V1, V2), step()),
    an_order_beyond_the_last=lambda: writers.check_words(POLYGAMMA(3, V2), step()),
    an_order_beyond_the_last_that_is_given=lambda: writers.check_words(
        POLYGAMMA(Slot(0), V2), step(as_node(3))
    ),
    a_foreign_body=lambda: apply1(AIRY, tf.constant(1.0)),
)
ROOM.allows(
    rows_with_the_same_segments=lambda: batched(SEGMENTS, [0], [0], 2),
    the_last_order=lambda: writers.check_words(POLYGAMMA(2, V2), step()),
    a_function_that_travels=lambda: pickle.dumps(KINDS["sigmoid"]),
)

# --- compilers ------------------------------------------------------------------------------------


def told(status: int) -> Call:
    """Call a compiled function that ends with a status."""
    library = types.SimpleNamespace(f=lambda: status)
    ffi = types.SimpleNamespace(from_buffer=None)
    made = c_library.caller(CSource("f", "", "", ()), c_library.Library(ffi, library))
    return made


def built(compiler: str | None) -> Call:
    """Compile where there is a compiler that does nothing but this, or none."""

    def run() -> Any:
        interface = types.ModuleType("cffi")
        vars(interface)["FFI"] = types.SimpleNamespace
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", folder)
            patch.setitem(sys.modules, "cffi", interface)
            if compiler is not None:
                (Path(folder) / "cc").write_text(compiler)
                (Path(folder) / "cc").chmod(0o700)
            return c_library.build([])

    return run


ROOM.refuses(
    a_call_of_compiled_code_without_memory=told(1),
    a_call_of_compiled_code_out_of_range=told(2),
    a_call_of_compiled_code_of_a_singular_matrix=told(3),
    a_machine_without_a_compiler=built(None),
    a_compiler_that_refuses=built("#!/bin/sh\necho it is broken >&2\nexit 1\n"),
    a_library_that_is_not_installed=lambda: imported("no_such_module", "a flight", "moon"),
    a_function_of_SciPy_that_Python_does_not_have=lambda: scipy_functions._from_math("nothing"),
)
ROOM.allows(a_call_of_compiled_code=told(0))

# --- libraries of arrays --------------------------------------------------------------------------


def lacking(*names: str) -> Any:
    """Make a module that has what NumPy has, but for some names."""
    small = types.ModuleType("small_library")
    own = {n: getattr(np, n) for n in dir(np) if n not in names and not n.startswith("_")}
    vars(small).update(own)
    sys.modules["small_library"] = small
    return small


ROOM.refuses(
    a_library_without_a_function=lambda: compiled(tf.atan, 1.0, backend=lacking("atan", "arctan")),
    a_library_without_running_products=lambda: compiled(
        tf.math.cumprod, [1.0, 2.0], backend=lacking("cumulative_prod")
    )([1.0, 2.0]),
    a_library_without_Bessel_functions=lambda: compiled(tf.math.bessel_i0, 1.0, backend=lacking()),
    a_library_without_eigenvalues=lambda: compiled(tf.linalg.eigvals, np.eye(2), backend=lacking()),
    a_library_without_roots_of_matrices=lambda: compiled(
        tf.linalg.sqrtm, np.eye(2), backend=lacking()
    ),
    an_order_that_is_an_array=lambda: compiled(
        tf.math.polygamma, [1.0, 2.0], [1.0, 2.0], backend=lacking()
    ),
    a_place_that_is_not_there=lambda: placed(2),
    a_place_before_all=lambda: placed(-3),
    the_last_place_from_behind=lambda: placed(-2),
)


def placed(last: int) -> Any:
    """Add a slope at a place with a library that has no such function."""
    x, places = tf.constant([1.0, 2.0]), tf.constant([0, 1])
    HELD[:] = [x, places]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.gather(x * x, places))
    slope = tape.gradient(y, x)
    return slope.lambdify(HELD, backend=lacking())([1.0, 2.0], np.array([0, last], np.int32))


ROOM.allows(
    a_place_that_is_there=lambda: placed(1),
)

# --- derivatives ----------------------------------------------------------------------------------


ROOM.refuses(
    a_slope_by_an_order=lambda: tf.grad(lambda a: tf.math.polygamma(a, 2.0) + a)(1.0),
    a_slope_by_an_order_along_a_direction=lambda: tf.jvp(
        lambda a: tf.math.polygamma(a, 2.0) + a, (1.0,), (1.0,)
    ),
    a_slope_of_a_full_qr=lambda: tf.grad(
        lambda a: tf.reduce_sum(tf.linalg.qr(a, full_matrices=True)[0])
    )(np.arange(6.0).reshape(3, 2) ** 2),
    a_slope_of_a_full_svd=lambda: tf.grad(
        lambda a: tf.reduce_sum(tf.linalg.svd(a, full_matrices=True)[1])
    )(np.arange(8.0).reshape(4, 2) ** 2),
)
ROOM.allows(
    a_slope_of_a_square_qr_that_is_full=lambda: tf.grad(
        lambda a: tf.reduce_sum(tf.linalg.qr(a, full_matrices=True)[0])
    )(np.eye(2) + 1.0),
    a_slope_of_a_full_svd_of_one_row_more=lambda: tf.grad(
        lambda a: tf.reduce_sum(tf.linalg.svd(a, full_matrices=True)[1])
    )(np.arange(6.0).reshape(3, 2) ** 2),
)

# --- calls ----------------------------------------------------------------------------------------

ADDED = compiled(lambda x, y: x[0] * y, [1.0, 2.0], 3.0)
FORKED = compiled(lambda x: x * x if x > 0.0 else x, 1.0)
INVERTED = compiled(tf.linalg.inv, np.eye(2))
TEXT = FORKED.to_json()

ROOM.refuses(
    too_few_arguments=lambda: ADDED([1.0, 2.0]),
    too_many_arguments=lambda: ADDED([1.0, 2.0], 3.0, 4.0),
    an_unknown_argument=lambda: ADDED([1.0, 2.0], 3.0, z=1.0),
    an_argument_of_another_shape=lambda: ADDED([1.0, 2.0, 3.0], 3.0),
    an_argument_that_is_complex=lambda: ADDED([1.0, 2.0], 1j),
    an_argument_by_name_of_another_shape=lambda: ADDED(np.ones(2), **{_name(ADDED, 1): np.ones(2)}),
    an_argument_twice=lambda: ADDED([1.0, 2.0], 3.0, **{_name(ADDED, 1): 3.0}),
    an_argument_by_two_names=lambda: mended()(fi_1=1.0, **{"fi 1": 1.0}),
    another_branch=lambda: FORKED(-1.0),
    another_branch_of_a_file=lambda: tf.from_json(TEXT)(-1.0),
    a_file_of_another_namespace=lambda: compiled(square, 1.0, backend=np).to_json(),
    an_inverse_of_nan=lambda: INVERTED(np.full((2, 2), np.nan)),
    a_solution_of_nan=lambda: tf.linalg.solve(tf.fill([2, 2], np.nan), tf.ones([2, 1])),
    factors_of_zeros=lambda: tf.linalg.lu(tf.zeros([2, 2])),
)
ROOM.allows(
    a_call_of_whole_numbers=lambda: ADDED([1, 2], 3),
    a_call_by_name=lambda: ADDED([1.0, 2.0], **{_name(ADDED, 1): 3.0}),
    the_same_branch=lambda: FORKED(0.5),
)


def mended() -> Any:
    """Compile a formula of a leaf whose name is no name of an argument."""
    x = tf.constant(2.0, name="fi 1")
    HELD[:] = [x]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return y.lambdify([x])


def _name(formula: Any, k: int) -> str:
    return list(formula.signature.parameters)[k]


# --- modules --------------------------------------------------------------------------------------


def exported(formula: Callable[[], Any], **how: Any) -> Call:
    """Export a formula into a folder that is forgotten."""

    def run() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            formula().export(Path(folder) / how.pop("file", "f.py"), **how)

    return run


ROOM.refuses(
    an_export_to_a_file_whose_name_is_no_function=lambda: FORKED.export("my-formula.py"),
    an_export_under_a_name_with_a_blank=lambda: FORKED.export("f.py", name="my formula"),
    an_export_under_the_name_of_a_keyword=lambda: FORKED.export("f.py", name="lambda"),
    an_export_with_quotes=exported(lambda: FORKED, doc='It is """here"""'),
    an_export_with_a_backslash=exported(lambda: FORKED, doc="\\"),
    an_export_of_bfloat16=exported(lambda: compiled(square, 1.0, dtype=tf.bfloat16.numpy)),
    an_argument_of_a_module_of_another_shape=lambda: _taken("x", np.ones(2), "float64", (3,)),
    an_argument_of_a_module_of_another_dtype=lambda: _taken("x", 1j, "float64", ()),
    a_name_that_no_module_has=lambda: bundle.Bundle(Scope([]), "f").need(
        "symtape.kernels.special.functions", "nothing"
    ),
    a_name_of_a_library_that_no_module_has=lambda: bundle.Bundle(Scope([]), "f").need(
        "symtape.exact.digits", "mpmath"
    ),
)
ROOM.allows(
    an_export=exported(lambda: FORKED),
    an_argument_of_a_module=lambda: _taken("x", [1, 2, 3], "float64", (3,)),
)

# --- scripts --------------------------------------------------------------------------------------


def read(name: str, data: bytes) -> Call:
    """Read a file of some bytes."""

    def run() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / name).write_bytes(data)
            return script.read(f"{folder}/{name}")

    return run


CELLS = b'{"cells": [{"cell_type": "code", "source": "x"}], "metadata": {"kernelspec": '

ROOM.refuses(
    a_script_with_null_bytes=read("f.py", b"x = 1\0"),
    a_page_that_is_not_UTF8=read("f.md", b"\xff"),
    a_notebook_that_is_not_JSON=read("f.ipynb", b"x = 1"),
    a_notebook_that_is_nested_without_end=read("f.ipynb", b"[" * 100_000),
    a_notebook_without_cells=read("f.ipynb", b"{}"),
    a_notebook_that_is_a_list=read("f.ipynb", b"[]"),
    a_notebook_of_cells_without_a_source=read("f.ipynb", b'{"cells": [{"cell_type": "code"}]}'),
    a_notebook_in_another_language=read("f.ipynb", CELLS + b'{"language": "Julia"}}}'),
    a_module_of_TensorFlow_that_is_not_there=lambda: find("tensorflow.sinus"),
    a_function_of_TensorFlow_as_a_module=lambda: find("tensorflow.sin"),
)
ROOM.allows(
    a_notebook_in_Python=read("f.ipynb", CELLS + b'{"language": "python"}}}'),
    a_module_of_TensorFlow=lambda: find("tensorflow.math"),
)


def find(name: str) -> Any:
    """Look a module of TensorFlow's up."""
    return Finder().find_spec(name, None)
