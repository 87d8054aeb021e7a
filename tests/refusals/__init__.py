"""Calls that the library refuses, room by room, each with the sentence that says why."""

from tests.refusals import (
    authors,
    data,
    documents,
    formulas,
    functions,
    images,
    keras,
    misfits,
    readings,
    tensors,
)

ROOMS = [
    module.ROOM
    for module in (
        authors,
        data,
        documents,
        formulas,
        functions,
        images,
        keras,
        misfits,
        readings,
        tensors,
    )
]
REFUSED = {name: call for room in ROOMS for name, call in room.refused.items()}
ALLOWED = {name: call for room in ROOMS for name, call in room.allowed.items()}
