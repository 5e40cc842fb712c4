"""Running the service: health, backups, verification, the demonstration."""
