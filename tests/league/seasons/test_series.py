"""Test series: rules that are refused, tiers of a term, decisions on moves, and the roster of the next term."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User

from league.models import Competition, Hanchan, MoveDecision, Player, Role, Series, Standing, TableSession, Term
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError, ServiceError
from league.selectors.access.actors import Actor
from league.selectors.seasons.series import seasons_of_series, series_of
from league.selectors.seasons.series_moves import full_moves, prior_order, shown_moves
from league.selectors.seasons.series_people import people_named
from league.services.competitions.setup import enter_players, seed_block
from league.services.operations.verification import differences_of
from league.services.parlour.people import merge_players
from league.services.people.erasure import erase_player
from league.services.results.results import void_hanchan
from league.services.rulebooks.own_formats import keep_own_format
from league.services.seasons.moves import decide_move, decide_newcomer, set_opening_balance, take_move_decision_back
from league.services.seasons.next_rosters import preview_next_roster, undo_next_roster, write_next_roster
from league.services.seasons.series import (
    SeriesPlan,
    attach_competition,
    create_series,
    create_tiers,
    detach_competition,
    revise_rules,
)
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import (
    TIER,
    TWO_TIERS,
    enter,
    finished_series,
    names_in,
    own_format,
    person,
    play,
    publish,
    series_of_two,
    tiers,
)

pytestmark = pytest.mark.django_db
FINAL = """
[[stages]]
key = "final"
title = { ja = "決勝", en = "Final" }
hanchan = 1
sessions = 1
seating = "rounds"
rounds = [{ numbers = "1", by = "plan" }]
assignment = "seeded"
carry_over = { kind = "none" }

[[stages.blocks]]
key = "final"
title = { ja = "決勝", en = "Final" }
entrants = [{ from = "all#1-4" }]
"""
WITH_FINAL = TIER.format(size=4).replace('block = "all"', 'block = "final"').replace("tier-4", "with-final") + FINAL
ONE_TIER = """
name = "one-tier"
kind = "series"
title = { ja = "一部リーグ", en = "One tier" }
tiebreak = {}
moves = [{ from = "M#1", to = "title" }]

[[outside]]
key = "title"

