"""Teams: their members by date, and the line-ups that say which member sits for a team in a hanchan.

A team is a `Player` with `is_team`; its entry in a competition is an `Entrant` like any other, so that blocks,
standings and ladders rank teams as they rank people. In a seat `entrant` is the team and `player` the member who sits;
until a line-up has been announced, `player` is the team itself.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.base import account
from league.models.rulings import Decided


class TeamMember(Decided):
    """A person who plays for a team in one competition, from the first to the last day given (both included)."""

    entrant = models.ForeignKey(
        "league.Entrant", verbose_name=_("team"), on_delete=models.PROTECT, related_name="members"
    )
    player = models.ForeignKey(
        "league.Player", verbose_name=_("member"), on_delete=models.PROTECT, related_name="memberships"
    )
    since = models.DateField(pgettext_lazy("membership", "from"), null=True, blank=True)
    until = models.DateField(pgettext_lazy("membership", "until"), null=True, blank=True)
    order = models.PositiveSmallIntegerField(_("order"), default=0)
    is_captain = models.BooleanField(_("captain"), default=False)

    class Meta:
        verbose_name = _("member of a team")
        verbose_name_plural = _("members of teams")
        ordering = ["entrant", "order", "made_n", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(since=None) | Q(until=None) | Q(since__lte=F("until")), name="team_member_days_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.entrant})"

    def overlaps(self, other: TeamMember) -> bool:
        """Return True if both memberships hold on a common day."""
        starts = [day for day in (self.since, other.since) if day is not None]
        ends = [day for day in (self.until, other.until) if day is not None]
        return not starts or not ends or max(starts) <= min(ends)


class LineUp(Decided):
    """The member named to sit for a team in a hanchan; the newest standing one counts until the result is entered.

    While `is_secret`, only the organizers and the team itself may read it: the seat still shows the team. It is
    announced with all others of its table once the table's deadline has passed.
    """

    hanchan = models.ForeignKey(
        "league.Hanchan", verbose_name=_("hanchan"), on_delete=models.PROTECT, related_name="line_ups"
    )
    entrant = models.ForeignKey(
        "league.Entrant", verbose_name=_("team"), on_delete=models.PROTECT, related_name="line_ups"
    )
    player = models.ForeignKey(
        "league.Player", verbose_name=_("member"), on_delete=models.PROTECT, related_name="line_ups"
    )
    is_secret = models.BooleanField(_("secret until the deadline"), default=False)
    named_by = account(_("named by"), blank=True)
    link = models.ForeignKey(
        "league.TeamLink",
        verbose_name=_("named through"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )

    class Meta:
        verbose_name = _("line-up")
        verbose_name_plural = _("line-ups")
        ordering = ["hanchan", "entrant", "made_n"]
        constraints = [
            models.UniqueConstraint(
                fields=["hanchan", "entrant"], condition=Q(ended_n=None), name="line_up_holds_once"
            ),
            models.UniqueConstraint(
                fields=["hanchan", "player"], condition=Q(ended_n=None), name="line_up_member_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hanchan_id} {self.entrant_id}"


class TeamLink(models.Model):
    """A link through which a team names its line-ups, without an account."""

    entrant = models.ForeignKey(
        "league.Entrant", verbose_name=_("team"), on_delete=models.CASCADE, related_name="team_links"
    )
    digest = models.CharField(_("digest"), max_length=64, unique=True)
    made_by = account(_("made by"))
    made_at = models.DateTimeField(_("made at"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    used_at = models.DateTimeField(_("last used at"), null=True, blank=True)

    class Meta:
        verbose_name = _("link of a team")
        verbose_name_plural = _("links of teams")
        ordering = ["entrant", "-made_at"]

    def __str__(self) -> str:
        return f"{self.entrant_id}"
