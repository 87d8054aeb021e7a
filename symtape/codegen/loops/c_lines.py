"""What C computes line by line or matrix by matrix: sorting, and linear algebra by elimination.

Golub and Van Loan, *Matrix Computations*, 3.4 (elimination with partial pivoting), 3.1 (triangles)
and 4.2 (Cholesky). A function that needs memory takes it from `malloc` and gives it back; all give
the status that the whole has: 0, or 1 without memory, or 3 for a matrix that has no such result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from symtape.codegen.scope import slots
from symtape.program.matrices import Cholesky, Determinant, Inverse, Solve
from symtape.program.operations import DType, Operation, Shape
from symtape.program.structural import Position

_ELIMINATE = """
static int st_lu$N(int64_t n, $T *a, int64_t *row)
{
    int sign = 1;
    for (int64_t i = 0; i < n; ++i)
        row[i] = i;
    for (int64_t k = 0; k < n; ++k) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; ++i)
            if ($ABS(a[i*n + k]) > $ABS(a[best*n + k]) || a[i*n + k] != a[i*n + k])
                best = i;
        if (best != k) {
            int64_t kept = row[k];
            row[k] = row[best];
            row[best] = kept;
            sign = -sign;
            for (int64_t j = 0; j < n; ++j) {
                $T moved = a[k*n + j];
                a[k*n + j] = a[best*n + j];
                a[best*n + j] = moved;
            }
        }
        if (a[k*n + k] == 0)
            return 0;
        for (int64_t i = k + 1; i < n; ++i) {
            $T factor = a[i*n + k]/a[k*n + k];
            a[i*n + k] = factor;
            for (int64_t j = k + 1; j < n; ++j)
                a[i*n + j] -= factor*a[k*n + j];
        }
    }
    return sign;
}"""

_TRIANGLE = """
static int st_triangle$N(int64_t n, int64_t m, const $T *a, $T *x, int lower, int unit, int turned)
{
    int down = lower != turned;
    for (int64_t s = 0; s < n; ++s) {
        int64_t i = down ? s : n - 1 - s;
        int64_t first = down ? 0 : i + 1, end = down ? i : n;
        for (int64_t k = first; k < end; ++k) {
            $T factor = turned ? $CONJ(a[k*n + i]) : a[i*n + k];
            for (int64_t j = 0; j < m; ++j)
                x[i*m + j] -= factor*x[k*m + j];
        }
        if (!unit) {
            $T pivot = turned ? $CONJ(a[i*n + i]) : a[i*n + i];
            if (pivot == 0)
                return 3;
            for (int64_t j = 0; j < m; ++j)
                x[i*m + j] /= pivot;
        }
    }
    return 0;
}"""

_FULL = """
static int st_full$N(int64_t n, int64_t m, const $T *a, const $T *b, $T *x, int turned)
{
    $T *lu = calloc((size_t)(n*n + n*m + 1), sizeof($T)), *moved;
    int64_t *row = malloc((size_t)(n + 1)*sizeof(int64_t));
    if (!lu || !row) {
        free(row);
        free(lu);
        return 1;
    }
    moved = lu + n*n;
    for (int64_t i = 0; i < n*n; ++i)
        lu[i] = a[i];
    if (n && !st_lu$N(n, lu, row)) {
        free(row);
        free(lu);
        return 3;
    }
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j)
            moved[i*m + j] = b[(turned ? i : row[i])*m + j];
    st_triangle$N(n, m, lu, moved, !turned, !turned, turned);
    st_triangle$N(n, m, lu, moved, turned, turned, turned);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j)
            x[(turned ? row[i] : i)*m + j] = moved[i*m + j];
    free(row);
    free(lu);
    return 0;
}"""

_HELPERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "st_lu": (_ELIMINATE, ()),
    "st_triangle": (_TRIANGLE, ()),
    "st_full": (_FULL, ("st_lu", "st_triangle")),
    "st_solve": (
        """
