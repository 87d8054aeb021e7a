"""Small programs that any module with TensorFlow's names can run, and what TensorFlow answered.

Each file that has a `TABLE` is one.
"""

from tests.answers.answer import Table, difference
from tests.tables import tables

TABLES: dict[str, Table] = {t.file.stem: t for t in tables(__name__, "TABLE").values()}
ROWS = [(table, name) for table, programs in TABLES.items() for name in programs]

__all__ = ["ROWS", "TABLES", "difference"]
