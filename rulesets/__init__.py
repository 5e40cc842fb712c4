"""What the rules are: one folder per ruleset, one file per league format, and the loader."""
