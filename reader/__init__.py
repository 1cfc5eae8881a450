"""The owner's own door: a service that shows users their memory. Reads committed snapshots, writes nothing."""
