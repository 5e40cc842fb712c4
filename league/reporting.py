"""Reports of faults to Sentry, where an operator has set SENTRY_DSN. No personal data, no secrets."""

from __future__ import annotations

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration

from league.masking import mask_report


def start_reporting(dsn: str) -> None:
    """Report what fails. Without bodies of requests, cookies, addresses of visitors, or the values of variables."""
    if not dsn:
        return
    sentry_sdk.init(
        dsn=dsn,
        integrations=[DjangoIntegration(), CeleryIntegration()],
        default_integrations=True,
        auto_enabling_integrations=False,
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        traces_sample_rate=0.0,
        before_send=mask_report,
        before_breadcrumb=mask_report,
    )
