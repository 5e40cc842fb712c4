"""The addresses of the API, one module for each family of them."""
