"""Matrix notation of programs: formulas of whole vectors and matrices."""
