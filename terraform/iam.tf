# One account a process, and nothing that its adapters do not use. Bucket permissions: consumer/storage/gcs.py; execution:
# consumer/clients/cloudrun.py; topics: consumer/bootstrap and publisher/main.py; secrets: secrets.tf.

resource "google_service_account" "worker" {
  account_id   = "cloop-memory-worker"
  display_name = "Runs memory jobs (push app and Cloud Run Job)"
  depends_on   = [google_project_service.this]
}

resource "google_service_account" "push" {
  account_id   = "cloop-memory-push"
  display_name = "Signs Pub/Sub's pushes; may do nothing"
  depends_on   = [google_project_service.this]
}

resource "google_service_account" "publisher" {
  account_id   = "cloop-memory-publisher"
  display_name = "Outbox to topic"
  depends_on   = [google_project_service.this]
}

resource "google_service_account" "controlplane" {
  account_id   = "cloop-memory-controlplane"
  display_name = "Reference control plane"
  depends_on   = [google_project_service.this]
}

resource "google_service_account" "reader" {
  account_id   = "cloop-memory-reader"
  display_name = "Shows users their own memory; has no right on the bucket"
  depends_on   = [google_project_service.this]
}

resource "google_service_account" "reads" {
  account_id   = "cloop-memory-reads"
  display_name = "What tokens for one user's objects are made of; nothing runs as it"
  depends_on   = [google_project_service.this]
}

resource "google_service_account" "operator" {
  account_id   = "cloop-memory-operator"
  display_name = "What operators act as"
  depends_on   = [google_project_service.this]
}

# --- bucket

# roles/storage.objectUser would also allow changing metadata and managing folders.
resource "google_project_iam_custom_role" "workspace_objects" {
  role_id     = "cloopMemoryWorkspaceObjects"
  title       = "cloop-memory workspace objects"
  description = "Read, list, create, replace and delete objects of the workspace bucket."
  permissions = [
    "storage.objects.create",
    "storage.objects.delete",
    "storage.objects.get",
    "storage.objects.list",
  ]
  depends_on = [google_project_service.this]
}

resource "google_storage_bucket_iam_member" "workspace_objects" {
  for_each = {
    worker   = google_service_account.worker.member
    operator = google_service_account.operator.member
  }
  bucket = google_storage_bucket.workspaces.name
  role   = google_project_iam_custom_role.workspace_objects.id
  member = each.value
}

# Reading alone, without listing: a token for one user is narrowed to that user's objects (controlplane/bucket_tokens.py).
resource "google_project_iam_custom_role" "workspace_reads" {
  role_id     = "cloopMemoryWorkspaceReads"
  title       = "cloop-memory workspace reads"
  description = "Read objects of the workspace bucket by name."
  permissions = ["storage.objects.get"]
  depends_on  = [google_project_service.this]
}

resource "google_storage_bucket_iam_member" "reads" {
  bucket = google_storage_bucket.workspaces.name
  role   = google_project_iam_custom_role.workspace_reads.id
  member = google_service_account.reads.member
}

resource "google_service_account_iam_member" "controlplane_reads" {
  service_account_id = google_service_account.reads.name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = google_service_account.controlplane.member
}

# --- topics

locals {
  publishers = {
    publisher-jobs = { topic = local.jobs, member = google_service_account.publisher.member }
    # Whoever releases a user's lock publishes the job that waits for it.
    worker-jobs = { topic = local.jobs, member = google_service_account.worker.member }
    worker-dead = { topic = local.dead, member = google_service_account.worker.member }
  }
}

resource "google_pubsub_topic_iam_member" "publishes" {
  for_each = local.publishers
  topic    = google_pubsub_topic.this[each.value.topic].id
  role     = "roles/pubsub.publisher"
  member   = each.value.member
}

resource "google_pubsub_subscription_iam_member" "operator_reads_dead" {
  subscription = google_pubsub_subscription.dead_ops.id
  role         = "roles/pubsub.subscriber"
  member       = google_service_account.operator.member
}

# --- what `cloop-memory doctor` looks at: consumer/storage/gcs_bucket.py and pubsub_topics.py

# roles/storage.bucketViewer and roles/pubsub.viewer would also list what else is in the project.
resource "google_project_iam_custom_role" "looks" {
  role_id     = "cloopMemoryLooks"
  title       = "cloop-memory settings"
  description = "Read the configuration of the workspace bucket, topics and push subscriptions, but none of their content."
  permissions = [
    "pubsub.subscriptions.get",
    "pubsub.topics.get",
    "storage.buckets.get",
  ]
  depends_on = [google_project_service.this]
}

