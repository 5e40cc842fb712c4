"""Indexes on tables that are already large, made while everybody goes on writing.

PostgreSQL makes them beside its work where it is asked to; SQLite has one writer at a time and makes them at once.
"""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex
from django.db.migrations.state import ProjectState


class AddIndexAside(AddIndexConcurrently):
    """Make an index without keeping anybody waiting. Stands alone in a migration that says `atomic = False`."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Make it."""
        how = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        how.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Take it away."""
        how = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        how.database_backwards(self, app_label, schema_editor, from_state, to_state)
