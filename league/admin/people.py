"""Players and their places in competitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import DeskAdmin, Link, ServiceView, may, page_of, show
from league.forms.service import ReasonForm
from league.forms.setup import PlayerForm
from league.models import Entrant, Player
from league.services.actor import Actor, Capability
from league.services.competitions import new_player, withdraw
from league.services.editing import PlayerWords, edit_player


class PlayerView(ServiceView):
    """What the pages about a person share: people belong to no competition."""

    form_class = PlayerForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """People are looked after by those who direct a competition."""
        self.request = request
        if not may(request, Capability.MANAGE):
            raise PermissionDenied
        if "pk" in kwargs:
            self.row = self.find(request, **kwargs)
        return super(ServiceView, self).dispatch(request, *args, **kwargs)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [(str(Player._meta.verbose_name_plural), reverse("admin:league_player_changelist"))]


class AddPlayerView(PlayerView):
    """A new person."""

    title = gettext_lazy("New player")

    @override
    def perform(self, form: Any, by: Actor) -> str:
        self.row = new_player(**form.cleaned_data)
        return _("%(name)s is known now.") % {"name": self.row}


class EditPlayerView(PlayerView):
    """Mend what is known of a person."""

    title = gettext_lazy("Edit")

    @override
    def form_arguments(self) -> dict[str, Any]:
        return {"initial": {name: getattr(self.row, name) for name in PlayerForm.base_fields}}

    @override
    def perform(self, form: Any, by: Actor) -> str:
        edit_player(player=self.row, words=PlayerWords(**form.cleaned_data), by=by)
        return _("Saved.")


@admin.register(Player)
class PlayerAdmin(DeskAdmin[Player]):
    """People; their names stand here and nowhere else."""

    competition_path = ""
    adding = Capability.MANAGE
    list_display = ["name", "name_kana", "name_romaji", "affiliation", "number", "key"]
    search_fields = ["name", "name_kana", "name_romaji", "key", "number", "affiliation"]
    list_filter = ["is_public"]
    exclude = ["user"]

    @override
    def views(self) -> Sequence[tuple[str, type[ServiceView]]]:
        return [("edit", EditPlayerView)]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form of the service."""
        if not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        return show(AddPlayerView, self, request)

    @override
    def links(self, request: HttpRequest, row: Player) -> Iterable[Link]:
        entrants = reverse("admin:league_entrant_changelist")
        yield Link(_("Competitions"), f"{entrants}?player__id__exact={row.pk}")
        if may(request, Capability.MANAGE):
            yield Link(_("Edit"), page_of(row, "edit"), is_main=True)


class WithdrawView(ServiceView):
    """An entrant plays no more."""

    form_class = ReasonForm
    title = gettext_lazy("Withdraw")
    explanation = gettext_lazy(
        "The results stay. Who takes later places is a decision of its own: "
        "pass the player over on the page of the block."
    )
    submit = gettext_lazy("Withdraw")
    is_grave = True

    @override
    def perform(self, form: Any, by: Actor) -> str:
        withdraw(entrant=self.row, by=by, reason=form.cleaned_data["reason"])
        return _("%(name)s has withdrawn.") % {"name": self.row}


@admin.register(Entrant)
class EntrantAdmin(DeskAdmin[Entrant]):
    """Who plays in which competition."""

    list_display = ["number", "player", "affiliation", "competition", "withdrawn_at"]
    list_display_links = ["player"]
    list_filter = [
        ("competition", admin.RelatedOnlyFieldListFilter),
        ("withdrawn_at", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["player", "competition"]
    search_fields = ["player__name", "player__name_kana", "player__name_romaji", "affiliation"]

    @override
    def views(self) -> Sequence[tuple[str, type[ServiceView]]]:
        return [("withdraw", WithdrawView)]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """A player's page leads to the player's competitions."""
        return lookup == "player__id__exact" or super().lookup_allowed(lookup, value, request)

    @override
    def links(self, request: HttpRequest, row: Entrant) -> Iterable[Link]:
        yield Link(_("Player"), page_of(row.player))
        if row.withdrawn_at is None and may(request, Capability.MANAGE, row.competition_id):
            yield Link(_("Withdraw..."), page_of(row, "withdraw"))
