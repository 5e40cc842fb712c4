"""Changelists whose response time does not depend on the number of rows.

Counting stops at a limit, rows come in the order of an index, names are looked up before rows, and filters offer the
competitions the user works for instead of the distinct values of a column.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.db.models.fields.related import RelatedField
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from league.models import Block, Competition, Entrant, Session
from league.selectors.competitions.match_days import dated_title, session_progress
from league.wording.names import title_of

COUNTED = 10_000
"""Number of rows that are counted and can be paged through; beyond it the user narrows the list by a filter."""
OFFERED = 200
"""Most choices that a filter offers; rows beyond it are reached from the page of the object they belong to."""
WRITTEN_OUT = 1000
"""Most ids written into an IN clause; more of them become a subquery."""
DAY = forms.DateField(
    required=False,
    validators=[MinValueValidator(dt.date(1900, 1, 1)), MaxValueValidator(dt.date(2999, 12, 31))],
)


def changelist_url(model: str, competition: Competition, path: str = "competition") -> str:
    """Return the address of a model's list, filtered by the competition."""
    return f"{reverse(f'admin:league_{model}_changelist')}?{urlencode({f'{path}__id__exact': competition.pk})}"


def count_limited(rows: QuerySet[Model]) -> int:
    """Return the number of rows, counting at most one more than can be paged through."""
    return rows.order_by().values("pk")[: COUNTED + 1].count()


if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    PaginatorOfRows = Paginator[Model]
else:
    PaginatorOfRows = Paginator


class CountedPages(PaginatorOfRows):
    """Paginator over the first `COUNTED` rows."""

    object_list: QuerySet[Model]

    @cached_property
    def found(self) -> int:
        """The number of rows, at most `COUNTED` + 1."""
        return count_limited(self.object_list)

    @cached_property
    def count(self) -> int:
        """The number of rows that can be paged through."""
        return min(self.found, COUNTED)

    @property
    def is_cut(self) -> bool:
        """Return True if there are rows beyond the last page."""
        return self.found > COUNTED


NAMES: Mapping[type[Model], Sequence[str]] = {
    Entrant: ("player__name", "player__name_kana", "player__name_romaji", "player__handle"),
    Session: ("name", "name_en"),
    Block: ("name", "name_en"),
}
"""The columns to search for each model that other rows are found through."""


def words_in_columns(columns: Sequence[str], said: str) -> Q:
    """Return a condition: each word of the search text occurs in at least one of the columns."""
    each = (reduce(or_, (Q(**{f"{column}__icontains": word}) for column in columns)) for word in said.split())
    return reduce(and_, each)


def ids_matching(
    model: type[Model], columns: Sequence[str], paths: Mapping[str, type[Model]], said: str
) -> QuerySet[Model, dict[str, object]]:
    """Return the ids of rows that match in their own columns, or belong to a row with a matching name.

    Names are looked up first: from a few ids an index leads to the rows, where a search over joined tables would join
    every row there is. If more names match than fit into a query, their ids become a subquery.
    """
    rows: QuerySet[Model, dict[str, object]] = QuerySet(model).order_by().values("pk")
    parts = [rows.filter(words_in_columns(columns, said))] if columns else []
    for path, named in paths.items():
        matching: QuerySet[Model] = QuerySet(named).filter(words_in_columns(NAMES[named], said))
        ids = matching.order_by().values_list("pk", flat=True)
        if few := list(ids[: WRITTEN_OUT + 1]):
            parts.append(rows.filter(**{f"{path}__in": few if len(few) <= WRITTEN_OUT else ids}))
    return parts[0].union(*parts[1:]) if len(parts) > 1 else next(iter(parts), rows.none())


def path_to_competition(model_admin: admin.ModelAdmin[Model]) -> str:
    """Return the lookup path from an admin's rows to their competition; empty if it has none."""
    return str(getattr(model_admin, "competition_path", ""))


