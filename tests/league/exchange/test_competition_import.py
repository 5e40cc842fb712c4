"""Tests of importing a competition's file: accepted content and rejected faults."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.files.reading import ImportRefusedError, read
from league.models import (
    Adjustment,
    Change,
    Competition,
    Door,
    Draw,
    Hanchan,
    Outcome,
    Override,
    Player,
    ResultSheet,
    Ruling,
    SeatResult,
    SlotState,
    Standing,
    TableSession,
)
from league.services.exchange.competition_import import import_competition
from tests.league.files import FOUR, HEAD, IMPORT, LEVEL, final, imported

pytestmark = pytest.mark.django_db
ONE = "hanchan = [{ number = 1, results = [{ scores = [41200, 30100, 18700, 10000] }] }]\n"


def refused(text: str) -> list[str]:
    """Require that the import is refused without writing anything, and return its faults."""
    with pytest.raises(ImportRefusedError) as error:
        imported(text)
    assert not Competition.objects.exists()
    assert not Player.objects.exists()
    return [str(fault) for fault in error.value.faults]


def test_every_change_of_an_import_records_the_import_as_its_entry_point() -> None:
    competition = imported(final(ONE))
    assert competition.status == Competition.Status.PUBLISHED
    assert competition.version == competition.computed_version == competition.public_version
    assert set(Change.objects.values_list("door", flat=True)) == {Door.IMPORT}
    assert list(SeatResult.objects.order_by("seat").values_list("points", flat=True)) == [512, 101, -213, -400]


def test_a_file_may_be_json() -> None:
    text = json.dumps(
        {
            "competition": {"slug": "cup", "name": "杯"},
            "rules": [{"ruleset": "cinderella", "format": "single-table-final"}],
        }
    )
    assert imported(text).status == Competition.Status.DRAFT


def test_a_time_without_an_offset_is_read_in_the_competitions_time_zone() -> None:
    imported(final(ONE, table="starts_at = 2026-10-03T19:00:00\n"))
    assert TableSession.objects.get().starts_at == dt.datetime(2026, 10, 3, 10, tzinfo=dt.UTC)


def test_corrected_and_voided_results_keep_their_history() -> None:
    imported(
        final(
            """hanchan = [
  { number = 1, results = [
    { scores = [41200, 30100, 18700, 10000] },
    { scores = [41200, 18700, 30100, 10000], reason = "swapped" }] },
  { number = 2, state = "abandoned", results = [
    { scores = [25000, 25000, 25000, 25000], voided = { reason = "fire alarm" } }] },
]
"""
        )
    )
    first, second = Hanchan.objects.order_by("number")
    states = list(first.sheets.order_by("revision").values_list("state", "reason"))
    assert states == [("superseded", ""), ("confirmed", "swapped")]
    assert second.state == Hanchan.State.ABANDONED
    assert Change.objects.get(kind="result.voided").reason == "fire alarm"


def test_a_substitute_plays_and_the_entrant_gets_the_points() -> None:
    more = '[[players]]\nkey = "eve"\nname = "Eve"\nis_entrant = false\n'
    result = '{ scores = [41200, 30100, 18700, 10000], substitutes = { ann = "eve" }, accept = ["not_as_scheduled"] }'
    competition = imported(final(f"hanchan = [{{ number = 1, results = [{result}] }}]\n", more))
    seat = SeatResult.objects.get(seat=0)
    assert (str(seat.entrant), str(seat.player)) == ("Ann", "Eve")
    assert competition.entrants.count() == 4


def test_a_ruling_is_applied_to_its_tie() -> None:
    ruling = '[[rulings]]\nscope = "final"\nplayers = ["bea", "ann"]\nreason = "play-off"\n'
    competition = imported(final(LEVEL, ruling))
    assert Ruling.objects.get().reason == "play-off"
    assert str(Outcome.objects.get(competition=competition, audience="public").champion) == "Bea"


@pytest.mark.both_databases
def test_points_may_be_adjusted_and_adjustments_taken_back() -> None:
    adjustments = """
[[adjustments]]
block = "final"
player = "ann"
points = "-20.5"
reason = "late"

[[adjustments]]
block = "final"
player = "bea"
points = 10
reason = "mistaken"
taken_back = { reason = "it was not her" }
"""
    imported(final(ONE, adjustments))
    assert sorted(Adjustment.objects.values_list("points", "ended_n")) != []
    standing = {str(row.entrant): row.adjustment for row in Standing.objects.filter(audience="public")}
    assert standing == {"Ann": -205, "Bea": 0, "Cho": 0, "Dai": 0}


@pytest.mark.both_databases
def test_withdrawals_and_slot_overrides_are_imported() -> None:
    text = (
        HEAD.format(format="cinderella")
        + FOUR.split("[seeds]")[0]
        + """
[[withdrawals]]
player = "ann"
reason = "ill"

