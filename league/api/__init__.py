"""REST API for programs, built on Django REST framework. It contains no rules; selectors read and services decide."""
