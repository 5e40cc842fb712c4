"""The same, counted for metrics."""
