"""Imports of online games: read the logs, keep what a person chose, and import them game by game, resumably.

An import is a draft until it is applied. Games are imported by small groups, each in one transaction with the outcomes
of its games, so that an import that was interrupted goes on where it was, and no game is imported twice. A game that is
refused leaves the others alone.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import monotonic

from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from league.files.paifu import read_paifu
from league.files.pasted_logs import BroughtLog
from league.models import Competition, Hanchan, ImportedPaifu, PaifuImport, TableSession
from league.platform.broker import send_or_leave
from league.platform.errors import Level, ServiceError, conflict, refuse
from league.platform.storable import is_storable
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.exchange.paifu_matching import AwaitingIndex, PeopleIndex
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.exchange.paifu_actor import actor_of_import, keep_actor
from league.services.exchange.paifu_game import OnlineGame, import_game
from league.services.live.results import player_at
from league.services.results.sheets import lock_open, refuse_closed
from league.wording.live.paifu import paifu_refusal_text
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import Paifu
from scoring.paifu.stored import parse_stored, to_json

MOST_GAMES = 100
LONGEST_LABEL = 200
CHUNK_SECONDS = 3
"""Duration after which a worker lets other work go first."""
TOGETHER = 20
"""Games committed together."""
LOST_AFTER = dt.timedelta(minutes=2)
"""Silence after which a chunk counts as lost with its worker."""
KEPT = dt.timedelta(days=7)
IMPORT = "league.tasks.import_paifu"
"""The task's registered name: services send tasks by name, since tasks call services."""
MESSAGE_SECONDS = 60
State, Outcome = PaifuImport.State, ImportedPaifu.Outcome

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameChoice:
    """The choices of a person for one game: entrant and player by seat, the hanchan, or to leave it out."""

    seats: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    hanchan: int | None = None
    is_left_out: bool = False


def begin_paifu_import(
    *, competition: Competition, logs: Sequence[BroughtLog], by: Actor, table: TableSession | None = None
) -> PaifuImport:
    """Read logs for a preview; a log that cannot be read is kept with its fault. Games are in the order of play.

    Raise unless the actor may enter results in the competition, or at the table that is given.
    """
    require_bringer(competition, by, table)
    refuse_closed(competition)
    if not 0 < len(logs) <= MOST_GAMES:
        raise refuse("number_of_logs", _("Bring 1 to %(most)s logs at once.") % {"most": MOST_GAMES}, "/logs")
    games = sorted(map(_read, logs), key=_moment)
    return _store(competition, games, by, table)


def require_bringer(competition: Competition, by: Actor, table: TableSession | None) -> None:
    """Raise unless the actor may enter results in the competition or at the table, or has a player's link there."""
    if table is not None and player_at(by.link, table.pk) is not None:
        return
    require(by, competition, Capability.SUBMIT, table=table)


def _read(log: BroughtLog) -> tuple[ImportedPaifu, Paifu | None]:
    """Return a log as an unsaved row; without a record, but with the fault, if it cannot be read."""
    row = ImportedPaifu(label=_label(log.label))
    if log.is_bare_link:
        message = _("This link names a game, but does not have its log. Download the log and bring the file.")
        row.outcome, row.findings = Outcome.REFUSED, [_kept("link_without_log", message)]
        return row, None
    try:
        record = read_paifu(log.data, log.label)
    except PaifuError as error:
        row.outcome, row.findings = Outcome.REFUSED, [_kept(error.code, paifu_refusal_text(error))]
        return row, None
    content = to_json(record)
    if not is_storable(json.dumps(content, ensure_ascii=False)):
        message = _("A text in it has characters that cannot be kept. Take them out.")
        row.outcome, row.findings = Outcome.REFUSED, [_kept("unstorable_text", message)]
        return row, None
    row.content = content
    return row, record


def _label(text: str) -> str:
    """Return a file's name as it is kept: what cannot be stored is left out, and its end if it is too long."""
    return "".join(sign for sign in text if is_storable(sign))[:LONGEST_LABEL]


def _kept(code: str, message: str, level: str = Level.ERROR) -> dict[str, str]:
    return {"code": code, "message": message, "level": level}


def _moment(game: tuple[ImportedPaifu, Paifu | None]) -> tuple[bool, float]:
    """Return the key that orders games: by their time, those without one last."""
    played_at = game[1].played_at if game[1] else None
    return played_at is None, played_at.timestamp() if played_at else 0.0


