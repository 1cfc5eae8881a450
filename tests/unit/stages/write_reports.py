"""``python -m tests.unit.stages.write_reports``: write the report goldens anew; read the difference after."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

from tests import brains
from tests.unit.stages import test_digest as digests
from tests.unit.stages import test_report as goldens


def main() -> None:
    for job_type in ("backfill_digest", "hourly_digest", "insight"):
        with tempfile.TemporaryDirectory() as folder:
            run = goldens.prepared(Path(folder))
            brains.begin_ledger(run.root)
            job = run.job.model_copy(update={"job_type": job_type})
            made = goldens.claimed(dataclasses.replace(run, job=job), goldens.GOOD, goldens.DOUBTED, goldens.FALSE)
            _, text, _ = goldens.report(made)
            goldens.GOLDEN.mkdir(parents=True, exist_ok=True)
            (goldens.GOLDEN / f"{job_type}.md").write_text(text, "utf-8")
    for locale, name in (("en-GB", "digest_en"), ("de-AT", "digest_de")):
        with tempfile.TemporaryDirectory() as folder:
            digests.world(Path(folder), *digests.story())
            brains.speaking(Path(folder), locale)
            _, text, _ = digests.written(digests.hour(Path(folder)))
            (goldens.GOLDEN / f"{name}.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
