"""A pyramid of leagues: the moves between its tiers after a term, promotion points, and the next rosters."""
