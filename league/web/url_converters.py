"""URL path converters besides Django's own; `<id:table>` matches the id of a row."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import StringConverter

ID = "[1-9][0-9]{0,17}"
"""The pattern of a row id: a positive number of at most 18 digits, which every database can store as a bigint."""


class IdConverter(StringConverter):
    """Path converter for row ids: text in the URL and for clients, an int that the database can store in views."""

    regex = ID

    def to_python(self, value: str) -> int:  # type: ignore[override]  # django-stubs knows only str
        """Return the id as an int."""
        return int(value)

    def to_url(self, value: int | str) -> str:
        """Return the id as the text used in URLs."""
        return str(value)


class CodeConverter(StringConverter):
    """Path converter for the signed code printed on a parlour's table: table, number of the code, signature."""

    regex = r"[1-9][0-9]{0,17}\.[1-9][0-9]{0,8}:[A-Za-z0-9_-]{43}"


register_converter(IdConverter, "id")
register_converter(CodeConverter, "code")
