"""GBrain, the real one, through its command line: one process per brain at a time."""
