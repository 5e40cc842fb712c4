"""Write departures, rounds not played, members of teams and line-ups as a competition's file has them.

The services that first wrote them derived more from them, such as byes after a withdrawal. Those consequences are
facts of the file too, so that running the services again would write them twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import Competition, Credit, Departure, Entrant, HanchanSeat, LineUp, Paifu, Pairing, TeamMember
from league.platform.errors import conflict
from league.selectors.access.actors import Actor
from league.services.access.changes import OpenChange, open_change
from league.services.results.rulings import nothing_held_back

Restored = Departure | Credit


@dataclass
class Restorer:
    """Writes facts under one change for each step of the file, so that facts made together stay together."""

    competition: Competition
    by: Actor
    step: int | None = None
    change: OpenChange | None = None

    def write(self, row: Restored, step: int | None) -> Restored:
        """Write the row and return it; an entrant who has left already, as in files of earlier releases, stays so."""
        if isinstance(row, Departure):
            holding: Departure | None = Departure.objects.standing().filter(entrant=row.entrant).first()
            if holding is not None:
                return holding
            kind = f"entrant.{row.kind}"
        else:
            refuse_second_credit(row)
            kind = "credit.given"
        change, is_new = self._change_of(step)
        row.made_n = change.n
        row.save(force_insert=True)
        if isinstance(row, Departure):
            Entrant.objects.filter(pk=row.entrant_id).update(withdrawn_at=row.at)
        if is_new:
            self._record(change, kind, row, row.reason, of=row.entrant if isinstance(row, Departure) else row)
        return row

    def write_pairing(self, row: Pairing, step: int | None) -> None:
        """Write a paired round; its seats are those of the schedule, and its byes are facts of their own."""
        if Pairing.objects.standing().filter(block=row.block, number=row.number).exists():
            message = _("Round %(number)s of %(block)s is paired twice.") % {"number": row.number, "block": row.block}
            raise conflict("paired_twice", message, "/number")
        change, is_new = self._change_of(step)
        row.made_n = change.n
        row.save(force_insert=True)
        if is_new:
            is_public = nothing_held_back(self.competition)
            after = {"number": row.number, "seed": row.seed, "digest": row.digest}
            change.record("round.paired", row.block, after=after, is_public=is_public)

    def write_members(self, rows: Sequence[TeamMember]) -> None:
        """Write the members of all teams under one change."""
        if rows:
            change, _is_new = self._change_of(None)
            for row in rows:
                row.made_n = change.n
            TeamMember.objects.bulk_create(rows)
            change.record("team.members_added", rows[0].entrant, after={"players": [row.player_id for row in rows]})

    def write_records(self, rows: Iterable[Paifu]) -> None:
        """Write the records of games played online, each under a change of its own."""
        for row in rows:
            change = open_change(self.competition, self.by)
            row.made_n = change.n
            row.save(force_insert=True)
            after = {"source": row.source, "game": row.game, "digest": row.digest}
            change.record("paifu.imported", row.hanchan, after=after, is_public=False)

    def write_substitutes(self, seats: Iterable[HanchanSeat]) -> None:
        """Write the planned substitutes, each under a change of its own."""
        for seat in seats:
            change = open_change(self.competition, self.by)
            seat.save(update_fields=["player"])
            change.record(
                "hanchan.substituted",
                seat.hanchan,
                after={"entrant": seat.entrant_id, "player": seat.player_id},
                is_public=seat.hanchan.table_session.is_released,
            )

    def write_line_up(self, row: LineUp, step: int | None) -> None:
        """Write a line-up in place of those that it contradicts; unless it is secret, the seat shows the member."""
        change, is_new = self._change_of(step)
        others = LineUp.objects.standing().filter(hanchan=row.hanchan)
        others.filter(Q(entrant=row.entrant) | Q(player=row.player)).update(ended_n=change.n)
        row.made_n = change.n
        row.save(force_insert=True)
        if not row.is_secret:
            HanchanSeat.objects.filter(hanchan=row.hanchan, entrant=row.entrant).update(player=row.player)
        if is_new:
            is_public = not row.is_secret and row.hanchan.table_session.is_released
            change.record("line_up.named", row.hanchan, reason=row.reason, is_public=is_public)

    def end(self, row: Restored, step: int | None, reason: str) -> None:
        """End a row; an entrant whose departure ends plays on."""
        change, is_new = self._change_of(step)
        type(row).objects.filter(pk=row.pk).update(ended_n=change.n)
        if isinstance(row, Departure):
            Entrant.objects.filter(pk=row.entrant_id).update(withdrawn_at=None)
        if is_new:
            self._record(change, f"{type(row).__name__.lower()}.taken_back", row, reason, of=row)

    def _change_of(self, step: int | None) -> tuple[OpenChange, bool]:
        """Return the change of a step, and True if it is a new one."""
        if self.change is not None and step is not None and step == self.step:
            return self.change, False
        self.step, self.change = step, open_change(self.competition, self.by)
        return self.change, True

    def _record(self, change: OpenChange, kind: str, row: Restored, reason: str, *, of: Entrant | Restored) -> None:
        change.record(kind, of, reason=reason, is_public=nothing_held_back(self.competition, row))


def refuse_second_credit(row: Credit) -> None:
    """Raise ConflictError if this round is credited to the entrant already."""
    there = Credit.objects.standing().filter(block=row.block, entrant=row.entrant, number=row.number)
    if there.exists():
        message = _("%(entrant)s has a credit for hanchan %(number)s of %(block)s already.")
        told = {"entrant": row.entrant, "number": row.number, "block": row.block}
        raise conflict("credited_twice", message % told, "/number")
