"""The tags of an mjlog, in order: a flat list, read by defusedxml tag by tag, so that a bound stops it at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from xml.etree.ElementTree import ParseError  # the exception alone; defusedxml does the parsing

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from scoring.paifu.problems import PaifuError

MOST_TAGS = 30_000
DEEPEST = 4


class Tag(NamedTuple):
    """A tag with its attributes."""

    name: str
    values: Mapping[str, str]


class _Tags:
    """The function that is called with each tag."""

    def __init__(self) -> None:
        self.found: list[Tag] = []
        self.depth = 0

    def start(self, name: str, values: Mapping[str, str]) -> None:
        """Keep a tag that opens."""
        self.depth += 1
        if len(self.found) >= MOST_TAGS or self.depth > DEEPEST:
            raise PaifuError("too_many", most=MOST_TAGS)
        self.found.append(Tag(name, values))

    def end(self, _name: str) -> None:
        """Count a tag that closes."""
        self.depth -= 1

    def close(self) -> list[Tag]:
        """Return every tag."""
        return self.found


def tags_of(text: str) -> list[Tag]:
    """Return every tag in its order; raise PaifuError for damaged XML, a document type, or too many tags."""
    tags = _Tags()
    parser = DefusedXMLParser(target=tags, forbid_dtd=True)
    try:
        parser.feed(text)
        parser.close()
    except ParseError as error:
        line, _column = error.position
        raise PaifuError("broken_xml", line=line, why=error.msg) from None
    except DefusedXmlException as error:
        raise PaifuError("broken_xml", line=1, why=error) from None
    except UnicodeEncodeError:
        raise PaifuError("broken_text") from None
    return tags.found
