"""Code shared by several entry points: problem documents, middleware, metrics, drawings."""
