"""A table followed hand by hand: log, score sheet, links."""
