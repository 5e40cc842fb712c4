"""Every yaku as a small test function. Its value comes from the ruleset.

There are three families, by the input of the test: the circumstances of the win (`circumstance`), the tiles of the
hand (`tiles`), and their reading (`sets`). A test returns the number of times that a hand has its yaku.
"""
