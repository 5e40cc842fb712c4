"""Admin of accounts, for superusers. Every change of an account is logged, and accounts are never deleted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from axes import admin as axes_admin
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Field, ManyToManyField, Model
from django.forms import CheckboxSelectMultiple, ModelForm, ModelMultipleChoiceField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import F, LookupById, M, OfNoCompetitionView, actor_of
from league.admin.people.people import EraseForm
from league.forms.service import ServiceForm, StaffReasonForm
from league.selectors.access.actors import Actor, is_master
from league.selectors.people.personal_data import account_document
from league.services.access.accounts import note_account_edited, note_account_made, note_handed_out, note_password_given
from league.services.access.two_factor import has_second_step, reset
from league.services.people.erasure import erase_account
from league.web.table_files import personal_data_file

if TYPE_CHECKING:
    PermissionsField = ModelMultipleChoiceField[Permission]
    AdminOfUsers = UserAdmin[User]
else:
    PermissionsField, AdminOfUsers = ModelMultipleChoiceField, UserAdmin


class AccountView(OfNoCompetitionView[User, F]):
    """Base of the pages about an account, which belongs to no competition. Superusers only."""

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return is_master(request.user)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [
            (str(User._meta.verbose_name_plural), reverse("admin:auth_user_changelist")),
            (self.row.get_username(), reverse("admin:auth_user_change", args=[self.row.pk])),
        ]

    @override
    def after(self, form: object) -> str:
        return reverse("admin:auth_user_change", args=[self.row.pk])


class ResetView(AccountView[StaffReasonForm]):
    """Turn off two-factor authentication for a user who lost the phone and the recovery codes."""

    form_class = StaffReasonForm
    title = gettext_lazy("Reset the code")
    explanation = gettext_lazy(
        "Signing in asks this person for the password alone until they set a code up again. "
        "Make sure by another way that it is really them who ask."
    )
    submit = gettext_lazy("Reset the code")
    is_grave = True

    @override
    def perform(self, form: StaffReasonForm, by: Actor) -> str:
        reset(user=self.row, by=by, reason=form.cleaned_data["reason"])
        return _("Signing in asks for the password alone now.")


class EraseAccountView(AccountView[EraseForm]):
    """Erase the personal data of an account."""

    form_class = EraseForm
    title = gettext_lazy("Erase this account")
    explanation = gettext_lazy(
        "The account is shut, its name, e-mail address, roles, tokens and rights are gone for good. What it did "
        "stays in the log, as done by an account of this number. This cannot be undone."
    )
    submit = gettext_lazy("Erase for good")
    is_grave = True

    @override
    def notes(self) -> Iterable[object]:
        address = reverse("admin:auth_user_data", args=[self.row.pk])
        yield format_html('<a href="{}">{}</a>', address, _("First download what is kept of this account (JSON)"))

    @override
    def perform(self, form: object, by: Actor) -> str:
        self.row = erase_account(user=self.row, by=by)
        return _("Erased. The account is called “%(name)s” from now on.") % {"name": self.row.get_username()}


class AccountDataView(AccountView[ServiceForm]):
    """Download everything stored about an account, to hand over to its owner."""

    http_method_names = ["get", "head", "options"]

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Return the JSON file and log that it was handed out."""
        response = personal_data_file(account_document(self.row), f"account-{self.row.pk}.json")
        note_handed_out(subject=self.row, by=actor_of(request))
        return response


