"""Test `manage.py check_format` and the sentences that describe a format."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from django.utils.translation import override

from league.models import FormatRevision, OrganizationChange
from league.wording.rulebooks.format_sentences import format_sentences, policy_sentences
from league.wording.seasons.series_sentences import series_sentences
from rulesets.formats import format_text, parse_any_format, parse_format
from rulesets.series import load_series, series_names
from scoring.format import Format
from tests.league.check_commands import run_check, written

EXAMPLES = Path(__file__).resolve().parents[3] / "rulesets" / "formats" / "examples" / "formats.examples.toml"
TEXTS = {each["name"]: each["text"] for each in tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))["format"]}
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def test_a_good_format_is_stored_if_asked(tmp_path: Path, db: None) -> None:
    path = written(tmp_path, TEXTS["league-12"].replace('"league-12"', '"maple"'))
    assert run_check("check_format", path)[0] == 0
    assert not FormatRevision.objects.exists()
    assert "stored as maple r1" in run_check("check_format", path, "--keep", "--language", "en")[1]
    assert OrganizationChange.objects.get(kind="format.kept").door == "command"
    status, _said, complaint = run_check(
        "check_format", written(tmp_path, TEXTS["league-12"]), "--keep", "--language", "en"
    )
    assert (status, FormatRevision.objects.count()) == (2, 1)
    assert "league-12" in complaint


def test_a_good_format_is_described_a_sentence_for_each_stage(tmp_path: Path) -> None:
    status, said, complaint = run_check("check_format", written(tmp_path, TEXTS["cut-32"]), "--language", "en")
    assert (status, complaint) == (0, "")
    assert said.splitlines()[1:] == [
        "  32 players.",
        "  Main rounds: all players; 5 hanchan each; rounds 1-5 by a seating plan; points start at zero.",
        (
            "  Sixteen: ranks 1 to 16 of “Main rounds”; 2 hanchan each; rounds 1-2 by the standing of “Main rounds”; "
            "where possible without a second meeting; half of the points is carried over, rounded up."
        ),
        (
            "  Semifinals: ranks 1 to 8 of “Sixteen”; at 2 tables of 4, dealt down and up again by rank; "
            "2 hanchan each; a table stays together for a session; points start at zero."
        ),
        (
            "  Final: ranks 1 to 2 of each table or block of “Semifinals”; 4 hanchan each; "
            "a table stays together for a session; points start at zero."
        ),
        "  Level entrants are separated by the seed.",
        "  The first of “Final” is the champion.",
    ]


def test_a_series_and_a_format_of_teams_are_described_as_such(tmp_path: Path) -> None:
    text = TEXTS["pyramid-points"].replace('format = "tier"', 'format = "team-league"')
    said = run_check("check_format", written(tmp_path, text), "--language", "en")[1]
    assert "A1: 12 to 16 teams." in said
    assert "players" not in said
    said = run_check("check_format", written(tmp_path, format_text("team-league")), "--language", "en")[1]
    assert "League: all teams; 24 hanchan each" in said


def test_series_are_checked_and_described_too(tmp_path: Path) -> None:
    status, said, complaint = run_check("check_format", written(tmp_path, TEXTS["pyramid-points"]), "--language", "en")
    assert (status, complaint) == (0, "")
    assert said.splitlines()[1:] == [
        "  A1: 12 to 16 players.",
        "  A2: 12 to 20 players.",
        "  B: 12 to 24 players.",
        "  From “A1” to “A2”: the last 1/4.",
        "  From “A2” to “A1”: the first 1/4.",
        "  From “A2” to “B”: the last 1/4.",
        "  From “B” to “A2”: the first 1/4.",
        "  Shares are counted down to whole players.",
        "  In “A2” those next to promotion gain points (2, 1); 3 points within 2 terms promote.",
        "  Level players are ordered as in the roster of the term.",
        "  Players who are still level at a border wait for the organizer's order.",
        "  On a tier with too few players the organizer decides.",
    ]


@pytest.mark.parametrize("name", series_names())
def test_every_ready_series_is_described_in_both_languages(name: str) -> None:
    with override("ja"):
        sentences = series_sentences(load_series(name))
    assert all(JAPANESE.search(sentence) and sentence.endswith("。") for sentence in sentences[3:])
    assert all("%" not in sentence for sentence in sentences)


def test_every_fault_of_every_file_is_told_with_line_key_and_value(tmp_path: Path) -> None:
    bad = written(tmp_path, TEXTS["league-12"].replace("entrants = 12", "entrants = 13"), "bad.toml")
    status, said, complaint = run_check("check_format", written(tmp_path, TEXTS["ladder-3"]), bad, "--language", "en")
    assert (status, "ladder-3" in said) == (2, True)
    assert complaint.splitlines() == [
        f"{bad}:4: entrants: must count the seeds that the stages use; these do not fit: 13 (found: 13)",
        "1 fault",
    ]


def test_faults_are_told_in_the_readers_language_alone(tmp_path: Path) -> None:
    text = TEXTS["league-12"].replace("entrants = 12", 'entrants = "12"\nnix = 1').replace('"up"', '"nearest"')
    status, _, complaint = run_check("check_format", written(tmp_path, text), "--language", "ja")
    assert status == 2
    for line in complaint.splitlines():
        assert JAPANESE.search(line), line
        assert not re.search(r"\b(must|unknown|is|the)\b", line), line


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    status, _, complaint = run_check("check_format", str(tmp_path / "none.toml"), "--language", "en")
    assert (status, "this file cannot be read" in complaint) == (2, True)
    status, _, complaint = run_check("check_format", written(tmp_path, "name = "), "--language", "ja")
    assert (status, "TOML として読めません" in complaint) == (2, True)


EVERYTHING = """
name = "everything"
title = "Everything"
players = 4
entrants = { least = 24, most = 48 }
tiebreak = { back_tracking = [{ by = "points" }], then = ["places", "prior"] }
policies = { odd = { by = "refuse" } }

