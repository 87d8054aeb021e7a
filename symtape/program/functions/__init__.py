"""Scalar functions whose slopes keep their digits: of one name each, closed under derivatives."""
