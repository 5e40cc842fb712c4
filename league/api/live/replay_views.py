"""View of a hanchan played online, tile by tile."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.api.live.replay_documents import ReplayDocument, replay_document
from league.api.results.views import HanchanRowView
from league.api.schema import describe_get
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import hanchan_of
from league.selectors.live.replay import shown_replay
from league.web.problems import not_found


@describe_get("get_replay", ReplayDocument)
class ReplayView(HanchanRowView):
    """Return a hanchan played online tile by tile: the deal, every step, and the outcome of each hand.

    404 without a record, or while the client may not see the result.
    """

    def write(self, reader: Reader) -> ReplayDocument:
        """Return the replay."""
        hanchan = hanchan_of(reader, self.kwargs["pk"])
        found = shown_replay(reader, hanchan) if hanchan is not None else None
        if hanchan is None or found is None:
            raise not_found(_("There is no record of this hanchan tile by tile."))
        return replay_document(hanchan.pk, found)
