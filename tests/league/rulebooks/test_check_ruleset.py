"""Test `manage.py check_ruleset` and the worked ruleset of the documentation."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from league.services.rulebooks.own_rulesets import prove
from rulesets import examples, loader
from tests.league.check_commands import run_check, written

ROOT = Path(__file__).resolve().parents[3]
OWN = ROOT / "docs" / "tomoshibi" / "ruleset.toml"
EXAMPLES = ROOT / "docs" / "tomoshibi" / "examples.toml"
GUIDE = ROOT / "docs" / "rulesets.md"


def test_the_worked_ruleset_of_the_documentation_passes_with_its_examples() -> None:
    status, said, complaint = run_check("check_ruleset", str(OWN), "--examples", str(EXAMPLES))
    assert (status, complaint) == (0, "")
    assert said.splitlines()[0] == "tomoshibi: Tomoshibi, open table / 灯火荘 フリー"
    assert said.splitlines()[-1] == "8 passed, 0 failed"
    assert prove(OWN.read_text(encoding="utf-8"), EXAMPLES.read_text(encoding="utf-8")).is_sound


def test_every_clause_of_the_worked_ruleset_is_proved_by_an_example() -> None:
    rules = loader.parse(OWN.read_text(encoding="utf-8"), "own")
    file = examples.parse(EXAMPLES.read_text(encoding="utf-8"), "examples", rules)
    proved = {clause for _kind, example in file.examples for clause in example.clauses}
    assert proved == {clause.id for clause in rules.book.clause}


def test_the_guide_quotes_the_worked_ruleset_verbatim() -> None:
    known = OWN.read_text(encoding="utf-8") + EXAMPLES.read_text(encoding="utf-8")
    quoted = re.findall(r"```toml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert quoted
    for block in quoted:
        assert block.strip() in known, block


def test_the_guide_mentions_every_step_of_a_settlement() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    for field in type(loader.load("mleague").settlement).model_fields:
        assert f"`{field}`" in guide or f"[settlement.{field}]" in guide, field


@pytest.mark.parametrize("name", loader.names())
def test_every_built_in_ruleset_passes(name: str) -> None:
    file = loader.FOLDER / name / "ruleset.toml"
    assert run_check("check_ruleset", str(file))[0] == 0


def test_each_fault_is_reported_on_one_line_with_file_line_key_value_and_allowed_values(tmp_path: Path) -> None:
    text = OWN.read_text(encoding="utf-8").replace("return = 30000", 'return = "30000"')
    file = written(tmp_path, text.replace('ties = "by_seat"', 'ties = "seat"'))
    status, said, complaint = run_check("check_ruleset", file, "--examples", str(EXAMPLES))
    assert (status, said) == (2, "")
    first, second, last = complaint.splitlines()
    lines = text.splitlines()
    number, tied = lines.index('return = "30000"') + 1, lines.index('ties = "by_seat"') + 1
    assert first == f"{file}:{number}: setup.return: must be a whole number (found '30000')"
    assert second.startswith(f"{file}:{tied}: settlement.placing.ties: must be 'shared'")
    assert last == "2 faults; nothing was run."


def wrong_examples(folder: Path) -> str:
    """Write the worked examples with one wrong amount; return the path."""
    text = EXAMPLES.read_text(encoding="utf-8")
    return written(folder, text.replace('"62.3", "8.1", "-20.4"', '"62.3", "8.2", "-20.4"'))


def test_a_failing_example_exits_with_status_one(tmp_path: Path) -> None:
    status, said, complaint = run_check("check_ruleset", str(OWN), "--examples", wrong_examples(tmp_path))
    assert status == 1
    assert "FAILED TM-S01" in said
    assert "expected [62.3, 8.2, -20.4, -50], found [62.3, 8.1, -20.4, -50]" in said
    assert complaint == "Not every example agrees with the ruleset."


@pytest.mark.parametrize("text", ["[[settlement]", '[[settlement]]\nid = "X"\n', '[[wheel]]\nid = "X"\n'])
def test_unreadable_examples_exit_with_status_two(tmp_path: Path, text: str) -> None:
    file = written(tmp_path, text)
    status, _said, complaint = run_check("check_ruleset", str(OWN), "--examples", file)
    assert status == 2
    assert complaint.startswith(f"{file}:1")


def test_a_missing_or_undecodable_file_exits_with_status_two(tmp_path: Path) -> None:
    assert run_check("check_ruleset", str(tmp_path / "nothing.toml"))[0] == 2
    assert run_check("check_ruleset", str(tmp_path))[0] == 2
    (tmp_path / "own.toml").write_bytes(b"\xff\xfe")
    assert run_check("check_ruleset", str(tmp_path / "own.toml"))[0] == 2
    assert run_check("check_ruleset", str(OWN), "--examples", str(tmp_path / "nothing.toml"))[0] == 2


def test_the_command_exits_with_its_status_and_needs_no_database(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "manage.py", "check_ruleset", str(OWN), "--examples", wrong_examples(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "DATA_DIR": str(tmp_path / "data"), "DATABASE_URL": "sqlite:////nowhere/db"},
    )
    assert (ran.returncode, ran.stdout.decode().splitlines()[-1]) == (1, "6 passed, 2 failed"), ran.stderr.decode()
