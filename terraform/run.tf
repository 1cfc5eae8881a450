# The processes. Each gets all of its settings here, except those that the image states of itself (HERMES_BIN, GBRAIN_BIN,
# GBRAIN_TEMPLATE, RUN_ROOT, AGENT_USER) and PORT, which Cloud Run sets; tests/deploy/test_terraform.py holds both sides together.
#
# Cloud Run's own invoker check is off: when it is on, Cloud Run hands the request on with the token's signature cut off, and
# our own check, which also knows which account may push, could verify nothing. What Pub/Sub pushes to is reachable from
# this project's Google services alone (ingress).
locals {
  pipelines = yamldecode(file("${path.module}/../manifests/pipelines.yaml")).pipelines

  controlplane_url      = var.run_controlplane ? google_cloud_run_v2_service.controlplane[0].uri : var.controlplane_url
  controlplane_audience = coalesce(var.controlplane_audience, var.controlplane_url, "https://cloop-memory-controlplane.${var.project_id}.internal")
  oidc_issuers          = "https://accounts.google.com,accounts.google.com"
  oidc_jwks_url         = "https://www.googleapis.com/oauth2/v3/certs"

  consumer_env = {
    GOOGLE_CLOUD_PROJECT         = var.project_id
    WORKSPACE_BUCKET             = google_storage_bucket.workspaces.name
    CONTROLPLANE_URL             = local.controlplane_url
    CONTROLPLANE_AUDIENCE        = local.controlplane_audience
    PUSH_AUDIENCES               = local.push_audience
    PUSH_SERVICE_ACCOUNT         = google_service_account.push.email
    OIDC_ISSUERS                 = local.oidc_issuers
    OIDC_JWKS_URL                = local.oidc_jwks_url
    JOBS_TOPIC                   = local.jobs
    TICKS_TOPIC                  = local.ticks
    DEAD_LETTER_TOPIC            = local.dead
    DISPATCH                     = var.dispatch
    CLOUD_RUN_JOB                = "projects/${var.project_id}/locations/${var.region}/jobs/cloop-memory-job"
    AGENT_FENCE                  = "required"
    BRAIN                        = "gbrain"
    GBRAIN_PLUGIN_PATH           = var.plugin_path
    MODEL_BASE_URL               = var.model_base_url
    MODEL_UPSTREAMS              = length(var.model_upstreams) == 0 ? "" : jsonencode({ for model, upstream in var.model_upstreams : model => { base_url = upstream.base_url, key = upstream.secret == null ? "none" : "env:${local.upstream_variables[model]}" } })
    MODEL                        = var.model
    MODEL_SMALL                  = var.model_small
    MODEL_READER                 = var.model_reader
    MODEL_READER_TOKENS          = var.model_reader_tokens
    MODEL_READER_BACKFILL_TOKENS = var.model_reader_backfill_tokens
    MODEL_JUDGE                  = var.model_judge
    EMBEDDING_MODEL              = var.embedding_model
    SEARCH_VECTORS               = var.search_vectors
    LOCK_TTL_S                   = local.limits.lock_ttl
    MAX_ATTEMPTS                 = local.limits.max_failures
    WARM_FOLDERS                 = "stat"
    SIGNING_KEY                  = "/secrets/signing"
    MODE                         = "cloud"
    OTEL_EXPORTER_OTLP_ENDPOINT  = var.otlp_endpoint
  }
  consumer_secret_env = {
    OPENAI_API_KEY = local.worker_secrets.model_key
  }
  # Model -> the variable with its key, and that variable -> the secret.
  upstream_variables  = { for place, model in sort(keys(var.model_upstreams)) : model => "MODEL_KEY_${place}" }
  upstream_secret_env = { for model, upstream in var.model_upstreams : local.upstream_variables[model] => upstream.secret if upstream.secret != null }

  publisher_env = {
    GOOGLE_CLOUD_PROJECT        = var.project_id
    JOBS_TOPIC                  = local.jobs
    POLL_S                      = local.limits.publisher_poll
    SWEEP_EVERY_S               = 60
    SWEEP_STALE_AFTER_S         = local.limits.sweep_stale_after
    DATABASE_CA                 = var.database_ca
    OTEL_EXPORTER_OTLP_ENDPOINT = var.otlp_endpoint
  }
  publisher_secret_env = {
    DATABASE_URL   = local.publisher_secrets.database_url
    WEBHOOK_SECRET = local.publisher_secrets.webhook_secret
  }

  controlplane_env = {
    CONTROLPLANE_AUDIENCE       = local.controlplane_audience
    OIDC_ISSUERS                = local.oidc_issuers
    OIDC_JWKS_URL               = local.oidc_jwks_url
    CONSUMER_SERVICE_ACCOUNTS   = google_service_account.worker.email
    OPERATOR_EMAILS             = join(",", concat([google_service_account.operator.email], sort(tolist(var.operator_emails))))
    CONSOLE_ACCOUNTS            = join(",", sort(tolist(var.console_accounts)))
    JOB_TOKEN_KEY               = join(",", [for name in sort(keys(var.job_token_key_files)) : "/secrets/job-token/${name}"])
    WORKSPACE_BUCKET            = google_storage_bucket.workspaces.name
    PLAN_SPREAD_S               = 3000
    PURGE_AFTER_DELETION_S      = local.limits.purge_after_deletion
    DATABASE_POOL               = var.database_pool
    DATABASE_CA                 = var.database_ca
    READER_SERVICE_ACCOUNTS     = var.run_reader ? google_service_account.reader.email : ""
    APP_ISSUER                  = var.app_issuer
    APP_JWKS_URL                = var.app_jwks_url
    READ_ACCOUNT                = google_service_account.reads.email
    OTEL_EXPORTER_OTLP_ENDPOINT = var.otlp_endpoint
  }
  controlplane_secret_env = {
    DATABASE_URL        = local.controlplane_secrets.database_url
    EXPORT_DATABASE_URL = local.controlplane_secrets.export_database_url
  }

  reader_env = {
    CONTROLPLANE_URL            = local.controlplane_url
    CONTROLPLANE_AUDIENCE       = local.controlplane_audience
    VERIFY_KEYS                 = "/secrets/verify"
    READER_ORIGIN               = var.reader_origin
    READER_APP_ORIGINS          = join(",", sort(tolist(var.reader_app_origins)))
    READER_HOSTS                = "*.run.app"
    READER_CODES                = "off"
    READER_CACHE_MB             = 256
    READER_CACHE                = "/tmp/reader"
    READER_MODEL                = var.reader_model
    READER_MODEL_JUDGE          = var.reader_model_judge
    READER_EMBEDDING_MODEL      = var.reader_embedding_model
    READER_MODEL_USD_PER_DAY    = var.reader_model_usd_per_day
    MODEL_BASE_URL              = var.model_base_url
    OTEL_EXPORTER_OTLP_ENDPOINT = var.otlp_endpoint
  }
  reader_secret_env = {
    READER_SESSION_KEY = local.reader_secrets.session_key
    OPENAI_API_KEY     = local.reader_secrets.model_key
  }
}

