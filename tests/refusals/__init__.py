"""Calls that the library refuses, room by room, each with the sentence that says why."""

from tests.tables import tables

ROOMS = list(tables(__name__, "ROOM").values())
REFUSED = {name: call for room in ROOMS for name, call in room.refused.items()}
ALLOWED = {name: call for room in ROOMS for name, call in room.allowed.items()}
