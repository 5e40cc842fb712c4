#!/usr/bin/env python
"""Command line of the service: `manage.py help` lists the commands."""

import os
import sys
import threading
import time

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run one management command with the service's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    if sys.argv[1:] in (["version"], ["--version"]):  # Django would print its own
        from league.platform.version import version  # noqa: PLC0415 - loads the settings

        print(version())  # noqa: T201 - for a terminal
        return
    if "serve" in sys.argv[1:2]:
        threading.Thread(target=tell_while_loading, daemon=True).start()
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # Its message tells the operator which variable is wrong; a traceback above it would hide that.
        sys.exit(str(error))


def tell_while_loading(every: float = 5) -> None:
    """Print the elapsed time until `league.management.progress` does; a first start compiles all modules before."""
    begun = time.monotonic()
    while True:
        time.sleep(every)
        taken_over = getattr(sys.modules.get("league.management.progress"), "taken_over", None)
        if taken_over and taken_over.is_set():
            return
        print(f"  {time.monotonic() - begun:3.0f} s: loading the program", flush=True)  # noqa: T201 - for a terminal


if __name__ == "__main__":
    main()
