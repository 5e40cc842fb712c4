"""Static files as WhiteNoise serves them, without the manifest that lists them all."""

from __future__ import annotations

from django.contrib.staticfiles.storage import ManifestFilesMixin
from typing_extensions import override
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

MANIFEST = f"/{ManifestFilesMixin.manifest_name}"


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # no stubs
    """WhiteNoise's middleware. The manifest is a file of the build and answers 404."""

    @override
    def add_file_to_dictionary(self, url: str, path: str, stat_cache: object = None) -> None:
        """Serve a file found at start, unless it is the manifest, plain or compressed."""
        if not url.endswith((MANIFEST, f"{MANIFEST}.gz", f"{MANIFEST}.br")):
            super().add_file_to_dictionary(url, path, stat_cache)
