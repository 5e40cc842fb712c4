"""Start, checks, readiness and metrics of the service's processes."""
