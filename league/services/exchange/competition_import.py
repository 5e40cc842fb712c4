"""Import a whole competition from a file, through the same services as every other entry point.

Nothing is written unless the whole file is valid: everything that the file alone can show is checked before the
first row is written, and the first stage in which a service refuses something ends the import with all refusals of
it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.files.book import FileRules, FileText, format_text_of, ruleset_text
from league.files.checks import check_file
from league.files.course import course
from league.files.pictures import read_portrait
from league.files.reading import CompetitionFile, ImportRefusedError
from league.files.shape import CompetitionTable, FileDocument, PlayerTable, RulesTable, TableTable
from league.models import (
    Block,
    Competition,
    Entrant,
    FormatRevision,
    Hanchan,
    HanchanSeat,
    Paifu,
    Player,
    RulesetRevision,
    RulesInForce,
    TableSession,
    TeamMember,
)
from league.selectors.access.actors import Actor
from league.selectors.competitions.addresses import is_taken
from league.selectors.exchange.paifu_play import digest_of_hands
from league.services.competitions.editing import (
    CompetitionWords,
    TableWords,
    edit_competition,
    edit_table_session,
)
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.setup import (
    CompetitionPlan,
    create_competition,
    enter_players,
    new_player,
    seed_block,
    set_status,
)
from league.services.exchange.replay import Cast, Replay, ScheduledTable
from league.services.exchange.restoring import Restorer
from league.services.people.pictures import keep_picture
from league.services.rulebooks.revisions import RulesChoice, keep, put_rules_in_force
from league.services.standings.publishing import publish_standings
from scoring.paifu.stored import from_json, to_json
from scoring.ruleset import Fault

Progress = Callable[[int, int], None]


@transaction.atomic
def import_competition(
    *, file: CompetitionFile, by: Actor, is_demo: bool = False, is_trial: bool = False, progress: Progress | None = None
) -> Competition:
    """Write the competition of a file; with `is_trial` do everything and roll back.

    1. Refuse a file with any fault.
    2. Set up the competition: rules, players, seeds, schedule.
    3. Replay the events in their order; standings are published where later facts depend on them.
    4. Publish its standings, and set the status that the file gives.

    Raise ImportRefusedError with every fault; `progress` is called with the number of events done and their total.
    """
    book, faults = check_file(file)
    faults = (*faults, *_known_otherwise(file))
    if faults or book.format is None:
        raise ImportRefusedError(faults)
    competition = _set_up(file.document, book, by, is_demo=is_demo)
    rules = list(competition.rules_in_force.order_by("made_n"))
    cast = _cast(competition, file.document, book, by)
    Restorer(competition, by).write_members(list(_members(file.document, cast)))
    tables = _schedule(competition, file.document, book, cast, rules, by)
    Restorer(competition, by).write_substitutes(_substitutes(file.document, cast, tables))
    replay = Replay(file, competition, cast, tables, by)
    events = course(file.document, book.format)
    for done, event in enumerate(events, start=1):
        replay.let_happen(event)
        if progress:
            progress(done, len(events))
    replay.finish()
    Restorer(competition, by).write_records(_records(file.document, tables))
    _cancel(file.document, tables, by)
    set_status(competition=competition, status=file.document.competition.status, by=by)
    publish_standings(competition.pk)
    competition.refresh_from_db()
    if is_trial:
        transaction.set_rollback(True)
    return competition


def _records(document: FileDocument, tables: Sequence[ScheduledTable]) -> Iterator[Paifu]:
    """Yield the records of games played online as unsaved rows."""
    for told, scheduled in zip(document.tables, tables, strict=True):
        for row, hanchan in zip(told.hanchan, scheduled.hanchan, strict=True):
            if row.paifu:
                record = from_json(json.loads(row.paifu))
                yield Paifu(
                    hanchan=hanchan,
                    source=record.source.value,
                    game=record.game,
                    digest=digest_of_hands(record),
                    content=to_json(record),
                )


def _substitutes(document: FileDocument, cast: Cast, tables: Sequence[ScheduledTable]) -> Iterator[HanchanSeat]:
    """Yield the seats of planned substitutes, each with the person who is to sit there, unsaved."""
    for told, scheduled in zip(document.tables, tables, strict=True):
        for row, hanchan in zip(told.hanchan, scheduled.hanchan, strict=True):
            for key, substitute in row.substitutes.items():
                seat = HanchanSeat.objects.get(hanchan=hanchan, entrant=cast.entrants[key])
                seat.player = cast.players[substitute]
                yield seat


def _known_otherwise(file: CompetitionFile) -> Iterator[Fault]:
    """Yield a fault if the slug is taken, or a player's key is known here under another name."""
    slug = file.document.competition.slug
    if is_taken(slug):
        yield file.fault(
            ("competition", "slug"), slug, _("there is already a competition at this address; choose another")
        )
    names = dict(Player.objects.filter(key__in=[row.key for row in file.document.players]).values_list("key", "name"))
    for index, row in enumerate(file.document.players):
        if row.key in names and names[row.key] != row.name:
            message = _("%(name)s is known by this key already; give this player another key") % {
                "name": names[row.key]
            }
            yield file.fault(("players", index, "key"), row.key, message)


