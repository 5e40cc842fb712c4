"""What a cell of text may begin with so that a spreadsheet takes it for a formula."""

from __future__ import annotations

RUN = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
