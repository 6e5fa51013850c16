"""The data that a review page shows, as its script reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def page_data(page: Path) -> Any:
    """The JSON block of a page."""
    text = page.read_text("utf-8")
    start = text.index('id="data">') + len('id="data">')
    return json.loads(text[start : text.index("</script>", start)])
