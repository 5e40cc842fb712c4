"""REST for parlours: the house, its sittings, guests, statements and business days."""
