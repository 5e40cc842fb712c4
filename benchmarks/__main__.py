"""Run every benchmark, or those named: `python -m benchmarks [NAME ...]`."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks


def main(names: list[str]) -> int:
    """Each module of this package with a `main` is a benchmark; its answer counts as failed if not 0."""
    there = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")]
    unknown = sorted(set(names) - set(there))
    if unknown:
        print(f"There is no benchmark {', '.join(unknown)}. Known: {', '.join(there)}.")
        return 2
    failed = 0
    for name in names or there:
        print(f"== {name}", flush=True)
        failed |= bool(importlib.import_module(f"benchmarks.{name}").main())
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
