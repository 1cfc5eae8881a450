"""The Brain port over GBrain 0.46, based on its measured behaviour.

Every command takes two to three seconds, so the adapter runs as few as possible. If nothing changed, it runs none.
Otherwise it runs one import of a staging tree of all changed files, which also embeds them, one extraction, and one
query of the counts. It reconciles the import's report with the request.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

import orjson

import consumer
from consumer import layout
from consumer.agent.gbrain.cli import CHAT, PATH, SAFE_FOLDER, SOURCE, Cli, Imported, failed, last_json, read_import
from consumer.agent.gbrain.home import STATS, Home, alive, lock_of, remove
from consumer.errors import BrainRefused, ToolFailed
from consumer.evidence import pages
from consumer.ports import (
    Clock,
    DreamModel,
    DreamPage,
    DreamPhase,
    Dreamt,
    Guard,
    IndexCounts,
    McpCommand,
    ModelAccess,
    Tool,
    ToolResult,
)
from consumer.run import NoDeadline

#: The versions whose behaviour was measured.
SUPPORTED: Final = re.compile(r"^0\.46\.\d+(\.\d+)?$")
#: Timeout of a short command in seconds; it needs three.
SHORT_S: Final = 60.0
#: Timeout of an import, and more for each page; a new page takes 50 ms.
IMPORT_S: Final = 120.0
IMPORT_PAGE_S: Final = 0.5
EXTRACT_S: Final = 600.0
#: Under a rate limit embedding takes minutes; keyword search works without it. A backfill gets time for all its pages,
#: so that no later hour has to catch up.
EMBED_S: Final = 120.0
EMBED_PAGE_S: Final = 0.5
#: The phases of ``gbrain dream`` that may write pages, from what they learn: before the pages are made what they were.
#: A phase whose own switch in GBrain is off runs with ``--once``.
WRITING: Final = (
    *("extract_facts", "extract_atoms", "patterns --once", "synthesize_concepts", "consolidate", "propose_takes"),
    *("grade_takes", "calibration_profile", "drift --once", "conversation_facts_backfill --once", "enrich_thin --once"),
)
#: Those that write the database only. Not run: lint, backlinks and sync rewrite files, and files belong to renderers;
#: synthesize reads transcripts, of which a workspace has none; skillopt rewrites skills, and skills steer agents.
UPKEEP: Final = ("extract", "resolve_symbol_edges", "recompute_emotional_weight", "embed", "orphans", "purge")
#: Pages that a dream may write. A brain that writes more than this in a night is broken.
DREAM_PAGES: Final = 100
#: Up to this many pages, the import also embeds them. For more pages, a separate command embeds them, which can stop
#: early and continue later.
EMBEDDED_BY_IMPORT: Final = 200
#: A line of evidence on a page of a person, a project or a meeting, and the form in which GBrain reads its timeline.
DATED: Final = re.compile(rb"^- (\d{4}-\d{2}-\d{2}): (?=\[)", re.MULTILINE)
TIMELINE: Final = rb"- **\1** | "
#: GBrain gets evidence pages byte for byte.
EVIDENCE: Final = layout.EVIDENCE.removeprefix(f"{layout.BRAIN}/") + "/"
#: Seconds that a closing process may keep the lock.
CLOSE_S: Final = 20.0
POLL_S: Final = 0.1


@dataclass(slots=True)
class GBrain:
    """``binary``: the gbrain executable, ``path`` the PATH of its processes.

    ``template``: a prepared empty brain (tar.zst, see ``prepare``), which saves the ten seconds of an init. A template
    made by another gbrain or embedding is not used.
    """

    tool: Tool
    binary: str
    clock: Clock
    embedding_model: str = "text-embedding-3-small"
    embedding_dimensions: int = 1536
    template: Path | None = None
    #: Embeds the agent's questions to the evidence index; "": words alone count.
    evidence_model: str = ""
    path: str = PATH
    embeds: bool = True
    keeps_pages: bool = True
    name: str = "gbrain"
    #: The executable's identity and the version that it printed. Never read from a home: an agent's tools may write
    #: there.
    _asked: tuple[tuple[int, ...], str] | None = field(default=None, init=False)
    #: The stats that ``open`` read, for the update that follows; this saves a command.
    _opened: tuple[Path, Mapping[str, int]] | None = field(default=None, init=False)

    @property
    def cli(self) -> Cli:
        """The commands of this brain."""
        return Cli(self.tool, self.binary, self.path)

    @property
    def contained(self) -> bool:
        """See ports.Brain."""
        return self.tool.contained

    def version(self) -> str:
        """GBrain's version. One process asks it once for each executable. Raises ToolFailed, BrainRefused."""
        executable = self._executable()
        if self._asked is None or self._asked[0] != executable:
            result = self._ask_version()
            match = re.search(r"gbrain v?(\d+(?:\.\d+)+)", result.stdout.decode("utf-8", "replace"))
            if result.returncode or not match:
                raise failed(["--version"], result)
            if not SUPPORTED.match(match[1]):
                raise BrainRefused(f"gbrain {match[1]} is not supported; install 0.46.x")
            self._asked = executable, match[1]
        return self._asked[1]

    def _executable(self) -> tuple[int, ...]:
        """Device, inode, size and modification time (ns) of the executable; empty if it is not there."""
        place = shutil.which(self.binary, path=self.path)
        if place is None:
            return ()
        status = Path(place).stat()
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns

    def _ask_version(self) -> ToolResult:
        # Even this creates folders in its home; as root it would create one anywhere.
        with tempfile.TemporaryDirectory() as name:
            env = {"PATH": self.path, "HOME": name, "TMPDIR": name, "GBRAIN_SKIP_STARTUP_HOOKS": "1"}
            command = [self.binary, "--version"]
            return self.tool.run(
                command, cwd=SAFE_FOLDER, env=env, timeout_s=SHORT_S, guard=NoDeadline(SHORT_S), writable=[Path(name)]
            )

    def open(self, root: Path, guard: Guard) -> None:
        """See ports.Brain. Takes over a brain that was closed in another folder; rebuilds one that has fewer pages than
        when it was closed.
        """
        home = Home(root)
        self.version()  # refuse another version before anything is touched
        home.clear_dead()
        self._opened = None
        if home.usable():
            home.relocate()
            stats = self._counted(home, guard)
            if stats is not None:
                self._opened = (root, stats)
                return
            home.clear_dead()
        home.forget()
        self._create(home, guard)
        home.tune()
        self._must(home, ["sources", "add", SOURCE], guard)
        home.remember(self.version(), dict.fromkeys(STATS, 0))

    def _counted(self, home: Home, guard: Guard) -> Mapping[str, int] | None:
        """The stats of a usable brain; None if it has fewer pages than when it was closed.

        Starts no process if none can have written to the brain since its stats were read.
        """
        version = self.version()
        if settled := home.settled(version):
            return settled
        if home.writes_files():
            self._must(home, ["config", "set", "sync.write_through", "false"], guard)
        stats = self._stats(home, guard)
        if stats["page_count"] < home.expected_pages():
            return None
        home.remember(version, stats)
        return stats

    def prepare(self, root: Path, out: Path) -> Mapping[str, object]:
        """Make a fresh brain in ``root``, an empty folder, and pack it as a template; returns what it is locked to.

        Raises ToolFailed, BrainRefused, OSError.
        """
        home, lock = Home(root), self._lock()
        self._init(home, NoDeadline(SHORT_S))
        home.tune()
        home.pack(out, lock)
        return lock

    def _lock(self) -> dict[str, object]:
        return {
            "gbrain": self.version(),
            "embedding_model": self.embedding_model,
            "embedding_dimensions": self.embedding_dimensions,
        }

    def fits(self, template: Path) -> bool:
        """Whether a prepared brain was made with this gbrain and embedding. Raises ToolFailed, BrainRefused."""
        return lock_of(template) == self._lock()

    def update(
        self,
        root: Path,
        changed: Sequence[str],
        deleted: Sequence[str],
        guard: Guard,
        access: ModelAccess | None = None,
        *,
        shown: Mapping[str, bytes] = MappingProxyType({}),
    ) -> IndexCounts:
        """See ports.Brain. Embeds only with ``access``; a failed embedding is a note, never a failed update."""
        home, wanted = Home(root), sorted(set(changed))
        before = self._before(home, guard)
        lacking = before["chunk_count"] - before["embedded_count"]
        if not (changed or deleted or (access and lacking)):
            return IndexCounts(pages=before["page_count"], links=before["link_count"])
        home.unsettle()
        # The process that imports few pages also embeds them: a separate process would take two to three seconds more.
        embedded = access is not None and not lacking and len(wanted) <= EMBEDDED_BY_IMPORT
        imported, skipped = self._import(home, wanted, guard, shown, access if embedded else None)
        if embedded and imported.failed:
            embedded, first = False, imported.imported
            imported, skipped = self._import(home, wanted, guard, shown)
            # The second import skips pages that the first import took.
            imported = replace(imported, imported=imported.imported + first, skipped=imported.skipped - first)
        removed = sum(self._delete(home, pages.slug_of(path), guard) for path in sorted(set(deleted)))
        if changed:
            self._extract(home, guard, bulk=len(wanted) > EMBEDDED_BY_IMPORT)
        notes = self._embed(home, guard, access, imported.imported) if access and not embedded else ()
        after = self._stats(home, guard)
        home.remember(self.version(), after)
        return IndexCounts(
            imported=imported.imported,
            unchanged=max(0, imported.skipped - len(imported.reasons)),
            deleted=removed,
            pages=after["page_count"],
            links=after["link_count"],
            embedded=max(0, after["embedded_count"] - before["embedded_count"]),
            skipped=skipped,
            notes=notes,
        )

    def dream(
        self, root: Path, given: Sequence[str], model: DreamModel, guard: Guard, *, shown: Mapping[str, bytes]
    ) -> Dreamt:
        """See ports.Brain. Phases that write come first; then the pages are made what they were, and only then links,
        weights and embeddings are brought up to date.
        """
        home = Home(root)
        home.unsettle()
        before = self._listed(home, guard)
        # Without those that it did not take, or that wait.
        by_slug = {slug: path for path in given if (slug := pages.slug_of(path).lower()) in before}
        home.ask_of(CHAT + model.name)
        if model.price:
            rate = {CHAT + model.name: {"input": model.price["input"], "output": model.price["output"]}}
            # Without a price GBrain refuses the questions of phases that have a limit in money.
            self._must(home, ["config", "set", "pricing.overrides", orjson.dumps(rate).decode(), "--force"], guard)
        phases = [self._phase(home, phase, model, guard) for phase in WRITING]
        written = self._restore(home, before, by_slug, shown, guard)
        phases += [self._phase(home, phase, model, guard) for phase in UPKEEP]
        stats = self._stats(home, guard)
        home.remember(self.version(), stats)
        return Dreamt(tuple(phases), written)

    def _before(self, home: Home, guard: Guard) -> Mapping[str, int]:
        """The brain's stats: those that ``open`` just read, the first time; later ones are queried."""
        opened, self._opened = self._opened, None
        return opened[1] if opened and opened[0] == home.root else self._stats(home, guard)

    def forget(self, root: Path) -> None:
        """Remove the database: deleted pages stay in its old blocks."""
        Home(root).forget()
        self._opened = None

    def mcp(self, root: Path, view: Path | None = None) -> McpCommand:
        """``serve`` with the small tool surface, behind the fence (fence.py), which also searches the evidence index.

        ``view``: the folder with another index. The database has only what an agent may see.
        """
        home = Home(root)
        # An agent may write pages.
        home.unsettle()
        self.cli.prepare(home)
        # -P keeps the agent's working folder out of the module path; PYTHONPATH names this package's folder.
        index = str((view or root) / layout.SEARCH_INDEX)
        start: tuple[str, ...] = ("-P", "-m", "consumer.agent.gbrain.fence", "--pages", str(root / layout.BRAIN))
        start += ("--evidence", index)
        start += ("--embedding-model", self.evidence_model) if self.evidence_model else ()
        start += (self.binary, "serve", "--surface", "starter")
        ours = {"PYTHONPATH": str(Path(consumer.__file__).parent.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        gateway = {"OPENAI_API_KEY": "${OPENAI_API_KEY}", "OPENAI_BASE_URL": "${OPENAI_BASE_URL}"}
        return McpCommand(
            command=sys.executable,
            args=start,
            env={**self.cli.environment(home), **ours, **gateway},
            writes=(layout.GBRAIN_HOME,),
        )

    def close(self, root: Path, guard: Guard) -> None:
        """See ports.Brain. Removes a dead process's lock; waits for a living one's.

        Where tools are contained, the process that wrote a lock is dead.
        """
        home = Home(root)
        until = self.clock.monotonic() + CLOSE_S
        while home.lock.exists():
            guard.check()
            pid = home.holder()
            if self.tool.contained or (pid is not None and not alive(pid)):
                remove(home.lock)
            elif self.clock.monotonic() >= until:
                raise ToolFailed(f"gbrain: process {pid} still holds the brain after {CLOSE_S:.0f} s")
            else:
                self.clock.sleep(POLL_S)
        remove(home.scratch)

    def _must(self, home: Home, arguments: Sequence[str], guard: Guard) -> None:
        """Run a command outside any source; it must return 0."""
        result = self.cli.run(home, arguments, guard, timeout_s=SHORT_S, source=False)
        if result.returncode:
            raise failed(arguments, result)

    def _create(self, home: Home, guard: Guard) -> None:
        if self.template is not None and self.fits(self.template):
            home.unpack(self.template)
        else:
            self._init(home, guard)

    def _init(self, home: Home, guard: Guard) -> None:
        home.settings.mkdir(parents=True, exist_ok=True)
        model, dimensions = f"openai:{self.embedding_model}", str(self.embedding_dimensions)
        arguments = ["init", "--pglite", "--non-interactive", "--json", "--embedding-model", model]
        arguments += ["--embedding-dimensions", dimensions, "--skip-embed-check"]
        reply = self.cli.ask(home, arguments, guard, timeout_s=SHORT_S, source=False)
        is_here = home.config.is_file() and str(home.database) in str(reply.get("path"))
        if reply.get("status") != "success" or not is_here:
            raise ToolFailed(f"gbrain init made no brain, or made it elsewhere: status {str(reply.get('status'))[:40]}")

    def _stats(self, home: Home, guard: Guard) -> Mapping[str, int]:
        reply = self.cli.ask(home, ["call", "get_stats", "{}"], guard, timeout_s=SHORT_S)
        if not isinstance(reply, dict) or not all(isinstance(reply.get(name), int) for name in STATS):
            raise ToolFailed(f"gbrain get_stats: its answer lacks one of {', '.join(STATS)}")
        return {name: reply[name] for name in STATS}

    def _import(
        self,
        home: Home,
        changed: Sequence[str],
        guard: Guard,
        shown: Mapping[str, bytes],
        access: ModelAccess | None = None,
    ) -> tuple[Imported, dict[str, str]]:
        """Import the changed files through a staging tree, and account for each file.

        With ``access``, the import also embeds them. If it cannot embed all of them, its report is ``failed``, and the
        caller must import them without ``access``.
        """
        skipped = {path: "a name that brains never import" for path in changed if not pages.importable(path)}
        wanted = [path for path in changed if path not in skipped]
        if not wanted:
            return Imported(0, 0, 0), skipped
        with _staged(home, home.root, wanted, shown) as (stage, absent):
            skipped |= absent
            arguments = ["import", str(stage), "--json", "--fresh", "--include-gitignored"]
            limit, bulk = IMPORT_S + IMPORT_PAGE_S * len(wanted), len(wanted) > EMBEDDED_BY_IMPORT
            if access:
                done = self._try_import(home, arguments, guard, limit, access)
                if done.failed:
                    return done, skipped
            else:
                done = read_import(self.cli.run(home, [*arguments, "--no-embed"], guard, timeout_s=limit, bulk=bulk))
        skipped |= {path: reason for path, reason in done.reasons.items() if path in set(wanted)}
        staged = len(wanted) - len(absent)
        if done.total != staged or done.imported + done.skipped != staged:
            skipped |= self._missing(home, [path for path in wanted if path not in skipped], guard)
        return done, skipped

    def _try_import(
        self, home: Home, arguments: Sequence[str], guard: Guard, limit: float, access: ModelAccess
    ) -> Imported:
        """An import that embeds. Any failure may be the model's. Raises what the guard raises."""
        try:
            return read_import(self.cli.run(home, arguments, guard, timeout_s=limit, access=access))
        except ToolFailed:
            return Imported(0, 0, 0, failed=True)

    def _missing(self, home: Home, wanted: Sequence[str], guard: Guard) -> dict[str, str]:
        """Pages that an import did not report and that are not in the brain."""
        ask = orjson.dumps({"limit": 1_000_000, "sort": "slug"}).decode()
        rows = self.cli.ask(home, ["call", "list_pages", ask], guard, timeout_s=SHORT_S)
        present = {str(row.get("slug")) for row in rows if isinstance(row, dict)} if isinstance(rows, list) else set()
        return {
            path: "not in the brain after the import" for path in wanted if pages.slug_of(path).lower() not in present
        }

    def _delete(self, home: Home, slug: str, guard: Guard) -> bool:
        result = self.cli.run(home, ["delete", slug.lower()], guard, timeout_s=SHORT_S)
        if result.returncode == 0:
            return b"already_soft_deleted" not in result.stdout
        # Deleting is repeatable: an absent page is the wanted result.
        output = (result.stderr + result.stdout).lower()
        if b"page_not_found" in output or b"not found" in output:
            return False
        raise failed(["delete"], result)

    def _extract(self, home: Home, guard: Guard, *, bulk: bool = False) -> None:
        """Extract links and timeline of the pages imported since the last extraction, from the database: it has the
        staged pages.
        """
        result = self.cli.run(home, ["extract", "--stale", "--json"], guard, timeout_s=EXTRACT_S, bulk=bulk)
        if result.returncode:
            raise failed(["extract"], result)

    def _embed(self, home: Home, guard: Guard, access: ModelAccess, pages_new: int) -> tuple[str, ...]:
        limit = max(EMBED_S, min(EMBED_PAGE_S * pages_new, guard.time_left() / 3))
        try:
            result = self.cli.run(home, ["embed", "--stale"], guard, timeout_s=limit, access=access, bulk=True)
        except ToolFailed as exc:
            return (f"embedding: {exc}",)
        return (f"embedding: {failed(['embed'], result)}",) if result.returncode else ()

    def _phase(self, home: Home, phase: str, model: DreamModel, guard: Guard) -> DreamPhase:
        """Run one phase, in an empty folder, so that it finds no file to rewrite. Raises what the guard raises."""
        name = phase.split(maxsplit=1)[0]
        # The pages must be made what they were, and the run be committed.
        left = guard.time_left() - DREAM_REST_S
        if left <= 0:
            return DreamPhase(name, "no time")
        folder, began = home.scratch / "dream", self.clock.monotonic()
        folder.mkdir(parents=True, exist_ok=True)
        arguments = ["dream", "--phase", *phase.split(), "--json", "--dir", str(folder)]
        try:
            result = self.cli.run(home, arguments, guard, timeout_s=left, access=model.access, chat=model.name)
            outcome, counts = _phase_report(result)
        except ToolFailed:
            # Out of time, or not startable: the others may do better.
            outcome, counts = "failed", {}
        finally:
            remove(folder)
        return DreamPhase(name, outcome, round(self.clock.monotonic() - began, 1), counts)

    def _listed(self, home: Home, guard: Guard) -> dict[str, str]:
        """Slug -> when its page was last written, of all pages."""
        ask = orjson.dumps({"limit": 1_000_000, "sort": "slug"}).decode()
        rows = self.cli.ask(home, ["call", "list_pages", ask], guard, timeout_s=SHORT_S)
        if not isinstance(rows, list):
            raise ToolFailed("gbrain list_pages: its answer is not a list")
        return {str(row.get("slug")): str(row.get("updated_at")) for row in rows if isinstance(row, dict)}

    def _written(self, home: Home, slug: str, guard: Guard) -> DreamPage:
        row = self.cli.ask(home, ["call", "get_page", orjson.dumps({"slug": slug}).decode()], guard, timeout_s=SHORT_S)
        page = row if isinstance(row, dict) else {}
        return DreamPage(slug, str(page.get("title") or slug), str(page.get("compiled_truth") or ""))

    def _restore(
        self, home: Home, before: Mapping[str, str], given: Mapping[str, str], shown: Mapping[str, bytes], guard: Guard
    ) -> tuple[DreamPage, ...]:
        """Make the pages what they were; returns what phases wrote in their place and beside them. ``given``: slug ->
        path of every page that the brain was given.
        """
        after = self._listed(home, guard)
        changed = sorted(slug for slug, at in after.items() if before.get(slug) != at)
        if len(changed) > DREAM_PAGES:
            raise ToolFailed(f"gbrain dream wrote {len(changed)} pages in one night; {DREAM_PAGES} are allowed")
        written = tuple(self._written(home, slug, guard) for slug in changed)
        for slug in changed:
            if slug not in given:
                self._delete(home, slug, guard)
        again = sorted(path for slug, path in given.items() if slug in changed or slug not in after)
        if again:
            self._import(home, again, guard, shown)
        if changed or again:
            self._extract(home, guard)
            if set(self._listed(home, guard)) != set(before):
                raise ToolFailed("gbrain dream: the brain's pages could not be restored")
        return written


#: Seconds of a dream's time that are kept for what follows its phases.
DREAM_REST_S: Final = 120.0


def _phase_report(result: ToolResult) -> tuple[Literal["done", "skipped", "failed"], dict[str, int]]:
    """A phase's outcome, and its counts. Its words can quote pages, so they are left out."""
    document = last_json(result.stdout)
    phases = document.get("phases") if isinstance(document, dict) else None
    report = phases[0] if isinstance(phases, list) and phases and isinstance(phases[0], dict) else {}
    details = report.get("details")
    counts = {
        str(name): number
        for name, number in (details.items() if isinstance(details, dict) else ())
        if isinstance(number, int) and not isinstance(number, bool) and number
    }
    if result.returncode or report.get("status") not in ("ok", "warn", "skipped"):
        return "failed", counts
    return ("skipped" if report["status"] == "skipped" else "done"), counts


def _page(path: Path) -> bytes:
    """A page's bytes. Raises OSError, also for a link or a pipe that an agent left in its place."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123 (a descriptor)
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        return file.read()


@contextmanager
def _staged(
    home: Home, root: Path, wanted: Sequence[str], shown: Mapping[str, bytes]
) -> Iterator[tuple[Path, dict[str, str]]]:
    """(a folder with copies of these pages, the unreadable pages with reasons). ``shown``: see ports.Brain."""
    stage = home.scratch / "stage"
    remove(stage)
    absent: dict[str, str] = {}
    for path in wanted:
        target = stage / path
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            data = shown[path] if path in shown else _page(root / layout.BRAIN / path)
        except OSError as exc:
            absent[path] = f"cannot be read: {type(exc).__name__}"
            continue
        target.write_bytes(data if path.startswith(EVIDENCE) else DATED.sub(TIMELINE, data))
    try:
        yield stage, absent
    finally:
        remove(stage)
