"""LaTeX, and what stands to the left of a formula."""