@transaction.atomic
def _store(
    competition: Competition, games: Sequence[tuple[ImportedPaifu, Paifu | None]], by: Actor, table: TableSession | None
) -> PaifuImport:
    batch = PaifuImport(
        competition=competition,
        table_session=table,
        language=get_language() or "",
        total=len(games),
        done=sum(record is None for _row, record in games),
    )
    keep_actor(batch, by)
    batch.save()
    for number, (row, _record) in enumerate(games, start=1):
        row.batch, row.number = batch, number
    ImportedPaifu.objects.bulk_create([row for row, _record in games])
    return batch


@all_or_nothing
def choose_in_import(*, batch: PaifuImport, choices: Mapping[int, GameChoice], by: Actor) -> PaifuImport:
    """Keep the choices of a person for games that are not imported, by their numbers."""
    require_bringer(batch.competition, by, batch.table_session)
    batch = _locked(batch)
    refuse_pending(batch)
    for game in batch.games.filter(number__in=choices).exclude(outcome=Outcome.IMPORTED).exclude(content=None):
        _choose(game, choices[game.number], batch)
    return batch


def _choose(game: ImportedPaifu, choice: GameChoice, batch: PaifuImport) -> None:
    game.seats = {seat: list(ids) for seat, ids in choice.seats.items()}
    game.hanchan = None
    if choice.hanchan is not None:
        own = Hanchan.objects.filter(table_session__competition=batch.competition)
        game.hanchan = own.filter(pk=choice.hanchan).first()
        if game.hanchan is None:
            message = _("This competition has no hanchan %(id)s.") % {"id": choice.hanchan}
            raise refuse("no_such_hanchan", message, f"/games/{game.number}/hanchan")
    game.outcome = Outcome.LEFT_OUT if choice.is_left_out else Outcome.PENDING
    game.findings = []
    game.save(update_fields=["seats", "hanchan", "outcome", "findings"])


@all_or_nothing
def apply_paifu_import(*, batch: PaifuImport, by: Actor, accept: Collection[str] = ()) -> PaifuImport:
    """Begin to import the games that are neither imported nor left out; those refused before are tried again.

    Each game is imported into the hanchan that was chosen for it, else into the one found now.
    """
    competition = batch.competition
    require_bringer(competition, by, batch.table_session)
    lock_open(competition)
    batch = _locked(batch)
    refuse_pending(batch)
    games = batch.games.filter(outcome__in=[Outcome.PENDING, Outcome.REFUSED]).exclude(content=None)
    games.update(outcome=Outcome.PENDING, findings=[])
    waiting = games.count()
    if not waiting:
        raise conflict("nothing_to_import", _("Every game of this import is imported or left out."))
    batch.state, batch.accept, batch.touched_at = State.WAITING, sorted(accept), timezone.now()
    batch.done = batch.total - waiting
    keep_actor(batch, by)
    batch.save()
    change = open_change(competition, by)
    after = {"games": waiting, "accept": batch.accept}
    change.record("paifu_import.begun", competition, after=after, is_public=False)
    transaction.on_commit(partial(ask_to_continue, batch.pk, batch.done), robust=True)
    return batch


def _locked(batch: PaifuImport) -> PaifuImport:
    return PaifuImport.objects.select_for_update(of=("self",)).select_related("competition").get(pk=batch.pk)


def refuse_pending(batch: PaifuImport) -> None:
    """Raise ConflictError while the games are being imported."""
    if batch.is_pending:
        message = _("The games are being imported: %(done)s of %(total)s are done. Wait until all are.")
        raise conflict("import_goes_on", message % {"done": batch.done, "total": batch.total})


