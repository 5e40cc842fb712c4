"""Pages for decisions: rule on ties, adjust points, change who advances, close a block, draw, take a decision back."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from typing_extensions import override

from league.admin.base import F, ObjectLink, page_of
from league.admin.results.confirmation import LookFirstView
from league.forms.results.decisions import AdjustmentForm, DrawForm, ForEntrantForm, OverrideForm, SlotSwapForm, TieForm
from league.forms.service import ReasonForm
from league.models import Block, Closing, Competition, Entrant, Slot, Stage
from league.models.rulings import Decided
from league.selectors.access.actors import Actor, Capability
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.seasons.teams import members_on
from league.selectors.standings.blocks import entrants_who_may_play, unplayed_in
from league.services.results.rulings import (
    adjust_points,
    close_block,
    draw_stage,
    override_slot,
    pass_over,
    rule_on_tie,
    source_now,
    swap_slots,
    take_back,
)
from league.wording.messages import source_label
from league.wording.names import names_of, person_name


def entrants_of(competition: Competition) -> list[Entrant]:
    """Return all entrants of a competition, by number."""
    return list(competition.entrants.select_related("player").order_by("number"))


def players_in(block: Block) -> list[Entrant]:
    """Return the entrants who certainly play in a block, or all entrants while none is known yet."""
    all_entrants = entrants_of(block.competition)
    certain = entrants_who_may_play(block)
    return [one for one in all_entrants if one.pk in certain] or all_entrants


class RuleView(LookFirstView[Competition, TieForm]):
    """Rule on a tie by putting the tied entrants in order."""

    capability = Capability.RULE
    title = gettext_lazy("Rule on a tie")
    explanation = gettext_lazy("No result separates these players. Put them in order, best first.")
    submit = gettext_lazy("Give the ruling")
    scope = ""
    tied: list[Entrant]

    def find(self, request: HttpRequest) -> Competition:
        """Return the competition; read the ranking (`scope`) and the tied entrants from the query string."""
        found = super().find(request)
        self.scope = request.GET.get("scope", "")
        ids = [int(text) for text in request.GET.getlist("entrant") if text.isascii() and text.isdigit()]
        known = found.entrants.select_related("player").in_bulk(ids)
        self.tied = [known[pk] for pk in ids if pk in known]
        if not self.scope or not self.tied:
            raise Http404
        return found

    @override
    def notes(self) -> Iterable[object]:
        names = names_of(self.row.blocks.select_related("stage"))
        return [_("Ranking: %(where)s") % {"where": names.block(self.scope)}]

    @override
    def form(self, data: object = None) -> TieForm:
        return TieForm(data, tied=self.tied)

    @override
    def act(self, form: TieForm, by: Actor, accept: Collection[str]) -> object:
        return rule_on_tie(
            competition=self.row,
            scope=self.scope,
            order=form.order(),
            by=by,
            reason=form.cleaned_data["reason"],
            accept=accept,
        )

    @override
    def done(self, form: object) -> str:
        return _("The ruling is given; the standings follow.")


class AdjustView(LookFirstView[Block, AdjustmentForm]):
    """Add or deduct points outside a hanchan."""

    capability = Capability.RULE
    title = gettext_lazy("Adjust points")
    explanation = gettext_lazy("Points given or taken outside a hanchan; they stand in the table as an adjustment.")

    @override
    def form(self, data: object = None) -> AdjustmentForm:
        rules = ruleset_of(rules_at(self.row.competition))
        entrants, of_all = players_in(self.row), members_on(self.row.competition, None)
        members = {team: of_all[team.pk] for team in entrants if team.pk in of_all}
        return AdjustmentForm(
            data,
            ledger=rules.ranking_ledger,
            entrants=entrants,
            members=members,
            penalties=rules.settlement.penalties,
        )

    @override
    def act(self, form: AdjustmentForm, by: Actor, accept: Collection[str]) -> object:
        return adjust_points(
            block=self.row,
            entrant=form.chosen(),
            member=form.cleaned_data.get("player"),
            cause=form.cleaned_data.get("cause", ""),
            points=form.cleaned_data["points"],
            by=by,
            reason=form.cleaned_data["reason"],
            accept=accept,
        )

    @override
    def done(self, form: object) -> str:
        return _("The points are adjusted; the standings follow.")


class PassOverView(LookFirstView[Block, ForEntrantForm]):
    """Keep an entrant from advancing; the next in rank advances instead."""

    title = gettext_lazy("Pass a player over")
    explanation = gettext_lazy("The player keeps the rank here but does not go on; the next player goes up.")

    @override
    def form(self, data: object = None) -> ForEntrantForm:
        return ForEntrantForm(data, entrants=players_in(self.row))

    @override
    def act(self, form: ForEntrantForm, by: Actor, accept: Collection[str]) -> object:
        reason = form.cleaned_data["reason"]
        return pass_over(block=self.row, entrant=form.chosen(), by=by, reason=reason, accept=accept)

    @override
    def done(self, form: ForEntrantForm) -> str:
        return _("%(name)s is passed over; the ladder follows.") % {"name": person_name(form.chosen().player)}


class SlotView(LookFirstView[Slot, F]):
    """Base of the pages about a slot."""

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        block = self.row.block
        rows: tuple[Competition | Block, ...] = (block.competition, block)
        return [*((str(row), page_of(row)) for row in rows), (self.place(), page_of(self.row))]

    def place(self) -> str:
        """Return the name of the slot: its block and number."""
        return _("%(block)s, place %(number)s") % {"block": str(self.row.block), "number": self.row.number}

    @override
    def notes(self) -> Iterable[object]:
        names = names_of(self.competition().blocks.select_related("stage"))
        source, entrant = source_now(self.row)
        said = person_name(entrant.player) if entrant else f"{source_label(source, names)} ({source})"
        return [_("So far: %(source)s") % {"source": said}]


class OverrideView(SlotView[OverrideForm]):
    """Fill a slot from another source, or with an entrant by name."""

    title = gettext_lazy("Fill from elsewhere")
    explanation = gettext_lazy(
        "Another player takes this place: one of another rank, or a player by name. To let two places change players "
        "use “Exchange two places” instead."
    )

    @override
    def form(self, data: object = None) -> OverrideForm:
        return OverrideForm(data, entrants=entrants_of(self.competition()))

    @override
    def act(self, form: OverrideForm, by: Actor, accept: Collection[str]) -> object:
        entrant = form.chosen_if_any()
        return override_slot(
            slot=self.row,
            source="ruling" if entrant else form.cleaned_data["source"],
            entrant=entrant,
            by=by,
            reason=form.cleaned_data["reason"],
            accept=accept,
        )

    @override
    def done(self, form: object) -> str:
        return _("%(slot)s is filled from elsewhere; the ladder follows.") % {"slot": self.place()}


class SwapSlotsView(SlotView[SlotSwapForm]):
    """Swap the sources of two slots."""

    title = gettext_lazy("Exchange two places")
    explanation = gettext_lazy("Each of the two is filled from where the other was filled from, both at once.")

    @override
    def form(self, data: object = None) -> SlotSwapForm:
        slots = Slot.objects.filter(block__competition=self.competition()).exclude(pk=self.row.pk)
        ordered = slots.select_related("block").order_by("block__stage__order", "block__order", "number")
        return SlotSwapForm(data, slots=list(ordered))

    @override
    def act(self, form: SlotSwapForm, by: Actor, accept: Collection[str]) -> object:
        reason = form.cleaned_data["reason"]
        return swap_slots(first=self.row, second=form.chosen(), by=by, reason=reason, accept=accept)

    @override
    def done(self, form: object) -> str:
        return _("The two places are exchanged; the ladder follows.")


class CloseBlockView(LookFirstView[Block, ReasonForm]):
    """Close a block before all its hanchan have been played."""

    form_class = ReasonForm
    title = gettext_lazy("Close the block")
    explanation = gettext_lazy(
        "What counts now is the final standing: who goes on follows from it, and no further result is taken. "
        "Taking the closing back opens the block again."
    )
    submit = gettext_lazy("Close the block")
    is_grave = True
    look_at_once = True

    @override
    def notes(self) -> Iterable[object]:
        """Name the entrants with fewer hanchan than others, and count the hanchan that will not be played."""
        left = unplayed_in(self.row)
        if left.behind:
            yield _("Fewer hanchan than the others (%(most)s): %(players)s") % {
                "most": left.most,
                "players": _(", ").join(f"{person_name(one.player)} ({count})" for one, count in left.behind),
            }
        if left.scheduled:
            yield ngettext(
                "%(count)s scheduled hanchan will not be played; its table is called off if it has no result.",
                "%(count)s scheduled hanchan will not be played; their tables without a result are called off.",
                left.scheduled,
            ) % {"count": left.scheduled}

    @override
    def act(self, form: ReasonForm, by: Actor, accept: Collection[str]) -> object:
        return close_block(block=self.row, by=by, reason=form.cleaned_data["reason"], accept=accept)

    @override
    def done(self, form: object) -> str:
        return _("%(block)s is closed; the ladder follows.") % {"block": str(self.row)}


def closing_links(row: Block) -> Iterable[ObjectLink]:
    """Yield the link that closes a league's block, or the one that opens a closed block again."""
    if row.competition.kind == Competition.Kind.OPEN:
        return
    closing = Closing.objects.standing().filter(block=row).first()
    if closing:
        yield ObjectLink(_("Open the block again..."), page_of(closing, "take-back"), is_grave=True)
    else:
        yield ObjectLink(_("Close the block..."), page_of(row, "close"), is_grave=True)


