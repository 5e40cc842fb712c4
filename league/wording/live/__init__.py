"""Texts about tables and their hands."""
