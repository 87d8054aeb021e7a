"""What an element is: structures, specs, optional ones."""
