"""Drafts of league formats: begin, change, undo, redo, discard, and keep as a revision.

A draft may have any fault, and its text need not even be TOML: nothing typed is lost before the format is sound. All
who may write formats can open it. Every write names the `counter` that the author saw, so that no author overwrites the
change of another unseen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain, count

from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.models import FormatDraft, FormatDraftState, FormatRevision
from league.platform.errors import conflict
from league.selectors.access.actors import Actor
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.rulebooks.own_formats import (
    cloned_format,
    format_data,
    keep_own_format,
    refuse_long_format,
    require_formats,
    written,
)
from league.services.rulebooks.own_rulesets import tidied
from league.services.rulebooks.revisions import newest_number
from rulesets.format_toml import format_toml
from rulesets.formats import format_names

MOST_STATES = 50
"""The states of a draft that are stored, the current one included."""
LONGEST_TITLE = 100
LONGEST_NAME = 64
LONGEST_NAME_WISHED = 30


def draft_text(draft: FormatDraft) -> str:
    """Return the text of a draft's current state."""
    return FormatDraftState.objects.values_list("text", flat=True).get(draft=draft, number=draft.current)


def can_undo(draft: FormatDraft) -> bool:
    """Return True if there is a state before the current one."""
    return FormatDraftState.objects.filter(draft=draft, number__lt=draft.current).exists()


def can_redo(draft: FormatDraft) -> bool:
    """Return True if there is an undone state after the current one."""
    return FormatDraftState.objects.filter(draft=draft, number__gt=draft.current).exists()


def free_format_name(wish: str) -> str:
    """Return a name that no format, revision or draft has: the wish in Latin letters, with a number if it is taken."""
    stem = slugify(wish)[:LONGEST_NAME_WISHED].strip("-_0123456789") or "format"
    taken = {*format_names(), *FormatRevision.objects.filter(name__startswith=stem).values_list("name", flat=True)}
    taken |= set(FormatDraft.objects.filter(name__startswith=stem).values_list("name", flat=True))
    return next(name for name in chain([stem], (f"{stem}-{number}" for number in count(2))) if name not in taken)


@all_or_nothing
def start_draft(
    *, by: Actor, source: str = "", name: str = "", title: str = "", data: Mapping[str, object] | None = None
) -> FormatDraft:
    """Begin a draft from a format of the product, from a revision as `name@number`, from data, or from nothing.

    With a `name` it becomes a format of that name; without one it keeps that of its source, as for a next revision.
    """
    require_formats(by)
    refuse_too_long(FormatDraft, {"name": name, "title": title})
    base = source.partition("@")[0]
    if data is not None:
        text = written(data)
    else:
        text = cloned_format(source, name or base, title) if source else empty_format(name, title)
    seen = newest_number(FormatRevision, name or base)
    draft = FormatDraft(owner=by.user, source=source, seen=seen)
    _describe(draft, text)
    draft.save()
    FormatDraftState.objects.create(draft=draft, number=draft.current, text=text)
    return draft


def empty_format(name: str, title: str) -> str:
    """Return the text of a format without stages: four players at a table, ranked by total alone."""
    return format_toml({"name": name, "title": title, "players": 4, "tiebreak": {}})


@all_or_nothing
def change_draft(
    *, draft: FormatDraft, seen: int, by: Actor, text: str | None = None, data: Mapping[str, object] | None = None
) -> FormatDraft:
    """Write the next state of a draft, as a text or as data; states that were undone are gone.

    `seen` is the `counter` of the draft that the author changed. Raise ConflictError if it has another one by now,
    and RuleViolationError for a text that is too long or data that TOML cannot have. An equal text changes nothing.
    """
    held = _hold(draft, seen, by)
    changed = tidied(written(data) if data is not None else text or "")
    refuse_long_format(changed)
    if changed == draft_text(held):
        return held
    states = FormatDraftState.objects.filter(draft=held)
    states.filter(number__gt=held.current).delete()
    held.current += 1
    states.filter(number__lte=held.current - MOST_STATES).delete()
    FormatDraftState.objects.create(draft=held, number=held.current, text=changed)
    return _save(held, changed)


@all_or_nothing
def undo_draft(*, draft: FormatDraft, seen: int, by: Actor) -> FormatDraft:
    """Go back to the state before the current one. Raise ConflictError if there is none."""
    held = _hold(draft, seen, by)
    before = FormatDraftState.objects.filter(draft=held, number__lt=held.current).aggregate(n=Max("number"))["n"]
    if before is None:
        raise conflict("nothing_to_undo", _("There is nothing to undo: this is the first state that is stored."))
    return _go_to(held, before)


@all_or_nothing
def redo_draft(*, draft: FormatDraft, seen: int, by: Actor) -> FormatDraft:
    """Go forward to the state that was undone last. Raise ConflictError if there is none."""
    held = _hold(draft, seen, by)
    after = FormatDraftState.objects.filter(draft=held, number__gt=held.current).order_by("number").first()
    if after is None:
        raise conflict("nothing_to_redo", _("There is nothing to redo: no change was undone since the last one."))
    return _go_to(held, after.number)


@all_or_nothing
def discard_draft(*, draft: FormatDraft, seen: int, by: Actor) -> None:
    """Delete a draft with all its states; the log says who did."""
    held = _hold(draft, seen, by)
    record_organization_change("format.draft_discarded", held, by=by, before={"name": held.name})
    held.delete()


@all_or_nothing
def keep_draft(*, draft: FormatDraft, seen: int, by: Actor, accept: Collection[str] = ()) -> FormatRevision:
    """Store a draft as the next revision of its name, as `keep_own_format` does, and delete the draft.

    It raises what `keep_own_format` raises; the draft stays then.
    """
    held = _hold(draft, seen, by)
    revision = keep_own_format(text=draft_text(held), by=by, seen=held.seen, accept=accept)
    held.delete()
    return revision


def _hold(draft: FormatDraft, seen: int, by: Actor) -> FormatDraft:
    """Return the draft, locked until the transaction ends. Raise unless the author saw its newest state."""
    require_formats(by)
    held = FormatDraft.objects.select_for_update().filter(pk=draft.pk).first()
    if held is None:
        raise conflict("draft_gone", _("This draft is gone: it was kept as a revision or discarded meanwhile."))
    if held.counter != seen:
        message = _(
            "Another organizer has changed this draft meanwhile. Compare your text with the one that is stored now, "
            "then send it again."
        )
        raise conflict("draft_changed", message, counter=held.counter)
    return held


def _go_to(draft: FormatDraft, number: int) -> FormatDraft:
    draft.current = number
    return _save(draft, draft_text(draft))


def _save(draft: FormatDraft, text: str) -> FormatDraft:
    """Save a draft whose current text is now this one."""
    draft.counter += 1
    draft.updated_at = timezone.now()
    _describe(draft, text)
    draft.save()
    return draft


def _describe(draft: FormatDraft, text: str) -> None:
    """Set name and title from the text, for lists; what cannot be read stays as it is."""
    data = format_data(text) or {}
    title = data.get("title")
    titles = title if isinstance(title, Mapping) else {"ja": title, "en": title}
    draft.title = _word(titles.get("ja"), draft.title, LONGEST_TITLE)
    draft.title_en = _word(titles.get("en"), draft.title_en, LONGEST_TITLE)
    name = _word(data.get("name"), draft.name, LONGEST_NAME)
    # Of a name chosen later the author knows no revision.
    if draft.name and name != draft.name:
        draft.seen = 0
    draft.name = name


def _word(found: object, before: str, most: int) -> str:
    return found[:most] if isinstance(found, str) else before
