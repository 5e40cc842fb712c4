"""The runner of worked examples: what it prints, how it ends, and what it refuses."""

import runpy
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from rulesets import examples, loader
from rulesets.example_kinds import KINDS, ExampleKind
from rulesets.example_kinds.shape import Mismatch, format_value

ROOT = Path(__file__).parents[2]
OWN = ROOT / "rulesets" / "cinderella" / "examples.toml"
COUNT = sum(line.startswith("[[") for line in OWN.read_text(encoding="utf-8").splitlines())
ALL_PASSED = f"{COUNT} passed, 0 failed"

HEAD = """
[conventions]
ruleset = "cinderella"
format = "cinderella"
absent = "zero"
"""

SETTLED = """
[[settlement]]
id = "X-S01"
scores = [38400, 21700, 29500, 10400]
expect = { placement = [1, 3, 2, 4], points = ["48.4", "-18.3", "9.5", "-39.6"] }
"""

FINAL = """
[[standings]]
id = "X-T01"
stage = "final"
players = ["hana", "yuki", "rin", "mei"]
games = [
  { no = 1, players = ["hana", "yuki", "rin", "mei"], scores = [40000, 30000, 20000, 10000] },
  { no = 2, players = ["hana", "yuki", "rin", "mei"], scores = [30000, 40000, 20000, 10000], POINTS },
  { no = 3, players = ["hana", "yuki", "rin", "mei"], scores = [40000, 30000, 20000, 10000] },
  { no = 4, players = ["hana", "yuki", "rin", "mei"], scores = [30000, 40000, 20000, 10000] },
]
[standings.expect]
totals = { hana = "120.0", yuki = "120.0", rin = "-80", mei = "-160" }
order = [["yuki"], ["hana"], ["rin"], ["mei"]]
decided_by = [{ above = "yuki", below = "hana", hanchan = 4, by = "points" }]
advance = { champion = ["yuki"] }
""".replace("POINTS", 'points = ["10", "50.0", "-20.0", "-40"]')


