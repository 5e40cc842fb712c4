"""What the rules do: pure functions over values, without Django, clock, chance or files."""
