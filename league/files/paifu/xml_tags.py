"""The tags of an mjlog, in order: a flat list, parsed by expat with document types and entities refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from xml.parsers import expat  # bounded before and while it parses: no document type, no entity, no depth

from scoring.paifu.problems import PaifuError

MOST_TAGS = 30_000
DEEPEST = 4


class Tag(NamedTuple):
    """A tag with its attributes."""

    name: str
    values: Mapping[str, str]


def tags_of(text: str) -> list[Tag]:
    """Return every tag in its order; raise PaifuError for damaged XML, a document type, or too many tags."""
    found: list[Tag] = []
    depth = 0

    def start(name: str, values: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if len(found) >= MOST_TAGS or depth > DEEPEST:
            raise PaifuError("too_many", most=MOST_TAGS)
        found.append(Tag(name, values))

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_given: object) -> None:
        raise PaifuError("broken_xml", line=parser.CurrentLineNumber, why="a document type has no place in it")

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.encode("utf-8"), True)  # noqa: FBT003 - the signature of expat
    except expat.ExpatError as error:
        raise PaifuError("broken_xml", line=error.lineno, why=expat.ErrorString(error.code)) from None
    except UnicodeEncodeError:
        raise PaifuError("broken_text") from None
    return found
