"""Texts about seating and about rounds."""
