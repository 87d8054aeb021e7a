"""Index notation of kinds of operations."""
