"""The SQLite backend with the write lock whose queries are counted for Prometheus."""
