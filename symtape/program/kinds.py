"""All kinds of operation under one name: whoever has a rule for many of them says `kinds.Slice`.

What the modules below make is here without a row of its own.
"""

# ruff: noqa: F403 - so that a new kind is written in one place less

from symtape.program.matrices import *
from symtape.program.operations import *
from symtape.program.placement import *
from symtape.program.segments import *
from symtape.program.structural import *
from symtape.program.windows import *
