"""The line-ups of a session: who is named at each table, who is missing, and until when they are to be named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, actor_of, page_of
from league.admin.results.entry import number_in
from league.forms.seasons.line_ups import DeadlineForm, LineUpForm, TableReasonForm
from league.forms.service import ServiceForm
from league.models import Hanchan, Session, TableSession
from league.platform.errors import Finding, ServiceError
from league.selectors.access.actors import Actor
from league.selectors.seasons.line_ups import LineUpCheck, coming_hanchan, team_games
from league.services.seasons.line_ups import name_line_up, set_line_up_deadline, take_line_up_back


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team at a table: the form of its line-up, and what is to be said of the member named."""

    form: LineUpForm
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class GameRows:
    """A hanchan with its teams."""

    hanchan: Hanchan
    reason: TableReasonForm
    rows: Sequence[TeamRow]

    @property
    def is_refused(self) -> bool:
        """Return True if the form was sent and nothing of it is saved."""
        return any(form.errors or form.warnings for form in (self.reason, *(row.form for row in self.rows)))

    @property
    def missing(self) -> int:
        """The number of teams for which no member is named."""
        return sum(row.form.game.line_up is None for row in self.rows)


class LineUpsView(ServiceView[Session, ServiceForm]):
    """Name line-ups for all teams of a session, and set deadlines."""

    title = gettext_lazy("Line-ups")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        return self.page()

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Write the line-ups of one hanchan, all or none, or the deadline of a table."""
        if "table" in request.POST:
            return self.set_deadline(number_in(request.POST, "table"))
        hanchan = number_in(request.POST, "hanchan")
        forms = self.forms(request.POST, hanchan)
        sent = [form for form in forms if form.is_bound]
        if not sent:
            raise Http404
        reason = TableReasonForm(request.POST, prefix=f"g{hanchan}")
        are_valid = [form.is_valid() for form in (reason, *sent)]
        if all(are_valid) and write_all(sent, reason.cleaned_data["reason"], actor_of(request)):
            messages.success(request, _("Saved."))
            return HttpResponseRedirect(page_of(self.row, "line-ups"))
        return self.page(forms, reason=reason)

    def set_deadline(self, pk: int | None) -> HttpResponse:
        """Set the deadline of a table."""
        table = TableSession.objects.filter(session=self.row, pk=pk or 0).select_related("competition").first()
        if table is None:
            raise Http404
        form = DeadlineForm(self.request.POST, table=table)
        if form.is_valid():
            try:
                set_line_up_deadline(table=table, by=actor_of(self.request), **form.cleaned_data)
            except ServiceError as error:
                form.take(error)
            else:
                messages.success(self.request, _("Saved."))
                return HttpResponseRedirect(page_of(self.row, "line-ups"))
        return self.page(deadline=form)

    def games(self) -> list[Hanchan]:
        """Return the hanchan of the session that still have to be played."""
        return list(coming_hanchan(self.row.competition).filter(table_session__session=self.row))

    def forms(self, data: object = None, hanchan: int | None = None) -> list[LineUpForm]:
        """Return a form for each team at each table; those of `hanchan` are bound to the data."""
        games = team_games(self.row.competition, self.games())
        return [
            LineUpForm(data if one.hanchan.pk == hanchan else None, game=one, keeps_shown=True)
            for one in games
            if one.entrant.player.is_team
        ]

    def page(
        self,
        forms: Sequence[LineUpForm] | None = None,
        deadline: DeadlineForm | None = None,
        reason: TableReasonForm | None = None,
    ) -> HttpResponse:
        """Render the page; a form with errors replaces the empty one."""
        assert self.model_admin is not None  # noqa: S101 - the address gives it
        forms = self.forms() if forms is None else forms
        games = {form.game.hanchan.pk: form.game.hanchan for form in forms}
        tables = {game.table_session_id: game.table_session for game in games.values()}
        context = {
            **self.model_admin.admin_site.each_context(self.request),
            "title": self.title,
            "subtitle": str(self.row),
            "trail": [(str(row), page_of(row)) for row in (self.competition(), self.row)],
            "opts": self.model_admin.opts,
            "deadlines": [
                deadline if deadline and deadline.table.pk == pk else DeadlineForm(table=table)
                for pk, table in tables.items()
            ],
            "games": [GameRows(game, reason_of(game, reason), rows_of(game, forms)) for game in games.values()],
        }
        shown = [*forms, *(form for form in (deadline, reason) if form)]
        status = 422 if any(form.errors or form.warnings for form in shown) else 200
        return render(self.request, "admin/league/seasons/line_ups.html", context, status=status)


def rows_of(game: Hanchan, forms: Sequence[LineUpForm]) -> list[TeamRow]:
    """Return the rows of one hanchan with the findings about the members named."""
    check = LineUpCheck.of(game)
    return [
        TeamRow(form, check.findings(form.game.entrant, form.game.line_up.player) if form.game.line_up else ())
        for form in forms
        if form.game.hanchan.pk == game.pk
    ]


def reason_of(game: Hanchan, sent: TableReasonForm | None) -> TableReasonForm:
    """Return the form of the reason for one hanchan: the one sent, or an empty one."""
    prefix = f"g{game.pk}"
    return sent if sent and sent.prefix == prefix else TableReasonForm(prefix=prefix)


def write_all(forms: Sequence[LineUpForm], reason: str, by: Actor) -> bool:
    """Write the line-ups that were changed on the page, all or none; return False with the findings in the forms."""
    with transaction.atomic():
        are_written = [write(form, reason, by) for form in forms if form.has_changed()]
        if not all(are_written):
            transaction.set_rollback(True)
    return all(are_written)


def write(form: LineUpForm, reason: str, by: Actor) -> bool:
    """Name the chosen member, or take the line-up back; return False with the findings in the form."""
    game = form.game
    try:
        if form.player is None:
            take_line_up_back(hanchan=game.hanchan, entrant=game.entrant, reason=reason, by=by)
        else:
            name_line_up(
                hanchan=game.hanchan,
                entrant=game.entrant,
                player=form.player,
                reason=reason,
                accept=form.accepted,
                by=by,
            )
    except ServiceError as error:
        form.take(error)
        return False
    return True
