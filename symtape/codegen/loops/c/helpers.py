"""Functions that C lacks: a file has those that it calls, each for the types that it needs.

Sorting by merging runs, and linear algebra by elimination: Golub and Van Loan, *Matrix
Computations*, 3.4 (elimination with partial pivoting), 3.1 (triangles) and 4.2 (Cholesky). A
function that needs memory takes it from `malloc` and gives it back; these give the status that the
whole has: 0, or 1 without memory, or 3 for a matrix that has no such result.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import Template

from symtape.program.operations import DType, dtype_name

HELPERS: dict[str, str] = {
    "st_index": """
static inline int64_t st_index(int64_t k, int64_t n, int *status)
{
    if (k < 0 || k >= n) {
        *status = 2;
        return 0;
    }
    return k;
}""",
    "st_gaussian": """
/* exp(c*x*x); the rounding of x*x is taken out exactly (Dekker 1971) */
static inline double st_gaussian(double c, double x)
{
    double y = fabs(x) < 64 ? x : (x != x ? x : 64);
    double square = y*y, wide = 134217729.0*y;
    double high = wide - (wide - y), low = y - high;
    double rest = (high*high - square) + 2*high*low + low*low;
    double found = exp(c*square);
    return found*(1 + c*rest);
}""",
    "st_normal_cdf": """
/* erfc(-x/sqrt(2))/2, with the slope of erfc times what the product was rounded by */
static inline double st_normal_cdf(double x)
{
    const double a = 0.70710678118654757, a_rest = -4.8336466567264567e-17;
    double y = -(a*x), wide, high, low, error, slope;
    if (!(y > 0.5 && y < 28))
        return 0.5*erfc(y);
    wide = 134217729.0*x;
    high = wide - (wide - x);
    low = x - high;
    error = -((0.70710676908493042*high + y) + 0.70710676908493042*low
              + 1.2101617152815436e-08*high + 1.2101617152815436e-08*low + a_rest*x);
    slope = -1.1283791670955126*exp(-y*y);
    return 0.5*(erfc(y) + slope*error);
}""",
    "st_sine_quotient": """
/* the n-th derivative of sin(x)/x */
static inline double st_sine_quotient(double n, double x)
{
    int order = (int)n, first = (order + 1)/2, j;
    double wave = sin(x), turned = cos(x), found = 0;
    if (fabs(x) <= (order ? 1 + order/2.0 : 0)) {
        double term = (first % 2 ? -1 : 1)*(order % 2 ? x : 1);
        for (j = first; j < first + 2*order + 14; j++) {
            found += term/(2*j + 1);
            term *= -x/(2*j - order + 1)*(x/(2*j - order + 2));
        }
        return found;
    }
    found = wave/x;
    for (j = 1; j <= order; j++) {
        double before = wave;
        wave = turned;
        turned = -before;
        found = (wave - j*found)/x;
    }
    return found;
}""",
    "st_power": """
static inline int64_t st_power(int64_t x, int64_t n, int *status)
{
    int64_t found = 1;
    if (n < 0)
        *status = 5;
    for (; n > 0; n /= 2) {
        if (n % 2)
            found *= x;
        if (n > 1)
            x *= x;
    }
    return found;
}""",
    "st_abs": "static inline int64_t st_abs(int64_t x) { return x < 0 ? -x : x; }",
    "st_sign_of_int": """
static inline int64_t st_sign_of_int(int64_t x)
{ return (x > 0) - (x < 0); }""",
    "st_imax": """
static inline int64_t st_imax(int64_t x, int64_t y)
{ return x > y ? x : y; }""",
    "st_imin": """
static inline int64_t st_imin(int64_t x, int64_t y)
{ return x < y ? x : y; }""",
    "st_div": """
static inline int64_t st_div(int64_t x, int64_t y, int *status)
{
    if (y == 0) {
        *status = 4;
        return 0;
    }
    return x/y - (x%y != 0 && (x < 0) != (y < 0));
}""",
    "st_mod": """
static inline int64_t st_mod(int64_t x, int64_t y, int *status)
{
    int64_t r;
    if (y == 0) {
        *status = 4;
        return 0;
    }
    r = x%y;
    return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}""",
    "st_sign": "static inline $T st_sign$N($T x) { return x > 0 ? 1 : x < 0 ? -1 : x; }",
    "st_csign": """
