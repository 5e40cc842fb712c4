"""Addresses (slugs) of competitions: proposed from their names, and those they had before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from django.utils import timezone
from django.utils.text import slugify

from league.models import Competition, FormerSlug, Parlour
from league.selectors.access.readers import Visitor, visible_competitions
from league.wording.romaji import latin_name

LONGEST_PROPOSED = 50
PAGES_OF_PARLOURS = frozenset({"new"})
"""Addresses in the place of a parlour's slug that are pages."""
NUMBER = re.compile("[0-9]{1,4}")


def competition_at(slug: str, visitor: Visitor | None) -> Competition | None:
    """Return the competition that has this slug, or had it before; None unless the visitor may know of it."""
    return visible_competitions(visitor).filter(slug=slug).first() or moved_competition(slug, visitor)


def moved_competition(slug: str, visitor: Visitor | None) -> Competition | None:
    """Return the competition that had this slug before; None unless the visitor may know of it."""
    former = FormerSlug.objects.filter(slug=slug).first()
    if former is None:
        return None
    return visible_competitions(visitor).filter(pk=former.competition_id).first()


def is_taken(slug: str, own: Competition | None = None) -> bool:
    """Return True if another competition than `own` has this slug, or had it before."""
    now = Competition.objects.filter(slug=slug).values_list("pk", flat=True)
    before = FormerSlug.objects.filter(slug=slug).values_list("competition", flat=True)
    return not {*now, *before} <= {own.pk if own else None}


def is_parlour_slug_taken(slug: str) -> bool:
    """Return True if a parlour has this slug, or the pages need it themselves."""
    return slug in PAGES_OF_PARLOURS or Parlour.objects.filter(slug=slug).exists()


def free_parlour_slug(*names: str) -> str:
    """Return a slug that no parlour and no competition has, made of the first name with Latin letters."""
    stem = next(filter(None, map(_letters, names)))
    return next(slug for slug in numbered(stem) if not is_taken(slug) and not is_parlour_slug_taken(slug))


def free_slug(*names: str) -> str:
    """Return a free slug made of the first name that has Latin letters once romanized.

    A number in any of the names is kept, or else the year is added. The last name must have letters.
    """
    base = next(filter(None, map(_letters, names)))
    number = next((found[0] for name in names if (found := NUMBER.search(latin_name(name)))), timezone.localdate().year)
    stem = base if NUMBER.search(base) else f"{base}-{number}"
    return next(slug for slug in numbered(stem) if not is_taken(slug))


def _letters(name: str) -> str:
    """Return a name as a slug, a leading number moved to its end; empty without letters."""
    found = slugify(latin_name(name)).strip("-_")
    number, _hyphen, rest = found.partition("-")
    if number.isdigit() and rest:
        found = f"{rest}-{number}"
    return _shortened(found) if any(letter.isalpha() for letter in found) else ""


def _shortened(slug: str) -> str:
    return slug[:LONGEST_PROPOSED].strip("-_")


def numbered(stem: str) -> Iterator[str]:
    """Yield the stem, then the stem with 2, 3 and so on."""
    yield stem
    yield from (f"{stem}-{number}" for number in count(2))
