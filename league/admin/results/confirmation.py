"""Looking before deciding: a page that shows whom a decision moves, and does it only once that has been seen."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from league.admin.base import ServiceView
from league.forms.service import ServiceForm
from league.models import Competition, Entrant
from league.platform.errors import ServiceError, WarningsNotAcceptedError
from league.selectors.access.actors import Actor
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.results.preview import Effect, preview_change
from league.wording.formatting import points_text, rank_text
from league.wording.names import names_of, person_name


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody's rank and total in a block before and after, in words."""

    name: str
    rank_before: str
    rank_after: str
    total_before: str
    total_after: str


@dataclass(frozen=True, slots=True)
class Reseated:
    """Who holds a place of the ladder before and after; `has_results` where that block has been played in."""

    place: str
    before: str
    after: str
    has_results: bool


@dataclass(frozen=True, slots=True)
class ShownEffect:
    """What a decision does, block by block, and on the ladder."""

    blocks: tuple[tuple[str, tuple[Moved, ...]], ...]
    slots: tuple[Reseated, ...]


def shown_effect(competition: Competition, effect: Effect) -> ShownEffect:
    """An effect in words, in a fixed number of queries."""
    names = names_of(competition.blocks.select_related("stage"))
    people = {
        one.pk: person_name(one.player)
        for one in Entrant.objects.filter(competition=competition).select_related("player")
    }
    scale = ruleset_of(rules_at(competition)).ranking_ledger.scale
    nobody = "–"
    keys = dict.fromkeys(moved.block for moved in effect.movements)
    rows = {
        key: tuple(
            Moved(
                people[moved.entrant],
                rank_text(moved.rank_before) if moved.rank_before else nobody,
                rank_text(moved.rank_after) if moved.rank_after else nobody,
                points_text(moved.total_before, scale),
                points_text(moved.total_after, scale),
            )
            for moved in effect.movements
            if moved.block == key
        )
        for key in keys
    }
    slots = tuple(
        Reseated(
            _("%(block)s, place %(number)s") % {"block": names.block(one.block), "number": one.number},
            people[one.before] if one.before else _("open"),
            people[one.after] if one.after else _("open"),
            one.has_results,
        )
        for one in effect.slot_changes
    )
    return ShownEffect(tuple((names.block(key), rows[key]) for key in keys), slots)


def digest_of(seen: object) -> str:
    """A short mark of something that was shown."""
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


class LookFirstView(ServiceView):
    """A page whose form is answered twice: with what would follow, then with the deed.

    The deed itself is tried out and undone (`preview_change`), so that both are refused alike. Where something moved
    in between, what follows now is shown instead.
    """

    look_at_once = False
    """There is nothing to type but a reason: what follows is shown with the empty form."""

    def act(self, form: Any, by: Actor, accept: Collection[str]) -> object:
        """Call the service."""
        raise NotImplementedError

    def done(self, form: Any) -> str:
        """Say in a sentence what was done."""
        raise NotImplementedError

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """The empty form; with what follows, where that hangs on nothing that is typed."""
        form = self.form()
        if not self.look_at_once:
            return self.show(form)
        trial = self.form({"reason": "-"})
        trial.is_valid()
        try:
            effect = self.look(trial)
        except ServiceError as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(self.after(form))
        form.warnings = trial.warnings
        return self.show(form, effect)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Show what would follow; do it where exactly that has been seen."""
        form = self.form(request.POST)
        if not form.is_valid():
            return self.show(form)
        try:
            effect = self.look(form)
            if not form.warnings and request.POST.get("seen") == self.mark(form, effect):
                self.act(form, self.actor(), form.accepted)
                messages.success(request, self.done(form))
                return HttpResponseRedirect(self.after(form))
        except ServiceError as error:
            form.take(error)
            return self.show(form)
        return self.show(form, effect)

    def look(self, form: ServiceForm) -> Effect:
        """What the deed does; warnings still to be accepted are put to the form."""
        try:
            return self.tried(form, form.accepted)
        except WarningsNotAcceptedError as error:
            form.take(error)
            return self.tried(form, {*form.accepted, *(finding.code for finding in error.findings)})

    def tried(self, form: ServiceForm, accept: Collection[str]) -> Effect:
        """Do it, look, undo it."""
        return preview_change(competition=self.competition(), act=partial(self.act, form, self.actor(), accept))

    def mark(self, form: ServiceForm, effect: Effect) -> str:
        """What must have been seen: what was typed, and what it does. A reason alone changes nothing of it."""
        typed = None if self.look_at_once else sorted(form.cleaned_data.items())
        return f"{digest_of(typed)}-{digest_of(effect)}"

    def more_context(self, form: ServiceForm, effect: Effect | None = None) -> Iterator[tuple[str, Any]]:
        """What the page shows of the effect."""
        yield "looks_first", True
        if effect is None:
            return
        mark, (typed, _dash, seen) = self.mark(form, effect), self.request.POST.get("seen", "").partition("-")
        yield "effect", shown_effect(self.competition(), effect)
        yield "seen", mark
        yield "has_changed", bool(seen) and mark.startswith(f"{typed}-") and not mark.endswith(f"-{seen}")
