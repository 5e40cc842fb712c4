"""Form for the picture of a player or a competition."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from league.forms.service import ServiceForm


class PictureForm(ServiceForm):
    """Upload one picture."""

    file = forms.FileField(
        label=_("New picture"),
        help_text=_(
            "JPEG, PNG or WebP, at most 5 MB, 64 × 64 pixels and more. Its central square is shown; what the camera "
            "wrote into it, such as the place, is removed."
        ),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