static inline $T _Complex st_csign$N($T _Complex x)
{
    return x == 0 ? x : x/cabs$N(x);
}""",
    "st_max": "static inline $T st_max$N($T x, $T y) { return x > y || x != x ? x : y; }",
    "st_min": "static inline $T st_min$N($T x, $T y) { return x < y || x != x ? x : y; }",
    "st_complex": """
static inline $T _Complex st_complex$N($T x, $T y)
{
    union { $T parts[2]; $T _Complex whole; } found;
    found.parts[0] = x;
    found.parts[1] = y;
    return found.whole;
}""",
    "st_remainder": """
static inline $T st_remainder$N($T x, $T y)
{
    $T r = fmod$N(x, y);
    return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}""",
    "st_floor_mod": """
static inline $T st_floor_mod$N($T x, $T y)
{
    $T r = fmod$N(x, y);
    if (r == 0)
        return copysign$N(0, y);
    return (r < 0) != (y < 0) ? r + y : r;
}""",
    "st_floor_divide": """
static inline $T st_floor_divide$N($T x, $T y)
{
    $T r = fmod$N(x, y), q, whole;
    if (y == 0)
        return x/y;
    q = (x - r)/y;
    if (r != 0 && (r < 0) != (y < 0))
        q -= 1;
    whole = floor$N(q);
    return q == 0 ? copysign$N(0, x/y) : q - whole > ($T)0.5 ? whole + 1 : whole;
}""",
    "st_lu": """
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
}""",
    "st_triangle": """
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
}""",
    "st_full": """
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
}""",
    "st_solve": """
static int st_solve$N(int64_t n, int64_t m, const $T *a, const $T *b, $T *x, int form, int turned)
{
    if (!form)
        return st_full$N(n, m, a, b, x, turned);
    for (int64_t i = 0; i < n*m; ++i)
        x[i] = b[i];
    return st_triangle$N(n, m, a, x, form == 1, 0, turned);
}""",
    "st_inverse": """
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
    "st_cholesky": """
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
    "st_determinant": """
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
    "st_argsort": """
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
}
"""The functions by their names, behind which stand the letters of a type."""

_CALLS = {
    "st_full": ("st_lu", "st_triangle"),
    "st_solve": ("st_full",),
    "st_inverse": ("st_full",),
    "st_determinant": ("st_lu",),
}
"""Which functions call others."""

_WORDS: dict[str, dict[str, str]] = {
    "float64": {"N": "", "T": "double", "R": "double", "ABS": "fabs", "CONJ": "", "REAL": "",
                "ROOT": "sqrt", "LOG": "log"},
    "float32": {"N": "f", "T": "float", "R": "float", "ABS": "fabsf", "CONJ": "", "REAL": "",
                "ROOT": "sqrtf", "LOG": "logf"},
    "complex128": {"N": "_c", "T": "double _Complex", "R": "double", "ABS": "cabs",
                   "CONJ": "conj", "REAL": "creal", "ROOT": "sqrt", "LOG": "log"},
    "complex64": {"N": "_cf", "T": "float _Complex", "R": "float", "ABS": "cabsf",
                  "CONJ": "conjf", "REAL": "crealf", "ROOT": "sqrtf", "LOG": "logf"},
    **{name: {"N": f"_{name}", "T": f"{name}_t"} for name in ("int32", "int64", "int16", "int8")},
}  # fmt: skip


def named(base: str, dtype: DType) -> str:
    """Name a function for a type."""
    return base + _WORDS[dtype_name(dtype)]["N"]


def helper_texts(called: Iterable[str]) -> list[str]:
    """Write the functions that are called, and those that they call, in order of the table."""
    needed: set[tuple[str, str]] = set()
    names = {base + words["N"]: (base, name) for base in HELPERS for name, words in _WORDS.items()}
    stack = [names[word] for word in called if word in names]
    while stack:
        one = stack.pop()
        if one not in needed:
            needed.add(one)
            stack += [(other, one[1]) for other in _CALLS.get(one[0], ())]
    return [
        Template(HELPERS[base].strip()).substitute(words)
        for base in HELPERS
        for name, words in _WORDS.items()
        if (base, name) in needed
    ]
