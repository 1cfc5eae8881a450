"""Text that is filled in: workspace skeletons by version, prompts, the agent's configuration and skills. Data only."""

from __future__ import annotations

from pathlib import Path

#: Where templates/<version>/ lies, in a checkout and in an installed wheel alike.
FOLDER = Path(__file__).parent
