"""Results: entry, result sheets, corrections, rulings."""