resource "google_cloud_run_v2_service" "consumer" {
  name                 = "cloop-memory-consumer"
  location             = var.region
  description          = "Push app: claims, locks and runs memory jobs"
  ingress              = "INGRESS_TRAFFIC_INTERNAL_ONLY"
  invoker_iam_disabled = true
  deletion_protection  = true

  template {
    service_account       = google_service_account.worker.email
    execution_environment = "EXECUTION_ENVIRONMENT_GEN2"
    encryption_key        = var.kms_key
    # One run an instance: the run folder has one fixed path.
    max_instance_request_concurrency = 1
    timeout                          = "${local.limits.push_ack_deadline}s"
    scaling {
      min_instance_count = var.consumer_min_instances
      max_instance_count = var.consumer_max_instances
    }
    volumes {
      name = "run"
      empty_dir {
        medium     = "MEMORY"
        size_limit = var.consumer_resources.run_folder
      }
    }
    volumes {
      name = "signing"
      secret {
        secret = google_secret_manager_secret.this[local.worker_secrets.signing_key].secret_id
        # 0400 in decimal: root's, who the worker is; what it starts runs as another user.
        default_mode = 256
        dynamic "items" {
          for_each = var.signing_key_files
          content {
            path    = items.key
            version = items.value
          }
        }
      }
    }
    containers {
      image = local.worker_image
      args  = ["cloop-memory", "consumer"]
      resources {
        limits            = { cpu = var.consumer_resources.cpu, memory = var.consumer_resources.memory }
        cpu_idle          = true
        startup_cpu_boost = true
      }
      volume_mounts {
        name       = "run"
        mount_path = "/run/cloop"
      }
      volume_mounts {
        name       = "signing"
        mount_path = "/secrets/signing"
      }
      startup_probe {
        http_get {
          path = "/readyz"
        }
        period_seconds    = 2
        failure_threshold = 30
      }
      liveness_probe {
        http_get {
          path = "/healthz"
        }
        period_seconds = 30
      }
      dynamic "env" {
        for_each = local.consumer_env
        content {
          name  = env.key
          value = env.value
        }
      }
      dynamic "env" {
        for_each = local.consumer_secret_env
        content {
          name = env.key
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.this[env.value].secret_id
              version = "latest"
            }
          }
        }
      }
      dynamic "env" {
        for_each = local.upstream_secret_env
        content {
          name = env.key
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.this[env.value].secret_id
              version = "latest"
            }
          }
        }
      }
    }
  }
  depends_on = [google_secret_manager_secret_iam_member.reads]
}

