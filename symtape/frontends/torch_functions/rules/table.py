"""All rules, entered by importing the modules that have them."""

from symtape.frontends.torch_functions.rules.rules import READ, RULES, WIDE, Step, rule_of

__all__ = ["READ", "RULES", "WIDE", "Step", "rule_of"]
