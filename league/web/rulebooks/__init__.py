"""Rules and formats prepared for pages."""
