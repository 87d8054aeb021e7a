"""Functions of one family in an expression: by their names, or in one of them."""
