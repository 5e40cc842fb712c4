"""Import of a game's log from a JSON file into a hanchan. The log is imported as a whole or not at all."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView
from league.forms.live.log_import import LogForm
from league.models import Entrant, Hanchan
from league.selectors.access.actors import Actor, Capability
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.standings.blocks import entrants_who_may_sit
from league.services.live.log_import import import_log


class ImportLogView(ServiceView[Hanchan, LogForm]):
    """Import a log into a hanchan that has none."""

    capability = Capability.SUBMIT
    title = gettext_lazy("Import a log")
    submit = gettext_lazy("Take over")
    explanation = gettext_lazy(
        "Takes a log as JSON, as it is downloaded from a hanchan's page, for a hanchan that has none. It is judged by "
        "this hanchan's rules; if anything is wrong, all of it is named and nothing is kept. The result is submitted "
        "afterwards on the score sheet."
    )

    @override
    def form(self, data: object = None) -> LogForm:
        files = self.request.FILES if data is not None else None
        return LogForm(data, files, rules=ruleset_of(self.row.rules), entrants=self.players())

    def players(self) -> list[Entrant]:
        """Return the entrants planned for the seats; if no seat is planned, the block's eligible ones."""
        planned = [seat.entrant for seat in self.row.seats.select_related("entrant__player").order_by("seat")]
        may_play = Entrant.objects.filter(pk__in=entrants_who_may_sit(self.row.block)).select_related("player")
        return planned or list(may_play.order_by("number"))

    @override
    def perform(self, form: LogForm, by: Actor) -> str:
        log = form.log()
        import_log(hanchan=self.row, log=log, by=by)
        return _("%(count)s entries are taken over. Look through them, then submit the result.") % {
            "count": len(log.entries)
        }

    @override
    def after(self, form: object) -> str:
        return f"{reverse('pages:table-sheet', args=[self.row.table_session_id])}?hanchan={self.row.pk}"
