"""What a sandbox refuses, shows and hides, from its parts; ``test_sandbox.py`` attacks a whole one."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from consumer.agent import namespaces
from consumer.agent.namespaces import CALLS, Places
from tests.tables import table

ALLOWED, REFUSED = namespaces.SECCOMP_RET_ALLOW, namespaces.SECCOMP_RET_ERRNO | errno.EPERM
NO_SUCH_CALL = namespaces.SECCOMP_RET_ERRNO | errno.ENOSYS
NO_SUCH_FAMILY = namespaces.SECCOMP_RET_ERRNO | errno.EAFNOSUPPORT
X86, ARM = (CALLS[name].arch for name in ("x86_64", "aarch64"))


def verdict(machine: str, arch: int, number: int, first: int) -> int:
    """What the kernel would answer: a classic BPF program, step by step."""
    data, held, at = {namespaces.AT_NUMBER: number, namespaces.AT_ARCH: arch, namespaces.AT_FIRST: first}, 0, 0
    program = namespaces._filter(CALLS[machine])
    while True:
        code, yes, no, value = program[at]
        assert 0 <= yes <= 255 and 0 <= no <= 255
        if code == 0x06:
            return value
        if code == 0x20:
            held, jump = data[value], 0
        else:
            holds = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            jump = yes if holds else no
        at += 1 + jump


@table(
    ("machine", "arch", "number", "first", "answer"),
    [
        ("x86_64", X86, 0, 0, ALLOWED),  # read
        *(("x86_64", X86, number, 0, REFUSED) for number in (248, 249, 250, 425, 103, 298, 321, 323, 272, 308)),
        *(("x86_64", X86, 41, family, ALLOWED) for family in (1, 2, 10, 16)),
        ("x86_64", X86, 41, 40, NO_SUCH_FAMILY),  # AF_VSOCK leads to the host of a virtual machine
        ("x86_64", X86, 41, 17, NO_SUCH_FAMILY),  # AF_PACKET
        ("x86_64", X86, 435, 0, NO_SUCH_CALL),  # clone3, whose flags a filter cannot read
        ("x86_64", X86, 56, 0x11, ALLOWED),  # a child, by SIGCHLD
        *(("x86_64", X86, 56, 1 << bit, REFUSED) for bit in (17, 25, 26, 27, 28, 29, 30)),  # CLONE_NEW...
        ("x86_64", X86, 56, 1 << 16, ALLOWED),  # CLONE_THREAD
        ("x86_64", X86, 0x40000000, 0, REFUSED),  # the x32 ABI counts its calls anew
        ("x86_64", X86, 0x3FFFFFFF, 0, ALLOWED),
        ("x86_64", ARM, 0, 0, REFUSED),
        ("aarch64", ARM, 63, 0, ALLOWED),  # read
        *(("aarch64", ARM, number, 0, REFUSED) for number in (217, 218, 219, 425, 116, 241, 280, 282, 97, 268)),
        ("aarch64", ARM, 198, 40, NO_SUCH_FAMILY),
        ("aarch64", ARM, 220, 1 << 28, REFUSED),
        ("aarch64", ARM, 435, 0, NO_SUCH_CALL),
    ],
)
def test_calls_that_reach_beyond_namespaces_are_refused_and_others_are_not(
    machine: str, arch: int, number: int, first: int, answer: int
) -> None:
    assert verdict(machine, arch, number, first) == answer


class Libc:
    """Notes mounts and calls; each answers with the next of ``answers``, then with success."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)
        self.calls: list[tuple[Any, ...]] = []

    def _note(self, *given: Any) -> int:
        self.calls.append(tuple(each.value if hasattr(each, "value") else each for each in given))
        return self.answers.pop(0) if self.answers else 0

    mount = syscall = prctl = _note


def libc(patch: pytest.MonkeyPatch, *answers: int, error: int = errno.EPERM) -> Libc:
    made = Libc(*answers)
    patch.setattr(namespaces, "_libc", lambda: made)
    patch.setattr(ctypes, "get_errno", lambda: error)
    return made


def test_a_filter_is_installed_whole_or_the_tool_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine="x86_64"))
    made = libc(monkeypatch)
    namespaces.restrict()
    option, mode, header, *rest = made.calls[0]
    assert (option, mode, rest) == (namespaces.PR_SET_SECCOMP, namespaces.SECCOMP_MODE_FILTER, [0, 0])
    steps = len(namespaces._filter(CALLS["x86_64"]))
    assert struct.unpack("HP", header.ljust(struct.calcsize("HP"), b"\0")[: struct.calcsize("HP")])[0] == steps
    libc(monkeypatch, -1)
    with pytest.raises(PermissionError):
        namespaces.restrict()
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine="s390x"))
    with pytest.raises(OSError) as unknown:
        namespaces.restrict()
    assert unknown.value.errno == errno.ENOTSUP


