"""Derivatives as they stand in books: functions, the reference, and what is printed.

Layout is that of The Matrix Cookbook. Where the printed form is written in another way than the
reference, it is no longer.
"""

from tests.references.angles import ANGLES
from tests.references.around import AROUND
from tests.references.calculus import CALCULUS
from tests.references.chains import CHAINS
from tests.references.cofactors import COFACTORS
from tests.references.cookbook import COOKBOOK
from tests.references.densities import DENSITIES
from tests.references.elements import ELEMENTS
from tests.references.fractions import FRACTIONS
from tests.references.grades import GRADES
from tests.references.inference import INFERENCE
from tests.references.information import INFORMATION
from tests.references.learning import LEARNING
from tests.references.likelihoods import LIKELIHOODS
from tests.references.mechanics import MECHANICS
from tests.references.models import MODELS
from tests.references.ratings import RATINGS
from tests.references.room import Leaves, Reference, derived
from tests.references.rows import ROWS
from tests.references.sciences import FINANCE, PHYSICS, STATISTICS
from tests.references.scores import SCORES
from tests.references.series import SERIES
from tests.references.shapes import SHAPES
from tests.references.spectra import SPECTRA

TABLES: dict[str, dict[str, Reference]] = {
    "The Matrix Cookbook": COOKBOOK,
    "Matrix calculus": CALCULUS,
    "Learning": LEARNING,
    "Rows and parts": ROWS,
    "Element by element": ELEMENTS,
    "Statistics": STATISTICS,
    "Physics": PHYSICS,
    "Finance": FINANCE,
    "Models and losses": MODELS,
    "Forces, prices and shapes": SHAPES,
    "Densities and energies": DENSITIES,
    "Inference": INFERENCE,
    "Mechanics and markets": MECHANICS,
    "Ratings and waves": RATINGS,
    "Fractions, flows and demand": FRACTIONS,
    "Scores and distances": SCORES,
    "Likelihoods": LIKELIHOODS,
    "Angles, resonances and kernels": ANGLES,
    "Grades, mirrors and distances": GRADES,
    "Small matrices and angles": COFACTORS,
    "Around an axis": AROUND,
    "Information and quantiles": INFORMATION,
    "Spectra": SPECTRA,
    "Chains and masks": CHAINS,
    "Series and grids": SERIES,
}
REFERENCES = {name: row for table in TABLES.values() for name, row in table.items()}

__all__ = ["REFERENCES", "TABLES", "Leaves", "Reference", "derived"]
