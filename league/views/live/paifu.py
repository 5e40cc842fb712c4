"""Import of online games at a table: by its scorer, or by one of its players with their link."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.forms.exchange.paifu import LogsForm, choices_in
from league.forms.fields import number_of
from league.models import Competition, PaifuImport
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.selectors.live.access import Visitor, visitor_at
from league.services.exchange.paifu_import import (
    apply_paifu_import,
    begin_paifu_import,
    choose_in_import,
    continue_paifu_import,
)
from league.services.exchange.paifu_preview import preview_import
from league.views.live.pages import refused
from league.views.live.sheet import actor_of
from league.web.live.paifu_pages import people_choices, shown_games


@never_cache
@require_http_methods(["GET", "POST"])
def paifu(request: HttpRequest, table: int) -> HttpResponseBase:
    """Bring logs of this table's games, look at them, and import them.

    A player's link brings games of its own table alone; organizers confirm their results.
    """
    visitor = visitor_at(request, table)
    if visitor is None:
        return refused(request, table)
    # At an open table games are added by its staff; what guests are called is not shown to each other.
    is_open = visitor.table_session.competition.kind == Competition.Kind.OPEN and not visitor.is_staff
    if is_open or (not visitor.may_write and visitor.approves_for is None):
        raise Http404(_("There is no such table."))
    with timezone.override(ZoneInfo(visitor.table_session.competition.time_zone)):
        batch = batch_of(request, visitor)
        if batch is None:
            return bring(request, visitor)
        return decide(request, visitor, batch) if request.method == "POST" else look(request, visitor, batch)


def batch_of(request: HttpRequest, visitor: Visitor) -> PaifuImport | None:
    """Return the import that the address names; None without one. Raise Http404 unless this visitor brought it."""
    asked = request.GET.get("batch")
    if asked is None:
        return None
    rows = PaifuImport.objects.filter(table_session=visitor.table_session).select_related("competition", "link")
    own = rows.filter(made_by=visitor.user) if visitor.user else rows.filter(made_by=None, link=visitor.link)
    found = own.filter(pk=number_of(asked) or 0).first()
    if found is None:
        raise Http404(_("There is no such import."))
    return found


def bring(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """Show the form for logs; read what was brought."""
    form = LogsForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        table = visitor.table_session
        try:
            batch = begin_paifu_import(
                competition=table.competition, logs=form.logs(), by=actor_of(visitor), table=table
            )
        except ServiceError as error:
            form.take(error)
        else:
            return redirect(f"{request.path}?batch={batch.pk}")
    return render(
        request, "live/paifu_bring.html", {**shared(visitor), "form": form}, status=422 if form.errors else 200
    )


def look(request: HttpRequest, visitor: Visitor, batch: PaifuImport) -> HttpResponse:
    """Show what would become of each game now."""
    preview = preview_import(batch, actor_of(visitor))
    context = {
        **shared(visitor),
        "batch": batch,
        "games": shown_games(preview),
        "people": people_choices(preview.people),
        "ready": preview.ready,
        "warnings": preview.warnings,
        "accepted": batch.accept,
        "edits": number_of(request.GET.get("edit")) or 0,
        "address": f"{request.path}?batch={batch.pk}",
        "error": request.session.pop("paifu_error", ""),
    }
    return render(request, "live/paifu.html", context)


def decide(request: HttpRequest, visitor: Visitor, batch: PaifuImport) -> HttpResponse:
    """Keep the choices; if asked for, import the games that are ready."""
    by = actor_of(visitor)
    choices = choices_in(request.POST, list(batch.games.values_list("number", flat=True)))
    try:
        choose_in_import(batch=batch, choices=choices, by=by)
        if request.POST.get("do") == "apply":
            batch = apply_paifu_import(batch=batch, by=by, accept=request.POST.getlist("accept"))
            continue_paifu_import(batch.pk, batch.done)
    except ServiceError as error:
        request.session["paifu_error"] = str(error)
    return redirect(f"{request.path}?batch={batch.pk}")


def shared(visitor: Visitor) -> dict[str, object]:
    """Return the context common to both pages."""
    table = visitor.table_session
    page = "table-sheet" if visitor.may_write else "table-confirm"
    return {"visitor": visitor, "table_session": table, "competition": table.competition, "back": page}
