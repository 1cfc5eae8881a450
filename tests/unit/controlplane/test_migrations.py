"""Migrations as files: the whole as one script, what an app's repository lacks, and which history is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controlplane import migrate as migrations
from controlplane import schema
from controlplane.migrate import Migration, MigrationError


def test_schema_sql_is_current() -> None:
    assert schema.FILE.read_text() == schema.render(migrations.load()), "run: python -m controlplane.schema write"


def test_a_later_export_writes_what_is_new(tmp_path: Path) -> None:
    known = migrations.load()
    first = schema.export(known[:-2], tmp_path, "20261127140000")
    assert [path.name for path in schema.export(known, tmp_path, "20270108093000")] == [
        f"{20270108093000 + len(first) + n}_memory_runtime_{migration.name[5:]}"
        for n, migration in enumerate(known[-2:])
    ]
    assert schema.export(known, tmp_path, "20270109000000") == []
    assert len(list(tmp_path.iterdir())) == len(known)


def test_an_export_that_an_app_could_not_apply_is_refused(tmp_path: Path) -> None:
    known = migrations.load()
    for stamp in ("today", "2026", "20261327140000", "20261127146000", "2026112714000x"):
        with pytest.raises(ValueError, match="expected a stamp like"):
            schema.export(known, tmp_path, stamp)
    first = schema.export(known[:-1], tmp_path, "20261127140000")
    with pytest.raises(ValueError, match="give a later stamp"):
        schema.export(known, tmp_path, "20250101000000")
    first[3].write_text("select 1;")
    with pytest.raises(migrations.MigrationError, match=re.escape(first[3].name)):
        schema.export(known, tmp_path, "20270101000000")
    assert len(list(tmp_path.iterdir())) == len(first)


def test_the_command_says_what_is_wrong_without_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert schema.main(["export", str(tmp_path / "file" / "below"), "20261127140000"]) == 2
    assert schema.main(["export", str(tmp_path), "2026"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "Not a directory" in lines[0]
    assert "expected a stamp like" in lines[1]
    assert schema.main(["export"]) == 2


def test_an_edited_or_missing_history_is_refused() -> None:
    known = Migration("0001_pre_x.sql", "select 1")
    with pytest.raises(MigrationError, match="was changed"):
        migrations._pending([known], {known.name: "other"})
    with pytest.raises(MigrationError, match="this version lacks it"):
        migrations._pending([], {known.name: known.sha256})
    assert migrations._pending([known], {known.name: known.sha256}) == []


def test_indexes_are_built_concurrently_only_where_somebody_writes() -> None:
    alone = Migration("0002_pre_y.sql", "-- transaction: off\ncreate index concurrently a on t (x);\nselect 1;\n")
    together = Migration("0001_post_x.sql", "select 1;\nselect 2;\n")
    assert alone.statements() == ["-- transaction: off\ncreate index concurrently a on t (x)", "select 1"]
    assert together.statements() == ["select 1;\nselect 2;\n"]
    assert (alone.phase, together.phase) == ("pre", "post")
    script = schema.render([together, alone])
    assert script.startswith("-- The sum of all migrations")
    assert "create index a on t (x);" in script
    assert "transaction: off" not in script


def test_a_migration_is_written_to_the_folder_that_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["export", str(tmp_path), "20261127140000"]
    assert schema.main(arguments) == 0
    written = capsys.readouterr().out.splitlines()
    assert written == sorted(map(str, tmp_path.iterdir()))
    assert len(written) == len(migrations.load())
    assert schema.main(arguments) == 0
    assert capsys.readouterr() == ("", f"{tmp_path} already has all migrations\n")
