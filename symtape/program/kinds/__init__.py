"""All kinds of operation under one name: whoever has a rule for many of them says `kinds.Slice`.

What the modules below make is here without a row of its own.
"""

# ruff: noqa: F403 - so that a new kind is written in one place less

from symtape.program.kinds.matrices import *
from symtape.program.kinds.placement import *
from symtape.program.kinds.segments import *
from symtape.program.kinds.structural import *
from symtape.program.kinds.windows import *
from symtape.program.operations import *
