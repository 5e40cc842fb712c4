"""Benchmarks of the service and the engine: `make bench` runs them all and writes docs/benchmarks.md."""
