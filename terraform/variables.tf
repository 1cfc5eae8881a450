variable "project_id" {
  description = "Project of all resources."
  type        = string
}

variable "region" {
  description = "Region of services, jobs, images and, unless bucket_location says otherwise, of the bucket."
  type        = string
  default     = "us-central1"
}

variable "image_version" {
  description = "Tag of the image cloop-memory-runtime; the worker's is <version>-worker. Never a moving tag."
  type        = string
  validation {
    condition     = can(regex("^[0-9A-Za-z][0-9A-Za-z._-]{0,120}$", var.image_version)) && var.image_version != "latest"
    error_message = "Give a tag that is pushed once and never moved, such as 0.1.0 or a commit's digest."
  }
}

variable "bucket_name" {
  description = "Bucket of workspaces, locks, ledgers and dead letters. Bucket names are global, so choose your own."
  type        = string
  default     = "cloop-memory-workspaces"
}

variable "bucket_location" {
  description = "Location of the bucket; null: the region. Changing it later moves no data: terraform would create another bucket."
  type        = string
  default     = null
}

variable "kms_key" {
  description = "Full name of the Cloud KMS key for bucket, topics, images, secrets and instances; null: Google's keys."
  type        = string
  default     = null
}

variable "controlplane_url" {
  description = "Base URL of the control plane; null: the reference one of this module."
  type        = string
  default     = null
  validation {
    condition     = var.run_controlplane || var.controlplane_url != null
    error_message = "Give the control plane's URL, or set run_controlplane."
  }
}

variable "controlplane_audience" {
  description = "Audience of the ID tokens that the control plane accepts; null: its URL."
  type        = string
  default     = null
}

variable "run_controlplane" {
  description = "Whether this module also runs the reference control plane (needs its three secrets)."
  type        = bool
  default     = false
}

variable "operator_members" {
  description = "Who may act as the operator account, e.g. group:memory-ops@clo0p.com."
  type        = set(string)
  default     = []
}

variable "operator_emails" {
  description = "E-mail addresses of further operators for the reference control plane."
  type        = set(string)
  default     = []
}

variable "console_accounts" {
  description = "Accounts of consoles, which may act in the reference control plane for the operators who signed in to them."
  type        = set(string)
  default     = []
}

variable "database_pool" {
  description = "Connections of each of the two pools of an instance of the reference control plane, which has at most four instances."
  type        = number
  default     = 8
}

variable "database_ca" {
  description = "CA certificates (PEM) that must have signed the database's certificate, e.g. file(\"supabase-ca.crt\"); empty: sslmode of the URLs decides."
  type        = string
  default     = ""
}

variable "model_base_url" {
  description = "OpenAI-compatible endpoint behind the model gateway."
  type        = string
  default     = "https://api.openai.com/v1"
}

variable "model_upstreams" {
  description = <<-EOT
    Providers of single models beside model_base_url: model -> its OpenAI-compatible endpoint, and the id of the secret to
    create for its key (null: it needs none).
  EOT
  type        = map(object({ base_url = string, secret = optional(string) }))
  default     = {}
}

variable "model" {
  description = "Model of the agent in backfills and insights; its price must be in manifests/models.yaml."
  type        = string
  default     = "gpt-5.4"
}

variable "model_small" {
  description = "Model of the agent in hourly digests; its price must be in manifests/models.yaml."
  type        = string
  default     = "gpt-5.4-mini"
}

variable "model_reader" {
  description = "Model that reads records; its price must be in manifests/models.yaml. none: rules read them, without a model."
  type        = string
  default     = "gpt-5.4-nano"
}

variable "model_reader_tokens" {
  description = "Tokens, in and out, that the reader by model may take of a job; what is left over waits for the next job."
  type        = number
  default     = 12000
}

variable "model_reader_backfill_tokens" {
  description = "The same for a backfill, which has all records to read."
  type        = number
  default     = 600000
}

variable "model_judge" {
  description = "Model that judges claims; its price must be in manifests/models.yaml. none: only code checks them."
  type        = string
  default     = "gpt-5.4-nano"
}

variable "embedding_model" {
  description = "Model of the embeddings."
  type        = string
  default     = "text-embedding-3-small"
}

variable "search_vectors" {
  description = "on: the evidence index also has vectors of embedding_model, which costs embeddings of all evidence once. off: words alone are searched."
  type        = string
  default     = "off"
  validation {
    condition     = contains(["on", "off"], var.search_vectors)
    error_message = "search_vectors is on or off."
  }
}

variable "plugin_path" {
  description = "Absolute paths in the image of further plugins with subagents, separated by colons."
  type        = string
  default     = ""
}

