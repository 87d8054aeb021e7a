"""Record what the library says: `python -m tests.refusals`."""

from tests.goldens import keep
from tests.refusals import REFUSED
from tests.refusals.room import FILE, said

keep(FILE, {name: said(call) for name, call in sorted(REFUSED.items())}, in_ascii=False)
