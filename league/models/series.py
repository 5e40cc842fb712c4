"""Series of seasons: the terms of a pyramid of leagues, and the decisions that change who plays where next.

In each term every tier of the series is one `Competition` (`Competition.term` and `.tier`). The roster of the next term
follows from the final tables, the series' rules and the decisions here.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.base import account
from league.wording.names import title_of


class OrganizationFact(models.Model):
    """Abstract base of a decision outside any one competition, with its reason; it holds until it is ended."""

    reason = models.TextField(_("reason"), blank=True)
    made_by = account(_("by"), blank=True)
    made_at = models.DateTimeField(_("at"), default=timezone.now)
    ended_by = account(_("ended by"), blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        abstract = True


class Series(models.Model):
    """A pyramid of leagues over the years."""

    slug = models.SlugField(_("address"), max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("English name"), max_length=100, blank=True)
    rules = models.ForeignKey("league.SeriesRevision", verbose_name=_("rules"), on_delete=models.PROTECT)
    is_public = models.BooleanField(_("readable by the public"), default=False)
    is_demo = models.BooleanField(_("demonstration data"), default=False, editable=False)
    created_at = models.DateTimeField(_("created at"), default=timezone.now, editable=False)
    version = models.PositiveBigIntegerField(_("version"), default=0, db_default=0, editable=False)
    """Grows with every roster that is written or taken back."""

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return title_of(self)


class Term(models.Model):
    """A season of a series: one competition for each tier."""

    series = models.ForeignKey(Series, verbose_name=_("series"), on_delete=models.PROTECT, related_name="terms")
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("English name"), max_length=100, blank=True)

    class Meta:
        verbose_name = _("term")
        verbose_name_plural = _("terms")
        ordering = ["series", "number"]
        constraints = [models.UniqueConstraint(fields=["series", "number"], name="term_number_once")]

    def __str__(self) -> str:
        return title_of(self)


class MoveDecision(OrganizationFact):
    """An exception to the moves after a term, decided by the organizers."""

    class Kind(models.TextChoices):
        """The exception: absence, return, a seat kept, a place declined, or a place given by hand."""

        LEAVES = "leaves", _("leaves")
        RETURNS = "returns", _("returns")
        SEAT_KEPT = "seat_kept", _("keeps the seat")
        DECLINED = "declined", _("declines the place")
        PLACED = "placed", _("is placed by the organizers")

    term = models.ForeignKey(Term, verbose_name=_("term"), on_delete=models.PROTECT, related_name="decisions")
    player = models.ForeignKey(
        "league.Player", verbose_name=_("player or team"), on_delete=models.PROTECT, related_name="+"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    tier = models.CharField(_("to tier"), max_length=32, blank=True)
    """For those who return and those placed by hand, who may be newcomers."""

    class Meta:
        verbose_name = _("decision on a move")
        verbose_name_plural = _("decisions on moves")
        ordering = ["term", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["term", "player"], condition=Q(ended_at=None), name="move_decision_holds_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"


class OpeningBalance(OrganizationFact):
    """Promotion or demotion points that a player had before the first term kept here."""

    series = models.ForeignKey(
        Series, verbose_name=_("series"), on_delete=models.PROTECT, related_name="opening_balances"
    )
    player = models.ForeignKey(
        "league.Player", verbose_name=_("player or team"), on_delete=models.PROTECT, related_name="+"
    )
    points = models.PositiveIntegerField(_("points"))

    class Meta:
        verbose_name = _("opening balance")
        verbose_name_plural = _("opening balances")
        ordering = ["series", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["series", "player"], condition=Q(ended_at=None), name="opening_balance_holds_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.points}"


class NextRoster(OrganizationFact):
    """The roster of the term after `term`, as it was decided: by tier the players in the order of their seeds.

    `moves` holds one entry per player: from, to, reason and the numbers behind it, as the engine gave them.
    """

    term = models.ForeignKey(Term, verbose_name=_("after term"), on_delete=models.PROTECT, related_name="next_rosters")
    tiers = models.JSONField(_("tiers"))
    moves = models.JSONField(_("moves"))
    digest = models.CharField(_("digest"), max_length=64)
    made_n = models.PositiveBigIntegerField(_("written at version"), default=0, db_default=0, editable=False)
    ended_n = models.PositiveBigIntegerField(_("taken back at version"), null=True, blank=True, editable=False)
    is_released = models.BooleanField(_("released"), default=False, db_default=False, editable=False)
    """True once the tables of the term's tiers show it: the public may read all results that it follows from."""

    class Meta:
        verbose_name = _("next roster")
        verbose_name_plural = _("next rosters")
        ordering = ["term", "made_at"]
        constraints = [
            models.UniqueConstraint(fields=["term"], condition=Q(ended_at=None), name="next_roster_holds_once")
        ]

    def __str__(self) -> str:
        return f"{self.term} {self.digest[:8]}"
