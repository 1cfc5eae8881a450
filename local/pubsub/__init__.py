"""Pub/Sub for one machine: the real gRPC API, durable on disk, pushes with signed tokens.

Not offered, and refused by name: filters, exactly-once delivery, snapshots, schemas, BigQuery and Cloud Storage
subscriptions.
"""
