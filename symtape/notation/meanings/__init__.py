"""What each notation means."""
