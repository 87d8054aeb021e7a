"""What a tensor gives to read: its formula in every form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symtape.errors import SymtapeError
from symtape.forms.limits import MAX_ENTRIES, MAX_NODES, MAX_STEPS
from symtape.late import Late
from symtape.tensor.readings.computable import Computable
from symtape.tensor.values import leave

if TYPE_CHECKING:
    import sympy as sp

    from symtape.forms.matrix.form import Chosen
    from symtape.forms.tex import latex as tex
    from symtape.tensor.readings import parts as named_parts
    from symtape.tensor.readings import readings
    from symtape.tensor.readings import structure as structures
    from symtape.tensor.recording import asked
else:  # a training loop reads no formula
    tex = Late("symtape.forms.tex.latex")
    named_parts = Late("symtape.tensor.readings.parts")
    readings = Late("symtape.tensor.readings.readings")
    structures = Late("symtape.tensor.readings.structure")
    asked = Late("symtape.tensor.recording.asked")


class Readable(Computable):
    """An array that knows where it came from, as one reads it."""

    __slots__ = ()

    origin: tuple[Any, int] | None

    @property
    def _kind(self) -> type:
        """What makes tensors of what is computed of this one."""
        raise NotImplementedError(f"{type(self).__name__} does not say what makes its tensors")

    @property
    def formula(self) -> readings.Formula:
        """Everything that can be read from the program behind this tensor."""
        if self.origin is None:
            return readings.Formula.of_leaf(self)
        return readings.Formula.of(self.origin)

    @property
    def structure(self) -> structures.Structure:
        """The structure of a Jacobian or Hessian: a short text, with parts to use; see `Structure`.

        Raises `ValueError` where it is not known which axes are rows, see `structure_of`, and
        `EscapedValueError` inside of a function that is differentiated.
        """
        leave(self, "structure")
        return structures.Structure.of(self, None, self._kind)

    def structure_of(self, rows: int) -> structures.Structure:
        """Give the structure of an array whose first `rows` axes are the rows.

        Raises `EscapedValueError` inside of a function that is differentiated.
        """
        leave(self, "structure_of()")
        return structures.Structure.of(self, rows, self._kind)

    def sparsity(self) -> Any:
        """Give the pattern of a Jacobian or Hessian; see `Structure.sparsity`.

        Raises what `structure` raises: `ValueError` and `EscapedValueError`.
        """
        return self.structure.sparsity()

    def as_linear_operator(self) -> Any:
        """Give a Jacobian or Hessian as a SciPy `LinearOperator`; see `Structure`.

        Raises what `structure` raises, `ValueError` and `EscapedValueError`, and
        `ExtraNotInstalledError` without SciPy.
        """
        return self.structure.as_linear_operator()

    @property
    def expr(self) -> sp.Expr:
        """The SymPy expression: of scalars an ordinary one, of a scalar of arrays its index form.

        An array has one where it has a `matrix_expr`, else it raises `NoMatrixFormError`: its
        entries are in `index_expr()` and `entries`. Raises `ExpansionError` where the expression
        written out is too long; see `to_expr`.
        """
        return self.formula.expr

    def to_expr(self, max_nodes: int = MAX_NODES) -> sp.Expr:
        """Give `expr`, with another limit for its nodes.

        Raises `ExpansionError` above it, and `NoMatrixFormError` for an array without such a form.
        """
        return self.formula.to_expr(max_nodes)

    @property
    def entries(self) -> sp.ImmutableDenseNDimArray:
        """Every entry as an ordinary scalar expression.

        Raises `ExpansionError` for more than 10,000 entries, and for too long ones: `to_entries`
        has other limits.
        """
        return self.formula.to_entries()

    def to_entries(
        self, max_entries: int = MAX_ENTRIES, max_nodes: int = MAX_NODES
    ) -> sp.ImmutableDenseNDimArray:
        """Give `entries`, with other limits; raises `ExpansionError` above them.

        `max_nodes` is how many nodes an entry may have; all steps on the way may have forty times
        as many.
        """
        return self.formula.to_entries(max_entries, max_nodes)

    def index_expr(
        self, *symbols: sp.Symbol, max_nodes: int = MAX_NODES, sizes: str = "recorded"
    ) -> sp.Expr:
        """Give one generic entry in index notation, one symbol an axis (default i, j, k, …).

        With `sizes="symbolic"` it holds for leaves of any size, whose letters `Tensor.sizes` gives.
        Raises `ExpansionError` if it has more than `max_nodes` nodes, or its steps three times as
        many, and `UnsupportedError` for an axis that has to be as long as it was recorded.

        >>> import symtape as tf
        >>> x = tf.Variable([1.0, 2.0, 4.0], name="x")
        >>> with tf.GradientTape() as tape:
        ...     y = tf.reduce_mean(tf.exp(x) * x)
        >>> slope = tape.gradient(y, x)
        >>> slope.index_expr(), slope.index_expr(sizes="symbolic")
        ((x[i] + 1)*exp(x[i])/3, (x[i] + 1)*exp(x[i])/n)
        """
        tex.Style("index", sizes=sizes).check()
        return self.formula.index_expr(*symbols, max_nodes=max_nodes, sizes=sizes)

    @property
    def matrix_expr(self) -> sp.Expr:
        """The formula in SymPy's matrix expressions; of a scalar, with entries of such.

        Vectors are columns. Raises `NoMatrixFormError`, which says why, where there is none, and
        `ExpansionError` where it is too long.

        >>> import symtape as tf
        >>> A, x = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = tf.reduce_sum(tf.linalg.matvec(A, x) ** 2)
        >>> tape.gradient(y, x).matrix_expr
        2*A.T*A*x
        """
        return self.formula.matrix_expr

    def text(
        self,
        notation: str = "plain",
        max_nodes: int = MAX_NODES,
        *,
        symmetric: Sequence[Any] = (),
        parts: str | Sequence[Any] = "none",
        stop_at: Sequence[Any] = (),
        sizes: str = "recorded",
    ) -> str:
        """Write the formula in matrix notation as text: "plain", for a terminal, or "python".

        Functions apply to each entry, ⊙ and ⊘ multiply and divide entries, a bold 1 is a column of
        ones, and vectors are columns. Python's notation is NumPy's, for vectors of shape (n, 1).
        The softmax of a matrix is that of each row. A Jacobian with three or four axes is written
        as the matrix of rows vec(Y) and columns vec(X), where vec puts columns below each other:
        that of A X B is Bᵀ ⊗ A, and K vec(X) is vec(Xᵀ). Leaves that are `symmetric`, tensors or
        their names, are taken as their own transposes. With `sizes="symbolic"` the formula is for
        leaves of any size: what counts elements is a letter, as `Tensor.sizes` says. Raises
        `NoMatrixFormError`, which says why, where there is none, `ExpansionError` for a formula of
        more than `max_nodes` nodes, and `ValueError` for leaves that are not symmetric where they
        were recorded.

        >>> import symtape as tf
        >>> A, b, x = tf.eye(3), tf.ones([3]), tf.ones([3])
        >>> A, b, x = tf.Variable(A, name="A"), tf.Variable(b, name="b"), tf.Variable(x, name="x")
        >>> with tf.GradientTape() as tape:
        ...     y = tf.reduce_sum((tf.linalg.matvec(A, x) - b) ** 2)
        >>> gradient = tape.gradient(y, x)
        >>> print(gradient.text())
        2 Aᵀ (A x - b)
        >>> print(gradient.text("python"))
        2 * A.T @ (A @ x - b)
        >>> print(gradient.text(symmetric=[A]))
        2 A (A x - b)
        """
        style = tex.Style(
            "matrix", max_nodes, symmetric=symmetric, parts=parts, stop_at=stop_at, sizes=sizes
        )
        return self.formula.text(notation, style, self._chosen)

    def _chosen(self, style: tex.Style) -> Chosen:
        return named_parts.chosen(self, style, self._kind)

    def parts(
        self,
        parts: str | Sequence[Any] = "auto",
        max_nodes: int = MAX_NODES,
        *,
        symmetric: Sequence[Any] = (),
        stop_at: Sequence[Any] = (),
        form: str = "auto",
        sizes: str = "recorded",
    ) -> Mapping[str, named_parts.Part] | Mapping[str, named_parts.EntryOfPart]:
        """Give the named parts of the formula: a mapping of name to formula, in their order.

        They are those of `text(parts=...)` and `latex(parts=...)`; a part uses the names of those
        before it. The form "matrix" gives formulas in matrix notation and "index" the entries of
        parts, with their indices; "auto" is "matrix" for up to two axes, where there is such a
        form. Raises what `text` and `index_expr` raise: `ExpansionError` and `NoMatrixFormError`.

        >>> import symtape as tf
        >>> M = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="M")
        >>> w = tf.Variable([0.5, -0.5], name="w")
        >>> with tf.GradientTape() as tape:
        ...     p = tf.nn.softmax(tf.linalg.matvec(M, w))
        ...     y = tf.reduce_sum(p * p)
        >>> gradient = tape.gradient(y, w)
        >>> print(gradient.text(parts=[p]))
        2 Mᵀ (p ⊙ (p - ‖p‖² 𝟏))
        where p = softmax(M w)
        >>> dict(gradient.parts([p]))
        {'p': softmax(M w)}
        >>> print(gradient.text(stop_at=[p]))
        2 Mᵀ (p ⊙ (p - ‖p‖² 𝟏))
        """
        style = tex.Style(
            form, max_nodes, symmetric=symmetric, parts=parts, stop_at=stop_at, sizes=sizes
        )
        return self.formula.parts(style, self._chosen)

    def latex(
        self,
        form: str = "auto",
        max_nodes: int = MAX_NODES,
        max_steps: int = MAX_STEPS,
        *,
        symmetric: Sequence[Any] = (),
        functions: str = "named",
        layout: str | None = None,
        environment: str | None = None,
        width: int = 80,
        lhs: bool | str = False,
        parts: str | Sequence[Any] = "none",
        stop_at: Sequence[Any] = (),
        sizes: str = "recorded",
        spaces: bool = False,
    ) -> str:
        r"""Write LaTeX: `auto`, `scalar`, `matrix`, `index`, `entries` or `steps`.

        `auto` is `matrix` where there is such a form, or `scalar` where scalars have cases, else
        `index`. What is scalar is written in its shortest form, in which σ is the logistic
        function, Φ and φ are the distribution function and the density of a standard normal
        variable, unless a leaf has that letter. Leaves that are `symmetric`, tensors or their
        names, are their own transposes in the form `matrix`. With `functions="expanded"`, σ, Φ, φ
        and softmax are written by what they stand for.

        A gradient by a vector is a column, the layout "denominator" of The Matrix Cookbook, and a
        Jacobian has a row for each value, the layout "numerator"; `layout` writes the transpose
        where it asks for the other one. `environment` is "equation" or "align"; in it, a sum is
        broken before its signs where a line gets wider than about `width` characters.

        With `lhs=True`, what is asked for stands to the left: ∇ of a gradient, a quotient of ∂ of a
        Jacobian, ∇² of a Hessian, a name of anything else. Names are those of the caller's
        variables; what has none is called what `lhs` says.

        In matrix notation `parts` have names: "auto" takes what the caller's variables hold, and
        letters for what else stands there twice or is long; a sequence of tensors takes these by
        the names of their variables. They are defined behind the formula, `where p = ...`. What
        it is to `stop_at` has a name and no definition. With `sizes="symbolic"` it holds for leaves
        of any size, whose letters `Tensor.sizes` gives; with `spaces` it says where the leaves lie,
        as $X \in \mathbb{R}^{m \times n}$. A `SizeWarning` tells of numbers that may be sizes.

        Raises `ExpansionError` for a formula of more than `max_nodes` nodes, and for more than
        `max_steps` steps, and `ValueError` for an option that is not known, for a left side that
        has no name or no notation, and for what it is to stop at, but does not stand there.

        >>> import symtape as tf
        >>> w = tf.Variable([0.1, 0.2], name="w")
        >>> with tf.GradientTape() as tape:
        ...     y = tf.reduce_sum(tf.math.softplus(w))
        >>> slope = tape.gradient(y, w)
        >>> slope.latex(), slope.latex(layout="numerator")
        ('\\sigma(w)', '\\sigma(w)^\\top')
        >>> print(slope.latex(lhs=True))
        \nabla_{w} y = \sigma(w)
        """
        style = tex.Style(
            form, max_nodes, max_steps, symmetric, functions, layout, environment, width, lhs,
            parts=parts, stop_at=stop_at, sizes=sizes, spaces=spaces,
        )  # fmt: skip
        style.check()
        formula = self.formula
        left = asked.left_side(self, lhs, formula.names.values()) if lhs else None
        return formula.latex(style, left, self._chosen)

    def _repr_latex_(self) -> str | None:
        """Write the formula for a notebook, which shows the value where nobody can write one."""
        if self.origin is None:
            return None
        try:
            return f"$\\displaystyle {self.latex()}$"
        except (SymtapeError, RecursionError):
            return None
