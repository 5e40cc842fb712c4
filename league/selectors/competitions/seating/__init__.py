"""Seating of rounds: plans, pairings, draws and rests."""
