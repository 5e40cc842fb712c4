"""Install PostgreSQL, Redis and nginx from Debian's packages if they are missing and this runs as root with apt.

Otherwise nothing happens, and the tests use a given address, an installed server, or the server from a wheel. There
is no wheel of nginx: without it its tests are skipped.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends")


def missing() -> list[str]:
    """Return the packages whose servers are neither installed nor given by an address."""
    has_postgresql = shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    has_redis = shutil.which("redis-server")
    wanted = {
        "postgresql": has_postgresql or os.environ.get("TEST_DATABASE_URL"),
        "redis-server": has_redis or os.environ.get("TEST_REDIS_URL"),
        "nginx": shutil.which("nginx"),
    }
    return [package for package, there in wanted.items() if not there]


def main() -> int:
    """Try to install the packages. A failure is only reported, since the wheels are enough."""
    packages = missing()
    if not packages or os.geteuid() != 0 or not shutil.which("apt-get"):
        return 0
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], [*INSTALL, *packages]):
        if subprocess.run(command, env=env, check=False, **quiet).returncode:  # type: ignore[call-overload]
            print(f"{' '.join(packages)} cannot be installed here; tests use what there is", file=sys.stderr)
            break
    return 0


if __name__ == "__main__":
    sys.exit(main())
