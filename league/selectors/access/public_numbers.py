"""Version numbers as the public reads them: they count public changes only.

A competition numbers all its changes (`Change.n`), those under embargo among them. Shown to the public, these numbers
would tell how many changes are held back: after k of them the next public result would be k + 1 versions later. So
the public reads an ordinal instead: number p stands for the p-th public change, and two histories that differ only in
changes held back have the same numbers, documents and ETags. Organizers read the number of the change itself.

`Change.n` stays the number by which facts are read and compared inside the service. It becomes an ordinal only where it
leaves: `Reader.shown_version` and `Reader.number_shown` for documents, pages, polls, cursors and ETags, `public_number`
for webhooks. Readers send no version back except in cursors, which are compared as they were shown. `is_public` of a
change is never edited, so an ordinal never changes; a change that becomes visible with the table it belonged to is
counted by the public change that released the table.

`Competition.shown_version` is the ordinal of the change `Competition.shown_n`, written with the published version, so
that the usual answer needs no query; any other number costs one count over the index `change_public`.
"""

from __future__ import annotations

from league.models import Change, Competition


def public_number(competition: Competition, n: int) -> int:
    """Return how many of a competition's changes up to number `n` are public."""
    known, at = competition.shown_version, competition.shown_n
    if n in (0, at):
        return known if n else 0
    public = Change.objects.filter(competition=competition, is_public=True).order_by()
    if n > at:
        return known + public.filter(n__gt=at, n__lte=n).count()
    return known - public.filter(n__gt=n, n__lte=at).count()
