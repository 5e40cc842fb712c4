"""Write the diagram of layers and domain packages into docs/architecture.md: `python -m scripts.structure`.

The layers are the contracts of import-linter in pyproject.toml, the packages are those in the tree, so the diagram
cannot differ from what `make check` enforces. import-linter itself (`import-linter drawgraph`) draws the imports that
exist, one arrow for each pair of packages; this is the order that they must follow.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from importlinter import api

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "architecture.md"
BLOCK = re.compile(
    r"(?<=<!-- structure: `make structure` writes this -->\n).*?(?=<!-- end of structure -->\n)", re.DOTALL
)
SERVICE = "league"
FOLDERS = ("templates", "tests/league")
"""Folders outside the layers that have the same domain packages."""
SOURCES = {".py", ".html"}

Layers = Sequence[Sequence[str]]
"""Layers from the highest to the lowest, each with the names of its modules."""


def layers_of(root: Path = ROOT) -> Mapping[str, Layers]:
    """Return the layers of each contract by the package that contains them; "" for the packages themselves."""
    contracts = api.read_configuration(str(root / "pyproject.toml"))["contracts_options"]
    found: dict[str, Layers] = {}
    for contract in contracts:
        if contract["type"] == "layers":
            layers = [re.findall(r"[\w.]+", layer) for layer in contract["layers"]]
            found[layers[0][0].rpartition(".")[0]] = [[name.rpartition(".")[2] for name in layer] for layer in layers]
    return found


def packages_in(folder: Path) -> set[str]:
    """Return the names of the folder's direct subfolders that hold source files, at any depth."""
    return {path.relative_to(folder).parts[0] for path in folder.glob("*/**/*") if path.suffix in SOURCES}


def domains_of(layers: Layers, root: Path = ROOT) -> Mapping[str, set[str]]:
    """Return the domain packages of each layer that has some; a domain is a package of at least two layers."""
    packages = {name: packages_in(root / SERVICE / name) for layer in layers for name in layer}
    every = [name for found in packages.values() for name in found]
    domains = {name for name in every if every.count(name) > 1}
    packages |= {folder: packages_in(root / folder) for folder in FOLDERS}
    return {name: found & domains for name, found in packages.items() if found & domains}


def diagram_of(contracts: Mapping[str, Layers]) -> str:
    """Return the layers as a Mermaid flowchart: a module may import from every layer below its own."""
    lines = ["```mermaid", "flowchart TD"]
    for package, layers in sorted(contracts.items(), reverse=True):
        arrows = [f"{' & '.join(upper)} --> {' & '.join(lower)}" for upper, lower in pairwise(layers)]
        inside = [f"    {arrow}" for arrow in arrows]
        lines += [f"    subgraph {package}", *(f"    {arrow}" for arrow in inside), "    end"] if package else inside
    return "\n".join([*lines, "```"])


def table_of(domains: Mapping[str, set[str]]) -> str:
    """Return a Markdown table with a row for each domain and a column for each layer or folder that has domains."""
    rows = [["domain", *(f"`{name}`" for name in domains)], ["---", *(":-:" for _name in domains)]]
    for domain in sorted(set().union(*domains.values())):
        rows += [[f"`{domain}`", *("●" if domain in found else "" for found in domains.values())]]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def block_of(root: Path = ROOT) -> str:
    """Return the text between the two markers of the document."""
    contracts = layers_of(root)
    return f"\n{diagram_of(contracts)}\n\n{table_of(domains_of(contracts[SERVICE], root))}\n\n"


def with_block(text: str, root: Path = ROOT) -> str:
    """Return the document with the current block; raise ValueError if its two markers are missing."""
    block = block_of(root)
    written, count = BLOCK.subn(lambda _old: block, text)
    if count != 1:
        raise ValueError(f"{DOCUMENT.name} must have the two markers of the structure exactly once.")
    return written


if __name__ == "__main__":
    DOCUMENT.write_text(with_block(DOCUMENT.read_text()))
    print(f"Wrote the structure into {DOCUMENT.relative_to(ROOT)}.")
