"""Forms: parse and validate user input into the arguments of services."""
