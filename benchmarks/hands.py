"""Hands scored in a second: this engine beside the `mahjong` package, and `riichienv` (Rust) if it is installed.

The hands are real ones where `REAL_DATA` names a folder that has them, else random ones. Each engine gets its own
records of them, made beforehand, and is warmed up on other hands; then each engine scores each hand once, engines
alternating every few hundred hands, so that a busy machine slows all of them alike. Last, `BENCH_HANDS` random hands
(default a million), each a new one, are scored to see whether memory grows meanwhile.
"""

from __future__ import annotations

import gc
import gzip
import json
import os
import random
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path
from typing import Any

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as OtherMeld

from rulesets.loader import load, names
from scoring.hand import By, Hand, HandValue, Meld, MeldKind, RiichiKind, Robbed, Situation, parse_tiles, score
from scoring.hand.possible import Circumstances, possible_values, why_impossible
from scoring.hand.uncapped import possible_han
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.end import RoundName

AT_LEAST = 5.0
"""Lowest allowed ratio of this engine's speed to that of the `mahjong` package."""
MOST_GROWTH = 1024
"""kB by which memory may grow over the second half of the random hands."""
MOST_SECONDS = 1.0
"""Seconds that deriving the possible values of a ruleset may take."""
MOST_HAN = 4
WARM_UP = 500
TURNS = 5
RANDOM = 5_000
STATM = Path("/proc/self/statm")
TOLD = "with every line told"
Row = dict[str, Any]
Job = Callable[[], object]
WINDS = "ESWN"
FIRST_HONOUR = 27
MELD_KINDS = {
    "chi": OtherMeld.CHI,
    "pon": OtherMeld.PON,
    "minkan": OtherMeld.KAN,
    "ankan": OtherMeld.KAN,
    "kakan": OtherMeld.SHOUMINKAN,
}


def main() -> int:
    """Measure, print; return 1 if this engine is slower than promised or keeps growing."""
    rows = list(real_rows() or islice(random_rows(random.Random(6)), RANDOM))
    engines: dict[str, Callable[[Row], Job]] = {"this engine": engine_job, TOLD: with_lines_job, "mahjong": mahjong_job}
    if find_spec("riichienv"):
        engines["riichienv"] = riichienv_job
    took = measure(rows, engines)
    for name, seconds in took.items():
        print(f"{name:>22}: {1 / seconds:9,.0f} hands a second, {seconds * 1e6:6.1f} us each")
    for name in list(engines)[2:]:
        ratio, with_lines = took[name] / took["this engine"], took[name] / took[TOLD]
        print(f"{ratio:.2f} times as fast as {name}; {with_lines:.2f} times {TOLD}")
    if "riichienv" not in engines:
        print("riichienv is not installed; for a ratio to it: pip install --no-deps riichienv")
    slowest = tell_possible()
    hands = int(os.environ.get("BENCH_HANDS", "1000000"))
    first, second = growth(hands)
    print(f"memory grew by {first:,} kB over {hands // 2:,} different hands, then by {second:,} kB over as many more")
    is_slow = took["mahjong"] / took["this engine"] < AT_LEAST
    return int(is_slow or second > MOST_GROWTH or slowest > MOST_SECONDS)


def books() -> Iterator[tuple[Ruleset, str]]:
    """Yield each ruleset with rules for hands, and each under the house option that lifts the limits."""
    for rules in filter(lambda each: each.play, map(load, names())):
        yield rules, rules.name
        for key, option in rules.options.items():
            for value in option.candidates():
                changed = rules.with_options({key: value})
                if changed.play and changed.play.value.uncapped_in_last_hand:
                    yield changed, f"{rules.name} with {key}"


def tell_possible() -> float:
    """Print for each ruleset how many values hands can have; return the seconds of the longest derivation."""
    slowest = 0.0
    for rules, title in books():
        every = [
            Circumstances(*won) for won in product(By, (True, False), RiichiKind) if won[1] or won[2] is RiichiKind.NONE
        ]
        tables, lifted, times = [], [], []
        for won in every:
            began = time.process_time()
            tables.append(possible_values(rules, won))
            if rules.play and rules.play.value.uncapped_in_last_hand:
                lifted.append(possible_han(rules, won))
            times.append(time.process_time() - began)
        spent, slowest = sum(times), max(slowest, *times)
        fus = sorted({fu for table in tables for fu, _closed in table})
        values = [why_impossible(rules, won, *value) for won in every for value in product(range(MOST_HAN + 1), fus)]
        refused = sum(found is not None for found in values)
        print(
            f"{title}: {len(every)} circumstances; {len(values) - refused:,} values of up to {MOST_HAN} han are "
            f"possible, {refused:,} refused; derived in {1000 * spent:.0f} ms, "
            f"one in at most {1000 * max(times):.0f} ms"
        )
        if lifted:
            hans = [len(each) for table in lifted for each in table.values()]
            print(f"{title}: {sum(hans):,} values of {len(hans)} numbers of fu are possible where no limit applies")
    return slowest


