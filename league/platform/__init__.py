"""Infrastructure that knows no model: environment, cache, throttling, log masking, errors."""
