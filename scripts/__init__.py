"""Helpers for whoever builds, tests and measures; the service itself uses none of them."""
