"""A migration operation that adds an index to a large table without blocking writes.

PostgreSQL builds it concurrently; SQLite, which has one writer at a time, builds it in the ordinary way.
"""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex
from django.db.migrations.state import ProjectState


class AddIndexAside(AddIndexConcurrently):
    """Add an index without blocking writes; must be alone in a migration with `atomic = False`."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Create the index, concurrently on PostgreSQL."""
        # CREATE INDEX CONCURRENTLY cannot run in a transaction, hence `atomic = False`.
        how = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        how.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Drop the index, concurrently on PostgreSQL."""
        how = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        how.database_backwards(self, app_label, schema_editor, from_state, to_state)