class NeverChanged(LookupById[M]):
    """Read-only admin of the records of sign-in attempts, visible to superusers.

    A lock ends by itself; erasing an account removes its name from them (`services/people/erasure.py`).
    """

    actions = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: only the service writes these rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return False: records of attempts are never edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return False, also for superusers: an attacker must not be able to remove the traces."""
        return False


@admin.register(AccessAttempt)
class AccessAttemptAdmin(NeverChanged[Model], axes_admin.AccessAttemptAdmin):  # type: ignore[misc]  # axes has no types
    """List failed sign-ins that count towards a lock."""


@admin.register(AccessFailureLog)
class AccessFailureLogAdmin(NeverChanged[Model], axes_admin.AccessFailureLogAdmin):  # type: ignore[misc]  # axes has no types
    """List failed sign-ins."""


@admin.register(AccessLog)
class AccessLogAdmin(NeverChanged[Model], axes_admin.AccessLogAdmin):  # type: ignore[misc]  # axes has no types
    """List successful sign-ins."""


VIEWS = (("reset-code", ResetView), ("erase", EraseAccountView), ("data", AccountDataView))

RIGHTS = {"add_competition": gettext_lazy("May set up new competitions")}
"""Permissions an account may have beyond its roles in competitions. No other Django permission is used."""


class RightsField(PermissionsField):
    """Checkboxes for these permissions, labelled in words."""

    def label_from_instance(self, obj: Permission) -> str:
        """Return the label of the permission."""
        return str(RIGHTS[obj.codename])


admin.site.unregister([Group, User])  # rights come from roles in competitions, not from groups


class AccountPasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """Django's form, whose help text is in the language of the start of the process, and in part English."""

    usable_password_help_text = format_lazy(  # type: ignore[assignment]  # lazy text, which the field takes
        '{}<ul id="id_unusable_warning" class="messagelist"><li class="warning">{}</li></ul>',
        gettext_lazy("Without a password the account cannot log in on the login page."),
        gettext_lazy("If disabled, the current password is lost."),
    )


@admin.register(User)
class AccountAdmin(LookupById[User], AdminOfUsers):
    """Django's admin of users, with logging and without deletion."""

    change_form_template = "admin/league/account_form.html"
    change_password_form = AccountPasswordForm
    filter_horizontal = ()
    list_display = ("login_name", "email", "first_name", "last_name", "is_staff")
    list_filter = ("is_staff", "is_superuser", "is_active")
    readonly_fields = ("last_login", "date_joined")

    @admin.display(description=gettext_lazy("Name to sign in with"), ordering="username")
    def login_name(self, account: User) -> str:
        """Return the username, called as in every other form."""
        return account.username

    def formfield_for_dbfield(self, db_field: Field[Any, Any], request: HttpRequest, **options: Any) -> Any:
        """Label the username as every other form does."""
        if db_field.name == "username":
            options["label"] = _("Name to sign in with")
        return super().formfield_for_dbfield(db_field, request, **options)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Remove the groups from Django's fieldsets."""
        return [
            (name, {**options, "fields": tuple(field for field in options["fields"] if field != "groups")})
            for name, options in super().get_fieldsets(request, obj)
        ]

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Model, Model], request: HttpRequest, **options: object
    ) -> ModelMultipleChoiceField[Permission] | None:
        """Offer only the permissions in `RIGHTS`."""
        if db_field.name != "user_permissions":
            return super().formfield_for_manytomany(db_field, request, **options)
        rights = Permission.objects.filter(content_type__app_label="league", codename__in=RIGHTS)
        return RightsField(rights, widget=CheckboxSelectMultiple, required=False, label=_("Beyond competitions"))

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of services before Django's own addresses, whose last pattern matches anything."""
        own = [
            path(
                f"<int:pk>/{name}/", self.admin_site.admin_view(view.as_view(model_admin=self)), name=f"auth_user_{key}"
            )
            for name, view in VIEWS
            for key in [name.replace("-", "_")]
        ]
        return [*own, *super().get_urls()]

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return False: changes refer to accounts, which are deactivated or erased instead."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool) -> None:  # noqa: FBT001 - Django's
        """Save the account and log which fields changed. Deactivating one ends its sessions at once."""
        super().save_model(request, obj, form, change)
        # Password changes have a log entry of their own (user_change_password).
        by, fields = actor_of(request), sorted(name for name in form.changed_data if "password" not in name)
        if change:
            note_account_edited(user=obj, fields=fields, address_before=form.initial.get("email", ""), by=by)
        else:
            note_account_made(user=obj, fields=fields, by=by)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Log that a superuser set another password."""
        answer = super().user_change_password(request, id, form_url)
        if request.method == "POST" and isinstance(answer, HttpResponseRedirect):
            user = User.objects.get(pk=id)
            note_password_given(user=user, by=actor_of(request))
        return answer

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Show the account with its buttons."""
        user = self.get_object(request, object_id)
        links = {"has_code": user is not None and has_second_step(user), "is_master": is_master(request.user)}
        return super().change_view(request, object_id, form_url, {**links, **(extra_context or {})})
