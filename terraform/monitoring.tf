# What an operator is woken for. Each alert says where to look; docs/operations.md has the rest.
#
# Outcomes are counted from the log lines that every run ends with, so they need no collector. Labels are codes, never a user.
locals {
  from_worker = "(resource.type=\"cloud_run_revision\" OR resource.type=\"cloud_run_job\") AND (jsonPayload.service=\"consumer\" OR jsonPayload.service=\"job\")"

  log_metrics = {
    cloop_memory_outcomes = {
      description = "Outcomes of deliveries and executions."
      filter      = "${local.from_worker} AND jsonPayload.status:*"
      labels      = { outcome = "EXTRACT(jsonPayload.message)", code = "EXTRACT(jsonPayload.code)" }
    }
    cloop_memory_bugs = {
      description = "Unexpected exceptions."
      filter      = "${local.from_worker} AND jsonPayload.message=\"bug\""
      labels      = {}
    }
    cloop_memory_reconciliation_alarms = {
      description = "Comparisons of workspaces with accounts whose result is not reliable."
      filter      = "${local.from_worker} AND jsonPayload.message=\"accounts not reconciled: no erasure is planned\""
      labels      = {}
    }
    cloop_memory_queue_paused = {
      description = "Sweep ticks that found the queue paused."
      filter      = "${local.from_worker} AND jsonPayload.message=\"queue paused\""
      labels      = {}
    }
    cloop_memory_few_useful = {
      description = "Daily ticks that found that few of the claims with a verdict are useful."
      filter      = "${local.from_worker} AND jsonPayload.message=\"few claims are useful\""
      labels      = {}
    }
    cloop_memory_services_away = {
      description = "Shared services that a worker found to be away."
      filter      = "${local.from_worker} AND jsonPayload.message=\"shared service is away\""
      labels      = { dependency = "EXTRACT(jsonPayload.dependency)" }
    }
  }
  metric_prefix = "logging_googleapis_com:user_cloop_memory"

  # Pub/Sub's own figures: alert -> what is compared for how long.
  pubsub_alerts = {
    dead_letters = {
      name     = "Dead letters arrived"
      filter   = "resource.type=\"pubsub_topic\" AND resource.labels.topic_id=\"${local.dead}\" AND metric.type=\"pubsub.googleapis.com/topic/message_sizes\""
      aligner  = "ALIGN_COUNT"
      above    = 0
      for_s    = 0
      severity = "ERROR"
      help     = "A job failed permanently. `cloop-memory dlq stats` groups the dead letters by cause, `dlq show` prints one, `dlq replay` runs its job again."
    }
    undeliverable = {
      name     = "Pub/Sub gave up on messages"
      filter   = "resource.type=\"pubsub_topic\" AND resource.labels.topic_id=\"${local.undeliverable}\" AND metric.type=\"pubsub.googleapis.com/topic/message_sizes\""
      aligner  = "ALIGN_COUNT"
      above    = 0
      for_s    = 0
      severity = "ERROR"
      help     = "The consumer accepted none of many deliveries of a message: look at its log and at /ready. Pub/Sub moves the messages to the dead letters."
    }
    oldest_unacked = {
      name     = "Messages wait for the consumer"
      filter   = "resource.type=\"pubsub_subscription\" AND resource.labels.subscription_id=monitoring.regex.full_match(\"memory-.*-push\") AND metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\""
      aligner  = "ALIGN_MAX"
      above    = local.limits.push_ack_deadline
      for_s    = 120
      severity = "WARNING"
      help     = "The consumer does not answer pushes: consumer_max_instances may be too low, or the consumer does not start (/ready gives the reason)."
    }
  }

  # Outcomes of both kinds of worker over a time, as a sum that is 0 where there were none.
  worker_resources = ["cloud_run_revision", "cloud_run_job"]
  outcomes = {
    for name, selector in {
      dead   = "outcome=\"dead_lettered\""
      ended  = "outcome=~\"done|dead_lettered\""
      parked = "outcome=\"parked\""
      writes = "code=\"blob_unavailable\""
    } : name => [for kind in local.worker_resources : "${local.metric_prefix}_outcomes{monitored_resource=\"${kind}\",${selector}}"]
  }
  increase = {
    for name, window in { dead = "7d", ended = "7d", parked = "30m", writes = "10m" } :
    name => "(${join(" + ", [for series in local.outcomes[name] : "(sum(increase(${series}[${window}])) or vector(0))"])})"
  }

  log_alerts = {
    dead_rate = {
      name     = "More than 1 % of jobs died in 7 days"
      query    = "${local.increase.dead} > 0.01 * ${local.increase.ended}"
      for_s    = 300
      severity = "ERROR"
      help     = "`cloop-memory dlq stats` groups the failures; one fingerprint usually accounts for most of them."
    }
    artifact_writes = {
      name     = "Three writes to the bucket failed within ten minutes"
      query    = "${local.increase.writes} >= 3"
      for_s    = 0
      severity = "ERROR"
      help     = "blob_unavailable: the bucket did not answer, or the worker lacks grants on it. No data is lost; jobs are retried."
    }
    lock_held = {
      name     = "A workspace lock is held too long"
      query    = "${local.increase.parked} > 5"
      for_s    = 1800
      severity = "WARNING"
      help     = "Jobs are parked repeatedly because another run holds their user's lock. `cloop-memory lock show USER` names the holder."
    }
    bugs = {
      name     = "An unexpected exception"
      query    = "${join(" + ", [for kind in local.worker_resources : "(sum(increase(${local.metric_prefix}_bugs{monitored_resource=\"${kind}\"}[10m])) or vector(0))"])} > 0"
      for_s    = 0
      severity = "WARNING"
      help     = "The log line has the traceback and the job's trace."
    }
    away = {
      name     = "A service that all jobs share is away"
      query    = "${join(" + ", [for kind in local.worker_resources : "(sum(increase(${local.metric_prefix}_services_away{monitored_resource=\"${kind}\"}[5m])) or vector(0))"])} > 0"
      for_s    = 0
      severity = "ERROR"
      help     = "The label names the service. Jobs wait for it, count no failure and continue by themselves; `cloop-memory doctor` shows how many wait."
    }
    accounts = {
      name     = "Workspaces and accounts disagree"
      query    = "(sum(increase(${local.metric_prefix}_reconciliation_alarms{monitored_resource=\"cloud_run_revision\"}[25h])) or vector(0)) > 0"
      for_s    = 0
      severity = "ERROR"
      help     = "The result of the daily comparison is not reliable, so deletions that the trigger missed are not processed. `cloop-memory doctor` gives the reason."
    }
    paused = {
      name     = "The queue is paused"
      query    = "(sum(increase(${local.metric_prefix}_queue_paused{monitored_resource=\"cloud_run_revision\"}[10m])) or vector(0)) > 0"
      for_s    = 14400
      severity = "WARNING"
      help     = "An operator paused the queue hours ago. `cloop-memory queue status` gives whose and why, `queue resume` ends it."
    }
    usefulness = {
      name     = "Less than half of the marked claims are useful"
      query    = "(sum(increase(${local.metric_prefix}_few_useful{monitored_resource=\"cloud_run_revision\"}[25h])) or vector(0)) > 0"
      for_s    = 0
      severity = "WARNING"
      help     = "Of the verdicts of 14 days, of all users or of some. `cloop-memory doctor` gives the numbers and names the users."
    }
  }

  # A wait is measured, not logged, so this one needs a collector.
  measured_alerts = {
    queue_age = {
      name     = "Jobs wait for more than five minutes"
      query    = "histogram_quantile(0.95, sum by (le) (rate(cloop_memory_queue_age_seconds_bucket[10m]))) > 300"
      for_s    = 0
      severity = "WARNING"
      help     = "Measured from a message's publish to the start of its work. Look at the publisher, then at the oldest message of memory-jobs-push."
    }
  }
  prometheus_alerts = merge(local.log_alerts, { for name, alert in local.measured_alerts : name => alert if var.otlp_endpoint != "" })
}

resource "google_logging_metric" "this" {
  for_each         = local.log_metrics
  name             = each.key
  description      = each.value.description
  filter           = each.value.filter
  label_extractors = each.value.labels
  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
    dynamic "labels" {
      for_each = each.value.labels
      content {
        key        = labels.key
        value_type = "STRING"
      }
    }
  }
  depends_on = [google_project_service.this]
}

resource "google_monitoring_alert_policy" "pubsub" {
  for_each              = local.pubsub_alerts
  display_name          = "cloop-memory: ${each.value.name}"
  severity              = each.value.severity
  combiner              = "OR"
  notification_channels = var.alert_channels
  conditions {
    display_name = each.value.name
    condition_threshold {
      filter          = each.value.filter
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.above
      duration        = "${each.value.for_s}s"
      aggregations {
        alignment_period   = "60s"
        per_series_aligner = each.value.aligner
      }
    }
  }
  documentation {
    content   = each.value.help
    mime_type = "text/markdown"
  }
  depends_on = [google_project_service.this]
}

resource "google_monitoring_alert_policy" "outcomes" {
  for_each              = local.prometheus_alerts
  display_name          = "cloop-memory: ${each.value.name}"
  severity              = each.value.severity
  combiner              = "OR"
  notification_channels = var.alert_channels
  conditions {
    display_name = each.value.name
    condition_prometheus_query_language {
      query               = each.value.query
      duration            = "${each.value.for_s}s"
      evaluation_interval = "60s"
      # A metric that has no point yet is no mistake.
      disable_metric_validation = true
    }
  }
  documentation {
    content   = each.value.help
    mime_type = "text/markdown"
  }
  depends_on = [google_logging_metric.this]
}