class DrawView(LookFirstView[Stage, DrawForm]):
    """Distribute the entrants of a drawn stage over its blocks."""

    form_class = DrawForm
    title = gettext_lazy("Draw")
    explanation = gettext_lazy("The draw follows from the seed alone, so that anyone can repeat it.")
    submit = gettext_lazy("Draw")

    @override
    def act(self, form: DrawForm, by: Actor, accept: Collection[str]) -> object:
        typed = form.cleaned_data
        return draw_stage(stage=self.row, by=by, seed=typed["seed"], reason=typed["reason"], accept=accept)

    @override
    def done(self, form: object) -> str:
        return _("%(stage)s is drawn.") % {"stage": str(self.row)}


class TakeBackDecisionView(LookFirstView[Decided, ReasonForm]):
    """Take back a decision, which stays in the log."""

    form_class = ReasonForm
    title = gettext_lazy("Take back")
    explanation = gettext_lazy("The decision no longer holds from then on. It stays in the log.")
    submit = gettext_lazy("Take back")
    is_grave = True
    look_at_once = True

    @override
    def act(self, form: ReasonForm, by: Actor, accept: Collection[str]) -> object:
        reason = form.cleaned_data["reason"]
        competition = self.competition()
        return take_back(decision=self.row, competition=competition, by=by, reason=reason, accept=accept)

    @override
    def done(self, form: object) -> str:
        return _("Taken back; the standings follow.")
