"""Lists that answer at once however long they have grown.

Rows by the million are counted no further than a reader turns pages, come in the order of an index, and are narrowed
by what the reader works for, never by looking at every row for what occurs.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import and_, or_
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from league.models import Block, Competition, Entrant, Session

COUNTED = 10_000
"""So many rows are counted and can be turned to; who looks for one behind them narrows the list."""
OFFERED = 200
"""Nobody chooses from more; the page of each of them leads to the list narrowed to it."""
WRITTEN_OUT = 1000
"""So many ids are written out in a query."""
DAY = forms.DateField(
    required=False,
    validators=[MinValueValidator(dt.date(1900, 1, 1)), MaxValueValidator(dt.date(2999, 12, 31))],
)


def counted(rows: Any) -> int:
    """How many rows there are, at most one more than is turned to."""
    return int(rows.order_by().values("pk")[: COUNTED + 1].count())


class CountedPages(Paginator):  # type: ignore[type-arg]  # generic for types alone
    """Pages of the first `COUNTED` rows."""

    @cached_property
    def found(self) -> int:
        """How many rows there are, at most one more than can be turned to."""
        return counted(self.object_list)

    @cached_property
    def count(self) -> int:
        """How many rows can be turned to."""
        return min(self.found, COUNTED)

    @property
    def is_cut(self) -> bool:
        """Whether there are more."""
        return self.found > COUNTED


NAMES: Mapping[type[Model], Sequence[str]] = {
    Entrant: ("player__name", "player__name_kana", "player__name_romaji", "player__handle"),
    Session: ("name", "name_en"),
    Block: ("name", "name_en"),
}
"""What is called by which columns."""


def written_in(columns: Sequence[str], said: str) -> Q:
    """Every word of it stands in one of these columns."""
    each = (reduce(or_, (Q(**{f"{column}__icontains": word}) for column in columns)) for word in said.split())
    return reduce(and_, each)


def found(model: type[Model], columns: Sequence[str], paths: Mapping[str, type[Model]], said: str) -> QuerySet[Any]:
    """Ids of the rows in whose own columns it stands, or which one of the paths leads from to what is called so.

    Names are looked up first: from a few ids an index leads to the rows, where a search over joined tables would
    join every row there is. More names than can be written out are left to the database.
    """
    rows: QuerySet[Any] = QuerySet(model).order_by().values("pk")
    parts = [rows.filter(written_in(columns, said))] if columns else []
    for path, named in paths.items():
        ids: QuerySet[Any, Any] = (
            QuerySet(named).filter(written_in(NAMES[named], said)).order_by().values_list("pk", flat=True)
        )
        if few := list(ids[: WRITTEN_OUT + 1]):
            parts.append(rows.filter(**{f"{path}__in": few if len(few) <= WRITTEN_OUT else ids}))
    return parts[0].union(*parts[1:]) if len(parts) > 1 else next(iter(parts), rows.none())


class RelatedFilter(admin.RelatedFieldListFilter):
    """What a row belongs to, by its name in the reader's language: of the chosen competition, once there is one."""

    def field_choices(
        self, field: Any, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> list[tuple[str, Any]]:
        """Those the reader works for, unless they are too many to choose from."""
        listed: Any = model_admin
        desk: Any = model_admin.admin_site.get_model_admin(field.remote_field.model)
        rows = desk.get_queryset(request)
        chosen = request.GET.get(f"{listed.competition_path}__id__exact", "")
        if chosen.isdecimal() and rows.model is not Competition:
            rows = rows.filter(**{desk.competition_path: int(chosen)})
        offered = list(rows[: OFFERED + 1])
        if len(offered) > OFFERED:
            offered = [
                row for row in (rows.filter(pk=pk).first() for pk in self.lookup_val or () if pk.isdecimal()) if row
            ]
        return [(str(row.pk), str(row)) for row in offered]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Rows that belong to what was chosen.

        Few are found from it. Many are not: a database would sort them all for one page; in the order of the list the
        first it meets will do.
        """
        rows = cast("QuerySet[Any]", super().queryset(request, queryset))
        if not self.lookup_val or counted(rows) <= COUNTED:
            return rows
        first, _step, rest = self.field_path.partition("__")
        owners: QuerySet[Any] = QuerySet(queryset.model._meta.get_field(first).remote_field.model)
        belongs = owners.filter(**{f"{rest or 'pk'}__in": self.lookup_val}, pk=OuterRef(first))
        return queryset.filter(Exists(belongs))

    def has_output(self) -> bool:
        """Where something was chosen it is shown, and holds, though there may be nothing else to choose."""
        return bool(self.lookup_val) or super().has_output()


class DayFilter(admin.FieldListFilter):
    """The days between which something happened, typed in; each alone will do."""

    template = "admin/day_filter.html"

    def expected_parameters(self) -> list[str | None]:
        """The first day and the last."""
        return [self.first, self.last]

    @property
    def first(self) -> str:
        """What the first day is called in the address."""
        return f"{self.field_path}__from"

    @property
    def last(self) -> str:
        """What the last day is called in the address."""
        return f"{self.field_path}__until"

    def day(self, name: str) -> dt.date | None:
        """The day typed; None where nothing was."""
        typed: Any = self.used_parameters.get(name)
        try:
            found: dt.date | None = DAY.clean(typed[-1] if typed else "")
        except ValidationError as error:
            raise IncorrectLookupParameters(error) from error
        return found

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Rows of these days, by the clock of the service."""
        if first := self.day(self.first):
            queryset = queryset.filter(**{f"{self.field_path}__gte": morning_of(first)})
        if last := self.day(self.last):
            queryset = queryset.filter(**{f"{self.field_path}__lt": morning_of(last + dt.timedelta(days=1))})
        return queryset

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """What the form says, and what else the list was asked for."""
        own = self.expected_parameters()
        others = {name: value for name, value in changelist.params.items() if name not in own}
        yield {"others": others, "from": self.day(self.first), "until": self.day(self.last)}


def morning_of(day: dt.date) -> dt.datetime:
    """When a day begins."""
    return timezone.make_aware(dt.datetime.combine(day, dt.time.min))
