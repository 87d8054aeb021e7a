"""How steps become fewer: each rewrite gives a scaled step, or declines."""
