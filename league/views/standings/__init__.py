"""Standings, ladder, conditions and odds."""
