"""The command that prints a plan."""

from __future__ import annotations

import json
import runpy
import sys

import pytest

from scoring.seating.__main__ import main
from scoring.seating.figures import figures_of


def printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> tuple[int, str, str]:
    """Run the command; return its exit code, output and errors."""
    monkeypatch.setattr(sys, "argv", ["scoring.seating", *arguments])
    code = main()
    said = capsys.readouterr()
    return code, said.out, said.err


def test_the_plan_of_28_players_in_9_rounds_lets_every_pair_meet_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _errors = printed(capsys, monkeypatch, "28", "9", "--json")
    figures = figures_of(json.loads(out), 28)
    assert (code, figures.excess, figures.least_links, figures.wind_off, figures.table_over) == (0, 0, None, 0, 0)


def test_as_text_each_round_has_a_line_and_each_count_its_bound(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _errors = printed(capsys, monkeypatch, "16", "5")
    assert code == 0
    assert [line[:3] for line in out.splitlines()[:5]] == [" 1:", " 2:", " 3:", " 4:", " 5:"]
    assert "120 (bound 120)" in out
    assert "all meet (bound all meet)" in out


def test_players_who_do_not_fill_tables_are_refused_with_a_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, errors = printed(capsys, monkeypatch, "10", "3")
    assert (code, out) == (2, "")
    assert "Let 2 more play" in errors


def test_it_runs_as_a_module(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["scoring.seating", "10", "3"])
    monkeypatch.delitem(sys.modules, "scoring.seating.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("scoring.seating", run_name="__main__")
    assert (ended.value.code, "Let 2 more play" in capsys.readouterr().err) == (2, True)
