"""Slots of the Cinderella ladder of sixteen: certain, provisional, open, or awaiting a ruling."""

import pytest

from rulesets.formats import load_format, parse_format
from scoring.lines import ordinal
from scoring.stages import (
    Awaiting,
    BlockStandings,
    Certainty,
    Champion,
    ImpossiblePlanError,
    Override,
    PassOver,
    Reason,
    Replace,
    Resolution,
    SlotState,
    is_complete,
    resolve,
)
from scoring.standings import Row, Withdrawal, rank
from tests.scoring.tables import BACK_TRACKING, CINDERELLA, names, points, ruled, table

SEEDS = dict(enumerate([*names("A"), *names("B")], start=1))
A = table(*names("A"))
B = table(*names("B"))
A_TIED_AT_5 = table("A1", "A2", "A3", "A4", ("A5", "A6"), "A7", "A8")
A_TIED_AT_4 = table("A1", "A2", "A3", ("A4", "A5"), "A6", "A7", "A8")


def ladder(*overrides: Override, **blocks: BlockStandings) -> Resolution:
    return resolve(CINDERELLA, blocks, SEEDS, overrides=overrides)


def seated(resolution: Resolution, block: str) -> list[object]:
    return [slot.entrant for slot in resolution.slots[block]]


def states(resolution: Resolution, block: str) -> list[str]:
    return [slot.state.value for slot in resolution.slots[block]]


@pytest.mark.clause("cinderella", "CL-002")
def test_before_the_first_hanchan_the_blocks_are_seeded_and_all_other_slots_are_open() -> None:
    resolution = ladder()
    assert seated(resolution, "A") == names("A")
    assert states(resolution, "B") == ["certain"] * 8
    for block in ("po1", "po2", "po3", "final"):
        assert states(resolution, block) == ["open"] * 4
    assert resolution.slots["po1"][0] == SlotState(
        "po1", 1, Certainty.OPEN, None, "A#4", reason=Reason.NOT_STARTED, carried=0
    )
    assert resolution.champion == Champion(Certainty.OPEN)
    assert resolution.awaiting == ()


def test_a_seed_without_an_entrant_is_open() -> None:
    slot = resolve(CINDERELLA, {}, {}).slots["A"][2]
    assert (slot.state, slot.entrant, slot.source, slot.reason) == (Certainty.OPEN, None, "seed:3", Reason.UNSEEDED)


def test_a_block_that_has_not_begun_names_its_entrants_as_candidates() -> None:
    slot = ladder(A=table(tuple(names("A")), played=0)).slots["final"][0]
    assert (slot.state, slot.candidates) == (Certainty.OPEN, tuple(names("A")))


def test_a_block_closed_without_any_hanchan_awaits_a_ruling() -> None:
    slot = ladder(A=table(tuple(names("A")), hanchan=0)).slots["final"][0]
    assert (slot.state, slot.reason) == (Certainty.RULING, Reason.TIED)


@pytest.mark.clause("cinderella", "CL-004", "CL-005", "CL-006", "CL-007")
def test_complete_blocks_fill_the_slots_that_depend_on_them() -> None:
    resolution = ladder(A=A, B=B)
    assert seated(resolution, "po1") == ["A4", "A5", "B4", "B5"]
    assert seated(resolution, "po2") == ["A3", "B3", None, None]
    assert seated(resolution, "po3") == ["A2", "B2", None, None]
    assert seated(resolution, "final") == ["A1", "B1", None, None]
    assert states(resolution, "final") == ["certain", "certain", "open", "open"]
    assert [slot.source for slot in resolution.slots["final"]] == ["A#1", "B#1", "po3#1", "po3#2"]


def test_an_entrant_without_a_rank_advances_nowhere_and_uses_up_no_position() -> None:
    rows = [each.row for each in A.standings.ranked]
    standings = rank(rows, BACK_TRACKING, leaving={"A1": Withdrawal.UNRANKED})
    resolution = ladder(A=BlockStandings(standings, complete=True))
    assert resolution.slots["final"][0].entrant == "A2"
    assert resolution.destinations["A"][-1] == "withdrawn"
    assert resolution.destinations["A"][:2] == ("final", "po3")
    assert resolution.advance["A"]["withdrawn"] == ("A1",)


@pytest.mark.clause("cinderella", "CL-003")
def test_one_block_fills_its_slots_without_waiting_for_the_other() -> None:
    assert states(ladder(A=A), "final") == ["certain", "open", "open", "open"]


