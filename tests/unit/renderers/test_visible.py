"""Which elements of an HTML body are hidden by a class or an id of its own styles."""

from __future__ import annotations

from renderers import visible
from tests.tables import table

STYLES = "<style>.gone{display:none} #off{display:none}</style>"


@table(
    "attributes, shown",
    [
        ('class="gone"', False),
        ('class="kept gone"', False),
        ('id="off"', False),
        ('class="kept"', True),
        ('id="on"', True),
        ('class="off"', True),
        ('id="gone"', True),
        ('title="gone"', True),
        ('title="off"', True),
        ("hidden", False),
        ('hidden="false"', True),
    ],
)
def test_an_element_is_hidden_by_its_own_class_or_id_alone(attributes: str, shown: bool) -> None:
    assert visible.text(f"{STYLES}<p {attributes}>words</p>") == ("words" if shown else "")


@table(
    "html, lines",
    [
        # Paragraphs, lists, tables and quotes stand apart; other blocks begin a line.
        ("<p>a</p><p>b</p>", "a\n\nb"), ("<p>a<p>b", "a\n\nb"), ("<p>a</p>b", "a\n\nb"),
        ("<div>a</div><div>b</div>", "a\nb"), ("a<div>b</div>c", "a\nb\nc"), ("<div>a</div><p>b</p>", "a\n\nb"),
        ("<h1>a</h1>b", "a\n\nb"), ("<p></p><p></p>a", "a"), ("<p>a</div>b</p>c", "a\nb\n\nc"),
        # A line break is one, and two are an empty line, as many as more are.
        ("a<br>b", "a\nb"), ("a<br><br>b", "a\n\nb"), ("a<br><br><br>b", "a\n\nb"), ("<br>a<br>", "a"),
        # Items, also where their end is left out.
        ("<ul><li>a<li>b</ul>c", "- a\n- b\n\nc"), ("<ul><li>a</li></ul><li hidden>b</li>c", "- a\n\nc"),
        ("<ul><li>a<ul><li>b</ul></ul>", "- a\n\n- b"),
        ("<table><tr><td>a<td>b<tr><th>c</th><td>d</td></table>e", "a\tb\nc\td\n\ne"),
        ("<table><tr><td></td><td>a</td><td> </td></tr></table>", "a"),
        ("<p></p><blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n> >\n> > b\n\nc"),
        ("<p></p><blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        # Spaces are one, and none at the ends; what is preformatted keeps them.
        ("<p>  a \n  b&nbsp;&nbsp;c </p>", "a b c"), ("<p>a</p><pre>b\n  c  </pre>d", "a\n\nb\n  c\n\nd"),
        # What is no tag, and what is never shown.
        ("<p>a < b & c &lt;i&gt;</p>", "a < b & c <i>"), ("<p>a</p><script>'<p>b</p>'</script>c", "a\n\nc"),
        ("<p>a<!-- <p>b</p> --></p>c", "a\n\nc"), ("<p>a</p><!-- b", "a"), ("<p>a</p><![if mso]>b", "a\n\nb"),
        ("<p>a</p><title>b</title><template><p>c</p></template><textarea>d</textarea>e", "a\n\ne"),
        # A value holds the sign that ends a tag.
        ('<p title="a > b">c</p>', "c"), ("<p title='a \"> b'>c</p>", "c"),
    ],
)  # fmt: skip
def test_html_has_the_lines_that_a_browser_shows(html: str, lines: str) -> None:
    assert visible.text(html) == lines


@table(
    "style, shown",
    [
        ("display:none", False), ("DISPLAY : NONE", False), ("display:inline", True), ("x-display:none", True),
        ("visibility:hidden", False), ("visibility:collapse", False), ("visibility:visible", True),
        ("mso-hide:all", False), ("color:transparent", False),
        ("opacity:0", False), ("opacity:0.0", False), ("opacity:0.5", True), ("opacity:1", True),
        ("text-indent:-999px", False), ("text-indent:-9px", True), ("left:-9999px", False), ("left:-99px", True),
        ("clip:rect(0,0,0,0)", False), ("clip:rect(1px 1px 1px 1px)", False), ("clip:rect(9px,9px,9px,9px)", True),
        ("height:0;overflow:hidden", False), ("overflow-y:hidden;max-width:0px", False),
        ("height:0", True), ("overflow:hidden", True), ("overflow:hidden;height:10px", True),
        ("color:#fff;background:#FFF", False), ("background-color:white;color: white", False),
        ("color:#fff;background:#000", True), ("color:#fff", True), ("background:#fff", True),
        ("font-size:0", False), ("font-size:0px;color:red", False), ("font-size:0.5em", True), ("font-size:12px", True),
        ("display:/* no */none", False), ("/* display:none */", True),
    ],
)  # fmt: skip
def test_a_style_hides_what_nobody_would_see(style: str, shown: bool) -> None:
    assert visible.text(f'<p>a</p><p style="{style}">b</p>') == ("a\n\nb" if shown else "a")
    assert visible.text(f"<style>p.x {{{style}}} .y {{{style}}}</style><p>a</p><i class=y>b</i>").endswith(
        "b" if shown or style.startswith("font-size") else "a"
    )


@table(
    "html, shown",
    [
        # What has a size inside of what has none is shown, and what follows it.
        ('<p style="font-size:0">a<b style="font-size:9px">b</b>c</p>d', "b\n\nd"),
        ('<p style="font-size:0">a<b>b</b></p>c', "c"),
        # All in what is hidden is, until its own end.
        ("<p hidden>a<b>b</b></p>c", "c"), ("<div hidden><p>a</p><br></div>b", "b"), ("<p hidden>a</b>b</p>c", "c"),
        # A style sheet: groups of selectors, and no rule for one medium or one that is no plain name.
        ("<style>.x,#y{display:none}</style><i class=x>a</i><i id=y>b</i>c", "c"),
        ("<style>@media print{.x{display:none}}</style><i class=x>a</i>", "a"),
        ("<style>p .x{display:none}</style><i class=x>a</i>", "a"), ("<style>.x{}</style><i class=x>a</i>", "a"),
        ("<style>.a{color:red}.x{display:none}</style><i class=x>a</i>b", "b"),
        ("<style>@media print{.a{x:y}}.x{display:none}</style><i class=x>a</i>b", "b"),
    ],
)  # fmt: skip
def test_what_is_hidden_ends_with_its_element(html: str, shown: str) -> None:
    assert visible.text(html) == shown
