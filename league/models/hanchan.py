"""A hanchan (one game at one table), and its seating plan."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.wording.names import round_name


class Hanchan(models.Model):
    """A game. `round` is its name within the session, as in 第2節 3回戦, and rises at each table.

    `number` counts its players' games in the block; tie-breaks that go hanchan by hanchan use it.
    In a block with rests it counts the rounds of the block, and each player's own number follows (`scoring.rests`).
    """

    class State(models.TextChoices):
        """The progress of a game, or the way in which it ended."""

        SCHEDULED = "scheduled", _("scheduled")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        ENDED_BY_TIME = "ended_by_time", _("ended by time")
        ABANDONED = "abandoned", _("abandoned")

    table_session = models.ForeignKey(
        "league.TableSession",
        verbose_name=_("table session"),
        on_delete=models.PROTECT,
        related_name="hanchan",
    )
    block = models.ForeignKey("league.Block", verbose_name=_("block"), on_delete=models.PROTECT, related_name="hanchan")
    round = models.PositiveIntegerField(
        _("round"), help_text=_("Round of the session: 1 for the first, 2 for the second")
    )
    number = models.PositiveIntegerField(_("number"), help_text=_("Number of this game in the block for its players"))
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.SCHEDULED)
    rules = models.ForeignKey("league.RulesInForce", verbose_name=_("rules in force"), on_delete=models.PROTECT)
    options = models.JSONField(_("options of this table"), default=dict, blank=True)
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("one game", "hanchan")
        verbose_name_plural = pgettext_lazy("several games", "hanchan")
        ordering = ["table_session", "round"]
        constraints = [models.UniqueConstraint(fields=["table_session", "round"], name="hanchan_round_once")]
        indexes = [
            models.Index(fields=["block", "number"], name="hanchan_block_number"),
            models.Index(
                fields=["table_session"], condition=Q(state__in=["scheduled", "running"]), name="hanchan_to_come"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_session} · " + round_name(self)


class HanchanSeat(models.Model):
    """A planned seat; `seat` 0 is the first dealer.

    `player` differs from the entrant's player with a substitute, and in a team's seat once its member is announced.
    """

    hanchan = models.ForeignKey(Hanchan, verbose_name=_("hanchan"), on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField(_("seat"))
    entrant = models.ForeignKey("league.Entrant", verbose_name=_("entrant"), on_delete=models.PROTECT)
    player = models.ForeignKey("league.Player", verbose_name=_("player"), on_delete=models.PROTECT)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["hanchan_id", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["hanchan", "seat"], name="hanchan_seat_once"),
            models.UniqueConstraint(fields=["hanchan", "entrant"], name="hanchan_entrant_once"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.entrant_id}"

    @property
    def is_substitute(self) -> bool:
        """True if another person sits for a person; never for a team, whose members sit for it."""
        return self.entrant.is_replaced_by(self.player_id)
