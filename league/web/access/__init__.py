"""Links and cookies by which visitors are known."""
