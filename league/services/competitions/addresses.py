"""Change a competition's address, and keep the addresses that it had."""

from __future__ import annotations

from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.models import Competition, FormerSlug, ResultSheet
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.addresses import is_taken
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from scoring.tiebreak import Further


@all_or_nothing
def change_slug(*, competition: Competition, slug: str, by: Actor) -> Competition:
    """Give a competition another slug; the one before redirects to it and stays reserved for this competition."""
    require(by, competition, Capability.MANAGE)
    refuse_too_long(Competition, {"slug": slug})
    lock(competition)
    # Read again under the lock: another request may have changed the slug since this object was loaded.
    competition.refresh_from_db(fields=["slug"])
    before = competition.slug
    if slug == before:
        return competition
    refuse_bad_slug(slug, own=competition)
    refuse_other_lots(competition)
    FormerSlug.objects.filter(slug=slug, competition=competition).delete()
    FormerSlug.objects.create(slug=before, competition=competition)
    competition.slug = slug
    competition.save(update_fields=["slug"])
    refuse_taken_slug(slug, own=competition)
    open_change(competition, by).record("competition.moved", competition, before={"slug": before}, after={"slug": slug})
    return competition


def refuse_other_lots(competition: Competition) -> None:
    """Raise ConflictError if lots decide ties: they follow from the address, which was published before the results."""
    has_lots = Further.LOT in format_of(rules_at(competition)).tiebreak.then
    if has_lots and ResultSheet.objects.filter(hanchan__block__competition=competition).exists():
        raise conflict(
            "lots_follow_from_address",
            _("Lots that decide level places follow from the address. It can be changed until the first result only."),
            "/slug",
        )


def refuse_bad_slug(slug: str, own: Competition | None = None) -> None:
    """Raise unless the slug consists of lower-case letters, digits and hyphens and is free for `own`."""
    refuse_malformed_slug(slug)
    refuse_taken_slug(slug, own)


def refuse_malformed_slug(slug: str) -> None:
    """Raise unless the slug consists of lower-case letters, digits and hyphens."""
    if not slug or slug != slugify(slug):
        raise refuse(
            "bad_slug",
            _("“%(slug)s” cannot be an address. Use lower-case letters, digits and hyphens.") % {"slug": slug},
            "/slug",
        )


def refuse_taken_slug(slug: str, own: Competition | None = None) -> None:
    """Raise ConflictError if another competition has the slug or had it before.

    Services call it again after writing: a slug that another transaction has just made a former one is then visible,
    since the unique index waited for that transaction.
    """
    if is_taken(slug, own):
        raise conflict(
            "slug_taken",
            _("There is already a competition at “%(slug)s”. Choose another address.") % {"slug": slug},
            "/slug",
        )
