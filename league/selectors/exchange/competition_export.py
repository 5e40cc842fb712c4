"""Export of a competition as a file: its facts in the order of their changes, complete and deterministic.

Rows are written as stored and not validated: the import checks them, so that no old row can keep a competition
from being exported.

The file contains facts under embargo, so it is for organizers only. It leaves out data of the installation:
accounts, authors and times of entry, change numbers, and sheets that never counted (drafts, unconfirmed and
rejected ones).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any, TypedDict, TypeVar

from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce

from league.files.book import zone_of
from league.files.dense import with_dense_steps
from league.files.shape import (
    AdjustmentTable,
    ClosingTable,
    CompetitionTable,
    CreditTable,
    DrawTable,
    FileDocument,
    HanchanTable,
    LineUpTable,
    MemberTable,
    NearestFour,
    OverrideTable,
    PairedTable,
    PairedTwo,
    PairingTable,
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
    Credit,
    Departure,
    Draw,
    Entrant,
    Hanchan,
    HanchanSeat,
    LineUp,
    Override,
    Paifu,
    Pairing,
    Picture,
    Player,
    ResultSheet,
    RulesInForce,
    Ruling,
    SeatResult,
    Session,
    TableSession,
    TeamMember,
)
from league.models.rules import Revision
from league.models.rulings import Decided
from league.selectors.exchange.exported_parts import keys_of, player_table, record_text, shown_pictures
from league.selectors.rulebooks.rules_in_force import ruleset_of

IMPLIED_BY_A_REASON = "later_stage_begun"
"""The warning that every correction with a reason has accepted; the file does not repeat it."""

PAIR_TERMS = ("apart", "met", "same_club", "same_country", "cost")
D = TypeVar("D", Adjustment, Closing, Credit, Departure, Draw, Override, Ruling)


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
            members=tuple(self._members()),
            sessions=tuple(self._sessions()),
            tables=tuple(map(self._table, self._table_rows)),
            withdrawals=tuple(map(self._withdrawal, self._decisions(Departure, "entrant__competition"))),
            credits=tuple(self._credits()),
            pairings=tuple(self._pairings()),
            draws=tuple(map(self._draw, self._decisions(Draw, "stage__competition", "stage"))),
            overrides=tuple(self._overrides()),
            adjustments=tuple(
                map(self._adjustment, self._decisions(Adjustment, "block__competition", "block", "player"))
            ),
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
        """The player key of each entrant by entrant id; one that was merged stands for the entrant kept."""
        rows = Entrant.objects.filter(competition=self.competition)
        return dict(rows.values_list("pk", Coalesce("merged_into__player__key", "player__key")))

    @cached_property
    def _merged(self) -> Mapping[int, str]:
        """The key of the player kept for each player whose entrant was merged into another one."""
        rows = Entrant.objects.filter(competition=self.competition).exclude(merged_into=None)
        return dict(rows.values_list("player", "merged_into__player__key"))

    def _key(self, player: Player) -> str:
        return self._merged.get(player.pk, player.key)

    @cached_property
    def _teams(self) -> frozenset[int]:
        """The ids of the entrants that are teams."""
        rows = Entrant.objects.filter(competition=self.competition, player__is_team=True)
        return frozenset(rows.order_by().values_list("pk", flat=True))

    @cached_property
    def _reasons(self) -> Mapping[tuple[str, str, int], Change]:
        """Changes with a reason, by kind, subject id and change number."""
        rows = Change.objects.filter(competition=self.competition).exclude(reason="")
        return {(row.kind, row.subject_id, row.n): row for row in rows}

    @cached_property
    def _reason_of(self) -> Mapping[int, str]:
        """The reason of each change that has one, by its number."""
        return {row.n: row.reason for row in self._reasons.values()}

    @cached_property
    def _scale(self) -> int:
        """The number of units per point in the ranking ledger."""
        return ruleset_of(self._in_force[0]).ranking_ledger.scale

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
            advice=Competition.Advice(row.advice),
            live_delay=row.live_delay,
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
                entrants=rules.entrants,
            )

    def _texts(self, keys: Mapping[Revision, str]) -> Iterator[TextTable]:
        for revision, key in keys.items():
            yield TextTable.model_construct(key=key, name=revision.name, text=revision.text)

    def _players(self) -> Iterator[PlayerTable]:
        """Yield the entrants by number, then members of teams and substitutes who are not entrants, by key."""
        entrants = Entrant.objects.filter(competition=self.competition, merged_into=None).select_related("player")
        entrants = entrants.order_by("number")
        planned = HanchanSeat.objects.filter(hanchan__block__competition=self.competition)
        others = Player.objects.filter(
            Q(pk__in=planned.exclude(entrant__player__is_team=True).values("player"))
            | Q(results__block__competition=self.competition)
            | Q(memberships__in=self._member_rows)
            | Q(line_ups__in=LineUp.objects.standing().filter(entrant__competition=self.competition))
        )
        there = [*(entrant.player_id for entrant in entrants), *self._merged]
        others = others.exclude(pk__in=there).distinct().order_by("key")
        people = [*(entrant.player for entrant in entrants), *others]
        pictures = shown_pictures(Picture.objects.filter(player__in=[each for each in people if each.picture]))
        for entrant in entrants:
            table = player_table(entrant.player, entrant, pictures)
            day = {"is_house": entrant.is_house, "checked_in_at": self._local(entrant.checked_in_at)}
            yield table.model_copy(update=day)
        for player in others:
            yield player_table(player, player, pictures)

    @cached_property
    def _member_rows(self) -> list[TeamMember]:
        """The members that stand, transfers as two rows."""
        rows = TeamMember.objects.standing().filter(entrant__competition=self.competition)
        return list(rows.select_related("player").order_by("entrant__number", "order", "made_n", "pk"))

    def _members(self) -> Iterator[MemberTable]:
        for row in self._member_rows:
            yield MemberTable.model_construct(
                team=self._keys[row.entrant_id],
                player=row.player.key,
                since=row.since,
                until=row.until,
                is_captain=row.is_captain,
            )

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

    @cached_property
    def _table_rows(self) -> list[TableSession]:
        seats = Prefetch("seats", SeatResult.objects.select_related("player").order_by("seat"))
        sheets = ResultSheet.objects.exclude(confirmed_n=None).order_by("revision").prefetch_related(seats)
        hanchan = (
            Hanchan.objects.order_by("round")
            .select_related("rules__ruleset", "rules__format")
            .prefetch_related(
                Prefetch("seats", HanchanSeat.objects.select_related("player").order_by("seat")),
                Prefetch("sheets", sheets),
                Prefetch("paifu", Paifu.objects.standing()),
                Prefetch("line_ups", LineUp.objects.standing().select_related("player").order_by("made_n", "pk")),
            )
        )
        rows = TableSession.objects.filter(competition=self.competition).select_related("session", "block")
        return list(rows.prefetch_related(Prefetch("hanchan", hanchan)).order_by("session__number", "order"))

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
            line_ups_due_at=self._local(row.line_ups_due_at),
            line_ups_are_secret=row.line_ups_are_secret,
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
            substitutes={
                self._keys[seat.entrant_id]: self._key(seat.player)
                for seat in row.seats.all()
                if seat.entrant_id not in self._teams and self._keys[seat.entrant_id] != self._key(seat.player)
            },
            results=tuple(self._result(row, sheet, planned) for sheet in sheets),
            line_ups=tuple(self._line_ups(row, sheets)),
            paifu=next((record_text(record) for record in row.paifu.all()), ""),
        )

    def _line_ups(self, hanchan: Hanchan, sheets: Iterable[ResultSheet]) -> Iterator[LineUpTable]:
        """Yield the line-ups that were named apart from a result, which names its members itself."""
        with_result = {n for sheet in sheets for n in (sheet.entered_n, sheet.confirmed_n)}
        for row in hanchan.line_ups.all():
            if row.made_n not in with_result:
                yield LineUpTable.model_construct(
                    team=self._keys[row.entrant_id],
                    player=row.player.key,
                    is_secret=row.is_secret,
                    reason=row.reason,
                    step=row.made_n,
                )

    def _result(self, hanchan: Hanchan, sheet: ResultSheet, planned: Sequence[str]) -> ResultTable:
        seats = list(sheet.seats.all())
        players = tuple(self._keys[seat.entrant_id] for seat in seats)
        chonbo = tuple(seat.chonbo for seat in seats)
        sat = {
            is_team: {
                self._keys[seat.entrant_id]: self._key(seat.player)
                for seat in seats
                if (seat.entrant_id in self._teams) == is_team and self._keys[seat.entrant_id] != self._key(seat.player)
            }
            for is_team in (False, True)
        }
        facts = sheet.facts
        return ResultTable.model_construct(
            scores=tuple(seat.score for seat in seats),
            players=None if players == tuple(planned) else players,
            substitutes=sat[False],
            members=sat[True],
            kyoutaku=sheet.kyoutaku,
            chonbo=chonbo if any(chonbo) else (),
            are_seats_known=facts.get("are_seats_known", True),
            options=sheet.options,
            carried={ledger: tuple(amounts) for ledger, amounts in facts.get("carried", {}).items()},
            tobi=tuple((busted, receiver) for busted, receiver in facts.get("tobi", [])),
            accept=tuple(
                sorted({*sheet.accepted_warnings, *self._plan_changed(hanchan, sheet)} - {IMPLIED_BY_A_REASON})
            ),
            reason=sheet.reason,
            voided=self._taken_back("result.voided", hanchan, sheet.ended_n),
            step=sheet.confirmed_n,
        )

    def _plan_changed(self, hanchan: Hanchan, sheet: ResultSheet) -> Iterator[str]:
        """Yield the warnings about a result that differs from the plan of today: the import knows no earlier plan."""
        planned, sat = (
            [(seat.entrant_id, 0 if seat.entrant_id in self._teams else seat.player_id) for seat in rows]
            for rows in (hanchan.seats.all(), sheet.seats.all())
        )
        if planned and set(planned) != set(sat):
            yield "not_as_scheduled"
        of_plan, of_result = ([entrant for entrant, _player in rows] for rows in (planned, sat))
        if of_plan != of_result and set(of_plan) == set(of_result) and sheet.facts.get("are_seats_known", True):
            yield "seats_not_as_scheduled"

    def _taken_back(self, kind: str, subject: Hanchan | Decided, ended_n: int | None) -> TakenBack | None:
        """Return reason and step if the fact was taken back; None if it is in force or was just replaced."""
        change = self._reasons.get((kind, str(subject.pk), ended_n)) if ended_n else None
        return TakenBack.model_construct(reason=change.reason, step=change.n) if change else None

    def _withdrawal(self, row: Departure) -> WithdrawalTable:
        return WithdrawalTable.model_construct(
            player=self._keys[row.entrant_id], kind=Departure.Kind(row.kind), **self._ended(row)
        )

    def _credits(self) -> Iterator[CreditTable]:
        """Yield the rounds not played; a bye that ended without a reason, by pairing again, is left out."""
        for row in self._decisions(Credit, "block__competition", "block"):
            if row.ended_n and row.ended_n not in self._reason_of:
                continue
            yield CreditTable.model_construct(
                block=row.block.key,
                number=row.number,
                player=self._keys[row.entrant_id],
                kind=Credit.Kind(row.kind),
                points=None if row.points is None else Fraction(row.points, self._scale),
                place=row.place,
                **self._ended(row),
            )

    def _pairings(self) -> Iterator[PairingTable]:
        """Yield the pairings in force; one that was taken back seated no one in the end."""
        rows = Pairing.objects.standing().filter(block__competition=self.competition).select_related("block")
        entries = {row.pk: number for number, row in enumerate(self._table_rows, start=1)}
        games = {game.pk: entries[row.pk] for row in self._table_rows for game in row.hanchan.all()}
        for row in rows.order_by("made_n", "pk"):
            yield PairingTable.model_construct(
                block=row.block.key,
                number=row.number,
                seed=row.seed,
                standing=row.standing_version,
                order=tuple(map(self._players_of, row.order)),
                tables=tuple(self._paired(table, games) for table in row.tables),
                cost=row.cost,
                bound=row.bound,
                bound_by=row.bound_by,
                broken=row.broken,
                is_optimal=row.is_optimal,
                digest=row.digest,
                step=row.made_n,
            )

    def _paired(self, table: Mapping[str, Any], games: Mapping[int, int]) -> PairedTable:
        nearest = table["nearest"]
        return PairedTable.model_construct(
            at=games.get(table["hanchan"]),
            table=table["table"],
            players=self._players_of(table["entrants"]),
            cost=table["cost"],
            terms=tuple(
                PairedTwo.model_construct(
                    players=self._players_of(each["entrants"]), **{key: each[key] for key in PAIR_TERMS}
                )
                for each in table["terms"]
            ),
            nearest=NearestFour.model_construct(
                players=self._players_of(nearest["entrants"]), cost=nearest["cost"], avoided=nearest["avoided"]
            ),
            met={self._keys[int(one)]: self._players_of(others) for one, others in table["met"].items()},
        )

    def _players_of(self, entrants: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._keys[entrant] for entrant in entrants)

    def _ended(self, row: Departure | Credit) -> DecidedFields:
        """Return the fields of a decision that may have ended together with others, by one change."""
        reason = self._reason_of.get(row.ended_n or 0)
        ended = TakenBack.model_construct(reason=reason, step=row.ended_n) if reason else None
        return {"reason": row.reason, "step": row.made_n, "taken_back": ended}

    def _decisions(self, model: type[D], competition: str, *related: str) -> Iterable[D]:
        rows: QuerySet[D] = model.objects.filter(**{competition: self.competition}).select_related(*related)
        return sorted(rows, key=lambda row: (row.made_n, row.pk))

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
        points = Fraction(row.points, self._scale)
        player = self._keys[row.entrant_id]
        return AdjustmentTable.model_construct(
            block=row.block.key,
            player=player,
            points=points,
            member=row.player.key if row.player else None,
            cause=row.cause,
            **self._decided(row),
        )

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
