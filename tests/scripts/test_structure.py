"""Test that the diagram in docs/architecture.md shows the layers and packages as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import structure

CONTRACTS = """
[tool.importlinter]
root_packages = ["rulesets", "league"]

[[tool.importlinter.contracts]]
name = "packages"
type = "layers"
layers = ["league", "rulesets"]

[[tool.importlinter.contracts]]
name = "layers of the service"
type = "layers"
layers = ["league.admin | league.tasks", "(league.web)", "league.services"]
"""
EXPECTED = """
```mermaid
flowchart TD
    subgraph league
        admin & tasks --> web
        web --> services
    end
    league --> rulesets
```

| domain | `admin` | `services` | `templates` |
| --- | :-: | :-: | :-: |
| `live` | ● | ● |  |
| `results` | ● | ● | ● |

"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create a project of two domains; `web/middleware` is a package of one layer alone, `parlour` an empty folder."""
    (tmp_path / "pyproject.toml").write_text(CONTRACTS)
    service = tmp_path / "league"
    for name in ("admin/live/links.py", "admin/results/entry.py", "services/live/log.py", "services/results/sheets.py"):
        (service / name).parent.mkdir(parents=True)
        (service / name).touch()
    (service / "web" / "middleware").mkdir(parents=True)
    (service / "web" / "middleware" / "language.py").touch()
    (service / "services" / "parlour").mkdir()
    (tmp_path / "templates" / "results").mkdir(parents=True)
    (tmp_path / "templates" / "results" / "corrections.html").touch()
    return tmp_path


def test_the_document_has_the_current_structure() -> None:
    text = structure.DOCUMENT.read_text()
    assert structure.with_block(text) == text, "Run `make structure`."


def test_the_structure_follows_contracts_and_packages(project: Path) -> None:
    assert structure.block_of(project) == EXPECTED


def test_a_document_without_markers_is_refused(project: Path) -> None:
    with pytest.raises(ValueError, match="markers"):
        structure.with_block("# Architecture\n", project)
