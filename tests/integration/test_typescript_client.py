"""The app's calls in TypeScript, compiled by `make client`, against the service on a port, run by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.integration.test_reader_mcp import listening
from tests.unit.reader.test_isolation import both
from tests.unit.reader.worlds import ADA_TOKEN, MARK, S1, World

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]
BUILT = Path(__file__).parents[2] / ".cache/client/built/my-memory.js"
SCRIPT = """
import { MyMemory, Refused } from "./built/my-memory.js";
const [url, token] = process.argv.slice(2);
const memory = new MyMemory(url, async () => token);
const today = await memory.today();
const loop = today.due[0];
const page = await memory.page(loop.citations[0]);
const asked = await memory.ask("When does the train leave?");
const streamed = await memory.askStreamed("When does the train leave?", {});
const correction = await memory.done(loop);
const after = await memory.today();
const selection = { source: "granola_transcripts" };
const list = await memory.previewForget(selection);
const forgotten = await memory.confirmForget(selection, list.token, list.records);
const orders = await memory.forgets();
const early = await memory.receipt(forgotten.order).catch((error) => error);
const ordered = await memory.orderExport();
const exported = await memory.exports();
const fileEarly = await memory.exportFile(ordered).catch((error) => error);
const rules = await memory.rules();
const noRule = await memory.rule({ id: "user_rules/none" }).catch((error) => error);
const refused = await new MyMemory(url, async () => "x.y.z").today().catch((error) => error);
console.log(JSON.stringify({
  loop: loop.id, page, asked, streamed, correction, left: after.due.map((each) => each.id),
  listed: list.records.map((each) => each.title),
  forget: [forgotten.order.kind, forgotten.arrived, orders.map((each) => each.id === forgotten.order.id)],
  export: [ordered.kind, exported.map((each) => each.id === ordered.id)],
  rules, codes: [early.code, fileEarly.code, noRule.code],
  refused: [refused instanceof Refused, refused.status, refused.code],
}));
"""


def test_the_calls_work_as_compiled(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not BUILT.exists():
        pytest.skip("run `make client` first; it needs node and npm")
    world: World = both(tmp_path)
    script = BUILT.parents[1] / "calls.mjs"
    script.write_text(SCRIPT)
    with listening(world) as url:
        command = [node, str(script), url.removesuffix("/mcp"), ADA_TOKEN]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    answer = json.loads(ran.stdout)
    assert answer["loop"] == S1
    assert f'<a id="r-{MARK}"></a>' in answer["page"]
    assert answer["asked"]["said_by"] == "nobody"
    assert answer["streamed"] == answer["asked"]
    assert answer["correction"]
    assert S1 not in answer["left"]
    assert answer["listed"] == [""], "the record of this index has no title"
    assert answer["forget"] == ["forget", [], [True]]
    assert answer["export"] == ["export", [True]]
    assert (answer["rules"], answer["codes"]) == ([], ["receipt_not_ready", "export_not_ready", "not_found"])
    assert answer["refused"] == [True, 401, "user_token_invalid"]
