"""Export of a competition as a file: its facts in the order of their changes, complete and deterministic.

Rows are written as stored and not validated: the import checks them, so that no old row can keep a competition
from being exported.

The file contains facts under embargo, so it is for organizers only. It leaves out data of the installation:
accounts, authors and times of entry, change numbers, and sheets that never counted (drafts, unconfirmed and
rejected ones).
"""

from __future__ import annotations

import datetime as dt
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import TypedDict, TypeVar

from django.db.models import Prefetch, QuerySet

from league.files.book import zone_of
from league.files.dense import with_dense_steps
from league.files.shape import (
    AdjustmentTable,
    ClosingTable,
    CompetitionTable,
    DrawTable,
    FileDocument,
    HanchanTable,
    OverrideTable,
    PlayerTable,
    ResultTable,
    RulesTable,
    RulingTable,
    SessionTable,
    TableTable,
    TakenBack,
    TextTable,
    WithdrawalTable,
)
from league.models import (
    Adjustment,
    Audience,
    Block,
    Change,
    Closing,
    Competition,
    Draw,
    Entrant,
    Hanchan,
    HanchanSeat,
    Override,
    Picture,
    Player,
    ResultSheet,
    RulesInForce,
    Ruling,
    SeatResult,
    Session,
    TableSession,
)
from league.models.rules import Revision
from league.models.rulings import Decided
from league.selectors.rulebooks.rules_in_force import ruleset_of

IMPLIED_BY_A_REASON = "later_stage_begun"
"""The warning that every correction with a reason has accepted; the file does not repeat it."""

D = TypeVar("D", Adjustment, Closing, Draw, Override, Ruling)


class DecidedFields(TypedDict):
    """The fields that every decision of a file has."""

    reason: str
    step: int
    taken_back: TakenBack | None


def document_of(competition: Competition) -> FileDocument:
    """Return the document of the whole competition."""
    return _Export(competition).document()


def sheets_left_out(competition: Competition) -> int:
    """Return the number of sheets that never counted and are therefore not in the file."""
    return ResultSheet.objects.filter(hanchan__table_session__competition=competition, confirmed_n=None).count()


