"""Programs made ready for code: the same values by fewer steps; run, never derived again."""
