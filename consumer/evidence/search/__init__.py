"""
The evidence index: which passages of the brain's pages answer a question, in one SQLite file.

``runtime/manifests/search-index.sqlite`` (``layout.SEARCH_INDEX``) is built from the pages in ``brain/`` and can be
rebuilt from them at any time. The agent's tools, the reader service and the local brain search this one file.
"""

from consumer.evidence.search.results import IndexUnusable, Passage
from consumer.evidence.search.searching import EvidenceIndex

__all__ = ["EvidenceIndex", "IndexUnusable", "Passage"]
