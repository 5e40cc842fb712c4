"""Errors that services raise: each carries findings with a stable code and a message that a person can act on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.translation import gettext as _


class Level(StrEnum):
    """The severity of a finding."""

    ERROR = "error"
    """Nothing is written until it is corrected."""
    WARNING = "warning"
    """Written only if the caller has accepted it by its code."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong or odd: a stable code, a JSON pointer into the submitted data, a translated sentence."""

    code: str
    message: str
    pointer: str = ""
    level: Level = Level.ERROR
    params: Mapping[str, object] = field(default_factory=dict)
    clause: str = ""
    """The clause of the rule book on which it rests, if there is one."""


class ServiceError(Exception):
    """The base class of refusals. `code` is stable; the findings say how to correct the request."""

    code = "refused"

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(finding.message for finding in findings))
        self.findings = findings


class RuleViolationError(ServiceError):
    """The submitted data breaks the rules in force or contradicts known facts."""

    code = "rule_violation"


class WarningsNotAcceptedError(ServiceError):
    """Nothing is wrong, but there are warnings that the caller has not accepted."""

    code = "warnings_not_accepted"


class ConflictError(ServiceError):
    """Another request was faster, or the object's state does not allow this operation."""

    code = "conflict"


class PermissionRefusedError(ServiceError):
    """The actor lacks the permission for this operation."""

    code = "permission_refused"


def refuse(code: str, message: str, pointer: str = "", **params: object) -> RuleViolationError:
    """Return a RuleViolationError with a single finding, for the caller to raise."""
    return RuleViolationError(Finding(code, message, pointer, params=params))


def conflict(code: str, message: str, pointer: str = "", **params: object) -> ConflictError:
    """Return a ConflictError with a single finding, for the caller to raise."""
    return ConflictError(Finding(code, message, pointer, params=params))


def forbid(message: str, **params: object) -> PermissionRefusedError:
    """Return a PermissionRefusedError with a single finding, for the caller to raise."""
    return PermissionRefusedError(Finding("permission_refused", message, params=params))


def raise_for(findings: Iterable[Finding], accepted: Iterable[str]) -> None:
    """Raise if any finding is an error, or a warning whose code is not accepted.

    Errors come first: RuleViolationError has all errors, WarningsNotAcceptedError all warnings that are left.
    """
    findings = tuple(findings)
    if errors := [finding for finding in findings if finding.level is Level.ERROR]:
        raise RuleViolationError(*errors)
    taken = set(accepted)
    if warnings := [finding for finding in findings if finding.code not in taken]:
        raise WarningsNotAcceptedError(*warnings)


def refuse_without_reason(reason: str) -> None:
    """Raise unless a reason is given: a change to the record must state one, and it is published with it."""
    if not reason.strip():
        raise refuse("reason_needed", _("Please give a reason: it is published with the correction."), "/reason")
