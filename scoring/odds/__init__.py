"""Probabilities: the rest of a season simulated many times, from random draws passed in by the caller.

`lay_out` determines the open decisions, `simulate` plays them out for many seasons at once, `simulate_one`
for one season with the engine that ranks real ones. This package generates no random numbers and no
fractions: randomness comes in as integers, and the results are counts of seasons.
"""
