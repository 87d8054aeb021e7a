"""Reports on the derivatives that a script takes."""

from symtape.report.table import columns, table
from symtape.report.taken import Derivatives, Row

__all__ = ["Derivatives", "Row", "columns", "table"]
