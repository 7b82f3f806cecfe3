"""Pairs that hold an evaluation question or its answer are found, by the words of both."""

from collections import Counter
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.pairs.leak_checks.leaks import (
    COMMON_WORDS,
    CONTAINED,
    SIMILAR,
    USEFUL_PAIRS,
    USEFUL_RUN,
    USEFUL_WORDS,
    LeakFinder,
    read_post_ids,
    split_code_tokens,
    title_keys,
)
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

ANSWER = """Intent start = new Intent(Intent.ACTION_MAIN);
start.addCategory(Intent.CATEGORY_HOME);
start.setFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
startActivity(start);"""


def evaluation_questions(*answers: str, title: str = "Go to the home screen") -> pa.Table:
    rows = [
        {
            **dict.fromkeys(QUESTION_SCHEMA.names, ""),
            "query_id": row,
            "occurrence": 1,
            "stackoverflow_id": str(100 + row),
            "question": f"{title} {row}",
            "answer": answer,
            "answer_url": f"https://stackoverflow.com/a/{200 + row}",
            "examples": [],
            "examples_url": [],
        }
        for row, answer in enumerate(answers, 1)
    ]
    return pa.Table.from_pylist(rows, QUESTION_SCHEMA)


@pytest.mark.parametrize("post_id", [101, 201, 999])
def test_posts_leak_by_the_id_of_question_answer_or_published_question(post_id: int) -> None:
    finder = LeakFinder(evaluation_questions(ANSWER), ["999", "no number"])
    leak = finder.find("another title", "f(x);", [5, post_id])
    assert leak is not None
    assert leak.kind == "id"
    assert leak.query_id == (0 if post_id == 999 else 1)
    assert finder.find("another title", "f(x);", [5]) is None


@pytest.mark.parametrize(
    "title",
    [
        "go to the HOME screen 1",
        "1: Home-screen; go to the!",
        "Go to  the home screen (1)",
        "android - Go to the home screen 1 [duplicate] - Stack Overflow",
        "Go&nbsp;to the home screen 1 in Java [On Hold] | stack overflow",
    ],
)
def test_titles_with_the_same_words_are_one_title_dev_55(title: str) -> None:
    leak = LeakFinder(evaluation_questions(ANSWER)).find(title, "f(x);", [])
    assert leak is not None
    assert leak.kind == "title"


def test_a_title_without_words_is_no_title() -> None:
    finder = LeakFinder(evaluation_questions(ANSWER, title="??"))
    assert finder.find("!?", "f(x);", []) is None
    assert title_keys("?!") == []


def test_a_title_of_nothing_but_the_topic_keeps_its_words() -> None:
    assert title_keys("Java in Android") == ["android in java", "javainandroid"]
    assert title_keys("Stack overflow [array]") == ["array overflow stack", "stackoverflowarray"]


def test_hyphens_and_apostrophes_make_no_other_title() -> None:
    finder = LeakFinder(evaluation_questions(ANSWER, title="Can't close the drop-down"))
    assert finder.find("Cant close the dropdown 1", "f(x);", []) is not None
    assert finder.find("Close the drop-down 1", "f(x);", []) is None


@pytest.mark.parametrize(
    "snippet",
    [
        ANSWER,
        ANSWER.replace("start.", "i.").replace("(start)", "(i)").replace("t start", "t i"),
        "// go home\n" + ANSWER.replace("\n", " /* then */ "),
        "@Override\npublic void onBackPressed() {\n Log.d(T, m);\n" + ANSWER + "\n}",
        ANSWER.replace("startActivity", "context.startActivity"),
        ANSWER + "\nfinish();\nSystem.exit(0);\nrecreate();\n" * 3,
        ANSWER.rsplit("\n", 1)[0],
    ],
)
def test_copies_of_an_answer_leak_renamed_wrapped_or_cut_dev_51(snippet: str) -> None:
    leak = LeakFinder(evaluation_questions("f(x);", ANSWER)).find("title", snippet, [])
    assert leak is not None
    assert (leak.kind, leak.query_id) == ("snippet", 2)