[[tiers]]
key = "M"
size = { least = 4, most = 4 }
format = "with-final"
"""


def codes(refused: pytest.ExceptionInfo[ServiceError]) -> list[str]:
    return [finding.code for finding in refused.value.findings]


def write(term: Term) -> Term:
    """Write the roster after a term as its preview has it, and return the next term."""
    write_next_roster(term=term, digest=preview_next_roster(term=term, by=SYSTEM).digest, by=SYSTEM)
    return term.series.terms.get(number=term.number + 1)


def player(name: str) -> Player:
    return Player.objects.get(name=f"{name}さん")


def decide(term: Term, name: str, kind: str, tier: str = "") -> MoveDecision:
    return decide_move(
        term=term, player=player(name), kind=MoveDecision.Kind(kind), tier=tier, reason="理由", by=SYSTEM
    )


def test_a_text_with_faults_is_refused_with_all_of_them_and_nothing_is_kept() -> None:
    text = TWO_TIERS.replace('to = "B"', 'to = "X"').replace("least = 4, most = 8", "least = 9, most = 8")
    with pytest.raises(RuleViolationError) as refused:
        create_series(plan=SeriesPlan(slug="odd", name="春", text=text), by=SYSTEM)
    assert {finding.pointer for finding in refused.value.findings} == {"/text"}
    assert not Series.objects.exists()


def test_a_format_is_no_series() -> None:
    own_format(4)
    with pytest.raises(RuleViolationError) as refused:
        create_series(plan=SeriesPlan(slug="odd", name="春", text='name = "x"'), by=SYSTEM)
    assert refused.value.findings


def test_a_decision_that_a_merge_makes_another_players_is_in_the_table_of_the_tier() -> None:
    series = series_of_two()
    newcomer = decide_newcomer(term=series.terms.get(), name="新人", tier="A", reason="推薦", by=SYSTEM).player
    competition = tiers(series.terms.get())["B"]
    play(competition)
    merge_players(duplicate=newcomer, keep=player("B3"), by=SYSTEM)
    publish_standings(competition.pk)
    rows = Standing.objects.filter(block__competition=competition, entrant__player=player("B3"))
    assert {row.destination for row in rows} == {"placed:A"}
    assert list(differences_of(competition)) == []


def test_only_users_with_the_right_create_series_and_decide_on_moves() -> None:
    series = finished_series()
    term = series.terms.get()
    director = factories.user("director", Role.DIRECTOR, tiers(term)["A"])
    for user in (director, User.objects.create_user("reader")):
        by = Actor(user=user, door=factories.actor().door)
        with pytest.raises(PermissionRefusedError):
            create_series(plan=SeriesPlan(slug="other", name="秋", text=TWO_TIERS), by=by)
        with pytest.raises(PermissionRefusedError):
            decide_move(term=term, player=player("A1"), kind=MoveDecision.Kind.LEAVES, reason="x", by=by)
        with pytest.raises(PermissionRefusedError):
            write_next_roster(term=term, digest="0" * 64, by=by)
    director.user_permissions.add(Permission.objects.get(codename="change_series"))
    again = User.objects.get(pk=director.pk)
    assert decide_move(
        term=term, player=player("A1"), kind=MoveDecision.Kind.LEAVES, reason="x", by=factories.actor(again)
    ).pk


def test_the_last_goes_down_and_the_first_goes_up_with_reason_and_rule() -> None:
    found = full_moves(finished_series().terms.get())
    ways = {move.player.name: (move.movement.source, move.movement.seat, move.direction) for move in found.moves}
    assert ways["A4さん"] == ("A", "B", "down")
    assert ways["B1さん"] == ("B", "A", "up")
    assert ways["A1さん"] == ("A", "A", "stays")
    rules = {move.player.name: move.movement.rule for move in found.moves if move.movement.rule}
    assert rules == {"A4さん": "moves.0", "B1さん": "moves.1"}
    assert not found.faults
    assert not found.is_provisional


def test_the_next_term_has_drafts_with_entrants_in_the_order_of_their_seeds() -> None:
    following = write(finished_series().terms.get())
    assert {key: names_in(row) for key, row in tiers(following).items()} == {
        "A": ["A1", "A2", "A3", "B1"], "B": ["A4", "B2", "B3", "B4"],
    }  # fmt: skip
    row = tiers(following)["A"]
    assert (row.status, row.name) == (Competition.Status.DRAFT, "春リーグ戦 第2期 A級")
    assert [entrant.player.name for entrant in factories.in_block(row.blocks.get())] == [
        "A1さん", "A2さん", "A3さん", "B1さん"
    ]  # fmt: skip


def test_players_level_in_a_final_wait_for_the_ruling_whatever_the_stage_before_says() -> None:
    keep_own_format(text=WITH_FINAL, by=SYSTEM)
    series = create_series(plan=SeriesPlan(slug="finals", name="決勝", text=ONE_TIER), by=SYSTEM)
    [tier] = create_tiers(term=series.terms.get(), ruleset="mleague", by=SYSTEM)
    people = enter_players(competition=tier, players=[person(f"F{n}", "finals") for n in range(1, 5)], by=SYSTEM)
    seed_block(block=tier.blocks.get(key="all"), entrants=people, by=SYSTEM)
    factories.play_all(factories.table(tier.blocks.get(key="all"), numbers=(1,)), (40000, 30000, 20000, 10000))
    publish_standings(tier.pk)
    factories.play_all(
        factories.table(tier.blocks.get(key="final"), people, numbers=(1,)), (35000, 35000, 20000, 10000)
    )
    publish_standings(tier.pk)
    found = full_moves(series.terms.get())
    assert [(fault.code.value, len(fault.players)) for fault in found.faults] == [("awaiting", 2)]
    assert [each.movement.rank for each in found.moves] == [1, 1, 3, 4]


def test_a_roster_is_not_written_while_a_tier_has_no_final_table() -> None:
    term = series_of_two().terms.get()
    play(tiers(term)["A"])
    with pytest.raises(ConflictError) as refused:
        write(term)
    assert codes(refused) == ["term_not_finished"]
    assert full_moves(term).is_provisional


def test_a_player_who_was_erased_can_leave_the_series_and_nothing_else() -> None:
    term = finished_series().terms.get()
    erased = erase_player(player=player("A2"), by=SYSTEM)
    assert people_named(erased.name) == people_named(erased.name_romaji) == [erased]
    with pytest.raises(ConflictError) as refused:
        decide_move(term=term, player=erased, kind=MoveDecision.Kind.PLACED, tier="B", reason="理由", by=SYSTEM)
    assert codes(refused) == ["player_gone"]
    decide_move(term=term, player=erased, kind=MoveDecision.Kind.LEAVES, reason="理由", by=SYSTEM)
    roster = preview_next_roster(term=term, by=SYSTEM).tier_ids
    assert [tier for tier, people in roster.items() if erased.pk in people] == []


def test_a_decision_after_the_preview_makes_the_digest_stale() -> None:
    term = finished_series().terms.get()
    digest = preview_next_roster(term=term, by=SYSTEM).digest
    decide(term, "B1", "declined")
    with pytest.raises(ConflictError) as refused:
        write_next_roster(term=term, digest=digest, by=SYSTEM)
    assert codes(refused) == ["roster_changed"]


def test_decisions_change_the_moves_and_can_be_taken_back() -> None:
    term = finished_series().terms.get()
    declined = decide(term, "B1", "declined")
    decide(term, "A4", "seat_kept")
    ways = {move.player.name: move.movement.seat for move in full_moves(term).moves}
    assert (ways["B1さん"], ways["B2さん"], ways["A4さん"], ways["A3さん"]) == ("B", "A", "A", "B")
    take_move_decision_back(decision=declined, reason="mistake", by=SYSTEM)
    assert {move.player.name: move.movement.seat for move in full_moves(term).moves}["B1さん"] == "A"


def test_leaving_returning_and_newcomers_fill_the_tiers() -> None:
    series = finished_series()
    term = series.terms.get()
    person("Z", "spring")
    decide(term, "A2", "leaves")
    found = full_moves(term)
    assert [fault.code.value for fault in found.faults] == ["tier_too_small"]
    with pytest.raises(RuleViolationError) as refused:
        write(term)
    assert codes(refused) == ["tier_too_small"]
    decide(term, "Z", "returns", "A")
    decide_newcomer(term=term, name="新人さん", tier="B", reason="試験合格", by=SYSTEM)
    found = full_moves(term)
    assert found.tier_ids["A"] == [player(name).pk for name in ("A1", "A3", "B1", "Z")]
    assert [move.direction for move in found.newcomers] == ["in", "in"]


@pytest.mark.parametrize(
    ("name", "kind", "tier", "code"),
    [
        ("Z", "leaves", "", "not_in_term"),
        ("A1", "returns", "A", "plays_in_term"),
        ("Z", "returns", "X", "unknown_tier"),
        ("A1", "leaves", "A", "tier_not_wanted"),
    ],
)
def test_decisions_that_cannot_be_are_refused(name: str, kind: str, tier: str, code: str) -> None:
    term = series_of_two().terms.get()
    person("Z", "spring")
    with pytest.raises(RuleViolationError) as refused:
        decide(term, name, kind, tier)
    assert codes(refused) == [code]


def test_a_second_decision_on_a_player_is_refused() -> None:
    term = series_of_two().terms.get()
    decide(term, "A1", "leaves")
    with pytest.raises(ConflictError) as refused:
        decide(term, "A1", "seat_kept")
    assert codes(refused) == ["decided_already"]


def test_a_written_roster_is_taken_back_and_written_again_with_the_same_outcome() -> None:
    term = finished_series().terms.get()
    following = write(term)
    first = {key: names_in(row) for key, row in tiers(following).items()}
    with pytest.raises(ConflictError) as refused:
        decide(term, "A1", "leaves")
    assert codes(refused) == ["roster_written"]
    before = full_moves(term)
    assert before.written is not None
    undo_next_roster(term=term, reason="too early", by=SYSTEM)
    assert {key: names_in(row) for key, row in tiers(following).items()} == {"A": [], "B": []}
    again = full_moves(term)
    assert (again.written, again.digest) == (None, before.written.digest)
    assert before.digest == again.digest
    write(term)
    assert {key: names_in(row) for key, row in tiers(following).items()} == first


def test_a_roster_is_not_taken_back_once_the_next_term_has_a_result() -> None:
    term = finished_series().terms.get()
    following = write(term)
    publish(tiers(following)["A"])
    play(tiers(following)["A"])
    with pytest.raises(ConflictError) as refused:
        undo_next_roster(term=term, reason="too late", by=SYSTEM)
    assert codes(refused) == ["next_term_has_results"]


def test_a_written_roster_stays_as_it_was_decided_when_a_result_is_taken_back() -> None:
    term = finished_series().terms.get()
    write(term)
    before = full_moves(term)
    hanchan = Hanchan.objects.get(table_session__competition=tiers(term)["A"])
    void_hanchan(hanchan=hanchan, reason="wrong table", by=SYSTEM)
    assert full_moves(term).moves[0].movement == before.moves[0].movement
    assert full_moves(term).documents == before.documents


def test_a_competition_is_attached_to_a_tier_once_and_taken_out_again() -> None:
    own_format(4)
    series = create_series(plan=SeriesPlan(slug="spring", name="春", text=TWO_TIERS), by=SYSTEM)
    term = series.terms.get()
    row = factories.final_table("cup")
    attach_competition(term=term, tier="A", competition=row, by=SYSTEM)
    with pytest.raises(ConflictError) as refused:
        attach_competition(term=term, tier="B", competition=row, by=SYSTEM)
    assert codes(refused) == ["competition_in_series"]
    with pytest.raises(ConflictError) as refused:
        attach_competition(term=term, tier="A", competition=factories.final_table("cup-2"), by=SYSTEM)
    assert codes(refused) == ["tier_taken"]
    assert [made.tier for made in create_tiers(term=term, ruleset="mleague", by=SYSTEM)] == ["B"]
    detach_competition(competition=row, reason="mistake", by=SYSTEM)
    assert sorted(tiers(term)) == ["B"]


def test_rules_without_a_tier_in_use_are_refused() -> None:
    series = series_of_two()
    lost = TWO_TIERS.replace('"B"', '"C"').replace("B#1", "C#1")
    with pytest.raises(ConflictError) as refused:
        revise_rules(series=series, text=lost, reason="x", by=SYSTEM)
    assert codes(refused) == ["tier_in_use"]
    revise_rules(series=series, text=TWO_TIERS.replace("most = 8", "most = 6"), reason="smaller", by=SYSTEM)
    assert Series.objects.get().rules.number == 2


def test_the_public_sees_neither_drafts_nor_results_under_embargo_nor_the_roster_made_from_them() -> None:
    series = finished_series()
    term = series.terms.get()
    competition = tiers(term)["B"]
    TableSession.objects.filter(competition=competition).update(is_released=False)
    publish_standings(competition.pk)
    following = write(term)
    found = shown_moves(term, None)
    assert found.written is None
    assert found.is_provisional
    assert {move.direction for move in found.moves if move.movement.source == "B"} != {"up"}
    assert shown_moves(following, None).tables.readers == []
    TableSession.objects.filter(competition=competition).update(is_released=True)
    publish_standings(competition.pk)
    assert shown_moves(term, None).written is not None


def test_the_way_of_a_player_through_the_terms() -> None:
    series = finished_series()
    following = write(series.terms.get())
    for row in tiers(following).values():
        publish(row)
    steps = series_of(player("B1"), None)[series]
    assert [(step.term.number, step.tier, step.place, step.direction) for step in steps] == [
        (2, "A", None, ""), (1, "B", 1, "up"),
    ]  # fmt: skip


def test_promotion_points_begin_with_the_opening_balance() -> None:
    own_format(4)
    text = TWO_TIERS.replace(
        "[[tiers]]", '[ledger]\ntier = "B"\ngains = [2]\npromote_at = 3\nwithin_terms = 2\n\n[[tiers]]', 1
    ).replace("least = 4, most = 4", "least = 4, most = 6")
    series = create_series(plan=SeriesPlan(slug="spring", name="春", text=text), by=SYSTEM)
    term = series.terms.get()
    for row in create_tiers(term=term, ruleset="mleague", by=SYSTEM):
        enter(row, [person(f"{row.tier}{n}", "spring") for n in range(1, 5)])
        publish(row)
    set_opening_balance(series=series, player=player("B2"), points=1, reason="前期", by=SYSTEM)
    for row in tiers(term).values():
        play(row)
    ways = {move.player.name: move for move in full_moves(term).moves}
    assert ways["B2さん"].movement.seat == "A"
    assert ways["B2さん"].movement.points == 3


def test_a_player_of_a_decided_roster_who_is_merged_plays_on_as_the_one_kept_and_the_roster_names_who_holds() -> None:
    term = finished_series().terms.get()
    following = write(term)
    digest = full_moves(term).digest
    before, kept = player("B1"), person("Z", "spring")
    merge_players(duplicate=before, keep=kept, by=SYSTEM)
    for row in tiers(following).values():
        publish(row)
        play(row)
    found = full_moves(term)
    assert found.tier_ids["A"] == [player(name).pk for name in ("A1", "A2", "A3", "Z")]
    assert {move.player.name: move.movement.player for move in found.moves}["Zさん"] == kept.pk
    assert found.digest == digest
    assert prior_order(following)[:4] == found.tier_ids["A"]
    steps = series_of(kept, None)[term.series]
    assert [(step.term.number, step.tier, step.direction) for step in steps] == [(2, "A", ""), (1, "B", "up")]
    third = write(following)
    assert {key: names_in(row) for key, row in tiers(third).items()} == {
        "A": ["A1", "A2", "A3", "A4"], "B": ["Z", "B2", "B3", "B4"],
    }  # fmt: skip
    # The stored rows keep their ids, so that a merge taken back gives the roster back to the first entry.
    Player.objects.filter(pk=before.pk).update(merged_into=None)
    assert full_moves(term).tier_ids["A"] == [player(name).pk for name in ("A1", "A2", "A3", "B1")]


def test_a_roster_with_a_merged_player_is_taken_back_as_a_whole() -> None:
    term = finished_series().terms.get()
    following = write(term)
    merge_players(duplicate=player("B1"), keep=person("Z", "spring"), by=SYSTEM)
    undo_next_roster(term=term, reason="too early", by=SYSTEM)
    assert {key: names_in(row) for key, row in tiers(following).items()} == {"A": [], "B": []}
    assert {key: names_in(row) for key, row in tiers(write(term)).items()}["A"] == ["A1", "A2", "A3", "Z"]


def test_a_decided_term_keeps_the_rules_it_was_decided_by_until_its_roster_is_taken_back() -> None:
    series = finished_series()
    term = series.terms.get()
    following = write(term)
    text = TWO_TIERS.replace('"A#last:1"', '"A#last:1-2"').replace('"B#1"', '"B#1-2"').replace("A級", "特級")
    for changed in (text, text.replace("特級", "頂級")):
        revise_rules(series=series, text=changed, reason="two each", by=SYSTEM)
        series.refresh_from_db()
    term, following = Term.objects.get(pk=term.pk), Term.objects.get(pk=following.pk)
    for row in (term, following):
        row.series = series
    assert [full_moves(row).revision.number for row in (term, following)] == [1, 3]
    assert full_moves(term).tables.tiers[0].tier.title.ja == "A級"  # type: ignore[union-attr]  # both have titles
    assert [tier.tier.title.ja for row in seasons_of_series(series, None) for tier in row.tiers[:1]] == ["頂級", "A級"]  # type: ignore[union-attr]  # both have titles
    for competition in tiers(term).values():
        publish_standings(competition.pk)
    assert [row.destination for row in in_tier(term, "A")][-2:] == ["stay:A", "down:B"]
    undo_next_roster(term=term, reason="by the new rules", by=SYSTEM)
    assert full_moves(term).revision.number == 3
    publish_standings(tiers(term)["A"].pk)
    assert [row.destination for row in in_tier(term, "A")][-2:] == ["down:B", "down:B"]


def in_tier(term: Term, tier: str) -> list[Standing]:
    """Return the public standings of a tier, best first."""
    rows = Standing.objects.filter(block__competition=tiers(term)[tier], audience="public")
    return list(rows.order_by("position"))
