"""Documents and pages of hands and online games."""
