"""Views of the games of a sitting: recorded, corrected and taken back, each with a preview."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404

from league.api.parlour.sitting_documents import (
    GamesDocument,
    PlayedDocument,
    SittingDocument,
    games_document,
    played_document,
    sitting_document,
)
from league.api.parlour.sitting_inputs import CorrectGameInput, RecordGameInput, TakeBackGameInput
from league.api.parlour.sitting_views import SittingWriteView
from league.api.results.entries import to_ledger_scale
from league.api.schema import describe_get
from league.api.writing import Checked, content_tag, describe_write
from league.models import Sitting
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import Running, running
from league.services.parlour.games import GameEntry, Person, correct_last_game, record_game, take_back_last_game
from league.services.results.entry import SheetEntry
from league.web.documents import Document
from scoring.ruleset import Ruleset


def game_entry(values: Checked, rules: Ruleset, first_dealer: int | None, entrants: Sequence[int] = ()) -> GameEntry:
    """Convert a validated game to the entry that the services take."""
    carried = {
        key: tuple(to_ledger_scale(amount, key, rules) for amount in amounts)
        for key, amounts in values.get("carried", {}).items()
    }
    return GameEntry(
        scores=tuple(values["scores"]),
        first_dealer=first_dealer,
        kyoutaku=values["kyoutaku"],
        chonbo=tuple(values.get("chonbo", ())),
        carried=carried,
        tobi=tuple((pair["busted"], pair["receiver"]) for pair in values.get("tobi", ())),
        forced_top=values.get("forced_top"),
        is_verdict=values["is_verdict"],
        options=values.get("options", {}),
        entrants=tuple(entrants),
    )


class PlayedView(SittingWriteView):
    """Base of the views that return a game with the sitting after it; the ETag is that of the sitting."""

    pointers = {"/people": "/players"}

    def tag_after(self, document: Document) -> str:
        """Return the ETag of the sitting."""
        return content_tag(document.sitting if isinstance(document, PlayedDocument) else document)


@describe_get("list_games", GamesDocument)
@describe_write("record_game", RecordGameInput, PlayedDocument)
class GamesView(PlayedView):
    """List the games of a sitting that count. A POST records the next one; guests in their last game leave."""

    http_method_names = ["get", "head", "post", "options"]
    creates = True
    input_class = RecordGameInput

    def build(self) -> GamesDocument:  # type: ignore[override]  # the games, not the sitting
        """Return the games."""
        return games_document(self.sitting(self.kwargs["pk"]))

    def change(self, values: Checked, by: Actor) -> PlayedDocument:
        """Record the game."""
        sitting = self.sitting(self.kwargs["pk"])
        table = running(sitting)
        sheet = record_game(
            sitting=sitting,
            game=game_entry(values, table.rules, values["first_dealer"], self.seen(table, values)),
            by=by,
            accept=values["accept"],
            expected_round=values.get("round"),
            day=values.get("day"),
            at=values.get("at"),
        )
        return played_document(sheet)

    def seen(self, table: Running, values: Checked) -> list[int]:
        """Return the entrants that the client saw on the chairs; 0 stands for a player who sits on none."""
        there = {seat.entrant.player_id: seat.entrant_id for seat in table.seated}
        return [there.get(pk, 0) for pk in values.get("players", ())]


@describe_write("preview_game", RecordGameInput, PlayedDocument)
class GamePreviewView(GamesView):
    """Return a game as it would be settled, and the sitting after it. Nothing is written."""

    http_method_names = ["post", "options"]
    is_preview = True


@describe_write("correct_last_game", CorrectGameInput, PlayedDocument, match=True)
class CorrectGameView(PlayedView):
    """Correct the newest game of a sitting, with a reason; If-Match has the ETag of the sitting."""

    input_class = CorrectGameInput
    demands_match = True

    def change(self, values: Checked, by: Actor) -> PlayedDocument:
        """Correct the game."""
        sitting = self.sitting(self.kwargs["pk"])
        table = running(sitting)
        if table.last is None:
            raise Http404
        sheet = correct_last_game(
            sitting=sitting,
            entry=self.entry(table, values),
            corrects=table.last.sheet.revision,
            by=by,
            reason=values["reason"],
            accept=values["accept"],
            expected_round=values.get("round"),
        )
        return played_document(sheet)

    def entry(self, table: Running, values: Checked) -> SheetEntry:
        """Return the corrected sheet of the last game, with the players who sat."""
        if table.last is None:
            raise Http404
        before = SheetEntry.of_sheet(table.last.sheet)
        people = [Person(seat.entrant, seat.player) for seat in before.seats]
        return game_entry(values, table.rules, 0 if before.are_seats_known else None).sheet(people)


@describe_write("preview_game_correction", CorrectGameInput, PlayedDocument, match=True)
class CorrectGamePreviewView(CorrectGameView):
    """Return the newest game as it would be settled after a correction. Nothing is written."""

    is_preview = True


@describe_write("take_back_last_game", TakeBackGameInput, SittingDocument, match=True)
class TakeBackGameView(SittingWriteView):
    """Take the newest game of a sitting back, with a reason, as if it had not been played."""

    input_class = TakeBackGameInput
    demands_match = True

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Take the game back."""
        sitting = self.sitting(self.kwargs["pk"])
        take_back_last_game(sitting=sitting, by=by, reason=values["reason"])
        return sitting_document(Sitting.objects.get(pk=sitting.pk))
