"""Serializer fields of requests, and the query parameters shared by the collections."""

from __future__ import annotations

import datetime as dt
import inspect
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from league.web.problems import ProblemError, error, unknown_fields, validation_errors
from league.web.url_converters import ID

ID_SCHEMA = {"type": "string", "pattern": f"^{ID}$"}
LARGEST_PAGE = 200
LONGEST_QUOTED = 40
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
"""A moment in the notation of RFC 3339."""
MOST_UNKNOWN = 50
"""Unknown fields that a refusal names; a body may hold any number."""


@extend_schema_field(ID_SCHEMA)
class IdField(serializers.RegexField):
    """The id of a row; clients send it as a string."""

    def __init__(self, **options: Any) -> None:
        super().__init__(regex=f"^{ID}$", **options)

    def run_validation(self, data: object = serializers.empty) -> object:
        """Return the id as a number, or None if nothing was sent."""
        text = super().run_validation(data)
        return int(text) if text else None


@extend_schema_field({"type": "string", "format": "date-time"})
class SinceField(serializers.Field[dt.datetime, object, str, object]):
    """A moment with its offset (RFC 3339), from which on changed rows are listed."""

    default_error_messages = {
        "no_moment": gettext_lazy(
            "“%(given)s” is no moment with an offset. Write it as 2026-10-03T10:00:00Z; in an address the plus sign of "
            "an offset is written %%2B."
        )
    }

    def __init__(self) -> None:
        text = "Only rows changed at this moment or later, as far as the reader may know: `updated_at` of a page."
        super().__init__(required=False, help_text=text)

    def to_internal_value(self, data: object) -> dt.datetime:
        """Return the moment in UTC. Raise ValidationError for any other text."""
        found = MOMENT.fullmatch(str(data))
        try:
            if found is not None:
                day, clock, part, offset = found.groups(default="")
                return dt.datetime.fromisoformat(f"{day}T{clock}{part[:7]}{offset.upper()}").astimezone(dt.UTC)
        # OverflowError: the first or the last day of the calendar, moved beyond it by its offset.
        except (ValueError, OverflowError):
            pass
        message = str(self.error_messages["no_moment"]) % {"given": shortened(str(data))}
        raise serializers.ValidationError(message, "no_moment")

    def to_representation(self, value: dt.datetime) -> str:
        """Return the moment as text."""
        return value.isoformat()


def shortened(text: str) -> str:
    """Return the beginning of a text that a message quotes."""
    return text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}…"


@extend_schema_field({"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"})
class TimeOfDayField(serializers.TimeField):
    """A time of day without a zone, such as `13:00`; OpenAPI's format `time` would demand an offset."""


class BoundedListField(serializers.ListField):
    """A list whose length is checked before its members, so that a huge one is refused at once.

    Django REST framework checks the members first: 100,000 seats took 25 seconds to refuse.
    """

    def to_internal_value(self, data: Any) -> list[Any]:
        """Return the validated members. Raise ValidationError for too many before looking at any."""
        if isinstance(data, list) and self.max_length is not None and len(data) > self.max_length:
            self.run_validators(data)
        return super().to_internal_value(data)


class StrictSerializer(serializers.Serializer[object]):
    """Serializer that refuses unknown fields, so that a misspelt one is never silently ignored."""

    @classmethod
    def check(cls, data: object, time_zone: str | None = None) -> Any:
        """Return the validated values of a request body. Raise ValidationError for a wrong one.

        A timestamp without an offset is in the time zone given, else in that of the service.
        """
        checked = cls(data=data)
        with timezone.override(time_zone):
            checked.is_valid(raise_exception=True)
        return checked.validated_data

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        extend_schema_serializer(component_name=cls.__name__.removesuffix("Input"))(cls)

    def to_internal_value(self, data: object) -> object:
        """Return the validated values. Raise ValidationError for unknown fields."""
        if isinstance(data, Mapping) and (unknown := set(map(str, data)) - set(self.fields)):
            known = ", ".join(self.fields)
            sentence = _("“%(name)s” is not known here. Known: %(known)s.")
            raise serializers.ValidationError(
                {
                    name: [serializers.ErrorDetail(sentence % {"name": name, "known": known}, "unknown")]
                    for name in sorted(unknown)[:MOST_UNKNOWN]
                }
            )
        return super().to_internal_value(data)


class NothingInput(StrictSerializer):
    """An empty request body."""


class OptionalTextField(serializers.CharField):
    """A text that is empty if it is left out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(default="", allow_blank=True, **options)


class AcceptField(BoundedListField):
    """Codes of warnings that were checked and are accepted."""

    def __init__(self) -> None:
        child = serializers.CharField(max_length=64)
        super().__init__(child=child, default=list, max_length=50, help_text=inspect.getdoc(type(self)))


class Query(serializers.Serializer[object]):
    """Query parameters of an endpoint; by default only the format."""

    format = serializers.ChoiceField(choices=["json"], required=False, help_text="The representation.")

    @classmethod
    def read(cls, parameters: Mapping[str, list[str]]) -> dict[str, object]:
        """Return the values of the parameters. Raise ProblemError naming every unknown or invalid one."""
        return dict(cls._read(tuple((name, tuple(values)) for name, values in parameters.items())))

    @classmethod
    @lru_cache(maxsize=1_000)
    def _read(cls, given: tuple[tuple[str, tuple[str, ...]], ...]) -> Mapping[str, object]:
        """Do the same for hashable arguments, cached.

        A serializer copies its fields for each use (0.2 ms), and clients repeat their queries.
        """
        parameters = dict(given)
        query = cls(data={name: values[-1] for name, values in parameters.items()})
        errors = unknown_fields(set(parameters) - set(query.fields), query.fields)
        errors += [
            error(
                "given_twice",
                _("“%(name)s” is given more than once.") % {"name": name},
                pointer=f"/{name}",
                where="query",
            )
            for name, values in parameters.items()
            if len(values) > 1 and name in query.fields
        ]
        if not query.is_valid():
            errors += validation_errors(query.errors, where="query")
        if errors:
            raise ProblemError("invalid_request", errors=errors)
        return dict(query.validated_data)


class PagedQuery(Query):
    """Page number and page size of a collection."""

    page = serializers.IntegerField(
        min_value=1, max_value=1_000_000, default=1, help_text="The number of the page, from 1."
    )
    page_size = serializers.IntegerField(
        min_value=1, max_value=LARGEST_PAGE, default=50, help_text="Results on a page."
    )


class CompetitionField(serializers.SlugField):
    """The slug of a competition."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=64, help_text="The competition's slug, or a former one.", **options)


class KeyField(serializers.RegexField):
    """The key of a stage or a block."""

    def __init__(self, **options: Any) -> None:
        super().__init__(regex=r"^[A-Za-z][A-Za-z0-9_-]{0,31}$", required=False, **options)
