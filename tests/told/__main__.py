"""Write what is said: python -m tests.told."""

from tests.goldens import keep
from tests.told import FILE, TOLD, said

keep(FILE, {name: said(name) for name in sorted(TOLD)}, in_ascii=False)
