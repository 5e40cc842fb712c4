"""The events that webhooks report, in one table, with the kinds of changes that cause each.

The names are stable, because programs compare them. Changes of other kinds, such as those of table links, are never
reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from league.selectors.results.corrections import DECIDED, ENDED, OF_THE_DAY

PING = "ping"
MOVES_DECIDED = "series.moves_decided"
MOVES_UNDONE = "series.moves_undone"
RANKING_CHANGED = "ranking.changed"
RESULT_CONFIRMED = "result.confirmed"
RELEASED = "table_session.released"
HELD_BACK = "table_session.held_back"
SESSION_FINISHED = "session.finished"
SESSION_SOON = "session.soon"
LAST_HANCHAN = "block.last_hanchan"
STANDINGS = "standings.published"
SLOT_FILLED = "slot.filled"
DECISIONS = (*DECIDED, "stage.drawn", *ENDED, *OF_THE_DAY)
ABANDONED = "hanchan.abandoned"
RESULTS = (RESULT_CONFIRMED, "result.corrected", "result.voided")
LINE_UPS = ("line_up.named", "line_up.announced", "line_up.taken_back")
SITTINGS = (
    "opened",
    "joined",
    "left",
    "moved",
    "stand_in",
    "last_game",
    "carried_over",
    "closed",
    "reopened",
    "amounts",
    "house",
)


FOR_PEOPLE = (*RESULTS, SESSION_FINISHED, LAST_HANCHAN, SESSION_SOON)
"""The events that texts for people exist for, in the order in which they are offered."""


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """An event that webhooks report: its stable name, its meaning, and the kinds of changes that cause it."""

    name: str
    meaning: object
    kinds: tuple[str, ...] = ()
    staff_only: bool = False
    """True if only subscriptions with the staff's audience get it."""
    owner: str = "competition"
    """The model whose webhooks get it: `competition`, `series` or `ranking`."""


EVENTS: Mapping[str, WebhookEvent] = {
    event.name: event
    for event in (
        WebhookEvent(RESULT_CONFIRMED, _("A result counts."), (RESULT_CONFIRMED,)),
        WebhookEvent("result.corrected", _("A result that counted was corrected."), ("result.corrected",)),
        WebhookEvent("result.voided", _("A result was taken back."), ("result.voided",)),
        WebhookEvent("result.submitted", _("A result awaits confirmation."), ("result.submitted",), staff_only=True),
        WebhookEvent("result.rejected", _("A handed-in result was rejected."), ("result.rejected",), staff_only=True),
        WebhookEvent("result.objected", _("A player objects to a result."), ("result.objected",), staff_only=True),
        WebhookEvent(STANDINGS, _("Standings have changed.")),
        WebhookEvent(SESSION_FINISHED, _("All games of a session count.")),
        WebhookEvent(LAST_HANCHAN, _("Only the last hanchan of a block is left: what each player needs.")),
        WebhookEvent(SESSION_SOON, _("A session begins within a day.")),
        WebhookEvent(SLOT_FILLED, _("It is certain who plays in a slot.")),
        WebhookEvent(
            "decision.made",
            _("A ruling, an adjustment, an override or a draw was made, a block was closed, or a hanchan abandoned."),
            (*DECIDED, "stage.drawn", ABANDONED),
        ),
        WebhookEvent("decision.ended", _("A decision was taken back."), (*ENDED, "hanchan.resumed")),
        WebhookEvent("table_session.created", _("A table was scheduled."), ("table_session.created",)),
        WebhookEvent(
            "table_session.edited", _("A table's time, place or name has changed."), ("table_session.edited",)
        ),
        WebhookEvent(RELEASED, _("A table that was held back is public."), (RELEASED,)),
        WebhookEvent(HELD_BACK, _("A table is held back from the public."), (HELD_BACK,), staff_only=True),
        WebhookEvent("hanchan.started", _("A hanchan has begun."), ("hanchan.started",)),
        WebhookEvent("hanchan.seated", _("It has changed who sits where."), ("hanchan.seated", "hanchan.substituted")),
        WebhookEvent(
            "line_up.announced", _("The member who sits for a team was announced, changed, or taken back."), LINE_UPS
        ),
        WebhookEvent(
            "member.changed",
            _("A team has a new member or captain, or a member has left or changed teams."),
            (
                "team.members_added",
                "team.member_added",
                "team.member_ended",
                "team.member_taken_back",
                "team.member_transferred",
                "team.captain_made",
            ),
        ),
        WebhookEvent(
            "session.changed",
            _("A session was made or changed."),
            (
                "session.created",
                "session.edited",
                "session.moved",
                "schedule.written",
                "schedule.taken_back",
                "seats.drawn",
                "seats.plan_restored",
                "seats.replanned",
                "round.paired",
                "pairing.taken_back",
                "players.swapped",
            ),
        ),
        WebhookEvent(
            "entrants.changed",
            _("Players have entered, left, been absent or been seeded."),
            (
                "entrants.entered",
                "entrants.taken_out",
                "entrant.edited",
                "entrant.withdrawn",
                "entrant.disqualified",
                "entrant.no_show",
                "entrant.admitted_late",
                "departure.taken_back",
                "credit.taken_back",
                "hanchan.walkover",
                "house.entered",
                "roster.closed",
                "roster.admitted",
                "block.seeded",
                "blocks.filled",
            ),
        ),
        WebhookEvent(
            "competition.changed",
            _("The competition, its state or its rules have changed."),
            (
                "competition.edited",
                "competition.moved",
                "competition.published",
                "competition.closed",
                "competition.draft",
                "rules.in_force",
            ),
        ),
        WebhookEvent(
            "sitting.changed",
            _("At a parlour's table a guest sat down, left, or changed."),
            tuple(f"sitting.{what}" for what in SITTINGS),
            staff_only=True,
        ),
        WebhookEvent(
            "day.changed", _("A business day was closed or reopened."), ("day.closed", "day.reopened"), staff_only=True
        ),
        WebhookEvent(MOVES_DECIDED, _("The roster of a series' next term was written."), owner="series"),
        WebhookEvent(MOVES_UNDONE, _("That roster was taken back."), owner="series"),
        WebhookEvent(
            RANKING_CHANGED,
            _("An event has begun to count for a ranking, was corrected or counts no more, or the rules have changed."),
            owner="ranking",
        ),
        WebhookEvent(PING, _("A user tries out whether messages arrive.")),
    )
}
BY_KIND: Mapping[str, WebhookEvent] = {kind: event for event in EVENTS.values() for kind in event.kinds}
CHOSEN = tuple(name for name in EVENTS if name != PING)
"""The events that can be subscribed to; a ping goes only to the webhook that is tested."""
NAMES = list(EVENTS)
"""All event names that a message can have."""


def events_of_owner(owner: str) -> tuple[str, ...]:
    """Return the events that webhooks of a competition, a series or a ranking can subscribe to."""
    return tuple(name for name in CHOSEN if EVENTS[name].owner == owner)


def events_for_people(owner: str) -> tuple[str, ...]:
    """Return the events of an owner that a chat service or a mail address can be told of."""
    return tuple(name for name in FOR_PEOPLE if EVENTS[name].owner == owner)
