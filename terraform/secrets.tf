# The places of secrets, and who may read each. Their values never pass through terraform: docs/deploy.md adds them.
locals {
  worker_secrets = {
    model_key   = "cloop-memory-openai-api-key"
    signing_key = "cloop-memory-signing-key"
  }
  publisher_secrets = {
    database_url   = "cloop-memory-publisher-database-url"
    webhook_secret = "cloop-memory-webhook-secret"
  }
  controlplane_secrets = {
    database_url        = "cloop-memory-controlplane-database-url"
    export_database_url = "cloop-memory-controlplane-export-database-url"
    job_token_key       = "cloop-memory-job-token-key"
  }
  reader_secrets = {
    # Public keys alone: who may read the signing key's secret may sign.
    verify_keys = "cloop-memory-verify-keys"
    session_key = "cloop-memory-reader-session-key"
    # Its own, so that what users ask can be limited and stopped apart from the jobs.
    model_key = "cloop-memory-reader-model-key"
  }

  # secret -> the accounts that may read it
  secret_readers = merge(
    { for id in values(local.worker_secrets) : id => google_service_account.worker.member },
    { for id in toset(values(local.upstream_secret_env)) : id => google_service_account.worker.member },
    { for id in values(local.publisher_secrets) : id => google_service_account.publisher.member },
    { for id in values(local.controlplane_secrets) : id => google_service_account.controlplane.member },
    { for id in values(local.reader_secrets) : id => google_service_account.reader.member },
  )
  secret_ids = toset(concat(values(local.worker_secrets), values(local.upstream_secret_env), values(local.publisher_secrets), values(local.controlplane_secrets), values(local.reader_secrets)))
}

resource "google_secret_manager_secret" "this" {
  for_each  = local.secret_ids
  secret_id = each.value
  replication {
    user_managed {
      replicas {
        location = var.region
        dynamic "customer_managed_encryption" {
          for_each = var.kms_key[*]
          content {
            kms_key_name = customer_managed_encryption.value
          }
        }
      }
    }
  }
  depends_on = [google_project_service.this]
}

resource "google_secret_manager_secret_iam_member" "reads" {
  for_each  = local.secret_readers
  secret_id = google_secret_manager_secret.this[each.key].id
  role      = "roles/secretmanager.secretAccessor"
  member    = each.value
}

# gc, purge and restore write commits, so an operator signs too.
resource "google_secret_manager_secret_iam_member" "operator_signs" {
  secret_id = google_secret_manager_secret.this[local.worker_secrets.signing_key].id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.operator.member
}
