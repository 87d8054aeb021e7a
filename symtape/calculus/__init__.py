"""Derivatives of programs, which are programs: gradients, Jacobians and Hessians."""
