"""Webhooks: subscriptions, messages, deliveries."""
