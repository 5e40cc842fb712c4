"""Competitions (a league's season or a parlour's open table), and the roles of their staff."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.base import Audience, digest_of_picture
from league.wording.marks import LONGEST_GLYPH
from league.wording.names import title_of


class Competition(models.Model):
    """A league's season or an open table.

    `version` is the number of its newest `Change`; `computed_version` is the version its standings were computed
    from; `public_version` is the newest computed version that the public may read. The public is shown
    `shown_version` instead, which counts public changes only: those up to the change `shown_n`.
    """

    class Kind(models.TextChoices):
        """The form of play: a season with stages, or games without an end."""

        LEAGUE = "league", _("league")
        OPEN = "open", _("open table")

    class Status(models.TextChoices):
        """The life cycle of a competition: only organizers see a draft; a closed one takes no more results."""

        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    class Confirmation(models.TextChoices):
        """The policy by which an entered result is confirmed and begins to count."""

        ONE = "one", _("one person: entered is confirmed")
        SECOND = "second", _("a second person")
        PLAYERS = "players", _("all players of the table")
        BLIND = "blind", _("two people enter without seeing each other's sheet")

    class Advice(models.TextChoices):
        """The audience that sees, during a hanchan, which hands each player at the table needs."""

        NOWHERE = "nowhere", _("nowhere")
        STAFF = "staff", _("to organizers and the broadcast")
        PUBLIC = "public", _("to all visitors")

    slug = models.SlugField(_("address"), max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("English name"), max_length=100, blank=True)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.LEAGUE)
    parlour = models.ForeignKey(
        "league.Parlour",
        verbose_name=_("parlour"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="books",
    )
    term = models.ForeignKey(
        "league.Term",
        verbose_name=_("term"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="competitions",
    )
    tier = models.CharField(_("tier"), max_length=32, blank=True, default="", db_default="", editable=False)
    """Key of the tier of its series that this competition is in its term."""
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.DRAFT)
    audience = models.CharField(_("readable by"), max_length=8, choices=Audience, default=Audience.PUBLIC)
    confirmation = models.CharField(_("confirmation"), max_length=8, choices=Confirmation, default=Confirmation.ONE)
    time_zone = models.CharField(_("time zone"), max_length=64, default="Asia/Tokyo")
    day_starts_at = models.TimeField(_("business day starts at"), default=dt.time(0, 0))
    advice = models.CharField(
        _("what the last hand needs is shown"),
        max_length=8,
        choices=Advice,
        default=Advice.STAFF,
        help_text=_("Advice at the table is coaching: before the hanchan is confirmed no seated player may read it."),
    )
    live_delay = models.PositiveSmallIntegerField(
        _("delay of live tables in minutes"),
        default=0,
        help_text=_("The public follows a table hand by hand so many minutes late."),
    )
    shows_odds = models.BooleanField(_("odds are shown"), default=True)
    is_first_page = models.BooleanField(
        _("first page of this service"), default=False, db_default=False, editable=False
    )
    mark_glyph = models.CharField(
        _("character on the tile"), max_length=LONGEST_GLYPH, blank=True, default="", db_default=""
    )
    mark_colour = models.PositiveSmallIntegerField(_("colour of the tile"), null=True, blank=True)
    picture = digest_of_picture()
    accent = models.CharField(_("accent colour"), max_length=7, blank=True, default="", db_default="")
    is_demo = models.BooleanField(_("demonstration data"), default=False, editable=False)
    created_at = models.DateTimeField(_("created at"), default=timezone.now, editable=False)

    version = models.PositiveBigIntegerField(_("version"), default=0, editable=False)
    computed_version = models.PositiveBigIntegerField(_("computed version"), default=0, editable=False)
    public_version = models.PositiveBigIntegerField(_("public version"), default=0, editable=False)
    shown_version = models.PositiveBigIntegerField(_("version shown"), default=0, db_default=0, editable=False)
    shown_n = models.PositiveBigIntegerField(_("version shown is of change"), default=0, db_default=0, editable=False)

    class Meta:
        verbose_name = _("competition")
        verbose_name_plural = _("competitions")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(computed_version__lte=F("version")),
                name="competition_computed_not_ahead_of_facts",
            ),
            models.CheckConstraint(
                condition=Q(public_version__lte=F("computed_version")),
                name="competition_public_not_ahead_of_computed",
            ),
            models.UniqueConstraint(
                fields=["is_first_page"], condition=Q(is_first_page=True), name="competition_one_first_page"
            ),
            models.UniqueConstraint(fields=["term", "tier"], condition=~Q(term=None), name="competition_tier_once"),
        ]

    def __str__(self) -> str:
        return title_of(self)

    @property
    def is_readable_by_public(self) -> bool:
        """Return True if the public may read it: its audience is public and it is no draft."""
        return self.audience == Audience.PUBLIC and self.status != self.Status.DRAFT


class FormerSlug(models.Model):
    """A slug that a competition had before: links to it redirect, and no other competition may take it."""

    slug = models.SlugField(_("address"), max_length=64, unique=True)
    competition = models.ForeignKey(
        Competition, verbose_name=_("competition"), on_delete=models.CASCADE, related_name="former_slugs"
    )

    class Meta:
        verbose_name = _("former address")
        verbose_name_plural = _("former addresses")

    def __str__(self) -> str:
        return self.slug


class Role(models.TextChoices):
    """The role of a staff member in a competition; `selectors.access.actors` lists its capabilities."""

    DIRECTOR = "director", _("director")
    SCORER = "scorer", _("scorer")
    REFEREE = "referee", _("referee")
    READER = "reader", _("reader")
    CAPTAIN = "captain", _("captain")


class Membership(models.Model):
    """A user's role in one competition; a captain's is for one team."""

    competition = models.ForeignKey(
        Competition,
        verbose_name=_("competition"),
        on_delete=models.CASCADE,
        related_name="memberships",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="memberships",
    )
    role = models.CharField(_("role"), max_length=12, choices=Role)
    team = models.ForeignKey(
        "league.Entrant",
        verbose_name=_("team"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="captains",
    )

    class Meta:
        verbose_name = _("member of staff")
        verbose_name_plural = _("members of staff")
        ordering = ["competition", "role", "user"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "user"], name="membership_one_role_per_competition"),
            models.CheckConstraint(
                condition=Q(role="captain", team__isnull=False) | (~Q(role="captain") & Q(team=None)),
                name="membership_captain_has_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"