@dataclass
class _Export:
    competition: Competition

    def document(self) -> FileDocument:
        """Return all parts, with change numbers replaced by steps counted from 1."""
        document = FileDocument.model_construct(
            competition=self._competition(),
            rules=tuple(self._rules()),
            players=tuple(self._players()),
            seeds=self._seeds(),
            sessions=tuple(self._sessions()),
            tables=tuple(map(self._table, self._table_sessions())),
            withdrawals=tuple(self._withdrawals()),
            draws=tuple(map(self._draw, self._decisions(Draw, "stage__competition", "stage"))),
            overrides=tuple(self._overrides()),
            adjustments=tuple(map(self._adjustment, self._decisions(Adjustment, "block__competition", "block"))),
            closings=tuple(map(self._closing, self._decisions(Closing, "block__competition", "block"))),
            rulings=tuple(map(self._ruling, self._decisions(Ruling, "competition"))),
            rulesets=tuple(self._texts(self._ruleset_keys)),
            formats=tuple(self._texts(self._format_keys)),
        )
        return with_dense_steps(document)

    @cached_property
    def _in_force(self) -> list[RulesInForce]:
        """All rules of the competition in the order they came into force."""
        rows = RulesInForce.objects.filter(competition=self.competition).select_related("ruleset", "format")
        return list(rows.order_by("made_n"))

    @cached_property
    def _zone(self) -> dt.tzinfo:
        """The competition's time zone, or UTC if the host no longer knows a zone of that name."""
        return zone_of(self.competition.time_zone) or dt.UTC

    @cached_property
    def _keys(self) -> Mapping[int, str]:
        """The player key of each entrant by entrant id."""
        rows = Entrant.objects.filter(competition=self.competition)
        return dict(rows.values_list("pk", "player__key"))

    @cached_property
    def _reasons(self) -> Mapping[tuple[str, str, int], Change]:
        """Changes with a reason, by kind, subject id and change number."""
        rows = Change.objects.filter(competition=self.competition).exclude(reason="")
        return {(row.kind, row.subject_id, row.n): row for row in rows}

    @cached_property
    def _ruleset_keys(self) -> Mapping[Revision, str]:
        return keys_of(rules.ruleset for rules in self._in_force)

    @cached_property
    def _format_keys(self) -> Mapping[Revision, str]:
        return keys_of(rules.format for rules in self._in_force)

    def _competition(self) -> CompetitionTable:
        row = self.competition
        return CompetitionTable.model_construct(
            slug=row.slug,
            name=row.name,
            name_en=row.name_en,
            kind=Competition.Kind(row.kind),
            status=Competition.Status(row.status),
            audience=Audience(row.audience),
            confirmation=Competition.Confirmation(row.confirmation),
            shows_odds=row.shows_odds,
            time_zone=row.time_zone,
            day_starts_at=row.day_starts_at,
            mark_glyph=row.mark_glyph,
            mark_colour=row.mark_colour,
            accent=row.accent,
            picture=shown_pictures(Picture.objects.filter(competition=row)).get(row.picture, ""),
        )

    def _rules(self) -> Iterator[RulesTable]:
        for rules in self._in_force:
            yield RulesTable.model_construct(
                ruleset=self._ruleset_keys[rules.ruleset],
                format=self._format_keys[rules.format],
                options=rules.options,
                since=self._local(rules.effective_from),
            )

    def _texts(self, keys: Mapping[Revision, str]) -> Iterator[TextTable]:
        for revision, key in keys.items():
            yield TextTable.model_construct(key=key, name=revision.name, text=revision.text)

    def _players(self) -> Iterator[PlayerTable]:
        """Yield the entrants by number, then the substitutes who are not entrants, by key."""
        entrants = Entrant.objects.filter(competition=self.competition).select_related("player").order_by("number")
        others = Player.objects.filter(results__block__competition=self.competition)
        others = others.exclude(pk__in=[entrant.player_id for entrant in entrants]).distinct().order_by("key")
        people = [*(entrant.player for entrant in entrants), *others]
        pictures = shown_pictures(Picture.objects.filter(player__in=[each for each in people if each.picture]))
        for entrant in entrants:
            yield player_table(entrant.player, entrant.affiliation, pictures, is_entrant=True)
        for player in others:
            yield player_table(player, player.affiliation, pictures, is_entrant=False)

    def _seeds(self) -> dict[str, tuple[str, ...]]:
        blocks = Block.objects.filter(competition=self.competition).prefetch_related("slots")
        seeds = {
            block.key: tuple(
                self._keys[slot.seeded_id]
                for slot in sorted(block.slots.all(), key=lambda slot: slot.number)
                if slot.seeded_id
            )
            for block in blocks
        }
        return {key: players for key, players in seeds.items() if players}

    def _sessions(self) -> Iterator[SessionTable]:
        for row in Session.objects.filter(competition=self.competition).order_by("number"):
            yield SessionTable.model_construct(number=row.number, name=row.name, name_en=row.name_en)

    def _table_sessions(self) -> Iterable[TableSession]:
        seats = Prefetch("seats", SeatResult.objects.select_related("player").order_by("seat"))
        sheets = ResultSheet.objects.exclude(confirmed_n=None).order_by("revision").prefetch_related(seats)
        hanchan = (
            Hanchan.objects.order_by("round")
            .select_related("rules__ruleset", "rules__format")
            .prefetch_related(Prefetch("seats", HanchanSeat.objects.order_by("seat")), Prefetch("sheets", sheets))
        )
        return (
            TableSession.objects.filter(competition=self.competition)
            .select_related("session", "block")
            .prefetch_related(Prefetch("hanchan", hanchan))
            .order_by("session__number", "order")
        )

    def _table(self, row: TableSession) -> TableTable:
        hanchan = list(row.hanchan.all())
        players = self._planned(hanchan[0]) if hanchan else ()
        pinned = {one.pk: number for number, one in enumerate(self._in_force, start=1)}
        return TableTable.model_construct(
            session=row.session.number,
            block=row.block.key,
            table=row.table,
            starts_at=self._local(row.starts_at),
            venue=row.venue,
            stream_url=row.stream_url,
            public_at=self._local(row.public_at),
            is_cancelled=row.is_cancelled,
            rules=pinned[hanchan[0].rules_id] if hanchan and len(pinned) > 1 else None,
            players=players,
            hanchan=tuple(self._hanchan(one, players) for one in hanchan),
        )

    def _planned(self, hanchan: Hanchan) -> tuple[str, ...]:
        return tuple(self._keys[seat.entrant_id] for seat in hanchan.seats.all())

    def _hanchan(self, row: Hanchan, at_table: Sequence[str]) -> HanchanTable:
        planned = self._planned(row)
        sheets = list(row.sheets.all())
        counts = any(sheet.state == ResultSheet.State.CONFIRMED for sheet in sheets)
        usual = Hanchan.State.FINISHED if counts else Hanchan.State.SCHEDULED
        # "Running" belongs to the live table of this installation and is not a fact to be exported.
        told = Hanchan.State(row.state) if row.state != Hanchan.State.RUNNING else usual
        return HanchanTable.model_construct(
            number=row.number,
            players=None if planned == at_table else planned,
            state=None if told == usual else told,
            results=tuple(self._result(row, sheet, planned) for sheet in sheets),
        )

    def _result(self, hanchan: Hanchan, sheet: ResultSheet, planned: Sequence[str]) -> ResultTable:
        seats = list(sheet.seats.all())
        players = tuple(self._keys[seat.entrant_id] for seat in seats)
        chonbo = tuple(seat.chonbo for seat in seats)
        sat = {self._keys[seat.entrant_id]: seat.player.key for seat in seats}
        facts = sheet.facts
        return ResultTable.model_construct(
            scores=tuple(seat.score for seat in seats),
            players=None if players == tuple(planned) else players,
            substitutes={entrant: player for entrant, player in sat.items() if entrant != player},
            kyoutaku=sheet.kyoutaku,
            chonbo=chonbo if any(chonbo) else (),
            are_seats_known=facts.get("are_seats_known", True),
            options=sheet.options,
            carried={ledger: tuple(amounts) for ledger, amounts in facts.get("carried", {}).items()},
            tobi=tuple((busted, receiver) for busted, receiver in facts.get("tobi", [])),
            accept=tuple(code for code in sheet.accepted_warnings if code != IMPLIED_BY_A_REASON),
            reason=sheet.reason,
            voided=self._taken_back("result.voided", hanchan, sheet.ended_n),
            step=sheet.confirmed_n,
        )

    def _taken_back(self, kind: str, subject: Hanchan | Decided, ended_n: int | None) -> TakenBack | None:
        """Return reason and step if the fact was taken back; None if it is in force or was just replaced."""
        change = self._reasons.get((kind, str(subject.pk), ended_n)) if ended_n else None
        return TakenBack.model_construct(reason=change.reason, step=change.n) if change else None

    def _withdrawals(self) -> Iterator[WithdrawalTable]:
        rows = Change.objects.filter(competition=self.competition, kind="entrant.withdrawn").order_by("n")
        for change in rows:
            yield WithdrawalTable.model_construct(
                player=self._keys[int(change.subject_id)], reason=change.reason, step=change.n
            )

    def _decisions(self, model: type[D], competition: str, *related: str) -> Iterable[D]:
        rows: QuerySet[D] = model.objects.filter(**{competition: self.competition}).select_related(*related)
        return sorted(rows, key=lambda row: row.made_n)

    def _decided(self, row: Decided) -> DecidedFields:
        kind = f"{type(row).__name__.lower()}.taken_back"
        return {"reason": row.reason, "step": row.made_n, "taken_back": self._taken_back(kind, row, row.ended_n)}

    def _draw(self, row: Draw) -> DrawTable:
        result = {block: tuple(lots) for block, lots in row.result.items()}
        return DrawTable.model_construct(stage=row.stage.key, seed=row.seed, result=result, **self._decided(row))

    def _overrides(self) -> Iterator[OverrideTable]:
        """Yield one entry for each override; two slots that changed places share a change number and make one entry."""
        rows = self._decisions(Override, "block__competition", "block", "slot")
        for _n, group in groupby(rows, key=lambda row: row.made_n):
            first, *others = group
            yield self._swap(first, others[0]) if others else self._override(first)

    def _swap(self, first: Override, second: Override) -> OverrideTable:
        other = (second.block.key, second.slot.number) if second.slot else None
        slot = first.slot.number if first.slot else None
        return OverrideTable.model_construct(
            block=first.block.key, slot=slot, swapped_with=other, **self._decided(first)
        )

    def _override(self, row: Override) -> OverrideTable:
        named = self._keys[row.entrant_id] if row.entrant_id else None
        is_replaced = row.kind == Override.Kind.REPLACE
        return OverrideTable.model_construct(
            block=row.block.key,
            slot=row.slot.number if row.slot else None,
            source=row.source,
            player=named if is_replaced else None,
            pass_over=None if is_replaced else named,
            **self._decided(row),
        )

    def _adjustment(self, row: Adjustment) -> AdjustmentTable:
        scale = ruleset_of(self._in_force[0]).ranking_ledger.scale
        points = Fraction(row.points, scale)
        player = self._keys[row.entrant_id]
        return AdjustmentTable.model_construct(block=row.block.key, player=player, points=points, **self._decided(row))

    def _closing(self, row: Closing) -> ClosingTable:
        return ClosingTable.model_construct(block=row.block.key, **self._decided(row))

    def _ruling(self, row: Ruling) -> RulingTable:
        return RulingTable.model_construct(
            scope=row.scope, players=tuple(self._keys[pk] for pk in row.order), **self._decided(row)
        )

    def _local(self, moment: dt.datetime | None) -> dt.datetime | None:
        """Return a moment in the competition's time zone, with a fixed offset."""
        if moment is None:
            return None
        local = moment.astimezone(self._zone)
        # TOML has offsets but no zone names.
        return local.replace(tzinfo=dt.timezone(local.utcoffset() or dt.timedelta()))


