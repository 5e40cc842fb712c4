"""Layout of ladders and of the standings of large fields."""
