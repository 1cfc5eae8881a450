"""Stage 5 of 8, synthesize: an agent reads the brain and leaves claims that cite pages."""

from consumer.stages.synthesize.stage import Synthesize

__all__ = ["Synthesize"]
