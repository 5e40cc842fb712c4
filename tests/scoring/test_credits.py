"""Hanchan that count without having been played: worth, place in totals and tie-breaks, and the end of a block."""

from dataclasses import replace
from fractions import Fraction

import pytest

from scoring.credits import GivenCredit, annul, settle_credits
from scoring.format import Format
from scoring.format.policies import Odd, OddBy, Policies
from scoring.rests import has_rests
from scoring.stages import is_complete
from scoring.standings import Played, Row, Withdrawal, rank
from scoring.tiebreak import TOTAL_ONLY, Credit, CreditKind, Criterion, Further, TieBreak, TiebreakStep

BACK_TRACKING = TieBreak(back_tracking=(TiebreakStep(by=Criterion.POINTS),))


def hanchan(number: int, points: int, place: int = 2, ref: int | None = None) -> Played:
    return Played(number, points, place, 30_000, ref)


def bye(number: int, points: int | None = None) -> GivenCredit:
    return GivenCredit(number, CreditKind.BYE, points)


@pytest.mark.parametrize(
    ("points", "worth"),
    [((), 0), ((251,), 251), ((251, -100), 75), ((-251, 100), -76), ((10, 10, 11), 10), ((-10, -10, -11), -10)],
)
def test_an_average_bye_is_worth_the_mean_of_the_hanchan_before_it_and_half_a_unit_goes_down(
    points: tuple[int, ...], worth: int
) -> None:
    played = dict(enumerate(points, start=1)) | {9: 5000}
    (credit,) = settle_credits([bye(8)], played, latest=9)
    assert credit == Credit(8, CreditKind.BYE, worth)


def test_a_bye_counts_once_a_hanchan_of_its_number_or_a_greater_one_counts_in_the_block() -> None:
    assert settle_credits([bye(3, 0)], {1: 100, 2: 50}, latest=2) == ()
    assert settle_credits([bye(3, 0)], {1: 100, 2: 50}, latest=3) == (Credit(3, CreditKind.BYE, 0),)


@pytest.mark.parametrize("kind", [CreditKind.NO_SHOW, CreditKind.LATE, CreditKind.WALKOVER])
def test_the_other_credits_count_at_once(kind: CreditKind) -> None:
    assert settle_credits([GivenCredit(3, kind, -300)], {}, latest=0) == (Credit(3, kind, -300),)


def test_a_result_goes_before_a_credit_for_the_same_hanchan() -> None:
    assert settle_credits([GivenCredit(1, CreditKind.NO_SHOW, -300)], {1: 400}, latest=1) == ()


def test_a_credit_counts_in_the_total_and_is_compared_in_no_tie() -> None:
    # Both have 300 in all; the second hanchan, in which one had a bye, is passed over, and the first decides.
    rested = Row("aoi", (hanchan(1, 250),), credits=(Credit(2, CreditKind.BYE, 50),))
    played = Row("ren", (hanchan(1, 100), hanchan(2, 200)))
    standings = rank([rested, played], BACK_TRACKING)
    assert [(each.entrant, each.total, each.played, each.counted) for each in standings.ranked] == [
        ("aoi", 300, 1, 2),
        ("ren", 300, 2, 2),
    ]
    assert [(each.criterion, each.number) for each in standings.decisions] == [("points", 1)]


def test_a_no_show_that_counts_as_last_counts_among_the_places_and_a_bye_does_not() -> None:
    row = Row(
        "aoi",
        (hanchan(1, 0, place=1),),
        credits=(Credit(2, CreditKind.NO_SHOW, -300, place=4), Credit(3, CreditKind.BYE, 0)),
    )
    other = Row("ren", (hanchan(1, -300, place=1), hanchan(2, 0, place=2), hanchan(3, 0, place=2)))
    standings = rank([row, other], TieBreak(then=(Further.PLACES,)))
    assert [(each.entrant, each.places) for each in standings.ranked] == [("ren", (1, 2, 0, 0)), ("aoi", (1, 0, 0, 1))]


