"""Pages around one hanchan of a match night: name a substitute, abandon and resume a game, keep photos of the slip."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import F, PageView, ServiceView, actor_of, may, page_of
from league.admin.results.confirmation import LookFirstView
from league.admin.results.entry import number_in, rules_of, substitutes
from league.forms.competitions.event_day import WalkoverForm
from league.forms.results.night import NameSubstituteForm, PhotoForm
from league.forms.service import ReasonForm
from league.models import Hanchan, ResultSheet, SlipPhoto
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor, Capability
from league.selectors.rulebooks.policies import policies_of
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.results.photos import attach_photo, remove_photo
from league.services.results.results import abandon_hanchan, resume_hanchan
from league.services.results.substitutes import name_substitute
from league.services.results.walkovers import declare_walkover
from league.wording.names import title_in
from rulesets.clauses import books, load_book

RULE_TERM = "代打ち"


def trail_of(hanchan: Hanchan) -> Iterable[tuple[str, str]]:
    """Yield the breadcrumbs of a page about a hanchan: its competition and the match night."""
    session = hanchan.table_session.session
    yield str(session.competition), page_of(session.competition)
    yield str(session), page_of(session, "night")


def night_of(hanchan: Hanchan) -> str:
    """Return the address of match night with the hanchan open."""
    table = hanchan.table_session
    return f"{page_of(table.session, 'night')}?open={hanchan.pk}#table-{table.pk}"


class HanchanView(ServiceView[Hanchan, F]):
    """Base of the pages about one hanchan, which are reached from match night and return there."""

    capability = Capability.SUBMIT

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return trail_of(self.row)

    @override
    def after(self, form: object) -> str:
        return night_of(self.row)


class SubstituteView(HanchanView[NameSubstituteForm]):
    """Name a substitute who sits for an entrant."""

    needs_open = True
    title = gettext_lazy("Name a substitute")
    explanation = gettext_lazy(
        "The points stay the player's. Who sat is shown beside them, and the reason in the log of changes."
    )

    @override
    def form(self, data: object = None) -> NameSubstituteForm:
        return NameSubstituteForm(data, hanchan=self.row, known=substitutes())

    @override
    def notes(self) -> Iterable[object]:
        """Yield the clauses of the rule book about substitutes (代打ち)."""
        name = rules_of(self.row).name
        if name in books():
            yield from (title_in(each.says) for each in load_book(name).clauses if RULE_TERM in each.terms)

    @override
    @transaction.atomic
    def perform(self, form: NameSubstituteForm, by: Actor) -> str:
        typed = form.cleaned_data
        seat = typed["seat"]
        for hanchan in self.concerned(seat.entrant_id, later_too=typed["is_for_all"]):
            name_substitute(
                hanchan=hanchan,
                entrant=seat.entrant,
                player=typed["player"],
                by=by,
                reason=typed["reason"],
                accept=form.accepted,
            )
        return _("Saved.")

    def concerned(self, entrant: int, *, later_too: bool) -> list[Hanchan]:
        """Return the page's hanchan and, if asked for, the table's later ones that have no result sheet."""
        rows = Hanchan.objects.filter(table_session=self.row.table_session_id, round__gt=self.row.round)
        states = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
        later = rows.filter(seats__entrant=entrant).exclude(
            pk__in=ResultSheet.objects.filter(state__in=states).values("hanchan")
        )
        return [self.row, *(later.order_by("round") if later_too else ())]


class AbandonView(HanchanView[ReasonForm]):
    """Abandon a hanchan, which then has no result."""

    capability = Capability.CORRECT
    form_class = ReasonForm
    needs_open = True
    title = gettext_lazy("Abandon a hanchan")
    explanation = gettext_lazy(
        "It will have no result. Sheets that wait for it are rejected. It can be taken back. A game that ended by time "
        "has a result: enter it and tick “Ended by time”."
    )
    submit = gettext_lazy("Abandon")
    is_grave = True

    @override
    def perform(self, form: ReasonForm, by: Actor) -> str:
        abandon_hanchan(hanchan=self.row, by=by, reason=form.cleaned_data["reason"])
        return _("Hanchan %(number)s is abandoned.") % {"number": self.row.round}


class WalkoverView(LookFirstView[Hanchan, WalkoverForm]):
    """Declare that a table does not play, with points for those who are there."""

    title = gettext_lazy("Walkover")
    explanation = gettext_lazy(
        "The hanchan is not played. Each player of the table gets the points, except house players and those recorded "
        "as absent. Taking up the hanchan again takes the points back."
    )
    submit = gettext_lazy("Declare the walkover")
    is_grave = True

    @override
    def form(self, data: object = None) -> WalkoverForm:
        competition = self.competition()
        ledger = ruleset_of(rules_at(competition)).ranking_ledger
        return WalkoverForm(data, ledger=ledger, asks=policies_of(competition).walkover.by == "ruling")

    @override
    def act(self, form: WalkoverForm, by: Actor, accept: Collection[str]) -> object:
        typed = form.cleaned_data
        return declare_walkover(
            hanchan=self.row, by=by, reason=typed["reason"], points=typed.get("points"), accept=accept
        )

    @override
    def done(self, form: object) -> str:
        return _("Hanchan %(number)s is not played; its players have the points.") % {"number": self.row.round}

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return trail_of(self.row)

    @override
    def after(self, form: object) -> str:
        return night_of(self.row)


class ResumeView(HanchanView[ReasonForm]):
    """Resume an abandoned hanchan."""

    capability = Capability.CORRECT
    form_class = ReasonForm
    needs_open = True
    title = gettext_lazy("Take back that a hanchan is abandoned")
    explanation = gettext_lazy("It is to be played, or goes on where its log stands.")

    @override
    def perform(self, form: ReasonForm, by: Actor) -> str:
        resume_hanchan(hanchan=self.row, by=by, reason=form.cleaned_data["reason"], accept=form.accepted)
        return _("Hanchan %(number)s can be played and entered.") % {"number": self.row.round}


class PhotosView(HanchanView[PhotoForm]):
    """Show, add and remove photos of a hanchan's result slip."""

    capability = Capability.READ
    form_class = PhotoForm
    title = gettext_lazy("Photos of the slip")
    template = "admin/league/photos.html"

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Add a photo, or remove one."""
        # The view's own capability is READ, which is enough for GET only.
        if not may(request, Capability.SUBMIT, self.competition().pk):
            raise PermissionDenied
        by = actor_of(request)
        if "remove" in request.POST:
            return self.delete_photo(by)
        form = PhotoForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                attach_photo(hanchan=self.row, file=form.cleaned_data["file"], by=by)
            except ServiceError as error:
                form.take(error)
            else:
                messages.success(request, _("The photo is kept."))
                return HttpResponseRedirect(page_of(self.row, "photos"))
        return self.show(form)

    def delete_photo(self, by: Actor) -> HttpResponse:
        """Remove the photo named by `remove`, with its reason, and redirect."""
        photo = self.photos().filter(pk=number_in(self.request.POST, "remove") or 0).first()
        if photo is None:
            raise Http404
        try:
            remove_photo(photo=photo, by=by, reason=self.request.POST.get("reason", ""))
        except ServiceError as error:
            for finding in error.findings:
                messages.error(self.request, finding.message)
        else:
            messages.success(self.request, _("The photo is taken away."))
        return HttpResponseRedirect(page_of(self.row, "photos"))

    def photos(self) -> QuerySet[SlipPhoto]:
        """Return the photos of the hanchan without their bytes."""
        return SlipPhoto.objects.filter(hanchan=self.row, removed_at=None).defer("picture").select_related("added_by")

    @override
    def more_context(self, form: PhotoForm, effect: object = None) -> Iterable[tuple[str, object]]:
        competition = self.competition()
        yield "hanchan", self.row
        yield "photos", list(self.photos())
        yield "gone", SlipPhoto.objects.filter(hanchan=self.row).exclude(removed_at=None).count()
        yield "may_add", may(self.request, Capability.SUBMIT, competition.pk)
        yield "may_remove", may(self.request, Capability.CONFIRM, competition.pk)
        yield "back", self.after(form)


class PictureView(PageView[Hanchan]):
    """Serve one photo as JPEG to the staff of its competition, cacheable by their browser only."""

    def get(self, request: HttpRequest, pk: int, photo: int) -> HttpResponse:
        """Return the photo; raise Http404 if it was removed or belongs to another hanchan."""
        row = SlipPhoto.objects.select_related("hanchan__block").filter(pk=photo, hanchan=pk, removed_at=None).first()
        if row is None or not self.model_admin.get_queryset(request).filter(pk=pk).exists():
            raise Http404
        if not may(request, Capability.READ, row.hanchan.block.competition_id):
            raise PermissionDenied
        # Uploaded bytes must not run as anything else: no scripts, no sniffing of the content type.
        headers = {
            "Cache-Control": "private, max-age=3600, immutable",
            "Content-Security-Policy": "default-src 'none'",
            "X-Content-Type-Options": "nosniff",
        }
        return HttpResponse(bytes(row.picture), content_type="image/jpeg", headers=headers)