def test_a_block_under_way_fills_its_slots_provisionally() -> None:
    slot = ladder(A=table(*names("A"), played=3)).slots["final"][0]
    assert (slot.state, slot.entrant, slot.reason) == (Certainty.PROVISIONAL, "A1", Reason.UNDER_WAY)
    assert slot.candidates == tuple(names("A"))


def test_a_tie_in_a_block_under_way_leaves_the_slot_provisional_without_a_name() -> None:
    resolution = ladder(A=table(("A1", "A2"), *names("A")[2:], played=3))
    slot = resolution.slots["final"][0]
    assert (slot.state, slot.entrant, slot.reason) == (Certainty.PROVISIONAL, None, Reason.TIED)
    assert resolution.awaiting == ()


@pytest.mark.clause("cinderella", "CL-008")
def test_each_rank_of_a_block_has_a_destination() -> None:
    destinations = ladder().destinations
    assert destinations["A"] == ("final", "po3", "po2", "po1", "po1", "out", "out", "out")
    assert destinations["po2"] == ("po3", "po3", "out", "out")
    assert destinations["final"] == ("champion", "2nd", "3rd", "4th")


@pytest.mark.parametrize(
    ("number", "text"),
    [(2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (13, "13th"), (21, "21st"), (112, "112th")],
)
def test_ordinals_follow_english_spelling(number: int, text: str) -> None:
    assert ordinal(number) == text


@pytest.mark.clause("cinderella", "CL-008", "CL-011")
def test_a_complete_block_lists_its_entrants_by_destination() -> None:
    resolution = ladder(A=A, po1=table("A4", "B5", "B4", "A5", hanchan=4))
    assert resolution.advance["A"] == {
        "final": ("A1",),
        "po3": ("A2",),
        "po2": ("A3",),
        "po1": ("A4", "A5"),
        "out": ("A6", "A7", "A8"),
    }
    assert resolution.advance["po1"] == {"po2": ("A4", "B5"), "out": ("B4", "A5")}
    assert resolution.advance["B"] == {}


@pytest.mark.clause("cinderella", "CL-029")
def test_a_tie_across_a_border_leaves_open_only_the_slots_that_depend_on_it() -> None:
    resolution = ladder(A=A_TIED_AT_5, B=B)
    contested = resolution.slots["po1"][1]
    assert (contested.state, contested.entrant, contested.candidates) == (Certainty.RULING, None, ("A5", "A6"))
    assert seated(resolution, "po1") == ["A4", None, "B4", "B5"]
    assert resolution.awaiting == (Awaiting("A", ("A5", "A6"), (5, 6), ("po1", "out"), (("po1", 2),)),)
    assert resolution.advance["A"]["po1"] == ("A4",)
    assert resolution.advance["A"]["out"] == ("A7", "A8")


@pytest.mark.clause("cinderella", "CL-029")
def test_a_tie_between_two_ranks_with_the_same_destination_leaves_nothing_open() -> None:
    resolution = ladder(A=A_TIED_AT_4, B=B)
    assert states(resolution, "po1") == ["certain"] * 4
    assert seated(resolution, "po1") == ["A4", "A5", "B4", "B5"]
    assert resolution.awaiting == ()
    assert resolution.advance["A"]["po1"] == ("A4", "A5")


@pytest.mark.clause("cinderella", "CL-029")
def test_three_entrants_tied_across_a_border_all_await_a_ruling() -> None:
    resolution = ladder(A=table("A1", "A2", "A3", ("A4", "A5", "A6"), "A7", "A8"))
    assert states(resolution, "po1") == ["ruling", "ruling", "open", "open"]
    (awaiting,) = resolution.awaiting
    assert (awaiting.ranks, awaiting.places, awaiting.slots) == (
        (4, 5, 6),
        ("po1", "out"),
        (("po1", 1), ("po1", 2)),
    )


@pytest.mark.clause("cinderella", "CL-029")
def test_a_ruling_fills_the_slot() -> None:
    resolution = ladder(A=ruled(A_TIED_AT_5, ("A6", "A5")))
    assert seated(resolution, "po1")[:2] == ["A4", "A6"]
    assert resolution.awaiting == ()


@pytest.mark.clause("cinderella", "CL-009", "CL-017")
def test_a_whole_season_leads_to_its_champion() -> None:
    resolution = ladder(
        A=A,
        B=B,
        po1=table("B4", "A5", "A4", "B5", hanchan=4),
        po2=table("A3", "B4", "B3", "A5", hanchan=4),
        po3=table("B2", "B4", "A2", "A3", hanchan=4),
        final=table("B4", "B2", "A1", "B1", hanchan=4),
    )
    assert seated(resolution, "po2") == ["A3", "B3", "B4", "A5"]
    assert seated(resolution, "po3") == ["A2", "B2", "A3", "B4"]
    assert seated(resolution, "final") == ["A1", "B1", "B2", "B4"]
    assert resolution.champion == Champion(Certainty.CERTAIN, "B4")
    assert resolution.advance["final"] == {"champion": ("B4",)}


@pytest.mark.clause("cinderella", "CL-017", "CL-029")
def test_no_champion_is_named_before_the_organizer_rules_on_a_tied_final() -> None:
    resolution = ladder(final=table(("A1", "B1"), "A2", "B2", hanchan=4))
    assert resolution.champion == Champion(Certainty.RULING, candidates=("A1", "B1"))
    assert resolution.advance["final"] == {}
    assert resolution.awaiting == (Awaiting("final", ("A1", "B1"), (1, 2), ("champion", "2nd"), ()),)


@pytest.mark.clause("cinderella", "CL-029")
def test_a_tie_for_second_in_the_final_awaits_a_ruling_but_the_champion_is_certain() -> None:
    resolution = ladder(final=table("B1", ("A1", "A2"), "B2", hanchan=4))
    assert resolution.champion == Champion(Certainty.CERTAIN, "B1")
    assert [each.places for each in resolution.awaiting] == [("2nd", "3rd")]


def test_the_leader_of_a_final_under_way_is_provisional() -> None:
    champion = ladder(final=table("B1", "A1", "A2", "B2", hanchan=4, played=1)).champion
    assert champion == Champion(Certainty.PROVISIONAL, "B1", ("B1", "A1", "A2", "B2"))


@pytest.mark.clause("cinderella", "CL-020")
def test_after_a_withdrawal_three_instead_of_two_advance_from_the_stage_before() -> None:
    resolution = ladder(
        Replace("po3", 1, "po2#3", "Withdrew for health reasons"),
        A=A,
        B=B,
        po2=table("A3", "B4", "B3", "A5", hanchan=4),
    )
    assert seated(resolution, "po3") == ["B3", "B2", "A3", "B4"]
    assert resolution.slots["po3"][0].source == "po2#3"
    assert resolution.slots["po3"][0].note == "Withdrew for health reasons"
    assert resolution.destinations["po2"] == ("po3", "po3", "po3", "out")
    assert resolution.destinations["A"][1] == "out"
    assert resolution.advance["po2"] == {"po3": ("A3", "B4", "B3"), "out": ("A5",)}


@pytest.mark.clause("cinderella", "CL-020")
def test_an_entrant_passed_over_takes_no_place() -> None:
    resolution = ladder(PassOver("A", "A2", "Moved abroad"), A=A)
    assert seated(resolution, "final")[0] == "A1"
    assert seated(resolution, "po3")[0] == "A3"
    assert seated(resolution, "po1")[:2] == ["A5", "A6"]
    assert resolution.destinations["A"] == ("final", "withdrawn", "po3", "po2", "po1", "po1", "out", "out")
    assert resolution.advance["A"]["withdrawn"] == ("A2",)


def test_passing_over_one_of_two_tied_players_settles_the_tie() -> None:
    resolution = ladder(PassOver("A", "A5", "Moved abroad"), A=A_TIED_AT_5)
    assert seated(resolution, "po1")[:2] == ["A4", "A6"]
    assert resolution.awaiting == ()


def test_a_rank_without_remaining_entrants_is_vacant() -> None:
    gone = [PassOver("po1", name, "Moved abroad") for name in ("A4", "B4", "B5")]
    slot = ladder(*gone, po1=table("A4", "B4", "B5", "A5", hanchan=4)).slots["po2"][3]
    assert (slot.state, slot.reason, slot.candidates) == (Certainty.OPEN, Reason.VACANT, ())


@pytest.mark.clause("cinderella", "CL-020")
def test_the_organizer_may_name_an_entrant_for_a_slot() -> None:
    slot = ladder(Replace("final", 2, "ruling", "Last year's champion", entrant="hana"), B=B).slots["final"][1]
    assert (slot.state, slot.entrant, slot.source, slot.note) == (
        Certainty.CERTAIN,
        "hana",
        "ruling",
        "Last year's champion",
    )


def test_the_last_override_of_a_slot_applies() -> None:
    first = Replace("final", 2, "ruling", "First thought", entrant="hana")
    second = Replace("final", 2, "B#2", "Second thought")
    third = Replace("po3", 2, "B#1", "Changed places")
    resolution = ladder(first, second, third, B=B)
    assert seated(resolution, "final")[1] == "B2"
    assert seated(resolution, "po3")[1] == "B1"


def test_an_entrant_in_two_slots_of_a_stage_is_reported() -> None:
    resolution = ladder(Replace("final", 2, "ruling", "Named", entrant="A1"), A=A)
    assert [slot.reason for slot in resolution.slots["final"][:2]] == [Reason.TWICE, Reason.TWICE]


IMPOSSIBLE = [
    ((Replace("po9", 1, "A#1", ""),), "there is no block or drawn stage po9"),
    ((Replace("po1", 5, "A#6", ""),), "there are slots 1 to 4"),
    ((Replace("po1", 1, "sixth", ""),), "'sixth' is no source"),
    ((Replace("po1", 1, "po2#3", ""),), "po2 is not played before this stage"),
    ((Replace("po1", 1, "A#9", ""),), "ranks 1 to 8"),
    ((Replace("po1", 1, "A#3", ""),), "A#3: is used 2 times"),
    ((Replace("po1", 1, "ruling", ""),), "an entrant is named with the source ruling"),
    ((Replace("po1", 1, "A#6", "", entrant="hana"),), "an entrant is named with the source ruling"),
    ((Replace("po1", 1, "seed:17", ""),), "there are seeds 1 to 16"),
    ((Replace("po1", 1, "draw:po1", ""),), "record a draw instead"),
    ((PassOver("po9", "hana", ""),), "there is no block po9"),
]


@pytest.mark.parametrize(("overrides", "message"), IMPOSSIBLE)
def test_an_override_that_does_not_fit_the_format_is_refused(overrides: tuple[Override, ...], message: str) -> None:
    with pytest.raises(ImpossiblePlanError, match=message):
        ladder(*overrides)


def test_all_impossible_overrides_are_reported_at_once() -> None:
    with pytest.raises(ImpossiblePlanError) as refused:
        ladder(PassOver("po9", "hana", ""), Replace("po8", 1, "A#1", ""))
    assert len(refused.value.faults) == 2


def test_a_seed_may_be_moved_to_another_slot() -> None:
    resolution = ladder(Replace("A", 1, "seed:9", "Asked to"), Replace("B", 1, "seed:1", "Asked to"))
    assert (seated(resolution, "A")[0], seated(resolution, "B")[0]) == ("B1", "A1")


def test_a_block_is_complete_when_every_entrant_has_the_number_of_hanchan_or_the_organizer_closed_it() -> None:
    assert is_complete(CINDERELLA, "A", A.standings)
    assert not is_complete(CINDERELLA, "A", table(*names("A"), played=7).standings)
    assert not is_complete(CINDERELLA, "A", table(*names("A")[:7]).standings)
    assert not is_complete(CINDERELLA, "A", table(*names("A"), played=7).standings, closed=["B"])
    assert is_complete(CINDERELLA, "A", table(*names("A"), played=7).standings, closed=["A"])
    one_behind: list[Row] = [points(name, *[5] * (8 if name != "A3" else 7)) for name in names("A")]
    assert not is_complete(CINDERELLA, "A", rank(one_behind, CINDERELLA.tiebreak))


def test_open_play_has_a_ranking_but_no_slots_destinations_or_champion() -> None:
    format_ = load_format("open-play")
    standings = rank([points("hana", 10), points("yuki", 20, -20)], format_.tiebreak)
    resolution = resolve(format_, {"open": BlockStandings(standings, complete=True)}, {})
    assert resolution.slots == {"open": ()}
    assert resolution.destinations == {"open": ()}
    assert resolution.advance == {"open": {}}
    assert resolution.champion is None
    assert not is_complete(format_, "open", standings)
    assert is_complete(format_, "open", standings, closed=["open"])


def test_a_single_table_final_needs_four_seeds_and_four_hanchan() -> None:
    format_ = load_format("single-table-final")
    seeds = dict(enumerate(["hana", "yuki", "rin", "mei"], start=1))
    final = table("rin", "mei", "hana", "yuki", hanchan=4)
    resolution = resolve(format_, {"final": final}, seeds)
    assert seated(resolution, "final") == ["hana", "yuki", "rin", "mei"]
    assert is_complete(format_, "final", final.standings)
    assert resolution.champion == Champion(Certainty.CERTAIN, "rin")


FED_BY_OPEN_PLAY = """
name = "ranking-final"
title = { ja = "ランキング決勝", en = "Ranking final" }
players = 4
note = { ja = "例", en = "An example" }

[tiebreak]

[champion]
block = "final"
note = { ja = "優勝", en = "Champion" }

[[stages]]
key = "open"
title = { ja = "予選", en = "Qualifying" }
seating = "rounds"
assignment = "seeded"
carry_over = { kind = "none", note = { ja = "0から", en = "From zero" } }
note = { ja = "自由", en = "Free" }

[[stages.blocks]]
key = "open"
title = { ja = "予選", en = "Qualifying" }
is_open = true

[[stages]]
key = "final"
title = { ja = "決勝", en = "Final" }
hanchan = 4
seating = "stay"
assignment = "seeded"
carry_over = { CARRY, note = { ja = "持ち越し", en = "Carried over" } }
note = { ja = "上位4名", en = "The best four" }

[[stages.blocks]]
key = "final"
title = { ja = "決勝", en = "Final" }
entrants = [{ from = "open#1-4", note = { ja = "上位4名", en = "The best four" } }]
"""


def carried(carry: str, totals: list[int], scale: int = 10, *overrides: Override) -> list[int | None]:
    """Return the points that the final's slots start with after these totals."""
    format_ = parse_format(FED_BY_OPEN_PLAY.replace("CARRY", carry), "own.toml")
    standings = rank([points(number, total) for number, total in enumerate(totals, start=1)], format_.tiebreak)
    resolution = resolve(
        format_, {"open": BlockStandings(standings, complete=True)}, {}, overrides=overrides, scale=scale
    )
    return [slot.carried for slot in resolution.slots["final"]]


@pytest.mark.parametrize(
    ("carry", "starts"),
    [
        ('kind = "none"', [0, 0, 0, 0]),
        ('kind = "full"', [335, 3, -3, -500]),
        ('kind = "half", rounding = "up"', [168, 2, -1, -250]),
        ('kind = "half", rounding = "down"', [167, 1, -2, -250]),
        ('kind = "half", rounding = "away_from_zero"', [168, 2, -2, -250]),
        ('kind = "half", rounding = "towards_zero"', [167, 1, -1, -250]),
        ('kind = "table", points = ["30.0", 10, "0", "-10.5"]', [300, 100, 0, -105]),
    ],
)
def test_points_are_carried_over_as_the_stage_says(carry: str, starts: list[int]) -> None:
    assert carried(carry, [335, 3, -3, -500]) == starts


def test_an_unknown_entrant_has_no_carried_points() -> None:
    assert carried('kind = "full"', [10, 5, 0]) == [10, 5, 0, None]


def test_an_entrant_named_by_the_organizer_carries_nothing() -> None:
    named = Replace("final", 2, "ruling", "Wild card", entrant="hana")
    assert carried('kind = "full"', [40, 30, 20, 10], 10, named) == [40, 0, 20, 10]


def test_a_table_of_points_must_fit_the_ledger() -> None:
    with pytest.raises(ValueError, match="the ledger keeps multiples of 1/1"):
        carried('kind = "table", points = ["1.5", 1, 0, -1]', [4, 3, 2, 1], 1)


def test_with_a_table_of_points_even_a_tie_inside_one_stage_needs_a_ruling() -> None:
    assert carried('kind = "none"', [20, 20, 10, 0]) == [0, 0, 0, 0]
    format_ = parse_format(FED_BY_OPEN_PLAY.replace("CARRY", 'kind = "table", points = [3, 2, 1, 0]'), "own.toml")
    standings = rank([points(name, 20) for name in ("hana", "yuki")], format_.tiebreak)
    resolution = resolve(format_, {"open": BlockStandings(standings, complete=True)}, {})
    assert [each.places for each in resolution.awaiting] == [("final",)]
    assert states(resolution, "final")[:2] == ["ruling", "ruling"]
    assert resolution.destinations["open"] == ("final", "final")