def _set_up(document: FileDocument, book: FileRules, by: Actor, *, is_demo: bool) -> Competition:
    """Create the competition with all its rules, the first at creation, later ones put in force in order."""
    first, *later = document.rules
    competition = create_competition(plan=_plan(document, book, first, is_demo=is_demo), by=by)
    for rules in later:
        choice = RulesChoice(
            ruleset=_ruleset(document, rules),
            league_format=_format(document, rules),
            options=rules.options,
            since=rules.since and book.aware(rules.since),
            entrants=rules.entrants,
        )
        put_rules_in_force(competition=competition, choice=choice, by=by, accept={"stages_change"})
    _give_settings(competition, document.competition, by)
    return competition


def _give_settings(competition: Competition, table: CompetitionTable, by: Actor) -> None:
    """Give the competition what its creation does not take: the settings of live tables, tile, accent and picture."""
    words = CompetitionWords(**{each.name: getattr(competition, each.name) for each in fields(CompetitionWords)})
    names = ("advice", "live_delay", "mark_glyph", "mark_colour", "accent")
    chosen = replace(words, **{name: getattr(table, name) for name in names})
    edit_competition(competition=competition, words=chosen, by=by)
    if table.picture:
        keep_picture(subject=competition, drawn=read_portrait(table.picture), by=by)


def _plan(document: FileDocument, book: FileRules, rules: RulesTable, *, is_demo: bool) -> CompetitionPlan:
    table: CompetitionTable = document.competition
    return CompetitionPlan(
        slug=table.slug,
        name=table.name,
        name_en=table.name_en,
        kind=table.kind,
        audience=table.audience,
        confirmation=table.confirmation,
        shows_odds=table.shows_odds,
        time_zone=table.time_zone,
        day_starts_at=table.day_starts_at,
        ruleset=_ruleset(document, rules),
        league_format=_format(document, rules),
        options=rules.options,
        entrants=rules.entrants,
        effective_from=rules.since and book.aware(rules.since),
        is_demo=is_demo,
    )


def _ruleset(document: FileDocument, rules: RulesTable) -> RulesetRevision:
    text = _found(ruleset_text(document, rules.ruleset))
    return keep(RulesetRevision, text.name, text.text)


def _format(document: FileDocument, rules: RulesTable) -> FormatRevision:
    text = _found(format_text_of(document, rules.format))
    return keep(FormatRevision, text.name, text.text)


def _found(text: FileText | None) -> FileText:
    """Return the text, which the earlier checks have made sure exists; raise LookupError otherwise."""
    if text is None:
        raise LookupError("rules that the checks let pass cannot be found")
    return text


def _cast(competition: Competition, document: FileDocument, book: FileRules, by: Actor) -> Cast:
    """Create all players of the file, enter and seed them; return players, entrants and blocks by key."""
    players = {row.key: known_or_new(row, by) for row in document.players}
    entering = [players[row.key] for row in document.players if row.is_entrant]
    entered = enter_players(competition=competition, players=entering, by=by)
    entrants = {entrant.player.key: entrant for entrant in entered}
    _give_day(entrants, document, book)
    blocks = {block.key: block for block in Block.objects.filter(competition=competition).select_related("stage")}
    for key, seeds in document.seeds.items():
        seed_block(block=blocks[key], entrants=[entrants[seed] for seed in seeds], by=by)
    return Cast(players, entrants, blocks)


