"""Code in bodies: what is read, how it is cleaned, and bodies made to break a parser."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.posts.dump import bodies
from ncsbench.posts.dump.bodies import extract_code
from tests.patience import LONGEST

BODIES = {
    "blocks in document order, no code within lines": (
        "<p>Call <code>run()</code>:</p><pre><code>a();\n</code></pre>"
        "<pre>plain\n</pre><ul><li><code>b</code></li></ul>",
        ["a();", "plain"],
    ),
    "entities": (
        "<pre>a &lt; b &amp;&amp; c &#62; &quot;d&quot; &eacute;</pre>",
        ['a < b && c > "d" é'],
    ),
    "entities once": ("<pre>List&amp;lt;String&amp;gt;</pre>", ["List&lt;String&gt;"]),
    "nested tags leave their text": (
        '<pre><code><span class="kw">int</span> <b>x</b> = <a href="#">y</a>;'
        "<kbd>k</kbd><!-- no text --></code></pre>",
        ["int x = y;k"],
    ),
    "br": ("<pre>a<br>b<BR/>  c</pre><pre>d<br />e</pre>", ["a\nb\n  c", "d\ne"]),
    "outer blank lines go": (
        "<pre><code>\n  \n\t\n    a\n\n\tb\n  \n\n</code></pre>",
        ["    a\n\n\tb"],
    ),
    "line ends": ("<pre>a\r\nb\rc&#13;\nd&#xD;e</pre>", ["a\nb\nc\nd\ne"]),
    "several codes in one pre": (
        "<pre>$ <code>one</code>\n<code>two</code></pre><code>three</code>",
        ["$ one\ntwo"],
    ),
    "empty code": ("<pre><code> \n&nbsp;\t</code></pre><code></code><pre>\n</pre>", []),
    "nothing": ("", []),
    "no code": ("<p>No code, only a precode &lt;code&gt;.</p>", []),
    "a stack snippet, a block per language": (
        '<div class="snippet" data-lang="js"><div class="snippet-code">'
        '<pre class="snippet-code-js lang-js prettyprint-override"><code>f();</code></pre>'
        '<pre class="snippet-code-html lang-html prettyprint-override"><code>&lt;p&gt;</code></pre>'
        "</div></div>",
        ["f();", "<p>"],
    ),
    "quotes and lists": (
        "<blockquote><ol><li><p>do</p><pre><code>a</code></pre></li></ol></blockquote>",
        ["a"],
    ),
    "nested pres": ("<pre>a\n<pre>b\n<code>c</code></pre>\nd</pre>", ["a\nb\nc\nd"]),
    "a pre in a code": ("<code><pre>\n  a\n</pre></code><pre>b</pre>", ["  a", "b"]),
    "what is no element": (
        "<script>'<pre>a</pre>'</script><template><pre>b</pre></template>"
        "<textarea><pre>c</pre></textarea><!-- <pre>d</pre> -->"
        '<img alt="<pre>e</pre>"><pre>f</pre><plaintext><pre>g</pre>',
        ["f"],
    ),
    "control characters": (
        "<pre>a\0b\x07c\ud800d\ud83d\ude00</pre>",
        ["ab\x07c\ufffdd\U0001f600"],
    ),
}


@pytest.mark.parametrize("case", BODIES)
def test_the_code_of_a_body(case: str) -> None:
    html, code = BODIES[case]
    assert extract_code(html) == code


def test_a_code_that_is_not_closed_does_not_swallow_the_blocks_behind_it() -> None:
    html = "<p>Use <code>a.</p><p>Prose.</p><pre><code>b();</code></pre>"
    assert "b();" in extract_code(html)


SOUP = st.lists(
    st.sampled_from(
        "<pre> <code> </pre> </code> <br> <p> </p> <b> </b> <table> <td> <svg> <math> <template> "
        "</template> <plaintext> <select> <a> <!-- --> <!--language:x--> & &lt; < > \0 \r\n \ud800 "
        "<frameset> </body> </html> <title> <pre\tclass='lang-x' <li> x".split(" ")
    ),
    max_size=40,
).map("".join)


@given(SOUP)
def test_any_soup_of_tags_is_read(html: str) -> None:
    for block in extract_code(html):
        block.encode()
        assert block.strip()
        assert "\r" not in block
        assert block.split("\n")[0].strip(" \t\f")


WELL_FORMED = st.lists(
    st.sampled_from(
        [
            "<p>a <b>b</b> <code>c &lt; d</code></p>",
            '<pre class="lang-java prettyprint-override"><code>x();\n  y();\n</code></pre>',
            "<blockquote><pre>z<br>z</pre></blockquote>",
            '<ul><li><a href="u"><code>e</code></a></li></ul>',
            "<pre><code><b>f</b></code> g</pre>",
        ]
    )
).map("\n".join)


@given(WELL_FORMED)
def test_the_reduced_body_of_large_posts_yields_the_same_code(html: str) -> None:
    assert extract_code(bodies._reduce_tags(html)) == extract_code(html)


HOSTILE = {
    "depth": "'<div>' * n + '<pre>x'",
    "pre": "'<pre>' * n",
    "code": "'<code>' * n + '<pre>x'",
    "lists": "'<ul><li>' * n + '<pre>x'",
    "formatting": "'<pre>' + ''.join(f'<code id={i}>' for i in range(n)) + '</pre>x' * n",
    "attributes": "'<pre ' + ' '.join(f'a{i}' for i in range(n)) + '>x'",
    "comments": "'<pre>x' + '<!--' * n",
    "eaten end tags": "'<pre><x </pre>' * n",
    "foreign": "'<svg><g>' * n + '<pre>x'",
    "templates": "'<template>' * n + '<pre>x'",
    "ten megabytes": "'<pre><code>' + 'a &lt; b\\n' * (11 * n) + '</code></pre>'",
}


@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_hostile_bodies_neither_crash_nor_hang(case: str) -> None:
    """In a process of its own with the stack of a thread: overflow would be a crash."""
    program = (
        "import resource, threading\n"
        "from ncsbench.posts.dump.bodies import extract_code\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))\n"
        "threading.stack_size(2**18)\n"
        f"n = 100_000\nhtml = {HOSTILE[case]}\n"
        "found = []\n"
        "thread = threading.Thread(target=lambda: found.append(extract_code(html)))\n"
        "thread.start(); thread.join(); print(len(found))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr


def test_the_deepest_body_that_is_parsed_as_it_stands_is_read() -> None:
    html = "<pre>" * bodies.MOST_TAGS + "x"
    assert extract_code(html) == ["x"]