static int st_solve$N(int64_t n, int64_t m, const $T *a, const $T *b, $T *x, int form, int turned)
{
    if (!form)
        return st_full$N(n, m, a, b, x, turned);
    for (int64_t i = 0; i < n*m; ++i)
        x[i] = b[i];
    return st_triangle$N(n, m, a, x, form == 1, 0, turned);
}""",
        ("st_full",),
    ),
    "st_inverse": (
        """
static int st_inverse$N(int64_t n, const $T *a, $T *x)
{
    int status;
    $T *unit = malloc((size_t)(n*n + 1)*sizeof($T));
    if (!unit)
        return 1;
    for (int64_t i = 0; i < n*n; ++i)
        unit[i] = i%(n + 1) == 0;
    status = st_full$N(n, n, a, unit, x, 0);
    free(unit);
    return status;
}""",
        ("st_full",),
    ),
    "st_cholesky": (
        """
static int st_cholesky$N(int64_t n, const $T *a, $T *x)
{
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
            $T rest = a[i*n + j];
            for (int64_t k = 0; k < j && j <= i; ++k)
                rest -= x[i*n + k]*$CONJ(x[j*n + k]);
            if (i == j && !($REAL(rest) > 0))
                return 3;
            x[i*n + j] = j > i ? 0 : i == j ? $ROOT($REAL(rest)) : rest/x[j*n + j];
        }
    return 0;
}""",
        (),
    ),
    "st_determinant": (
        """
static int st_determinant$N(int64_t n, const $T *a, $T *value, $T *sign, $R *size)
{
    $T *lu = calloc((size_t)(n*n + 1), sizeof($T));
    int64_t *row = malloc((size_t)(n + 1)*sizeof(int64_t));
    int turned;
    if (!lu || !row) {
        free(row);
        free(lu);
        return 1;
    }
    for (int64_t i = 0; i < n*n; ++i)
        lu[i] = a[i];
    turned = st_lu$N(n, lu, row);
    if (value)
        *value = turned;
    if (sign)
        *sign = turned;
    if (size)
        *size = turned ? 0 : -INFINITY;
    for (int64_t i = 0; turned && i < n; ++i) {
        $T pivot = lu[i*n + i];
        $R far = $ABS(pivot);
        if (value)
            *value *= pivot;
        if (sign)
            *sign *= pivot/far;
        if (size)
            *size += $LOG(far);
    }
    free(row);
    free(lu);
    return 0;
}""",
        ("st_lu",),
    ),
    "st_argsort": (
        """