def continue_paifu_import(batch_id: int, done: int) -> tuple[int, int] | None:
    """Import games for a few seconds; return the import with its games done if it is to go on.

    Do nothing if the import has gone on since `done` games, or is in another worker's hands.
    """
    now = timezone.now()
    # Conditional UPDATE: of several workers exactly one goes on.
    if not _free(now).filter(pk=batch_id, done=done).update(state=State.RUNNING, touched_at=now):
        return None
    batch = PaifuImport.objects.select_related("competition", "table_session", "made_by", "link").get(pk=batch_id)
    until, people = monotonic() + CHUNK_SECONDS, dict[dt.date | None, PeopleIndex]()
    while (games := _next_games(batch)) and monotonic() < until:
        # Games are committed by groups: each commit publishes the standings.
        with transaction.atomic(), override(batch.language or get_language()):
            awaiting = AwaitingIndex.of(batch.competition, batch.table_session)
            _reserve(batch, awaiting)
            for game in games:
                _import_one(batch, game, people, awaiting)
            batch.done += len(games)
            PaifuImport.objects.filter(pk=batch_id).update(done=batch.done, touched_at=timezone.now())
    is_over = not batch.games.filter(outcome=Outcome.PENDING).exists()
    state = State.DONE if is_over else State.WAITING
    PaifuImport.objects.filter(pk=batch_id).update(state=state, touched_at=timezone.now())
    return None if is_over else (batch_id, batch.done)


def _next_games(batch: PaifuImport) -> list[ImportedPaifu]:
    rows = batch.games.filter(outcome=Outcome.PENDING).select_related("hanchan").order_by("number")
    return list(rows[:TOGETHER])


def _reserve(batch: PaifuImport, awaiting: AwaitingIndex) -> None:
    """Keep the hanchan that were chosen for games from being given to others of the same company."""
    awaiting.reserved.update(
        batch.games.filter(outcome=Outcome.PENDING).exclude(hanchan=None).values_list("hanchan", flat=True)
    )


def _import_one(
    batch: PaifuImport, game: ImportedPaifu, people: dict[dt.date | None, PeopleIndex], awaiting: AwaitingIndex
) -> None:
    """Import one game and keep its outcome; one that is refused writes nothing else."""
    outcome, findings, hanchan = Outcome.REFUSED, list[dict[str, str]](), game.hanchan
    try:
        with transaction.atomic():
            by = actor_of_import(batch)
            content: dict[str, object] = game.content or {}
            record = parse_stored(content)
            played = OnlineGame(record, content, _index(batch, record, people).matches(record, game.seats))
            hanchan = game.hanchan or awaiting.take(played.entrants)
            row = import_game(game=played, competition=batch.competition, hanchan=hanchan, by=by, accept=batch.accept)
            ImportedPaifu.objects.filter(pk=game.pk).update(outcome=Outcome.IMPORTED, hanchan=row.hanchan, findings=[])
            return
    except ServiceError as error:
        findings = [_kept(finding.code, finding.message, finding.level) for finding in error.findings]
        if hanchan is not None and game.hanchan is None:
            awaiting.taken.discard(hanchan.pk)
    # Broad on purpose: a game that our own fault keeps from being imported must not stop the others.
    except Exception:
        logger.exception("online game %s of import %s could not be imported", game.number, batch.pk)
        findings = [_kept("failed", _("This game could not be imported because of a fault of this software."))]
    ImportedPaifu.objects.filter(pk=game.pk).update(outcome=outcome, findings=findings)


def _index(batch: PaifuImport, record: Paifu, people: dict[dt.date | None, PeopleIndex]) -> PeopleIndex:
    """Return the people of the competition on the day of the game, loaded once for each day."""
    day = record.played_at.date() if record.played_at else None
    if day not in people:
        people[day] = PeopleIndex.of(batch.competition, day, batch.table_session)
    return people[day]


def imports_to_continue() -> Iterator[tuple[int, int]]:
    """Yield each import that waits, or whose worker was lost, with the number of games done."""
    yield from _free(timezone.now()).order_by("touched_at").values_list("pk", "done")


def ask_to_continue(batch_id: int, done: int) -> None:
    """Send the task that goes on with an import, or leave it to the sweep."""
    name = f"the task of import {batch_id} of online games"
    send_or_leave(current_app.tasks[IMPORT], batch_id, done, expires=MESSAGE_SECONDS, name=name)


def forget_old_imports() -> None:
    """Delete imports without progress for a week; their logs hold names of accounts."""
    PaifuImport.objects.filter(touched_at__lt=timezone.now() - KEPT).exclude(
        state__in=(State.WAITING, State.RUNNING)
    ).delete()


def _free(now: dt.datetime) -> QuerySet[PaifuImport]:
    return PaifuImport.objects.filter(Q(state=State.WAITING) | Q(state=State.RUNNING, touched_at__lt=now - LOST_AFTER))
