"""Steps for functions whose derivative is their author's, where a program has to know it.

A result y becomes `authored(passed(y), L)`. Its value is y. Its derivative is that of L, which is
zero: the transpose of the author's function of cotangents, of x - passed(x). What that function
computed of anything else enters L as `aside`, through which no derivative flows; but steps that are
derived take what is behind it, so that a derivative of a derivative is right, too. So `aside` is
right beside what depends on x - passed(x), and nowhere before.
"""

from __future__ import annotations

from symtape.program.functions import scalar
from symtape.program.operations import Map, elementwise

passed = elementwise("custom_gradient", scalar.stop)
"""The result of such a function: the value as it was computed, from which nothing flows back."""

aside = elementwise("custom_gradient_aside", scalar.stop)
"""What an author's function took from elsewhere: seen by derivatives of the derivative alone."""

authored = elementwise("custom_gradient_of", scalar.authored, 2)
"""The value of its first operand with the derivative of its second."""

written = elementwise("written_as", scalar.written, 2)
"""The value of its first operand, which formulas write as the second: where ties are, they differ.

No derivative flows through it.
"""

VALUES = {authored, written}
"""Operations that are their first operand, where no derivative is asked for."""


def opaque(name: str, why: str) -> Map:
    """Give the operation for a function that has no derivative as a program: asked for, it raises.

    Its second operand says what it depends on.
    """
    made = elementwise(f"{name}, whose gradient is its author's and {why},", scalar.opaque, 2)
    Map.own.discard(made.parameters)  # it is not there wherever symtape is
    VALUES.add(made)
    return made
