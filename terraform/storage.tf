# A purge must be real: no older versions, no soft-deleted objects, no bucket-wide retention.
resource "google_storage_bucket" "workspaces" {
  #checkov:skip=CKV_GCP_78:Versions would keep what a purge erased; history is kept by commits that a purge can rewrite.
  #checkov:skip=CKV_GCP_62:Access is logged by Cloud Audit Logs (google_project_iam_audit_config), which need no second bucket.
  name                        = var.bucket_name
  location                    = coalesce(var.bucket_location, var.region)
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = false

  versioning {
    enabled = false
  }
  soft_delete_policy {
    retention_duration_seconds = 0
  }
  dynamic "encryption" {
    for_each = var.kms_key[*]
    content {
      default_kms_key_name = encryption.value
    }
  }

  # Only what nobody reads again may expire by age. Workspaces (users/) and run ledgers (jobs/) never do.
  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      age            = var.dead_letter_days
      matches_prefix = ["dead/"]
    }
  }
  lifecycle_rule {
    action {
      type = "AbortIncompleteMultipartUpload"
    }
    condition {
      age = 1
    }
  }
  lifecycle {
    prevent_destroy = true
  }
  depends_on = [google_project_service.this]
}

# Who read or wrote which object, beside who changed the bucket.
resource "google_project_iam_audit_config" "storage" {
  project = var.project_id
  service = "storage.googleapis.com"
  audit_log_config {
    log_type = "DATA_READ"
  }
  audit_log_config {
    log_type = "DATA_WRITE"
  }
  depends_on = [google_project_service.this]
}
