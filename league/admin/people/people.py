"""Admin of players, with their personal data, and of entrants in competitions."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import (
    F,
    LeagueModelAdmin,
    ObjectLink,
    OfNoCompetitionView,
    ServiceView,
    actor_of,
    may,
    page_of,
    show,
)
from league.admin.competitions.day_actions import DisqualifyView, NoShowView, WithdrawView, actions_for
from league.admin.lists import RelatedFilter
from league.admin.people.pictures import PictureView
from league.admin.seasons.teams import AddMemberView, TeamView
from league.forms.competitions.setup import EntrantForm, PlayerForm, PlayerWordsForm
from league.forms.people.merging import MergeForm
from league.forms.people.online_accounts import OnlineAccountsForm
from league.forms.people.pictures import PictureForm
from league.forms.service import ServiceForm
from league.models import Competition, Entrant, Player
from league.selectors.access.actors import Actor, Capability, has_right
from league.selectors.people.personal_data import PROFILE, person_document
from league.services.access.accounts import note_handed_out
from league.services.competitions.editing import EntrantWords, PlayerWords, edit_entrant, edit_player
from league.services.competitions.setup import new_player
from league.services.parlour.people import merge_players
from league.services.people.erasure import RIGHT, erasable, erase_player
from league.services.people.online_accounts import forget_account, remember_account
from league.templatetags.jantaku import mark
from league.web.table_files import personal_data_file
from league.wording.names import person_name

WORDS = {"erase", "消去"}


class PlayerView(OfNoCompetitionView[Player, F]):
    """Base of the pages about a player, who belongs to no competition."""

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return may(request, Capability.MANAGE)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [(str(Player._meta.verbose_name_plural), reverse("admin:league_player_changelist"))]


class AddPlayerView(PlayerView[PlayerForm]):
    """Add a player."""

    form_class = PlayerForm
    title = gettext_lazy("New player")

    @override
    def find(self, request: HttpRequest) -> Player:
        return Player()

    @override
    def perform(self, form: PlayerForm, by: Actor) -> str:
        self.row = new_player(**form.cleaned_data, by=by)
        return _("%(name)s is known now.") % {"name": self.row}

    @override
    def subtitle(self) -> str:
        return ""


class EditPlayerView(PlayerView[PlayerWordsForm]):
    """Edit a player's names, affiliation, country, number and mark."""

    form_class = PlayerWordsForm
    title = gettext_lazy("Edit")

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"initial": {name: getattr(self.row, name) for name in PlayerWordsForm.base_fields}}

    @override
    def perform(self, form: PlayerWordsForm, by: Actor) -> str:
        edit_player(player=self.row, words=PlayerWords(**form.cleaned_data), by=by)
        return _("Saved.")


class PlayerPictureView(PictureView, PlayerView[PictureForm]):
    """Picture of a player."""

    row: Player


class EraseForm(ServiceForm):
    """Confirmation of an erasure by typing a word, against accidental clicks."""

    word = forms.CharField(label=gettext_lazy("To go on, type: erase"), max_length=20)

    def clean_word(self) -> str:
        """Accept the word in Japanese or English, in any case."""
        word: str = self.cleaned_data["word"]
        if word.strip().lower() not in WORDS:
            raise forms.ValidationError(_("Type the word as it stands there."))
        return word


class OfOnePersonView(PlayerView[F]):
    """Base of the pages that show or erase everything stored about a player."""

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return has_right(request.user, RIGHT) and super().is_allowed(request)


class ErasePlayerView(OfOnePersonView[EraseForm]):
    """Erase the personal data of a player; results stay under a number."""

    form_class = EraseForm
    title = gettext_lazy("Erase this person")
    explanation = gettext_lazy(
        "Name, readings, affiliation, country, number, public handle and pictures are gone for good; results and "
        "rankings stay as they are, under “Erased player” and a number. This cannot be undone. Backups made before "
        "still hold the name."
    )
    submit = gettext_lazy("Erase for good")
    is_grave = True

    @override
    def notes(self) -> Iterable[object]:
        found = erasable(self.row)
        yield _("Entries of this person: %(entries)s. Competitions: %(competitions)s. Results kept: %(results)s.") % {
            "entries": found.entries,
            "competitions": found.competitions,
            "results": found.results,
        }
        if found.photos:
            yield _(
                "Photos of slips that will be emptied, since names are written on them: %(photos)s. "
                "The results typed from them stay."
            ) % {"photos": found.photos}
        if found.mentions:
            yield _("Reasons in the log in which a name of this person stands, and which stay: %(mentions)s.") % {
                "mentions": found.mentions
            }
        yield format_html(
            '<a href="{}">{}</a>', page_of(self.row, "data"), _("First download what is kept of this person (JSON)")
        )

    @override
    def perform(self, form: object, by: Actor) -> str:
        self.row = erase_player(player=self.row, by=by)
        return _("Erased. The entry is called “%(name)s” from now on.") % {"name": person_name(self.row)}


