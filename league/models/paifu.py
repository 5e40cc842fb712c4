"""Games played online (牌譜): their stored records, the accounts of players, and imports in progress."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.base import Versioned, account, through_link
from league.models.change import Door
from league.models.player import Player
from league.models.schedule import TableSession


class OnlineService(models.TextChoices):
    """A service on which games are played online; the values are those of `scoring.paifu.records.PaifuSource`."""

    TENHOU = "tenhou", pgettext_lazy("online service", "Tenhou")
    MAHJONGSOUL = "mahjongsoul", _("Mahjong Soul")


class OnlineAccount(models.Model):
    """An account id or a name by which an online service knows a player, remembered when a game is imported."""

    class Kind(models.TextChoices):
        """The kind of text: ids never change, names may."""

        ACCOUNT = "account", _("account id")
        NAME = "name", _("name")

    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="online_accounts"
    )
    service = models.CharField(_("online service"), max_length=16, choices=OnlineService)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    text = models.CharField(_("account id or name"), max_length=100)
    made_by = account(_("remembered by"), blank=True)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("online account")
        verbose_name_plural = _("online accounts")
        ordering = ["service", "kind", "text"]
        constraints = [models.UniqueConstraint(fields=["service", "kind", "text"], name="online_account_once")]

    def __str__(self) -> str:
        return f"{self.get_service_display()} {self.text}"


class Paifu(Versioned):
    """The record of a hanchan that was played online.

    `content` is the neutral record (`scoring.paifu`) without names and account ids: seats belong to the players of
    the hanchan, so that erasing a person leaves no name here.
    """

    hanchan = models.ForeignKey(
        "league.Hanchan", verbose_name=_("hanchan"), on_delete=models.PROTECT, related_name="paifu"
    )
    source = models.CharField(_("online service"), max_length=16, choices=OnlineService)
    game = models.CharField(_("id of the game"), max_length=200, blank=True)
    digest = models.CharField(_("digest"), max_length=64, db_index=True)
    """SHA-256 of the hands with their scores, equal for the same game in every format."""
    content = models.JSONField(_("record"))
    imported_by = account(_("imported by"), blank=True)
    link = through_link()
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("record of an online game")
        verbose_name_plural = _("records of online games")
        ordering = ["hanchan", "made_n"]
        constraints = [models.UniqueConstraint(fields=["hanchan"], condition=Q(ended_n=None), name="paifu_holds_once")]

    def __str__(self) -> str:
        return f"{self.get_source_display()} {self.game or self.digest[:8]}"


class PaifuImport(models.Model):
    """Logs that were brought together, from the preview until each is imported or refused; no fact.

    `table_session` limits it to one table, for holders of a link.
    """

    class State(models.TextChoices):
        """The progress of the import."""

        PREVIEWED = "previewed", _("previewed")
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.CASCADE, related_name="paifu_imports"
    )
    table_session = models.ForeignKey(
        TableSession, verbose_name=_("table session"), null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    link = models.ForeignKey(
        "league.TableLink", verbose_name=_("entered through"), null=True, on_delete=models.CASCADE, related_name="+"
    )
    door = models.CharField(_("door"), max_length=8, choices=Door)
    credential = models.CharField(_("token or link"), max_length=64, blank=True, default="", db_default="")
    scopes = models.JSONField(_("scopes"), null=True, blank=True)
    """The capabilities to which the token limits the person; None without such a limit."""
    language = models.CharField(_("language"), max_length=8, blank=True)
    """The language of the person, in which a background task tells what was wrong."""
    accept = models.JSONField(_("accepted warnings"), default=list)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PREVIEWED)
    done = models.PositiveIntegerField(_("games done"), default=0)
    total = models.PositiveIntegerField(_("games"))
    created_at = models.DateTimeField(_("created at"), default=timezone.now)
    touched_at = models.DateTimeField(_("last progress"), default=timezone.now)

    class Meta:
        verbose_name = _("import of online games")
        verbose_name_plural = _("imports of online games")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.competition} {self.done}/{self.total}"

    @property
    def is_pending(self) -> bool:
        """Return True while games are being imported."""
        return self.state in {self.State.WAITING, self.State.RUNNING}


class ImportedPaifu(models.Model):
    """One game of an import, with its names as the log has them, or the fault for which it cannot be read."""

    class Outcome(models.TextChoices):
        """The outcome of one game."""

        PENDING = "pending", _("not imported yet")
        IMPORTED = "imported", _("imported")
        REFUSED = "refused", _("refused")
        LEFT_OUT = "left_out", _("left out")

    batch = models.ForeignKey(PaifuImport, verbose_name=_("import"), on_delete=models.CASCADE, related_name="games")
    number = models.PositiveIntegerField(_("number"))
    label = models.CharField(_("file"), max_length=200, blank=True)
    content = models.JSONField(_("record"), null=True)
    """The neutral record with names; None if the file could not be read."""
    seats = models.JSONField(_("chosen players"), default=dict)
    """Ids of entrants and players chosen by a person, by seat; the others are matched."""
    hanchan = models.ForeignKey(
        "league.Hanchan", verbose_name=_("hanchan"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    """The hanchan chosen by a person, or the one imported into."""
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, default=Outcome.PENDING)
    findings = models.JSONField(_("findings"), default=list)
    """Code and message of what was wrong."""

    class Meta:
        verbose_name = _("imported online game")
        verbose_name_plural = _("imported online games")
        ordering = ["batch", "number"]
        constraints = [models.UniqueConstraint(fields=["batch", "number"], name="imported_paifu_number_once")]

    def __str__(self) -> str:
        return f"{self.number}. {self.label}"
