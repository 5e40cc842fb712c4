"""The line-ups of a session: the members named at each table, those missing, and the deadline for naming them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, actor_of, page_of
from league.forms.seasons.line_ups import DeadlineForm, LineUpForm, LineUpReasonForm
from league.forms.service import ServiceForm
from league.models import Hanchan, Session, TableSession
from league.platform.errors import Finding, ServiceError
from league.selectors.access.actors import Actor
from league.selectors.competitions.seating.plans import awaits_seats
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
    rows: Sequence[TeamRow]

    @property
    def missing(self) -> int:
        """The number of teams for which no member is named."""
        return sum(row.form.game.line_up is None for row in self.rows)


class LineUpsView(ServiceView[Session, ServiceForm]):
    """Name line-ups for all teams of a session, and set their deadline."""

    title = gettext_lazy("Line-ups")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        return self.page(self.forms())

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Write the line-ups that were changed, all or none, or the deadline."""
        if "deadline" in request.POST:
            return self.set_deadline(DeadlineForm(request.POST, tables=self.tables()))
        forms, reason = self.forms(request.POST), LineUpReasonForm(request.POST)
        are_valid = [form.is_valid() for form in (reason, *forms)]
        if all(are_valid) and write_all(forms, reason.cleaned_data["reason"], actor_of(request)):
            return self.saved()
        return self.page(forms, reason=reason)

    def set_deadline(self, form: DeadlineForm) -> HttpResponse:
        """Set the deadline of all tables of the session, or of none."""
        if form.is_valid():
            try:
                with transaction.atomic():
                    for table in form.tables:
                        set_line_up_deadline(table=table, by=actor_of(self.request), **form.cleaned_data)
            except ServiceError as error:
                form.take(error)
            else:
                return self.saved()
        return self.page(self.forms(), deadline=form)

    def saved(self) -> HttpResponse:
        """Return to the page with a message."""
        messages.success(self.request, _("Saved."))
        return HttpResponseRedirect(page_of(self.row, "line-ups"))

    def games(self) -> list[Hanchan]:
        """Return the hanchan of the session that still have to be played."""
        return list(coming_hanchan(self.row.competition).filter(table_session__session=self.row))

    def tables(self) -> list[TableSession]:
        """Return the tables of these hanchan."""
        return list(dict.fromkeys(hanchan.table_session for hanchan in self.games()))

    def forms(self, data: object = None) -> list[LineUpForm]:
        """Return a form for each team at each table."""
        games = team_games(self.row.competition, self.games())
        return [LineUpForm(data, game=one, keeps_shown=True) for one in games if one.entrant.player.is_team]

    def page(
        self,
        forms: Sequence[LineUpForm],
        deadline: DeadlineForm | None = None,
        reason: LineUpReasonForm | None = None,
    ) -> HttpResponse:
        """Render the page; a form with errors replaces the empty one."""
        games = dict.fromkeys(form.game.hanchan for form in forms)
        is_refused = any(form.errors or form.warnings for form in (*forms, *([reason] if reason else ())))
        status = 422 if is_refused or (deadline and deadline.errors) else 200
        return self.render_page(
            "seasons/line_ups",
            status,
            deadline=deadline or DeadlineForm(tables=self.tables()),
            reason=reason or LineUpReasonForm(),
            games=[GameRows(game, rows_of(game, forms)) for game in games],
            is_refused=is_refused,
            draw_seats=page_of(self.row, "draw-seats") if awaits_seats(self.row) else "",
        )


def rows_of(game: Hanchan, forms: Sequence[LineUpForm]) -> list[TeamRow]:
    """Return the rows of one hanchan with the findings about the members named."""
    check = LineUpCheck.of(game)
    return [
        TeamRow(form, check.findings(form.game.entrant, form.game.line_up.player) if form.game.line_up else ())
        for form in forms
        if form.game.hanchan.pk == game.pk
    ]


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
