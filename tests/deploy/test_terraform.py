"""terraform/ and the code say the same, in both directions: settings, topics, limits, rights, processes, alerts."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import re
import threading
from typing import Any, cast, get_args

import pytest

import manifests
import publisher.settings
from consumer import errors, paths
from consumer import settings as consumer_settings
from consumer.cli import main
from consumer.clients import cloudrun, pubsub_topics
from consumer.delivery import outcome
from consumer.entrypoints import push
from consumer.storage import gcs, gcs_bucket
from contract import event
from controlplane import settings as controlplane_settings
from local import cloud
from local.stack import PLANS_AT
from reader import settings as reader_settings
from tests.deploy import hcl, image

#: What only a laptop or the embedded stack sets: other servers than Google's, and which address to listen on.
LOCAL_ONLY = {
    "consumer": {"STORAGE_EMULATOR_HOST", "IDENTITY_TOKEN_URL", "IDENTITY_EMAIL", "RUN_ENDPOINT", "HOST"},
    "publisher": {"HOST"},
    "controlplane": {"HOST", "STS_URL"},
    "reader": {"STORAGE_EMULATOR_HOST", "IDENTITY_TOKEN_URL", "IDENTITY_EMAIL", "HOST"},
}
#: Cloud Run sets it and refuses to have it set.
PLATFORM = {"PORT"}
DECLARED = {
    "consumer": {variable.name for variable in consumer_settings.variables()},
    "publisher": {variable.name for variable in publisher.settings.variables()},
    "controlplane": {variable.name for variable in controlplane_settings.variables()},
    "reader": {variable.name for variable in reader_settings.variables()},
}
SECRETS = {
    "consumer": {variable.name for variable in consumer_settings.variables() if variable.secret},
    "publisher": {"DATABASE_URL", "WEBHOOK_SECRET"},
    "controlplane": {"DATABASE_URL", "EXPORT_DATABASE_URL"},
    "reader": {"READER_SESSION_KEY", "OPENAI_API_KEY"},
}
#: (process, its stage of the image, the account it runs as, the resource that runs it)
PROCESSES = [
    ("consumer", "worker", "worker", ("google_cloud_run_v2_service", "consumer")),
    ("consumer", "worker", "worker", ("google_cloud_run_v2_job", "worker")),
    ("publisher", "app", "publisher", ("google_cloud_run_v2_service", "publisher")),
    ("controlplane", "app", "controlplane", ("google_cloud_run_v2_service", "controlplane")),
    ("reader", "app", "reader", ("google_cloud_run_v2_service", "reader")),
]
each_process = pytest.mark.parametrize(
    ("process", "stage", "account", "where"), PROCESSES, ids=[".".join(case[3]) for case in PROCESSES]
)


def template(where: tuple[str, str]) -> dict[str, Any]:
    """What one instance or task is made of."""
    template: dict[str, Any] = hcl.resource(*where)["template"][0]
    return cast(dict[str, Any], template["template"][0]) if "template" in template else template


def container(where: tuple[str, str]) -> dict[str, Any]:
    return cast(dict[str, Any], template(where)["containers"][0])


# --- settings


@pytest.mark.parametrize("process", DECLARED)
def test_every_setting_is_given_once_and_only_known_ones_are(process: str) -> None:
    stage = next(case[1] for case in PROCESSES if case[0] == process)
    plain = set(hcl.locals_()[f"{process}_env"])
    secret = set(hcl.locals_()[f"{process}_secret_env"])
    by_image = DECLARED[process] & set(image.environment(stage))
    assert plain | secret <= DECLARED[process]
    assert not plain & secret
    assert not (plain | secret) & (by_image | LOCAL_ONLY[process] | PLATFORM)
    assert DECLARED[process] - LOCAL_ONLY[process] - PLATFORM == plain | secret | by_image


@pytest.mark.parametrize("process", DECLARED)
def test_secrets_come_by_reference_and_to_their_own_account(process: str) -> None:
    assert set(hcl.locals_()[f"{process}_secret_env"]) == SECRETS[process]
    group = {"consumer": "worker_secrets"}.get(process, f"{process}_secrets")
    for value in hcl.locals_()[f"{process}_secret_env"].values():
        assert value.removeprefix(f"local.{group}.") in hcl.locals_()[group]
    reader = {"consumer": "worker"}.get(process, process)
    assert f"for id in values(local.{group}) : id => google_service_account.{reader}.member" in hcl.text()


def test_keys_of_further_model_providers_are_references_to_secrets_that_only_workers_read() -> None:
    given = hcl.locals_()["consumer_env"]["MODEL_UPSTREAMS"]
    assert 'key = upstream.secret == null ? "none" : "env:${local.upstream_variables[model]}"' in given.replace(
        "\\", ""
    )
    assert hcl.document()["variable"]["model_upstreams"]["default"] == {}
    member = "for id in toset(values(local.upstream_secret_env)) : id => google_service_account.worker.member"
    assert member in hcl.text()
    assert "values(local.upstream_secret_env)" in hcl.locals_()["secret_ids"]


@each_process
def test_processes_get_their_settings_account_and_image(
    process: str, stage: str, account: str, where: tuple[str, str]
) -> None:
    given = [block["env"] for block in container(where)["dynamic"]]
    sets = [f"{process}_env", f"{process}_secret_env", *(["upstream_secret_env"] if process == "consumer" else [])]
    assert [block["for_each"] for block in given] == [f"local.{name}" for name in sets]
    assert all(block["content"][0]["value_source"][0]["secret_key_ref"] for block in given[1:])
    assert template(where)["service_account"] == f"google_service_account.{account}.email"
    assert container(where)["image"] == ("local.worker_image" if stage == "worker" else "local.image")


@each_process
def test_what_is_started_exists(process: str, stage: str, account: str, where: tuple[str, str]) -> None:
    arguments = container(where)["args"]
    if arguments[0] == "cloop-memory":
        verbs = {command.callback.__name__ for command in main.app.registered_commands if command.callback}
        assert arguments[1:] == [process]
        assert process in verbs
    else:
        assert arguments[:2] == ["python", "-m"]
        assert importlib.util.find_spec(arguments[2])


@each_process
def test_mounts_are_where_the_settings_point(process: str, stage: str, account: str, where: tuple[str, str]) -> None:
    mounts = {mount["mount_path"] for mount in container(where).get("volume_mounts", [])}
    if stage == "worker":
        assert mounts == {image.environment("worker")["RUN_ROOT"], hcl.locals_()["consumer_env"]["SIGNING_KEY"]}
    elif process == "controlplane":
        assert hcl.locals_()["controlplane_env"]["JOB_TOKEN_KEY"].count(f"{mounts.pop()}/$") == 1
    elif process == "reader":
        assert mounts == {hcl.locals_()["reader_env"]["VERIFY_KEYS"]}
    else:
        assert not mounts


@each_process
def test_secret_files_are_roots_alone_where_root_reads_them(
    process: str, stage: str, account: str, where: tuple[str, str]
) -> None:
    """The worker is root, and what it starts is not. Other processes are not root, and 0400 would keep them out."""
    volumes = [volume["secret"][0] for volume in template(where).get("volumes", []) if "secret" in volume]
    is_root = image.last(stage, "USER") == ("0:0",)
    assert is_root == (stage == "worker")
    assert bool(volumes) == (process != "publisher")
    assert [volume.get("default_mode") for volume in volumes] == [0o400 if is_root else None for _ in volumes]


def test_no_worker_in_the_cloud_runs_agents_without_a_fence() -> None:
    assert hcl.locals_()["consumer_env"]["AGENT_FENCE"] == "required"
    for case in PROCESSES:
        if case[1] == "worker":
            assert template(case[3])["execution_environment"] == "EXECUTION_ENVIRONMENT_GEN2", (
                "the other emulates Linux"
            )


# --- topics


def test_topics_are_those_of_the_embedded_stack() -> None:
    topics = re.findall(r"local\.(\w+)", hcl.resource("google_pubsub_topic", "this")["for_each"])
    names = {hcl.locals_()[name] for name in topics}
    assert names == {cloud.JOBS, cloud.TICKS, cloud.DEAD, cloud.UNDELIVERABLE}
    env = hcl.locals_()["consumer_env"]
    settings = {name: hcl.locals_()[env[name].removeprefix("local.")] for name in env if name.endswith("_TOPIC")}
    assert settings == {"JOBS_TOPIC": cloud.JOBS, "TICKS_TOPIC": cloud.TICKS, "DEAD_LETTER_TOPIC": cloud.DEAD}


def test_subscriptions_are_those_of_the_embedded_stack() -> None:
    granted = {
        name: (entry["topic"], entry["path"], entry["undeliverable"], entry["ordered"])
        for name, entry in hcl.locals_()["push_subscriptions"].items()
    }
    assert granted == {
        name: (wanted.topic, wanted.path, wanted.undeliverable, wanted.topic == cloud.JOBS)
        for name, wanted in cloud.SUBSCRIPTIONS.items()
    }
    dead = hcl.resource("google_pubsub_subscription", "dead_ops")
    assert dead["name"] == "memory-jobs-dead-ops"
    assert dead["topic"] == "google_pubsub_topic.this[local.dead].id"


def test_subscriptions_take_their_numbers_from_the_limits() -> None:
    wanted = cloud._subscription("memory-jobs-push", cloud.SUBSCRIPTIONS["memory-jobs-push"], "", "", min_backoff_s=10)
    subscription = hcl.resource("google_pubsub_subscription", "push")
    policy = subscription["dynamic"][0]["dead_letter_policy"]["content"][0]
    limits = manifests.limits()
    assert subscription["ack_deadline_seconds"] == "local.limits.push_ack_deadline"
    assert wanted["ack_deadline_seconds"] == limits["push_ack_deadline"]
    assert subscription["retry_policy"][0] == {
        "minimum_backoff": "${local.limits.push_min_backoff}s",
        "maximum_backoff": "${local.limits.push_max_backoff}s",
    }
    assert policy["max_delivery_attempts"] == "local.limits.max_delivery_attempts"
    assert wanted["dead_letter_policy"]["max_delivery_attempts"] == limits["max_delivery_attempts"]
    assert subscription["expiration_policy"] == [{"ttl": ""}]


def test_pushes_go_to_routes_that_exist_with_a_token_that_is_accepted() -> None:
    nothing = cast(Any, None)
    app = push.create_app(nothing, nothing, shutdown=threading.Event(), ready=list, body_limit=1)
    routes = {route.path for route in cast(list[Any], app.routes)}
    assert {entry["path"] for entry in hcl.locals_()["push_subscriptions"].values()} <= routes
    config = hcl.resource("google_pubsub_subscription", "push")["push_config"][0]
    env = hcl.locals_()["consumer_env"]
    assert config["push_endpoint"] == "${google_cloud_run_v2_service.consumer.uri}${each.value.path}"
    assert config["oidc_token"] == [
        {"service_account_email": env["PUSH_SERVICE_ACCOUNT"], "audience": env["PUSH_AUDIENCES"]}
    ]
    probes = container(("google_cloud_run_v2_service", "consumer"))
    assert {probes[probe][0]["http_get"][0]["path"] for probe in ("startup_probe", "liveness_probe")} <= routes


def test_every_tick_is_one_that_the_consumer_reads() -> None:
    kinds = hcl.locals_()["ticks_at"]
    assert set(kinds) == set(get_args(event.TickKind))
    data = hcl.resource("google_cloud_scheduler_job", "tick")["pubsub_target"][0]["data"]
    assert data.replace('"', "") == f"base64encode(jsonencode({{schema = {event.TICK_SCHEMA}, kind = each.key}}))"
    for kind in kinds:
        assert event.decode_tick(json.dumps({"schema": event.TICK_SCHEMA, "kind": kind}).encode()).kind == kind


def test_the_embedded_stack_plans_when_the_scheduler_does() -> None:
    def cron(every_s: int, first_s: int) -> str:
        return f"{first_s % 3600 // 60} {first_s // 3600 if every_s == 86400 else '*'} * * *"

    at = hcl.locals_()["ticks_at"]
    assert {kind: cron(*times) for kind, times in PLANS_AT.items()} == {kind: at[kind] for kind in ("hourly", "daily")}


# --- names and numbers


def test_names_are_those_that_code_and_stack_use() -> None:
    job = hcl.resource("google_cloud_run_v2_job", "worker")["name"]
    assert cloud.RUN_JOB.endswith(f"/jobs/{job}")
    assert hcl.locals_()["consumer_env"]["CLOUD_RUN_JOB"].endswith(f"/jobs/{job}")
    assert hcl.document()["variable"]["bucket_name"]["default"] == cloud.BUCKET
    assert hcl.locals_()["worker_secrets"]["model_key"] == cloud.MODEL_KEY_SECRET
    accounts = (("push", cloud.PUSH_ACCOUNT), ("worker", cloud.WORKER_ACCOUNT), ("reader", cloud.READER_ACCOUNT))
    for name, email in accounts:
        assert hcl.resource("google_service_account", name)["account_id"] == email.partition("@")[0]


def test_every_limit_that_is_used_exists_and_is_a_number() -> None:
    used = set(re.findall(r"local\.limits\.(\w+)", hcl.text()))
    assert {"push_ack_deadline", "lock_ttl", "max_failures", "sweep_stale_after"} <= used
    assert all(isinstance(manifests.limits()[name], int) for name in used)


def test_one_run_an_instance_within_the_time_of_a_push() -> None:
    consumer = template(("google_cloud_run_v2_service", "consumer"))
    assert consumer["max_instance_request_concurrency"] == 1
    assert consumer["timeout"] == "${local.limits.push_ack_deadline}s"
    job = template(("google_cloud_run_v2_job", "worker"))
    assert job["max_retries"] == 0
    assert "budget_s" in job["timeout"]
    assert all(pipeline["budget_s"] for pipeline in manifests.pipelines().values())


def test_defaults_are_those_of_the_settings() -> None:
    defaults = {variable.name: variable.default for variable in consumer_settings.variables()}
    variables = hcl.document()["variable"]
    assert variables["model"]["default"] == defaults["MODEL"]
    assert variables["model_small"]["default"] == defaults["MODEL_SMALL"]
    assert variables["embedding_model"]["default"] == defaults["EMBEDDING_MODEL"]
    assert variables["model_reader"]["default"] == defaults["MODEL_READER"]
    assert variables["model_judge"]["default"] == defaults["MODEL_JUDGE"]
    for name in ("model_reader_tokens", "model_reader_backfill_tokens"):
        assert str(variables[name]["default"]) == str(defaults[name.upper()])
    assert variables["dispatch"]["default"] == defaults["DISPATCH"]
    assert {variables["model"]["default"], variables["model_small"]["default"]} <= set(manifests.model_prices())
    assert variables["search_vectors"]["default"] == defaults["SEARCH_VECTORS"]
    assert hcl.locals_()["oidc_jwks_url"] == defaults["OIDC_JWKS_URL"]
    assert hcl.locals_()["oidc_issuers"] == defaults["OIDC_ISSUERS"]
    readers = {variable.name: variable.default for variable in reader_settings.variables()}
    for name in ("reader_model", "reader_model_judge", "reader_embedding_model"):
        assert variables[name]["default"] == readers[name.upper()]


def test_vectors_are_switched_by_variables_and_questions_have_those_of_the_evidence() -> None:
    assert hcl.locals_()["consumer_env"]["SEARCH_VECTORS"] == "var.search_vectors"
    assert hcl.locals_()["reader_env"]["READER_EMBEDDING_MODEL"] == "var.reader_embedding_model"
    variables = hcl.document()["variable"]
    [check] = variables["reader_embedding_model"]["validation"]
    for needed in ('var.search_vectors == "on"', "var.reader_embedding_model == var.embedding_model"):
        assert needed in check["condition"]


# --- storage and rights


def test_the_bucket_keeps_nothing_that_was_erased_and_shows_nothing() -> None:
    bucket = hcl.resource("google_storage_bucket", "workspaces")
    assert bucket["versioning"] == [{"enabled": False}]
    assert bucket["soft_delete_policy"] == [{"retention_duration_seconds": 0}]
    assert bucket["uniform_bucket_level_access"] is True
    assert bucket["public_access_prevention"] == "enforced"
    assert "retention_policy" not in bucket


def test_only_dead_letters_expire_by_age() -> None:
    rules = hcl.resource("google_storage_bucket", "workspaces")["lifecycle_rule"]
    deletes = [rule["condition"][0] for rule in rules if rule["action"][0]["type"] == "Delete"]
    prefixes = tuple(prefix for condition in deletes for prefix in condition["matches_prefix"])
    assert len(deletes) == len(prefixes) == 1
    assert paths.dead_letter("2026-11-27", "key").startswith(prefixes)
    kept = (paths.head("u"), paths.pack("u", "d"), paths.lock("u"), paths.parked("u"), paths.ledger("j"))
    assert not any(name.startswith(prefixes) for name in kept)


def test_rights_on_the_bucket_are_those_that_its_adapter_lists() -> None:
    listed = re.search(r"Permissions needed on the bucket: (.*?) \(", gcs.__doc__ or "", re.DOTALL)
    assert listed
    needed = {f"storage.objects.{name}" for name in re.findall(r"\.(\w+)(?=,|$)", listed[1])}
    assert set(hcl.resource("google_project_iam_custom_role", "workspace_objects")["permissions"]) == needed


def test_the_launcher_has_the_right_that_it_names() -> None:
    grant = hcl.resource("google_cloud_run_v2_job_iam_member", "worker_launches")
    assert grant["role"] in (cloudrun.__doc__ or "")
    assert grant["member"] == "google_service_account.worker.member"


def test_no_right_reaches_further_than_one_resource() -> None:
    grants = [(kind, body) for kind, _, body in hcl.resources() if kind.endswith(("_iam_member", "_iam_binding"))]
    assert len(grants) > 10
    for kind, body in grants:
        assert not kind.startswith("google_project_iam_"), f"{kind} would hold for the whole project"
        assert not re.search(r"roles/(owner|editor|viewer)$|[aA]dmin$", body["role"]), body["role"]
        assert "allUsers" not in body["member"]
        assert "allAuthenticatedUsers" not in body["member"]


def test_only_what_others_call_can_be_reached_from_outside() -> None:
    ingress = {name: body["ingress"] for kind, name, body in hcl.resources() if kind == "google_cloud_run_v2_service"}
    assert ingress == {
        "consumer": "INGRESS_TRAFFIC_INTERNAL_ONLY",
        "publisher": "INGRESS_TRAFFIC_ALL",
        "controlplane": "INGRESS_TRAFFIC_ALL",
        "reader": "INGRESS_TRAFFIC_ALL",
    }


def test_the_reader_has_no_right_on_the_bucket_and_its_tokens_only_read() -> None:
    on_bucket = [body for kind, _, body in hcl.resources() if kind == "google_storage_bucket_iam_member"]
    assert not any("google_service_account.reader" in json.dumps(body) for body in on_bucket)
    granted = hcl.resource("google_storage_bucket_iam_member", "reads")
    assert granted["role"] == "google_project_iam_custom_role.workspace_reads.id"
    assert granted["member"] == "google_service_account.reads.member"
    assert hcl.resource("google_project_iam_custom_role", "workspace_reads")["permissions"] == ["storage.objects.get"]
    may_become = hcl.resource("google_service_account_iam_member", "controlplane_reads")
    assert may_become["member"] == "google_service_account.controlplane.member"
    runs_as = [template(case[3])["service_account"] for case in PROCESSES]
    assert "google_service_account.reads.email" not in runs_as
    # The signing key's secret also holds the private key, so the reader has a secret of public keys.
    assert hcl.locals_()["reader_secrets"]["verify_keys"] != hcl.locals_()["worker_secrets"]["signing_key"]


def references(value: Any) -> set[str]:
    """Resources and data sources that an expression names, those of the locals in it included."""
    text = json.dumps(value)
    names = {f"{kind}.{name}" for kind, name in re.findall(r"\b((?:data\.)?google_\w+)\.(\w+)", text)}
    for name in re.findall(r"\blocal\.(\w+)", text):
        names |= references(hcl.locals_()[name])
    return names


def needs() -> dict[str, set[str]]:
    """Resource or data source -> everything that terraform makes before it."""
    direct = {f"{kind}.{name}": references(body) for kind, name, body in hcl.resources()}
    for kind, named in hcl.document()["data"].items():
        direct |= {f"data.{kind}.{name}": references(body) for name, body in named.items()}

    def all_of(name: str, seen: frozenset[str] = frozenset()) -> set[str]:
        assert name not in seen, f"{name} needs itself"
        return direct[name].union(*(all_of(before, seen | {name}) for before in direct[name] & set(direct)))

    return {name: all_of(name) for name in direct}


BASE, SERVICES = "google_project_service.base", "google_project_service.this"


@pytest.mark.parametrize("name", sorted(hcl.declared() - {BASE, SERVICES}))
def test_nothing_is_made_or_read_before_its_api_is_enabled(name: str) -> None:
    """One apply on an empty project: each of these would fail as long as its API is off."""
    assert BASE in needs()[name]
    if not name.startswith("data."):
        assert SERVICES in needs()[name], "add depends_on = [google_project_service.this]"


def test_every_block_is_among_those_parameters() -> None:
    assert hcl.declared() == set(needs())


def test_the_apis_of_the_project_itself_come_first() -> None:
    assert needs()[BASE] == set()
    assert BASE in needs()[SERVICES]
    assert set(hcl.locals_()["base_services"]) == {"serviceusage.googleapis.com", "cloudresourcemanager.googleapis.com"}
    assert not set(hcl.locals_()["base_services"]) & set(hcl.locals_()["services"])


#: What google-cloud's clients are asked for -> the permission that it takes; "" for what everybody may ask.
PERMISSIONS = {
    "get_bucket": "storage.buckets.get",
    "test_iam_permissions": "",
    "list_topic_subscriptions": "pubsub.topics.get",
    "get_subscription": "pubsub.subscriptions.get",
}


def asked_by_doctor() -> set[str]:
    """Permissions for every call that doctor's adapters make to Google: such a call says how long it may take."""
    permissions = set()
    for module in (gcs_bucket, pubsub_topics):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if any(keyword.arg == "timeout" for keyword in node.keywords):
                permissions.add(PERMISSIONS[node.func.attr])
    return permissions - {""}


