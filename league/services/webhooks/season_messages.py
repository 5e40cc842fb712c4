"""Messages of series and rankings: rosters written and taken back, and what has changed in a ranking.

Both have a version of their own. A public webhook of a series hears of a roster once the public may read every table
that it follows from; until then the roster, and all that came after it, waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.utils import timezone

from league.models import Audience, Competition, EventListed, NextRoster, Ranking, Series, WebhookSubscription
from league.selectors.seasons.series_tables import may_know_roster
from league.services.webhooks.events import MOVES_DECIDED, MOVES_UNDONE, RANKING_CHANGED
from league.services.webhooks.outgoing import OutgoingMessage, address

Told = tuple[list[OutgoingMessage], int]
"""Messages, and the version of the owner up to which they tell."""


def season_messages(subscription: WebhookSubscription) -> Told:
    """Return the outstanding messages of a webhook of a series or a ranking."""
    is_public = subscription.audience == Audience.PUBLIC
    if subscription.series_id is not None:
        series = Series.objects.get(pk=subscription.series_id)
        if is_public and not series.is_public:
            return [], series.version
        return roster_messages(series, subscription.sent_n, is_public=is_public)
    ranking = Ranking.objects.get(webhooks=subscription)
    if is_public and not ranking.is_public:
        return [], ranking.version
    return list(ranking_messages(ranking, subscription.sent_n)), ranking.version


def roster_messages(series: Series, since: int, *, is_public: bool) -> Told:
    """Return the messages about rosters after a version, and the version that is told of now."""
    rows = list(NextRoster.objects.filter(term__series=series, made_n__lte=series.version).select_related("term"))
    steps = [(row.made_n, MOVES_DECIDED, row) for row in rows if row.made_n > since]
    steps += [(row.ended_n or 0, MOVES_UNDONE, row) for row in rows if since < (row.ended_n or 0) <= series.version]
    told: list[OutgoingMessage] = []
    untold: set[int] = set()
    for version, event, row in sorted(steps, key=lambda step: step[0]):
        if event == MOVES_DECIDED and is_public and not is_readable(row):
            # Taken back before the public could read it: never told of.
            if row.ended_n is None:
                return told, version - 1
            untold.add(row.pk)
        elif event == MOVES_UNDONE and is_public and row.made_n <= since and not is_readable(row):
            # Written before the webhook was made, and never readable.
            continue
        elif row.pk not in untold:
            told.append(roster_message(series, row, event, version))
    return told, series.version


def is_readable(row: NextRoster) -> bool:
    """Return True if the public may read all results that a roster follows from."""
    return may_know_roster(row.term, None)


def roster_message(series: Series, row: NextRoster, event: str, version: int) -> OutgoingMessage:
    """Return the message that a roster was written or taken back."""
    return OutgoingMessage(
        event=event,
        key=str(version),
        at=(row.ended_at if event == MOVES_UNDONE else None) or row.made_at,
        version=version,
        url=address("api:moves", series.slug, row.term.number),
        change_n=version,
        more={"subject": {"type": "nextroster", "id": str(row.pk)}, "term": row.term.number},
    )


def ranking_messages(ranking: Ranking, since: int) -> Iterator[OutgoingMessage]:
    """Yield a message for each competition whose part in the ranking has changed after a version, then for the rules.

    Several changes of one competition are one message.
    """
    until = ranking.version
    changed = ranking.events.filter(changed_n__gt=since, changed_n__lte=until).select_related("competition")
    by_competition: dict[int, list[EventListed]] = defaultdict(list)
    for row in changed.order_by("changed_n", "pk"):
        by_competition[row.competition_id].append(row)
    for rows in by_competition.values():
        kind = kind_of_change(rows, since)
        if kind:
            yield ranking_message(ranking, kind, rows[-1].changed_n or until, rows[-1].competition)
    if since < (ranking.rules_n or 0) <= until:
        yield ranking_message(ranking, "rules_changed", ranking.rules_n or until)


def kind_of_change(rows: Sequence[EventListed], since: int) -> str:
    """Return what has happened to a competition in a ranking since a version; empty if it neither counted nor counts.

    `rows` are its rows that have changed: usually one, or that which ended and the one listed in its place.
    """
    counted = any(row.counted_n is not None and row.counted_n <= since for row in rows)
    counts = any(row.ended_at is None and row.public_digest for row in rows)
    if counts:
        return "event_corrected" if counted else "event_counted"
    return "event_removed" if counted else ""


def ranking_message(
    ranking: Ranking, kind: str, version: int, competition: Competition | None = None
) -> OutgoingMessage:
    """Return the message that a ranking has changed; a competition that the public may not read is not named."""
    is_named = competition is not None and competition.is_readable_by_public
    return OutgoingMessage(
        event=RANKING_CHANGED,
        key=f"{version}:{kind}",
        at=timezone.now(),
        version=version,
        url=address_of_owner(ranking),
        change_n=version,
        more={"kind": kind, **({"competition": competition.slug} if competition and is_named else {})},
    )


def address_of_owner(owner: Series | Ranking | Competition) -> str:
    """Return the API URL of a competition, a series or a ranking."""
    names = {"competition": "api:competition", "series": "api:one-series", "ranking": "api:ranking-across"}
    return address(names[owner._meta.model_name or ""], owner.slug)
