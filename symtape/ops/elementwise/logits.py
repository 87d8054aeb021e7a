"""What a softmax or sigmoid was made of, which cross entropies of Keras take instead of it.

The logarithm of a probability that has rounded to 0 or 1 is lost; that of its logit is not. Keras
remembers what its own activations were made of by an attribute. In a function that TensorFlow
traces it also asks the graph, and finds the operand of `tf.nn.softmax` and `tf.sigmoid` there; so
these have the attribute in such functions, and not outside of them.
"""

from __future__ import annotations

from typing import Any

from symtape.tensor.tensor import Tensor
from symtape.tensor.within import WITHIN


def remember(output: Tensor, logits: Any) -> Tensor:
    """Remember what an output was made of, under Keras' name; give it back."""
    output._keras_logits = logits  # type: ignore[attr-defined]  # noqa: SLF001 - Keras' own name
    return output


def remember_in_functions(output: Tensor, logits: Any) -> Tensor:
    """Remember it where TensorFlow would have a graph."""
    return output if WITHIN.find is None else remember(output, logits)


def recall(output: Tensor) -> Tensor | None:
    """Give the logits that an output was made of, or None."""
    found: Tensor | None = getattr(output, "_keras_logits", None)
    return found