MOUNTINFO = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
23 22 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:2 - proc proc rw
24 22 0:22 / /mnt/a\\040folder\\134\\011\\012 ro,noatime,nodiratime - tmpfs tmpfs rw
25 22 0:23 / /mnt rw,nosuid - tmpfs tmpfs rw
"""


@pytest.fixture
def mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mountinfo").write_text(MOUNTINFO)
    monkeypatch.setattr(
        namespaces, "Path", lambda name: tmp_path / "mountinfo" if name.endswith("info") else Path(name)
    )


def test_options_of_a_mount_are_kept(mounts: None) -> None:
    assert list(namespaces._mounts()) == [
        ("/", 0x200000),
        ("/proc", 0x2 | 0x4 | 0x8 | 0x200000),
        ("/mnt/a folder\\\t\n", 0x400 | 0x800),
        ("/mnt", 0x2),
    ]


READ_ONLY = namespaces.MS_REMOUNT | namespaces.MS_BIND | namespaces.MS_RDONLY


def test_where_mounts_cannot_change_their_options_each_is_mounted_again(
    mounts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = libc(monkeypatch, -1, error=errno.ENOSYS)
    namespaces._read_only("/mnt")
    assert made.calls[1:] == [(None, b"/mnt", None, READ_ONLY | 0x2, None)]
    made = libc(monkeypatch, -1, error=errno.ENOSYS)
    namespaces._read_only("/mnt", everything=True)
    assert [call[1] for call in made.calls[1:]] == [b"/mnt/a folder\\\t\n", b"/mnt"]
    made = libc(monkeypatch, -1, -1, error=errno.ENOSYS)
    with pytest.raises(OSError):
        namespaces._read_only("/mnt")
    made = libc(monkeypatch, -1, error=errno.ENOSYS)
    namespaces._writable("/mnt")
    assert made.calls[1:] == [(None, b"/mnt", None, namespaces.MS_REMOUNT | namespaces.MS_BIND | 0x2, None)]


def test_a_mount_changes_its_options_alone_or_with_all_below(monkeypatch: pytest.MonkeyPatch) -> None:
    made = libc(monkeypatch)
    namespaces._read_only("/mnt")
    namespaces._read_only("/mnt", everything=True)
    namespaces._writable("/mnt")
    # mount_setattr(AT_FDCWD, path, flags, what to set and to clear, its size)
    asked = [
        (number, at, path, flags, struct.unpack("QQQQ", wanted), size)
        for number, at, path, flags, wanted, size in made.calls
    ]
    assert asked == [
        (442, -100, b"/mnt", 0, (1, 0, 0, 0), 32),
        (442, -100, b"/mnt", 0x8000, (1, 0, 0, 0), 32),
        (442, -100, b"/mnt", 0, (0, 1, 0, 0), 32),
    ]
    libc(monkeypatch, -1)
    with pytest.raises(PermissionError):
        namespaces._read_only("/mnt")
    with pytest.raises(PermissionError) as refused:
        libc(monkeypatch, -1)
        namespaces._mount("tmpfs", "/mnt", "tmpfs", 0, "size=1")
    assert refused.value.filename == "/mnt"


@table(
    ("places", "covers", "shown"),
    [
        (Places(writable=("/tmp/run",)), {"/tmp"}, ["/tmp/run"]),
        (Places(readable=("/usr/lib",)), {"/tmp"}, []),  # nothing covers it
        (Places(readable=("/tmp/run/brain",)), {"/tmp"}, ["/tmp/run/brain"]),
        (Places(readable=("/tmp/run", "/tmp/run/brain")), {"/tmp"}, ["/tmp/run"]),
        (Places(readable=("/tmp/run", "/tmp/run/x/a")), {"/tmp", "/tmp/run/x"}, ["/tmp/run", "/tmp/run/x/a"]),
        (Places(readable=("/tmp/run/a",), writable=("/tmp/run",)), {"/tmp"}, ["/tmp/run"]),
        (Places(readable=("/tmpfile",)), {"/tmp"}, []),
    ],
)
def test_only_what_a_cover_would_hide_is_shown_again(places: Places, covers: set[str], shown: list[str]) -> None:
    assert sorted(namespaces._to_show(places, covers)) == shown


def test_folders_are_those_that_exist_once_by_their_real_names(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "file").touch()
    names = [str(tmp_path / name) for name in ("b", "a", "file", "none")]
    assert namespaces._folders(names) == [str((tmp_path / "a").resolve())]


def test_links_that_a_cover_hid_are_made_again(tmp_path: Path) -> None:
    (tmp_path / "there").symlink_to("old")
    namespaces._link({str(tmp_path / "there"): "new", str(tmp_path / "deep/er/link"): "target"})
    assert os.readlink(tmp_path / "there") == "old"  # noqa: PTH115 (a link to nothing)
    assert os.readlink(tmp_path / "deep/er/link") == "target"  # noqa: PTH115


@table(("kind", "depth"), [("folder", 1), ("file", 2), ("there", 0)])
def test_what_is_shown_has_a_place_to_be_mounted_at(
    tmp_path_factory: pytest.TempPathFactory, kind: str, depth: int
) -> None:
    folder = tmp_path_factory.mktemp("shown")
    source, target = folder / "source", folder.joinpath(*"ab"[:depth], "target")
    source.touch() if kind == "file" else source.mkdir()
    if kind == "there":
        target.touch()
    with pytest.MonkeyPatch.context() as patch:
        made = libc(patch)
        descriptor = os.open(source, os.O_RDONLY)
        try:
            namespaces._show(str(target), descriptor)
        finally:
            os.close(descriptor)
    assert target.is_dir() is (kind == "folder")
    bind = namespaces.MS_BIND | namespaces.MS_REC
    assert made.calls == [(f"/proc/self/fd/{descriptor}".encode(), os.fsencode(target), None, bind, None)]


@pytest.mark.parametrize("known", [True, False])
def test_a_user_without_a_name_gets_one(tmp_path: Path, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    passwd = tmp_path / "passwd-of-the-machine"
    uid = 0 if known else 61000
    passwd.write_text("root:x:0:0::/root:/bin/sh\nann:x:1:61000::/home:/bin/sh")
    monkeypatch.setattr(namespaces, "PASSWD", str(passwd))
    mounted: list[str] = []
    monkeypatch.setattr(namespaces, "_mount", lambda draft, *_: mounted.append(Path(draft).read_text()))
    monkeypatch.setattr(namespaces, "_read_only", mounted.append)
    namespaces._name_user((uid, 62000), str(tmp_path))
    named = f"{passwd.read_text()}\nagent-61000:x:61000:62000::/nonexistent:/usr/sbin/nologin\n"
    assert mounted == ([] if known else [named, str(passwd)])
    assert not (tmp_path / "passwd").exists()


def test_the_parts_of_a_sandbox_come_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[tuple[Any, ...]] = []

    def note(place: Any, name: str, returns: Any = None) -> None:
        def called(*given: Any) -> Any:
            calls.append((name, *given))
            return returns

        monkeypatch.setattr(place, name, called)

    for name in ("_mount", "_link", "_own_system_folders", "_name_user", "_writable", "_read_only"):
        note(namespaces, name)
    note(namespaces, "_cover", {"/shown"})
    note(os, "umask", 0o077)
    note(os, "chdir")
    monkeypatch.setattr(namespaces, "_folders", list)
    monkeypatch.setattr(os.path, "ismount", lambda path: path != "/run")
    places = Places(cwd="/work", hidden=("/hidden", "/shown"), writable=("/work",), links={"/a": "/b"})
    namespaces.enter(places, (7, 8))
    hidden = ["/run", "/hidden", "/shown"]
    assert calls == [
        ("_mount", None, "/", None, namespaces.MS_REC | namespaces.MS_PRIVATE),
        ("umask", 0o022),
        ("_cover", places, list(namespaces.PRIVATE), hidden),
        ("_link", {"/a": "/b"}),
        ("_own_system_folders",),
        ("_name_user", (7, 8), "/tmp"),
        ("umask", 0o077),
        ("_writable", "/work"),
        ("_read_only", "/dev"),
        ("_read_only", "/hidden"),
        ("chdir", "/work"),
    ]
    calls.clear()
    namespaces.enter(places, None)
    assert "_name_user" not in [call[0] for call in calls]


@table(
    ("pid", "processes", "writable", "keyrings", "message"),
    [
        (2, ["2"], False, "refused", "other processes are in sight"),
        (1, ["1", "7"], False, "refused", "other processes are in sight"),
        (1, ["1"], True, "refused", "the root folder is writable"),
        (1, ["1"], False, "there", "keyrings can be reached"),
        (1, ["1"], False, "other error", "keyrings can be reached"),
        (1, ["1"], False, "refused", ""),
    ],
)
def test_a_sandbox_is_checked_from_within(
    pid: int, processes: list[str], writable: bool, keyrings: str, message: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        libc(patch, 0 if keyrings == "there" else -1, error=errno.EPERM if keyrings == "refused" else errno.EINVAL)

        def touch(_path: Path, **_: Any) -> None:
            if not writable:
                raise OSError(errno.EROFS, "read-only")

        patch.setattr(os, "getpid", lambda: pid)
        patch.setattr(os, "listdir", lambda _: [*processes, "self"])
        patch.setattr(Path, "touch", touch)
        patch.setattr(Path, "write_bytes", lambda *_: None)
        patch.setattr(namespaces, "restrict", lambda: None)
        patch.setattr(os, "uname", lambda: SimpleNamespace(machine="x86_64"))
        if message:
            with pytest.raises((OSError, SystemExit), match=message):
                namespaces.check()
        else:
            namespaces.check()
