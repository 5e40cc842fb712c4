"""Rankings: made from a file, their events listed, and the results of the events copied from final tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Audience, Competition, EventListed, Outcome, Ranking, RankingRevision
from league.models.derived import SlotState
from league.models.ranking import EventResult
from league.platform.errors import RuleViolationError, ServiceError, conflict, forbid, refuse
from league.selectors.access.actors import Actor, has_right
from league.selectors.access.readers import Reader, public_reader_of, visible_competitions
from league.selectors.seasons.rankings import RIGHTS, rules_of_ranking
from league.selectors.standings.bracket import bracket, placements_in
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.addresses import refuse_malformed_slug
from league.services.operations.independent_jobs import do_for_each
from league.services.rulebooks.own_formats import faults_found
from league.services.rulebooks.own_rulesets import tidied
from league.services.rulebooks.revisions import digest, keep
from league.services.seasons.ranking_versions import next_version, note_public_change, public_digest
from rulesets.rankings import parse_ranking, ranking_names, ranking_text
from scoring.ruleset import FaultsError

SOURCE = "ranking.toml"
LONGEST_TEXT = 60_000
MOST_NUMBER = 999
"""Of days and countries of an event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EventFacts:
    """The day of an event, and what its weight depends on."""

    day: dt.date
    days: int = 1
    countries: int = 1
    needs_qualification: bool = False


