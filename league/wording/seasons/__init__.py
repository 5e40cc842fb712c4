"""Texts about series and rankings."""
