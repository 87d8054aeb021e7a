"""Files whose operations do not take their operands, and files whose operations just do."""

from __future__ import annotations

import json
from typing import Any

import symtape as tf
from tests.refusals.room import Call, Room

ROOM = Room("misfit")

HEAD = {"format": "symtape", "version": 1, "kind": "program", "written_by": "a person"}
WHOLE = "int64"


def document(operation: dict[str, Any], operands: list[Any], gives: Any = ()) -> str:
    """Write a program of one operation; an operand is a shape, or a pair of dtype and shape."""
    table, steps = [], []
    for k, operand in enumerate([*operands, gives]):
        is_pair = len(operand) == 2 and isinstance(operand[0], str)
        dtype, shape = operand if is_pair else ("float64", operand)
        last = k == len(operands)
        made = operation if last else {"kind": "input", "dtype": dtype, "shape": list(shape)}
        table.append(made)
        steps.append(
            {
                "position": k,
                "operation": k,
                "operands": list(range(k)) if last else [],
                "shape": list(shape),
                "dtype": dtype,
            }
        )
    body = {"operations": table, "steps": steps, "recorded": 0, "guards": []}
    return json.dumps({**HEAD, **body})


def reading(kind: str, operands: list[Any], gives: Any = (), /, **own: Any) -> Call:
    """Read a program of one operation."""
    text = document({"kind": kind, **own}, operands, gives)
    return lambda: tf.from_json(text)


# --- how many operands ----------------------------------------------------------------------------

ROOM.refuses(
    one_operand_too_few=reading("cholesky", []),
    one_operand_too_many=reading("cholesky", [(2, 2), (2, 2)]),
    a_sum_of_nothing=reading("add_n", []),
    an_elementwise_operation_of_nothing=reading("map", [], arity=0, result="same", body=3),
    a_product_of_shapes_that_do_not_broadcast=reading(
        "map", [(2,), (3,)], arity=2, result="same", name="multiply"
    ),
    a_sum_of_shapes_that_do_not_broadcast=reading("add_n", [(2, 1), (2, 3), (4,)]),
    a_recurrence_of_shapes_that_do_not_broadcast=reading(
        "recurrence", [(2,), (3,)], axis=-1, reverse=False
    ),
    a_transform_of_real_numbers=reading("fourier", [(2,)], (2,), axis=-1, sign="-"),
    a_transform_of_nothing=reading("fourier", [("complex128", (0,))], (0,), axis=-1, sign="-"),
    a_transform_along_no_axis=reading("fourier", [("complex128", (2,))], (2,), axis=-2, sign="-"),
    an_einsum_of_nothing=reading("einsum", [], inputs=[], output=[], sizes=[]),
)
ROOM.allows(
    a_sum_of_one=reading("add_n", [(2,)], (2,)),
    a_sum_that_broadcasts=reading("add_n", [(2, 1), (2, 3), ()], (2, 3)),
    a_row_of_one=reading("concat", [(2,)], (2,), axis=-1),
)

# --- products -------------------------------------------------------------------------------------

ROOM.refuses(
    einsum_of_too_many_axes=reading("einsum", [(3, 3)], inputs=[[0]], output=[0], sizes=[]),
    einsum_of_two_sizes=reading(
        "einsum", [(2,), (3,)], inputs=[[0], [0]], output=[0], sizes=[]),
    einsum_of_two_sizes_of_one_operand=reading(
        "einsum", [(2, 3)], inputs=[[0, 0]], output=[0], sizes=[]),
    einsum_of_a_negative_size=reading(
        "einsum", [(2,)], inputs=[[0]], output=[0, 1], sizes=[[1, -1]]),
    einsum_without_the_size_of_an_index=reading(
        "einsum", [(2,)], inputs=[[0]], output=[0, 1], sizes=[]),
    einsum_with_the_size_of_an_index_it_knows=reading(
        "einsum", [(2,)], inputs=[[0]], output=[0], sizes=[[0, 2]]),
    einsum_with_one_size_twice=reading(
        "einsum", [(2,)], inputs=[[0]], output=[0, 1], sizes=[[1, 2], [1, 2]]),
)  # fmt: skip
ROOM.allows(
    einsum_of_a_size_of_zero=reading(
        "einsum", [(2,)], (2, 0), inputs=[[0]], output=[0, 1], sizes=[[1, 0]]),
    einsum_of_two_new_indices=reading(
        "einsum", [(2,)], (5, 2, 4), inputs=[[0]], output=[2, 0, 1], sizes=[[2, 5], [1, 4]]),
)  # fmt: skip

# --- axes -----------------------------------------------------------------------------------------

