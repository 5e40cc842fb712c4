"""Import, export and archives."""
