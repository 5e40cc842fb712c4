"""Facts of a tournament's day: rounds paired from the standing, points without a game, entrants who leave."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.base import Versioned
from league.models.rulings import Decided


class Pairing(Versioned):
    """A round paired by the standing or by lot, as it was published; a later correction does not change it.

    `order` is the standing it was paired by: groups of level entrants' ids, best first. `tables` are the tables in
    the order of their numbers with the terms of their cost; `broken` counts what could not be avoided, by kind.
    """

    block = models.ForeignKey(
        "league.Block", verbose_name=_("block"), on_delete=models.PROTECT, related_name="pairings"
    )
    number = models.PositiveIntegerField(_("number"))
    """Number of the hanchan in the block."""
    seed = models.CharField(_("seed"), max_length=160)
    standing_version = models.PositiveBigIntegerField(_("standing of change"))
    """The number of the newest change that the standing takes into account."""
    order = models.JSONField(_("order"))
    tables = models.JSONField(_("tables"))
    cost = models.BigIntegerField(_("cost"))
    bound = models.BigIntegerField(_("lower bound"))
    bound_by = models.CharField(_("bound by"), max_length=16)
    broken = models.JSONField(_("not avoided"), default=dict)
    is_optimal = models.BooleanField(_("proved to be the best"))
    digest = models.CharField(_("digest"), max_length=64)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        ordering = ["block", "number", "made_n"]
        constraints = [
            models.UniqueConstraint(fields=["block", "number"], condition=Q(ended_n=None), name="pairing_holds_once")
        ]

    def __str__(self) -> str:
        return gettext("%(block)s, round %(number)s") % {"block": self.block, "number": self.number}


class Credit(Decided):
    """The worth of a round for an entrant who did not play it, such as a bye; at the ranking ledger's scale.

    Without `points` it is worth the mean of the entrant's own hanchan before it.
    """

    class Kind(models.TextChoices):
        """The reason for which the entrant did not play."""

        BYE = "bye", _("bye")
        NO_SHOW = "no_show", _("no-show")
        LATE = "late", _("not there yet")
        WALKOVER = "walkover", _("walkover")

    block = models.ForeignKey("league.Block", verbose_name=_("block"), on_delete=models.PROTECT, related_name="credits")
    entrant = models.ForeignKey(
        "league.Entrant", verbose_name=_("entrant"), on_delete=models.PROTECT, related_name="credits"
    )
    number = models.PositiveIntegerField(_("number"))
    """Number of the hanchan in the block."""
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    points = models.IntegerField(_("points"), null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)

    class Meta:
        verbose_name = _("round not played")
        verbose_name_plural = _("rounds not played")
        ordering = ["block", "number", "made_n"]
        constraints = [
            models.UniqueConstraint(
                fields=["block", "entrant", "number"], condition=Q(ended_n=None), name="credit_holds_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.entrant}: {self.get_kind_display()}"


class Departure(Decided):
    """An entrant who leaves the competition for good; the results stay, the rank follows from the format."""

    class Kind(models.TextChoices):
        """The way in which the entrant leaves."""

        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")

    entrant = models.ForeignKey(
        "league.Entrant", verbose_name=_("entrant"), on_delete=models.PROTECT, related_name="departures"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)

    class Meta:
        verbose_name = _("departure")
        verbose_name_plural = _("departures")
        ordering = ["entrant", "made_n"]
        constraints = [
            models.UniqueConstraint(fields=["entrant"], condition=Q(ended_n=None), name="departure_holds_once")
        ]

    def __str__(self) -> str:
        return f"{self.entrant}: {self.get_kind_display()}"
