"""What a softmax or sigmoid was made of, which the cross entropies take instead of it.

The logarithm of a probability that has rounded to 0 or 1 is lost; that of its logit is not. As in
Keras, only the functions of `tf.keras.activations`, and layers that use them, are remembered.
"""

from __future__ import annotations

import weakref

from symtape.tensor.tensor import Tensor

_KNOWN: dict[int, tuple[weakref.ref[Tensor], Tensor]] = {}


def remember(output: Tensor, logits: Tensor) -> Tensor:
    """Remember, as long as `output` lives, what it was made of; give it back."""
    key = id(output)

    def forget(_: object) -> None:
        _KNOWN.pop(key, None)

    _KNOWN[key] = (weakref.ref(output, forget), logits)
    return output


def recall(output: Tensor) -> Tensor | None:
    """Give the logits that an output was made of, or None."""
    found = _KNOWN.get(id(output))
    return found[1] if found is not None and found[0]() is output else None