resource "google_cloud_run_v2_job" "worker" {
  name                = "cloop-memory-job"
  location            = var.region
  deletion_protection = true

  template {
    task_count = 1
    template {
      service_account       = google_service_account.worker.email
      execution_environment = "EXECUTION_ENVIRONMENT_GEN2"
      encryption_key        = var.kms_key
      # Attempts are counted in one place, the run ledger.
      max_retries = 0
      # A launch sets its own limit, that of its job type; this is the longest of them.
      timeout = "${max([for pipeline in values(local.pipelines) : pipeline.budget_s]...)}s"
      volumes {
        name = "run"
        empty_dir {
          medium     = "MEMORY"
          size_limit = var.job_resources.run_folder
        }
      }
      volumes {
        name = "signing"
        secret {
          secret = google_secret_manager_secret.this[local.worker_secrets.signing_key].secret_id
          # As above.
          default_mode = 256
          dynamic "items" {
            for_each = var.signing_key_files
            content {
              path    = items.key
              version = items.value
            }
          }
        }
      }
      containers {
        image = local.worker_image
        args  = ["python", "-m", "consumer.entrypoints.job"]
        resources {
          limits = { cpu = var.job_resources.cpu, memory = var.job_resources.memory }
        }
        volume_mounts {
          name       = "run"
          mount_path = "/run/cloop"
        }
        volume_mounts {
          name       = "signing"
          mount_path = "/secrets/signing"
        }
        dynamic "env" {
          for_each = local.consumer_env
          content {
            name  = env.key
            value = env.value
          }
        }
        dynamic "env" {
          for_each = local.consumer_secret_env
          content {
            name = env.key
            value_source {
              secret_key_ref {
                secret  = google_secret_manager_secret.this[env.value].secret_id
                version = "latest"
              }
            }
          }
        }
        dynamic "env" {
          for_each = local.upstream_secret_env
          content {
            name = env.key
            value_source {
              secret_key_ref {
                secret  = google_secret_manager_secret.this[env.value].secret_id
                version = "latest"
              }
            }
          }
        }
      }
    }
  }
  depends_on = [google_secret_manager_secret_iam_member.reads]
}

resource "google_cloud_run_v2_service" "publisher" {
  name        = "cloop-memory-publisher"
  location    = var.region
  description = "Outbox to topic; a database webhook may nudge it"
  # The webhook comes from the database's host and carries a shared secret.
  ingress              = "INGRESS_TRAFFIC_ALL"
  invoker_iam_disabled = true
  deletion_protection  = true

  template {
    service_account       = google_service_account.publisher.email
    execution_environment = "EXECUTION_ENVIRONMENT_GEN2"
    encryption_key        = var.kms_key
    scaling {
      # One leads, a second stands by while a new revision comes up.
      min_instance_count = 1
      max_instance_count = 2
    }
    containers {
      image = local.image
      args  = ["cloop-memory", "publisher"]
      resources {
        limits = { cpu = "1", memory = "512Mi" }
        # It listens to the database between requests.
        cpu_idle          = false
        startup_cpu_boost = true
      }
      startup_probe {
        http_get {
          path = "/healthz"
        }
        period_seconds    = 2
        failure_threshold = 30
      }
      liveness_probe {
        http_get {
          path = "/healthz"
        }
        period_seconds = 30
      }
      dynamic "env" {
        for_each = local.publisher_env
        content {
          name  = env.key
          value = env.value
        }
      }
      dynamic "env" {
        for_each = local.publisher_secret_env
        content {
          name = env.key
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.this[env.value].secret_id
              version = "latest"
            }
          }
        }
      }
    }
  }
  depends_on = [google_secret_manager_secret_iam_member.reads]
}

