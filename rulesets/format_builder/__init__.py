"""Build a league format step by step: drafts, the operations on them, and what is wrong with them so far.

A draft is the data of a format's file, as TOML gives it; it may still be incomplete. Every operation returns a new
draft. `picks` reads and writes who comes into a stage, `edits` and `rounds` change a draft, `continuations` adds ends
such as a knock-out, `offers` lists what a stage can take, `proposals` has the defaults, `checking` finds faults and the
fields they belong to.
"""
