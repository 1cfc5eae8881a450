"""A GCS server for one machine: the JSON API (and the parts of the XML API that clients use), durable on disk.

It exists because no emulator in the package registries supports preconditions on every verb, and the workspace's
history, lock and ledger depend on them.

A token of its own token exchange reads below one prefix only (access.py); nothing else is access control.

Not here: roles, soft delete, retention, notifications, customer keys, gzip transcoding, gRPC. Resumable
sessions live in memory: after a restart a client is told 404 and starts its upload again, as after expiry.
"""
