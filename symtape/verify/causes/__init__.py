"""Why a candidate is wrong."""
