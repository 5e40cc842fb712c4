"""Rows derived from the facts. They can be deleted and rebuilt at any time."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.base import Audience


class Derived(models.Model):
    """Abstract base of rows for one audience, with the version of the facts they were computed from."""

    audience = models.CharField(_("audience"), max_length=8, choices=Audience)
    computed_version = models.PositiveBigIntegerField(_("computed from version"))

    class Meta:
        abstract = True


class Standing(Derived):
    """An entrant's line in a block's table.

    `total`, `carried`, `adjustment` and `credited` are at the ranking ledger's scale; `places` counts firsts, ...;
    `status` is the kind of the entrant's `Departure`, empty for those who play on;
    `decision` records the criterion that separates the entrant from the neighbour above if their totals are level.
    `is_ranked` is false for an entrant who withdrew, where the format ranks no such entrant; `rank` is then the
    position behind all others, and no page shows it.
    """

    block = models.ForeignKey(
        "league.Block", verbose_name=_("block"), on_delete=models.CASCADE, related_name="standings"
    )
    entrant = models.ForeignKey(
        "league.Entrant",
        verbose_name=_("entrant"),
        on_delete=models.CASCADE,
        related_name="standings",
    )
    position = models.PositiveIntegerField(_("position"))
    rank = models.PositiveIntegerField(_("rank"))
    is_ranked = models.BooleanField(_("has a rank"), default=True, db_default=True)
    is_tied = models.BooleanField(_("shares the rank"), default=False)
    total = models.IntegerField(_("total"))
    carried = models.IntegerField(_("carried over"), default=0)
    adjustment = models.IntegerField(_("adjustment"), default=0)
    credited = models.IntegerField(_("for rounds not played"), default=0, db_default=0)
    status = models.CharField(_("status"), max_length=12, blank=True, default="", db_default="")
    played = models.PositiveIntegerField(_("hanchan played"), default=0)
    places = models.JSONField(_("places"), default=list)
    destination = models.CharField(_("leads to"), max_length=32, blank=True)
    decision = models.JSONField(_("what decided"), null=True)
    goes: str = ""
    """The stage that the entrant is certain to play in next, or `out`; empty while that may still change.

    `selectors.standings.published` sets it on the rows it returns; it is not stored.
    """

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["block", "audience", "position"]
        constraints = [
            models.UniqueConstraint(fields=["block", "audience", "entrant"], name="standing_once"),
            models.UniqueConstraint(fields=["block", "audience", "position"], name="standing_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.block_id} {self.position}"

    @property
    def shown_rank(self) -> str:
        """Return the rank as tables show it: a number, or a dash for an entrant without one."""
        return str(self.rank) if self.is_ranked else "–"

    @property
    def has_points(self) -> bool:
        """Return True if the total is a sum of anything, which may come to 0."""
        return bool(self.played or self.carried or self.adjustment or self.credited)

    @property
    def has_points_outside(self) -> bool:
        """Return True if points of the total come from adjustments or from rounds not played."""
        return bool(self.adjustment or self.credited)


class SlotState(Derived):
    """The entrant who fills a slot, and how certain that is."""

    class State(models.TextChoices):
        """The certainty with which the entrant of a slot is known."""

        CERTAIN = "certain", _("certain")
        PROVISIONAL = "provisional", _("provisional")
        OPEN = "open", _("open")
        RULING = "ruling", _("awaiting a ruling")

    slot = models.ForeignKey("league.Slot", verbose_name=_("slot"), on_delete=models.CASCADE, related_name="states")
    state = models.CharField(_("state"), max_length=12, choices=State)
    entrant = models.ForeignKey(
        "league.Entrant",
        verbose_name=_("entrant"),
        null=True,
        on_delete=models.CASCADE,
        related_name="slot_states",
    )
    source = models.CharField(_("source"), max_length=64, blank=True)
    candidates = models.JSONField(_("candidates"), default=list)
    reason = models.CharField(_("reason"), max_length=16, blank=True)
    carried = models.IntegerField(_("carried over"), null=True)
    note = models.TextField(_("organizer's reason"), blank=True)

    class Meta:
        verbose_name = _("state of a slot")
        verbose_name_plural = _("states of slots")
        ordering = ["slot", "audience"]
        constraints = [models.UniqueConstraint(fields=["slot", "audience"], name="slot_state_once")]

    def __str__(self) -> str:
        return f"{self.slot_id} {self.state}"


class Tally(Derived):
    """The totals of an entrant of an open table for one month, or for all time.

    `points` is the total in the ranking ledger and `totals` those of all ledgers, at their scales. A tally is updated
    incrementally (new results are added, results that no longer count are subtracted), so that the cost of a game
    does not grow with the number of games before it.
    """

    class Period(models.TextChoices):
        """The period that a tally sums over."""

        MONTH = "month", _("month")
        ALL = "all", _("all time")

    block = models.ForeignKey("league.Block", verbose_name=_("block"), on_delete=models.CASCADE, related_name="tallies")
    entrant = models.ForeignKey(
        "league.Entrant", verbose_name=_("entrant"), on_delete=models.CASCADE, related_name="tallies"
    )
    period = models.CharField(_("period"), max_length=5, choices=Period)
    since = models.DateField(_("first day"), help_text=_("The first of the month, or 1 January 1970"))
    games = models.PositiveIntegerField(_("games"))
    firsts = models.PositiveIntegerField(_("firsts"), default=0)
    seconds = models.PositiveIntegerField(_("seconds"), default=0)
    thirds = models.PositiveIntegerField(_("thirds"), default=0)
    fourths = models.PositiveIntegerField(_("fourths"), default=0)
    points = models.BigIntegerField(_("points"))
    totals = models.JSONField(_("totals"), default=dict)
    busts = models.PositiveIntegerField(_("busts"), default=0)
    best_score = models.IntegerField(_("highest score"))

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        ordering = ["block", "audience", "period", "since", "-points", "entrant"]
        constraints = [
            models.UniqueConstraint(fields=["block", "audience", "period", "since", "entrant"], name="tally_once"),
        ]
        indexes = [
            models.Index(fields=["block", "audience", "period", "since", "-points", "entrant"], name="tally_ranked"),
        ]

    def __str__(self) -> str:
        return f"{self.block_id} {self.period} {self.since} {self.entrant_id}"

    @property
    def places(self) -> tuple[int, int, int, int]:
        """Return the number of firsts, seconds, thirds and fourths."""
        return (self.firsts, self.seconds, self.thirds, self.fourths)


class Outcome(Derived):
    """The state of a competition as a whole: its champion or leader, and the ties that await a ruling.

    `awaiting` lists ties on which places depend: their scope, entrants, ranks, places and open slots. `pools` holds
    the entrants of drawn stages in the order in which a draw counts them.
    """

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.CASCADE, related_name="outcomes"
    )
    champion = models.ForeignKey(
        "league.Entrant", verbose_name=_("champion"), null=True, on_delete=models.CASCADE, related_name="+"
    )
    champion_state = models.CharField(_("champion is"), max_length=12, choices=SlotState.State, blank=True)
    awaiting = models.JSONField(_("awaiting a ruling"), default=list)
    pools = models.JSONField(_("entrants of drawn stages"), default=dict)

    class Meta:
        verbose_name = _("outcome")
        verbose_name_plural = _("outcomes")
        constraints = [models.UniqueConstraint(fields=["competition", "audience"], name="outcome_once")]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.audience}"


class Prepared(models.Model):
    """Part of the data of a league's public pages, prepared when publishing (`services.standings.prepared`).

    `data` holds rows of other tables as lists of column values, without names of people. `key` is the id of the block
    or of the table session, and 0 for the season; `version` is the computed version at which the part was last
    written.
    """

    class Part(models.TextChoices):
        """The part of the public pages that a row prepares."""

        SEASON = "season", _("season")
        BLOCK = "block", _("block")
        TABLE = "table", _("table session")

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.CASCADE, related_name="prepared"
    )
    part = models.CharField(_("part"), max_length=8, choices=Part)
    key = models.PositiveBigIntegerField(_("key"))
    layout = models.PositiveSmallIntegerField(_("layout"), db_default=1)
    """The layout of `data` (`LAYOUT` in `selectors.standings.prepared`); older rows are rewritten, never read."""
    version = models.PositiveBigIntegerField(_("computed from version"))
    data = models.JSONField(_("data"))

    class Meta:
        verbose_name = _("prepared part")
        verbose_name_plural = _("prepared parts")
        ordering = ["competition", "part", "key"]
        constraints = [models.UniqueConstraint(fields=["competition", "part", "key"], name="prepared_once")]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.part} {self.key}"


class Forecast(Derived):
    """Simulated probabilities of the rest of a season. Equal inputs have equal digests and give equal figures."""

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.CASCADE, related_name="forecasts"
    )
    method = models.PositiveSmallIntegerField(_("method"), db_default=1)
    digest = models.CharField(_("digest of the inputs"), max_length=64)
    seasons = models.PositiveIntegerField(_("seasons simulated"))
    payload = models.JSONField(_("figures"))
    made_at = models.DateTimeField(_("made at"), default=timezone.now)

    class Meta:
        verbose_name = _("forecast")
        verbose_name_plural = _("forecasts")
        ordering = ["competition", "audience"]
        constraints = [models.UniqueConstraint(fields=["competition", "audience"], name="forecast_once")]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.audience} {self.computed_version}"
