"""Each array library's own words for the functions that all share."""
