"""The public pages: each module is one family of pages, and asks selectors for everything it shows."""