[[overrides]]
block = "A"
pass_over = "ann"
reason = "ill"

[[overrides]]
block = "po1"
slot = 1
source = "ruling"
player = "bea"
reason = "invited"
taken_back = { reason = "declined" }

[[overrides]]
block = "po1"
slot = 1
source = "B#6"
reason = "next in line"
"""
    )
    imported(text)
    assert Override.objects.count() == 3
    state = SlotState.objects.get(slot__block__key="po1", slot__number=1, audience="public")
    assert state.source == "B#6"
    assert Player.objects.get(key="ann").entrants.get().withdrawn_at is not None


@pytest.mark.both_databases
def test_a_draw_is_repeated_from_its_seed() -> None:
    draw = '[[draws]]\nstage = "semifinal"\nseed = "2018-06-02"\nreason = "in public"\n'
    imported(HEAD.format(format="cinderella-2018") + draw)
    result = Draw.objects.get().result
    assert sorted(sorted(result["sf1"]) + sorted(result["sf2"])) == list(range(1, 9))


def test_a_draw_that_contradicts_its_seed_is_refused() -> None:
    draw = '[[draws]]\nstage = "semifinal"\nseed = "x"\nreason = "in public"\nresult = { sf1 = [1, 2, 3, 4] }\n'
    (fault,) = refused(HEAD.format(format="cinderella-2018") + draw)
    assert "draws.0.result" in fault


def test_each_table_keeps_the_rules_in_force_at_its_start() -> None:
    later = '[[rules]]\nruleset = "cinderella"\nformat = "single-table-final"\nsince = 2026-11-01T00:00:00\n'
    option = 'options = { rounding = "exact" }\n\n'
    second = '[[tables]]\nsession = 1\nblock = "final"\nstarts_at = 2026-11-02T12:00:00\nhanchan = [{ number = 2 }]\n'
    competition = imported(final(ONE, later + option + second, table="starts_at = 2026-10-05T12:00:00\n"))
    first, changed = competition.rules_in_force.order_by("made_n")
    assert [one.rules_id for one in Hanchan.objects.order_by("number")] == [first.pk, changed.pk]


def test_a_file_may_contain_its_own_ruleset() -> None:
    from rulesets import loader

    own = loader.text_of("cinderella").replace("amounts = [20, 10, -10, -20]", "amounts = [30, 10, -10, -30]")
    text = f'[[rulesets]]\nkey = "house"\nname = "house"\ntext = """\n{own.replace(chr(92), chr(92) * 2)}"""\n'
    imported(final(ONE, text).replace('ruleset = "cinderella"', 'ruleset = "house"'))
    assert list(SeatResult.objects.order_by("seat").values_list("points", flat=True)) == [612, 101, -213, -500]


def test_an_existing_player_with_the_same_key_stays_unchanged() -> None:
    Player.objects.create(key="ann", name="Ann", affiliation="old club", country="NL")
    imported(final(ONE).replace('name = "Ann"', 'name = "Ann"\naffiliation = "new club"\ncountry = "FR"'))
    ann = Player.objects.get(key="ann")
    entered = ann.entrants.get()
    assert (ann.affiliation, ann.country) == ("old club", "NL")
    assert (entered.affiliation, entered.country) == ("new club", "FR")


def test_an_existing_player_with_the_same_key_and_another_name_is_a_fault() -> None:
    Player.objects.create(key="ann", name="Anna")
    with pytest.raises(ImportRefusedError, match="Anna is known by this key already"):
        imported(final(ONE))


def test_an_existing_slug_is_a_fault() -> None:
    imported(final(ONE))
    with pytest.raises(ImportRefusedError, match=r"competition\.slug: there is already a competition"):
        imported(final(ONE))


def test_results_whose_points_differ_from_the_given_ones_are_refused() -> None:
    known = ONE.replace("10000]", '10000], points = ["51.2", "10.1", "-21.3", "-40.1"], places = [1, 2, 3, 3]')
    points, places = refused(final(known))
    assert "hanchan.0.results.0.points.3: under these rules it comes to -40.0 (found '-40.1')" in points
    assert "hanchan.0.results.0.places.3: under these rules it comes to 4 (found '3')" in places


def test_errors_of_services_are_reported_together_with_their_paths() -> None:
    twice = LEVEL.replace(' , accept = ["same_result_twice"]', "")
    faults = refused(final(twice))
    assert len(faults) == 3
    assert all("same_result_twice" in fault for fault in faults)
    assert "tables.0.hanchan.1.results.0" in faults[0]


def test_a_ruling_without_a_tie_is_refused() -> None:
    ruling = '[[rulings]]\nscope = "final"\nplayers = ["bea", "ann"]\nreason = "?"\n'
    (fault,) = refused(final(ONE, ruling))
    assert fault.startswith("cup.toml:")
    assert "rulings.0" in fault


def test_a_dry_run_writes_nothing() -> None:
    competition = import_competition(file=read(final(ONE), "cup.toml"), by=IMPORT, is_trial=True)
    assert competition.slug == "cup"
    assert not Competition.objects.exists()


def test_invalid_toml_or_json_is_refused() -> None:
    with pytest.raises(ImportRefusedError, match="this is no TOML"):
        read("[competition", "cup.toml")
    with pytest.raises(ImportRefusedError, match="this is no JSON"):
        read("{", "cup.json")
    for text in ("stage = ", '{"stage": '):
        with pytest.raises(ImportRefusedError, match="a number has too many digits"):
            read(text + "9" * 5000, "cup")


def test_steps_are_given_for_all_results_and_decisions_or_for_none() -> None:
    step = ONE.replace("10000] }", "10000], step = 1 }, { scores = [25000, 25000, 25000, 25000], reason = 'x' }")
    (fault,) = refused(final(step))
    assert "hanchan.0.results.1.step: give every result and every decision its step, or none of them" in fault


TWENTY = """
[competition]
slug = "Bad Slug"
name = "杯"
time_zone = "Asia/Edo"
colour = "red"

