"""Datasets that are filled up to a number of elements: pad_to_cardinality."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from symtape.data.dataset import Dataset
from symtape.data.elements.structures import mapped
from symtape.data.stages.base import filled


def pad_to_cardinality(cardinality: int, mask_key: str = "valid") -> Callable[[Any], Any]:
    """Put elements of zeros behind those of a dataset of dicts, up to a number of elements.

    Under `mask_key` each element says whether it is one of the dataset. Raises `ValueError` for a
    dataset whose elements are not counted, are more, or are no dicts.

    >>> two = Dataset.from_tensor_slices({"a": [1, 2]})
    >>> [int(x["a"]) for x in two.apply(pad_to_cardinality(3)) if x["valid"]]
    [1, 2]
    """

    def apply(dataset: Any) -> Any:
        known = dataset.cardinality()
        begin = "The dataset passed into `pad_to_cardinality` must have a"
        if known < 0:
            raise ValueError(f"{begin} known cardinalty, but has cardinality {known}")
        if known > cardinality:
            raise ValueError(
                f"{begin} cardinalty less than the target cardinality ({cardinality}), but has "
                f"cardinality {known}"
            )
        if not isinstance(dataset.element_spec, Mapping):
            raise ValueError("`pad_to_cardinality` requires its input dataset to be a dictionary.")
        nothing = mapped(lambda spec: filled(spec, 0), dataset.element_spec)
        filler = Dataset.from_tensors({**nothing, mask_key: False}).repeat(cardinality - known)
        return dataset.map(lambda element: {**element, mask_key: True}).concatenate(filler)

    return apply
