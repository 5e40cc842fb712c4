"""Revisions of a hanchan's result with author, time, channel and differences, and a page that reverts to one."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from typing_extensions import override

from league.admin.base import LeagueModelAdmin, M, may, page_of
from league.admin.operations.start import hidden_from
from league.admin.results.confirmation import LookFirstView
from league.forms.service import ReasonForm
from league.models import Competition, Hanchan, ResultSheet
from league.platform.rendering import render
from league.selectors.access.actors import Actor, Capability
from league.selectors.results.revisions import revisions_of
from league.services.results.corrections import revert_result


def trail_of(hanchan: Hanchan) -> list[tuple[str, str]]:
    """Return the breadcrumbs to a hanchan: its competition and its table, as pairs of name and address."""
    competition, table = hanchan.block.competition, hanchan.table_session
    return [(str(competition), page_of(competition)), (str(table), page_of(table, "entry"))]


def revisions_page(model_admin: LeagueModelAdmin[M], request: HttpRequest, pk: int) -> HttpResponse:
    """Render all revisions of a hanchan's result, newest first, each compared with the one before."""
    rows = Hanchan.objects.select_related("block__competition", "table_session__session", "table_session__block")
    hanchan = rows.select_related("rules__ruleset").filter(pk=pk).first()
    if hanchan is None:
        raise Http404
    competition = hanchan.block.competition
    if not may(request, Capability.READ, competition.pk):
        raise PermissionDenied
    context = {
        **model_admin.admin_site.each_context(request),
        "title": pgettext("result", "Revisions"),
        "subtitle": str(hanchan),
        "hanchan": hanchan,
        "trail": trail_of(hanchan),
        "revisions": revisions_of(hanchan, hidden_from(request)),
        "may_revert": may(request, Capability.CORRECT, competition.pk)
        and competition.status != Competition.Status.CLOSED,
        "opts": model_admin.opts,
    }
    return render(request, "admin/league/revisions.html", context)


class RevertView(LookFirstView[ResultSheet, ReasonForm]):
    """Revert to an earlier revision by submitting it again as the newest."""

    capability = Capability.CORRECT
    form_class = ReasonForm
    title = gettext_lazy("Revert to this revision")
    explanation = gettext_lazy(
        "What this revision says is handed in once more, as the newest one. The others stay, so this can be undone too."
    )
    submit = gettext_lazy("Revert")
    look_at_once = True

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [*trail_of(self.row.hanchan), (pgettext("result", "Revisions"), page_of(self.row.hanchan, "revisions"))]

    @override
    def notes(self) -> Iterable[object]:
        return [_("Revision %(revision)s of %(hanchan)s") % self.words()]

    def words(self) -> dict[str, object]:
        """Return the parameters of the messages: the revision's number and the hanchan's name."""
        return {"revision": self.row.revision, "hanchan": str(self.row.hanchan)}

    @override
    def act(self, form: ReasonForm, by: Actor, accept: Collection[str]) -> object:
        # `corrects` names the revision that counts now, so a correction made meanwhile is reported as a conflict.
        counting = ResultSheet.objects.counting_of(self.row.hanchan_id)
        return revert_result(
            hanchan=self.row.hanchan,
            revision=self.row.revision,
            corrects=counting.revision if counting else None,
            by=by,
            reason=form.cleaned_data["reason"],
            accept=accept,
        )

    @override
    def done(self, form: object) -> str:
        return _("Revision %(revision)s is handed in once more.") % self.words()

    @override
    def after(self, form: object) -> str:
        return page_of(self.row.hanchan, "revisions")
