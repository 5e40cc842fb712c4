"""Read side of the service: query functions that change nothing, each named after the value it returns."""
