locals {
  # Processes that start no tools run without any right to choose a user; the worker's image is the same, started as root,
  # so that it can give Hermes and GBrain a user of their own.
  repository   = "${var.region}-docker.pkg.dev/${var.project_id}/${google_artifact_registry_repository.images.repository_id}"
  image        = "${local.repository}/cloop-memory-runtime:${var.image_version}"
  worker_image = "${local.image}-worker"
}

resource "google_artifact_registry_repository" "images" {
  #checkov:skip=CKV_GCP_84:A key of one's own is optional (var.kms_key).
  repository_id = "cloop-memory"
  location      = var.region
  format        = "DOCKER"
  description   = "cloop-memory-runtime"
  kms_key_name  = var.kms_key
  docker_config {
    immutable_tags = true
  }
  vulnerability_scanning_config {
    enablement_config = "INHERITED"
  }
  depends_on = [google_project_service.this]
}
