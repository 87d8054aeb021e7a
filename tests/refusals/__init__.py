"""Calls that the library refuses, room by room, each with the sentence that says why."""

from tests.refusals import (
    answers,
    authors,
    commands,
    data,
    documents,
    expressions,
    formulas,
    functions,
    images,
    judge,
    keras,
    misfits,
    operations,
    printed,
    readings,
    saved,
    tensors,
    texts,
)

ROOMS = [
    module.ROOM
    for module in (
        answers,
        authors,
        commands,
        data,
        documents,
        expressions,
        formulas,
        functions,
        images,
        judge,
        keras,
        misfits,
        operations,
        printed,
        readings,
        saved,
        tensors,
        texts,
    )
]
REFUSED = {name: call for room in ROOMS for name, call in room.refused.items()}
ALLOWED = {name: call for room in ROOMS for name, call in room.allowed.items()}
