"""Scripts for building, testing and measuring; the service itself uses none of them."""
