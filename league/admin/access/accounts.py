"""Accounts, for superusers: who signs in how; each change of one is a line of the log, and none is deleted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from axes import admin as axes_admin
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import PermissionDenied
from django.core.serializers.json import DjangoJSONEncoder
from django.forms import CheckboxSelectMultiple, ModelMultipleChoiceField
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import Found, ServiceView, actor_of
from league.admin.people.people import EraseForm
from league.forms.service import ReasonForm
from league.selectors.access.actors import Actor, is_master
from league.selectors.people.personal_data import account_document
from league.services.access.accounts import (
    note_account_edited,
    note_account_handed_out,
    note_account_made,
    note_password_given,
)
from league.services.access.two_factor import has_second_step, reset
from league.services.people.erasure import erase_account


class AccountView(ServiceView):
    """What the pages about an account share: they belong to no competition, and are for superusers."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """For superusers in person."""
        self.request = request
        if not is_master(request.user):
            raise PermissionDenied
        self.row = User.objects.filter(pk=kwargs["pk"]).first()
        if self.row is None:
            raise Http404
        return super(ServiceView, self).dispatch(request, *args, **kwargs)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [
            (str(User._meta.verbose_name_plural), reverse("admin:auth_user_changelist")),
            (self.row.get_username(), reverse("admin:auth_user_change", args=[self.row.pk])),
        ]

    @override
    def after(self, form: Any) -> str:
        return reverse("admin:auth_user_change", args=[self.row.pk])


class ResetView(AccountView):
    """Phone and recovery codes are lost."""

    form_class = ReasonForm
    title = gettext_lazy("Reset the code")
    explanation = gettext_lazy(
        "Signing in asks this person for the password alone until they set a code up again. "
        "Make sure by another way that it is really them who ask."
    )
    submit = gettext_lazy("Reset the code")
    is_grave = True

    @override
    def perform(self, form: Any, by: Actor) -> str:
        reset(user=self.row, by=by, reason=form.cleaned_data["reason"])
        return _("Signing in asks for the password alone now.")


class EraseAccountView(AccountView):
    """Forget whose an account was."""

    form_class = EraseForm
    title = gettext_lazy("Erase this account")
    explanation = gettext_lazy(
        "The account is shut, its name, e-mail address, roles, tokens and rights are gone for good. "
        "What it did stays in the log, as done by an account of this number. Nobody can undo this."
    )
    submit = gettext_lazy("Erase for good")
    is_grave = True

    @override
    def notes(self) -> Iterable[Any]:
        address = reverse("admin:auth_user_data", args=[self.row.pk])
        yield format_html('<a href="{}">{}</a>', address, _("First download what is kept of this account (JSON)"))

    @override
    def perform(self, form: Any, by: Actor) -> str:
        self.row = erase_account(user=self.row, by=by)
        return _("Erased. The account is called “%(name)s” from now on.") % {"name": self.row.get_username()}


class AccountDataView(AccountView):
    """All that is kept about an account, as a file to hand over."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """The file; that it was taken out is a line of the log."""
        document = json.dumps(account_document(self.row), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        note_account_handed_out(user=self.row, by=actor_of(request))
        headers = {
            "Content-Disposition": f'attachment; filename="account-{self.row.pk}.json"',
            "Cache-Control": "private, no-store",
        }
        return HttpResponse(document, content_type="application/json; charset=utf-8", headers=headers)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Nothing is changed here."""
        return HttpResponseNotAllowed(["GET"])


class NeverChanged(Found):
    """What was noted of attempts to sign in, for superusers to read: nobody adds to it, edits it or takes from it.

    A lock ends by itself; erasing an account takes its name out (`services/erasure.py`).
    """

    actions = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The service alone writes here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What happened stays as it was noted."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever tried to get in does not cover it up, superuser or not."""
        return False


@admin.register(AccessAttempt)
class AccessAttemptAdmin(NeverChanged, axes_admin.AccessAttemptAdmin):  # type: ignore[misc]  # axes has no types
    """Failures that count towards a lock."""


@admin.register(AccessFailureLog)
class AccessFailureLogAdmin(NeverChanged, axes_admin.AccessFailureLogAdmin):  # type: ignore[misc]  # axes has no types
    """Failures."""


@admin.register(AccessLog)
class AccessLogAdmin(NeverChanged, axes_admin.AccessLogAdmin):  # type: ignore[misc]  # axes has no types
    """Sign-ins."""


VIEWS = (("reset-code", ResetView), ("erase", EraseAccountView), ("data", AccountDataView))

RIGHTS = {"add_competition": gettext_lazy("May set up new competitions")}
"""What an account may do beyond its roles in competitions; no other of Django's permissions is asked for."""


class RightsField(ModelMultipleChoiceField):  # type: ignore[type-arg]  # generic for types alone
    """The rights to be ticked, in words."""

    def label_from_instance(self, obj: Permission) -> str:
        """What it allows."""
        return str(RIGHTS[obj.codename])


admin.site.unregister([Group, User])  # nobody's rights come from a group: they come from a role in a competition


@admin.register(User)
class AccountAdmin(Found, UserAdmin):  # type: ignore[type-arg]  # generic for types alone
    """Django's own pages for accounts, with the log and without deleting."""

    change_form_template = "admin/league/account_form.html"
    filter_horizontal = ()
    list_filter = ("is_staff", "is_superuser", "is_active")
    readonly_fields = ("last_login", "date_joined")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Django's own, without the groups."""
        return [
            (name, options | {"fields": tuple(field for field in options["fields"] if field != "groups")})
            for name, options in super().get_fieldsets(request, obj)
        ]

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """The few rights that mean something here."""
        if db_field.name != "user_permissions":
            return super().formfield_for_manytomany(db_field, request, **options)
        rights = Permission.objects.filter(content_type__app_label="league", codename__in=RIGHTS)
        return RightsField(rights, widget=CheckboxSelectMultiple, required=False, label=_("Beyond competitions"))

    def get_urls(self) -> list[URLPattern]:
        """The pages of services, before Django's own addresses."""
        own = [
            path(f"<int:pk>/{name}/", self.admin_site.admin_view(view.as_view(desk=self)), name=f"auth_user_{key}")
            for name, view in VIEWS
            for key in [name.replace("-", "_")]
        ]
        return [*own, *super().get_urls()]

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """What an account did must stay its doing: it is shut, or erased, and never deleted."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's
        """Save, and write down which fields were changed; whoever is shut out is signed out at once."""
        super().save_model(request, obj, form, change)
        by, fields = actor_of(request), sorted(name for name in form.changed_data if "password" not in name)
        if change:
            note_account_edited(user=obj, fields=fields, address_before=form.initial.get("email", ""), by=by)
        else:
            note_account_made(user=obj, fields=fields, by=by)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Another password, given by a superuser, is a line of the log too."""
        answer = super().user_change_password(request, id, form_url)
        if request.method == "POST" and isinstance(answer, HttpResponseRedirect):
            user = User.objects.get(pk=id)
            note_password_given(user=user, by=actor_of(request))
        return answer

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The page of an account, with its buttons."""
        user = self.get_object(request, object_id)
        links = {"has_code": user is not None and has_second_step(user), "is_master": is_master(request.user)}
        return super().change_view(request, object_id, form_url, {**links, **(extra_context or {})})