@pytest.mark.parametrize(
    "snippet",
    [
        "finish();",
        "Intent i = new Intent(Intent.ACTION_VIEW);\nstartActivity(i);",
        "new Handler().post(new Runnable() { public void run() { startActivity(a); } });",
        "",
    ],
)
def test_snippets_that_are_merely_alike_do_not_leak_dev_51(snippet: str) -> None:
    finder = LeakFinder(evaluation_questions(ANSWER, "v.setOnClickListener(l); finish(); exit();"))
    assert finder.find("title", snippet, []) is None


def test_very_short_answers_leak_only_token_by_token_dev_51() -> None:
    finder = LeakFinder(evaluation_questions("finish();", "a = b;"))
    assert finder.find("title", "finish() ; // now", []) is not None
    assert finder.find("title", "a=b", []) is not None
    for snippet in ("super.finish();", "c = b;", "finish(a);", "finish(); finish();"):
        assert finder.find("title", snippet, []) is None


def test_answers_of_three_words_leak_by_their_words_dev_51() -> None:
    finder = LeakFinder(evaluation_questions("// lock it\nsetMode(Mode.PORTRAIT);"))
    for snippet in (
        "activity.setMode(Mode.PORTRAIT)",
        "void lock(A a) { a.setMode(Mode.PORTRAIT); }",
    ):
        assert finder.find("title", snippet, []) is not None
    for snippet in ("setMode(Mode.LANDSCAPE);", "setMode(Mode.PORTRAIT); finish();"):
        assert finder.find("title", snippet, []) is None


def test_an_answer_of_seven_words_leaks_where_it_stands_in_a_snippet_dev_51() -> None:
    answer = "Intent i = new Intent(Intent.ACTION_DIAL); startActivity(i);"
    more = "a(); b(); c(); d(); {} e(); f(); g(); h(); a.b.c.d(); i(); j();"
    leak = LeakFinder(evaluation_questions(answer)).find("title", more.format(answer), [])
    assert leak is not None
    assert leak.jaccard < SIMILAR
    assert leak.containment == 1.0
    gap = more.format(answer.replace("; ", "; start(); "))
    assert LeakFinder(evaluation_questions(answer)).find("title", gap, []) is None


@pytest.mark.parametrize(
    "piece", ["@a(", '@a("', "@a ", "/*", "/**/", "//", "} ", "import ", "a(", " "]
)
def test_long_hostile_heads_take_linear_time(piece: str) -> None:
    finder = LeakFinder(evaluation_questions(ANSWER))
    assert finder.find(piece * 50_000, piece * 50_000, []) is None


def test_a_block_of_a_joined_snippet_leaks_though_the_whole_does_not() -> None:
    finder = LeakFinder(evaluation_questions("finish();"))
    assert finder.find("title", "a();\n\nfinish();", []) is None
    assert finder.find("title", "a();\n\nfinish();", [], ["a();", "finish();"]) is not None


@pytest.mark.parametrize(
    "wrapped",
    [
        "static void adjust(Activity activity)\n{ activity.getWindow().setMode(A.RESIZE); }",
        "@Override void f() throws E { getWindow().setMode(A.RESIZE); }",
        "if (old) { window.getWindow().setMode(A.RESIZE); }",
        'import a.B;\n// (so) {\n@Use(value = "a)", by = {1}) @B /* } */ f()'
        " { getWindow().setMode(A.RESIZE); }",
        "private @Nullable View f(@Mode int a) { getWindow().setMode(A.RESIZE); }",
    ],
)
def test_a_short_answer_that_is_the_body_of_a_method_leaks_dev_51(wrapped: str) -> None:
    finder = LeakFinder(evaluation_questions("dialog.getWindow().setMode(A.RESIZE);"))
    assert finder.find("title", wrapped, []) is not None
    assert finder.find("title", wrapped.replace("RESIZE", "PAN"), []) is None


def test_of_two_answers_the_most_similar_is_named_then_the_first() -> None:
    finder = LeakFinder(evaluation_questions(ANSWER + "\nfinish();", ANSWER, ANSWER))
    leak = finder.find("title", ANSWER, [])
    assert leak is not None
    assert (leak.query_id, leak.jaccard, leak.containment) == (2, 1.0, 1.0)


