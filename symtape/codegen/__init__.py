"""Code for a program: names, statements, backends."""