ALONG = {"exclusive": False, "reverse": False}

ROOM.refuses(
    an_axis_twice=reading("product", [(2, 3)], axes=[-1, -1]),
    a_count_along_no_axis=reading("count", [(2, 3)], axes=[-3]),
    an_extremum_along_no_axis=reading("extremum", [(2, 3)], which="max", axes=[-1, -3]),
    a_position_along_no_axis=reading(
        "position", [(2,)], which="argmax", axis=-2, dtype="int64"),
    running_sums_of_a_number=reading("cumsum", [()], axis=-1, **ALONG),
    running_products_along_no_axis=reading("cumprod", [(2,)], axis=-2, **ALONG),
    a_recurrence_along_no_axis_of_the_second=reading(
        "recurrence", [(2, 3), (3,)], (2, 3), axis=-2, reverse=False),
    rows_that_differ_in_other_axes=reading("concat", [(2, 3), (2, 4)], axis=-2),
    rows_that_differ_after_the_axis=reading("concat", [(2, 3, 2), (2, 3, 1)], axis=-2),
    rows_of_other_ranks=reading("concat", [(2, 3), (3,)], axis=-1),
)  # fmt: skip
ROOM.allows(
    all_axes=reading("product", [(2, 3)], (), axes=[-2, -1]),
    no_axes=reading("product", [(2, 3)], (2, 3), axes=[]),
    the_first_axis=reading("cumsum", [(2, 3)], (2, 3), axis=-2, **ALONG),
    rows_of_other_lengths=reading("concat", [(2, 3), (5, 3)], (7, 3), axis=-2),
)

# --- shapes and ranges ----------------------------------------------------------------------------

ROOM.refuses(
    a_reshape_of_other_axes=reading("reshape", [(3, 2)], old=[2, 3], new=[6]),
    a_reshape_of_more_axes=reading("reshape", [(6,)], old=[1, 6], new=[6]),
    a_reshape_to_another_size=reading("reshape", [(2, 3)], old=[2, 3], new=[5]),
    a_slice_of_too_many_axes=reading("slice", [(3,)], ranges=[[0, 1, 1], [0, 1, 3]]),
    a_slice_one_beyond_the_end=reading("slice", [(3,)], ranges=[[1, 1, 3]]),
    a_slice_one_before_the_start=reading("slice", [(3,)], ranges=[[1, -1, 3]]),
    a_slice_that_begins_after_the_end=reading("slice", [(3,)], ranges=[[3, -1, 2]]),
    a_slice_with_the_ends_of_another=reading(
        "slice", [(3,)], ranges=[[0, 1, 2]], ends=[None, [True, True]]
    ),
    an_embedding_with_the_ends_of_another=reading(
        "embed", [(2,)], ranges=[[0, 1, 2]], sizes=[3], ends=[None, [True, True]]
    ),
    an_embedding_of_other_axes=reading("embed", [(2,)], ranges=[[0, 1, 2]], sizes=[3, 3]),
    an_embedding_of_another_count=reading("embed", [(2,)], ranges=[[0, 1, 3]], sizes=[3]),
    an_embedding_beyond_the_end=reading("embed", [(2,)], ranges=[[0, 3, 2]], sizes=[3]),
)
ROOM.allows(
    a_reshape_of_the_last_axes=reading("reshape", [(5, 2, 3)], (5, 6), old=[2, 3], new=[6]),
    a_reshape_of_a_number=reading("reshape", [()], (1,), old=[], new=[1]),
    a_slice_to_the_end=reading("slice", [(3,)], (2,), ranges=[[0, 2, 2]]),
    a_slice_to_the_start=reading("slice", [(3,)], (2,), ranges=[[2, -2, 2]]),
    a_slice_of_nothing_outside=reading("slice", [(3,)], (0,), ranges=[[9, 1, 0]]),
    a_slice_of_every_axis=reading("slice", [(3, 3)], (1, 2), ranges=[[0, 1, 1], [0, 2, 2]]),
    an_embedding_to_the_end=reading("embed", [(2,)], (3,), ranges=[[0, 2, 2]], sizes=[3]),
)

# --- places ---------------------------------------------------------------------------------------


def picked(after: int = 0, between: int = 0, batch: int = 0) -> dict[str, int]:
    """Write the numbers of axes of a choice of elements."""
    return {"after": after, "between": between, "batch": batch}


