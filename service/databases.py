"""What every client of a database shares."""

from __future__ import annotations

import tempfile


def certificates(value: str | None) -> str | None:
    """The path of the CA certificates to trust: ``value``, or a file this writes when ``value`` is PEM text.

    A platform passes text to a process more easily than a file, and libpq reads only files.
    """
    if value is None or not value.startswith("-----BEGIN "):
        return value
    with tempfile.NamedTemporaryFile("w", prefix="database-ca-", suffix=".pem", delete=False) as file:
        file.write(value + "\n")
    return file.name
