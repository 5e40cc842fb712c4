"""Middleware of the web process."""