def require_rankings(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor may write rankings."""
    if not by.is_system and not any(has_right(by.user, right) for right in RIGHTS):
        raise forbid(_("You may not write rankings. Ask an administrator for the permission to change rankings."))


@all_or_nothing
def create_ranking(
    *,
    slug: str,
    name: str,
    by: Actor,
    name_en: str = "",
    source: str = "",
    text: str = "",
    is_public: bool = False,
) -> Ranking:
    """Make a ranking from a file of the product (`source`) or from the text of a file.

    Refuse a bad address, a bad name and every fault of the text, all at once.
    """
    require_rankings(by)
    *_checked, revision = all_or_refused(
        partial(refuse_bad_address, slug), partial(refuse_bad_name, name, name_en), partial(keep_rules, source, text)
    )
    try:
        with transaction.atomic():
            row = Ranking.objects.create(
                slug=slug, name=name.strip(), name_en=name_en.strip(), rules=revision, is_public=is_public
            )
    # Another request took the address at once.
    except IntegrityError as error:
        raise slug_taken(slug) from error
    record_organization_change("ranking.made", row, by=by, after={"slug": slug, "rules": str(revision)})
    return row


def all_or_refused(*steps: Callable[[], Any]) -> list[Any]:
    """Return the results of all steps; raise with the findings of all that refuse, or the refusal if only one does."""
    done: list[Any] = []
    refused: list[ServiceError] = []
    for step in steps:
        try:
            done.append(step())
        except ServiceError as error:
            refused.append(error)
    if len(refused) == 1:
        raise refused[0]
    if refused:
        raise RuleViolationError(*(finding for error in refused for finding in error.findings))
    return done


def refuse_bad_address(slug: str) -> None:
    """Raise for an address that is malformed, too long or taken."""
    refuse_malformed_slug(slug)
    refuse_too_long(Ranking, {"slug": slug})
    if Ranking.objects.filter(slug=slug).exists():
        raise slug_taken(slug)


def slug_taken(slug: str) -> Exception:
    """Return the refusal of an address that another ranking has."""
    message = _("There is already a ranking at “%(slug)s”. Choose another address.") % {"slug": slug}
    return conflict("slug_taken", message, "/slug")


def refuse_bad_name(name: str, name_en: str) -> None:
    """Raise for a name that is missing or too long."""
    if not name.strip():
        raise refuse("name_needed", _("Please give the ranking a name."), "/name")
    refuse_too_long(Ranking, {"name": name, "name_en": name_en})


def keep_rules(source: str, text: str) -> RankingRevision:
    """Return the revision of a file of the product, or of a text, which is stored if it is new.

    Raise RuleViolationError with every fault of the text.
    """
    if bool(source) == bool(text.strip()):
        message = _("Choose a ranking of the product, or paste the text of a file: one of the two.")
        raise refuse("one_source", message, "/source")
    if source:
        if source not in ranking_names():
            known = ", ".join(ranking_names())
            message = _("There is no ranking file “%(name)s”. Known: %(known)s.") % {"name": source, "known": known}
            raise refuse("unknown_ranking", message, "/source")
        return keep(RankingRevision, source, ranking_text(source))
    text = tidied(text)
    if len(text) > LONGEST_TEXT:
        message = _("A ranking has at most %(most)s characters.") % {"most": LONGEST_TEXT}
        raise refuse("text_too_long", message, "/text")
    try:
        rules = parse_ranking(text, SOURCE)
    except FaultsError as error:
        raise RuleViolationError(*faults_found(error.faults, code="ranking_fault")) from error
    refuse_too_long(RankingRevision, {"name": rules.name})
    return keep(RankingRevision, rules.name, text)


@all_or_nothing
def edit_ranking(*, ranking: Ranking, by: Actor, name: str, name_en: str = "", is_public: bool = False) -> Ranking:
    """Change a ranking's names, and whether the public may read it."""
    require_rankings(by)
    refuse_bad_name(name, name_en)
    row = lock_ranking(ranking)
    before = {"name": row.name, "name_en": row.name_en, "is_public": row.is_public}
    row.name, row.name_en, row.is_public = name.strip(), name_en.strip(), is_public
    row.save(update_fields=["name", "name_en", "is_public"])
    after = {"name": row.name, "name_en": row.name_en, "is_public": row.is_public}
    record_organization_change("ranking.edited", row, by=by, before=before, after=after)
    return row


@all_or_nothing
def change_rules(*, ranking: Ranking, by: Actor, source: str = "", text: str = "", reason: str = "") -> Ranking:
    """Let a ranking follow another file; every day is then computed by it."""
    require_rankings(by)
    row = lock_ranking(ranking)
    revision = keep_rules(source, text)
    changed = Ranking(rules=revision)
    if not rules_of_ranking(changed).is_by_games:
        for event in row.events.filter(ended_at=None).select_related("competition"):
            refuse_without_final_table(event.competition)
    before, is_other = str(row.rules), row.rules_id != revision.pk
    row.rules = revision
    row.save(update_fields=["rules"])
    if is_other:
        row.rules_n = row.version = next_version(row.pk)
        row.save(update_fields=["rules_n"])
    record_organization_change(
        "ranking.rules_changed", row, by=by, before={"rules": before}, after={"rules": str(revision)}, reason=reason
    )
    return row


def lock_ranking(ranking: Ranking) -> Ranking:
    """Return the ranking as stored now, locked until the transaction ends."""
    return Ranking.objects.select_for_update(of=("self",)).select_related("rules").get(pk=ranking.pk)


def refuse_without_final_table(competition: Competition) -> None:
    """Raise for an open table, which has no final places."""
    if competition.kind == Competition.Kind.OPEN:
        message = _(
            "“%(competition)s” is an open table without final places. Open tables count for ratings and ladders only."
        ) % {"competition": competition}
        raise refuse("no_final_table", message, "/competition")


@all_or_nothing
def list_event(
    *, ranking: Ranking, competition: Competition, facts: EventFacts, by: Actor, reason: str = ""
) -> EventListed:
    """Let a competition count for a ranking, with the facts that its weight depends on."""
    require_rankings(by)
    row = lock_ranking(ranking)
    refuse_bad_facts(facts)
    refuse_unknown_competition(competition, by)
    if not rules_of_ranking(row).is_by_games:
        refuse_without_final_table(competition)
    if row.events.filter(competition=competition, ended_at=None).exists():
        message = _("“%(competition)s” is listed already.") % {"competition": competition}
        raise conflict("listed_already", message, "/competition")
    event = write_event(row, competition, facts, by, reason)
    record_organization_change("ranking.event_listed", event, by=by, after=facts_of(event), reason=reason)
    return event


@all_or_nothing
def change_event(*, event: EventListed, facts: EventFacts, by: Actor, reason: str = "") -> EventListed:
    """Replace the facts of an event; the row listed before stays in the history."""
    require_rankings(by)
    lock_ranking(event.ranking)
    refuse_bad_facts(facts)
    before = end_event(event, by)
    changed = write_event(event.ranking, event.competition, facts, by, reason)
    record_organization_change(
        "ranking.event_changed", changed, by=by, before=before, after=facts_of(changed), reason=reason
    )
    return changed


@all_or_nothing
def unlist_event(*, event: EventListed, by: Actor, reason: str = "") -> EventListed:
    """Let a competition count no more for a ranking."""
    require_rankings(by)
    lock_ranking(event.ranking)
    before = end_event(event, by)
    record_organization_change("ranking.event_unlisted", event, by=by, before=before, reason=reason)
    return event


def refuse_bad_facts(facts: EventFacts) -> None:
    """Raise for numbers below one."""
    for name in ("days", "countries"):
        if not 1 <= getattr(facts, name) <= MOST_NUMBER:
            raise refuse("bad_number", _("Give a number from 1 to 999."), f"/{name}")


def refuse_unknown_competition(competition: Competition, by: Actor) -> None:
    """Raise for a competition that the actor may not know of."""
    if not by.is_system and not visible_competitions(by.user).filter(pk=competition.pk).exists():
        raise refuse("unknown_competition", _("There is no such competition."), "/competition")


def write_event(ranking: Ranking, competition: Competition, facts: EventFacts, by: Actor, reason: str) -> EventListed:
    """Write an event, and copy its results if there are any."""
    event = EventListed.objects.create(
        ranking=ranking,
        competition=competition,
        day=facts.day,
        days=facts.days,
        countries=facts.countries,
        needs_qualification=facts.needs_qualification,
        reason=reason.strip(),
        made_by=by.user,
    )
    copy_results(event)
    return event


def end_event(event: EventListed, by: Actor) -> Mapping[str, object]:
    """End an event and delete the copy of its results; return its facts."""
    ended = EventListed.objects.filter(pk=event.pk, ended_at=None).update(ended_at=timezone.now(), ended_by=by.user)
    if not ended:
        raise conflict("not_listed", _("This event is no longer listed. Load the page again."))
    event.refresh_from_db()
    event.results.all().delete()
    note_public_change(event, "")
    return facts_of(event)


def facts_of(event: EventListed) -> dict[str, object]:
    """Return an event as a log line has it."""
    return {
        "competition": event.competition_id,
        "day": event.day.isoformat(),
        "days": event.days,
        "countries": event.countries,
        "needs_qualification": event.needs_qualification,
    }


def events_behind() -> QuerySet[EventListed]:
    """Return the events whose competition has published a newer version than was copied."""
    current = Q(seen_version=F("competition__computed_version"))
    return EventListed.objects.filter(ended_at=None).exclude(current).order_by()


def refresh_rankings(competition_id: int | None = None) -> None:
    """Copy the results of events that are behind, of one competition or of all; one that fails keeps no other back."""
    behind = events_behind()
    if competition_id is not None:
        behind = behind.filter(competition=competition_id)
    do_for_each(refresh_event, behind, "results of listed event %s could not be copied; the next sweep tries again")


@transaction.atomic
def refresh_event(event: EventListed) -> None:
    """Copy an event's results again; rows are written only if they have changed."""
    lock_ranking(event.ranking)
    current = (
        EventListed.objects.select_related("competition", "ranking__rules").filter(pk=event.pk, ended_at=None).first()
    )
    if current is not None:
        copy_results(current)


def copy_results(event: EventListed) -> None:
    """Copy the final table of a competition, as the public reads it, into the event; nothing before it is final."""
    competition = event.competition
    wanted = final_table(public_reader_of(competition))
    found = digest(repr(wanted)) if wanted else ""
    seen = competition.computed_version
    if found != event.digest:
        event.results.all().delete()
        EventResult.objects.bulk_create(
            EventResult(event=event, player_id=player, place=place, players=len(wanted), points=points)
            for player, place, points in wanted
        )
    EventListed.objects.filter(pk=event.pk).update(digest=found, seen_version=seen)
    event.digest, event.seen_version = found, seen
    note_public_change(event, public_digest(event))


def final_table(reader: Reader) -> list[tuple[int, int, int]]:
    """Return player, place and total of the last stage for all who have a place; empty before the end.

    A competition has ended when it is closed, or when its champion is certain and every block with tables is over.
    """
    competition = reader.competition
    if competition.kind == Competition.Kind.OPEN or not competition.computed_version:
        return []
    is_closed = competition.status == Competition.Status.CLOSED
    if not is_closed and not _has_champion(competition):
        return []
    found = bracket(reader)
    begun = {played.table_session.block_id for played in found.played}
    if not is_closed and not all(table.is_complete for table in found.tables if table.block.pk in begun):
        return []
    order = {stage.key: number for number, stage in enumerate(found.league_format.stages)}
    totals: dict[int, tuple[int, int]] = {}
    for table in found.tables:
        number = order[table.block.stage.key]
        for line in table.lines:
            row = line.standing
            if number >= totals.get(row.entrant_id, (-1, 0))[0]:
                totals[row.entrant_id] = (number, row.total)
    places = placements_in(found)
    players = {entrant.pk: entrant for entrant in found.entrants}
    return sorted(
        (players[entrant].player_id, place, totals[entrant][1])
        for entrant, place in places.items()
        if place is not None and entrant in totals and entrant in players and not players[entrant].is_house
    )


def _has_champion(competition: Competition) -> bool:
    outcomes = Outcome.objects.filter(competition=competition, audience=Audience.PUBLIC)
    return outcomes.filter(champion_state=SlotState.State.CERTAIN).exists()