def test_the_operator_may_do_what_doctor_asks_for() -> None:
    assert asked_by_doctor() == set(hcl.resource("google_project_iam_custom_role", "looks")["permissions"])
    for kind, where in (
        ("google_storage_bucket_iam_member", ("bucket", "google_storage_bucket.workspaces.name")),
        ("google_pubsub_topic_iam_member", ("for_each", "google_pubsub_topic.this")),
        ("google_pubsub_subscription_iam_member", ("for_each", "google_pubsub_subscription.push")),
    ):
        grant = hcl.resource(kind, "operator_looks")
        assert grant["role"] == "google_project_iam_custom_role.looks.id"
        assert grant["member"] == "google_service_account.operator.member"
        assert grant[where[0]] == where[1]


# --- alerts


def test_alerts_ask_for_what_the_code_says() -> None:
    names = {kind.name for kind in _subclasses(outcome.Outcome)}
    codes = {kind.code for kind in _subclasses(errors.ConsumerError) if hasattr(kind, "code")}
    text = (hcl.FOLDER / "monitoring.tf").read_text(encoding="utf-8")
    asked = {name for group in re.findall(r'outcome=~?\\"([a-z_|]+)\\"', text) for name in group.split("|")}
    assert {"dead_lettered", "parked", "done"} <= asked <= names
    assert set(re.findall(r',?code=\\"([a-z_]+)\\"', text)) <= codes
    logged = "\n".join(path.read_text() for path in (image.ROOT / "consumer").rglob("*.py"))
    for message in re.findall(r'jsonPayload\.message=\\"(\w+)\\"', text):
        assert f'telemetry.log("{message}"' in logged
    for service in re.findall(r'jsonPayload\.service=\\"(\w+)\\"', text):
        assert f'setup_telemetry("{service}"' in logged
    measured = re.findall(r"cloop_memory_(\w+)_seconds_bucket", text)
    assert measured
    assert all(f'telemetry.observe("{name}"' in logged for name in measured)
    for field in set(re.findall(r"EXTRACT\(jsonPayload\.(\w+)\)|jsonPayload\.(\w+):", text)):
        name = field[0] or field[1]
        assert name == "message" or f"{name}=" in logged


def _subclasses(kind: type) -> list[Any]:
    kinds: list[Any] = list(kind.__subclasses__())
    return kinds + [below for direct in kinds for below in _subclasses(direct)]


# --- the files themselves


def test_everything_that_is_named_is_declared_and_used() -> None:
    text = re.sub(r"#.*", "", hcl.text())
    variables, local = set(hcl.document()["variable"]), set(hcl.locals_())
    assert set(re.findall(r"\bvar\.(\w+)", text)) == variables
    assert set(re.findall(r"\blocal\.(\w+)", text)) == local
    declared = {f"{kind}.{name}" for kind, name, _ in hcl.resources()}
    assert set(re.findall(r"(?<!data\.)\b(google_\w+\.\w+)", text)) <= declared


def test_every_variable_and_output_is_described() -> None:
    for kind in ("variable", "output"):
        for name, body in hcl.document()[kind].items():
            assert len(body["description"]) > 8, name
