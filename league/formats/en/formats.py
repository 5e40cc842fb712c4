"""English dates with the day before the month and 24 hours: 22 Nov 2026 18:00."""

DATE_FORMAT = "D j M Y"
DATETIME_FORMAT = "D j M Y H:i"
TIME_FORMAT = "H:i"
