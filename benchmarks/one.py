"""Run one benchmark in this process: `python -m benchmarks.one NAME`."""

import importlib
import sys

if __name__ == "__main__":
    sys.exit(importlib.import_module(f"benchmarks.{sys.argv[1]}").main())
