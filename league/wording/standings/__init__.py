"""Texts about standings, conditions and odds."""
