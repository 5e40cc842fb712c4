"""Archives of series and rankings: written with their competitions, and restored if they lead to the same outcome.

A competition that is here already, with exactly the facts of its archive, is used as it is; the others are imported.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from league.files.archive import ArchiveRefusedError, pack_archive, unpack_archive
from league.files.season_archive import (
    Held,
    RankingFile,
    RosterTable,
    SeasonArchive,
    SeriesFile,
    kind_of_archive,
    unpack_season,
)
from league.files.writing import as_json
from league.models import Competition, NextRoster, Player, Ranking, Series, Term
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.exchange.competition_export import document_of
from league.selectors.exchange.season_export import keyed_move, lines_text, moves_text, ranking_file, series_file
from league.selectors.seasons.series_rules import places_of, rules_of_series
from league.selectors.seasons.stored_rosters import digest_of_roster, movements_of
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.setup import refuse_strangers
from league.services.exchange.archives import archive_of, import_archive
from league.services.exchange.competition_import import known_or_new
from league.services.seasons.rankings import (
    EventFacts,
    change_rules,
    copy_results,
    create_ranking,
    end_event,
    lock_ranking,
    require_rankings,
    write_event,
)
from league.services.seasons.series import (
    SeriesPlan,
    create_series,
    lock_series,
    place_in_series,
    refuse_adding,
    require_series,
    revise_rules,
    write_term,
)
from league.services.standings.publishing import publish_standings

RANDOM = "abcdefghijkmnpqrstuvwxyz"


@all_or_nothing
def archive_of_series(*, series: Series, by: Actor) -> SeasonArchive:
    """Return an archive of a series with those of its competitions, all of which the actor must direct."""
    require_series(by)
    series = lock_series(series)
    rows = Competition.objects.filter(term__series=series).order_by("term__number", "pk")
    competitions = _archives(rows, by)
    return SeasonArchive(series_file(series), moves_text(series), competitions)


@all_or_nothing
def archive_of_ranking(*, ranking: Ranking, by: Actor, day: dt.date | None = None) -> SeasonArchive:
    """Return an archive of a ranking with those of the competitions ever listed, all of which the actor must direct.

    Its outcome is that of `day`, by default of today.
    """
    require_rankings(by)
    ranking = lock_ranking(ranking)
    rows = Competition.objects.filter(ranking_events__ranking=ranking).distinct().order_by("pk")
    competitions = _archives(rows, by)
    for event in ranking.events.filter(ended_at=None).select_related("competition", "ranking__rules"):
        copy_results(event)
    day = day or timezone.localdate()
    return SeasonArchive(ranking_file(ranking, day), lines_text(ranking, day), competitions)


def _archives(competitions: Iterable[Competition], by: Actor) -> dict[str, bytes]:
    return {row.slug: pack_archive(archive_of(competition=row, by=by)) for row in competitions}


def import_any(*, data: bytes, by: Actor, slug: str = "", name: str = "") -> Competition | Series | Ranking:
    """Import an archive of any kind; only a competition can have another slug or name than in the archive."""
    if kind_of_archive(data) == "competition":
        return import_archive(data=data, by=by, slug=slug, name=name)
    if slug or name:
        message = _("Only a competition can be taken in under another address or name.")
        raise refuse("not_renamed", message, "/slug" if slug else "/name")
    return import_season(data=data, by=by)


@transaction.atomic
def import_season(*, data: bytes, by: Actor, is_trial: bool = False) -> Series | Ranking:
    """Restore the series or ranking of an archive, with the competitions that are not here yet.

    1. Refuse actors without the right to add series, or to write rankings, and to set up competitions.
    2. Import each competition by its own archive; one that is here with the same facts is used as it is.
    3. Write the facts as they were, without running again what followed from them.
    4. Raise and roll back if the moves, or the lines with their sums, differ from those in the archive.

    Raise ArchiveRefusedError, ImportRefusedError, or the error of a service. With `is_trial` everything is imported
    under random addresses, compared, and rolled back.
    """
    archive = unpack_season(data)
    if isinstance(archive.facts, SeriesFile):
        found: Series | Ranking = _import_series(archive, archive.facts, by, is_trial=is_trial)
    else:
        found = _import_ranking(archive, archive.facts, by, is_trial=is_trial)
    if is_trial:
        transaction.set_rollback(True)
    return found


def verify_season(*, data: bytes) -> Series | Ranking:
    """Verify an archive: restore it under random addresses, compare its outcome, and roll everything back."""
    return import_season(data=data, by=Actor.system(), is_trial=True)


def _import_series(archive: SeasonArchive, facts: SeriesFile, by: Actor, *, is_trial: bool) -> Series:
    refuse_adding(by)
    competitions = _competitions(archive, by, is_trial=is_trial)
    system = Actor.system(by.door)
    series = _new_series(facts, _random("series") if is_trial else facts.slug, system)
    restored = _RestoredSeries(series, facts, competitions, system)
    restored.write()
    # Lots are drawn by the address that was published.
    series.slug = facts.slug
    _refuse_other_outcome(archive, moves_text(series))
    if not is_trial:
        record_organization_change("series.imported", series, by=by, after={"outcome": archive.digest})
    return series


def _import_ranking(archive: SeasonArchive, facts: RankingFile, by: Actor, *, is_trial: bool) -> Ranking:
    require_rankings(by)
    competitions = _competitions(archive, by, is_trial=is_trial)
    system = Actor.system(by.door)
    first, *later = facts.rules
    ranking = create_ranking(
        slug=_random("ranking") if is_trial else facts.slug,
        name=facts.name,
        name_en=facts.name_en,
        text=first.text,
        is_public=facts.is_public,
        by=system,
    )
    for rules in later:
        change_rules(ranking=ranking, text=rules.text, reason=rules.reason, by=system)
    ranking = lock_ranking(ranking)
    for row in facts.events:
        what = EventFacts(
            day=row.day, days=row.days, countries=row.countries, needs_qualification=row.needs_qualification
        )
        event = write_event(ranking, _named(competitions, row.competition), what, system, row.reason)
        if row.ended_at is not None:
            end_event(event, system)
        type(event).objects.filter(pk=event.pk).update(made_at=row.made_at, ended_at=row.ended_at)
    ranking.refresh_from_db()
    slugs = {competition.pk: slug for slug, competition in competitions.items()}
    _refuse_other_outcome(archive, lines_text(ranking, facts.day, slugs))
    if not is_trial:
        record_organization_change("ranking.imported", ranking, by=by, after={"outcome": archive.digest})
    return ranking


def _competitions(archive: SeasonArchive, by: Actor, *, is_trial: bool) -> dict[str, Competition]:
    """Return the competitions of the archive by their address in it, imported or here already."""
    refuse_strangers(by)
    found = {}
    # Players are known by key from one competition to the next, so the order does not matter.
    for slug, data in archive.competitions.items():
        here = None if is_trial else Competition.objects.filter(slug=slug).first()
        if here is None:
            found[slug] = import_archive(data=data, by=by, slug=_random("proof") if is_trial else "")
            continue
        require(by, here, Capability.MANAGE)
        publish_standings(here.pk)
        if as_json(document_of(here)) != unpack_archive(data).competition:
            message = _("There is another competition at “%(slug)s” here, or it has changed since. Nothing was kept.")
            raise ArchiveRefusedError(message % {"slug": slug})
        found[slug] = here
    return found


def _random(stem: str) -> str:
    return f"{stem}-{get_random_string(12, RANDOM)}"


def _named(competitions: Mapping[str, Competition], slug: str) -> Competition:
    if slug not in competitions:
        message = _("This archive names the competition “%(slug)s”, which is not in it.")
        raise ArchiveRefusedError(message % {"slug": slug})
    return competitions[slug]


def _new_series(facts: SeriesFile, slug: str, by: Actor) -> Series:
    """Create the series with all its rules, the first at creation, later ones in their order."""
    first, *later = facts.rules
    number = min((term.number for term in facts.terms), default=1)
    plan = SeriesPlan(
        slug=slug,
        name=facts.name,
        name_en=facts.name_en,
        text=first.text,
        first_term=number,
        is_public=facts.is_public,
    )
    series = create_series(plan=plan, by=by)
    for rules in later:
        revise_rules(series=series, text=rules.text, reason=rules.reason or _("as in the archive"), by=by)
    return lock_series(series)


@dataclass
class _RestoredSeries:
    """Writes terms, decisions, balances and rosters as the archive has them."""

    series: Series
    facts: SeriesFile
    competitions: Mapping[str, Competition]
    by: Actor
    terms: dict[int, Term] = field(default_factory=dict)
    players: dict[str, Player] = field(default_factory=dict)

    def write(self) -> None:
        """Write everything, and publish the competitions, whose tables show what their ranks lead to."""
        self.players = {row.key: self._player(row.key) or known_or_new(row, self.by) for row in self.facts.players}
        self._write_terms()
        self._write_facts()
        for competition in self.competitions.values():
            publish_standings(competition.pk)

    def _player(self, key: str) -> Player | None:
        """Return the player with this key; raise ArchiveRefusedError if that is a person of another name."""
        known = Player.objects.filter(key=key).select_related("merged_into").first()
        name = next((row.name for row in self.facts.players if row.key == key), "")
        if known is not None and name and known.name != name:
            message = _("The key %(key)s belongs to %(known)s here, and to %(name)s in the archive.")
            raise ArchiveRefusedError(message % {"key": key, "known": known.name, "name": name})
        return known

    def _write_terms(self) -> None:
        places = {place.key: place for place in places_of(rules_of_series(self.series))}
        self.terms = {row.number: row for row in self.series.terms.all()}
        for table in self.facts.terms:
            term = self.terms.get(table.number) or write_term(self.series, table.number)
            term.series, term.name, term.name_en = self.series, table.name, table.name_en
            term.save(update_fields=["name", "name_en"])
            self.terms[table.number] = term
            for tier, slug in table.competitions.items():
                competition = _named(self.competitions, slug)
                if competition.term_id is not None or tier not in places:
                    message = _(
                        "“%(name)s” cannot be tier %(tier)s: it belongs to a series here, or no such tier exists."
                    )
                    raise ArchiveRefusedError(message % {"name": competition, "tier": tier})
                place_in_series(competition, term, places[tier], self.by)

    def _write_facts(self) -> None:
        for decision in self.facts.decisions:
            self._term(decision.term).decisions.create(
                player=self._named_player(decision.player), kind=decision.kind, tier=decision.tier, **_held(decision)
            )
        for balance in self.facts.balances:
            player = self._named_player(balance.player)
            self.series.opening_balances.create(player=player, points=balance.points, **_held(balance))
        for roster in self.facts.rosters:
            self._write_roster(roster)

    def _write_roster(self, roster: RosterTable) -> None:
        ids = {key: player.pk for key, player in self.players.items()}
        try:
            tiers = {tier: [ids[key] for key in keys] for tier, keys in roster.tiers.items()}
            moves = [keyed_move(move, ids) for move in roster.moves]
            row = NextRoster(
                term=self._term(roster.term),
                tiers=tiers,
                moves=moves,
                digest=digest_of_roster(tiers, moves),
                **_held(roster),
            )
            movements_of(row)
        except (LookupError, TypeError, ValueError) as error:
            message = _("The roster after term %(term)s in this archive is faulty.")
            raise ArchiveRefusedError(message % {"term": roster.term}) from error
        row.save(force_insert=True)

    def _term(self, number: int) -> Term:
        if number not in self.terms:
            raise ArchiveRefusedError(_("This archive names term %(term)s, which is not in it.") % {"term": number})
        return self.terms[number]

    def _named_player(self, key: str) -> Player:
        if key not in self.players:
            raise ArchiveRefusedError(_("This archive names the player %(key)s, who is not in it.") % {"key": key})
        return self.players[key]


def _held(row: Held) -> dict[str, Any]:
    """Return reason and moments of a fact as columns."""
    return {"reason": row.reason, "made_at": row.made_at, "ended_at": row.ended_at}


def _refuse_other_outcome(archive: SeasonArchive, found: str) -> None:
    """Raise ArchiveRefusedError unless the outcome computed here is that of the archive."""
    if archive.outcome == found or _comparable(archive.outcome) == _comparable(found):
        return
    theirs, ours = archive.outcome.splitlines(), found.splitlines()
    first = next((pair for pair in zip(theirs, ours, strict=False) if pair[0] != pair[1]), ("", ""))
    message = _("The facts of this archive do not lead to its outcome here; nothing was kept. %(theirs)s → %(ours)s")
    raise ArchiveRefusedError(message % {"theirs": first[0].strip(), "ours": first[1].strip()})


def _comparable(outcome: str) -> object:
    """Return an outcome without the order of level players, which is that of ids where no roster is written."""
    try:
        document = json.loads(outcome)
        for term in document.get("terms", ()):
            if not term["is_written"]:
                moves = [{**move, "passed": sorted(move["passed"], key=str)} for move in term["moves"]]
                term["moves"] = sorted(moves, key=lambda move: str(move["player"]))
                term["tiers"] = {key: sorted(players) for key, players in term["tiers"].items()}
                term["faults"] = sorted([code, tier, sorted(players)] for code, tier, players in term["faults"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):  # not even an outcome
        return outcome
    return document
