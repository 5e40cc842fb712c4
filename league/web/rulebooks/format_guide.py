"""The guide to the ready formats: docs/formats.md and docs/formats.ja.md with the picture of each ladder.

Numbers, words and ladders are those of the set-up's first page, so the guide cannot differ from what organizers choose
from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from league.web.rulebooks.format_cards import FormatCard, card_of, ready_formats
from league.wording.names import title_in
from league.wording.rulebooks.format_sentences import policy_sentences
from rulesets import loader
from scoring.format import Carry, Format, Stage

GUIDES = {"en": "formats.md", "ja": "formats.ja.md"}
PICTURES = Path("pictures", "formats")
SUFFIXES = {"en": ".svg", "ja": ".ja.svg"}


def guide_files() -> Mapping[Path, str]:
    """Return the text of each document and picture by its path in the folder of documents."""
    found: dict[Path, str] = {}
    for language, name in GUIDES.items():
        with translation.override(language):
            cards = [(card_of(format_, key), format_) for key, format_ in ready_formats()]
            found[Path(name)] = "\n".join(_guide(cards, language))
            for card, _format in cards:
                picture = render_to_string("competitions/format_picture.svg", {"card": card})
                found[PICTURES / f"{card.name}{SUFFIXES[language]}"] = picture
    return found


def _guide(cards: list[tuple[FormatCard, Format]], language: str) -> Iterator[str]:
    """Yield the lines of a document in the active language: a table of all formats, then a section for each."""
    other = "ja" if language == "en" else "en"
    yield f"# {_('Ready formats')}\n"
    yield f"[{ {'en': 'English', 'ja': '日本語'}[other] }]({GUIDES[other]})\n"
    yield (
        _(
            "These formats come with the product, here by the number of players. The set-up of a league asks for the "
            "number of players, evenings and tables and proposes the formats that fit. A format says which stages and "
            "blocks there are and who goes on; the rule book is chosen separately."
        )
        + "\n"
    )
    yield (
        _(
            "Hanchan are those of the players who go out first and of those who play longest. Hours count one hour "
            "for a hanchan, with all tables of a session at the same time."
        )
        + "\n"
    )
    yield from _table([card for card, _format in cards])
    for card, format_ in cards:
        yield from _section(card, format_, language)
    yield "<!-- manage.py format_guide writes this file and its pictures. -->\n"


def _table(cards: list[FormatCard]) -> Iterator[str]:
    """Yield a table with the numbers of every format; a number that a format leaves open stays empty."""
    labels = max(([fact.label for fact in card.facts] for card in cards), key=len)
    yield _row([_("Format"), *labels])
    yield _row(["---"] * (len(labels) + 1))
    for card in cards:
        numbers = {fact.label: fact.text for fact in card.facts}
        yield _row([f"[{card.title}](#{card.name})", *(numbers.get(label, "") for label in labels)])
    yield ""


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _section(card: FormatCard, format_: Format, language: str) -> Iterator[str]:
    """Yield the section of a format: its use, its stages, its ladder."""
    yield f'<a id="{card.name}"></a>\n'
    yield f"## {card.title} (`{card.name}`)\n"
    if card.note:
        yield f"{card.note}\n"
    if format_.rulebook:
        yield _("The format of the rule book “%(title)s”.") % {"title": title_in(loader.load(format_.rulebook).title)}
        yield ""
    yield from (f"- {_stage(stage)}" for stage in format_.stages)
    yield from (f"- {sentence}" for sentence in policy_sentences(format_))
    yield ""
    picture = PICTURES / f"{card.name}{SUFFIXES[language]}"
    yield f"![{_('Ladder of %(title)s') % {'title': card.title}}]({picture.as_posix()})\n"


def _stage(stage: Stage) -> str:
    """Return a stage in a line: title, hanchan, note, and the points carried over if there are any."""
    games = "" if stage.hanchan is None else ", " + _("%(count)s hanchan") % {"count": stage.hanchan}
    carried = stage.carry_over.note if stage.carry_over.kind is not Carry.NONE else None
    notes = [title_in(note) for note in (stage.note, carried) if note]
    return f"**{title_in(stage.title)}**{games}" + "".join(f" · {note}" for note in notes)
