"""Real games from a server's logs: transfers, scores and the end of the game agree with the records."""

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from rulesets import loader
from scoring.hanchan import replay, result_of
from scoring.kyoku.outcomes import AbortiveDraw, Draw, LiablePlayer, Nagashi, Outcome, RonCalls, Tsumo, Win
from scoring.kyoku.state import Stake, State
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import AbortiveKind
from scoring.settlement import settle
from scoring.value import Worth

pytestmark = [
    pytest.mark.real,
    pytest.mark.clause("tenhou4", *(f"TH-{number:03d}" for number in (*range(1, 15), 17, 18))),
    pytest.mark.clause("tenhou3", *(f"TT-{number:03d}" for number in (*range(1, 15), 17, 18, 25))),
]

Row = dict[str, Any]

ROUNDS = (RoundName.EAST, RoundName.SOUTH, RoundName.WEST)
HANDS_OF_A_ROUND = 4
"""Records count four hands per round, for three players too."""

ABORTIVE = {
    "yao9": AbortiveKind.NINE_TERMINALS,
    "kaze4": AbortiveKind.FOUR_WINDS,
    "reach4": AbortiveKind.FOUR_RIICHI,
    "kan4": AbortiveKind.FOUR_KANS,
    "ron3": AbortiveKind.TRIPLE_RON,
}

PLAYED_ON_AFTER_TENPAI = {"bug1.xml"}
"""Early record without a date, in which the last dealer had to play on although tenpai and leading."""


@pytest.fixture
def folder() -> Path:
    named = os.environ.get("REAL_DATA")
    if not named:
        pytest.skip("REAL_DATA names no folder of published results")
    return Path(named)


@cache
def rows(path: Path) -> tuple[Row, ...]:
    return tuple(map(json.loads, gzip.decompress(path.read_bytes()).splitlines()))


@cache
def edition(players: int, name: str, length: str, tenpai_stop: bool) -> Ruleset:
    options = {"edition": name, "length": length, "tenpai_stop": tenpai_stop}
    return loader.load(f"tenhou{players}").with_options(options)


def rules_of(row: Row, finished: Mapping[str, Row]) -> Ruleset:
    """Return the ruleset edition of a game; a game without a final record is taken for a hanchan."""
    length = finished.get(row["game"], {}).get("length", "hanchan")
    long = {"tonpu": "tonpuu"}.get(length, length)
    return edition(row["players"], row["edition"], long, row["game"] not in PLAYED_ON_AFTER_TENPAI)


