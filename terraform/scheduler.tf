# The tick's period comes from the message's publish time, so a late or repeated one changes nothing twice. All in UTC.
locals {
  ticks_at = {
    hourly = "0 * * * *"
    daily  = "30 3 * * *"
    sweep  = "* * * * *"
  }
}

resource "google_cloud_scheduler_job" "tick" {
  for_each    = local.ticks_at
  name        = "cloop-memory-${each.key}"
  description = "Publishes the ${each.key} tick."
  region      = var.region
  schedule    = each.value
  time_zone   = "Etc/UTC"
  pubsub_target {
    topic_name = google_pubsub_topic.this[local.ticks].id
    data       = base64encode(jsonencode({ schema = "memory.tick.v1", kind = each.key }))
  }
  retry_config {
    retry_count = 3
  }
  depends_on = [google_project_service.this]
}
