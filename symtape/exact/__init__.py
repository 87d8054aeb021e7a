"""Programs over exact numbers: many digits, enclosures, finite fields."""