def measure(rows: Sequence[Row], engines: dict[str, Callable[[Row], Job]]) -> dict[str, float]:
    """Return the processor seconds for a hand, by engine.

    The jobs made beforehand are frozen out of garbage collection, so that collecting them is not measured.
    """
    jobs = {name: [prepare(row) for row in rows] for name, prepare in engines.items()}
    for every in jobs.values():
        run(every[:WARM_UP])
    gc.collect()
    gc.freeze()
    spent = dict.fromkeys(engines, 0.0)
    share = -(-(len(rows) - WARM_UP) // TURNS)
    for turn in range(TURNS):
        for name, every in jobs.items():
            start = WARM_UP + turn * share
            spent[name] += run(every[start : start + share])
    return {name: seconds / (len(rows) - WARM_UP) for name, seconds in spent.items()}


def run(jobs: Sequence[Job]) -> float:
    """Do every job once; return the processor seconds."""
    start = time.process_time()
    for job in jobs:
        job()
    return time.process_time() - start


def growth(hands: int) -> tuple[int, int]:
    """Return the kB by which memory grows over the first and over the second half of the random hands."""
    rows = random_rows(random.Random(7))
    run([with_lines_job(row) for row in islice(rows, WARM_UP)])
    sizes = [memory()]
    for _half in range(2):
        for row in islice(rows, hands // 2):
            with_lines_job(row)()
        gc.collect()
        sizes.append(memory())
    return sizes[1] - sizes[0], sizes[2] - sizes[1]


def memory() -> int:
    """Return the resident memory of this process in kB, or its peak where the system gives no current value."""
    if not STATM.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(STATM.read_text(encoding="ascii").split()[1]) * resource.getpagesize() // 1024


def real_rows() -> list[Row]:
    """Return the real hands of four players; empty without a folder of them."""
    folder = os.environ.get("REAL_DATA")
    if not folder:
        return []
    with gzip.open(Path(folder) / "hands.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["players"] == len(WINDS)]


def engine_job(row: Row) -> Job:
    """Return a job that scores a hand with this engine."""
    flags = row["flags"]
    concealed = list(parse_tiles("".join(row["hand"])))
    win = parse_tiles(row["win_tile"])[0]
    concealed.remove(win)
    melds = tuple(Meld(MeldKind(each["kind"]), parse_tiles("".join(each["tiles"]))) for each in row["melds"])
    riichi = RiichiKind.RIICHI if flags["riichi"] else RiichiKind.NONE
    situation = Situation(
        by=By.TSUMO if row["tsumo"] else By.RON,
        seat_wind=Wind(row["seat_wind"]),
        round=RoundName(row["round_wind"]),
        riichi=RiichiKind.DOUBLE if flags["double_riichi"] else riichi,
        ippatsu=flags["ippatsu"],
        haitei=flags["haitei"],
        houtei=flags["houtei"],
        rinshan=flags["rinshan"],
        first_turn=flags["tenhou"] or flags["chiihou"],
        robbed=Robbed.ADDED_KAN if flags["chankan"] else Robbed.NOTHING,
        dora_indicators=parse_tiles("".join(row["dora_indicators"])),
        ura_indicators=parse_tiles("".join(row["ura_indicators"])),
        honba=row["honba"],
        deposits=1000 * (row.get("kyotaku") or 0),
    )
    hand, rules = Hand(tuple(concealed), win, melds), load("tenhou4")
    return lambda: score(hand, situation, rules)


def with_lines_job(row: Row) -> Job:
    """Return a job that scores a hand with this engine and reads every line of its explanation."""
    job = engine_job(row)

    def tell() -> object:
        value = job()
        return (value.yaku, value.fu_lines, value.dora, value.payments) if isinstance(value, HandValue) else value

    return tell


def mahjong_job(row: Row) -> Job:
    """Return a job that scores a hand with the `mahjong` package."""
    flags = row["flags"]
    config = HandConfig(
        is_tsumo=row["tsumo"],
        is_riichi=flags["riichi"] and not flags["double_riichi"],
        is_daburu_riichi=flags["double_riichi"],
        is_ippatsu=flags["ippatsu"],
        is_rinshan=flags["rinshan"],
        is_chankan=flags["chankan"],
        is_haitei=flags["haitei"],
        is_houtei=flags["houtei"],
        is_tenhou=flags["tenhou"],
        is_chiihou=flags["chiihou"],
        player_wind=FIRST_HONOUR + WINDS.index(row["seat_wind"]),
        round_wind=FIRST_HONOUR + WINDS.index(row["round_wind"]),
        tsumi_number=row["honba"],
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False),
    )
    melds = [OtherMeld(MELD_KINDS[each["kind"]], each["tiles136"], each["kind"] != "ankan") for each in row["melds"]]
    tiles = [*row["hand136"], *(tile for each in row["melds"] for tile in each["tiles136"])]
    ura = row["ura136"] if flags["riichi"] or flags["double_riichi"] else []
    return lambda: HandCalculator.estimate_hand_value(
        tiles, row["win136"], melds=melds, dora_indicators=row["dora136"], ura_dora_indicators=ura, config=config
    )


def riichienv_job(row: Row) -> Job:
    """Return a job that scores a hand with `riichienv`."""
    riichienv: Any = import_module("riichienv")
    kinds = {
        "chi": riichienv.MeldType.Chi,
        "pon": riichienv.MeldType.Pon,
        "minkan": riichienv.MeldType.Daiminkan,
        "kakan": riichienv.MeldType.Kakan,
        "ankan": riichienv.MeldType.Ankan,
    }
    flags = row["flags"]
    conditions = riichienv.Conditions(
        tsumo=row["tsumo"],
        riichi=flags["riichi"],
        double_riichi=flags["double_riichi"],
        ippatsu=flags["ippatsu"],
        haitei=flags["haitei"],
        houtei=flags["houtei"],
        rinshan=flags["rinshan"],
        chankan=flags["chankan"],
        player_wind=WINDS.index(row["seat_wind"]),
        round_wind=WINDS.index(row["round_wind"]),
        honba=row["honba"],
    )
    concealed = list(row["hand136"])
    concealed.remove(row["win136"])
    melds = [riichienv.Meld(kinds[each["kind"]], each["tiles136"], each["kind"] != "ankan") for each in row["melds"]]
    return lambda: riichienv.HandEvaluator(concealed, melds).calc(
        row["win136"], row["dora136"], conditions, row["ura136"]
    )


def random_rows(chance: random.Random) -> Iterator[Row]:
    """Yield closed random hands of four sets and a pair, in the form of the real ones."""
    while True:
        kinds = [kind for _ in range(4) for kind in _set(chance)]
        pair = chance.randrange(34)
        kinds += [pair, pair]
        if max(map(kinds.count, kinds)) <= len(WINDS):
            yield _row(chance, kinds)


def _set(chance: random.Random) -> list[int]:
    kind = chance.randrange(34)
    is_run = kind < FIRST_HONOUR and kind % 9 < 7 and chance.random() < 0.8  # noqa: PLR2004 - sequences up to 789
    return [kind, kind + 1, kind + 2] if is_run else [kind] * 3


def _row(chance: random.Random, kinds: list[int]) -> Row:
    numbers = [4 * kind + kinds[:place].count(kind) for place, kind in enumerate(kinds)]
    chance.shuffle(numbers)
    indicator = chance.choice([kind for kind in range(34) if kind not in kinds])
    flags = ("ippatsu", "rinshan", "chankan", "haitei", "houtei", "tenhou", "chiihou", "double_riichi")
    return {
        "hand": [_name(number) for number in numbers],
        "hand136": numbers,
        "win_tile": _name(numbers[-1]),
        "win136": numbers[-1],
        "melds": [],
        "tsumo": chance.random() < 0.5,  # noqa: PLR2004 - as often as not
        "seat_wind": chance.choice(WINDS),
        "round_wind": chance.choice(WINDS[:2]),
        "honba": chance.randrange(3),
        "flags": {**dict.fromkeys(flags, False), "riichi": True},
        "dora_indicators": [_name(4 * indicator + 1)],
        "dora136": [4 * indicator + 1],
        "ura_indicators": [],
        "ura136": [],
    }


def _name(number: int) -> str:
    """Return the name of a tile given by its number among 136; the first five of each suit is red."""
    kind = number // 4
    if kind >= FIRST_HONOUR:
        return f"{kind - FIRST_HONOUR + 1}z"
    is_red = number in (16, 52, 88)
    return f"{0 if is_red else kind % 9 + 1}{'mps'[kind // 9]}"
