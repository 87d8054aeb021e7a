"""Linear algebra: operations on the matrices in the last two axes of their operands.

First axes are a batch, the same for all operands. An operation that gives several things, such as
eigenvalues and eigenvectors, is one step for each of its parts: what computes a program computes
the whole once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from symtape.program.kinds.placement import Structural
from symtape.program.operations import DType, Shape, partner


class OnMatrices(Structural):
    """An operation whose result is a matrix for each matrix."""

    __slots__ = ()

    @property
    def depth(self) -> int:
        """Touch rows and columns."""
        return 2

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Keep the shape."""
        return shapes[0], dtypes[0]


class Inverse(OnMatrices):
    """The inverse of a square matrix."""

    __slots__ = ()


class Solve(OnMatrices):
    """The solution X of A X = B: `Solve(form, adjoint)` of A and B.

    The form of A is "full", "lower" or "upper"; of a triangle, nothing else is looked at. In the
    form "tridiagonal" A is given by its diagonals above, on and below the main one, [..., 3, n], as
    long as A has rows: the last element of the first and the first of the last are not looked at.
    With `adjoint`, X solves Aᴴ X = B.
    """

    __slots__ = ("adjoint", "form")
    arity = 2

    def prepare(self, form: str, adjoint: bool) -> None:
        """Read the form of A, and which way round it stands."""
        self.form, self.adjoint = form, adjoint

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Have the shape of B."""
        return shapes[1], dtypes[1]


class Cholesky(OnMatrices):
    """The lower triangle L with A = L Lᴴ; of A, only the lower triangle is looked at."""

    __slots__ = ()


class LogDeterminant(OnMatrices):
    """The logarithm of the determinant of a positive definite matrix, which is self-adjoint.

    Of what is not positive definite it is nan. Only the lower triangle is looked at.
    """

    __slots__ = ()

    @property
    def depth(self) -> int:
        """A matrix becomes a number."""
        return 0

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Drop rows and columns; the logarithm is real."""
        return shapes[0][:-2], partner(dtypes[0], "real")


class Elimination(OnMatrices):
    """The factors of A = L U, packed: U, and below its diagonal L, whose own diagonal is ones.

    Rows are not interchanged: whoever wants that brings the pivots to the diagonal before.
    """

    __slots__ = ()


class PseudoInverse(OnMatrices):
    """The inverse of Moore and Penrose: `PseudoInverse(compares)` of a matrix and a bound.

    What it compares are "values", of which those up to the bound times the largest one count as
    zero, or "pivots" of a QR decomposition that takes the longest column first: as many singular
    values are kept as there are larger pivots.
    """

    __slots__ = ("compares",)
    arity = 2

    def prepare(self, compares: str = "values") -> None:
        """Read what tells the rank."""
        self.compares = compares

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Exchange rows and columns."""
        *batch, rows, columns = shapes[0]
        return (*batch, columns, rows), dtypes[0]

    def connects(self, k: int) -> bool:
        """The bound decides what is zero, and has no derivative."""
        return k == 0


class MatrixFunction(OnMatrices):
    """A function of a square matrix: `MatrixFunction("exp", "log" or "sqrt")`."""

    __slots__ = ("function", "name")

    def prepare(self, name: str) -> None:
        """Read which function."""
        self.name, self.function = name, f"{name}m"


class Band(OnMatrices):
    """What lies on some diagonals, and zeros: `Band(low, high)`, None being as far as there are.

    The diagonal 0 is the main one; those above it are positive.
    """

    __slots__ = ("high", "low")

    def prepare(self, low: int | None, high: int | None) -> None:
        """Read the lowest and the highest diagonal."""
        self.low, self.high = low, high


# --- operations that give several things ----------------------------------------------------------


class Part(Structural):
    """One part of what a factorization gives: its name, and then what the whole needs to know."""

    __slots__ = ("part",)
    parts: ClassVar[tuple[str, ...]]
    """The names of all parts, in the order in which the whole gives them."""

    part: str

    def prepare(self, part: str) -> None:
        """Read which part."""
        self.part = part

    @property
    def place(self) -> int:
        """The place among the parts."""
        return self.parts.index(self.part)

    @property
    def is_shared(self) -> bool:
        """Say whether the whole gives this part, so that it is computed together with others."""
        return True

    @property
    def rest(self) -> tuple[object, ...]:
        """What all parts of one whole have in common."""
        return (type(self), *self.parameters[1:])

    def other(self, part: str) -> Part:
        """Give another part of the same whole."""
        return type(self)(part, *self.parameters[1:])


class Determinant(Part):
    """The determinant, its sign, or the logarithm of its size: `Determinant(part)`."""

    __slots__ = ()
    parts = ("sign", "log", "value")

    @property
    def is_shared(self) -> bool:
        """The determinant itself is computed on its own."""
        return self.part != "value"

    @property
    def depth(self) -> int:
        """A matrix becomes a number."""
        return 0

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Drop rows and columns; a logarithm is real."""
        dtype = partner(dtypes[0], "real") if self.part == "log" else dtypes[0]
        return shapes[0][:-2], dtype


class _Spectrum(Part):
    __slots__ = ()
    parts = ("values", "vectors")

    @property
    def depth(self) -> int:
        """Values are one line of each matrix."""
        return 1 if self.part == "values" else 2

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """One value for each column."""
        return shapes[0][:-1] if self.part == "values" else shapes[0], dtypes[0]


class Eigh(_Spectrum):
    """Eigenvalues, ascending, or eigenvectors, as columns, of a self-adjoint matrix.

    Only the lower triangle is looked at.
    """

    __slots__ = ()

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Values are real."""
        shape, dtype = super().infer(shapes, dtypes)
        return shape, partner(dtype, "real") if self.part == "values" else dtype


class Eig(_Spectrum):
    """Eigenvalues or eigenvectors, as columns, of a square matrix; they are complex."""

    __slots__ = ()

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Be complex."""
        shape, dtype = super().infer(shapes, dtypes)
        return shape, partner(dtype, "complex")


class SVD(Part):
    """The singular value decomposition A = U diag(s) Vᴴ: `SVD(part, full)`.

    `full` ones have a square U and V, others as many columns as there are singular values.
    """

    __slots__ = ("full",)
    parts = ("values", "left", "right")

    def prepare(self, part: str, full: bool = False) -> None:
        """Read which part, and of which size."""
        self.part, self.full = part, full

    @property
    def depth(self) -> int:
        """Values are one line of each matrix."""
        return 1 if self.part == "values" else 2

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """There are as many values as rows or columns, whichever are fewer; values are real."""
        *batch, rows, columns = shapes[0]
        least = min(rows, columns)
        if self.part == "values":
            return (*batch, least), partner(dtypes[0], "real")
        n = rows if self.part == "left" else columns
        return (*batch, n, n if self.full else least), dtypes[0]


class QR(Part):
    """A = Q R with orthonormal columns in Q and an upper triangle R: `QR(part, full)`.

    A `full` Q is square.
    """

    __slots__ = ("full",)
    parts = ("orthogonal", "triangular")

    def prepare(self, part: str, full: bool = False) -> None:
        """Read which part, and of which size."""
        self.part, self.full = part, full

    @property
    def depth(self) -> int:
        """Touch rows and columns."""
        return 2

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Q has the rows of A, and R its columns."""
        *batch, rows, columns = shapes[0]
        inner = rows if self.full else min(rows, columns)
        shape = (rows, inner) if self.part == "orthogonal" else (inner, columns)
        return (*batch, *shape), dtypes[0]
