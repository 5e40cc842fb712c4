"""Django's SQLite backend with a lock for the writers of a process (`base`); `counted` adds metrics."""