def shown_pictures(rows: QuerySet[Picture]) -> dict[str, str]:
    """Return pictures as base64 by their digest."""
    return {digest: b64encode(bytes(data)).decode() for digest, data in rows.values_list("sha256", "data")}


def player_table(player: Player, affiliation: str, pictures: Mapping[str, str], *, is_entrant: bool) -> PlayerTable:
    """Return a person as a table of the document, with the affiliation in this competition."""
    return PlayerTable.model_construct(
        key=player.key,
        name=player.name,
        name_kana=player.name_kana,
        name_romaji=player.name_romaji,
        affiliation=affiliation,
        number=player.number,
        handle=player.handle,
        is_public=player.is_public,
        mark_glyph=player.mark_glyph,
        mark_colour=player.mark_colour,
        picture=pictures.get(player.picture, ""),
        is_entrant=is_entrant,
    )


def keys_of(revisions: Iterable[Revision]) -> dict[Revision, str]:
    """Return a unique key for every revision: its name, with a number from the second revision of a name on."""
    keys: dict[Revision, str] = {}
    numbers: defaultdict[str, int] = defaultdict(int)
    for revision in dict.fromkeys(revisions):
        numbers[revision.name] += 1
        number = numbers[revision.name]
        keys[revision] = revision.name if number == 1 else f"{revision.name}-{number}"
    return keys