[[stages]]
key = "open"
title = "Open"
seating = "rounds"
assignment = "seeded"
carry_over = { kind = "none" }
blocks = [{ key = "open", title = "Open", is_open = true }]

[[stages]]
key = "first"
title = "First"
hanchan = 2
seating = "rounds"
assignment = "seeded"
carry_over = { kind = "none" }
blocks = [
  { key = "A", title = "A", entrants = [{ from = "seed:1-12" }] },
  { key = "B", title = "B", entrants = [{ from = "seed:13-*" }] },
]
rounds = [{ numbers = "1", by = "draw" }, { numbers = "2", by = "standing" }]

[[stages]]
key = "second"
title = "Second"
hanchan = 2
seating = "stay"
assignment = "drawn"
carry_over = { kind = "part", of = "1/3", rounding = "down" }
entrants = [{ from = "first#1-3" }, { from = "best:first#4/1-2" }]
blocks = [{ key = "C", title = "C", size = 4 }, { key = "D", title = "D", size = 4 }]

[[stages]]
key = "rest"
title = "Rest"
hanchan = 4
seating = "rounds"
assignment = "seeded"
carry_over = { kind = "full" }
blocks = [{ key = "rest", title = "Rest", entrants = [{ from = "B#5-*" }] }]

[[stages]]
key = "last"
title = "Last"
hanchan = 2
seating = "stay"
assignment = "arranged"
carry_over = { kind = "table", points = ["20", "10", "0", "0"] }
entrants = [{ from = "second#1-2" }]
arrange = "straight"
tables = { key = "last", count = 1, title = "Table {n}" }
"""


POLICIES = """
[policies]
odd = { by = "substitutes", points = "-15.0" }
no_show = { by = "substitutes", after_minutes = 10, points = -30, place = "last", twice = "withdrawal" }
late = { worth = "-5.5" }
withdrawal = { ranked = false, results = "annul" }
walkover = { by = "worth", worth = 0 }
declined = "empty"
"""


def test_each_policy_has_a_sentence_with_its_points() -> None:
    text = format_text("evening-8")
    found = parse_format(text.replace("\n[[stages]]", f"{POLICIES}\n[[stages]]", 1), "own")
    with override("en"):
        assert policy_sentences(found) == [
            (
                "A number that does not fill the tables: house players fill them; "
                "a hanchan of a house player counts -15.0 points."
            ),
            (
                "A house player sits down for an absent player after 10 minutes; an absence counts -30.0 points; "
                "an absence counts as last place; a second absence is a withdrawal."
            ),
            "Each round before a late arrival counts -5.5 points.",
            "Those who leave are not ranked; their results no longer count for the others.",
            "A table that is not played gives all who were there 0.0 points.",
            "A place declined after a cut stays empty.",
        ]
    with override("ja"):
        assert "▲15.0" in policy_sentences(found)[0]
    assert policy_sentences(parse_format(text, "usual")) == []


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_phrase_has_words_in_both_languages(language: str) -> None:
    texts = [*TEXTS.values(), EVERYTHING, EVERYTHING.replace('"straight"', '"listed"')]
    formats = [found for text in texts if isinstance(found := parse_any_format(text, "own"), Format)]
    with override(language):
        sentences = [sentence for each in formats for sentence in format_sentences(each)]
    assert all("%" not in sentence for sentence in sentences)
    assert all(sentence.endswith("。" if language == "ja" else ".") for sentence in sentences)