resource "google_storage_bucket_iam_member" "operator_looks" {
  bucket = google_storage_bucket.workspaces.name
  role   = google_project_iam_custom_role.looks.id
  member = google_service_account.operator.member
}

resource "google_pubsub_topic_iam_member" "operator_looks" {
  for_each = google_pubsub_topic.this
  topic    = each.value.id
  role     = google_project_iam_custom_role.looks.id
  member   = google_service_account.operator.member
}

resource "google_pubsub_subscription_iam_member" "operator_looks" {
  for_each     = google_pubsub_subscription.push
  subscription = each.value.id
  role         = google_project_iam_custom_role.looks.id
  member       = google_service_account.operator.member
}

# --- executions

resource "google_cloud_run_v2_job_iam_member" "worker_launches" {
  name     = google_cloud_run_v2_job.worker.name
  location = google_cloud_run_v2_job.worker.location
  role     = "roles/run.jobsExecutorWithOverrides"
  member   = google_service_account.worker.member
}

# Without it, an execution that is pending cannot be told from one that failed to start.
resource "google_cloud_run_v2_job_iam_member" "worker_looks" {
  name     = google_cloud_run_v2_job.worker.name
  location = google_cloud_run_v2_job.worker.location
  role     = "roles/run.viewer"
  member   = google_service_account.worker.member
}

# --- people

resource "google_service_account_iam_member" "operators" {
  for_each           = var.operator_members
  service_account_id = google_service_account.operator.name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = each.value
}

# --- continuous delivery without a key: GitHub's own token for one repository's main branch

resource "google_service_account" "deployer" {
  count        = var.ci_repository == null ? 0 : 1
  account_id   = "cloop-memory-deployer"
  display_name = "Pushes images and deploys"
  depends_on   = [google_project_service.this]
}

resource "google_iam_workload_identity_pool" "ci" {
  count                     = var.ci_repository == null ? 0 : 1
  workload_identity_pool_id = "cloop-memory-ci"
  depends_on                = [google_project_service.this]
}

resource "google_iam_workload_identity_pool_provider" "ci" {
  #checkov:skip=CKV_GCP_125:The condition names one repository and branch; the checker cannot see into var.ci_repository.
  count                              = var.ci_repository == null ? 0 : 1
  workload_identity_pool_id          = google_iam_workload_identity_pool.ci[0].workload_identity_pool_id
  workload_identity_pool_provider_id = "github"
  attribute_mapping = {
    "google.subject"       = "assertion.sub"
    "attribute.repository" = "assertion.repository"
  }
  attribute_condition = "assertion.sub == 'repo:${var.ci_repository}:ref:refs/heads/main'"
  oidc {
    issuer_uri = "https://token.actions.githubusercontent.com"
  }
}

resource "google_service_account_iam_member" "ci_is_deployer" {
  count              = var.ci_repository == null ? 0 : 1
  service_account_id = google_service_account.deployer[0].name
  role               = "roles/iam.workloadIdentityUser"
  member             = "principalSet://iam.googleapis.com/${google_iam_workload_identity_pool.ci[0].name}/attribute.repository/${var.ci_repository}"
}

resource "google_artifact_registry_repository_iam_member" "deployer_pushes" {
  count      = var.ci_repository == null ? 0 : 1
  repository = google_artifact_registry_repository.images.name
  location   = google_artifact_registry_repository.images.location
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.deployer[0].member
}

locals {
  # What runs as these accounts is deployed by whoever may act as them.
  deployed_as = {
    worker       = google_service_account.worker.name
    publisher    = google_service_account.publisher.name
    controlplane = google_service_account.controlplane.name
    reader       = google_service_account.reader.name
  }
}

resource "google_service_account_iam_member" "deployer_acts_as" {
  for_each           = var.ci_repository == null ? {} : local.deployed_as
  service_account_id = each.value
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.deployer[0].member
}

resource "google_cloud_run_v2_service_iam_member" "deployer_deploys" {
  for_each = var.ci_repository == null ? {} : {
    consumer  = google_cloud_run_v2_service.consumer.name
    publisher = google_cloud_run_v2_service.publisher.name
  }
  name     = each.value
  location = var.region
  role     = "roles/run.developer"
  member   = google_service_account.deployer[0].member
}

resource "google_cloud_run_v2_job_iam_member" "deployer_deploys" {
  count    = var.ci_repository == null ? 0 : 1
  name     = google_cloud_run_v2_job.worker.name
  location = var.region
  role     = "roles/run.developer"
  member   = google_service_account.deployer[0].member
}
