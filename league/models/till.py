"""The money of a parlour: its tariffs, the terms of its guests, statements (精算), payments, and the till's close.

Money is an integer in the smallest unit of the parlour's currency (yen, cents). Rows are appended; a row that no longer
holds is ended or cancelled, never edited.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.base import account
from league.wording.formatting import day_text, money_text
from scoring.charges import Rate


class HouseTariff(models.Model):
    """The fees of a parlour from a business day on, for one of its rule books or tables, or for all of them.

    The row with the narrowest scope holds (table before book before parlour); of several the one with the latest
    `from_day` that has come, and of those the newest.
    """

    parlour = models.ForeignKey(
        "league.Parlour", verbose_name=_("parlour"), on_delete=models.PROTECT, related_name="tariffs"
    )
    book = models.ForeignKey(
        "league.Competition",
        verbose_name=_("rule book"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="tariffs",
    )
    table = models.CharField(_("table"), max_length=32, blank=True)
    from_day = models.DateField(_("from business day"))
    per_game = models.PositiveIntegerField(_("fee for a game"), default=0)
    student_per_game = models.PositiveIntegerField(_("fee for a game, students"), null=True, blank=True)
    top = models.PositiveIntegerField(_("besides, from the top"), default=0)
    stamps_for_a_free_game = models.PositiveSmallIntegerField(_("stamps for a free game"), default=0)
    hour_unit_minutes = models.PositiveSmallIntegerField(_("guests by the hour: minutes of a unit"), default=0)
    hour_unit = models.PositiveIntegerField(_("guests by the hour: fee for a unit"), default=0)
    set_hour = models.PositiveIntegerField(_("set table: fee for an hour"), default=0)
    at = models.DateTimeField(_("at"), default=timezone.now)
    by = account(_("by"))

    class Meta:
        verbose_name = _("tariff")
        verbose_name_plural = _("tariffs")
        ordering = ["parlour", "-from_day", "-pk"]

    def __str__(self) -> str:
        return f"{self.parlour} {self.from_day}"


class GuestTerms(models.Model):
    """The terms of a guest from a business day on: the rate, and the stamps on the card as that day began.

    `stamps` is None for a guest without a stamp card. `is_carried` marks stamps that the close of the day before
    counted; closing that day again counts them again.
    """

    parlour = models.ForeignKey(
        "league.Parlour", verbose_name=_("parlour"), on_delete=models.PROTECT, related_name="guest_terms"
    )
    player = models.ForeignKey(
        "league.Player", verbose_name=_("player"), on_delete=models.PROTECT, related_name="guest_terms"
    )
    from_day = models.DateField(_("from business day"))
    rate = models.CharField(
        _("rate"),
        max_length=8,
        choices=[
            (Rate.ORDINARY.value, _("ordinary rate")),
            (Rate.STUDENT.value, _("student rate")),
            (Rate.HOUR.value, _("by the hour")),
        ],
        default=Rate.ORDINARY.value,
    )
    stamps = models.PositiveSmallIntegerField(_("stamps"), null=True, blank=True)
    is_carried = models.BooleanField(_("carried over from the day before"), default=False)
    at = models.DateTimeField(_("at"), default=timezone.now)
    by = account(_("by"))

    class Meta:
        verbose_name = _("terms of a guest")
        verbose_name_plural = _("terms of guests")
        ordering = ["parlour", "player", "-from_day", "-pk"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.rate}"


class Extra(models.Model):
    """Something else on a guest's bill: a drink, a meal, or a discount, which is negative."""

    parlour = models.ForeignKey(
        "league.Parlour", verbose_name=_("parlour"), on_delete=models.PROTECT, related_name="extras"
    )
    player = models.ForeignKey("league.Player", verbose_name=_("player"), on_delete=models.PROTECT, related_name="+")
    day = models.DateField(_("business day"))
    label = models.CharField(_("what"), max_length=100)
    money = models.IntegerField(_("amount"))
    at = models.DateTimeField(_("at"), default=timezone.now)
    by = account(_("by"))
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)

    class Meta:
        verbose_name = _("other item")
        verbose_name_plural = _("other items")
        ordering = ["parlour", "day", "pk"]
        indexes = [models.Index(fields=["parlour", "day"], name="extra_of_day")]

    def __str__(self) -> str:
        return self.label


