"""A mailbox in a file, replayed as hourly digests (``bench.mailbox``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import mailbox

BOX = """\
From - Mon Nov 23 09:00:00 2026
From: Olive Tarn <olive@tarn.example>
To: Max Quill <max@quill.example>
Subject: Lease
Date: Mon, 23 Nov 2026 09:00:00 +0000

Max, could you send me the signed lease by Thursday?

From - Mon Nov 23 10:00:00 2026
From: Tarn Seeds <news@tarn-seeds.example>
To: max@quill.example
Subject: Seeds
Date: Mon, 23 Nov 2026 10:00:00 +0000
List-Unsubscribe: <https://tarn-seeds.example/leave>

Please send us your order by Friday.

From - Tue Nov 24 11:00:00 2026
From: Max Quill <max@quill.example>
To: Olive Tarn <olive@tarn.example>
Subject: Re: Lease
Date: Tue, 24 Nov 2026 11:00:00 +0000
Content-Type: text/plain; charset=none-of-these

I'll send you the signed lease on Wednesday.

From - Tue Nov 24 12:00:00 2026
From: Olive Tarn <olive@tarn.example>
Subject: no day

Words without a time.
"""


def _run(monkeypatch: pytest.MonkeyPatch, *args: str) -> None:
    monkeypatch.setattr("sys.argv", ["mailbox", *args])
    mailbox.main()


def test_each_line_stands_beside_the_mail_that_it_cites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "box").write_text(BOX)
    args = ["--me", "MAX@quill.example", "--name", "Max Quill", "--zone", "Europe/London", "--since", "2026-11-23"]
    _run(monkeypatch, str(tmp_path / "box"), *args, "--weeks", "1")
    out = capsys.readouterr().out
    assert (
        "[1] (asked_of_you) Olive Tarn asks you: \u201cMax, could you send me the signed lease by Thursday?\u201d"
        in out
    )
    assert "23 Nov 09:00 From Olive Tarn <olive@tarn.example>, To Max Quill <max@quill.example>, Subject Lease" in out
    assert "order by Friday" not in out
    assert out.count("[1]") == 1


def test_a_file_without_mail_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "box").write_text("no mail")
    with pytest.raises(SystemExit, match="2"):
        _run(monkeypatch, str(tmp_path / "box"), "--me", "max@quill.example")
    assert "no mail with a time and a text in these files" in capsys.readouterr().err


def test_the_weeks_are_those_in_which_the_owner_wrote_most(tmp_path: Path) -> None:
    (tmp_path / "box").write_text(BOX)
    several = mailbox.mails([tmp_path / "box"], ["max@quill.example"])
    assert [mail.sent for mail in several] == [False, False, True]
    assert f"{mailbox.busiest(several, 1)}" == "2026-11-24"
