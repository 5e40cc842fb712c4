"""Page for the picture of a player or a competition: upload, preview, remove, show an earlier one again."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, page_of
from league.forms.people.pictures import PictureForm
from league.forms.service import ServiceForm
from league.models import Competition, Picture
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.services.people.pictures import remove_picture, restore_picture, set_picture


class PictureView(ServiceView[Any, PictureForm]):
    """Base of the two pages. Previews stand in the page itself: the public may not see the picture yet."""

    form_class = PictureForm
    title = gettext_lazy("Picture")
    explanation = gettext_lazy(
        "Shown in place of the tile's character where the tile is large: on the card and page, as champion, in the "
        "broadcast. Without a picture, and in small tiles, the character stands."
    )
    submit = gettext_lazy("Show this picture")
    template = "admin/league/picture.html"

    @override
    def form(self, data: object = None) -> PictureForm:
        return PictureForm(data, self.request.FILES if data is not None else None)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if "remove" in request.POST or "restore" in request.POST:
            return self.change_shown(request.POST.get("restore"))
        return super().post(request, **kwargs)

    def change_shown(self, restored: str | None) -> HttpResponse:
        """Show the earlier picture with this number again, or without one remove the picture; redirect."""
        try:
            if restored is None:
                remove_picture(subject=self.row, by=self.actor())
            else:
                restore_picture(picture=self.picture(restored), by=self.actor())
        except ServiceError as error:
            for finding in error.findings:
                messages.error(self.request, finding.message)
        else:
            done = _("The picture is removed.") if restored is None else _("The earlier picture is shown again.")
            messages.success(self.request, done)
        return HttpResponseRedirect(page_of(self.row, "picture"))

    def picture(self, number: str) -> Picture:
        """Return the stored picture with this number; raise Http404 if it is another's."""
        found = next((each for each in self.row.pictures.defer("data") if str(each.pk) == number), None)
        if not isinstance(found, Picture):
            raise Http404
        return found

    @override
    def perform(self, form: PictureForm, by: Actor) -> str:
        set_picture(subject=self.row, file=form.cleaned_data["file"], by=by)
        return _("The picture is shown.")

    @override
    def after(self, form: PictureForm) -> str:
        return page_of(self.row, "picture")

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterable[tuple[str, object]]:
        stored = [(picture, as_address(picture)) for picture in self.row.pictures.select_related("added_by")]
        yield "shown", [each for each in stored if each[0].sha256 == self.row.picture]
        yield "earlier", [each for each in stored if each[0].sha256 != self.row.picture]
        yield "back", page_of(self.row)


class CompetitionPictureView(PictureView):
    """Picture of a competition, such as the league's logo."""

    row: Competition


def as_address(picture: Picture) -> str:
    """Return the picture as a data URL."""
    return f"data:image/webp;base64,{b64encode(bytes(picture.data)).decode()}"
