"""A parlour and its records beside results: tables, sittings, the waiting list, and the close of a business day."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.base import account
from league.wording.names import title_of


class Parlour(models.Model):
    """A house with one till, one staff and one list of guests; each rule book it offers is an open table of its own.

    `currency` is the ISO 4217 code of its money, which is counted in the smallest unit (yen, cents).
    Games of days before `settles_from` were settled without this service; None if there are none.
    """

    slug = models.SlugField(_("address"), max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("English name"), max_length=100, blank=True)
    currency = models.CharField(_("currency"), max_length=3, default="JPY")
    settles_from = models.DateField(_("settles games from"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created at"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("parlour")
        verbose_name_plural = _("parlours")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return title_of(self)


class ParlourTable(models.Model):
    """A table of the house, with the rule book usually played there and the code that is printed on it.

    `code_number` counts the printed codes: raising it makes the code before worthless.
    """

    parlour = models.ForeignKey(Parlour, verbose_name=_("parlour"), on_delete=models.PROTECT, related_name="tables")
    name = models.CharField(_("name"), max_length=32)
    order = models.PositiveSmallIntegerField(_("order"))
    usual_book = models.ForeignKey(
        "league.Competition",
        verbose_name=_("rule book usually played"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    code_number = models.PositiveIntegerField(_("number of the printed code"), default=1)
    removed_at = models.DateTimeField(_("removed at"), null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("parlour", "table")
        verbose_name_plural = pgettext_lazy("parlour", "tables")
        ordering = ["parlour", "order", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["parlour", "name"], condition=Q(removed_at=None), name="parlour_table_name_once"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Sitting(models.Model):
    """The same guests at one table, game after game; its games are the hanchan of its table session."""

    class Kind(models.TextChoices):
        """The kind of table: a free table, where single guests come and go, or a set table that a party rents."""

        FREE = "free", _("free table")
        SET = "set", _("set table")

    class Chips(models.TextChoices):
        """The moment at which chips are counted."""

        PER_GAME = "per_game", _("after every game")
        PER_SITTING = "per_sitting", _("once, when the sitting ends")
        NONE = "none", _("not recorded")

    table_session = models.OneToOneField(
        "league.TableSession", verbose_name=_("table session"), on_delete=models.PROTECT, related_name="sitting"
    )
    kind = models.CharField(_("kind"), max_length=4, choices=Kind, default=Kind.FREE)
    chips = models.CharField(_("chips are counted"), max_length=12, choices=Chips, default=Chips.PER_GAME)
    options = models.JSONField(_("options of this table"), default=dict, blank=True)
    yen_per_hour = models.PositiveIntegerField(_("fee for an hour, in yen"), default=0)
    opened_at = models.DateTimeField(_("opened at"), default=timezone.now)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("sitting")
        verbose_name_plural = _("sittings")
        ordering = ["-opened_at", "-pk"]

    def __str__(self) -> str:
        return str(self.table_session)


class SittingSeat(models.Model):
    """A guest in a chair of a sitting, with the times of sitting down and leaving.

    `seat` counts chairs in turn order, not winds. `stand_in` plays for the guest, for one game or until the
    guest is back (`stand_in_stays`); the result remains the guest's. A guest who changes chairs in mid-sitting has a
    row for each chair, all with the time of sitting down.
    """

    sitting = models.ForeignKey(Sitting, verbose_name=_("sitting"), on_delete=models.PROTECT, related_name="seats")
    seat = models.PositiveSmallIntegerField(_("seat"))
    entrant = models.ForeignKey(
        "league.Entrant", verbose_name=_("entrant"), on_delete=models.PROTECT, related_name="sitting_seats"
    )
    stand_in = models.ForeignKey(
        "league.Player", verbose_name=_("stand-in"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    stand_in_stays = models.BooleanField(_("stand-in until the guest is back"), default=False, db_default=False)
    is_house = models.BooleanField(_("plays for the house"), default=False)
    is_last_game = models.BooleanField(_("leaves after this game"), default=False)
    joined_at = models.DateTimeField(_("joined at"), default=timezone.now)
    left_at = models.DateTimeField(_("left at"), null=True, blank=True)

    class Meta:
        verbose_name = _("seat of a sitting")
        verbose_name_plural = _("seats of a sitting")
        ordering = ["sitting", "seat", "joined_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["sitting", "seat"], condition=Q(left_at=None), name="sitting_seat_taken_once"
            ),
            models.UniqueConstraint(
                fields=["sitting", "entrant"], condition=Q(left_at=None), name="sitting_entrant_sits_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sitting_id}/{self.seat}"


class SittingAmount(models.Model):
    """The amount that a guest won or lost in a ledger that is counted once for a sitting, at the ledger's scale."""

    sitting = models.ForeignKey(Sitting, verbose_name=_("sitting"), on_delete=models.PROTECT, related_name="amounts")
    entrant = models.ForeignKey(
        "league.Entrant", verbose_name=_("entrant"), on_delete=models.PROTECT, related_name="sitting_amounts"
    )
    ledger = models.CharField(_("ledger"), max_length=32)
    amount = models.IntegerField(_("amount"))
    made_n = models.PositiveBigIntegerField(_("made by change"))
    ended_n = models.PositiveBigIntegerField(_("ended by change"), null=True, blank=True)

    class Meta:
        verbose_name = _("amount of a sitting")
        verbose_name_plural = _("amounts of a sitting")
        ordering = ["sitting", "ledger", "entrant"]
        constraints = [
            models.UniqueConstraint(
                fields=["sitting", "entrant", "ledger"], condition=Q(ended_n=None), name="sitting_amount_once"
            ),
        ]
        indexes = [
            models.Index(fields=["made_n"], name="sitting_amount_made_n"),
            models.Index(fields=["ended_n"], name="sitting_amount_ended_n"),
        ]

    def __str__(self) -> str:
        return f"{self.sitting_id} {self.ledger}"


class WaitingGuest(models.Model):
    """A guest on the waiting list of an open table, until seated or gone."""

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.PROTECT, related_name="waiting"
    )
    player = models.ForeignKey(
        "league.Player", verbose_name=_("player"), on_delete=models.PROTECT, related_name="waiting"
    )
    party = models.PositiveSmallIntegerField(_("number of people"), default=1, db_default=1)
    wish = models.CharField(_("wish"), max_length=100, blank=True, default="", db_default="")
    since = models.DateTimeField(_("since"), default=timezone.now)
    seated_at = models.DateTimeField(_("seated at"), null=True, blank=True)
    gone_at = models.DateTimeField(_("gone at"), null=True, blank=True)

    class Meta:
        verbose_name = _("waiting guest")
        verbose_name_plural = _("waiting guests")
        ordering = ["competition", "since", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "player"], condition=Q(seated_at=None, gone_at=None), name="waiting_once"
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)


class DayClose(models.Model):
    """The close of a business day with a copy of its day sheet (日計表). Closing the day again adds a row."""

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.PROTECT, related_name="day_closes"
    )
    day = models.DateField(_("day"))
    sheet = models.JSONField(_("day sheet"))
    by = account(_("by"))
    at = models.DateTimeField(_("at"), default=timezone.now)
    made_n = models.PositiveBigIntegerField(_("made by change"))
    ended_n = models.PositiveBigIntegerField(_("ended by change"), null=True, blank=True)

    class Meta:
        verbose_name = _("close of a day")
        verbose_name_plural = _("closes of days")
        ordering = ["competition", "-day"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "day"], condition=Q(ended_n=None), name="day_closed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.day}"
