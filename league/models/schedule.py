"""The schedule: sessions (days of play), and table sessions (four players at a table on a date)."""

from __future__ import annotations

import re

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.wording.formatting import language_of
from league.wording.names import table_title, title_of

_WEB_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


def is_web_address(text: str) -> bool:
    """Return True if the text is a single http or https address."""
    return bool(_WEB_ADDRESS.fullmatch(text))


class Session(models.Model):
    """A numbered day of play (節); in an open table a business day."""

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="sessions",
    )
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("English name"), max_length=100, blank=True)
    day = models.DateField(_("business day"), null=True, blank=True)
    timer_ends_at = models.DateTimeField(_("time is up at"), null=True, blank=True)

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        ordering = ["competition", "number"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "number"], name="session_number_once"),
            models.UniqueConstraint(fields=["competition", "day"], condition=~Q(day=None), name="session_day_once"),
        ]

    def __str__(self) -> str:
        return title_of(self)


class TableSession(models.Model):
    """The players at one table on a date (対局), for one or several hanchan.

    While `is_released` is false, the public sees nothing of it; the periodic sweep releases it once `public_at` has
    passed.
    """

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="table_sessions",
    )
    session = models.ForeignKey(
        Session, verbose_name=_("session"), on_delete=models.PROTECT, related_name="table_sessions"
    )
    block = models.ForeignKey(
        "league.Block",
        verbose_name=_("block"),
        on_delete=models.PROTECT,
        related_name="table_sessions",
    )
    order = models.PositiveIntegerField(_("order"))
    table = models.CharField(_("table"), max_length=32, blank=True)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    venue = models.CharField(_("venue"), max_length=100, blank=True)
    stream_url = models.URLField(_("stream"), blank=True)
    public_at = models.DateTimeField(
        _("public from"),
        null=True,
        blank=True,
        help_text=_("Until then only organizers see this table. Empty: at once."),
    )
    is_released = models.BooleanField(_("released"), default=True, editable=False)
    is_cancelled = models.BooleanField(_("cancelled"), default=False)
    line_ups_due_at = models.DateTimeField(_("line-ups named until"), null=True, blank=True)
    line_ups_are_secret = models.BooleanField(_("line-ups secret until then"), default=False, db_default=False)

    class Meta:
        verbose_name = _("table session")
        verbose_name_plural = _("table sessions")
        ordering = ["session__number", "order", "pk"]
        constraints = [models.UniqueConstraint(fields=["session", "order"], name="table_session_order_once")]
        indexes = [
            models.Index(fields=["starts_at"], name="table_session_starts_at"),
            models.Index(fields=["is_released", "public_at"], name="table_session_release"),
            models.Index(fields=["competition"], condition=Q(is_released=False), name="table_session_held_back"),
        ]

    def __str__(self) -> str:
        return table_title(self)

    @property
    def stream_link(self) -> str:
        """Return the stream's URL if a page may link to it; empty for other schemes, which old rows may hold."""
        return self.stream_url if is_web_address(self.stream_url) else ""


class Announcement(models.Model):
    """A message for the hall, shown on the projector until it is taken down."""

    session = models.ForeignKey(
        Session, verbose_name=_("session"), on_delete=models.CASCADE, related_name="announcements"
    )
    text = models.CharField(_("text"), max_length=200)
    text_en = models.CharField(_("English text"), max_length=200, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(_("at"), default=timezone.now)
    ended_at = models.DateTimeField(_("taken down at"), null=True, blank=True)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["session", "-made_at"]

    def __str__(self) -> str:
        return self.text_en if self.text_en and language_of() == "en" else self.text
