# State lives in a bucket of its own: terraform init -backend-config=bucket=<state bucket>.
terraform {
  required_version = ">= 1.9"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 6.50, < 7"
    }
  }
  backend "gcs" {
    prefix = "cloop-memory"
  }
}

provider "google" {
  project        = var.project_id
  region         = var.region
  default_labels = { app = "cloop-memory" }
}

# Waits for what it is read through; until then a plan says that the project's number is known after apply.
data "google_project" "this" {
  depends_on = [google_project_service.base]
}

locals {
  # Through these every other is enabled and the project is read.
  base_services = [
    "serviceusage.googleapis.com",
    "cloudresourcemanager.googleapis.com",
  ]
  services = [
    "artifactregistry.googleapis.com",
    "cloudscheduler.googleapis.com",
    "iam.googleapis.com",
    "iamcredentials.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "pubsub.googleapis.com",
    "run.googleapis.com",
    "secretmanager.googleapis.com",
    "storage.googleapis.com",
    "sts.googleapis.com",
  ]
}

resource "google_project_service" "base" {
  for_each           = toset(local.base_services)
  service            = each.value
  disable_on_destroy = false
}

resource "google_project_service" "this" {
  for_each           = toset(local.services)
  service            = each.value
  disable_on_destroy = false
  depends_on         = [google_project_service.base]
}
