"""The local brain: tools over the evidence index, for laptops and tests. Every report names it."""
