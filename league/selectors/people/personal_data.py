"""Subject access: all data about one person as one document, as privacy law lets them request it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from knox.models import AuthToken

from league.models import (
    Adjustment,
    Change,
    Competition,
    Entrant,
    EventResult,
    Extra,
    GuestTerms,
    HanchanSeat,
    Invitation,
    LineUp,
    Membership,
    MoveDecision,
    OnlineAccount,
    OpeningBalance,
    OrganizationChange,
    Parlour,
    Payment,
    Player,
    SeatResult,
    Statement,
    TeamMember,
    WaitingGuest,
)

PROFILE = (
    "name",
    "name_kana",
    "name_romaji",
    "short_name",
    "affiliation",
    "country",
    "number",
    "external_id",
    "handle",
    "is_public",
    "mark_glyph",
    "mark_colour",
)
"""The fields of a player that hold personal data, in the order in which they are shown."""


def entries_of(player: Player) -> list[Player]:
    """Return the player and the duplicate entries merged into it."""
    return [player, *Player.objects.filter(merged_into=player).order_by("pk")]


def person_document(player: Player) -> dict[str, object]:
    """Return everything stored about a person.

    Profile, competitions, every seat, teams, series, rankings, waiting lists, parlours, accounts online and here.
    """
    people = entries_of(player)
    own = {"player__in": people}
    return {
        "profile": [profile(each) for each in people],
        "competitions": [entrant_line(row) for row in entrants_of(people)],
        "results": [result_line(row) for row in results_of(people)],
        "teams": list(
            TeamMember.objects.filter(**own)
            .order_by("pk")
            .values("entrant__competition__slug", "entrant__player__name", "since", "until", "is_captain", "at")
        ),
        "line_ups": list(
            LineUp.objects.filter(**own)
            .order_by("pk")
            .values("entrant__competition__slug", "hanchan", "entrant__player__name", "is_secret", "reason", "at")
        ),
        "penalties": list(
            Adjustment.objects.filter(**own)
            .order_by("pk")
            .values("block__competition__slug", "block__key", "points", "reason", "at")
        ),
        "series": [
            *MoveDecision.objects.filter(**own)
            .order_by("pk")
            .values("term__series__slug", "term__number", "kind", "tier", "reason", "made_at", "ended_at"),
            *OpeningBalance.objects.filter(**own)
            .order_by("pk")
            .values("series__slug", "points", "reason", "made_at", "ended_at"),
        ],
        "rankings": list(
            EventResult.objects.filter(**own)
            .order_by("event__day", "pk")
            .values("event__ranking__slug", "event__competition__slug", "event__day", "place", "players", "points")
        ),
        "waiting": list(
            WaitingGuest.objects.filter(player__in=people)
            .order_by("since")
            .values("competition__slug", "since", "seated_at", "gone_at")
        ),
        "parlours": [*parlour_lines(people)],
        "online_accounts": list(OnlineAccount.objects.filter(**own).values("service", "kind", "text", "at")),
    }


def parlour_lines(people: Sequence[Player]) -> Iterator[dict[str, object]]:
    """Yield the rates, bills, statements and payments of a guest in each parlour."""
    for parlour in Parlour.objects.filter(books__entrants__player__in=people).distinct().order_by("pk"):
        own = {"parlour": parlour, "player__in": people}
        yield {
            "parlour": parlour.slug,
            "terms": list(GuestTerms.objects.filter(**own).values("from_day", "rate", "stamps")),
            "extras": list(Extra.objects.filter(**own).values("day", "label", "money", "cancelled_at")),
            "statements": [statement_line(row) for row in Statement.objects.filter(**own).prefetch_related("lines")],
            "payments": list(Payment.objects.filter(**own).values("day", "at", "money")),
        }


def statement_line(row: Statement) -> dict[str, object]:
    """Return one statement with its lines."""
    return {
        "number": row.number,
        "at": row.at,
        "money": row.money,
        "cancelled_at": row.cancelled_at,
        "lines": list(row.lines.values("kind", "day", "hanchan", "money", "amounts", "is_late")),
    }


def profile(player: Player) -> dict[str, object]:
    """Return the profile of a player, with all their pictures as WebP in base64, the newest first."""
    values = {name: getattr(player, name) for name in ("key", *PROFILE, "created_at")}
    pictures = [b64encode(bytes(data)).decode() for data in player.pictures.values_list("data", flat=True)]
    return {**values, "pictures": pictures}


def entrants_of(people: Sequence[Player]) -> QuerySet[Entrant]:
    """Return the players' entrants in competitions."""
    return Entrant.objects.filter(player__in=people).select_related("competition").order_by("competition", "number")