class RelatedFilter(admin.RelatedFieldListFilter):
    """Filter by a related object, named in the user's language and limited to the competition chosen."""

    def field_choices(
        self, field: RelatedField[Model, Model], request: HttpRequest, model_admin: admin.ModelAdmin[Model]
    ) -> list[tuple[str, StrOrPromise]]:
        """Return the related rows visible to the user, or the chosen one alone if there are more than `OFFERED`."""
        related = model_admin.admin_site.get_model_admin(field.remote_field.model)
        rows = related.get_queryset(request)
        chosen = request.GET.get(f"{path_to_competition(model_admin)}__id__exact", "")
        if chosen.isdecimal() and rows.model is not Competition:
            rows = rows.filter(**{path_to_competition(related): int(chosen)})
        if rows.model is Session:
            rows = rows.select_related("competition")
        # One more than offered tells whether there are too many, without a count.
        offered = list(rows[: OFFERED + 1])
        if len(offered) > OFFERED:
            offered = [
                row for row in (rows.filter(pk=pk).first() for pk in self.lookup_val or () if pk.isdecimal()) if row
            ]
        return [(str(row.pk), label) for row, label in zip(offered, labels_of(offered, chosen), strict=True)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model] | None:
        """Return the rows that belong to the chosen object.

        With few matches the database starts from the object. With many it would sort all of them for one page, so the
        filter becomes an EXISTS that is tested along the order of the list.
        """
        rows = super().queryset(request, queryset)
        if rows is None or not self.lookup_val or count_limited(rows) <= COUNTED:
            return rows
        first, _step, rest = self.field_path.partition("__")
        owner = queryset.model._meta.get_field(first).related_model
        assert isinstance(owner, type)  # noqa: S101 - a filter's path begins with a foreign key
        owners: QuerySet[Model] = QuerySet(owner)
        belongs = owners.filter(**{f"{rest or 'pk'}__in": self.lookup_val}, pk=OuterRef(first))
        return queryset.filter(Exists(belongs))

    def has_output(self) -> bool:
        """Return True also if the chosen value is the only choice, so that it stays visible and applied."""
        return bool(self.lookup_val) or super().has_output()


def labels_of(rows: Sequence[Model], competition: str) -> list[str]:
    """Return the labels of a filter's choices: sessions with their days, and their competition if none is chosen."""
    sessions = [row for row in rows if isinstance(row, Session)]
    if not sessions:
        return [str(row) for row in rows]
    found = session_progress(sessions)
    named = [dated_title(row, found[row.pk]) for row in sessions]
    if competition:
        return named
    return [f"{label} · {title_of(row.competition)}" for row, label in zip(sessions, named, strict=True)]


class DayFilter(admin.FieldListFilter):
    """Filter by a range of days, both ends included and each optional."""

    template = "admin/day_filter.html"

    def expected_parameters(self) -> list[str | None]:
        """Return the query parameters of the first and of the last day."""
        return [self.first, self.last]

    @property
    def first(self) -> str:
        """The query parameter of the first day."""
        return f"{self.field_path}__from"

    @property
    def last(self) -> str:
        """The query parameter of the last day."""
        return f"{self.field_path}__until"

    def day(self, name: str) -> dt.date | None:
        """Return the day of a parameter, or None if it is empty. Raise IncorrectLookupParameters for other text."""
        typed = self.used_parameters.get(name)
        try:
            found: dt.date | None = DAY.clean(typed[-1] if isinstance(typed, list) and typed else "")
        except ValidationError as error:
            raise IncorrectLookupParameters(error) from error
        return found

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        """Return the rows of these days in the time zone of the service."""
        if first := self.day(self.first):
            queryset = queryset.filter(**{f"{self.field_path}__gte": morning_of(first)})
        if last := self.day(self.last):
            queryset = queryset.filter(**{f"{self.field_path}__lt": morning_of(last + dt.timedelta(days=1))})
        return queryset

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the context of the form: its values, and the other parameters to keep in hidden fields."""
        own = self.expected_parameters()
        others = {name: value for name, value in changelist.params.items() if name not in own}
        yield {"others": others, "from": self.day(self.first), "until": self.day(self.last)}


def morning_of(day: dt.date) -> dt.datetime:
    """Return midnight at the beginning of a day, in the current time zone."""
    return timezone.make_aware(dt.datetime.combine(day, dt.time.min))