/* merges sorted runs, each twice as long as those before; equals keep their order, nan is last */
static int st_argsort$N(int64_t n, const $T *a, int64_t *x)
{
    int64_t *from = malloc((size_t)(2*n + 1)*sizeof(int64_t)), *to, *first = from;
    if (!from)
        return 1;
    to = from + n;
    for (int64_t i = 0; i < n; ++i)
        from[i] = i;
    for (int64_t width = 1; width < n; width *= 2) {
        int64_t *kept = from;
        for (int64_t start = 0; start < n; start += 2*width) {
            int64_t middle = start + width < n ? start + width : n;
            int64_t end = middle + width < n ? middle + width : n;
            int64_t i = start, j = middle;
            for (int64_t k = start; k < end; ++k) {
                int left = j >= end;
                if (!left && i < middle) {
                    $T u = a[from[i]], v = a[from[j]];
                    left = u <= v || v != v;
                }
                to[k] = left ? from[i++] : from[j++];
            }
        }
        from = to;
        to = kept;
    }
    for (int64_t i = 0; i < n; ++i)
        x[i] = from[i];
    free(first);
    return 0;
}""",
        (),
    ),
}

_WORDS: dict[str, dict[str, str]] = {
    "float64": {"N": "", "T": "double", "R": "double", "ABS": "fabs", "CONJ": "", "REAL": "",
                "ROOT": "sqrt", "LOG": "log"},
    "float32": {"N": "f", "T": "float", "R": "float", "ABS": "fabsf", "CONJ": "", "REAL": "",
                "ROOT": "sqrtf", "LOG": "logf"},
    "complex128": {"N": "_c", "T": "double complex", "R": "double", "ABS": "cabs",
                   "CONJ": "conj", "REAL": "creal", "ROOT": "sqrt", "LOG": "log"},
    "complex64": {"N": "_cf", "T": "float complex", "R": "float", "ABS": "cabsf",
                  "CONJ": "conjf", "REAL": "crealf", "ROOT": "sqrtf", "LOG": "logf"},
    **{name: {"N": f"_{name}", "T": f"{name}_t"} for name in ("int32", "int64", "int16", "int8")},
}  # fmt: skip


def helper_texts(called: Sequence[str]) -> list[str]:
    """Write the functions that are called, and those that they call, in order of the table."""
    needed: set[tuple[str, str]] = set()
    stack = [(base, name) for base in _HELPERS for name in _WORDS if _named(base, name) in called]
    while stack:
        one = stack.pop()
        if one not in needed:
            needed.add(one)
            stack += [(other, one[1]) for other in _HELPERS[one[0]][1]]
    return [
        _filled(_HELPERS[base][0], _WORDS[name])
        for base in _HELPERS
        for name in _WORDS
        if (base, name) in needed
    ]


def _named(base: str, dtype: str) -> str:
    return base + _WORDS[dtype]["N"]


def _filled(text: str, words: dict[str, str]) -> str:
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(f"${word}", words[word])
    return text


# --- calls ----------------------------------------------------------------------------------------

Call = Callable[[Any, Sequence[Shape]], tuple[str, list[str], list[int]]]
"""Gives the name of a helper, numbers to pass first, and how far each array goes on a line."""


def _inverse(operation: Inverse, shapes: Sequence[Shape]) -> tuple[str, list[str], list[int]]:
    n = shapes[0][-1]
    return "st_inverse", [str(n)], [n * n, n * n]


def _solve(operation: Solve, shapes: Sequence[Shape]) -> tuple[str, list[str], list[int]]:
    n, m = shapes[1][-2:]
    return "st_solve", [str(n), str(m)], [n * n, n * m, n * m]


def _cholesky(operation: Cholesky, shapes: Sequence[Shape]) -> tuple[str, list[str], list[int]]:
    n = shapes[0][-1]
    return "st_cholesky", [str(n)], [n * n, n * n]


def _determinant(operation: Any, shapes: Sequence[Shape]) -> tuple[str, list[str], list[int]]:
    n = shapes[0][-1]
    return "st_determinant", [str(n)], [n * n, 1]


def _argsort(operation: Position, shapes: Sequence[Shape]) -> tuple[str, list[str], list[int]]:
    n = shapes[0][-1]
    return "st_argsort", [str(n)], [n, n]


CALLS: dict[type[Operation], Call] = {
    Inverse: _inverse,
    Solve: _solve,
    Cholesky: _cholesky,
    Determinant: _determinant,
    Position: _argsort,
}
"""The helper of each kind that is computed as a whole."""

_FORMS = {"full": "0", "lower": "1", "upper": "2"}


def call_text(operation: Any, shapes: Sequence[Shape], dtype: DType, result: Shape) -> str:
    """Write the call for all lines, of operands, the result, and what counts the lines."""
    base, numbers, widths = CALLS[type(operation)](operation, shapes)
    lines = (
        prod(result) // max(widths[-1], 1) if type(operation) is not Determinant else prod(result)
    )
    *names, line = slots(len(widths) + 1)
    arrays = [f"{name} + {line}*{width}" if lines > 1 else name
              for name, width in zip(names, widths, strict=True)]  # fmt: skip
    after: list[str] = []
    if type(operation) is Solve:
        after = [_FORMS[operation.form], str(int(operation.adjoint))]
    if type(operation) is Determinant:
        parts = ["value", "sign", "log"]
        arrays[1:] = [arrays[1] if part == operation.part else "0" for part in parts]
    call = f"{_named(base, dtype.name)}({', '.join([*numbers, *arrays, *after])})"
    if lines <= 1:
        return f"if (!status)\n        status = {call};"
    return (
        f"for (int64_t {line} = 0; {line} < {lines} && !status; ++{line})\n        status = {call};"
    )


__all__ = ["CALLS", "call_text", "helper_texts"]
