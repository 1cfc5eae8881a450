"""
A stand-in for the gbrain command that behaves as version 0.46.28 was measured, faults included.

It keeps its pages in the folder where the real one keeps its database, so that everything around it (paths, locks, the
page count after a hydrate) can be tested. What it should do wrong is read from ``faults.json`` beside the wrapper that
starts it: the adapter gives it no environment of its own.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

HOME = Path(os.environ.get("GBRAIN_HOME", "/nonexistent"))
SETTINGS = HOME / ".gbrain"
CONFIG = SETTINGS / "config.json"
#: As the real one: where its configuration says, whatever folder it is in by now.
DATABASE = Path(json.loads(CONFIG.read_text())["database_path"] if CONFIG.is_file() else SETTINGS / "brain.pglite")
PAGES = DATABASE / "pages.json"
LINK = re.compile(r"\]\(([^)#\s]+)\.md")


def main(arguments: list[str], faults: dict[str, Any]) -> int:
    log(faults, arguments)
    command = arguments[0]
    if command == faults.get("hang"):
        time.sleep(600)
    if command == faults.get("fail"):
        complain(f"{command}: something broke")
        return 1
    if command == "--version":
        say(f"gbrain {faults.get('version', '0.46.28.0')}")
        return 0
    if command == "init":
        return init(faults)
    # A wrong path is no error: a new empty brain appears there.
    DATABASE.mkdir(parents=True, exist_ok=True)
    take_lock()
    try:
        return COMMANDS[command](arguments[1:], faults)
    finally:
        if not faults.get("keep_lock"):
            release_lock()


def init(faults: dict[str, Any]) -> int:
    assert "OPENAI_API_KEY" not in os.environ, "init would write the key"
    DATABASE.mkdir(parents=True)
    save({})
    (SETTINGS / "config.json").write_text(json.dumps({"engine": "pglite", "database_path": str(DATABASE)}))
    say("Setting up local brain with PGLite (no server needed)...")
    say('{"search_mode": "balanced"}')
    say(json.dumps({"status": "success", "engine": "pglite", "path": str(DATABASE), "pages": 0}))
    return 0


def sources(arguments: list[str], faults: dict[str, Any]) -> int:
    assert "GBRAIN_SOURCE" not in os.environ, "a missing source fails every command"
    assert "--path" not in arguments, "its path would be in the database for good, wherever the brain moves"
    (DATABASE / "source").write_text("cloop-user")
    return 0


def config(arguments: list[str], faults: dict[str, Any]) -> int:
    settings = DATABASE / "settings.json"
    known = json.loads(settings.read_text()) if settings.is_file() else {}
    settings.write_text(json.dumps({**known, arguments[1]: arguments[2]}))
    return 0


def need_source() -> None:
    if not (DATABASE / "source").is_file():
        sys.exit(f"source {os.environ.get('GBRAIN_SOURCE')} is not registered")


def import_(arguments: list[str], faults: dict[str, Any]) -> int:
    need_source()
    folder = Path(arguments[0])
    held = load()
    counts = {"imported": 0, "skipped": 0, "errors": 0}
    paths = [path for path in sorted(folder.rglob("*.md")) if path.name.lower() not in NEVER]
    embeds = "--no-embed" not in arguments
    for number, path in enumerate(paths):
        name = path.relative_to(folder).as_posix()
        if name in faults.get("drop", []):
            continue
        outcome = take_embedded(held, name, path, faults) if embeds else take(held, name, path.read_bytes())
        if number == faults.get("die_in_import"):
            save(held)
            os.kill(os.getpid(), 9)
        if outcome == "nul":
            # The real one gives up here, and the rest of the files is not imported.
            complain("invalid byte sequence for encoding UTF8: 0x00")
            return 1
        counts["errors"] += outcome == NOT_EMBEDDED
        counts["imported" if outcome is None else "skipped"] += 1
        if outcome not in (None, "unchanged"):
            complain(f"  Skipped {name}: {outcome}")
    save(held)
    complain(f"Found {len(paths)} markdown files")
    if faults.get("noise"):
        say("[schema] 3 of 4 pages have no type {not json}")
    say(json.dumps({"status": "success", "duration_s": 0.1, **counts, "chunks": 9, "total_files": len(paths)}))
    if faults.get("noise"):
        say("  (silence with: gbrain config set schema.type_warnings false)")
    return 0


def take_embedded(held: dict[str, Any], name: str, path: Path, faults: dict[str, Any]) -> str | None:
    """A page that cannot be embedded is not imported."""
    assert os.environ["OPENAI_BASE_URL"].startswith("http://127.0.0.1:"), "embedding goes through the gateway"
    if faults.get("fail") == "embed" or name in faults.get("not_embedded", []):
        return NOT_EMBEDDED
    outcome = take(held, name, path.read_bytes())
    if outcome is None:
        held[name.removesuffix(".md").lower()]["embedded"] = True
    return outcome


def take(held: dict[str, Any], name: str, data: bytes) -> str | None:
    if b"\0" in data:
        return "nul"
    text = data.decode("utf-8", "replace")
    if text.startswith("---\n") and re.search(r"^\w+: \[\s*$", text.split("\n---\n")[0], re.MULTILINE):
        return "Invalid YAML frontmatter"
    slug = name.removesuffix(".md").lower()
    if held.get(slug, {}).get("text") == text:
        return "unchanged"
    put(held, slug, text)
    return None


def put(held: dict[str, Any], slug: str, text: str) -> None:
    held[slug] = {"text": text, "embedded": False, "extracted": False, "links": 0, "at": str(time.time_ns())}


def delete(arguments: list[str], faults: dict[str, Any]) -> int:
    need_source()
    held = load()
    deleted = (DATABASE / "deleted").read_text().split() if (DATABASE / "deleted").is_file() else []
    if arguments[0] in deleted:
        say(json.dumps({"status": "already_soft_deleted", "slug": arguments[0]}))
        return 0
    if arguments[0] not in held:
        complain(f"Error [page_not_found]: Page not found: {arguments[0]}")
        return 1
    del held[arguments[0]]
    save(held)
    (DATABASE / "deleted").write_text("\n".join([*deleted, arguments[0]]))
    say(json.dumps({"status": "soft_deleted", "slug": arguments[0]}))
    return 0


def extract(arguments: list[str], faults: dict[str, Any]) -> int:
    need_source()
    held = load()
    for page in held.values():
        if not page["extracted"]:
            page.update(extracted=True, links=len(LINK.findall(page["text"])))
    save(held)
    say(json.dumps({"links_created": 1, "timeline_entries_created": 0, "pages_processed": len(held)}, indent=2))
    return 0


def embed(arguments: list[str], faults: dict[str, Any]) -> int:
    need_source()
    assert os.environ["OPENAI_BASE_URL"].startswith("http://127.0.0.1:"), "embedding goes through the gateway"
    held = load()
    for page in held.values():
        page["embedded"] = True
    save(held)
    return 0


def dream(arguments: list[str], faults: dict[str, Any]) -> int:
    """As the real one's lint: whatever markdown lies in its folder is rewritten in place."""
    need_source()
    for path in Path(arguments[arguments.index("--dir") + 1]).rglob("*.md"):
        path.write_text(path.read_text().strip() + "\nlinted\n")
    phase = arguments[arguments.index("--phase") + 1]
    if phase == faults.get("fail_phase"):
        complain("dream: something broke")
        return 1
    held = load()
    written = faults.get("dreams", {}).get(phase, {})
    for slug, text in written.items():
        put(held, slug, text)
    save(held)
    status = "skipped" if phase in ("extract_atoms", "synthesize_concepts") else "ok"
    details = {"pages_enriched": len(written), "dryRun": False, "warnings": [], "order": "inbound-links"}
    report = {"phase": phase, "status": status, "summary": f"{len(written)} page(s)", "details": details}
    say(f"[cycle.{phase}] done")
    say(json.dumps({"schema_version": "1", "status": "clean", "phases": [report]}, indent=2))
    return 0


