"""Services: every write to the database. Admin, REST API, pages, tasks and commands all call these functions.

Each service checks permission and facts, writes the facts and one `Change` in one transaction, and requests new
standings once that transaction has committed.
"""
