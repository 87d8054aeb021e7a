"""Programs and formulas as JSON that executes nothing when it is read; see `docs/format.md`."""