def call(arguments: list[str], faults: dict[str, Any]) -> int:
    need_source()
    held = load()
    if arguments[0] == "get_stats":
        stats = {
            "page_count": len(held),
            "chunk_count": len(held),
            "embedded_count": sum(page["embedded"] for page in held.values()),
            "link_count": sum(page["links"] for page in held.values()),
        }
        say(json.dumps(stats, indent=2))
    elif arguments[0] == "get_page":
        slug = json.loads(arguments[1])["slug"]
        title = re.search(r"^# (.+)$", held[slug]["text"], re.MULTILINE)
        page = {"slug": slug, "title": title[1] if title else slug, "compiled_truth": held[slug]["text"]}
        say(json.dumps(page, indent=2))
    else:
        rows = [{"slug": slug, "type": "source", "updated_at": held[slug].get("at")} for slug in sorted(held)]
        say(json.dumps(rows, indent=2))
    return 0


def serve(arguments: list[str], faults: dict[str, Any]) -> int:
    assert arguments == ["--surface", "starter"], "the full surface is too large for a model"
    assert Path.cwd() == Path("/"), "bun would read the agent's bunfig.toml"
    import asyncio

    asyncio.run(answer())
    return 0


async def answer() -> None:
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        schema = {"type": "object", "properties": {"slug": {"type": "string"}, "query": {"type": "string"}}}
        names = ("get_page", "list_pages", "search", "query", "get_backlinks", "put_page")
        return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=schema) for name in names])

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        held = load() if (DATABASE / "source").is_file() else {}
        if params.name == "put_page":
            # Any page, evidence included, and only in the database.
            asked = params.arguments or {}
            save({**held, asked["slug"]: {"text": asked["content"], "embedded": True, "extracted": True, "links": 0}})
            return types.CallToolResult(content=[types.TextContent(type="text", text='{"status": "created"}')])
        wanted = (params.arguments or {}).get("query", "").lower()
        hits = [
            {"slug": slug, "chunk_text": page["text"]} for slug, page in held.items() if wanted in page["text"].lower()
        ]
        return types.CallToolResult(content=[types.TextContent(type="text", text=json.dumps(hits))])

    server: Server[Any] = Server("gbrain", version="0.46.28", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def take_lock() -> None:
    lock = DATABASE / ".gbrain-lock"
    try:
        lock.mkdir()
    except FileExistsError:
        pid = json.loads((lock / "lock").read_text())["pid"]
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            pass  # a dead holder heals itself
        else:
            sys.exit(f"GBrain: Timed out waiting for PGLite data-dir lock. Process {pid} has held it")
    (lock / "lock").write_text(json.dumps({"pid": os.getpid()}))


def release_lock() -> None:
    (DATABASE / ".gbrain-lock" / "lock").unlink(missing_ok=True)
    (DATABASE / ".gbrain-lock").rmdir()


def load() -> dict[str, Any]:
    return json.loads(PAGES.read_text()) if PAGES.is_file() else {}


def save(held: dict[str, Any]) -> None:
    PAGES.write_text(json.dumps(held))


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


def complain(text: str) -> None:
    sys.stderr.write(text + "\n")


def log(faults: dict[str, Any], arguments: list[str]) -> None:
    """One line a start: arguments, working folder and names of the environment."""
    with Path(faults["log"]).open("a") as file:
        file.write(json.dumps({"argv": arguments, "cwd": str(Path.cwd()), "env": dict(os.environ)}) + "\n")


NOT_EMBEDDED = "HTTP 503"
NEVER = {"readme.md", "index.md", "log.md", "schema.md", "resolver.md"}
COMMANDS = {
    "sources": sources,
    "import": import_,
    "delete": delete,
    "dream": dream,
    "extract": extract,
    "embed": embed,
    "call": call,
    "config": config,
    "serve": serve,
}

if __name__ == "__main__":
    faults_file = Path(sys.argv[1])
    sys.exit(main(sys.argv[2:], json.loads(faults_file.read_text())))
