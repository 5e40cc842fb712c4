"""Conformance of the rule books: the proof of each clause, and a check that no rule's value can change unnoticed."""
