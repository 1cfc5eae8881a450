"""How snapshots get into the bucket and out again. ``consumer.engine.workspace`` is the door."""
