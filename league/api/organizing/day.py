"""Changes of organizers during an event: late arrivals, rounds planned again, pairings taken back."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from pydantic import Field
from rest_framework import serializers

from league.api.competitions.day_documents import EntrantState, entrant_state
from league.api.fields import AcceptField, BoundedListField, IdField, StrictSerializer
from league.api.organizing.base import OrganizerView
from league.api.organizing.entrants import AdmittedDocument, EntriesInput, people_of, players_of
from league.api.organizing.rows import seats_now
from league.api.organizing.schedule_documents import HanchanSeats
from league.api.writing import Checked, describe_write
from league.models import Pairing
from league.platform.errors import refuse
from league.selectors.access.actors import Actor
from league.selectors.competitions.seating.replanning import ReplanPlan, ReplanWish, planned_again, restoring
from league.services.competitions.arrivals import admit_late
from league.services.competitions.pairing import take_pairing_back
from league.services.competitions.replanning import replan_rounds, restore_plan
from league.services.competitions.roster import admit
from league.web.documents import Document, Ref
from scoring.seating.replan import Aim

MOST_CHANGES = 200


class LateArrivalInput(StrictSerializer):
    """A player who joins a block after its first hanchan."""

    player = IdField(help_text="The player's id.")
    first = serializers.IntegerField(min_value=2, max_value=1000, help_text="The first hanchan played, from 2 on.")
    reason = serializers.CharField(max_length=1000, help_text="Kept with the change.")
    accept = AcceptField()


class ReplanInput(StrictSerializer):
    """Changes in the hall, for which rounds are planned again."""

    first = serializers.IntegerField(min_value=1, max_value=1000, help_text="From the hanchan of this number on.")
    aim = serializers.ChoiceField([each.value for each in Aim], default=Aim.FEW_MOVES, help_text="What matters most.")
    leaving = BoundedListField(
        child=IdField(), max_length=MOST_CHANGES, default=list, help_text="Ids of the entrants who play no more."
    )
    joining = BoundedListField(
        child=IdField(), max_length=MOST_CHANGES, default=list, help_text="Ids of the entrants who play from now on."
    )
    newcomers = BoundedListField(
        child=serializers.CharField(max_length=100),
        max_length=MOST_CHANGES,
        default=list,
        help_text="Names of players who are not known yet.",
    )
    lost = BoundedListField(
        child=serializers.CharField(max_length=50),
        max_length=MOST_CHANGES,
        default=list,
        help_text="Names of the tables that cannot be used any more.",
    )
    keeps_clubs_apart = serializers.BooleanField(default=False, help_text="Clubs meet later, where possible.")
    keeps_countries_apart = serializers.BooleanField(default=False, help_text="The same for countries.")
    digest = serializers.CharField(max_length=64, required=False, help_text="That of a preview.")


class ReasonForEndInput(StrictSerializer):
    """Why something is taken back."""

    reason = serializers.CharField(max_length=1000, help_text="Kept with the change.")


class ChangedHanchan(Document):
    """A hanchan whose players or seats change."""

    hanchan: Ref = Field(description="The hanchan's id.")
    before: list[Ref] = Field(description="The entrants' ids in the order of seats; empty if it was not to be played.")
    after: list[Ref | None] = Field(
        description="The same from now on; null for a newcomer, empty if it is not played any more."
    )


class ReplanDocument(Document):
    """Rounds planned again."""

    digest: str = Field(description="Of all seats that change.")
    changed: list[ChangedHanchan] = Field(description="The hanchan that change, in their order.")


@describe_write("admit_late", LateArrivalInput, EntrantState)
class LateArrivalsView(OrganizerView):
    """Let a player join a block from a hanchan on; each one missed counts what the format says."""

    creates = True
    input_class = LateArrivalInput

    def change(self, values: Checked, by: Actor) -> EntrantState:
        """Admit the player."""
        player = players_of([values["player"]]).first()
        if player is None:
            raise refuse("unknown_player", _("There is no such player."), "/player")
        entrant = admit_late(block=self.block_of_path(), by=by, **{**values, "player": player.kept})
        return entrant_state(self.reader, entrant)


@describe_write("admit_players", EntriesInput, AdmittedDocument)
class AdmissionsView(OrganizerView):
    """Enter people after the roster was closed, and give each a place."""

    creates = True
    input_class = EntriesInput
    pointers = {"/players": "/people"}

    def change(self, values: Checked, by: Actor) -> AdmittedDocument:
        """Admit the people."""
        entered = admit(competition=self.competition, people=people_of(values["people"], by), by=by)
        return AdmittedDocument(entrants=[entrant_state(self.reader, row) for row in entered])


@describe_write("replan_rounds", ReplanInput, ReplanDocument)
class ReplanView(OrganizerView):
    """Plan rounds again after players have left or come, or tables were lost; played rounds stay as they are."""

    input_class = ReplanInput

    def change(self, values: Checked, by: Actor) -> ReplanDocument:
        """Plan the rounds, and write them as they were previewed."""
        block = self.block_of_path()
        wish = ReplanWish(
            first=values["first"],
            aim=Aim(values["aim"]),
            leaving=frozenset(values["leaving"]),
            joining=frozenset(values["joining"]),
            newcomers=tuple(values["newcomers"]),
            lost=frozenset(values["lost"]),
            keeps_clubs_apart=values["keeps_clubs_apart"],
            keeps_countries_apart=values["keeps_countries_apart"],
        )
        plan = planned_again(block, wish)
        if not self.is_preview:
            plan = replan_rounds(block=block, wish=wish, digest=values.get("digest", plan.digest), by=by)
        return replan_document(plan)


@describe_write("preview_replanning", ReplanInput, ReplanDocument)
class ReplanPreviewView(ReplanView):
    """Show which hanchan would change, and how. Nothing is written."""

    is_preview = True


def replan_document(plan: ReplanPlan) -> ReplanDocument:
    """Return rounds planned again."""
    return ReplanDocument(
        digest=plan.digest,
        changed=[
            ChangedHanchan(
                hanchan=str(game.hanchan.pk),
                before=[str(pk) for pk in game.before],
                after=[str(one.pk) if one.pk else None for one in game.after],
            )
            for game in plan.changed
        ],
    )


@describe_write("restore_plan", None, HanchanSeats)
class RestoreView(OrganizerView):
    """Undo the last replanning of a block: its hanchan return to the seats before."""

    def change(self, values: Checked, by: Actor) -> HanchanSeats:
        """Undo the replanning."""
        block = self.block_of_path()
        found = restoring(block)
        restore_plan(block=block, digest=found.digest, by=by)
        return seats_now(self, [hanchan for hanchan, _now, _then in found.games])


@describe_write("take_pairing_back", ReasonForEndInput, None)
class PairingBackView(OrganizerView):
    """Take a pairing back of which no hanchan has begun: its seats are empty again, and its tables stay."""

    input_class = ReasonForEndInput

    def change(self, values: Checked, by: Actor) -> None:
        """Take the pairing back."""
        rows = Pairing.objects.standing().filter(block=self.block_of_path())
        pairing = get_object_or_404(rows.select_related("block__competition"), number=self.kwargs["number"])
        take_pairing_back(pairing=pairing, by=by, reason=values["reason"])
