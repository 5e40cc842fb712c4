"""What is measured, with the commands that measure it: `make bench`."""