class Statement(models.Model):
    """A guest's settlement with the house (精算): the debt at that moment, line by line.

    `money` is the sum of its lines: positive if the guest pays. A statement made by mistake is cancelled; its lines
    then count as if it had never been made.
    """

    parlour = models.ForeignKey(
        "league.Parlour", verbose_name=_("parlour"), on_delete=models.PROTECT, related_name="statements"
    )
    player = models.ForeignKey(
        "league.Player", verbose_name=_("player"), on_delete=models.PROTECT, related_name="statements"
    )
    number = models.PositiveIntegerField(_("number"))
    day = models.DateField(_("business day"))
    at = models.DateTimeField(_("at"), default=timezone.now)
    by = account(_("by"))
    money = models.IntegerField(_("amount"))
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)
    cancelled_by = account(_("cancelled by"))
    cancel_reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("statement")
        verbose_name_plural = _("statements")
        ordering = ["parlour", "-number"]
        constraints = [models.UniqueConstraint(fields=["parlour", "number"], name="statement_number_once")]
        indexes = [models.Index(fields=["parlour", "day"], name="statement_of_day")]

    def __str__(self) -> str:
        return gettext("Statement %(number)s") % {"number": self.number}


class StatementLine(models.Model):
    """A line of a statement: a game, hours, the hours of a set table, or another item; `day` is the day it counts in.

    `amounts` are the other ledgers of a game by their keys, at their scales. A line with `is_late` holds what a
    correction changed in a game settled before: right less settled. `detail` keeps what the line was computed from.
    """

    class Kind(models.TextChoices):
        """The thing that is charged."""

        GAME = "game", _("game")
        HOURS = "hours", _("hours of a guest")
        SET = "set", _("hours of a set table")
        CHIPS = "chips", _("chips of a sitting")
        EXTRA = "extra", _("other item")

    statement = models.ForeignKey(
        Statement, verbose_name=_("statement"), on_delete=models.PROTECT, related_name="lines"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    day = models.DateField(_("business day"))
    hanchan = models.ForeignKey(
        "league.Hanchan", verbose_name=_("hanchan"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    sheet = models.ForeignKey(
        "league.ResultSheet", verbose_name=_("result sheet"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    sitting = models.ForeignKey(
        "league.Sitting", verbose_name=_("sitting"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    extra = models.ForeignKey(
        Extra, verbose_name=_("other item"), null=True, on_delete=models.PROTECT, related_name="lines"
    )
    money = models.IntegerField(_("amount"))
    amounts = models.JSONField(_("other ledgers"), default=dict)
    is_late = models.BooleanField(_("difference of a correction"), default=False)
    detail = models.JSONField(_("details"), default=dict)

    class Meta:
        verbose_name = _("line of a statement")
        verbose_name_plural = _("lines of statements")
        ordering = ["statement", "pk"]
        indexes = [models.Index(fields=["day"], name="statement_line_day")]

    def __str__(self) -> str:
        return self.get_kind_display()


class Payment(models.Model):
    """Money between a guest and the till: positive if the guest pays, negative if it is given back."""

    parlour = models.ForeignKey(
        "league.Parlour", verbose_name=_("parlour"), on_delete=models.PROTECT, related_name="payments"
    )
    player = models.ForeignKey(
        "league.Player", verbose_name=_("player"), on_delete=models.PROTECT, related_name="payments"
    )
    statement = models.ForeignKey(
        Statement, verbose_name=_("statement"), null=True, on_delete=models.PROTECT, related_name="payments"
    )
    money = models.IntegerField(_("amount"))
    day = models.DateField(_("business day"))
    at = models.DateTimeField(_("at"), default=timezone.now)
    by = account(_("by"))

    class Meta:
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        ordering = ["parlour", "pk"]
        indexes = [models.Index(fields=["parlour", "day"], name="payment_of_day")]

    def __str__(self) -> str:
        return money_text(self.money, self.parlour.currency)


class TillClose(models.Model):
    """The close of a parlour's business day at the till, with the figures of that moment; closing again adds a row."""

    parlour = models.ForeignKey(
        "league.Parlour", verbose_name=_("parlour"), on_delete=models.PROTECT, related_name="till_closes"
    )
    day = models.DateField(_("business day"))
    till = models.JSONField(_("figures"))
    at = models.DateTimeField(_("at"), default=timezone.now)
    by = account(_("by"))
    ended_at = models.DateTimeField(_("reopened at"), null=True, blank=True)

    class Meta:
        verbose_name = _("close of the till")
        verbose_name_plural = _("closes of the till")
        ordering = ["parlour", "-day", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["parlour", "day"], condition=Q(ended_at=None), name="till_closed_once")
        ]

    def __str__(self) -> str:
        return day_text(self.day)
