# Events travel here; what must not be lost is in PostgreSQL. Names are those of local/cloud.py, numbers those of limits.yaml.
locals {
  limits = { for name, limit in yamldecode(file("${path.module}/../manifests/limits.yaml")).limits : name => limit.value }

  jobs          = "memory-jobs"
  ticks         = "memory-ticks"
  dead          = "memory-jobs-dead"
  undeliverable = "memory-jobs-undeliverable"

  push_subscriptions = {
    memory-jobs-push               = { topic = "memory-jobs", path = "/push/jobs", ordered = true, undeliverable = "memory-jobs-undeliverable" }
    memory-ticks-push              = { topic = "memory-ticks", path = "/push/ticks", ordered = false, undeliverable = null }
    memory-jobs-undeliverable-push = { topic = "memory-jobs-undeliverable", path = "/push/dead-letters", ordered = false, undeliverable = null }
  }

  # An audience of our own rather than the service's URL: known before the service is, and not changed by a new address.
  push_audience = "https://cloop-memory-consumer.${var.project_id}.internal/push"
  pubsub_agent  = "serviceAccount:service-${data.google_project.this.number}@gcp-sa-pubsub.iam.gserviceaccount.com"
}

resource "google_pubsub_topic" "this" {
  #checkov:skip=CKV_GCP_83:A key of one's own is optional (var.kms_key).
  for_each                   = toset([local.jobs, local.ticks, local.dead, local.undeliverable])
  name                       = each.value
  kms_key_name               = var.kms_key
  message_retention_duration = "604800s"
  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }
  depends_on = [google_project_service.this]
}

resource "google_pubsub_subscription" "push" {
  for_each                   = local.push_subscriptions
  name                       = each.key
  topic                      = google_pubsub_topic.this[each.value.topic].id
  ack_deadline_seconds       = local.limits.push_ack_deadline
  enable_message_ordering    = each.value.ordered
  message_retention_duration = "604800s"

  # Never by itself: a quiet month must not unsubscribe the consumer.
  expiration_policy {
    ttl = ""
  }
  push_config {
    push_endpoint = "${google_cloud_run_v2_service.consumer.uri}${each.value.path}"
    oidc_token {
      service_account_email = google_service_account.push.email
      audience              = local.push_audience
    }
  }
  retry_policy {
    minimum_backoff = "${local.limits.push_min_backoff}s"
    maximum_backoff = "${local.limits.push_max_backoff}s"
  }
  dynamic "dead_letter_policy" {
    for_each = each.value.undeliverable[*]
    content {
      dead_letter_topic     = google_pubsub_topic.this[dead_letter_policy.value].id
      max_delivery_attempts = local.limits.max_delivery_attempts
    }
  }
  depends_on = [google_service_account_iam_member.pubsub_signs_as_push]
}

# Without a subscription the topic would drop what is announced on it; operators pull from this one.
resource "google_pubsub_subscription" "dead_ops" {
  name                       = "memory-jobs-dead-ops"
  topic                      = google_pubsub_topic.this[local.dead].id
  ack_deadline_seconds       = 60
  message_retention_duration = "604800s"
  expiration_policy {
    ttl = ""
  }
}

# Pub/Sub's own account moves what it gave up on: it publishes to the one topic and acknowledges on the other side.
resource "google_pubsub_topic_iam_member" "pubsub_publishes_undeliverable" {
  topic  = google_pubsub_topic.this[local.undeliverable].id
  role   = "roles/pubsub.publisher"
  member = local.pubsub_agent
}

resource "google_pubsub_subscription_iam_member" "pubsub_acknowledges" {
  for_each     = { for name, subscription in local.push_subscriptions : name => subscription if subscription.undeliverable != null }
  subscription = google_pubsub_subscription.push[each.key].id
  role         = "roles/pubsub.subscriber"
  member       = local.pubsub_agent
}

resource "google_service_account_iam_member" "pubsub_signs_as_push" {
  service_account_id = google_service_account.push.name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = local.pubsub_agent
}
