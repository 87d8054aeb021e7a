"""Files that are of another form than the documented one, each at one place of a valid one."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from operator import mul
from pathlib import Path
from typing import Any

import sympy as sp

import symtape as tf
from symtape.exchange import operations
from symtape.program.operations import Operation, elementwise
from symtape.program.program import Program
from tests.refusals.misfits import document, reading
from tests.refusals.room import Call, Room

ROOM = Room("document")


def _slope() -> Any:
    x, a = tf.constant([1.0, 2.0]), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sigmoid(a * x) if x[0] > 0.0 else x)
    return tape.gradient(y, x).lambdify([x]).to_json()


FORMULA: str = _slope()
PROGRAM = tf.to_json(tf.trace(lambda x, y: (x * y, 1.0), 2.0, 3.0))
DEFAULT = next(k for k, d in enumerate(json.loads(FORMULA)["defaults"]) if d["name"] == "a")

READ = tf.from_json
GONE = object()


def changed(text: str, *path: Any, to: Any = GONE) -> Call:
    """Read a valid document with another value at one place, or with none there."""
    whole = json.loads(text)
    *above, key = path
    parent = whole
    for name in above:
        parent = parent[name]
    if to is GONE:
        del parent[key]
    else:
        parent[key] = to
    return partial(READ, json.dumps(whole))


formula, program = partial(changed, FORMULA), partial(changed, PROGRAM)

# --- JSON -----------------------------------------------------------------------------------------

ROOM.refuses(
    a_number_in_place_of_a_text=lambda: READ(5),
    nothing_in_place_of_a_text=lambda: READ(None),
    text_that_is_not_JSON=lambda: READ('{"format": }'),
    bytes_that_are_not_UTF8=lambda: READ(b'{"format": "\xff"}'),
    a_nesting_without_end=lambda: READ("[" * 100_000),
    a_key_twice=lambda: READ('{"version": 1, "version": 1}'),
    a_long_key_twice=lambda: READ(f'{{"{"k" * 50}": 1, "{"k" * 50}": 1}}'),
    a_key_of_40_characters_twice=lambda: READ(f'{{"{"k" * 38}": 1, "{"k" * 38}": 1}}'),
    a_key_twice_after_another=lambda: READ('{"a": 1, "version": 1, "version": 1}'),
    a_fraction=formula("output", to=1.5),
    not_a_number=formula("output", to=float("nan")),
    an_integer_of_twenty_characters=formula("output", to=10**19),
    another_object=lambda: READ('{"a": 1}'),
    a_list=lambda: READ("[]"),
)
ROOM.allows(
    text_as_bytes=lambda: READ(FORMULA.encode()),
    text_as_an_array_of_bytes=lambda: READ(bytearray(FORMULA.encode())),
    an_integer_of_nineteen_characters=formula("guards", to=[{"position": 0, "value": -(10**17)}]),
)  # fmt: skip

# --- heads ----------------------------------------------------------------------------------------

ROOM.refuses(
    no_kind=formula("kind"),
    no_version=formula("version"),
    no_author=formula("written_by"),
    another_kind=formula("kind", to="pickle"),
    a_kind_that_is_no_text=formula("kind", to=["formula"]),
    a_later_version=formula("version", to=2),
    version_zero=formula("version", to=0),
    a_version_that_is_true=formula("version", to=True),
    a_negative_version=formula("version", to=-1),
    a_long_author=formula("written_by", to="a" * 201),
    no_steps=formula("steps"),
    an_unknown_key=formula("code", to="import os"),
    an_unknown_key_of_a_step=formula("steps", 0, "code", to=0),
    steps_that_are_an_object=formula("steps", to={}),
    a_step_that_is_a_number=formula("steps", 0, to=7),
    an_operation_that_is_a_text=formula("operations", 0, to="input"),
    an_operation_without_a_kind=formula("operations", 0, to={}),
    an_operation_of_no_kind=formula("operations", 0, "kind", to="eval"),
)
ROOM.allows(an_author_of_200_letters=formula("written_by", to="a" * 200))

# --- programs -------------------------------------------------------------------------------------


def _far(text: str, gap: int) -> Call:
    whole = json.loads(text)
    whole["steps"][-1]["position"] = whole["output"] = len(whole["steps"]) - 1 + gap
    return partial(READ, json.dumps(whole))


ROOM.refuses(
    positions_out_of_order=formula("steps", 1, "position", to=0),
    a_negative_position=formula("steps", 0, "position", to=-1),
    a_position_far_away=_far(FORMULA, 1_000_001),
    an_operation_that_is_not_there=program("steps", 0, "operation", to=9),
    an_operand_that_comes_later=program("steps", 2, "operands", to=[0, 2]),
    an_operand_that_is_a_text=program("steps", 2, "operands", to=["0", 1]),
    a_shape_that_is_not_inferred=program("steps", 2, "shape", to=[9]),
    a_dtype_that_is_not_inferred=program("steps", 2, "dtype", to="float16"),
    a_count_of_recorded_steps_that_are_not_there=program("recorded", to=5),
    a_guard_on_nothing=program("guards", to=[{"position": 4, "value": True}]),
    a_guard_that_is_a_text=program("guards", to=[{"position": 0, "value": "yes"}]),
    a_guard_beyond_all_places=program("guards", to=[{"position": 0, "value": 2**62 + 1}]),
    a_program_with_a_gap=program("steps", 3, "position", to=4),
    arguments_without_results=program("results"),
    results_without_arguments=program("arguments"),
    an_argument_that_is_computed=program("arguments", to=[0, 2]),
    an_argument_that_is_not_there=program("arguments", to=[0, 4]),
    a_result_that_is_not_there=program("results", to=[4]),
    values_that_do_not_fit_in_a_dtype=reading(
        "constant", [], ("int8", ()), number="300", type="int", dtype="int8"),
)  # fmt: skip
ROOM.allows(
    a_position_less_far_away=_far(FORMULA, 1_000_000),
    a_guard_at_the_last_step=program("guards", to=[{"position": 3, "value": True}]),
    a_guard_at_the_largest_place=program("guards", to=[{"position": 0, "value": 2**62}]),
    a_program_of_no_step=lambda: READ(
        document({"kind": "input", "dtype": "float64", "shape": []}, [])
    ),
    every_step_recorded=program("recorded", to=4),
)

# --- formulas -------------------------------------------------------------------------------------

VALUE = ("defaults", DEFAULT, "value")

ROOM.refuses(
    an_output_that_is_not_there=formula("output", to=10**6),
    an_argument_without_a_name=formula("arguments", 0, "name"),
    a_name_that_is_code=formula("arguments", 0, "name", to="x, y=print(1)"),
    a_name_that_is_a_keyword=formula("arguments", 0, "name", to="lambda"),
    a_name_that_Python_keeps=formula("arguments", 0, "name", to="__debug__"),
    a_name_that_Python_reads_as_another=formula("arguments", 0, "name", to="\uff4e\uff50"),
    a_name_of_201_letters=formula("arguments", 0, "name", to="n" * 201),
    a_name_twice=formula("arguments", 0, "name", to="a"),
    a_leaf_twice=formula("arguments", to=[{"name": n, "position": 0} for n in "xy"]),
    a_leaf_that_is_computed=formula("arguments", 0, "position", to=json.loads(FORMULA)["output"]),
    a_leaf_without_a_value=formula("defaults", to=[]),
    an_unknown_backend=formula("backend", to="os.system"),
    a_backend_with_a_long_name=formula("backend", to="b" * 101),
    a_value_that_is_a_number=formula(*VALUE, to=2),
    a_value_of_another_dtype=formula(*VALUE, "dtype", to="float64"),
    a_value_of_another_shape=formula(*VALUE, "shape", to=[1]),
    data_that_are_too_short=formula(*VALUE, "data", to="AAAA"),
    data_that_are_too_long=formula(*VALUE, "data", to="AAAAAAAAA"),
    data_that_are_not_base64=formula(*VALUE, "data", to="!!!!AA=="),
    data_that_end_too_soon=formula(*VALUE, "data", to="AAAAQ"),
    data_with_bits_left_over=formula(*VALUE, "data", to="AAAAQB=="),
)  # fmt: skip
ROOM.allows(
    a_name_of_200_letters=formula("arguments", 0, "name", to="n" * 200),
    other_data=formula(*VALUE, "data", to="AAAAQQ=="),
)


def _truth(data: str) -> Call:
    x, chosen = tf.constant([1.0, 2.0]), tf.constant([True, False])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.where(chosen, x * x, x)
    whole = json.loads(y.lambdify([x]).to_json())
    whole["defaults"][0]["value"]["data"] = data
    return partial(READ, json.dumps(whole))


ROOM.refuses(a_truth_of_2=_truth("AQI="))
ROOM.allows(truths_of_0_and_1=_truth("AAE="), truths_of_1=_truth("AQE="))

# --- fields ---------------------------------------------------------------------------------------


def entering(shape: list[Any]) -> Call:
    """Read a program that only an array enters."""
    return reading("input", [], shape, dtype="float64", shape=shape)


def placed(placement: Any) -> Call:
    """Read a program of one block."""
    return reading("assemble", [(3,)], (3,), shape=[3], placements=[placement])


ALONG = {"exclusive": False, "reverse": False}

ROOM.refuses(
    too_many_axes=entering([1] * 65),
    an_axis_that_is_too_long=entering([2**48 + 1]),
    an_axis_of_negative_length=entering([-1]),
    an_array_that_is_too_large=entering([2**28, 2**28 + 1]),
    an_array_that_is_too_large_beside_a_zero=entering([2**28, 2**28 + 1, 0]),
    an_unknown_dtype=reading("cast", [()], dtype="object"),
    an_axis_of_nothing=reading("cumsum", [(3,)], (3,), axis=0, **ALONG),
    an_axis_before_all=reading("cumsum", [(3,)], (3,), axis=-65, **ALONG),
    a_truth_that_is_a_number=reading("cumsum", [(3,)], (3,), axis=-1, exclusive=0, reverse=False),
    an_index_without_a_letter=reading("einsum", [(2,)], inputs=[[1024]], output=[], sizes=[]),
    a_dtype_of_places_that_is_a_float=reading(
        "position", [(2,)], which="argmax", axis=-1, dtype="float64"),
    a_range_of_two=reading("slice", [(3,)], ranges=[[0, 1]]),
    a_range_that_stands=reading("slice", [(3,)], ranges=[[0, 0, 2]]),
    a_range_of_a_negative_count=reading("slice", [(3,)], ranges=[[0, 1, -1]]),
    a_range_that_begins_far_away=reading("slice", [(3,)], ranges=[[2**48 + 1, 1, 1]]),
    ends_of_a_range_that_are_three=reading(
        "slice", [(3,)], ranges=[[0, 1, 2]], ends=[[True, False, True]]),
    ends_of_a_range_that_are_numbers=reading("slice", [(3,)], ranges=[[0, 1, 2]], ends=[[0, 1]]),
    a_window_of_two=reading("windows", [(3,)], windows=[[2, 1]], after=0),
    a_window_that_stands=reading("windows", [(3,)], windows=[[2, 0, 1]], after=0),
    a_size_of_one_number=reading("einsum", [(2,)], inputs=[[0]], output=[0, 1], sizes=[[1]]),
    a_form_without_an_offset=placed({"counts": [3], "forms": [{"parts": []}]}),
    a_placement_without_forms=placed({"counts": [3]}),
    a_band_of_a_text=reading("band", [(2, 2)], (2, 2), low="0", high=0),
    too_many_axes_after=reading("windows", [(3,)], windows=[], after=65),
    another_part=reading("svd", [(2, 2)], (2,), part="middle"),
)  # fmt: skip
ROOM.allows(
    as_many_axes_as_NumPy_has=entering([1] * 64),
    the_longest_axis=entering([2**48]),
    the_largest_array=entering([2**28, 2**28]),
    the_largest_array_beside_a_zero=entering([2**28, 2**28, 0]),
    a_range_of_nothing=reading("slice", [(3,)], (0,), ranges=[[0, 1, 0]]),
    ends_of_a_range=reading("slice", [(3,)], (2,), ranges=[[0, 1, 2]], ends=[[True, False]]),
    a_range_of_unknown_ends=reading("slice", [(3,)], (2,), ranges=[[0, 1, 2]], ends=[None]),
    the_last_index=reading("einsum", [(2,)], (2,), inputs=[[1023]], output=[1023], sizes=[]),
    a_band_without_borders=reading("band", [(2, 2)], (2, 2), low=None, high=None),
)

# --- numbers --------------------------------------------------------------------------------------


def number(text: Any, kind: str, dtype: str = "float64") -> Call:
    """Read a program of one constant."""
    return reading("constant", [], (dtype, ()), number=text, type=kind, dtype=dtype)


ROOM.refuses(
    a_number_that_is_none=number(1, "int"),
    a_number_of_an_unknown_type=number("1", "text"),
    a_constant_that_is_code=number("__import__(1)", "float"),
    a_float_that_is_none=number("1e", "float"),
    an_integer_with_a_point=number("1.5", "int"),
    an_integer_of_2001_digits=number("1" * 2001, "int"),
    an_integer_with_a_zero_in_front=number("01", "int"),
    a_float_of_too_many_digits=number("0.10", "float"),
    a_float_of_41_characters=number("0." + "1" * 39, "float"),
    a_truth_that_is_small=number("true", "bool", "bool"),
    a_complex_number_that_is_none=number("(1+)", "complex", "complex128"),
    a_rational_by_zero=number("1/0", "rational"),
    a_rational_with_an_exponent=number("1e9", "rational"),
    a_rational_not_in_lowest_terms=number("2/4", "rational"),
)
ROOM.allows(
    an_integer_of_many_digits=number("1" * 300, "int"),
    a_truth=number("True", "bool", "bool"),
    a_rational=number("-1/3", "rational"),
)

# --- elementwise bodies ---------------------------------------------------------------------------


def body(tree: Any, result: str = "same", arity: int = 1, gives: Any = (3,), **own: Any) -> Call:
    """Read a program of one elementwise operation."""
    dtype = "bool" if result == "bool" else "float64"
    whole = {"arity": arity, "result": result, "body": tree, **own}
    return reading("map", [(3,)] * arity, (dtype, gives), **whole)


def nested(depth: int) -> Any:
    """Nest a sine."""
    tree: Any = "a0"
    for _ in range(depth):
        tree = ["sin", tree]
    return tree


CASES = ["Piecewise", ["a0", ["Gt", "a0", 0]], [0, True]]
TOWER = ["Pow", 10, ["Pow", 10, ["Pow", 10, 10]]]
SINE = {"arity": 1, "result": "same", "name": "sin"}

ROOM.refuses(
    no_operand_of_that_name=body("a1"),
    an_unknown_elementwise_operation=reading("map", [(3,)], **{**SINE, "name": "system"}),
    an_elementwise_operation_of_another_arity=reading("map", [(3,)], **{**SINE, "arity": 2}),
    an_elementwise_operation_without_a_name=reading("map", [(3,)], arity=1, result="same"),
    an_elementwise_operation_of_too_many_operands=reading("map", [(3,)], **{**SINE, "arity": 65}),
    an_elementwise_operation_with_another_result=reading(
        "map", [(3,)], **{**SINE, "result": "text"}),
    a_body_that_is_a_truth=body(True),
    a_body_that_is_a_condition=body(["Gt", "a0", 0]),
    a_body_that_is_no_condition=body(["Add", "a0", 1], "bool"),
    a_function_that_is_no_condition=body(["symtape.sigmoid", "a0"], "bool"),
    a_body_that_is_an_object=body({}),
    a_body_that_is_nothing=body(None),
    a_body_that_is_empty=body([]),
    a_head_that_is_a_number=body([1, "a0"]),
    an_unknown_function=body(["Lambda", "a0", "a0"]),
    an_unknown_function_with_a_long_name=body(["L" * 50, "a0"]),
    too_many_parts=body(["exp", "a0", "a0"]),
    too_few_parts=body(["atan2", "a0"]),
    a_truth_in_a_sum=body(["Add", "a0", True]),
    a_number_in_an_alternative=body(["symtape.either", ["Add", "a0", 1], True], "bool"),
    a_case_of_three=body(["Piecewise", ["a0", True, True]]),
    a_case_with_a_truth_as_value=body(["Piecewise", [True, True]]),
    a_case_with_a_number_as_condition=body(["Piecewise", ["a0", 1]]),
    a_case_with_cases_as_condition=body(
        ["Piecewise", ["a0", ["Gt", CASES, 0]]]),
    a_body_that_is_nested_too_deeply=body(nested(65)),
    a_body_that_is_too_long=body(["Add", *["a0"] * 4096]),
    a_fraction_of_three=body(["Rational", "1", "2", "3"]),
    a_fraction_of_numbers=body(["Rational", 1, 2]),
    a_fraction_of_words=body(["Rational", "one", "2"]),
    a_fraction_with_a_zero_in_front=body(["Rational", "01", "2"]),
    a_fraction_by_zero=body(["Rational", "1", "0"]),
    a_fraction_not_in_lowest_terms=body(["Rational", "2", "4"]),
    a_fraction_of_2001_digits=body(["Rational", "1" * 2001, "2"]),
    a_float_of_three=body(["Float", 0, "1", 0]),
    a_float_of_a_negative_mantissa=body(["Float", 0, "-1", 0, 53]),
    a_float_of_too_few_bits=body(["Float", 0, "4", 0, 2]),
    a_float_of_another_sign=body(["Float", 2, "1", 0, 53]),
    a_float_without_bits=body(["Float", 0, "0", 0, 0]),
    a_float_that_explodes=body(["Float", 0, "1", 100_001, 53]),
    a_tower_of_another_shape=body(["Add", "a0", TOWER], gives=(4,)),
    a_tower_that_is_a_misfit=reading(
        "map", [], arity=1, result="same", body=["Add", "a0", TOWER]),
)  # fmt: skip
ROOM.allows(
    a_body_that_is_nested=body(nested(64)),
    a_body_that_is_long=body(["Add", *["a0"] * 4095]),
    a_whole_number_as_a_fraction=body(["Rational", "-3", "1"]),
    a_float_of_just_enough_bits=body(["Float", 1, "3", -100_000, 2]),
    a_body_of_cases=body(CASES),
    a_float_of_zero=body(["Float", 0, "0", 0, 1]),
    a_question_as_a_body=body(["symtape.is_nan", "a0"], "bool"),
    a_truth_as_a_body=body(True, "bool"),
    a_name_that_means_another_body_here=body(["cos", "a0"], name="sin"),
)

# --- what cannot be written -----------------------------------------------------------------------


class Strange(Operation):
    """An operation that no file has."""

    __slots__ = ()


def _written(operation: Operation) -> Any:
    base = tf.trace(lambda x: x * x, 2.0)
    return tf.to_json(Program([base.steps[0], (operation, 0)], [(), ()], base.dtypes))


def _sines(times: int) -> Any:
    def nest(x: Any) -> Any:
        for _ in range(times):
            x = sp.sin(x)
        return x

    return nest


ROOM.refuses(
    another_thing=lambda: tf.to_json(tf.constant(1.0)),
    another_thing_in_a_file=lambda: tf.save(3.0, "/nowhere/thing.json"),
    a_kind_that_no_file_has=lambda: operations.written(Strange()),
    a_body_that_no_file_has=lambda: _written(elementwise("strange_of_a_person", sp.airyai)),
    a_body_that_is_nested_too_deeply_to_be_written=lambda: _written(
        elementwise("deeper_of_a_person", _sines(65))
    ),
    an_operation_without_a_shape=lambda: Strange().infer([], []),
    another_body_of_a_name=lambda: elementwise("sin", lambda x: x**7),
    another_number_in_a_body_of_a_name=lambda: [
        elementwise("scaled", partial(mul, k)) for k in (2, 2, 3)
    ],
)
ROOM.allows(
    a_body_that_is_nested_just_so_deeply_to_be_written=lambda: _written(
        elementwise("deep_of_a_person", _sines(64))
    ),
    results_that_are_none=lambda: READ(tf.to_json(tf.trace(lambda x: (x * x, "a"), 2.0))),
)
ROOM.allows(the_same_body_again=lambda: [elementwise("own", lambda x: x**7) for _ in range(2)])


def _listing(content: bytes) -> Call:
    """Read a folder's list of checkpoints."""

    def run() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "checkpoint").write_bytes(content)
            return tf.train.get_checkpoint_state(folder)

    return run


ROOM.refuses(
    a_list_of_checkpoints_that_is_no_text=_listing(b'model_checkpoint_path: "\xff"\n'),
    a_list_of_checkpoints_with_another_key=_listing(b'model_path: "a"\n'),
    a_list_of_checkpoints_with_other_lines=_listing(b'model_checkpoint_path: "a"\nalso\n'),
    a_list_of_checkpoints_whose_path_is_a_number=_listing(b"model_checkpoint_path: 3\n"),
    a_list_of_checkpoints_whose_time_is_a_text=_listing(b'last_preserved_timestamp: "3"\n'),
    a_list_of_checkpoints_whose_time_is_no_number=_listing(b"last_preserved_timestamp: soon\n"),
    a_list_of_checkpoints_whose_path_has_no_such_sign=_listing(b'model_checkpoint_path: "\\q"\n'),
)
ROOM.allows(
    an_empty_list_of_checkpoints=_listing(b""),
    a_list_of_checkpoints=_listing(
        b'model_checkpoint_path: "a"\nall_model_checkpoint_paths: "a"\n'
        b"all_model_checkpoint_timestamps: 1.5\nlast_preserved_timestamp: -1e3\n"
    ),
)
