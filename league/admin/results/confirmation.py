"""Pages that preview a decision before making it: the user sees which ranks and slots change, then confirms."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from league.admin.base import F, M, ServiceView
from league.forms.service import ServiceForm
from league.models import Competition, Entrant, Player
from league.platform.errors import ServiceError, WarningsNotAcceptedError
from league.selectors.access.actors import Actor
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.access.changes import held
from league.services.results.preview import Effect, preview_change
from league.web.standings.large_fields import is_large
from league.wording.formatting import points_text, rank_text
from league.wording.names import names_of, person_name


@dataclass(frozen=True, slots=True)
class RankMove:
    """The rank and total of one entrant in a block, before and after the decision, as text."""

    name: str
    rank_before: str
    rank_after: str
    total_before: str
    total_after: str


@dataclass(frozen=True, slots=True)
class Reseated:
    """The entrant of a slot before and after the decision; `has_results` if its block has been played in."""

    place: str
    before: str
    after: str
    has_results: bool


@dataclass(frozen=True, slots=True)
class ShownEffect:
    """The effect of a decision as text: movements by block, and changes of slots."""

    blocks: tuple[tuple[str, tuple[RankMove, ...], tuple[RankMove, ...]], ...]
    """By block: its name, the movements shown at once, and those folded, of players whose total stays."""
    slots: tuple[Reseated, ...]


def describe_effect(competition: Competition, effect: Effect) -> ShownEffect:
    """Convert an effect into text, in a fixed number of queries."""
    names = names_of(competition.blocks.select_related("stage"))
    entrants = Entrant.objects.filter(competition=competition).select_related("player")
    # An entrant whom the change itself would enter is gone with the rollback.
    people = defaultdict(lambda: _("new player"), {one.pk: person_name(one.player) for one in entrants})
    scale = ruleset_of(rules_at(competition)).ranking_ledger.scale
    no_rank = "–"
    keys = dict.fromkeys(moved.block for moved in effect.movements)
    rows = {
        key: tuple(
            RankMove(
                people[moved.entrant],
                rank_text(moved.rank_before) if moved.rank_before else no_rank,
                rank_text(moved.rank_after) if moved.rank_after else no_rank,
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
    before, after = (people[one] if one else _("open") for one in effect.champion)
    if before != after:
        slots += (Reseated(_("Champion"), before, after, has_results=False),)
    return ShownEffect(tuple((names.block(key), *folded(rows[key])) for key in keys), slots)


def folded(rows: tuple[RankMove, ...]) -> tuple[tuple[RankMove, ...], tuple[RankMove, ...]]:
    """Return the rows to show and those to fold: in a large field, players whose total stays."""
    if not is_large(len(rows)):
        return rows, ()
    shown = tuple(row for row in rows if row.total_before != row.total_after)
    return shown, tuple(row for row in rows if row.total_before == row.total_after)


def digest_of(seen: object) -> str:
    """Return a short digest of a value that was shown, to compare with the value of now."""
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


class LookFirstView(ServiceView[M, F]):
    """A form submitted twice: the first POST shows the effect, the second one makes the change.

    The preview runs the real change and rolls it back (`preview_change`), so that both raise the same errors. The
    second POST carries a digest of the effect; if the effect has changed since, the new one is shown instead.
    """

    needs_open = True
    look_at_once = False
    """True if the form has no field but a reason: the effect is shown with the empty form."""

    def act(self, form: F, by: Actor, accept: Collection[str]) -> object:
        """Call the service that makes the change."""
        raise NotImplementedError

    def people(self, form: F) -> Sequence[Player]:
        """Return the known players whom the change may enter."""
        return ()

    def done(self, form: F) -> str:
        """Return the success message."""
        raise NotImplementedError

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the empty form, with the effect if it does not depend on the form's fields."""
        form = self.form()
        if not self.look_at_once or any(self.closed_notice()):
            return self.show(form)
        # A reason is required, but the user has not typed one yet: any text will do for the trial.
        trial = self.form({"reason": "-"})
        trial.is_valid()
        try:
            effect = self.look(trial)
        except ServiceError as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(self.after(form))
        form.warnings = trial.warnings
        return self.show(form, effect)

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the effect, or make the change if the user has seen exactly this effect."""
        form = self.form(request.POST)
        if not form.is_valid():
            return self.show(form)
        try:
            # A button pressed twice sends two of these at once, and both were looked at.
            with held(self.competition(), self.people(form)):
                effect = self.look(form)
                is_seen = not form.warnings and request.POST.get("seen") == self.mark(form, effect)
                if is_seen:
                    self.act(form, self.actor(), form.accepted)
        except ServiceError as error:
            form.take(error)
            return self.show(form)
        if not is_seen:
            return self.show(form, effect)
        messages.success(request, self.done(form))
        return HttpResponseRedirect(self.after(form))

    def look(self, form: F) -> Effect:
        """Return the effect of the change. Warnings not yet accepted are added to the form."""
        try:
            return self.run_and_undo(form, form.accepted)
        except WarningsNotAcceptedError as error:
            form.take(error)
            return self.run_and_undo(form, {*form.accepted, *(finding.code for finding in error.findings)})

    def run_and_undo(self, form: F, accept: Collection[str]) -> Effect:
        """Run the change with these warnings accepted, read its effect and roll back."""
        return preview_change(competition=self.competition(), act=partial(self.act, form, self.actor(), accept))

    def mark(self, form: ServiceForm, effect: Effect) -> str:
        """Return the digest that must come back as `seen`, made of the typed values and the effect.

        The reason is left out where it is the only field, since it does not change the effect.
        """
        typed = None if self.look_at_once else sorted(form.cleaned_data.items())
        return f"{digest_of(typed)}-{digest_of(effect)}"

    def more_context(self, form: ServiceForm, effect: object = None) -> Iterator[tuple[str, object]]:
        """Yield the template variables of the effect."""
        yield "looks_first", True
        if not isinstance(effect, Effect):
            return
        mark, (typed, _dash, seen) = self.mark(form, effect), self.request.POST.get("seen", "").partition("-")
        yield "effect", describe_effect(self.competition(), effect)
        yield "seen", mark
        # Same input with another effect: something was entered meanwhile, and the page says so.
        yield "has_changed", bool(seen) and mark.startswith(f"{typed}-") and not mark.endswith(f"-{seen}")
