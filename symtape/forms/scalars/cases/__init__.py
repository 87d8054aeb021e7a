"""Cases, bounds and signs in their shortest form."""
