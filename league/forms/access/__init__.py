"""Accounts, roles, tokens, invitations, and the audit log."""
