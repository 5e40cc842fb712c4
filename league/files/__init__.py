"""Read and write a whole competition as a file.

A file is a value: every fault in it is found before anything is written, and one competition always gives the same
file. Nothing in this package reads the database: `league.services.exchange.competition_import` writes the contents of
a file, `league.selectors.exchange.competition_export` builds a file from a competition. docs/files.md explains the
keys.
"""
