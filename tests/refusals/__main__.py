"""Record what the library says: `python -m tests.refusals`."""

from tests.refusals import REFUSED
from tests.refusals.room import record

record(REFUSED)
