"""Every write of the service. Admin, API, pages, tasks and commands are doors to these functions.

Each one checks permission, checks the facts, writes them and one `Change` in one transaction, and asks for new
standings once that has committed.
"""
