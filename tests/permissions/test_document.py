"""Test that the document of permissions matches the table."""

from tests.permissions.document import FILE, document


def test_the_document_of_permissions_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == document(), "run: python -m tests.permissions.document"
