"""Stage 6 of 8, report: what the job found, each statement with the place it rests on."""

from consumer.stages.report.stage import Report

__all__ = ["Report"]
