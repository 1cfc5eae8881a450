output "images" {
  description = "Addresses for the two tags of the image."
  value       = { runtime = local.image, worker = local.worker_image }
}

output "consumer_url" {
  description = "The push app."
  value       = google_cloud_run_v2_service.consumer.uri
}

output "webhook_url" {
  description = "URL for the database webhook, which must send the header X-Webhook-Secret."
  value       = "${google_cloud_run_v2_service.publisher.uri}/webhooks/memory-jobs"
}

output "controlplane" {
  description = "URL that worker and operators call, and the audience of their ID tokens."
  value       = { url = local.controlplane_url, audience = local.controlplane_audience }
}

output "accounts" {
  description = "E-mail addresses for the settings of another control plane: the account that runs jobs, and the operator's."
  value       = { worker = google_service_account.worker.email, operator = google_service_account.operator.email }
}

output "secrets" {
  description = "Secrets that need a value before the processes start."
  value       = sort(tolist(local.secret_ids))
}

output "deployer" {
  description = "For continuous delivery: account and workload identity provider."
  value = var.ci_repository == null ? null : {
    account  = google_service_account.deployer[0].email
    provider = google_iam_workload_identity_pool_provider.ci[0].name
  }
}

output "reader" {
  description = "The reader's own URL and account; null: it is not run."
  value = var.run_reader ? {
    url     = google_cloud_run_v2_service.reader[0].uri
    account = google_service_account.reader.email
  } : null
}
