"""Rules engine: pure functions over values, without Django, clock, randomness or file access."""
