"""REST: the service's answers and doors for programs. Nothing here decides anything; selectors and services do."""
