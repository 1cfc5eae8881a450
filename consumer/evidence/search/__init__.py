"""
The evidence index: which passages of the brain's pages answer a question, in one SQLite file.

``runtime/manifests/search-index.sqlite`` (``layout.SEARCH_INDEX``) is built from the pages in ``brain/`` and can be
rebuilt from them at any time. The reader service and the local brain search this one file.
"""

from consumer.evidence.search.building import change, update, writing
from consumer.evidence.search.embedding import EmbeddedPassages, embed
from consumer.evidence.search.results import EvidencePassage as Passage
from consumer.evidence.search.results import IndexUnusable, PageInfo, QuestionVector
from consumer.evidence.search.searching import EvidenceIndex

__all__ = [
    "EmbeddedPassages",
    "EvidenceIndex",
    "IndexUnusable",
    "PageInfo",
    "Passage",
    "QuestionVector",
    "change",
    "embed",
    "update",
    "writing",
]
