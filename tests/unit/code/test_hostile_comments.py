"""Rows of one sign, as comments and as code: every reader of them ends soon."""

import subprocess
import sys
from pathlib import Path

_READ = """
import resource
from ncsbench.pairs.comment_filter.rule_sets import RULES
from ncsbench.code.functions.function_texts import strip_comment_marks, summarize
from ncsbench.code.functions.function_texts import tokenize_docstring
from ncsbench.code.java.java import blank_deep_types
from ncsbench.code.java.java_blocks import is_java_block
from ncsbench.code.java.javadoc import read_first_sentence, read_text
from ncsbench.code.java.javadoc import cut_raw_sentence, read_raw_sentence

resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
is_java_block("\\n" * 100_000)
for before, sign, after in [
    ('"', '\\\\"', ""), ("'", "\\\\'", ""), ("public ", "class ", ":"), ("a=", " ", ";x")
]:
    is_java_block(before + sign * (29_900 // len(sign)) + after)
READERS = [
    read_first_sentence, read_text, read_raw_sentence, cut_raw_sentence, summarize,
    tokenize_docstring, *RULES.values(),
    lambda comment: strip_comment_marks(comment, rules="as_meant"),
    lambda comment: blank_deep_types(b"<" * 40 + comment.encode()),
]
for sign in ["*", "<", "{", "@", "(", " ", "\\n", "{@", "<!--", "\\\\\\"", "/*", "a<"]:
    row = sign * (100_000 // len(sign))
    for comment in [row, f"/**{row}", f"/** a{row}b */", f"a {row}"]:
        for read in READERS:
            read(comment)
"""


def test_rows_of_a_sign_are_read_soon(root: Path) -> None:
    """One second of the processor; the child ends after 20, which one quadratic reader takes."""
    subprocess.run(
        [sys.executable, "-c", _READ],
        env={"PYTHONPATH": str(root / "workflow")},
        check=True,
    )