@pytest.mark.parametrize(
    ("url", "ids"),
    [
        ("https://stackoverflow.com/a/12", {12}),
        ("https://stackoverflow.com/questions/12/a-title", {12}),
        ("http://www.stackoverflow.com/questions/12/a-title/34#34", {12, 34}),
        ("https://stackoverflow.com/questions/12/a-title#34", {12, 34}),
        ("https://StackOverflow.com/Questions/12", {12}),
        ("stackoverflow.com/posts/12/revisions", {12}),
        ("m.stackoverflow.com/a/12", {12}),
        ("https://es.stackoverflow.com/a/12", set()),
        ("https://not-stackoverflow.com/a/12", set()),
        ("https://example.org/a/12", set()),
        ("https://stackoverflow.com/a/" + "1" * 6000, {int("1" * 18)}),
        ("", set()),
    ],
)
def test_links_name_posts_of_stack_overflow_alone(url: str, ids: set[int]) -> None:
    assert read_post_ids(url) == ids


words = st.sampled_from(["f(", "g(", "A", "B", "1", "=", "x"])
snippets = st.lists(words, max_size=25).map(" ".join)


@given(st.lists(snippets, min_size=1, max_size=4), snippets)
def test_the_index_finds_what_comparing_with_every_answer_finds(
    answers: list[str], snippet: str
) -> None:
    def is_leak(answer: str) -> bool:
        (tokens, kept), (other_tokens, other) = map(split_code_tokens, (answer, snippet))
        if len(kept) < USEFUL_WORDS:
            return kept == other if len(kept) > COMMON_WORDS else tokens == other_tokens != []
        length = len(kept)
        if length >= USEFUL_RUN and kept in (other[at : at + length] for at in range(len(other))):
            return True
        one, two = Counter(pairwise(kept)), Counter(pairwise(other))
        shared, smaller = (one & two).total(), min(one.total(), two.total())
        similar = shared >= SIMILAR * (one | two).total()
        return similar or (smaller >= USEFUL_PAIRS and shared >= CONTAINED * smaller)

    finder = LeakFinder(evaluation_questions(*answers))
    assert (finder.find_snippet(snippet) is not None) == any(map(is_leak, answers))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("int i = 0; // zero", ["int", "=", "0"]),
        ("/* a */ finish();", ["finish"]),
        ("view.getWidth(a, this.size)", ["getWidth"]),
        ("this.size = Outer . this . width; this.run(this.a.b)", ["=", "Outer", "run", "b"]),
        ("package a.b;\nimport a.B;\nimport static a.B.*; f();\n  import c.D\nimportant()",
         ["f", "important"]),
        ("a(); // b();\rc(); \"d\re()", ["a", "c", '"d', "e"]),
        ("public static final int MAX = 1.5;", ["int", "MAX", "=", "1", "5"]),
        ('Log.d("a // b", \'x\');', ["Log", "d", '"a // b"', "'x'"]),
        ("if (a != null && b>=1) return new A();",
         ["if", "!=", "null", "&&", ">=", "1", "return", "new", "A"]),
        ("run (x)", ["run"]),
        ("", []),
    ],
)  # fmt: skip
def test_variables_comments_separators_and_modifiers_are_no_words_dev_51(
    code: str, words: list[str]
) -> None:
    assert split_code_tokens(code)[1] == words


def test_tokens_keep_the_variables() -> None:
    assert split_code_tokens("private int i = j;")[0] == ["private", "int", "i", "=", "j"]


@given(st.text(alphabet="ab(. \n\"'\\/*=;A1$_é", max_size=60))
def test_words_are_a_part_of_the_tokens_and_any_text_is_read(code: str) -> None:
    tokens, words = split_code_tokens(code)
    left = iter(tokens)
    assert all(word in left for word in words)


@pytest.mark.parametrize(
    "piece",
    ['"', "'", "/*", "//", "\\", '"\\', "a ", "a", "a\t(", "a.", "import ", "import\t", "this."],
)
def test_long_hostile_code_takes_linear_time(piece: str) -> None:
    split_code_tokens(piece * 100_000)
    split_code_tokens("a" + piece[-1:] * 100_000)
