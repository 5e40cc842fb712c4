"""Printable result slips: one page for each table of several hanchan, four to a page for a round seated by itself.

GET only prints. A QR code needs a new scorer's link, which is created on POST and shown in that response only, since
the database keeps no more than its digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, actor_of, page_of
from league.admin.live.links import Slip, slip_of
from league.admin.results.entry import number_in, rules_of
from league.forms.results.night import SlipsForm
from league.models import Competition, Hanchan, HanchanSeat, ResultSheet, Session, TableLink, TableSession
from league.platform.errors import ServiceError
from league.selectors.access.actors import Capability
from league.selectors.competitions.floor import current_round
from league.selectors.people.statuses import entrant_status
from league.services.live.links import make_scorer_links
from league.wording.messages import wind_name
from league.wording.names import club_text, person_name, sitter_name, title_in
from scoring.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class SlipPlayer:
    """A player on a slip; the wind is empty where the seats are still to be drawn, or turn with each hanchan."""

    name: str = ""
    club: str = ""
    wind: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """The slip of one table: players, a column of boxes for each hanchan, and the link to the score sheet."""

    table: TableSession
    hanchan: Sequence[Hanchan]
    rules: Ruleset
    people: Sequence[SlipPlayer]
    link: Slip | None

    @property
    def boxes(self) -> range:
        """Return a range with one item for each digit of half the table's points, without the printed zeros."""
        return range(len(str(self.rules.table_total // 2 // self.rules.entry.unit)))

    @property
    def zeros(self) -> str:
        """Return the zeros printed behind the boxes: with units of 100, 412 is written for 41,200."""
        return "0" * (len(str(self.rules.entry.unit)) - 1)

    @property
    def total(self) -> str:
        """Return the sum of the scores of a hanchan, including deposits left on the table."""
        return f"{self.rules.table_total:,}"

    @property
    def winds(self) -> str:
        """Return the initials of the seat winds, of which the writer circles the player's first one."""
        return " ".join(wind_name(wind)[0] for wind in self.rules.setup.seat_winds[: self.rules.players])

    @property
    def ledgers(self) -> list[str]:
        """Return the titles of the amounts that are entered with the scores, such as chips."""
        return [title_in(ledger.title) for ledger in self.rules.entered_ledgers]

    @property
    def remarks(self) -> list[str]:
        """Return the titles of the rows for what the entry form asks about the end of a hanchan."""
        settlement = self.rules.settlement
        asked = [
            (_("Taken out by"), settlement.tobi is not None),
            (
                _("Ended at once by a yakuman of"),
                settlement.top_payment is not None and settlement.top_payment.forced_top,
            ),
            (_("Ended by time · chonbo"), True),
        ]
        return [title for title, is_asked in asked if is_asked]

    @property
    def has_deposits(self) -> bool:
        """Return True if the slip asks for riichi deposits left on the table."""
        return self.rules.settlement.kyoutaku is not None


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a session of which each is seated by itself; none where tables stay together."""

    numbers: tuple[int, ...]
    current: int
    """The first round with a game to be played; 0 for the whole session."""

    @classmethod
    def of(cls, session: Session) -> Rounds:
        """Return the rounds of a session."""
        games = Hanchan.objects.filter(table_session__session=session, table_session__is_cancelled=False)
        games = games.exclude(state=Hanchan.State.ABANDONED).order_by()
        rows = list(games.values_list("pk", "round", "table_session"))
        rounds = {pk: number for pk, number, _table in rows}
        if len({table for _pk, _number, table in rows}) < len(rows) or len(set(rounds.values())) < 2:  # noqa: PLR2004
            return cls((), 0)
        done = ResultSheet.objects.counting().filter(hanchan__in=games.values("pk"))
        return cls(
            tuple(sorted(set(rounds.values()))), current_round(rounds, set(done.values_list("hanchan", flat=True)))
        )


class SlipsView(ServiceView[Session, SlipsForm]):
    """Print the slips of a session."""

    capability = Capability.SUBMIT
    title = gettext_lazy("Slips to print")
    form_class = SlipsForm

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the slips without links, of the round to be played where each round is seated by itself."""
        wanted = number_in(request.GET, "round")
        return self.papers({}, self.rounds.current if wanted is None else wanted)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the slips, with new scorer's links if the form asks for them."""
        form = SlipsForm(request.POST, rounds=self.rounds.numbers)
        made: dict[int, Slip] = {}
        shown = form.cleaned_data["round"] or 0 if form.is_valid() else 0
        if form.is_valid() and form.cleaned_data["with_links"]:
            try:
                made = self.create_links(shown, ends_earlier=form.cleaned_data["ends_earlier"])
            except ServiceError as error:
                for finding in error.findings:
                    messages.error(request, finding.message)
        return self.papers(made, shown, form)

    def create_links(self, shown: int, *, ends_earlier: bool) -> dict[int, Slip]:
        """Create a scorer's link for each table of the round that still plays and return the slips by table id."""
        made = make_scorer_links(tables=self.tables(shown), by=actor_of(self.request), ends_earlier=ends_earlier)
        return {new.link.table_session_id: slip_of(self.request, new) for new in made}

    @cached_property
    def rounds(self) -> Rounds:
        """The rounds to choose from."""
        return Rounds.of(self.row)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [
            (str(self.competition()), page_of(self.competition())),
            (str(self.row), page_of(self.row, "night")),
        ]

    def tables(self, shown: int) -> list[TableSession]:
        """Return the tables of a round, 0 for all of the session, with their hanchan and seats prefetched."""
        seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
        hanchan = (
            Hanchan.objects.exclude(state=Hanchan.State.ABANDONED)
            .select_related("rules__ruleset")
            .prefetch_related(Prefetch("seats", seats))
            .order_by("round")
        )
        rows = TableSession.objects.filter(session=self.row, is_cancelled=False)
        if shown in self.rounds.numbers:
            rows = rows.filter(hanchan__round=shown)
        rows = rows.select_related("competition", "session", "block").prefetch_related(Prefetch("hanchan", hanchan))
        return list(rows.order_by("order", "pk"))

    def papers(self, made: dict[int, Slip], shown: int, form: SlipsForm | None = None) -> HttpResponse:
        """Render the slips below the controls, which the print stylesheet hides."""
        tables = [table for table in self.tables(shown) if table.hanchan.all()]
        live = TableLink.objects.filter(table_session__in=tables, ended_at=None, kind=TableLink.Kind.SCORER).exclude(
            pk__in=[slip.link.pk for slip in made.values()]
        )
        return self.render_page(
            "slips",
            form=form or SlipsForm(rounds=self.rounds.numbers, shown=shown),
            rounds=self.rounds.numbers,
            shown=shown,
            session=self.row,
            competition=self.competition(),
            papers=[paper_of(table, made.get(table.pk)) for table in tables],
            is_compact=all(len(table.hanchan.all()) == 1 for table in tables),
            has_links=bool(made),
            address=next((slip.address for slip in made.values()), ""),
            earlier=live.count(),
        )


def slip_name(competition: Competition, seat: HanchanSeat) -> str:
    """Return the name printed for a seat, with the state of an entrant who left, or who is a house player."""
    name = person_name(seat.player) if seat.is_substitute else sitter_name(seat)
    state = "" if seat.is_substitute else entrant_status(competition, seat.entrant)
    return _("%(name)s (%(state)s)") % {"name": name, "state": state} if state else name


def paper_of(table: TableSession, link: Slip | None) -> Paper:
    """Return the printed page of one table."""
    hanchan = list(table.hanchan.all())
    rules = rules_of(hanchan[0])
    is_one = len(hanchan) == 1
    winds = rules.setup.seat_winds
    seated = {
        seat.player_id: SlipPlayer(
            slip_name(table.competition, seat), club_text(seat.entrant), wind_name(winds[seat.seat]) if is_one else ""
        )
        for one in hanchan
        for seat in one.seats.all()
    }
    return Paper(table, hanchan, rules, list(seated.values()) or [SlipPlayer()] * rules.players, link)
