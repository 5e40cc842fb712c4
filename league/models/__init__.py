"""Database models: versioned facts that are only ever appended, and rows derived from them.

Every fact that can be read "as of version v" extends `Versioned`: it carries the number of the change that made it
and of the change that ended it. Derived rows (`Standing`, `SlotState`) exist once per audience and can be rebuilt
from the facts at any time.
"""

from league.models.access import Invitation, RefereeCall, TableLink, TokenGrant
from league.models.base import AUDIENCES, Audience, Versioned
from league.models.change import Change, Door, IdempotencyKey, OrganizationChange
from league.models.competition import Competition, FormerSlug, Membership, Role
from league.models.derived import Forecast, Outcome, Prepared, SlotState, Standing, Tally
from league.models.drafts import FormatDraft, FormatDraftState
from league.models.hanchan import Hanchan, HanchanSeat
from league.models.log import TableEvent
from league.models.operations import Heartbeat
from league.models.paifu import ImportedPaifu, OnlineAccount, OnlineService, Paifu, PaifuImport
from league.models.parlour import DayClose, Parlour, ParlourTable, Sitting, SittingAmount, SittingSeat, WaitingGuest
from league.models.pictures import Picture
from league.models.player import Entrant, Player
from league.models.ranking import EventListed, EventResult, Ranking
from league.models.results import ResultSheet, SeatResult, SheetApproval, SlipPhoto
from league.models.rules import FormatRevision, RankingRevision, RulesetRevision, RulesInForce, SeriesRevision
from league.models.rulings import Adjustment, Closing, Draw, Override, Ruling
from league.models.schedule import Announcement, Session, TableSession
from league.models.seating import SeatingSearch
from league.models.series import MoveDecision, NextRoster, OpeningBalance, OrganizationFact, Series, Term
from league.models.structure import Block, Slot, Stage
from league.models.team import LineUp, TeamLink, TeamMember
from league.models.till import Extra, GuestTerms, HouseTariff, Payment, Statement, StatementLine, TillClose
from league.models.tournament import Credit, Departure, Pairing
from league.models.webhooks import WebhookDelivery, WebhookSubscription

__all__ = [
    "AUDIENCES",
    "Adjustment",
    "Announcement",
    "Audience",
    "Block",
    "Change",
    "Closing",
    "Competition",
    "Credit",
    "DayClose",
    "Departure",
    "Door",
    "Draw",
    "Entrant",
    "EventListed",
    "EventResult",
    "Extra",
    "Forecast",
    "FormatDraft",
    "FormatDraftState",
    "FormatRevision",
    "FormerSlug",
    "GuestTerms",
    "Hanchan",
    "HanchanSeat",
    "Heartbeat",
    "HouseTariff",
    "IdempotencyKey",
    "ImportedPaifu",
    "Invitation",
    "LineUp",
    "Membership",
    "MoveDecision",
    "NextRoster",
    "OnlineAccount",
    "OnlineService",
    "OpeningBalance",
    "OrganizationChange",
    "OrganizationFact",
    "Outcome",
    "Override",
    "Paifu",
    "PaifuImport",
    "Pairing",
    "Parlour",
    "ParlourTable",
    "Payment",
    "Picture",
    "Player",
    "Prepared",
    "Ranking",
    "RankingRevision",
    "RefereeCall",
    "ResultSheet",
    "Role",
    "RulesInForce",
    "RulesetRevision",
    "Ruling",
    "SeatResult",
    "SeatingSearch",
    "Series",
    "SeriesRevision",
    "Session",
    "SheetApproval",
    "Sitting",
    "SittingAmount",
    "SittingSeat",
    "SlipPhoto",
    "Slot",
    "SlotState",
    "Stage",
    "Standing",
    "Statement",
    "StatementLine",
    "TableEvent",
    "TableLink",
    "TableSession",
    "Tally",
    "TeamLink",
    "TeamMember",
    "Term",
    "TillClose",
    "TokenGrant",
    "Versioned",
    "WaitingGuest",
    "WebhookDelivery",
    "WebhookSubscription",
]
