"""Rule books: rulesets, clauses, hands valued under a ruleset."""
