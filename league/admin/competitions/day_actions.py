"""Pages for an entrant on the day of an event: absent, withdrawn, disqualified, late; each shows first what it does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Max
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import F, M, ObjectLink, may, page_of
from league.admin.results.confirmation import LookFirstView
from league.forms.competitions.event_day import LateForm, NoShowForm
from league.forms.fields import field_of
from league.forms.service import ReasonForm, ServiceForm
from league.models import Block, Competition, Departure, Entrant, Hanchan, HanchanSeat, Player, ResultSheet
from league.platform.errors import RuleViolationError
from league.selectors.access.actors import Actor, Capability
from league.selectors.competitions.event_day import is_planned, open_seats, seat_text
from league.selectors.rulebooks.policies import in_ledger, policies_of
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_play
from league.services.competitions.arrivals import (
    NoShowDecision,
    admit_late,
    record_no_show,
    refuse_absent_team,
    refuse_late_team,
)
from league.services.competitions.departures import disqualify, withdraw
from league.services.competitions.setup import new_player
from league.services.results.absences import open_seat
from league.services.results.preview import Effect
from league.wording.names import person_name
from scoring.format.policies import NoShowBy


def day_of(competition: Competition) -> str:
    """Return the address of the page about an event's day."""
    return page_of(competition, "day")


class OfEntrantView(LookFirstView[Entrant, F]):
    """Base of the pages about one entrant."""

    @override
    def subtitle(self) -> str:
        return person_name(self.row.player)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        competition = self.competition()
        yield str(competition), page_of(competition)
        yield _("The day"), day_of(competition)
        yield self.subtitle(), page_of(self.row)

    @cached_property
    def ahead(self) -> list[Hanchan]:
        """The hanchan without a result in which the entrant is seated, in the order of play."""
        return [seat.hanchan for seat in open_seats(HanchanSeat.objects.filter(entrant=self.row))]

    @override
    def after(self, form: F) -> str:
        return day_of(self.competition())


class DepartureView(OfEntrantView[ReasonForm]):
    """Base of the pages by which an entrant leaves."""

    form_class = ReasonForm
    is_grave = True
    look_at_once = True

    @override
    def notes(self) -> Iterator[object]:
        if not self.ahead:
            return
        listed = _(", ").join(map(seat_text, self.ahead))
        yield _("Still seated: %(seats)s") % {"seats": listed}
        if self.planned() is not None:
            yield _("The next page plans the remaining rounds again, and shows first who moves.")
        else:
            yield _("A house player takes such a seat by “Absent”, or the pairing is taken back.")

    def planned(self) -> Hanchan | None:
        """Return the first scheduled hanchan of the entrant in a round by plan, or None."""
        return next((one for one in self.ahead if one.state == Hanchan.State.SCHEDULED and is_planned(one)), None)

    @override
    def after(self, form: ReasonForm) -> str:
        planned = self.planned()
        if planned is None or self.row.withdrawn_at is None:
            return super().after(form)
        return f"{page_of(planned.block, 'replan')}?leaving={self.row.pk}"


class WithdrawView(DepartureView):
    """Withdraw an entrant from a competition."""

    title = gettext_lazy("Withdraw")
    explanation = gettext_lazy(
        "The results stay, and the rank follows from the format. A place in a later stage goes to another by the "
        "format, or by passing the player over on the page of the block."
    )
    submit = gettext_lazy("Withdraw")

    @override
    def act(self, form: ReasonForm, by: Actor, accept: Collection[str]) -> object:
        return withdraw(entrant=self.row, by=by, reason=form.cleaned_data["reason"], accept=accept)

    @override
    def done(self, form: object) -> str:
        return _("%(name)s has withdrawn.") % {"name": self.row}


class DisqualifyView(DepartureView):
    """Disqualify an entrant."""

    title = gettext_lazy("Disqualify")
    explanation = gettext_lazy(
        "The results of the others stay. The player has no rank and is passed over where places lead on."
    )
    submit = gettext_lazy("Disqualify")

    @override
    def act(self, form: ReasonForm, by: Actor, accept: Collection[str]) -> object:
        return disqualify(entrant=self.row, by=by, reason=form.cleaned_data["reason"], accept=accept)

    @override
    def done(self, form: object) -> str:
        return _("%(name)s is disqualified.") % {"name": self.row}