def _members(document: FileDocument, cast: Cast) -> Iterator[TeamMember]:
    """Yield the members of teams as unsaved rows, in the order of the file."""
    for order, row in enumerate(document.members):
        yield TeamMember(
            entrant=cast.entrants[row.team],
            player=cast.players[row.player],
            since=row.since,
            until=row.until,
            is_captain=row.is_captain,
            order=order,
        )


def _give_day(entrants: Mapping[str, Entrant], document: FileDocument, book: FileRules) -> None:
    """Mark house players, and entrants who have checked in."""
    for row in document.players:
        if row.key in entrants and (row.is_house or row.checked_in_at):
            entrant = entrants[row.key]
            entrant.is_house, entrant.checked_in_at = row.is_house, row.checked_in_at and book.aware(row.checked_in_at)
            entrant.save(update_fields=["is_house", "checked_in_at"])


def known_or_new(row: PlayerTable, by: Actor) -> Player:
    """Return the player with this key, existing or new.

    Affiliation and country are the season's and are used for entering only.
    """
    player = Player.objects.filter(key=row.key).first() or _new_player(row, by)
    # Not saved: a known player keeps what is stored, only the entrant gets this season's.
    player.affiliation, player.country = row.affiliation, row.country
    return player


def _new_player(row: PlayerTable, by: Actor) -> Player:
    of_entrant = {"is_entrant", "is_house", "checked_in_at"}
    personal = row.model_dump(exclude={*of_entrant, "picture", "is_erased"})
    player = new_player(by=by, erased_at=timezone.now() if row.is_erased else None, **personal)
    if row.picture:
        keep_picture(subject=player, drawn=read_portrait(row.picture), by=by)
    return player


def _schedule(
    competition: Competition,
    document: FileDocument,
    book: FileRules,
    cast: Cast,
    rules: Sequence[RulesInForce],
    by: Actor,
) -> list[ScheduledTable]:
    """Create every session and table, in the order of the file."""
    sessions = {
        row.number: create_session(competition=competition, by=by, **row.model_dump()) for row in document.sessions
    }
    tables = []
    for table in document.tables:
        fixture = _fixture(table, book, cast, rules[book.rules_number(table) - 1])
        made = create_table_session(session=sessions[table.session], fixture=fixture, by=by)
        # One with results is abandoned when the last of them is taken back.
        abandoned = [each for each in table.hanchan if each.state == Hanchan.State.ABANDONED and not each.results]
        made.hanchan.filter(number__in=[each.number for each in abandoned]).update(state=Hanchan.State.ABANDONED)
        if table.line_ups_due_at or table.line_ups_are_secret:
            TableSession.objects.filter(pk=made.pk).update(
                line_ups_due_at=table.line_ups_due_at and book.aware(table.line_ups_due_at),
                line_ups_are_secret=table.line_ups_are_secret,
            )
        tables.append(ScheduledTable(made, list(made.hanchan.select_related("table_session").order_by("round"))))
    return tables


def _cancel(document: FileDocument, tables: Sequence[ScheduledTable], by: Actor) -> None:
    """Cancel the tables marked as cancelled; results that were taken back stay in their history."""
    for row, scheduled in zip(document.tables, tables, strict=True):
        if row.is_cancelled:
            made = scheduled.table_session
            words = TableWords(
                table=made.table,
                starts_at=made.starts_at,
                venue=made.venue,
                stream_url=made.stream_url,
                is_cancelled=True,
            )
            edit_table_session(table_session=made, words=words, by=by)


def _fixture(table: TableTable, book: FileRules, cast: Cast, rules: RulesInForce) -> Fixture:
    return Fixture(
        block=cast.blocks[table.block],
        numbers=[hanchan.number for hanchan in table.hanchan],
        rounds=[
            [cast.entrants[key] for key in (table.players if hanchan.players is None else hanchan.players)]
            for hanchan in table.hanchan
        ],
        table=table.table,
        venue=table.venue,
        stream_url=table.stream_url,
        rules=rules,
        starts_at=table.starts_at and book.aware(table.starts_at),
        public_at=table.public_at and book.aware(table.public_at),
    )
