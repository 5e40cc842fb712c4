"""Texts about rulesets and formats."""
