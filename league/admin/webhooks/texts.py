"""Pages of receivers of texts for people (Discord, Slack, LINE, mail): make, change, and see what they would get."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import page_of
from league.admin.webhooks.views import MakeView, WebhookView
from league.forms.service import ServiceForm
from league.forms.webhooks.subscriptions import PeopleForm, PeopleWordsForm
from league.models import Audience
from league.selectors.access.actors import Actor
from league.services.webhooks.events import EVENTS
from league.services.webhooks.previews import previews_of
from league.services.webhooks.subscriptions import ToldKey, change_webhook, subscribe


class MakeForPeopleView(MakeView[PeopleForm]):
    """Create a receiver of texts for a competition."""

    form_class = PeopleForm
    title = gettext_lazy("Tell people")
    explanation = gettext_lazy(
        "Results, standings, what each player needs before the last hanchan, and reminders are sent as texts to "
        "Discord, Slack, LINE or a mail address. Results that are held back are sent once they are public."
    )
    submit = gettext_lazy("Save")

    @override
    def make_key(self, form: PeopleForm, by: Actor) -> ToldKey:
        typed = {**form.cleaned_data, "audience": Audience(form.cleaned_data["audience"])}
        return subscribe(owner=self.row, by=by, **typed)

    @override
    def render_key(self, told: ToldKey) -> HttpResponse:
        """Redirect to the receiver: texts are not signed, so that there is no key to show."""
        messages.success(self.request, _("Saved. Try out whether a message arrives."))
        return HttpResponseRedirect(page_of(told.subscription))


class ChangeForPeopleView(WebhookView[PeopleWordsForm]):
    """Change the address, the events or the language of a receiver of texts."""

    form_class = PeopleWordsForm
    title = gettext_lazy("Edit")

    @override
    def form_arguments(self) -> dict[str, object]:
        typed = {"url": self.row.typed_address, "events": self.row.events, "language": self.row.language}
        return {"initial": typed}

    @override
    def perform(self, form: PeopleWordsForm, by: Actor) -> str:
        typed = dict(form.cleaned_data)
        # LINE's token is stored inside the address and not shown again: as long as nothing is typed, both stay.
        if typed["url"] == self.row.typed_address and not typed["token"]:
            typed["url"] = None
        change_webhook(subscription=self.row, by=by, **typed)
        return _("Saved.")


class TextsView(WebhookView[ServiceForm]):
    """Show the texts that the receiver would get now."""

    http_method_names = ["get", "head", "options"]
    title = gettext_lazy("What is sent")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponseBase:
        """Render a text for each chosen event, or why there is none yet."""
        texts: Iterable[tuple[object, str]] = [
            (EVENTS[name].meaning, text) for name, text in previews_of(self.row).items()
        ]
        return self.render_page("webhooks/texts", subtitle="", texts=texts)