def test_two_credits_or_a_credit_and_a_result_for_one_hanchan_are_refused() -> None:
    twice = Row("aoi", (hanchan(1, 0),), credits=(Credit(1, CreditKind.BYE, 0),))
    with pytest.raises(ValueError, match="two results for one hanchan"):
        rank([twice], TOTAL_ONLY)


def test_annulled_hanchan_count_nothing_for_the_others_and_stay_with_the_one_who_left() -> None:
    played = {
        "gone": (hanchan(1, 500, ref=11), hanchan(2, 300, ref=22)),
        "aoi": (hanchan(1, -500, ref=11), hanchan(2, 700, ref=23)),
        "ren": (hanchan(1, 900, ref=12), hanchan(2, -100, ref=23)),
    }
    kept, zeros = annul(played, {"gone"})
    assert kept == {**played, "aoi": (hanchan(2, 700, ref=23),)}
    assert zeros == {"aoi": (GivenCredit(1, CreditKind.ANNULLED, 0, ref=11),)}


def test_each_entrant_who_left_ranks_by_the_own_way_out() -> None:
    rows = [Row(name, (hanchan(1, points),)) for name, points in (("a", 500), ("b", 400), ("c", 300), ("d", 200))]
    standings = rank(rows, TOTAL_ONLY, leaving={"a": Withdrawal.UNRANKED, "b": Withdrawal.LAST, "c": Withdrawal.KEPT})
    assert [(each.entrant, each.rank, each.is_ranked) for each in standings.ranked] == [
        ("c", 1, True),
        ("d", 2, True),
        ("b", 3, True),
        ("a", 4, False),
    ]


SWISS = """
{ "name": "own", "title": "Own", "players": 4, "entrants": 5, "tiebreak": {},
  "policies": { "odd": { "by": "byes", "points": "average" } },
  "stages": [{ "key": "main", "title": "Main", "hanchan": 2, "seating": "rounds", "assignment": "seeded",
    "carry_over": { "kind": "none" },
    "blocks": [{ "key": "main", "title": "Main", "entrants": [{ "from": "seed:1-5" }] }],
    "rounds": [{ "numbers": "1-2", "by": "%s" }] }] }
"""


def test_a_block_is_over_when_played_hanchan_and_credits_fill_it_and_those_who_left_need_no_more() -> None:
    format_ = Format.model_validate_json(SWISS % "draw")
    full = [Row(name, (hanchan(1, 0), hanchan(2, 0))) for name in "abc"]
    rested = Row("d", (hanchan(1, 0),), credits=(Credit(2, CreditKind.BYE, 0),))
    gone = Row("e", (hanchan(1, 0),))
    whole = rank([*full, rested, gone], TOTAL_ONLY)
    assert is_complete(format_, "main", whole, leaving={"e"})
    assert not is_complete(format_, "main", whole)
    unpaid = rank([*full, replace(rested, credits=()), gone], TOTAL_ONLY)
    assert not is_complete(format_, "main", unpaid, leaving={"e"})


@pytest.mark.parametrize(
    ("odd", "by", "expected"),
    [
        (None, "plan", True),
        (None, "draw", False),
        (Odd(by=OddBy.BYES, points=Fraction(0)), "plan", False),
        (Odd(by=OddBy.SUBSTITUTES, points=Fraction(-15)), "plan", False),
    ],
)
def test_hanchan_have_the_numbers_of_their_rounds_where_byes_count_or_rounds_are_paired(
    odd: Odd | None, by: str, *, expected: bool
) -> None:
    format_ = Format.model_validate_json(SWISS % by)
    assert has_rests(format_.model_copy(update={"policies": Policies(odd=odd)}), "main", 4) is expected


def test_a_result_takes_no_annulled_hanchan_of_the_same_number_away() -> None:
    """In a block with rests the second own hanchan may be played in the third round."""
    given = [GivenCredit(2, CreditKind.ANNULLED, 0, ref="game"), GivenCredit(2, CreditKind.WALKOVER, 50)]
    assert [each.kind for each in settle_credits(given, {2: 100}, latest=3)] == [CreditKind.ANNULLED]
