"""What a person asks of a tensor: formulas, structures, parts, enclosures."""
