"""Hermes Agent, the reasoning part of a run."""
