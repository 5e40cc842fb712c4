"""Result sheets: revisions of a hanchan's result, settled once when entered and stored with the settlement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.base import account, through_link

if TYPE_CHECKING:
    from league.models.hanchan import Hanchan


class SheetQuerySet(models.QuerySet["ResultSheet"]):
    """Query the result sheets that count now, or that counted at an earlier version."""

    def counting(self) -> SheetQuerySet:
        """Return the sheets that count now."""
        return self.filter(state=ResultSheet.State.CONFIRMED)

    def counting_of(self, hanchan: Hanchan | int) -> ResultSheet | None:
        """Return the one sheet of a hanchan that counts now, or None."""
        return self.counting().filter(hanchan=hanchan).order_by().first()

    def counting_at(self, version: int) -> SheetQuerySet:
        """Return the sheets that counted after change `version`."""
        return self.filter(confirmed_n__lte=version).exclude(ended_n__lte=version)


class ResultSheet(models.Model):
    """Revision n of a hanchan's result. At most one is confirmed; a replaced one is kept as superseded."""

    class State(models.TextChoices):
        """The life cycle of a result sheet. Only a confirmed sheet counts."""

        DRAFT = "draft", _("draft")
        SUBMITTED = "submitted", _("awaiting confirmation")
        CONFIRMED = "confirmed", _("confirmed")
        SUPERSEDED = "superseded", _("superseded")
        REJECTED = "rejected", _("rejected")

    hanchan = models.ForeignKey(
        "league.Hanchan", verbose_name=_("hanchan"), on_delete=models.PROTECT, related_name="sheets"
    )
    revision = models.PositiveIntegerField(_("revision"))
    state = models.CharField(_("state"), max_length=12, choices=State)
    rules = models.ForeignKey("league.RulesInForce", verbose_name=_("rules in force"), on_delete=models.PROTECT)
    options = models.JSONField(_("options of this table"), default=dict, blank=True)
    kyoutaku = models.IntegerField(_("deposits left"), default=0)
    facts = models.JSONField(_("other facts of the game"), default=dict, blank=True)
    made_from_sequence = models.PositiveIntegerField(_("made from the log up to"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    accepted_warnings = models.JSONField(_("warnings accepted"), default=list, blank=True)
    entered_by = account(_("entered by"))
    entered_at = models.DateTimeField(_("entered at"), default=timezone.now)
    confirmed_by = account(_("confirmed by"))
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True)
    entered_n = models.PositiveBigIntegerField(_("entered by change"))
    confirmed_n = models.PositiveBigIntegerField(_("confirmed by change"), null=True)
    ended_n = models.PositiveBigIntegerField(_("ended by change"), null=True)

    known_seats: Sequence[SeatResult] = ()
    """The seats of a sheet that was written with them, so that a response need not read them again."""

    objects = SheetQuerySet.as_manager()

    class Meta:
        verbose_name = _("result sheet")
        verbose_name_plural = _("result sheets")
        ordering = ["hanchan", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["hanchan", "revision"], name="sheet_revision_once"),
            # The last defence against counting a game twice, should a service ever confirm two of its sheets.
            models.UniqueConstraint(fields=["hanchan"], condition=Q(state="confirmed"), name="sheet_one_confirmed"),
            models.CheckConstraint(
                condition=~Q(state="confirmed") | (Q(confirmed_n__isnull=False) & Q(ended_n__isnull=True)),
                name="sheet_confirmed_by_a_change",
            ),
        ]
        indexes = [
            models.Index(fields=["entered_at"], name="sheet_entered_at"),
            models.Index(fields=["hanchan"], condition=Q(state="submitted"), name="sheet_waiting"),
            models.Index(fields=["confirmed_n"], name="sheet_confirmed_n"),
            models.Index(fields=["ended_n"], name="sheet_ended_n"),
        ]

    def __str__(self) -> str:
        return f"{self.hanchan} · " + gettext("revision %(revision)s") % {"revision": self.revision}


