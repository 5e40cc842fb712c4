"""Rankings across competitions: a rule file, and the events listed for it. Everything else is computed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.series import OrganizationFact
from league.wording.names import title_of


class Ranking(models.Model):
    """A ranking over several competitions, such as a season's points table or a rating."""

    slug = models.SlugField(_("address"), max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("English name"), max_length=100, blank=True)
    rules = models.ForeignKey("league.RankingRevision", verbose_name=_("rules"), on_delete=models.PROTECT)
    is_public = models.BooleanField(_("readable by the public"), default=False)
    is_demo = models.BooleanField(_("demonstration data"), default=False, editable=False)
    created_at = models.DateTimeField(_("created at"), default=timezone.now, editable=False)
    version = models.PositiveBigIntegerField(_("version"), default=0, db_default=0, editable=False)
    """Grows with every event that begins to count, is corrected or counts no more, and with other rules."""
    rules_n = models.PositiveBigIntegerField(_("rules changed at version"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = pgettext_lazy("across competitions", "ranking")
        verbose_name_plural = _("rankings")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return title_of(self)


class EventListed(OrganizationFact):
    """A competition that counts for a ranking, with what its weight depends on."""

    ranking = models.ForeignKey(
        Ranking,
        verbose_name=pgettext_lazy("across competitions", "ranking"),
        on_delete=models.PROTECT,
        related_name="events",
    )
    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.PROTECT, related_name="ranking_events"
    )
    day = models.DateField(_("day of the event"))
    days = models.PositiveSmallIntegerField(_("days of play"), default=1)
    countries = models.PositiveSmallIntegerField(_("countries taking part"), default=1)
    needs_qualification = models.BooleanField(_("players had to qualify"), default=False)
    seen_version = models.PositiveBigIntegerField(
        _("results copied as of version"), null=True, blank=True, editable=False
    )
    """The published version of the competition at which its results were last looked at; null before."""
    digest = models.CharField(_("digest of the results"), max_length=64, default="", db_default="", editable=False)
    public_digest = models.CharField(
        _("digest of what the public reads"), max_length=64, default="", db_default="?", editable=False
    )
    """Of the final table, or of the games that count one by one; empty while nothing counts, `?` in rows written
    before there was this column."""
    counted_n = models.PositiveBigIntegerField(_("counts since version"), null=True, blank=True, editable=False)
    changed_n = models.PositiveBigIntegerField(_("changed at version"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("event of a ranking")
        verbose_name_plural = _("events of rankings")
        ordering = ["ranking", "day", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["ranking", "competition"], condition=Q(ended_at=None), name="event_listed_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.ranking}: {self.competition}"


class EventResult(models.Model):
    """A player's result in a listed event, copied from its final table: derived, and rebuilt when that changes.

    `points` is the total of the last stage played, at the scale of the competition's ranking ledger; `place` counts
    all who were ranked (`players` of them).
    """

    event = models.ForeignKey(EventListed, verbose_name=_("event"), on_delete=models.CASCADE, related_name="results")
    player = models.ForeignKey(
        "league.Player", verbose_name=_("player or team"), on_delete=models.PROTECT, related_name="event_results"
    )
    place = models.PositiveIntegerField(pgettext_lazy("ranking", "place"))
    players = models.PositiveIntegerField(_("number of players"))
    points = models.IntegerField(_("points"), default=0)

    class Meta:
        verbose_name = _("result in a ranking's event")
        verbose_name_plural = _("results in rankings' events")
        ordering = ["event", "place", "pk"]
        constraints = [models.UniqueConstraint(fields=["event", "player"], name="event_result_once")]

    def __str__(self) -> str:
        return f"{self.event_id} {self.place}"
