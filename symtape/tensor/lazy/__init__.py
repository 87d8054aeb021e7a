"""Values that are computed when somebody asks for them."""
