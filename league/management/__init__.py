"""Django management of the service; its commands are in `commands/`."""