class OfPeopleView(LookFirstView[M, F]):
    """Base of the pages that a league of teams has no use for: they lead back and say what to do instead."""

    def refuse_teams(self) -> None:
        """Raise RuleViolationError if the page is about a team, or about a league of teams."""
        raise NotImplementedError

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        self.row = self.find(request)
        if self.is_allowed(request):
            try:
                self.refuse_teams()
            except RuleViolationError as refused:
                messages.error(request, str(refused))
                return HttpResponseRedirect(day_of(self.competition()))
        return super().dispatch(request, *args, **kwargs)


class NoShowView(OfPeopleView[Entrant, NoShowForm], OfEntrantView[NoShowForm]):
    """Record that an entrant is absent from a round."""

    capability = Capability.RULE
    title = gettext_lazy("Absent from a round")
    explanation = gettext_lazy("A house player takes the seat. It can be taken back while the hanchan has no result.")
    submit = gettext_lazy("Record the absence")
    is_grave = True
    moves: Sequence[str] = ()
    """The player who takes the seat, once the form has been tried."""

    @override
    def refuse_teams(self) -> None:
        refuse_absent_team(self.row)

    @override
    def form(self, data: object = None) -> NoShowForm:
        competition = self.competition()
        policy = policies_of(competition).no_show
        asks = policy.by is NoShowBy.ASK and self.row.withdrawn_at is None
        points = in_ledger(competition, policy.points)
        return NoShowForm(
            data,
            hanchan=self.ahead,
            unseated=list(self.unseated()),
            ledger=ruleset_of(rules_at(competition)).ranking_ledger,
            start=NoShowDecision(points, policy.place == "last") if asks else None,
        )

    def unseated(self) -> Iterator[tuple[Block, int]]:
        """Yield block and number of the rounds that are not seated yet, as far as the entrant certainly plays there."""
        empty = Hanchan.objects.filter(block__competition=self.competition(), seats=None)
        numbers = empty.filter(table_session__is_cancelled=False).order_by("block__stage__order", "block", "number")
        blocks = {row.pk: row for row in self.competition().blocks.select_related("stage", "competition")}
        known: dict[int, bool] = {}
        for pk, number in dict.fromkeys(numbers.values_list("block", "number")):
            if pk not in known:
                known[pk] = self.row.pk in entrants_who_may_play(blocks[pk])
            if known[pk]:
                yield blocks[pk], number

    @override
    def notes(self) -> Iterator[object]:
        policy = policies_of(self.competition()).no_show
        if policy.after_minutes is not None:
            yield _("By the format a house player sits down %(count)s minutes after the start.") % {
                "count": policy.after_minutes
            }
        if policy.twice == "withdrawal":
            yield _("By the format a second absence is a withdrawal.")
        yield from self.moves

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterator[tuple[str, object]]:
        yield from super().more_context(form, effect)
        if not field_of(form, "round", forms.ChoiceField).choices:
            told = _("%(name)s has no round to miss: each one has a result, or its tables are not set up yet.")
            yield "refused", told % {"name": person_name(self.row.player)}
            yield "instead", [ObjectLink(_("The day"), day_of(self.competition()))]

    @override
    def act(self, form: NoShowForm, by: Actor, accept: Collection[str]) -> object:
        block, number = form.chosen()
        seat = open_seat(block, number, self.row)
        credit = record_no_show(
            block=block,
            number=number,
            entrant=self.row,
            by=by,
            reason=form.cleaned_data["reason"],
            decision=form.decision(),
            accept=accept,
        )
        if seat is not None:
            seat = HanchanSeat.objects.select_related("player").get(pk=seat.pk)
            told = {"name": person_name(seat.player), "seat": seat_text(seat.hanchan)}
            self.moves = [_("%(name)s takes the seat: %(seat)s") % told]
        return credit

    @override
    def done(self, form: object) -> str:
        return _("The absence of %(name)s is recorded.") % {"name": self.row}


