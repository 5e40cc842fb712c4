"""Competitions: formats, set-up, schedule, seating."""