[[rules]]
ruleset = "cinderella"
format = "cinderella"
options = { rounding = "up" }

[[rules]]
ruleset = "cinderela"
format = "cinderella"

[[players]]
key = "ann"
name = "Ann"
[[players]]
key = "ann"
name = "Ann"
[[players]]
key = "bea"
[[players]]
key = "cho"
name = "Cho"
[[players]]
key = "dai"
name = "Dai"

[seeds]
A = ["ann", "anne"]
final = ["ann"]

[[sessions]]
number = 1
[[sessions]]
number = 1

[[tables]]
session = 2
block = "C"
rules = 1
players = ["ann", "bea", "cho"]
[[tables]]
session = 1
block = "A"
rules = 3
public_at = "tomorrow"
players = ["ann", "bea", "cho", "dai"]
[[tables]]
session = 1
block = "A"
rules = 1
players = ["ann", "bea", "cho", "dai"]
hanchan = [
  { number = 9 },
  { number = 1, results = [{ scores = [41200, 30100, 18700, 1000] }] },
  { number = 2, results = [{ scores = [41250, 30050, 18700, 10000] }] },
  { number = 3, results = [{ scores = [30000, 30000, 20000, "20000"] }] },
  { number = 4, state = "abandoned", results = [{ scores = [25000, 25000, 25000, 25000] }] },
]

[[adjustments]]
block = "A"
player = "ann"
points = 0.5
reason = "float"

[[overrides]]
block = "po1"
slot = 5
source = "A#2"
reason = "?"

[[draws]]
stage = "final"
seed = "1"
reason = "?"
"""


def test_all_faults_of_a_file_are_reported_at_once() -> None:
    faults = refused(TWENTY)
    wanted = [
        "competition.slug",
        "competition.colour: unknown key",
        "rules.0.options.rounding",
        "rules.1.ruleset: nothing of this name",
        "players.bea.name: this key is required",
        "players.ann: this stands in the file twice",
        "seeds.A.1: no player of the file has this key; did you mean ann?",
        "seeds.final: players are seeded into these blocks: A, B",
        "sessions.1: this stands in the file twice",
        "tables.0.session: there is no such session",
        "tables.0.block: the format has these blocks",
        "tables.0.players: a table seats 4 different players",
        "tables.1.public_at",
        "tables.2.hanchan.0.number: this stage has hanchan 1 to 8",
        "tables.2.hanchan.1.results.0: The scores",
        "tables.2.hanchan.2.results.0.scores.0",
        "tables.2.hanchan.2.results.0.scores.1",
        "tables.2.hanchan.3.results.0.scores.3",
        "tables.2.hanchan.4.state",
        "adjustments.0.points",
        "overrides.0.slot: this block has slots 1 to 4",
        "draws.0.stage: these stages are drawn",
    ]
    for part in wanted:
        assert any(part in fault for fault in faults), part
    assert all(fault.startswith("cup.toml") for fault in faults)


def test_the_command_imports_a_file_or_reports_its_faults(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "cup.toml"
    path.write_text(final(ONE))
    call_command("import_competition", path, "--dry-run")
    assert not Competition.objects.exists()
    call_command("import_competition", path, "--slug", "other", "--name", "Other")
    assert Competition.objects.get().slug == "other"
    path.write_text(final(ONE).replace("10000", "1000"))
    with pytest.raises(CommandError, match="Nothing was imported, because of these faults"):
        call_command("import_competition", path)


def test_the_example_in_the_documentation_can_be_imported() -> None:
    text = (Path(__file__).parents[3] / "docs" / "files.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    assert str(imported(example)) == "火曜リーグ決勝"
    assert ResultSheet.objects.counting().count() == 2
