"""Import of online games in the admin: bring logs, look at what would become of each, choose, and import."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import actor_of
from league.admin.exchange.files import ExchangeView
from league.forms.exchange.paifu import LogsForm, choices_in
from league.forms.fields import number_of
from league.models import PaifuImport
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.selectors.access.actors import Capability
from league.services.exchange.paifu_import import (
    apply_paifu_import,
    begin_paifu_import,
    choose_in_import,
    continue_paifu_import,
)
from league.services.exchange.paifu_preview import preview_import
from league.web.live.paifu_pages import people_choices, shown_games

MOST_LISTED = 20
PROGRESS = "searches"
"""Parameter of the page's address that asks for the progress alone."""


class PaifuInView(ExchangeView[LogsForm]):
    """Import games played online into a competition."""

    capability = Capability.SUBMIT
    form_class = LogsForm
    title = gettext_lazy("Online games")
    explanation = gettext_lazy(
        "Nothing is written before you have seen each game: its players and hanchan, every hand with the points of the "
        "log beside those by your rules, and the result. Games of players who are not known yet ask who played."
    )

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponseBase:
        batch = self.batch()
        if batch is None:
            return self.bring(self.form_class())
        if PROGRESS in request.GET:
            response = render(request, "parts/paifu/progress.html", {"batch": batch})
            response["Cache-Control"] = "no-store"
            return response
        return self.look(batch)

    def batch(self) -> PaifuImport | None:
        """Return the import that the address names; None without one. Raise Http404 for one of another competition."""
        asked = self.request.GET.get("batch")
        if asked is None:
            return None
        rows = PaifuImport.objects.filter(competition=self.row).select_related("competition", "table_session")
        found = rows.filter(pk=number_of(asked) or 0).first()
        if found is None:
            raise Http404
        return found

    def bring(self, form: LogsForm) -> HttpResponse:
        """Show the form for logs, and the imports that are kept."""
        batches = PaifuImport.objects.filter(competition=self.row)[:MOST_LISTED]
        status = 422 if form.errors else 200
        return self.page("paifu_bring", status, form=form, explanation=self.explanation, batches=batches)

    def look(self, batch: PaifuImport, status: int = 200) -> HttpResponse:
        """Show what would become of each game now."""
        preview = preview_import(batch, actor_of(self.request))
        games = shown_games(preview)
        edits = self.request.GET.get("edit", "")
        return self.page(
            "paifu",
            status,
            batch=batch,
            games=games,
            may_choose=any(game.may_choose for game in games),
            people=people_choices(preview.people),
            ready=preview.ready,
            warnings=preview.warnings,
            accepted=batch.accept,
            edits=number_of(edits) or 0,
            address=f"{self.request.path}?batch={batch.pk}",
            back=self.request.path,
        )

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        batch = self.batch()
        return self.begin() if batch is None else self.decide(batch)

    def begin(self) -> HttpResponse:
        """Read the logs, and show the preview."""
        form = self.form_class(self.request.POST, self.request.FILES)
        if form.is_valid():
            try:
                batch = begin_paifu_import(competition=self.row, logs=form.logs(), by=actor_of(self.request))
            except ServiceError as error:
                form.take(error)
            else:
                return HttpResponseRedirect(f"{self.request.path}?batch={batch.pk}")
        return self.bring(form)

    def decide(self, batch: PaifuImport) -> HttpResponse:
        """Keep the choices; if asked for, import the games that are ready."""
        by = actor_of(self.request)
        choices = choices_in(self.request.POST, list(batch.games.values_list("number", flat=True)))
        try:
            choose_in_import(batch=batch, choices=choices, by=by)
            if self.request.POST.get("do") == "apply":
                accept = self.request.POST.getlist("accept")
                batch = apply_paifu_import(batch=batch, by=by, accept=accept)
                continue_paifu_import(batch.pk, batch.done)
        except ServiceError as error:
            messages.error(self.request, str(error))
        else:
            self.tell(batch)
        return HttpResponseRedirect(f"{self.request.path}?batch={batch.pk}")

    def tell(self, batch: PaifuImport) -> None:
        """Say how many games are imported."""
        if self.request.POST.get("do") == "apply":
            done = batch.games.filter(outcome="imported").count()
            said = _("%(done)s of %(total)s games are imported.") % {"done": done, "total": batch.total}
            messages.success(self.request, said)