def written(folder: Path, text: str, name: str = "own.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, what is printed, what is complained about."""
    status = examples.main(arguments)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_every_example_of_cinderella_passes(capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = outcome(capsys, str(OWN))
    assert status == 0, printed
    assert printed.splitlines()[-1] == ALL_PASSED


def test_it_runs_as_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["examples", written(tmp_path, HEAD + SETTLED)])
    monkeypatch.delitem(sys.modules, "rulesets.examples")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("rulesets.examples", run_name="__main__")
    assert ended.value.code == 0


@pytest.mark.slow
def test_it_runs_without_django(tmp_path: Path) -> None:
    code = (
        "import runpy, sys\n"
        "try:\n"
        "    runpy.run_module('rulesets.examples', run_name='__main__', alter_sys=True)\n"
        "finally:\n"
        "    assert not any(name.split('.')[0] == 'django' for name in sys.modules)\n"
    )
    own = written(tmp_path, HEAD + SETTLED + FINAL)
    ran = subprocess.run([sys.executable, "-c", code, own], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == "2 passed, 0 failed"


def test_a_file_of_ones_own_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = outcome(capsys, written(tmp_path, HEAD + SETTLED + FINAL))
    assert (status, printed) == (0, "2 passed, 0 failed\n")


def test_examples_are_run_from_their_text_under_a_ruleset_that_is_no_file() -> None:
    rules = loader.parse(loader.text_of("cinderella").replace("[20, 10, -10, -20]", "[30, 10, -10, -30]"), "own")
    (outcome,) = examples.run(examples.parse(HEAD + SETTLED, "own", rules)).failed
    assert str(outcome.differences[0]).endswith("found [58.4, -18.3, 9.5, -49.6]")
    with pytest.raises(examples.ExampleFileError) as refused:
        examples.parse(HEAD + "[[settlement]", "own", rules)
    assert refused.value.faults[0].line == 6


def test_an_example_the_rules_have_no_answer_to_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> Iterator[Mismatch]:
        raise ZeroDivisionError

    monkeypatch.setattr(examples, "KINDS", {"settlement": ExampleKind(KINDS["settlement"].model, breaks)})
    (outcome,) = examples.run(examples.parse(HEAD + SETTLED, "own")).failed
    assert str(outcome.differences[0]) == "settlement: expected an answer, found ZeroDivisionError: "


def test_the_examples_of_the_product_are_found_by_name() -> None:
    assert examples.text_of("cinderella") == OWN.read_text(encoding="utf-8")
    assert examples.text_of("nothing") == ""


@pytest.mark.parametrize("name", ["mleague", "tenhou3", "tenhou4"])
def test_the_examples_of_every_server_and_league_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = outcome(capsys, str(ROOT / "rulesets" / name / "examples.toml"))
    assert status == 0, printed
    assert printed.splitlines()[-1].endswith(" passed, 0 failed")


def test_several_files_are_counted_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = written(tmp_path, HEAD + SETTLED, "one.toml"), written(tmp_path, HEAD + FINAL, "two.toml")
    assert outcome(capsys, one, two)[1] == "2 passed, 0 failed\n"


WRONG = [
    (
        SETTLED.replace('"48.4"', '"48.5"'),
        "points: expected [48.5, -18.3, 9.5, -39.6], found [48.4, -18.3, 9.5, -39.6]",
    ),
    (SETTLED.replace("[1, 3, 2, 4]", "[1, 2, 3, 4]"), "placement: expected [1, 2, 3, 4], found [1, 3, 2, 4]"),
    (SETTLED.replace("38400", "38300"), "found The scores add up to 99900 points"),
    (SETTLED.replace("expect =", "options = { sink_uma = 1 }\nexpect ="), "settlement: expected a result that can be"),
    (FINAL.replace('hana = "120.0"', 'hana = "121.0"'), "totals: expected {hana: 121, yuki: 120"),
    (FINAL.replace('[["yuki"], ["hana"]', '[["hana"], ["yuki"]'), "order: expected [[hana], [yuki]"),
    (FINAL.replace("hanchan = 4,", "hanchan = 3,"), "decided_by: expected [[yuki, hana, 3, points]]"),
    (FINAL.replace("decided_by", "# decided_by"), "decided_by: expected [], found [[yuki, hana, 4, points]]"),
    (FINAL.replace('champion = ["yuki"]', 'champion = ["hana"]'), "advance: expected {champion: [hana]}"),
    (FINAL.replace("advance =", 'pending = [{ players = ["hana"], places = ["champion"] }]\nadvance ='), "pending: "),
    (FINAL.replace("advance =", 'ruling = [["yuki", "hana"]]\nadvance ='), "ruling: expected [[hana, yuki]], found []"),
    (FINAL.replace('["10", "50.0"', '["10.1", "50.0"'), "games.1.points: expected [10.1, 50, -20, -40]"),
    (FINAL.replace('"final"', '"po4"'), "stage: expected A, B, po1, po2, po3, final, found po4"),
    (
        FINAL.replace("scores = [30000, 40000,", "scores = [30000, 40100,"),
        "games: expected results that can be settled",
    ),
    (
        FINAL.replace("games = [", 'sources = ["block:A#1", "block:B#1", "po3#1", "po3#2"]\ngames = [', 1),
        "sources: expected [[A#1, hana], [B#1, yuki]",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_example_fails_with_what_was_expected_and_found(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, printed, _ = outcome(capsys, written(tmp_path, HEAD + text))
    assert status == 1
    assert message in printed
    assert printed.splitlines()[0].startswith("FAILED X-")
    assert printed.splitlines()[-1] == "0 passed, 1 failed"


def test_absent_ignore_compares_only_what_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (HEAD + FINAL).replace('absent = "zero"', 'absent = "ignore"').replace("decided_by", "# decided_by")
    assert outcome(capsys, written(tmp_path, text))[0] == 0


def test_a_disputed_example_is_listed_and_counted_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    disputed = SETTLED.replace("X-S01", "X-S02").replace('"48.4"', '"48.5"') + 'disputed = "38.4 + 10 is 48.4"\n'
    agreeing = SETTLED.replace("X-S01", "X-S03") + 'disputed = "Under discussion"\n'
    status, printed, _ = outcome(capsys, written(tmp_path, HEAD + SETTLED + disputed + agreeing))
    assert status == 0
    assert printed.splitlines() == [
        "disputed X-S02 (differs from the engine): 38.4 + 10 is 48.4",
        "disputed X-S03 (agrees with the engine): Under discussion",
        "1 passed, 0 failed, 2 disputed",
    ]


def test_a_league_is_checked_through_its_ladder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = OWN.read_text(encoding="utf-8")
    wrong_source = text.replace('sources = ["block:A#4", "block:A#5"', 'sources = ["block:A#5", "block:A#4"', 1)
    assert wrong_source != text
    status, printed, _ = outcome(capsys, written(tmp_path, wrong_source))
    assert status == 1
    assert printed.startswith("FAILED CL-T15")
    assert "sources: expected [[A#4, A1], [A#5, A4]" in printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[conventions", "this file cannot be read"),
        (HEAD + SETTLED.replace("scores", "score"), "settlement.0.score: unknown key"),
        (HEAD + SETTLED.replace("placement", "places"), "settlement.0.expect.places: unknown key"),
        (HEAD + SETTLED.replace('"48.4"', "48.4"), "an amount is an integer or a decimal in quotes"),
        (HEAD + SETTLED + SETTLED, "2 examples have this id"),
        (HEAD + "[[hanchan]]\nid = 'X'\n", "hanchan: there is no such kind of example"),
        ("settlement = 3\n" + HEAD, "write each example as a table [[settlement]]"),
        (SETTLED, "name the ruleset here or with --ruleset"),
        ('[conventions]\nruleset = "world"\n' + SETTLED, "there is no such ruleset"),
        ('[conventions]\nruleset = "no.toml"\n' + SETTLED, "there is no such ruleset"),
        (HEAD.replace('format = "cinderella"', 'format = "world"') + SETTLED, "there is no such format"),
        (HEAD.replace('absent = "zero"', 'absent = "maybe"') + SETTLED, "conventions.absent"),
        (HEAD + FINAL.replace("scores = [40000, 30000,", "scores = [40000,"), "4 players have 3 scores"),
    ],
)
def test_a_file_that_cannot_be_run_says_why_and_ends_with_2(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, printed, complaint = outcome(capsys, written(tmp_path, text))
    assert (status, printed) == (2, "")
    assert message in complaint
    assert "own.toml" in complaint


def test_nothing_is_run_if_one_of_the_files_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, complaint = outcome(capsys, written(tmp_path, HEAD + SETTLED), str(tmp_path / "missing.toml"))
    assert (status, printed) == (2, "")
    assert "missing.toml" in complaint


def test_another_ruleset_may_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mleague = SETTLED.replace('["48.4", "-18.3", "9.5", "-39.6"]', '["58.4", "-18.3", "9.5", "-49.6"]')
    assert outcome(capsys, written(tmp_path, mleague), "--ruleset", "mleague")[0] == 0
    assert outcome(capsys, written(tmp_path, HEAD + mleague), "--ruleset", "cinderella")[0] == 1


def test_a_ruleset_may_come_from_a_file_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = (ROOT / "rulesets" / "cinderella" / "ruleset.toml").read_text(encoding="utf-8")
    ruleset = written(
        tmp_path, own.replace("amounts = [20, 10, -10, -20]", "amounts = [30, 10, -10, -30]"), "house.toml"
    )
    text = SETTLED.replace('["48.4", "-18.3", "9.5", "-39.6"]', '["58.4", "-18.3", "9.5", "-49.6"]')
    assert outcome(capsys, written(tmp_path, text), "--ruleset", ruleset)[0] == 0
    broken = written(tmp_path, own.replace("players = 4", "players = 5"), "broken.toml")
    status, _, complaint = outcome(capsys, written(tmp_path, text), "--ruleset", broken)
    assert status == 2
    assert "broken.toml" in complaint


def test_standings_without_a_format_say_that_it_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = outcome(capsys, written(tmp_path, FINAL), "--ruleset", "cinderella")
    assert status == 1
    assert "name it in conventions" in printed


BOOKS = [
    pytest.param(
        "banchi4",
        """
options = { start = 25000, return = 30000, uma = [20, 10, -10, -20] }
scores = [18800, 41500, 22700, 17000]
chips = [-1500, 4000, 500, -3000]
expect = { placement = [3, 1, 2, 4], points = ["-21.2", "51.5", "2.7", "-33.0"], chips = [-1500, 4000, 500, -3000] }
""",
        id="prizes beside the points",
    ),
    pytest.param(
        "banchi3",
        """
options = { sink_uma = 10000 }
scores = [52000, 33000, 20000]
chips = [300, -100, -200]
expect = { g = [2300, -800, -1500], total_g = [2600, -900, -1700], fee_yen = [600, 400, 400] }
""",
        id="account, prizes and table fee",
    ),
    pytest.param(
        "kansai3",
        """
scores = [48000, 68000, -11000]
bust_payments = { from = 2, had = 9000, due = [[1, 12000], [0, 8000]] }
chips_p = [1400, -600, -800]
[settlement.expect]
tobi = [[2, 1]]
uma = [0, 10000, -10000]
tobi_points = [0, 10000, -10000]
points = ["8.0", "63.0", "-71.0"]
chips_p = [1400, -600, -800]
""",
        id="who gets the prize for going out",
    ),
    pytest.param(
        "superbingo",
        """
scores = [45000, 49000, -4000]
busts = [[2, 0], [2, 1]]
chips = [0, 0, 0]
expect = { end = [10, 40, -50], bust = [10, 10, -20], chips = [20, 50, -70] }
""",
        id="payments by place",
    ),
    pytest.param(
        "boo",
        """
options = { stake_per_sunk = { A = 2000, B = 2000, C = 2000 }, house_fee = { A = 300, B = 200, C = 100 } }
scores = [2150, 1700, 150, 4000]
[settlement.expect]
top = 3
top_type = "B"
floating = [true, false, false, true]
units = [0, -2000, -2000, 4000]
house_fee = 200
net = [0, -2000, -2000, 3800]
next_starting_dealer = 3
""",
        id="kind of top",
    ),
]


@pytest.mark.parametrize(("ruleset", "example"), BOOKS)
def test_each_book_is_read_in_its_own_spelling(
    ruleset: str, example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = f'[conventions]\nruleset = "{ruleset}"\nabsent = "zero"\n[[settlement]]\nid = "X-S01"\n'
    status, printed, complaint = outcome(capsys, written(tmp_path, head + example))
    assert (status, printed, complaint) == (0, "1 passed, 0 failed\n", "")


def test_a_book_without_a_rule_gives_nothing_for_its_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = SETTLED.replace("expect = {", 'expect = { net = [0, 0, 0, 0], chips = [0, 0, 0, 0], top_type = "A",')
    status, printed, _ = outcome(capsys, written(tmp_path, HEAD + nothing))
    assert status == 1
    assert printed.splitlines()[1:] == ["    top_type: expected A, found None", "0 passed, 1 failed"]


def test_prizes_left_out_under_zero_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = """
[[settlement]]
id = "X-S01"
scores = [38400, 21700, 29500, 10400]
chips = [500, -500, 0, 0]
expect = { placement = [1, 3, 2, 4] }
"""
    printed = outcome(capsys, written(tmp_path, HEAD + example), "--ruleset", "banchi4")[1]
    assert "chips: expected [0, 0, 0, 0], found [500, -500, 0, 0]" in printed


def test_an_amount_without_an_end_is_shown_as_a_fraction() -> None:
    assert format_value([Fraction(40, 3), Fraction(-1, 2), Fraction(5)]) == "[40/3, -0.5, 5]"


@pytest.mark.parametrize("name", ["banchi3", "banchi4", "boo", "kansai3", "superbingo"])
def test_the_examples_of_every_parlour_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = outcome(capsys, str(ROOT / "rulesets" / name / "examples.toml"))
    assert status == 0
    assert ", 0 failed" in printed.splitlines()[-1]
    assert not printed.splitlines()[-1].startswith("0 passed")


FORMAT_EXAMPLES = ROOT / "rulesets" / "formats" / "examples"


@pytest.mark.parametrize("path", sorted(FORMAT_EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_the_engine_agrees_with_every_example_about_formats(path: Path) -> None:
    report = examples.run(examples.read_any(path))
    assert report.passed
    assert [(each.example.id, *map(str, each.differences)) for each in report.failed] == []


RUN = """
[[run]]
id = "X-R01"
format = "single-table-final"
won = { final = { P01 = "10.0", P02 = "5.0", P03 = "-5.0", P04 = "-10.0" } }
expect = { champion = "P01", totals = { final = { P01 = "10.0", P02 = "5.0", P03 = "-5.0", P04 = "-10.0" } } }
"""


def test_examples_about_formats_need_no_ruleset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(capsys, written(tmp_path, RUN)) == (0, "1 passed, 0 failed\n", "")
    status, printed, _ = outcome(capsys, written(tmp_path, RUN.replace('champion = "P01"', 'champion = "P02"')))
    assert (status, "champion: expected P02, found P01" in printed) == (1, True)


def test_a_format_named_by_an_example_is_read_beside_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = RUN.replace("single-table-final", "own")
    text = (ROOT / "rulesets" / "formats" / "single-table-final.toml").read_text(encoding="utf-8")
    beside = f"[[format]]\nid = 'X-F01'\nname = 'own'\ntext = '''\n{text}'''\nexpect = {{ valid = true }}\n"
    written(tmp_path, beside, "formats.examples.toml")
    assert outcome(capsys, written(tmp_path, own))[:2] == (0, "1 passed, 0 failed\n")


def test_a_kind_of_another_sort_is_refused_among_examples_about_formats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, refused = outcome(capsys, written(tmp_path, RUN + SETTLED))
    assert (status, "there is no such kind of example" in refused) == (2, True)