ROOM.refuses(
    places_that_are_floats=reading("gather", [(3,), (2,)], (2,), **picked()),
    places_that_are_truths=reading("gather", [(3,), ("bool", (2,))], (2,), **picked()),
    places_in_a_number=reading("gather", [(), (WHOLE, (2,))], (2,), **picked()),
    places_with_one_axis_too_many_after=reading(
        "gather", [(3,), (WHOLE, (2,))], (2,), **picked(after=1)),
    places_with_one_axis_too_many_between=reading(
        "gather", [(3,), (WHOLE, (2,))], (2,), **picked(between=1)),
    places_with_one_axis_too_many_in_the_batch=reading(
        "gather", [(3,), (WHOLE, (2,))], (2,), **picked(batch=1)),
    places_of_another_batch=reading(
        "gather", [(4, 3), (WHOLE, (2,))], (4,), **picked(batch=1)),
    updates_at_floats=reading("scatter", [(3,), (3,)], (5,), **picked(), size=5),
    updates_of_another_number=reading("scatter", [(3,), (WHOLE, (2,))], (5,), **picked(), size=5),
    updates_of_too_few_axes=reading(
        "scatter", [(3,), (WHOLE, (3,))], (5,), **picked(between=1), size=5),
    updates_of_fewer_axes_than_come_after=reading(
        "scatter", [(3,), (WHOLE, ())], (5,), **picked(after=2), size=5),
    updates_with_fewer_places_than_the_batch=reading(
        "scatter", [(3, 2), (WHOLE, (3,))], (3,), **picked(batch=2), size=5),
    updates_of_another_batch=reading(
        "scatter", [(3, 2), (WHOLE, (4, 2))], (3, 5), **picked(batch=1), size=5),
    rows_numbered_by_floats=reading(
        "segment_extremum", [(3,), (3,)], (2,), which="max", after=0, count=2),
    rows_without_an_axis=reading(
        "segment_extremum", [(3,), (WHOLE, (3,))], (2,), which="max", after=1, count=2),
    rows_of_another_number=reading(
        "segment_extremum", [(3, 2), (WHOLE, (2,))], (2, 2), which="max", after=1, count=2),
)  # fmt: skip
ROOM.allows(
    places_of_every_axis=reading(
        "gather", [(4, 5, 3, 2), (WHOLE, (4, 6))], (4, 5, 6, 2), **picked(1, 1, 1)),
    updates_of_every_axis=reading(
        "scatter", [(4, 5, 6, 2), (WHOLE, (4, 6))], (4, 5, 3, 2), **picked(1, 1, 1), size=3),
    places_that_are_unsigned=reading("gather", [(3,), ("uint8", (2,))], (2,), **picked()),
    an_update_without_places=reading("scatter", [(), (WHOLE, ())], (5,), **picked(), size=5),
    rows_of_the_first_axis=reading(
        "segment_extremum", [(3, 2), (WHOLE, (3,))], (4, 2), which="min", after=1, count=4),
)  # fmt: skip

# --- windows and blocks ---------------------------------------------------------------------------

TWO = [[2, 1, 1], [2, 1, 1]]


def block(counts: list[int], *forms: tuple[int, list[list[int]]]) -> dict[str, Any]:
    """Write where a block stands: its sizes, and for each axis an offset and its parts."""
    return {"counts": counts, "forms": [{"offset": o, "parts": p} for o, p in forms]}


def assembled(operands: list[Any], gives: Any, *blocks: Any) -> Call:
    """Read a sum of blocks."""
    return reading("assemble", operands, gives, shape=list(gives), placements=list(blocks))


LINE = (0, [[1, 0]])