class PersonDataView(OfOnePersonView[ServiceForm]):
    """Download everything stored about a player, to hand over to that person."""

    http_method_names = ["get", "head", "options"]

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Return the JSON file and log that it was handed out."""
        response = personal_data_file(person_document(self.row), f"{self.row.key}.json")
        note_handed_out(subject=self.row, by=actor_of(request))
        return response


class MergeView(PlayerView[MergeForm]):
    """Merge a duplicate player into another entry, which is kept."""

    form_class = MergeForm
    title = gettext_lazy("Entered twice")
    explanation = gettext_lazy(
        "Everything of this entry counts for the one you choose: places in leagues, results, visits to a parlour. "
        "Nothing is lost; the log keeps both. Two who sat in one game, or who both entered one league, stay two."
    )
    submit = gettext_lazy("Make them one")
    is_grave = True

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"duplicate": self.row}

    @override
    def perform(self, form: MergeForm, by: Actor) -> str:
        keep, reason = form.cleaned_data["keep"], form.cleaned_data["reason"]
        merge_players(duplicate=self.row, keep=keep, by=by, reason=reason)
        self.row = keep
        return _("Both entries are %(name)s from now on.") % {"name": keep}


class OnlineAccountsView(PlayerView[OnlineAccountsForm]):
    """Remember and forget the accounts of a player at online services."""

    form_class = OnlineAccountsForm
    title = gettext_lazy("Online accounts")
    explanation = gettext_lazy(
        "Logs of online games find their players by these ids and names. An import remembers those that were chosen."
    )

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"accounts": self.row.online_accounts.all()}

    @override
    def perform(self, form: OnlineAccountsForm, by: Actor) -> str:
        for account in form.cleaned_data.get("forget") or ():
            forget_account(account=account, by=by)
        given = {name: form.cleaned_data[name] for name in ("service", "kind", "text")}
        if given["text"].strip():
            remember_account(player=self.row, by=by, **given)
        return _("Saved.")

    @override
    def after(self, form: object) -> str:
        return page_of(self.row, "accounts")


@admin.register(Player)
class PlayerAdmin(LeagueModelAdmin[Player]):
    """List players. No other model stores their names."""

    competition_path = ""
    adding = Capability.MANAGE
    list_display = ["marked_name", "name_kana", "name_romaji", "affiliation", "country", "number"]
    search_fields = ["name", "name_kana", "name_romaji", "key", "number", "affiliation", "country"]
    list_filter = ["is_public"]
    fields = [*PROFILE, "key", "merged_into", "erased_at"]
    views = [
        ("edit", EditPlayerView),
        ("picture", PlayerPictureView),
        ("accounts", OnlineAccountsView),
        ("merge", MergeView),
        ("erase", ErasePlayerView),
        ("data", PersonDataView),
    ]

    @admin.display(description=Player._meta.get_field("name").verbose_name, ordering="name")
    def marked_name(self, row: Player) -> SafeString:
        """Return the name with the player's tile."""
        return format_html("{} {}", mark(row), row.name)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Show the service's form in place of Django's."""
        if not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        return show(AddPlayerView, self, request)

    @override
    def links(self, request: HttpRequest, row: Player) -> Iterable[ObjectLink]:
        entrants = reverse("admin:league_entrant_changelist")
        yield ObjectLink(_("Competitions"), f"{entrants}?player__id__exact={row.pk}")
        if may(request, Capability.MANAGE) and row.erased_at is None:
            yield ObjectLink(_("Edit"), page_of(row, "edit"), is_main=True)
            if row.merged_into_id is None:
                yield ObjectLink(_("Picture"), page_of(row, "picture"))
                if not row.is_team:
                    yield ObjectLink(_("Online accounts"), page_of(row, "accounts"))
                yield ObjectLink(_("Entered twice..."), page_of(row, "merge"))
        if has_right(request.user, RIGHT):
            yield ObjectLink(_("What is kept (JSON)"), page_of(row, "data"))
            if row.erased_at is None and row.merged_into_id is None:
                yield ObjectLink(_("Erase..."), page_of(row, "erase"))


class EditEntrantView(ServiceView[Entrant, EntrantForm]):
    """Edit an entrant's club and country in the competition."""

    form_class = EntrantForm
    title = gettext_lazy("Edit")
    explanation = gettext_lazy("Club and country for this competition; the player's own entry stays as it is.")

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"initial": {name: getattr(self.row, name) for name in EntrantForm.base_fields}}

    @override
    def perform(self, form: EntrantForm, by: Actor) -> str:
        edit_entrant(entrant=self.row, words=EntrantWords(**form.cleaned_data), by=by)
        return _("Saved.")


@admin.register(Entrant)
class EntrantAdmin(LeagueModelAdmin[Entrant]):
    """List the entrants of competitions."""

    list_display = ["number", "marked_player", "affiliation", "country", "competition", "withdrawn_at"]
    list_display_links = ["marked_player"]
    list_filter = [
        ("competition", RelatedFilter),
        ("withdrawn_at", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["player", "competition"]
    search_fields = ["player__name", "player__name_kana", "player__name_romaji", "affiliation", "country"]
    views = [
        ("edit", EditEntrantView),
        ("withdraw", WithdrawView),
        ("disqualify", DisqualifyView),
        ("no-show", NoShowView),
        ("team", TeamView),
        ("member", AddMemberView),
    ]

    @admin.display(description=Player._meta.verbose_name, ordering="player")
    def marked_player(self, row: Entrant) -> SafeString:
        """Return the player with their tile."""
        return format_html("{} {}", mark(row.player), row.player)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow the link from a player's page to the player's competitions."""
        return lookup == "player__id__exact" or super().lookup_allowed(lookup, value, request)

    @override
    def links(self, request: HttpRequest, row: Entrant) -> Iterable[ObjectLink]:
        if row.player.is_team and may(request, Capability.MANAGE, row.competition_id):
            yield ObjectLink(_("Team"), page_of(row, "team"), is_main=True)
        yield ObjectLink(_("Player"), page_of(row.player))
        if row.player.erased_at is None and may(request, Capability.MANAGE, row.competition_id):
            yield ObjectLink(_("Edit"), page_of(row, "edit"), is_main=True)
        if row.competition.kind == Competition.Kind.LEAGUE:
            yield ObjectLink(_("The day"), page_of(row.competition, "day"))
        yield from actions_for(request, row, row.departures.filter(ended_n=None).first())