class SeatResult(models.Model):
    """One seat of a result sheet: the entered values and what the rules made of them.

    `score` is in table points as entered, `final_score` includes the deposits that were distributed; `points` is the
    total in the ranking ledger at its scale (tenths of league points); `totals` are all ledgers' totals at their
    scales; `lines` are the settlement's lines as they were computed.
    """

    sheet = models.ForeignKey(ResultSheet, verbose_name=_("sheet"), on_delete=models.CASCADE, related_name="seats")
    block = models.ForeignKey("league.Block", verbose_name=_("block"), on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField(_("seat"))
    entrant = models.ForeignKey(
        "league.Entrant",
        verbose_name=_("entrant"),
        on_delete=models.PROTECT,
        related_name="results",
    )
    player = models.ForeignKey(
        "league.Player", verbose_name=_("player"), on_delete=models.PROTECT, related_name="results"
    )
    score = models.IntegerField(_("score"))
    final_score = models.IntegerField(_("final score"))
    chonbo = models.PositiveSmallIntegerField(_("chonbo"), default=0)
    is_bust = models.BooleanField(_("out of points"), default=False)
    place = models.PositiveSmallIntegerField(_("place"))
    points = models.IntegerField(_("points"))
    totals = models.JSONField(_("totals"), default=dict)
    lines = models.JSONField(_("settlement"), default=list)

    class Meta:
        verbose_name = _("result of a seat")
        verbose_name_plural = _("results of seats")
        ordering = ["sheet_id", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "seat"], name="seat_result_seat_once"),
            models.UniqueConstraint(fields=["sheet", "entrant"], name="seat_result_entrant_once"),
        ]
        indexes = [models.Index(fields=["block", "entrant"], name="seat_result_block_entrant")]

    def __str__(self) -> str:
        return f"{self.sheet_id}/{self.seat}"

    @property
    def is_substitute(self) -> bool:
        """True if another person sat for a person; never for a team, whose members sit for it."""
        return self.entrant.is_replaced_by(self.player_id)


class SheetApproval(models.Model):
    """One player's approval of a result sheet, in competitions where all players of the table confirm it."""

    sheet = models.ForeignKey(ResultSheet, verbose_name=_("sheet"), on_delete=models.CASCADE, related_name="approvals")
    entrant = models.ForeignKey("league.Entrant", verbose_name=_("entrant"), on_delete=models.PROTECT, related_name="+")
    link = through_link()
    user = account(_("by"), blank=True)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("player's confirmation")
        verbose_name_plural = _("players' confirmations")
        ordering = ["sheet", "at"]
        constraints = [models.UniqueConstraint(fields=["sheet", "entrant"], name="sheet_approval_once")]

    def __str__(self) -> str:
        return f"{self.sheet_id}/{self.entrant_id}"


class SlipPhoto(models.Model):
    """A photo of the paper slip that a result was written on; only staff may see it.

    It is stored in the database, so that one backup holds everything. Removing a photo empties the picture and keeps
    the row.
    """

    hanchan = models.ForeignKey(
        "league.Hanchan", verbose_name=_("hanchan"), on_delete=models.PROTECT, related_name="photos"
    )
    picture = models.BinaryField(_("picture"))
    width = models.PositiveIntegerField(_("width"))
    height = models.PositiveIntegerField(_("height"))
    sha256 = models.CharField(_("digest"), max_length=64)
    link = through_link()
    added_by = account(_("by"), blank=True)
    added_at = models.DateTimeField(_("at"), default=timezone.now)
    removed_at = models.DateTimeField(_("taken away at"), null=True, blank=True)

    class Meta:
        verbose_name = _("photo of a slip")
        verbose_name_plural = _("photos of slips")
        ordering = ["hanchan", "pk"]

    def __str__(self) -> str:
        return f"{self.hanchan_id}/{self.pk}"
