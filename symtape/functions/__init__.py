"""Functions on functions: `grad`, `jacobian`, `hessian` and their kin, traced once and compiled."""
