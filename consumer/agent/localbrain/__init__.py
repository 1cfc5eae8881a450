"""The local brain: an index over ``brain/`` in one SQLite file, for laptops and tests. Every report names it."""