class LateView(OfPeopleView[Competition, LateForm]):
    """Let a player join after the first round."""

    title = gettext_lazy("A player arrives late")
    explanation = gettext_lazy(
        "The player joins from a round on. For each round missed the format says what it counts."
    )
    submit = gettext_lazy("Let the player join")

    @override
    def refuse_teams(self) -> None:
        refuse_late_team(self.row)

    @override
    def form(self, data: object = None) -> LateForm:
        blocks = list(self.blocks())
        placed = frozenset[int]().union(*map(entrants_who_may_play, blocks))
        entrants = self.row.entrants.filter(merged_into=None, withdrawn_at=None, is_house=False)
        free = [one for one in entrants.select_related("player") if one.pk not in placed]
        return LateForm(data, entrants=free, blocks=blocks, first=max(self.begun() + 1, 2))

    def blocks(self) -> Iterable[Block]:
        """Return the blocks of the first stage, which entrants join."""
        blocks = self.row.blocks.filter(slots__source__startswith="seed:").distinct()
        return blocks.select_related("stage", "competition").order_by("stage__order", "order")

    def begun(self) -> int:
        """Return the number of the last round of the first stage that has a result or was begun; 0 for none."""
        games = Hanchan.objects.filter(block__in=[block.pk for block in self.blocks()])
        entered = ResultSheet.objects.counting().filter(hanchan__in=games).values("hanchan")
        played = games.filter(pk__in=entered) | games.filter(state=Hanchan.State.RUNNING)
        return int(played.order_by().aggregate(last=Max("number"))["last"] or 0)

    @override
    def people(self, form: LateForm) -> Sequence[Player]:
        entrant = form.cleaned_data["entrant"]
        return [entrant.player] if entrant else ()

    @override
    @transaction.atomic
    def act(self, form: LateForm, by: Actor, accept: Collection[str]) -> object:
        typed = form.cleaned_data
        player = typed["entrant"].player if typed["entrant"] else new_player(name=typed["newcomer"], by=by)
        self.joined = admit_late(
            block=form.block(), player=player, first=typed["first"], by=by, reason=typed["reason"], accept=accept
        )
        return self.joined

    @override
    def mark(self, form: ServiceForm, effect: Effect) -> str:
        known = set(self.row.entrants.order_by().values_list("pk", flat=True)) | {None}
        # A new player gets another id whenever the change is tried.
        moves = (replace(one, entrant=one.entrant if one.entrant in known else 0) for one in effect.movements)
        slots = (replace(one, after=one.after if one.after in known else 0) for one in effect.slot_changes)
        return super().mark(form, Effect(tuple(moves), tuple(slots)))

    @override
    def done(self, form: LateForm) -> str:
        return _("%(name)s plays from hanchan %(number)s on.") % {
            "name": self.joined,
            "number": form.cleaned_data["first"],
        }

    @override
    def after(self, form: LateForm) -> str:
        block, first = form.block(), form.cleaned_data["first"]
        to_play = block.hanchan.filter(number__gte=first, state=Hanchan.State.SCHEDULED).exclude(seats=None)
        planned = to_play.select_related("block__stage", "block__competition").order_by("number").first()
        if planned is None or not is_planned(planned):
            return day_of(self.row)
        return f"{page_of(block, 'replan')}?joining={self.joined.pk}"


def actions_for(request: HttpRequest, entrant: Entrant, departure: Departure | None) -> Iterator[ObjectLink]:
    """Yield the links to the pages about an entrant that the user may use."""
    # Another member sits for a team, and an open table expects no one.
    is_expected = entrant.competition.kind == Competition.Kind.LEAGUE and not entrant.player.is_team
    can_be_absent = is_expected and not entrant.is_house
    if can_be_absent and may(request, Capability.RULE, entrant.competition_id):
        yield ObjectLink(_("Absent..."), page_of(entrant, "no-show"))
    if not may(request, Capability.MANAGE, entrant.competition_id):
        return
    if departure is not None:
        label = _("Take back: %(what)s") % {"what": departure.get_kind_display()}
        yield ObjectLink(label, page_of(departure, "take-back"))
        return
    yield ObjectLink(_("Withdraw..."), page_of(entrant, "withdraw"))
    if not entrant.is_house:
        yield ObjectLink(_("Disqualify..."), page_of(entrant, "disqualify"), is_grave=True)
