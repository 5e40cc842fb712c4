"""The rules as data: one folder per ruleset, one file per league format, and the loader."""