ROOM.refuses(
    windows_on_too_many_axes=reading("windows", [(3,)], (2, 2), windows=TWO, after=0),
    windows_with_too_many_axes_after=reading(
        "windows", [(3,)], (2, 2), windows=[[2, 1, 1]], after=1),
    overlaps_of_other_axes=reading("overlap", [(2, 2)], (3, 3), windows=TWO, sizes=[3], after=0),
    overlaps_of_another_number=reading(
        "overlap", [(3, 2)], (3,), windows=[[2, 1, 1]], sizes=[3], after=0),
    overlaps_with_too_many_axes_after=reading(
        "overlap", [()], (3,), windows=[[2, 1, 1]], sizes=[3], after=1),
    blocks_without_a_placement=assembled([(3,), (3,)], (3,), block([3], LINE)),
    a_block_without_a_form=assembled([(3,)], (3, 3), block([3], LINE)),
    a_block_with_an_index_of_no_form=assembled([(3, 2)], (3,), block([3, 2], LINE)),
    a_block_with_a_form_of_no_index=assembled([(3,)], (3,), block([3], (0, [[1, 0], [0, 1]]))),
    a_block_of_another_size=assembled([(2,)], (3,), block([3], LINE)),
    a_block_of_more_axes=assembled([(1, 3)], (3,), block([3], LINE)),
    a_block_before_the_start=assembled([(3,)], (3,), block([3], (-1, [[1, 0]]))),
    a_block_backwards_before_the_start=assembled([(3,)], (3,), block([3], (1, [[-1, 0]]))),
    a_block_one_beyond_the_end=assembled([(3,)], (5,), block([3], (1, [[2, 0]]))),
    a_block_at_a_place_outside=assembled([()], (3,), block([], (3, []))),
)  # fmt: skip
ROOM.allows(
    windows_on_all_axes=reading(
        "windows", [(3, 4)], (2, 2, 4), windows=[[2, 1, 1]], after=1),
    windows_that_do_not_fit_once=reading("windows", [(3,)], (0, 4), windows=[[4, 1, 1]], after=0),
    overlaps_of_all_axes=reading(
        "overlap", [(2, 2, 4)], (3, 4), windows=[[2, 1, 1]], sizes=[3], after=1),
    overlaps_of_no_axes=reading("overlap", [(3,)], (3,), windows=[], sizes=[], after=1),
    a_block_that_broadcasts=assembled([(1,)], (3,), block([3], LINE)),
    a_block_of_fewer_axes=assembled([()], (3,), block([3], LINE)),
    a_block_from_start_to_end=assembled([(3,)], (5,), block([3], (0, [[2, 0]]))),
    a_block_backwards=assembled([(3,)], (3,), block([3], (2, [[-1, 0]]))),
    a_block_of_nothing_outside=assembled([(0,)], (3,), block([0], (9, [[1, 0]]))),
    a_block_at_the_last_place=assembled([()], (3,), block([], (2, []))),
)  # fmt: skip

# --- matrices -------------------------------------------------------------------------------------

BAND = {"low": 0, "high": 0}
FULL = {"form": "full", "adjoint": False}

ROOM.refuses(
    a_band_of_a_vector=reading("band", [(3,)], (3,), **BAND),
    a_decomposition_of_a_vector=reading("svd", [(3,)], (3,), part="values"),
    a_decomposition_of_whole_numbers=reading(
        "qr", [(WHOLE, (2, 2))], (WHOLE, (2, 2)), part="orthogonal"),
    a_root_of_whole_numbers=reading(
        "matrix_function", [(WHOLE, (2, 2))], (WHOLE, (2, 2)), name="sqrt"),
    an_inverse_of_no_square=reading("inverse", [(2, 3)], (3, 2)),
    a_determinant_of_no_square=reading("determinant", [(3, 2)], part="value"),
    a_system_of_no_square=reading("solve", [(2, 3), (2, 1)], (3, 1), **FULL),
    a_system_of_two_diagonals=reading(
        "solve", [(2, 2), (2, 1)], (2, 1), form="tridiagonal", adjoint=False
    ),
    a_system_of_one_line_of_diagonals=reading(
        "solve", [(3,), (3, 1)], (3, 1), form="tridiagonal", adjoint=False
    ),
    a_system_with_a_vector=reading("solve", [(2, 2), (2,)], (2,), **FULL),
    a_system_with_other_rows=reading("solve", [(2, 2), (3, 1)], (2, 1), **FULL),
    a_pseudo_inverse_with_too_many_bounds=reading("pseudo_inverse", [(2, 3), (1,)], (3, 2)),
    a_pseudo_inverse_with_bounds_of_another_batch=reading(
        "pseudo_inverse", [(4, 2, 3), (3,)], (4, 3, 2)),
)  # fmt: skip
ROOM.allows(
    a_band_of_whole_numbers=reading("band", [(WHOLE, (3, 2))], (WHOLE, (3, 2)), **BAND),
    a_decomposition_of_a_rectangle=reading("svd", [(2, 3)], (2,), part="values"),
    a_system_of_three_diagonals=reading(
        "solve", [(3, 2), (2, 1)], (2, 1), form="tridiagonal", adjoint=False
    ),
    a_system_of_one_square=reading("solve", [(2, 2), (2, 1)], (2, 1), **FULL),
    a_system_of_squares=reading("solve", [(5, 2, 2), (5, 2, 1)], (5, 2, 1), **FULL),
    an_inverse_of_complex_numbers=reading(
        "inverse", [("complex64", (2, 2))], ("complex64", (2, 2))),
    a_pseudo_inverse_with_a_bound_each=reading("pseudo_inverse", [(4, 2, 3), (4,)], (4, 3, 2)),
    a_pseudo_inverse_with_one_bound=reading("pseudo_inverse", [(4, 2, 3), ()], (4, 3, 2)),
)  # fmt: skip
