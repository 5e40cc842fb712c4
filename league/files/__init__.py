"""A whole competition as a file: what `import_competition` reads and `export_competition` writes.

The one idea: a file is a value. Everything that can be wrong with it is found before anything is written, and the
same competition always makes the same file. Nothing here knows the database:
`league.services.exchange.competition_import` writes the contents of a file, and
`league.selectors.exchange.competition_export` makes the file of a competition. The keys are explained in docs/files.md.
"""
