"""The check of all pages must refuse what no page may be."""

from __future__ import annotations

import pytest

from tests import pagecheck

ANCHOR = "r-xvw7u2szffev"
PAGE = (
    f'---\ntitle: "Li & <b>"\nrecords: [{{anchor: {ANCHOR}}}]\n---\n\n# Li &amp; \\<b>\n\n'
    f'<a id="{ANCHOR}"></a>\n\n## Contract\n\n- `<i>` is text, [there](../b.md#x)\n\n<!-- synthesis: below -->\n'
)


def test_a_page_as_it_must_be() -> None:
    pagecheck.check_text(PAGE)
    assert pagecheck.anchors(PAGE) == [ANCHOR]
    assert list(pagecheck.links("a/c.md", PAGE)) == [("b.md", "x")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\\<b>", "<b>"),
        ("`<i>`", "<i>"),
        ("is text", 'is <a id="x" onclick="y"> text'),
        ("is text", "is <!-- a --> text"),
        ("is text", "is <script>x</script> text"),
        ("## Contract", "# Contract"),
        ("# Li", "## Li"),
        ("# Li", "# Lo"),
        ("is text", f'is text <a id="{ANCHOR}"></a>'),
        (f'<a id="{ANCHOR}"></a>', ""),
        (f'<a id="{ANCHOR}"></a>', f'```\n<a id="{ANCHOR}"></a>\n```'),
        ("is text", "is\u2028text"),
        ("---\n\n", "\n"),
    ],
)
def test_a_page_that_differs_is_refused(old: str, new: str) -> None:
    assert old in PAGE
    with pytest.raises(AssertionError):
        pagecheck.check_text(PAGE.replace(old, new, 1))
