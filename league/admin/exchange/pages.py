"""The import and export pages of the admin with their addresses, and the import of archives."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View
from typing_extensions import override

from league.admin.base import PageView, actor_of, may_set_up, page_of
from league.admin.exchange.files import MOST_FAULTS_SHOWN, DataView, DownloadView, ResultsInView, RosterInView
from league.admin.exchange.members import MembersInView
from league.admin.exchange.paifu import PaifuInView
from league.files.archive import LARGEST, ArchiveRefusedError
from league.forms.exchange.files import ArchiveForm
from league.models import Competition
from league.platform.errors import ServiceError
from league.services.exchange.season_archives import import_any
from scoring.ruleset import FaultsError


class ArchiveInView(PageView[Competition]):
    """Import an archive, for users with the permission to create competitions."""

    title = gettext_lazy("A competition, series or ranking from an archive")

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return request.user.is_staff and may_set_up(request)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the empty form."""
        return self._shown(ArchiveForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Import the archive, or show the errors."""
        form = ArchiveForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._shown(form)
        typed = form.cleaned_data
        try:
            made = import_any(
                data=typed["file"].read(LARGEST), by=actor_of(request), slug=typed["slug"], name=typed["name"]
            )
        except ArchiveRefusedError as error:
            form.add_error("file", str(error))
        except FaultsError as error:
            form.add_error("file", [str(fault) for fault in error.faults[:MOST_FAULTS_SHOWN]])
        except ServiceError as error:
            form.take(error)
        else:
            said = (
                _("%(name)s is taken in; its standings are those of the archive.")
                if isinstance(made, Competition)
                else _("%(name)s is taken in with its competitions; its outcome is that of the archive.")
            )
            messages.success(request, said % {"name": made.name})
            return HttpResponseRedirect(page_of(made))
        return self._shown(form)

    def _shown(self, form: ArchiveForm) -> HttpResponse:
        return self.render_page(
            "service_form",
            422 if form.errors else 200,
            explanation=_(
                "Everything in it happens again here. Nothing is kept unless every byte is as it was written and the "
                "standings, moves or lines are those of the archive."
            ),
            form=form,
            submit=_("Take it in"),
        )

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [(str(Competition._meta.verbose_name_plural), reverse("admin:league_competition_changelist"))]


FILE_PAGES: tuple[tuple[str, type[View]], ...] = (
    ("data", DataView),
    ("download", DownloadView),
    ("results-in", ResultsInView),
    ("paifu-in", PaifuInView),
    ("roster-in", RosterInView),
    ("members-in", MembersInView),
)
