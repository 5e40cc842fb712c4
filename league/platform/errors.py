"""What a service refuses, in words a person can act on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _


class Level(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """Nothing is written until it is put right."""
    WARNING = "warning"
    """Written once somebody has accepted it by its code."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or odd: a stable code, a JSON pointer into what was handed in, a translated sentence."""

    code: str
    message: str
    pointer: str = ""
    level: Level = Level.ERROR
    params: Mapping[str, Any] = field(default_factory=dict)
    clause: str = ""
    """The clause of the rule book that it rests on, if there is one."""


class ServiceError(Exception):
    """A refusal. `code` is stable; the findings say what to do."""

    code = "refused"

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(finding.message for finding in findings))
        self.findings = findings


class RuleViolationError(ServiceError):
    """What was handed in breaks the rules in force or contradicts what is known."""

    code = "rule_violation"


class WarningsNotAcceptedError(ServiceError):
    """Nothing is wrong, but something is odd and nobody has accepted it yet."""

    code = "warnings_not_accepted"


class ConflictError(ServiceError):
    """Somebody else was there first, or the thing is in a state that does not allow this."""

    code = "conflict"


class PermissionRefusedError(ServiceError):
    """The actor may not do this here."""

    code = "permission_refused"


def refuse(code: str, message: str, pointer: str = "", **params: Any) -> RuleViolationError:
    """A refusal with a single finding."""
    return RuleViolationError(Finding(code, message, pointer, params=params))


def conflict(code: str, message: str, pointer: str = "", **params: Any) -> ConflictError:
    """A conflict with a single finding."""
    return ConflictError(Finding(code, message, pointer, params=params))


def raise_for(findings: Iterable[Finding], accepted: Iterable[str]) -> None:
    """Raise if any finding is an error, or a warning whose code nobody accepted."""
    findings = tuple(findings)
    if errors := [finding for finding in findings if finding.level is Level.ERROR]:
        raise RuleViolationError(*errors)
    taken = set(accepted)
    if warnings := [finding for finding in findings if finding.code not in taken]:
        raise WarningsNotAcceptedError(*warnings)


def refuse_without_reason(reason: str) -> None:
    """What changes the record must say why."""
    if not reason.strip():
        raise refuse("reason_needed", _("Please give a reason: it is published with the correction."), "/reason")
