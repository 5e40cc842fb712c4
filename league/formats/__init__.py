"""Django's date formats by language (FORMAT_MODULE_PATH), the same as those of the pages."""