def entrant_line(row: Entrant) -> dict[str, object]:
    """Return one entrant as a line."""
    return {
        "competition": row.competition.slug,
        "name": row.competition.name,
        "number": row.number,
        "affiliation": row.affiliation,
        "country": row.country,
        "checked_in_at": row.checked_in_at,
        "withdrawn_at": row.withdrawn_at,
        "departures": list(row.departures.order_by("made_n").values("kind", "reason", "at")),
        "rounds_not_played": list(
            row.credits.filter(ended_n=None)
            .order_by("block__stage__order", "number")
            .values("block__key", "number", "kind", "points", "place", "reason", "at")
        ),
    }


def competitions_with(people: Sequence[Player]) -> QuerySet[Competition]:
    """Return the competitions with any of these players: as an entrant, in a seat, or as a member of a team."""
    of = {"player__in": people}
    ids = {
        *Entrant.objects.filter(**of).values_list("competition", flat=True),
        *SeatResult.objects.filter(**of).order_by().values_list("block__competition", flat=True).distinct(),
        *HanchanSeat.objects.filter(**of).order_by().values_list("hanchan__block__competition", flat=True).distinct(),
        *TeamMember.objects.filter(**of).values_list("entrant__competition", flat=True),
        *LineUp.objects.filter(**of).values_list("entrant__competition", flat=True),
        *Adjustment.objects.filter(**of).values_list("block__competition", flat=True),
    }
    return Competition.objects.filter(pk__in=ids).order_by("pk")


def results_of(people: Sequence[Player]) -> QuerySet[SeatResult]:
    """Return every seat in which they scored or sat, of corrected sheets too."""
    # Ids instead of a join: with OR over two joins a database may scan every seat of a large installation.
    entered = list(Entrant.objects.filter(player__in=people).values_list("pk", flat=True))
    rows = SeatResult.objects.filter(Q(entrant__in=entered) | Q(player__in=people))
    return rows.select_related("sheet__hanchan__table_session__competition").order_by("sheet__entered_at", "pk")


def result_line(row: SeatResult) -> dict[str, object]:
    """Return one seat of a sheet as a line."""
    hanchan = row.sheet.hanchan
    return {
        "competition": hanchan.table_session.competition.slug,
        "hanchan": hanchan.pk,
        "number": hanchan.number,
        "revision": row.sheet.revision,
        "state": row.sheet.state,
        "entered_at": row.sheet.entered_at,
        "seat": row.seat,
        "score": row.score,
        "place": row.place,
        "chonbo": row.chonbo,
        "totals": row.totals,
    }


def account_document(user: User) -> dict[str, object]:
    """Return an account with roles, tokens, invitations and changes made.

    Token values are not stored and so not included.
    """
    told = ("competition__slug", "n", "kind", "door", "at", "reason")
    return {
        "username": user.username,
        "email": user.email,
        "name": user.get_full_name(),
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "roles": list(Membership.objects.filter(user=user).values("competition__slug", "role")),
        "tokens": list(AuthToken.objects.filter(user=user).values("created", "expiry", "grant__label")),
        "invitations": list(Invitation.objects.filter(accepted_by=user).values("competition__slug", "email", "role")),
        "changes": list(Change.objects.filter(actor=user).order_by("at").values(*told)),
        "other_changes": list(
            OrganizationChange.objects.filter(actor=user).order_by("at").values("kind", "door", "at", "reason")
        ),
    }
