"""Views of imports of online games: bring logs, read what would become of each, and import them."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.base import CompetitionView
from league.api.exchange.paifu_documents import PaifuImportDocument, import_document
from league.api.fields import AcceptField, BoundedListField, IdField, OptionalTextField, StrictSerializer
from league.api.idempotency import IDEMPOTENCY_KEY
from league.api.schema import describe_get, describe_post
from league.api.writing import Checked, WritingView
from league.files.pasted_logs import BroughtLog, log_in
from league.models import PaifuImport
from league.selectors.access.actors import Capability, capabilities, require
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.services.exchange.paifu_import import (
    MOST_GAMES,
    GameChoice,
    apply_paifu_import,
    begin_paifu_import,
    choose_in_import,
    continue_paifu_import,
)
from league.services.exchange.paifu_preview import preview_import

LONGEST_LOG = 2_000_000


class LogTextInput(StrictSerializer):
    """One log as text."""

    name = OptionalTextField(max_length=200, help_text="The name of the file.")
    text = serializers.CharField(
        max_length=LONGEST_LOG,
        trim_whitespace=False,
        help_text="The log, or a tenhou.net/6 link with the log in it.",
    )


class LogsInput(StrictSerializer):
    """Logs of online games."""

    logs = BoundedListField(child=LogTextInput(), min_length=1, max_length=MOST_GAMES)


class ChosenSeatInput(StrictSerializer):
    """The person who sat in a seat."""

    seat = serializers.IntegerField(min_value=0, max_value=3, help_text="The seat, 0 for the first dealer.")
    entrant = IdField(help_text="The entrant's id.")
    player = IdField(required=False, help_text="Who sat for a team; without it the entrant's own player.")


class GameChoiceInput(StrictSerializer):
    """The choices for one game."""

    number = serializers.IntegerField(min_value=1, max_value=MOST_GAMES, help_text="The number of the game.")
    seats = BoundedListField(child=ChosenSeatInput(), required=False, max_length=4, help_text="Who played.")
    hanchan = IdField(required=False, help_text="The hanchan, instead of the one found.")
    leave_out = serializers.BooleanField(default=False, help_text="The game is not imported.")


class ApplyInput(StrictSerializer):
    """The games to be imported: all of them, with choices and accepted warnings."""

    games = BoundedListField(child=GameChoiceInput(), required=False, max_length=MOST_GAMES)
    accept = AcceptField()


class PaifuView(WritingView, CompetitionView):
    """Base of the views of imports, for users allowed to enter results. A repeated POST works once (idempotency)."""

    permission_classes = [IsAuthenticated]
    creates = True

    def batch(self) -> PaifuImport:
        """Return the import. Raise Http404 unless the user may enter results in its competition."""
        self.find(slug=self.kwargs["slug"])
        if Capability.SUBMIT not in capabilities(self.request.user, self.reader.competition):
            raise Http404
        rows = PaifuImport.objects.filter(competition=self.reader.competition)
        return get_object_or_404(rows.select_related("competition", "table_session"), pk=self.kwargs["pk"])

    def write(self, reader: Reader) -> object:
        """Raise Http404: only one import can be read."""
        raise Http404

    def shown(self, batch: PaifuImport) -> PaifuImportDocument:
        """Return the import as it is now."""
        return import_document(preview_import(batch, actor_of(self.request)))


@describe_post("bring_online_games", LogsInput, PaifuImportDocument, status=201, headers=(IDEMPOTENCY_KEY,))
class PaifuImportsView(PaifuView):
    """Read logs of online games, and return what would become of each. No result is written."""

    http_method_names = ["post", "options"]

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Read the logs."""
        self.find(slug=self.kwargs["slug"])
        require(actor_of(request), self.reader.competition, Capability.SUBMIT)
        sent: list[dict[str, str]] = LogsInput.check(request.data)["logs"]
        logs = [BroughtLog(each["name"], log_in(each["text"].strip())) for each in sent]
        return self.run_once(
            lambda by: self.shown(begin_paifu_import(competition=self.reader.competition, logs=logs, by=by)), 201
        )


@describe_get("get_online_games", PaifuImportDocument)
class PaifuImportView(PaifuView):
    """Return an import of online games: its progress, and what became or would become of each game."""

    row: PaifuImport

    def open(self, **path: object) -> None:
        """Find the import."""
        self.row = self.batch()

    def etag(self) -> str:
        """Return an ETag made of the import's progress and of the competition's version."""
        state = (self.row.touched_at.isoformat(), self.row.done, self.row.state, self.reader.competition.version)
        return etag_of(self.reader, state, *self.representation())

    def write(self, reader: Reader) -> PaifuImportDocument:
        """Return the import."""
        return self.shown(self.row)


@describe_post("import_online_games", ApplyInput, PaifuImportDocument, headers=(IDEMPOTENCY_KEY,))
class ApplyPaifuView(PaifuView):
    """Import the games that are ready; those that are refused stay with their findings and can be applied again."""

    http_method_names = ["post", "options"]

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Keep the choices, and begin to import; a long import goes on in the background."""
        batch, by = self.batch(), actor_of(request)
        values = ApplyInput.check(request.data)
        sent: list[Checked] = values.get("games", [])
        own = {one.pk: one.player_id for one in self.reader.competition.entrants.all()} if sent else {}

        def work() -> PaifuImport:
            if sent:
                choices = {each["number"]: choice_of(each, own) for each in sent}
                choose_in_import(batch=batch, choices=choices, by=by)
            begun = apply_paifu_import(batch=batch, by=by, accept=values["accept"])
            continue_paifu_import(begun.pk, begun.done)
            begun.refresh_from_db()
            return begun

        return self.run_once(lambda _by: self.shown(work()))


def choice_of(sent: Checked, own: dict[int, int]) -> GameChoice:
    """Return the choices for one game; `own` has each entrant's own player."""
    seats = {
        str(each["seat"]): (each["entrant"], each.get("player") or own.get(each["entrant"], 0))
        for each in sent.get("seats", [])
    }
    return GameChoice(seats, sent.get("hanchan"), sent["leave_out"])
