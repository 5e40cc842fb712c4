#!/usr/bin/env python
"""Command line of the service: `manage.py help` lists the commands."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run one management command with the service's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
