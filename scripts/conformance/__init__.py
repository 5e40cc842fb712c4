"""Proof that the rule books are executed: what proves each clause, and that no value can change unnoticed."""