class Record:
    """One recorded hand, with its seats counted from the first dealer."""

    def __init__(self, row: Row) -> None:
        self.players: int = row["players"]
        self.first: int = (row["dealer"] - row["kyoku"] % HANDS_OF_A_ROUND) % self.players
        self.row = row
        self.events: dict[str, list[Any]] = {}
        for name, *event in row["events"]:
            self.events.setdefault(name, []).append(event)

    def seat(self, recorded: int) -> int:
        return (recorded - self.first) % self.players

    def by_seat(self, recorded: list[int]) -> tuple[int, ...]:
        return tuple(recorded[self.first :] + recorded[: self.first])

    @property
    def state(self) -> State:
        turn, number = divmod(self.row["kyoku"], HANDS_OF_A_ROUND)
        deposits = self.row["kyotaku_start"] * 1000
        return State(self.by_seat(self.row["start"]), ROUNDS[turn], number + 1, self.row["honba"], deposits)

    @property
    def stakes(self) -> tuple[Stake, ...]:
        return tuple(Stake(self.seat(seat)) for (seat,) in self.events.get("riichi", []))

    @property
    def paid(self) -> tuple[int, ...]:
        """Return the recorded gains by seat, without stakes."""
        deltas = [self.by_seat(delta) for (delta,) in self.events["delta"]]
        return tuple(map(sum, zip(*deltas, strict=True)))

    @property
    def moved(self) -> tuple[int, ...]:
        laid = {stake.seat for stake in self.stakes}
        return tuple(amount - 1000 * (seat in laid) for seat, amount in enumerate(self.paid))

    @property
    def tenpai(self) -> tuple[int, ...]:
        """Return the paid seats as tenpai, since the record's own list omits one seat in some games."""
        listed = tuple(map(self.seat, self.events["ryuukyoku"][0][1]))
        paid = tuple(seat for seat, amount in enumerate(self.paid) if amount > 0)
        if any(self.paid):
            assert {*paid} - {*listed} <= {self.seat(0)}
            return paid
        return tuple(range(self.players)) if listed else ()

    @property
    def outcome(self) -> Outcome:
        if "agari" in self.events:
            return self._won()
        kind, listed = self.events["ryuukyoku"][0]
        if kind == "normal":
            return Draw(tenpai=self.tenpai, stakes=self.stakes)
        if kind == "nm":
            seats = tuple(seat for seat, amount in enumerate(self.paid) if amount > 0)
            return Nagashi(seats=seats, tenpai=tuple(map(self.seat, listed)), stakes=self.stakes)
        return AbortiveDraw(kind=ABORTIVE[kind], stakes=self.stakes)

    def _won(self) -> Outcome:
        wins = tuple(self._win(*event) for event in self.events["agari"])
        winner, loser, *_ = self.events["agari"][0]
        if winner == loser:
            return Tsumo(win=wins[0], stakes=self.stakes)
        return RonCalls(loser=self.seat(loser), calls=wins, stakes=self.stakes)

    def _win(self, winner: int, _: int, fu: int, han: int, yakuman: int, __: int, liable: int | None) -> Win:
        liability = None if liable is None else LiablePlayer(self.seat(liable))
        return Win(self.seat(winner), Worth(han, fu, yakuman), liability)


def games(folder: Path) -> Iterator[tuple[list[Record], Ruleset, Row | None]]:
    """Yield every game: its hands in order, its rules, and its final record if there is one."""
    finished = {row["id"]: row for row in rows(folder / "games.jsonl.gz")}
    for _, hands in groupby(rows(folder / "deals.jsonl.gz"), key=lambda row: row["game"]):
        records = [Record(row) for row in hands]
        game = records[0].row["game"]
        yield records, rules_of(records[0].row, finished), finished.get(game)


def test_every_game_replays_hand_by_hand_to_its_recorded_scores_and_end(folder: Path) -> None:
    hands, ended, finals = 0, 0, {row["id"] for row in rows(folder / "games.jsonl.gz")}
    expected = len({row["game"] for row in rows(folder / "deals.jsonl.gz")} & finals)
    for records, rules, final in games(folder):
        game = records[0].row["game"]
        hanchan = replay([record.outcome for record in records], rules, records[0].state)
        assert not hanchan.refused, game
        for record, step in zip(records, hanchan.steps, strict=True):
            assert step.before == record.state, (game, record.row["kyoku"])
            assert step.result is not None
            assert step.result.changes() == record.moved, (game, record.row["kyoku"])
            hands += 1
        if final is not None:
            settled = settle(result_of(hanchan.state, rules), rules)
            assert hanchan.state.is_over, game
            assert settled.final_scores == records[-1].by_seat(final["scores"]), game
            if final["end_event"][0] == "ryuukyoku":
                assert hanchan.state.kyoutaku == final["kyotaku_left"] * 1000, game
            ended += 1
    assert hands
    assert ended == expected


def test_only_one_recorded_game_went_on_after_the_leading_last_dealer_was_tenpai(folder: Path) -> None:
    went_on, looked_at = set(), set()
    for records, rules, _ in games(folder):
        looked_at.add(records[0].row["game"])
        usual = edition(rules.players, records[0].row["edition"], "hanchan", True)
        # The games of the usual rules are replayed above.
        if rules is not usual and rules.setup.rounds == usual.setup.rounds:
            hanchan = replay([record.outcome for record in records], usual, records[0].state)
            went_on |= {records[0].row["game"]} if hanchan.refused else set()
    assert went_on == PLAYED_ON_AFTER_TENPAI & looked_at
