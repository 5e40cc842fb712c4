"""Answers as clients see them: plain values made from what selectors found, as of one reader."""
