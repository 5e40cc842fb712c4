"""What stands in an address beside Django's own kinds: `<id:table>`."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import StringConverter

ID = "[1-9][0-9]{0,17}"
"""A row's id: a number that every database can hold."""


class IdConverter(StringConverter):
    """The id of a row in an address: a string to clients, a number the database can hold to us."""

    regex = ID

    def to_python(self, value: str) -> int:  # type: ignore[override]
        """The number."""
        return int(value)

    def to_url(self, value: int | str) -> str:
        """The id as clients see it."""
        return str(value)


register_converter(IdConverter, "id")
