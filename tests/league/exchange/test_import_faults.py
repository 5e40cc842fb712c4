"""Tests of single faults in a competition's file: each is reported with its path and the allowed values."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from league.demo import demo_season
from league.files.checks import check_file
from league.files.from_examples import document_of_examples, select_examples
from league.files.from_lines import read_lines
from league.files.invented import InventedNames
from league.files.reading import ImportRefusedError, read
from league.files.writing import as_json
from league.models import Competition, Player, TableSession
from league.selectors.exchange.competition_export import document_of
from rulesets import examples
from tests.league.example_leagues import EXAMPLES
from tests.league.files import final, imported

RESULT = "hanchan = [{{ number = 1, results = [{{ scores = [41200, 30100, 18700, 10000], {more} }}] }}]\n"


def faults_of(text: str) -> list[str]:
    with pytest.raises(ImportRefusedError) as error:
        imported(text)
    return [str(fault) for fault in error.value.faults]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("accept = 1", "tables.0.hanchan.0.results.0.accept: must be"),
        ("points = [1, 2]", "results.0.points: give one for each of the 4 seats, or leave it out"),
        ("places = [1]", "results.0.places: give one for each of the 4 seats, or leave it out"),
        ("options = { rounding = 'up' }", "results.0.options.rounding"),
        ("substitutes = { eve = 'ann' }", "results.0.substitutes.eve: this player did not play this hanchan"),
        ("substitutes = { ann = 'eve' }", "results.0.substitutes.ann: no player of the file has this key"),
        ("points = [0.5, 0, 0, 0]", 'points are an integer or a decimal in quotes, such as "-30.0"'),
        ("voided = { reason = '' }", "results.0.voided.reason"),
        ("chonbo = [-1, 0, 0, 0]", "results.0.chonbo.0"),
        ("kyoutaku = 99999999999999999999", "results.0.kyoutaku"),
    ],
)
def test_faults_of_a_result_are_reported(more: str, told: str) -> None:
    assert any(told in fault for fault in faults_of(final(RESULT.format(more=more))))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("substitutes", "told"),
    [
        ("ann = 'eve'", "ann: no player of the file has this key"),
        ("eve = 'ann'", "eve: eve does not sit in this hanchan"),
        ("ann = 'bea'", "ann: bea sits at this table already"),
    ],
)
def test_faults_of_planned_substitutes_are_reported(substitutes: str, told: str) -> None:
    text = final(f"hanchan = [{{ number = 1, substitutes = {{ {substitutes} }} }}]\n")
    assert any(f"tables.0.hanchan.0.substitutes.{told}" in fault for fault in faults_of(text))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("mark_glyph = '火曜'", "competition.mark_glyph: must be one visible character"),
        ("mark_colour = 12", "competition.mark_colour"),
        ("accent = '#ffee00'", "competition.accent: must be a colour such as #0d5241"),
        ("picture = 'R0lGODlh'", "competition.picture: must be a WebP picture as base64"),
    ],
)
def test_faults_of_a_tile_are_reported(more: str, told: str) -> None:
    text = final()
    assert any(told in fault for fault in faults_of(text.replace("[competition]\n", f"[competition]\n{more}\n", 1)))


@pytest.mark.django_db
def test_a_correction_without_a_reason_is_a_fault() -> None:
    scores = "{ scores = [41200, 30100, 18700, 10000] }"
    (fault,) = faults_of(final(f"hanchan = [{{ number = 1, results = [{scores}, {scores}] }}]\n"))
    assert "hanchan.0.results.1.reason: say why the result before was corrected" in fault


@pytest.mark.django_db
def test_an_unknown_time_zone_and_repeated_seeds_are_faults() -> None:
    text = final().replace('name = "杯"', 'name = "杯"\ntime_zone = "Asia/Tokio"')
    zone, seeds = faults_of(text.replace('"cho", "dai"]\n\n', '"cho", "cho", "dai"]\n\n'))
    assert "competition.time_zone: there is no such time zone; write it like Asia/Tokyo (found 'Asia/Tokio')" in zone
    assert "seeds.final: this block has places for 4 different players" in seeds


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["ftp://example.org/x", "javascript:alert(1)", "https://example.org/a b"])
def test_a_stream_url_that_is_not_http_is_a_fault(address: str) -> None:
    (fault,) = faults_of(final(f'stream_url = "{address}"\n'))
    assert f"tables.0.stream_url: must begin with https:// or http:// and have no blanks (found '{address}')" in fault
    assert imported(final('stream_url = "http://example.org/a"\n')).table_sessions.get().stream_link


@pytest.mark.django_db
def test_an_unusual_score_must_be_accepted() -> None:
    unusual = "hanchan = [{ number = 1, results = [{ scores = [125000, 5000, -15000, -15000] }] }]\n"
    (fault,) = faults_of(final(unusual))
    assert 'If it is right, write accept = ["extreme_score"].' in fault
    imported(final(unusual.replace("-15000] }", '-15000], accept = ["extreme_score"] }')))


@pytest.mark.django_db
def test_tied_leaders_with_deposits_left_need_known_seats() -> None:
    level = "{ scores = [34000, 34000, 20000, 11000], kyoutaku = 1000, are_seats_known = false }"
    (fault,) = faults_of(final(f"hanchan = [{{ number = 1, results = [{level}] }}]\n"))
    assert "results.0.are_seats_known: with these scores the rules go by the seats" in fault


@pytest.mark.django_db
def test_a_result_without_players_is_a_fault() -> None:
    empty = "hanchan = [{ number = 1, players = [], results = [{ scores = [41200, 30100, 18700, 10000] }] }]\n"
    (fault,) = faults_of(final(empty))
    assert "results.0.players: say who played: here, at the hanchan or at the table" in fault


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('[[overrides]]\nblock = "final"\nslot = 1\nreason = "?"', "overrides.0: give either slot and source, or"),
        (
            '[[overrides]]\nblock = "final"\nslot = 1\nsource = "ruling"\nreason = "?"',
            "overrides.0.player: name a player with the source ruling, and only with it",
        ),
        (
            '[[overrides]]\nblock = "final"\nslot = 1\nsource = "?"\nreason = "?"',
            "overrides.0.source: '?' is no source",
        ),
        ('[[overrides]]\nblock = "x"\npass_over = "eve"\nreason = "?"', "overrides.0.pass_over: no player"),
        ('[[adjustments]]\nblock = "final"\nplayer = "ann"\npoints = 0\nreason = "?"', "an adjustment of 0 changes"),
        ('[[adjustments]]\nblock = "final"\nplayer = "ann"\npoints = "1/3"\nreason = "?"', "multiples of 1/10"),
        ('[[rulings]]\nscope = "best:x#1"\nplayers = ["ann"]\nreason = "?"', "rulings.0.scope: the format has these"),
        (
            '[[credits]]\nblock = "Z"\nnumber = 1\nplayer = "ann"\nkind = "bye"',
            "credits.0.block: the format has these blocks",
        ),
        (
            '[[credits]]\nblock = "final"\nnumber = 1\nplayer = "ann"\nkind = "late"\npoints = "0.01"',
            "credits.0.points: the ledger keeps multiples of 1/10",
        ),
        (
            2 * '[[credits]]\nblock = "final"\nnumber = 1\nplayer = "ann"\nkind = "bye"\n',
            "credits.1: this stands in the file twice",
        ),
        ('[[withdrawals]]\nplayer = "eve"\nreason = "?"', "withdrawals.0.player: no player of the file has this key"),
        (
            '[[players]]\nkey = "eve"\nname = "Eve"\nis_entrant = false\n[[withdrawals]]\nplayer = "eve"\nreason = "?"',
            "withdrawals.0.player: this player is no entrant (is_entrant = false)",
        ),
        ('[[rulesets]]\nkey = "cinderella"\nname = "cinderella"\ntext = ""', "cup.toml: rulesets.cinderella"),
        ('[[rules]]\nruleset = "cinderella"\nformat = "none"', "rules.1.format: nothing of this name"),
        (
            '[[tables]]\nsession = 1\nblock = "final"\nhanchan = [{ number = 1, players = ["ann"] }]',
            "tables.1.hanchan.0.players: a table seats 4 different players",
        ),
        ('[[tables]]\nsession = 1\nblock = "final"\nrules = 2', "tables.1.rules: there are rules 1 to 1"),
    ],
)
def test_faults_of_decisions_players_and_rules_are_reported(more: str, told: str) -> None:
    assert any(told in fault for fault in faults_of(final(more=more + "\n"))), faults_of(final(more=more + "\n"))


@pytest.mark.django_db
def test_the_same_hanchan_number_twice_for_a_player_is_a_fault() -> None:
    twice = (
        "hanchan = [\n{ number = 1, results = [{ scores = [41200, 30100, 18700, 10000] }] },\n"
        "{ number = 1, results = [{ scores = [25000, 26000, 24000, 25000] }] },\n]\n"
    )
    faults = faults_of(final(twice))
    assert len(faults) == 4
    assert "tables.0.hanchan.1.number: ann has a result for hanchan 1 of final already" in faults[0]


@pytest.mark.django_db
def test_a_file_without_rules_or_with_wrong_types_has_faults() -> None:
    assert any("rules" in fault for fault in faults_of('[competition]\nslug = "cup"\nname = "x"\n'))
    assert any(
        "rules: name the rules" in fault for fault in faults_of('rules = []\n[competition]\nslug = "a"\nname = "x"')
    )
    assert faults_of("competition = 1\nrules = 2\nplayers = 3\n")
    assert faults_of('rules = []\nplayers = ["ann"]\n[competition]\nslug = "a"\nname = "x"')


@pytest.mark.django_db
def test_a_cancelled_table_stays_cancelled_and_must_not_have_a_counting_result() -> None:
    competition = imported(final(table="is_cancelled = true\n"))
    assert TableSession.objects.get().is_cancelled
    assert document_of(competition).tables[0].is_cancelled
    played = RESULT.format(more="kyoutaku = 0")
    told = "tables.0.is_cancelled: a table with a result that counts was not cancelled"
    assert any(told in fault for fault in faults_of(final(played, table="is_cancelled = true\n")))


def test_an_import_of_examples_must_name_a_league_or_an_example() -> None:
    file = examples.read(EXAMPLES)
    assert [each.id for each in select_examples(file)] == [f"CL-T{number}" for number in range(13, 19)]
    with pytest.raises(ImportRefusedError, match=r"name one league \(L1\) or the id of one example"):
        select_examples(file, league="L9")
    with pytest.raises(ImportRefusedError, match="CL-T01, CL-T02"):
        select_examples(file, example_id="CL-S01")


def test_examples_need_a_matching_format_and_common_options(tmp_path: Path) -> None:
    text = EXAMPLES.read_text()
    path = tmp_path / "examples.toml"
    path.write_text(text.replace('format = "cinderella"', ""))
    file = examples.read(path)
    with pytest.raises(ImportRefusedError, match="name the format of the examples"):
        document_of_examples(file, select_examples(file), InventedNames("x", "x"))
    path.write_text(
        text.replace('format = "cinderella"', 'format = "single-table-final"').replace(
            'stage = "po1"', 'stage = "po1"\noptions = { rounding = "exact" }'
        )
    )
    file = examples.read(path)
    with pytest.raises(ImportRefusedError) as error:
        document_of_examples(file, select_examples(file), InventedNames("x", "x"))
    assert "standings.CL-T13.stage: the format has these blocks: final" in str(error.value)
    assert "standings.CL-T15.options: the examples of one league have the same options" in str(error.value)


def test_all_faulty_lines_of_a_season_are_reported_at_once() -> None:
    lines = '{"hanchan": 1}\nno JSON\n{"hanchan": 2, "day": 1, "players": ["a"], "scores": [1.5]}\n'
    with pytest.raises(ImportRefusedError) as error:
        read_lines(lines, "season.jsonl")
    assert [str(fault).split(": ")[:2] for fault in error.value.faults] == [
        ["season.jsonl:1", "day"],
        ["season.jsonl:1", "players"],
        ["season.jsonl:1", "scores"],
        ["season.jsonl:2", "Invalid JSON"],
        ["season.jsonl:3", "scores.0"],
    ]
    with pytest.raises(ImportRefusedError, match="there is no hanchan in this file"):
        read_lines("\n\n", "season.jsonl")


@pytest.mark.both_databases
@pytest.mark.django_db
def test_the_command_imports_examples_and_season_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_competition", EXAMPLES, "--examples", "--league", "L1", "--slug", "l1", "--name", "L1")
    assert Player.objects.filter(key__startswith="l1-").count() == 16
    progress = capsys.readouterr().err.split("\n")
    assert progress[:2] == ["5 of 48", "10 of 48"]
    path = tmp_path / "our-season.jsonl"
    path.write_text(
        '{"hanchan": 1, "day": 3, "players": ["a", "b", "c", "d"], "scores": [40000, 30000, 20000, 10000]}\n'
    )
    call_command("import_competition", path, "--season-lines")
    season = Competition.objects.get(slug="our-season")
    assert season.sessions.get().number == 3
    assert document_of(season).rules[0].ruleset == "mleague"


@pytest.mark.django_db
def test_the_command_reports_a_missing_file_and_an_invalid_slug(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"Nothing was imported: .*none\.toml"):
        call_command("import_competition", tmp_path / "none.toml")
    path = tmp_path / "cup.toml"
    path.write_text(final())
    with pytest.raises(CommandError, match="use lower-case letters, digits and hyphens"):
        call_command("import_competition", path, "--slug", "Not A Slug")


def test_a_list_with_an_item_of_a_wrong_type_is_dropped_as_a_whole() -> None:
    file = read('rules = []\nsessions = [1, { number = 1 }]\n[competition]\nslug = "a"\nname = "x"', "a.toml")
    assert [fault.key for fault in file.faults] == ["sessions.0"]
    assert file.document.sessions == ()


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000, '{"a": ' + "9" * 5000 + "}", 'a = "\\u0000"', '{"\\u0000": []}', '{"a": "\\ud800"}']
)
def test_a_file_that_breaks_the_parser_is_refused(text: str) -> None:
    with pytest.raises(ImportRefusedError):
        read(text, "a.toml")


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just([]), st.just({}), st.just([{}])
)


def places(node: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every node in the data."""
    if at:
        yield at
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in pairs:
        yield from places(value, (*at, key))


WELL = json.loads(as_json(demo_season(dt.date(2026, 11, 20)).document))
PLACES = sorted(places(WELL), key=str)


@given(st.lists(st.tuples(st.sampled_from(PLACES), VALUES), min_size=1, max_size=3))
def test_a_file_with_random_values_is_read_or_refused(changes: list[tuple[tuple[str | int, ...], Any]]) -> None:
    data = deepcopy(WELL)
    for place, value in changes:
        node: Any = data
        with suppress(KeyError, IndexError, TypeError):
            for part in place[:-1]:
                node = node[part]
            node[place[-1]] = value
    with suppress(ImportRefusedError):
        check_file(read(json.dumps(data), "a.json"))