variable "dispatch" {
  description = "Where runs happen: by-manifest, inline or cloud-run-job."
  type        = string
  default     = "by-manifest"
  validation {
    condition     = contains(["by-manifest", "inline", "cloud-run-job"], var.dispatch)
    error_message = "dispatch is by-manifest, inline or cloud-run-job."
  }
}

variable "signing_key_files" {
  description = "Files of the signing key ring: name -> version of the secret cloop-memory-signing-key. current.key signs; <key id>.pub are needed to verify the signatures of older keys."
  type        = map(string)
  default     = { "current.key" = "latest" }
  validation {
    condition     = contains(keys(var.signing_key_files), "current.key")
    error_message = "The ring needs a current.key."
  }
}

variable "job_token_key_files" {
  description = "Files of the reference control plane's token keys: name -> version of the secret cloop-memory-job-token-key. The first by name signs, all verify."
  type        = map(string)
  default     = { "10.pem" = "latest" }
}

variable "consumer_max_instances" {
  description = "Number of runs in pushes at a time, one for each instance. It also limits concurrent calls to the model provider."
  type        = number
  default     = 20
}

variable "consumer_min_instances" {
  description = "Number of instances that always run. 0 costs nothing, but the first job waits for an instance to start."
  type        = number
  default     = 0
}

variable "consumer_resources" {
  description = "CPU and memory of one run. The run folder is in memory, so memory includes its size."
  type        = object({ cpu = string, memory = string, run_folder = string })
  default     = { cpu = "2", memory = "4Gi", run_folder = "2Gi" }
}

variable "job_resources" {
  description = "CPU and memory of a dispatched run."
  type        = object({ cpu = string, memory = string, run_folder = string })
  default     = { cpu = "4", memory = "8Gi", run_folder = "4Gi" }
}

variable "dead_letter_days" {
  description = "Days after which dead letters are deleted. They contain the message and the fault, no user content."
  type        = number
  default     = 180
}

variable "otlp_endpoint" {
  description = "OTLP/HTTP collector for spans and metrics; empty: logs only."
  type        = string
  default     = ""
}

variable "alert_channels" {
  description = "Full names of the notification channels for alerts."
  type        = list(string)
  default     = []
}

variable "ci_repository" {
  description = "owner/name of the GitHub repository whose main branch may push images and deploy; null: nobody."
  type        = string
  default     = null
}

variable "run_reader" {
  description = "Whether this module also runs the reader, which shows users their own memory (needs its two secrets)."
  type        = bool
  default     = false
  validation {
    condition     = !var.run_reader || (var.app_issuer != "" && startswith(var.reader_origin, "https://"))
    error_message = "Give app_issuer, and an https reader_origin."
  }
}

variable "app_issuer" {
  description = "Issuer of the access tokens of the app's users, e.g. https://<project>.supabase.co/auth/v1."
  type        = string
  default     = ""
}

variable "app_jwks_url" {
  description = "URL of that issuer's public keys; empty: <app_issuer>/.well-known/jwks.json."
  type        = string
  default     = ""
}

variable "reader_origin" {
  description = "Address of the reader for browsers, e.g. https://memory.clo0p.com: a domain mapped to the service, or the service's own URL."
  type        = string
  default     = ""
}

variable "reader_app_origins" {
  description = "Origins of the app, whose pages may call the reader and sign users in to it."
  type        = set(string)
  default     = []
}

variable "reader_model" {
  description = "Model that answers users' questions where facts do not; its price must be in manifests/models.yaml. none: facts alone answer."
  type        = string
  default     = "none"
}

variable "reader_model_judge" {
  description = "Model that must confirm each sentence of such an answer. none: code alone checks."
  type        = string
  default     = "none"
  validation {
    condition     = var.reader_model_judge == "none" || var.reader_model != "none"
    error_message = "A judge needs a reader_model."
  }
}

variable "reader_embedding_model" {
  description = "Model that embeds users' questions: embedding_model, with search_vectors on. none: words alone are searched."
  type        = string
  default     = "none"
  validation {
    condition     = var.reader_embedding_model == "none" || (var.search_vectors == "on" && var.reader_embedding_model == var.embedding_model)
    error_message = "reader_embedding_model must be embedding_model, and needs search_vectors = \"on\": otherwise no vectors meet those of a question."
  }
}

variable "reader_model_usd_per_day" {
  description = "What a user's questions to the model may cost within a day, in one instance of the reader."
  type        = number
  default     = 1
}

variable "reader_max_instances" {
  description = "Most instances of the reader."
  type        = number
  default     = 4
}

variable "verify_key_files" {
  description = "Public keys that verify commits: <key id>.pub -> version of the secret cloop-memory-verify-keys."
  type        = map(string)
  default     = {}
}
