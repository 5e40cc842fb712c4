"""Random valid formats, as texts of files, and seasons of random results played to their end.

The one idea: a format grows stage by stage from what is left to take: each stage takes ranks of the blocks before it
that no other stage has taken, so every text is valid by construction and every part of the grammar comes up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from scoring.format import Format
from scoring.further import GivenOrders
from scoring.resolution import BlockStandings, Certainty, Resolution
from scoring.stages import is_complete, resolve
from scoring.standings import Played, Row, rank
from scoring.tiebreak import Entrant

PLAYERS = 4
CARRIES = (
    'kind = "none"',
    'kind = "half", rounding = "up"',
    'kind = "part", of = "1/3", rounding = "towards_zero"',
    'kind = "part", of = "2/7", rounding = "away_from_zero"',
    'kind = "full"',
)


@dataclass
class FormatText:
    """A format that is being written: its stages so far, and how many of the first ranks of a block are left."""

    random: Random
    stages: list[str] = field(default_factory=list)
    blocks: dict[str, int] = field(default_factory=dict)
    """The size of each block of the newest stage."""

    def stage(self, lines: Sequence[str], *, is_first: bool = False) -> str:
        """Add a stage with these lines; return its key."""
        key = f"s{len(self.stages) + 1}"
        carry = CARRIES[0] if is_first else self.random.choice(CARRIES)
        head = [f'key = "{key}"', f'title = "Stage {key}"', f"carry_over = {{ {carry} }}"]
        self.stages.append("\n".join(["[[stages]]", *head, *lines]))
        return key


def format_text(random: Random) -> str:
    """Return the text of a random format of 4 to 48 players that ends with a table of four."""
    text = FormatText(random)
    tables = random.choice([2, 3, 4, 4, 6, 8, 12])
    is_open = random.random() < 0.4
    _first(text, tables, is_open=is_open)
    while sum(text.blocks.values()) > PLAYERS:
        _next(text)
    then = random.choice([[], ["places"], ["seed"], ["best_score", "lot"], ["head_to_head", "prior"]])
    back = random.choice(["", 'back_tracking = [{ by = "points" }, { by = "place" }], '])
    names = ", ".join(f'"{each}"' for each in then)
    entrants = f"{{ least = {tables * PLAYERS}, most = {tables * PLAYERS + 8} }}" if is_open else str(tables * PLAYERS)
    head = [
        'name = "random"',
        'title = "Random"',
        f"players = {PLAYERS}",
        f"entrants = {entrants}",
        f"tiebreak = {{ {back}then = [{names}] }}",
        f'champion = {{ block = "{next(iter(text.blocks))}" }}',
        *(['policies = { odd = { by = "refuse" } }'] if is_open else []),
    ]
    return "\n".join(head) + "\n\n" + "\n\n".join(text.stages) + "\n"


def _first(text: FormatText, tables: int, *, is_open: bool) -> None:
    """Write the first stage: all in one block, or in several."""
    count = text.random.choice([n for n in (1, 2, 3) if tables % n == 0])
    size = tables * PLAYERS // count
    hanchan = text.random.randint(1, 4)
    blocks = []
    for number in range(count):
        first, last = number * size + 1, (number + 1) * size
        is_rest = is_open and number == count - 1
        source = f"seed:{first}-*" if is_rest else f"seed:{first}-{last}"
        if count == 1 and text.random.random() < 0.5:
            source = "seed:*"
        blocks.append(f'  {{ key = "b1{"xyz"[number]}", title = "B", entrants = [{{ from = "{source}" }}] }},')
    rounds = []
    if text.random.random() < 0.5:
        rounds = [f'rounds = [{{ numbers = "1-{hanchan}", by = "plan" }}]']
    text.stage(
        [f"hanchan = {hanchan}", 'seating = "rounds"', 'assignment = "seeded"', "blocks = [", *blocks, "]", *rounds],
        is_first=True,
    )
    text.blocks = {f"b1{'xyz'[number]}": size for number in range(count)}


def _next(text: FormatText) -> None:
    """Write a stage of fewer entrants: arranged at tables, drawn into blocks, or in one block."""
    key = f"s{len(text.stages)}"
    goes = [
        rank
        for rank in (1, 2, 4, 8, 12, 16, 24)
        if rank * len(text.blocks) % PLAYERS == 0 and rank < min(text.blocks.values())
    ]
    if not goes:
        # Of several blocks no equal number of ranks fills tables: the best of one rank fill up.
        firsts, missing = [f'{{ from = "{key}#1" }}'], -len(text.blocks) % PLAYERS
        best = [f'{{ from = "best:{key}#2/1-{missing}" }}'] if missing else []
        _one_block(text, [*firsts, *best], len(text.blocks) + missing)
        return
    going = text.random.choice(goes)
    entrants = [f'{{ from = "{key}#1-{going}" }}']
    count = going * len(text.blocks) // PLAYERS
    is_crossed = going == 2 and len(text.blocks) in {2, 4, 8} and set(text.blocks.values()) == {PLAYERS}
    way = text.random.choice(["arranged", "drawn", "block"])
    if count == 1 and not is_crossed:
        way = "block"
    if way == "arranged":
        how = text.random.choice(["snake", "straight", "listed", *(["crossed"] * 4 if is_crossed else [])])
        _arranged(text, entrants, count, how)
    elif way == "drawn" and count > 1:
        _drawn(text, entrants, count)
    else:
        _one_block(text, entrants, count * PLAYERS)


def _arranged(text: FormatText, entrants: Sequence[str], count: int, how: str) -> None:
    key = f"t{len(text.stages) + 1}n"
    text.stage(
        [
            "hanchan = 2",
            'seating = "stay"',
            'assignment = "arranged"',
            f"entrants = [{', '.join(entrants)}]",
            f'arrange = "{how}"',
            f'tables = {{ key = "{key}", count = {count}, title = "Table {{n}}" }}',
        ]
    )
    text.blocks = {f"{key}{number}": PLAYERS for number in range(1, count + 1)}


def _drawn(text: FormatText, entrants: Sequence[str], count: int) -> None:
    keys = [f"d{len(text.stages) + 1}n{number}" for number in range(1, count + 1)]
    blocks = [f'  {{ key = "{key}", title = "Block", size = {PLAYERS} }},' for key in keys]
    lines = ["hanchan = 1", 'seating = "stay"', 'assignment = "drawn"', f"entrants = [{', '.join(entrants)}]"]
    text.stage([*lines, "blocks = [", *blocks, "]"])
    text.blocks = dict.fromkeys(keys, PLAYERS)


def _one_block(text: FormatText, entrants: Sequence[str], size: int) -> None:
    key = f"o{len(text.stages) + 1}"
    lines = ["hanchan = 3", "sessions = 3", 'seating = "stay"', 'assignment = "seeded"']
    text.stage([*lines, f'blocks = [{{ key = "{key}", title = "All", entrants = [{", ".join(entrants)}] }}]'])
    text.blocks = {key: size}


@dataclass
class PlayedFormat:
    """A format played with random results, up to a ruling that is requested or to the end."""

    format: Format
    standings: dict[str, BlockStandings] = field(default_factory=dict)
    resolution: Resolution | None = None


def play(format_: Format, random: Random, values: Sequence[int] = (-300, -100, 100, 300)) -> PlayedFormat:
    """Play a closed format stage by stage; stop where a slot waits for a ruling. Few values make ties common."""
    seeds: dict[int, Entrant] = {number: number for number in range(1, format_.seeds + 1)}
    given = GivenOrders(seeds={entrant: number for number, entrant in seeds.items()}, lot="lot")
    found = PlayedFormat(format_)
    draws: dict[str, Mapping[str, Sequence[int]]] = {}
    found.resolution = resolve(format_, found.standings, seeds, draws, given=given)
    for stage in format_.stages:
        if stage.assignment == "drawn":
            draws[stage.key] = _draw(format_, stage.key, random)
            found.resolution = resolve(format_, found.standings, seeds, draws, given=given)
        slots = [slot for block in stage.blocks for slot in found.resolution.slots[block.key]]
        if any(slot.state is not Certainty.CERTAIN for slot in slots):
            return found
        for block in stage.blocks:
            rows = [
                Row(slot.entrant, tuple(_results(stage.hanchan or 1, random, values)), slot.carried or 0)
                for slot in found.resolution.slots[block.key]
            ]
            ranking = rank(rows, format_.tiebreak, given=given)
            found.standings[block.key] = BlockStandings(ranking, is_complete(format_, block.key, ranking))
        found.resolution = resolve(format_, found.standings, seeds, draws, given=given)
    return found


def _results(hanchan: int, random: Random, values: Sequence[int]) -> list[Played]:
    return [Played(n, random.choice(values), random.randint(1, PLAYERS), 25000) for n in range(1, hanchan + 1)]


def _draw(format_: Format, stage: str, random: Random) -> Mapping[str, Sequence[int]]:
    numbers = list(range(1, len(format_.pool(stage)) + 1))
    random.shuffle(numbers)
    drawn = iter(numbers)
    return {block: [next(drawn) for _ in format_.sources(block)] for block in format_.blocks_of[stage]}
