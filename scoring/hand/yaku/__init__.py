"""Every yaku as a small function: what it needs. What it is worth stands in the ruleset.

Three families, by what a yaku looks at: how the hand was won (`circumstance`), which tiles it is made of (`tiles`),
how they are read (`sets`). A function returns how many times its yaku is there.
"""
