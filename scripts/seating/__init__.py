"""Search for the seating plans that are shipped."""
