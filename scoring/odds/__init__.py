"""How likely it is: the rest of a season simulated many times, from draws handed in.

`lay_out` says what is open, `simulate` plays it out for many seasons at once, `simulate_one` for one season by the
engine that ranks real ones. Nothing here is random and nothing is a fraction: chance comes in as whole numbers, and
what comes out are counts of seasons.
"""
