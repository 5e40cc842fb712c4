"""Team leagues: line-ups and their limits, tables of teams and members, awards, members to be replaced."""