resource "google_cloud_run_v2_service" "controlplane" {
  count       = var.run_controlplane ? 1 : 0
  name        = "cloop-memory-controlplane"
  location    = var.region
  description = "Reference control plane"
  # Job tokens are our own, which no check in front of the service would know.
  ingress              = "INGRESS_TRAFFIC_ALL"
  invoker_iam_disabled = true
  deletion_protection  = true

  template {
    service_account       = google_service_account.controlplane.email
    execution_environment = "EXECUTION_ENVIRONMENT_GEN2"
    encryption_key        = var.kms_key
    scaling {
      max_instance_count = 4
    }
    volumes {
      name = "job-token"
      secret {
        secret = google_secret_manager_secret.this[local.controlplane_secrets.job_token_key].secret_id
        dynamic "items" {
          for_each = var.job_token_key_files
          content {
            path    = items.key
            version = items.value
          }
        }
      }
    }
    containers {
      image = local.image
      args  = ["cloop-memory", "controlplane"]
      resources {
        limits            = { cpu = "1", memory = "512Mi" }
        startup_cpu_boost = true
      }
      volume_mounts {
        name       = "job-token"
        mount_path = "/secrets/job-token"
      }
      startup_probe {
        http_get {
          path = "/healthz"
        }
        period_seconds    = 2
        failure_threshold = 30
      }
      liveness_probe {
        http_get {
          path = "/healthz"
        }
        period_seconds = 30
      }
      dynamic "env" {
        for_each = local.controlplane_env
        content {
          name  = env.key
          value = env.value
        }
      }
      dynamic "env" {
        for_each = local.controlplane_secret_env
        content {
          name = env.key
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.this[env.value].secret_id
              version = "latest"
            }
          }
        }
      }
    }
  }
  depends_on = [google_secret_manager_secret_iam_member.reads]
}

resource "google_cloud_run_v2_service" "reader" {
  count       = var.run_reader ? 1 : 0
  name        = "cloop-memory-reader"
  location    = var.region
  description = "Shows users their own memory"
  # The app's users come from anywhere, with tokens of the app's sign-in.
  ingress              = "INGRESS_TRAFFIC_ALL"
  invoker_iam_disabled = true
  deletion_protection  = true

  template {
    service_account       = google_service_account.reader.email
    execution_environment = "EXECUTION_ENVIRONMENT_GEN2"
    encryption_key        = var.kms_key
    # An open memory is kept by one instance; a user who stays on it finds it open.
    session_affinity                 = true
    max_instance_request_concurrency = 40
    timeout                          = "60s"
    scaling {
      max_instance_count = var.reader_max_instances
    }
    volumes {
      name = "verify"
      secret {
        secret = google_secret_manager_secret.this[local.reader_secrets.verify_keys].secret_id
        dynamic "items" {
          for_each = var.verify_key_files
          content {
            path    = items.key
            version = items.value
          }
        }
      }
    }
    containers {
      image = local.image
      args  = ["cloop-memory", "reader"]
      resources {
        # The cache of 256 MiB is in memory too.
        limits            = { cpu = "1", memory = "1Gi" }
        startup_cpu_boost = true
      }
      volume_mounts {
        name       = "verify"
        mount_path = "/secrets/verify"
      }
      startup_probe {
        http_get {
          path = "/readyz"
        }
        period_seconds    = 2
        failure_threshold = 30
      }
      liveness_probe {
        http_get {
          path = "/healthz"
        }
        period_seconds = 30
      }
      dynamic "env" {
        for_each = local.reader_env
        content {
          name  = env.key
          value = env.value
        }
      }
      dynamic "env" {
        for_each = local.reader_secret_env
        content {
          name = env.key
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.this[env.value].secret_id
              version = "latest"
            }
          }
        }
      }
    }
  }
  depends_on = [google_secret_manager_secret_iam_member.reads]
}
