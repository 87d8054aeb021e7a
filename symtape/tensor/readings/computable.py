"""What the formula of a tensor gives to compute: exact numbers, bounds, and compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from symtape.forms.limits import MAX_ENTRIES, MAX_EXACT_NODES
from symtape.tensor.values import leave

if TYPE_CHECKING:
    import sympy as sp

    from symtape.compiled.function import CompiledFormula
    from symtape.compiled.resized import ResizedFormula
    from symtape.exact.enclosure import Enclosure
    from symtape.tensor.readings import readings
    from symtape.tensor.readings.enclosures import BoxLike


class Computable:
    """An array that knows by which formula it is computed."""

    __slots__ = ()

    @property
    def formula(self) -> readings.Formula:
        """Everything that can be read from the program behind this tensor."""
        raise NotImplementedError(f"{type(self).__name__} does not say by which formula it is made")

    def exact(
        self, max_entries: int = MAX_ENTRIES, max_nodes: int = MAX_EXACT_NODES
    ) -> sp.Expr | sp.ImmutableDenseNDimArray:
        """The exact value at the recorded point: a SymPy number, or an array of them.

        Raises `ExpansionError` for more entries, or a number of more nodes, than the limits,
        `NoExactFormError` for a value that is undefined, `ReleasedError` where a leaf was freed
        with its tape, and `EscapedValueError` inside of a function that is differentiated.
        """
        leave(self, "exact()")
        return self.formula.exact(max_entries, max_nodes)

    def evalf(
        self, digits: int = 15, max_entries: int = MAX_ENTRIES
    ) -> sp.Expr | sp.ImmutableDenseNDimArray:
        """The value to a number of significant digits, each of them right.

        With python-flint (`symtape[flint]`) they are those of an enclosure so small that all of it
        rounds to them. Without it, and where a sum cancels to zero, a value lies on an edge, or Arb
        lacks a function, two precisions agree on them.

        Raises `ExpansionError` for more than `max_entries` entries, and `NoExactFormError` for a
        value that is undefined, or has no digits that settle; `ReleasedError` and
        `EscapedValueError` where `exact` does.
        """
        leave(self, "evalf()")
        return self.formula.evalf(digits, max_entries)

    def enclose(
        self,
        bits: int = 53,
        *,
        box: BoxLike | None = None,
        splits: int = 0,
        check: bool = True,
        max_entries: int = MAX_ENTRIES,
    ) -> Enclosure:
        """Bounds that contain the exact value, computed with ball arithmetic (`symtape[flint]`).

        At the recorded point the working precision is doubled until each entry is known to `bits`
        bits, seven times at most; an entry that cancels to zero, or lies on an edge, then has the
        bounds that there are. With a `box`, `{"x": (lower, upper)}` or `[(x, (lower, upper))]`, the
        bounds hold for all values of these leaves between lower and upper, which are numbers or
        arrays; it is cut in two `splits` times, where least is known, so that they get closer.

        Raises `PathConditionError` where control flow may take another branch in the box, unless
        `check` is false, `NoExactFormError` where nothing is known of a value at the point, or
        where an order is not decided, `UnsupportedError` for what Arb has not, `ExpansionError`
        for more than `max_entries` entries, `ValueError` for what is no box,
        `ExtraNotInstalledError` without python-flint, and `ReleasedError` and `EscapedValueError`
        where `exact` does.

        >>> import symtape as tf
        >>> x = tf.constant(0.5, name="x")
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * tf.nn.relu(x - 0.25)
        >>> slope = tape.gradient(y, x)
        >>> slope.enclose()
        Enclosure(0.75)
        >>> e = slope.enclose(box={"x": (0.5, 1)})
        >>> e, e.is_positive, e.kinks
        (Enclosure(0.75 .. 1.75), True, ())
        >>> slope.enclose(box={"x": (0, 1)}).kinks
        (x - 1/4 > 0,)
        """
        leave(self, "enclose()")
        return self.formula.enclose(bits, box, splits, check=check, max_entries=max_entries)

    @property
    def conditions(self) -> tuple[sp.Basic, ...]:
        """The relations under which the formula holds: what control flow decided on the way."""
        return self.formula.conditions

    @property
    def sizes(self) -> Mapping[str, tuple[str | int, ...]]:
        """The shape of each leaf of the formula in letters, where the same letter is the same size.

        They are what the operations say must be equal. An axis that has to be as long as it was
        recorded, and one of length 0 or 1, has its number.

        >>> import symtape as tf
        >>> X, w = tf.ones([4, 3]), tf.ones([3])
        >>> X, w = tf.Variable(X, name="X"), tf.Variable(w, name="w")
        >>> with tf.GradientTape() as tape:
        ...     y = tf.reduce_mean(tf.linalg.matvec(X, w) ** 2)
        >>> gradient = tape.gradient(y, w)
        >>> gradient.sizes
        {'X': ('m', 'n'), 'w': ('n',)}
        >>> gradient.text(), gradient.text(sizes="symbolic")
        ('Xᵀ X w / 2', '2 Xᵀ X w / m')
        """
        return self.formula.sizes()

    @overload
    def lambdify(
        self,
        args: Sequence[Any] | None = None,
        backend: Any = "numpy",
        *,
        check: bool = True,
        sizes: Literal["recorded"] = "recorded",
    ) -> CompiledFormula: ...

    @overload
    def lambdify(
        self,
        args: Sequence[Any] | None = None,
        backend: Any = "numpy",
        *,
        check: bool = True,
        sizes: Literal["any"],
    ) -> ResizedFormula: ...

    def lambdify(
        self,
        args: Sequence[Any] | None = None,
        backend: Any = "numpy",
        *,
        check: bool = True,
        sizes: Literal["recorded", "any"] = "recorded",
    ) -> CompiledFormula | ResizedFormula:
        """Compile the formula to a function of its watched leaves, or of `args`.

        A formula without watched leaves, as the slope of 3x, takes those of the tape and needs
        none. The other leaves keep their recorded values and can be given by keyword. With `check`,
        the function raises `PathConditionError` for values that would have taken another branch.
        With `sizes="any"` its arguments may have other sizes where `Tensor.sizes` has letters: it
        is compiled once for each choice of sizes, and `PathConditionError` names an axis that
        cannot be as long as it is. What counts elements counts those that are given.

        `backend` names the library whose arrays the function takes and gives (docs/backends.md
        lists them), or is a module with the functions of the array API standard. Raises
        `UnsupportedError` for one that does not exist and for a function that it lacks,
        `ExtraNotInstalledError` for one that is not installed, and `EscapedValueError` inside of a
        function that is differentiated. What is compiled raises `ReleasedError` where a leaf that
        keeps its value was freed with its tape.
        """
        leave(self, "lambdify()")
        return self.formula.lambdify(args, backend, check=check, sizes=sizes)
