"""Run a command with a real PostgreSQL server: `python -m scripts.with_postgres COMMAND ...`.

The command finds the server's address in DATABASE_URL. If no server is available the command is skipped with a
message, which counts as a failure when CI is set.
"""

import os
import subprocess
import sys

from scripts.servers import UnavailableError, postgresql


def main(command: list[str]) -> int:
    """Run the command and return its exit status."""
    if not command:
        sys.exit(__doc__)
    try:
        with postgresql() as address:
            return subprocess.run(command, env=os.environ | {"DATABASE_URL": address}, check=False).returncode
    except UnavailableError as reason:
        print(f"Left out, {reason}: {' '.join(command)}", file=sys.stderr)
        return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
