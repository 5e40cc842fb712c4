"""Test drafts of team leagues: members, fixtures, limits with their source, awards, and where their faults belong."""

from __future__ import annotations

from rulesets.format_builder import edits
from rulesets.format_builder.checking import problems, read_draft
from rulesets.format_builder.picks import Draft
from rulesets.format_builder.rounds import set_rounds
from rulesets.format_builder.teams import is_for_teams, set_awards, set_kind, set_limit, set_members
from rulesets.format_toml import format_toml
from rulesets.formats import format_text, parse_format
from scoring.format import EntrantKind, Seating
from scoring.format.team import AwardBy
from scoring.teams.line_ups import Appearance, limit_in


def club(teams: int = 6) -> Draft:
    """Return a league of teams with a final, as proposed."""
    return edits.add_stage(set_kind(edits.new_draft("club", teams), "teams"))


def places(draft: Draft) -> list[tuple[str, str, str]]:
    return [(each.stage, each.field, each.fault.code) for each in problems(draft)]


def test_a_league_of_teams_as_proposed_can_be_kept() -> None:
    draft = club()
    assert places(draft) == []
    found = parse_format(format_toml(draft), "club.toml")
    assert found.kind is EntrantKind.TEAMS
    assert found.title.ja == "6チームのリーグ"
    assert [stage.seating for stage in found.stages] == [Seating.FIXTURES, Seating.FIXTURES]
    assert found.team is not None
    assert (found.team.members.least, found.team.members.most) == (2, 6)


def test_players_again_have_neither_teams_nor_limits_nor_fixtures() -> None:
    draft = set_kind(set_limit(club(), "stage1", 1, None, None), "players")
    assert draft.keys() & {"kind", "team", "limits"} == set()
    assert {stage["seating"] for stage in draft["stages"]} == {"rounds"}
    assert places(draft) == []


def test_rounds_seated_by_a_rule_stay_when_teams_enter_and_leave() -> None:
    draft = set_rounds(edits.new_draft("rounds", 8), "stage1", [(8, {"by": "draw"})])
    teams = set_kind(draft, "teams")
    assert (is_for_teams(draft), is_for_teams(teams)) == (False, True)
    assert teams["stages"][0]["seating"] == "rounds"
    again = set_kind(teams, "players")
    assert again["stages"][0]["rounds"] == [{"by": "draw", "numbers": "1-8"}]


def test_a_limit_has_its_source_and_one_that_cannot_be_kept_is_a_fault_of_its_stage() -> None:
    draft = set_limit(set_members(club(), 2, 4, both_sexes=True), "stage1", 2, 5, "規約 2026-04-01")
    assert places(draft) == []
    found = parse_format(format_toml(draft), "club.toml")
    assert limit_in(found, "stage1") == Appearance(2, 5)
    assert found.limits[0].note is not None
    assert found.limits[0].note.ja == "規約 2026-04-01"
    assert found.team is not None
    assert found.team.both_sexes
    assert places(set_limit(draft, "stage1", 3, 5, "")) == [("stage1", "limit", "limit_too_high")]
    assert "limits" not in set_limit(draft, "stage1", None, None, "")


def test_awards_keep_their_keys_and_new_ones_get_free_keys() -> None:
    draft = set_awards(
        club(), [{"stage": "stage1", "by": "total"}, {"key": "award2", "stage": "stage1", "by": "average"}]
    )
    more = [*draft["awards"], {"stage": "stage2", "by": "best_score", "title": "", "least_hanchan": 3}]
    found = parse_format(format_toml(set_awards(draft, more)), "club.toml")
    assert [(each.key, each.stage, each.by, each.least_hanchan) for each in found.awards] == [
        ("award1", "stage1", AwardBy.TOTAL, None),
        ("award2", "stage1", AwardBy.AVERAGE, None),
        ("award3", "stage2", AwardBy.BEST_SCORE, 3),
    ]
    assert "awards" not in set_awards(draft, [])


def test_what_names_a_stage_goes_with_it() -> None:
    draft = set_limit(set_awards(club(), [{"stage": "stage2", "by": "total"}]), "stage2", None, 3, "")
    left = edits.remove_stage(draft, "stage2")
    assert left.keys() & {"awards", "limits"} == set()
    draft = read_draft(format_text("mleague-2025"))
    assert "replace" not in edits.remove_stage(draft, "semi")["team"]


def test_awards_are_for_players_of_ordinary_leagues_too() -> None:
    draft = set_awards(edits.new_draft("single", 8), [{"stage": "stage1", "by": "fourths_share"}])
    assert places(draft) == []
    assert parse_format(format_toml(draft), "single.toml").awards[0].by is AwardBy.FOURTHS_SHARE


def test_teams_need_women_and_men_only_while_the_rule_stands() -> None:
    draft = set_members(club(), 6, 2, both_sexes=True)
    assert draft["team"] == {"members": {"least": 2, "most": 6}, "both_sexes": True}
    assert set_members(draft, 3, 3, both_sexes=False)["team"] == {"members": {"least": 3, "most": 3}}
