"""The public pages: each module is one family of pages, and calls selectors for everything it shows."""
