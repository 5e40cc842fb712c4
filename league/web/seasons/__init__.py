"""Tables and cards of series and rankings."""
