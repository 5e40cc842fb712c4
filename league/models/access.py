"""Credentials other than a user name and password: table links, invitations, and grants that restrict a token.

A secret is shown once, when it is made; the database keeps only its digest.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.base import account
from league.models.competition import Role


class TableLink(models.Model):
    """A link (or its QR code) that lets its holder do one thing at one table, until that table is done."""

    class Kind(models.TextChoices):
        """The link's purpose: keep the table's score sheet, or confirm the result on behalf of one player."""

        SCORER = "scorer", _("keeps the score sheet")
        PLAYER = "player", _("confirms for a player")

    table_session = models.ForeignKey(
        "league.TableSession", verbose_name=_("table session"), on_delete=models.CASCADE, related_name="links"
    )
    kind = models.CharField(_("for"), max_length=8, choices=Kind)
    entrant = models.ForeignKey(
        "league.Entrant",
        verbose_name=_("entrant"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
    )
    # Only a digest: a leaked database backup must not open any table.
    digest = models.CharField(_("digest"), max_length=64, unique=True)
    made_by = account(_("made by"))
    made_at = models.DateTimeField(_("made at"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    used_at = models.DateTimeField(_("last used at"), null=True, blank=True)

    class Meta:
        verbose_name = _("link to a table")
        verbose_name_plural = _("links to tables")
        ordering = ["table_session", "-made_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="scorer", entrant=None) | Q(kind="player", entrant__isnull=False),
                name="table_link_player_has_entrant",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_session_id} {self.kind}"


class RefereeCall(models.Model):
    """A table's call for a referee, until a referee answers it or the table takes it back."""

    table_session = models.ForeignKey(
        "league.TableSession", verbose_name=_("table session"), on_delete=models.CASCADE, related_name="referee_calls"
    )
    about = models.CharField(_("about"), max_length=200, blank=True)
    link = models.ForeignKey(
        TableLink, verbose_name=_("entered through"), null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_by = account(_("by"))
    made_at = models.DateTimeField(_("at"), default=timezone.now)
    answered_by = account(_("answered by"), blank=True)
    answered_at = models.DateTimeField(_("answered at"), null=True, blank=True)

    class Meta:
        verbose_name = _("referee call")
        verbose_name_plural = _("referee calls")
        ordering = ["made_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["table_session"], condition=Q(answered_at=None), name="referee_call_open_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table_session} {self.about}".strip()


class Invitation(models.Model):
    """An e-mailed link that makes its recipient a staff member of a competition. It works once and expires."""

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.CASCADE, related_name="invitations"
    )
    email = models.EmailField(_("e-mail address"))
    role = models.CharField(_("role"), max_length=12, choices=Role)
    team = models.ForeignKey(
        "league.Entrant", verbose_name=_("team"), null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    digest = models.CharField(_("digest"), max_length=64, unique=True)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES)
    made_by = account(_("made by"))
    made_at = models.DateTimeField(_("made at"), default=timezone.now)
    expires_at = models.DateTimeField(_("valid until"))
    accepted_at = models.DateTimeField(_("accepted at"), null=True, blank=True)
    accepted_by = account(_("accepted by"), blank=True)
    withdrawn_at = models.DateTimeField(pgettext_lazy("invitation", "withdrawn at"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["competition", "-made_at"]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.role}"


class TokenGrant(models.Model):
    """The restriction of an API token to less than its user may do.

    `scopes` are names of capabilities; if `competition` is set, the token is refused in every other competition. A
    token without a grant has all the rights of its user, as after a login.
    """

    token = models.OneToOneField(
        "knox.AuthToken", verbose_name=_("token"), on_delete=models.CASCADE, related_name="grant"
    )
    label = models.CharField(_("used for"), max_length=100)
    scopes = models.JSONField(_("scopes"), default=list)
    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="token_grants",
    )
    used_at = models.DateTimeField(_("last used at"), null=True, blank=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering = ["label", "pk"]

    def __str__(self) -> str:
        return self.label
