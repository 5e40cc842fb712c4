"""Management commands of the service."""
