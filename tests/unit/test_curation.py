"""The manual pass over the candidates: its questions and its file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.errors import DataError
from ncsbench.questions.curation import REASONS, Candidate, MatchShown, curate
from ncsbench.questions.curation_file import (
    Decision,
    Place,
    adopt_matches,
    read_decisions,
    write_decisions,
)
from ncsbench.text.safe_text import cut_text, show_line, show_visibly

A, B, C = (Place("o/r", f"src/{name}.java", "3-5") for name in "ABC")
YES, NO = Decision(True, seen=(A,)), Decision(False, "vague question", (A,))

NEW = "id,repository,path,lines,keep,reason\n"


class Script:
    """A console that is answered from a list; its end is the end of the input."""

    def __init__(self, answers: Iterable[str], width: int = 80) -> None:
        self.answers, self.width, self.shown = iter(answers), width, ""

    def write(self, text: str) -> None:
        self.shown += text + "\n"

    def ask_key(self, prompt: str) -> str:
        self.shown += prompt + "\n"
        answer = next(self.answers, None)
        if answer is None:
            raise EOFError
        if answer == "^C":
            raise KeyboardInterrupt
        return answer

    ask_line = ask_key


def candidate(number: int, **changes: object) -> Candidate:
    match = MatchShown(0.5, A, "void a() {\n}")
    fields = {
        "id": str(number), "title": f"Title {number}", "link": f"https://x.invalid/{number}",
        "answer": "run();", "answer_link": "https://x.invalid/a/1", "matches": (match,),
    }  # fmt: skip
    return Candidate(**{**fields, **changes})


def play(
    answers: list[str], before: dict[str, Decision] | None = None, count: int = 3
) -> tuple[dict[str, Decision], list[dict[str, Decision]], str]:
    saved: list[dict[str, Decision]] = []
    script = Script(answers)
    questions = [candidate(number) for number in range(1, count + 1)]
    made = curate(questions, before or {}, console=script, save=saved.append)
    return made, saved, script.shown


def test_every_decision_is_saved_at_once() -> None:
    made, saved, shown = play(["y", "n", "1", "y", "q"])
    assert saved == [
        {"1": YES},
        {"1": YES, "2": NO},
        {"1": YES, "2": NO, "3": YES},
    ]
    assert made == saved[-1]
    assert "Question 3 of 3; 2 decided." in shown
    assert "2 kept, 1 not kept, 0 left" in shown


def test_own_words_are_a_reason_and_an_empty_one_decides_nothing() -> None:
    made, _, shown = play(["n", "", "n", "  too \x1b[31m old  "])
    assert "No reason, nothing decided." in shown
    assert made == {"1": Decision(False, "too <U+001B>[31m old", (A,))}
    assert all(reason in shown for reason in REASONS)


def test_a_reason_is_kept_as_long_as_a_file_of_them_can_be_read(tmp_path: Path) -> None:
    made, _, _ = play(["n", "x" * 200_000])
    write_decisions(tmp_path / "c.csv", made)
    assert read_decisions(tmp_path / "c.csv") == {"1": Decision(False, "x" * 1000, (A,))}


def test_a_session_goes_on_with_the_first_question_left() -> None:
    made, saved, shown = play(["y"], {"1": YES, "3": NO})
    assert "Question 2 of 3; 2 decided." in shown
    assert saved == [made]
    assert list(made) == ["1", "2", "3"]


def test_back_shows_and_changes_what_was_decided_also_after_the_last_question() -> None:
    made, _, shown = play(["y", "b", "n", "1", "s", "y", "b", "y", "q"])
    assert "So far: kept." in shown
    assert made == {"1": NO, "3": YES}
    made, saved, _ = play(["b", "b", "y", "q"], {"1": YES, "2": YES, "3": NO})
    assert made == {"1": YES, "2": YES, "3": NO}
    assert len(saved) == 1


@pytest.mark.parametrize("end", [[], ["^C"], ["q"], ["n", "^C"], ["n"]])
def test_leaving_keeps_what_was_decided(end: list[str]) -> None:
    made, saved, _ = play(["y", *end])
    assert made == saved[-1] == {"1": YES}


def test_an_interrupt_while_writing_loses_nothing() -> None:
    saved: list[dict[str, Decision]] = []

    def interrupted(decisions: dict[str, Decision]) -> None:
        saved.append(decisions)
        if len(saved) == 1:
            raise KeyboardInterrupt

    made = curate([candidate(1)], {}, console=Script(["y"]), save=interrupted)
    assert made == saved[-1] == {"1": YES}
    assert len(saved) == 2


def test_skipped_questions_come_again_and_unknown_keys_show_the_keys() -> None:
    made, saved, shown = play(["s", "x", "\x1b[A", "?", "y", "s"])
    assert made == {"2": YES}
    assert shown.count("back to the question before") == 3
    assert "Question 1 of 3" in play([], saved[-1])[2]


def test_decisions_on_other_ids_stay() -> None:
    made, _, _ = play(["y"], {"99": NO, "3": YES})
    assert list(made.items()) == [("1", YES), ("3", YES), ("99", NO)]


def test_long_texts_are_cut_with_a_count_and_shown_whole_on_demand() -> None:
    long = candidate(1, answer="\n".join(f"line{i}();" for i in range(50)) + "x" * 200)
    script = Script(["f", "q"])
    curate([long], {}, console=script, save=lambda decisions: None)
    first, full = script.shown.split("line49();")[0], script.shown
    assert "    … 10 more lines" in first
    assert "line49();" + "x" * 200 in full
    assert cut_text("a" * 81 + "\n" + "b" * 80 + "\nc\nd", lines=2, width=80) == [
        "a" * 56 + " … 25 more characters", "b" * 80, "… 2 more lines",
    ]  # fmt: skip
    assert cut_text("abcdef\nb", lines=1, width=4) == ["ab … 4 more characters", "… 1 more line"]


@given(st.text(max_size=60))
def test_nothing_that_acts_on_a_terminal_is_shown(text: str) -> None:
    for shown in ("".join(cut_text(text, lines=5, width=20)), show_line(text)):
        assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_hidden_characters_are_named() -> None:
    hostile = "\x1b]0;x\x07 \u202eevil\u2066 \x9b31m a\u200db \ud800 \r"
    assert show_visibly(hostile) == (
        "<U+001B>]0;x<U+0007> <U+202E>evil<U+2066> <U+009B>31m a<U+200D>b <U+D800> <U+000D>"
    )
    assert show_visibly("a\r\n\tb é 中") == "a\n\tb é 中"
    assert cut_text("\tb", lines=1, width=20) == ["    b"]


def test_every_text_of_others_is_made_safe() -> None:
    bad = "a\x1b[2J\u202eb\nc"
    match = MatchShown(0.5, Place(bad, bad, bad), bad)
    hostile = candidate(1, title=bad, link=bad, answer=bad, answer_link=bad, matches=(match,))
    script = Script(["f", "q"])
    before = {"1": Decision(False, bad, (Place(bad, bad, bad),))}
    curate([hostile], before, console=script, save=lambda decisions: None)
    script.answers = iter(["b", "f", "q"])
    curate([hostile], before, console=script, save=lambda decisions: None)
    assert script.shown.count("<U+001B>[2J<U+202E>b") >= 12
    assert not set(script.shown) & {"\x1b", "\u202e"}


@given(
    st.dictionaries(
        st.text("0123456789", min_size=1, max_size=9),
        st.builds(
            Decision,
            st.booleans(),
            st.text("ab,\"'ü; ", max_size=9).map(str.strip),
            st.lists(
                st.builds(Place, st.just("o/r"), st.text('a/ ,"ü;', max_size=5), st.just("1-2")),
                unique=True,
                max_size=3,
            ).map(tuple),
        ),
    )
)
def test_files_survive_a_round_trip(
    tmp_path_factory: pytest.TempPathFactory, decisions: dict[str, Decision]
) -> None:
    path = tmp_path_factory.mktemp("curation") / "c.csv"
    write_decisions(path, decisions)
    read = read_decisions(path)
    assert list(read.items()) == list(decisions.items())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the header must be 'id,repository,path,lines,keep,reason'"),
        ("id,keep\n", "line 1: the header must be"),
        ("id,keep,reason\n1,yes,\n2,maybe,x\n", "line 3: keep must be yes or no, not 'maybe'"),
        ("id,keep,reason\n1,yes,\n\n1,no,x\n", "line 4: id '1' stands in line 2 already"),
        ("id,keep,reason\n ,yes,\n", "line 2: has no id"),
        ("id,keep,reason\n1,no,vague, odd\n", "line 2: has 4 cells, not 3"),
        ('id,keep,reason\n1,no,"open\n', "line 2: is not a valid CSV file"),
        (f"{NEW}1,o/r,A,1-2,yes,\n1,o/r,A,1-2,yes,\n", "line 3: id '1' with this match stands in"),
        (f"{NEW}1,o/r,A,1-2,yes,\n1,o/r,B,1-2,no,\n", "line 3: id '1' has another keep or reason"),
        (f"{NEW}1,o/r,A,1-2,yes\n", "line 2: has 5 cells, not 6"),
        (b"id,keep,reason\n1,no,\xff\n", "is not a CSV file in UTF-8"),
    ],
)
def test_a_broken_file_is_one_line_with_the_place(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError, match=r"c\.csv") as error:
        read_decisions(path)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_by_a_spreadsheet_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(b'\xef\xbb\xbfid,keep,reason\r\n1, YES,\r\n"2",no,"a\nb"\r\n')
    assert read_decisions(path) == {"1": Decision(True), "2": Decision(False, "a\nb")}


def test_a_row_names_question_and_match_never_a_method_id(tmp_path: Path) -> None:
    decision = Decision(False, "a, b", (A, B))
    write_decisions(tmp_path / "c.csv", {"1": decision})
    assert (tmp_path / "c.csv").read_text() == (
        f'{NEW}1,o/r,src/A.java,3-5,no,"a, b"\n1,o/r,src/B.java,3-5,no,"a, b"\n'
    )
    assert read_decisions(tmp_path / "c.csv") == {"1": decision}


def with_matches(number: int, *places: Place) -> Candidate:
    return candidate(number, matches=tuple(MatchShown(0.5, place, "void a();") for place in places))


def test_another_corpus_asks_again_only_for_changed_matches() -> None:
    before = {
        "1": Decision(True, seen=(A, B)),
        "2": Decision(True, seen=(A, B)),
        "3": Decision(False, "vague question", (A, B)),
    }
    # Of the first question a match went with its repository, the second has a new one.
    now = [with_matches(1, A), with_matches(2, A, C), with_matches(3, B, A)]
    script, saved = Script(["n", "2"]), []
    made = curate(now, before, console=script, save=saved.append)
    assert script.shown.count("Keep?") == 1
    assert "Question 2 of 3; 2 decided.\nSo far: kept." in script.shown
    assert "o/r/src/A.java:3-5\n" in script.shown
    assert "o/r/src/C.java:3-5  (new)\n" in script.shown
    assert made == before | {"2": Decision(False, "vague answer", (A, B, C))}
    # Back on the first corpus nothing is asked, since what was seen stays.
    script = Script([])
    first = [with_matches(number, A, B) for number in (1, 2, 3)]
    assert curate(first, made, console=script, save=saved.append) == made
    assert "Keep?" not in script.shown


def test_an_old_file_stands_for_the_present_matches(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "c.csv").write_text("id,keep,reason\n1,yes,\n2,no,vague question\n")
    old = read_decisions(tmp_path / "c.csv")
    assert old == {"1": Decision(True), "2": Decision(False, "vague question")}
    adopted = adopt_matches(old, {"1": (A, B)})
    assert adopted == {"1": Decision(True, seen=(A, B)), "2": old["2"]}
    (line,) = caplog.messages
    assert "names no matches" in line and "'ncsbench questions curate'" in line
    caplog.clear()
    assert adopt_matches(adopted, {"1": (C,)}) == adopted
    assert adopt_matches({}, {}) == {} and not caplog.messages
    write_decisions(tmp_path / "c.csv", adopted)
    assert read_decisions(tmp_path / "c.csv") == adopted
