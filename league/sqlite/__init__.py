"""Django's SQLite, with writers that take turns (`turns`); `counted` is the same where metrics are kept."""
