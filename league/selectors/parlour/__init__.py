"""A parlour: board, counter, sittings, business days."""
