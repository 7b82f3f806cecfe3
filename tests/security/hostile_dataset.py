"""A small dataset in which every text that others write tries to do harm."""

import json
import os
from pathlib import Path

import yaml

from tests.posts_dumps import HEAD, TAIL, answer, question

MARK = "hostile-mark"
"""Name of the file that every hostile text tries to make; nothing else has this name."""

PLACE = f"my data (1)/$(touch {MARK})/`touch {MARK}`; touch {MARK} & \"q\" 'q' *?[a]#"
"""Folder of the dataset file, below the project."""

CODE = """ClipboardManager board = (ClipboardManager) getSystemService(CLIPBOARD_SERVICE);
board.setPrimaryClip(ClipData.newPlainText("label", text));"""

POSTED = """Intent intent = new Intent(Intent.ACTION_VIEW, Uri.parse(address));
if (intent.resolveActivity(getPackageManager()) != null) { startActivity(intent); }"""


def hostile_texts(mark: Path) -> list[str]:
    """Texts that a shell, a path, a terminal, a page, a spreadsheet or TREC's tools would act on.

    Args:
        mark: absolute path of the file that some of them try to make.
    """
    return [
        f"$(touch {mark})",
        f"`touch {mark}`",
        f"x; touch {mark}; rm -rf x",
        f"x' ; touch {mark} ; '",
        f'x" && touch {mark} && "',
        f"| touch {MARK}",
        f"{{input}} {{wildcards.model}} {{0}} %s %(name)s ${{HOME}} $HOME {MARK}",
        f"../../../{MARK}",
        "/etc/passwd",
        "line\nfeed\r\nand\ttab\x0b\x0c\x1c\u2028\u2029",
        "nul\0byte",
        "long " + "x" * 4000,
        "right \u202eto left\u202c \u2066mark\u2069 \u200b\ufeff",
        "ansi \x1b[2J\x1b]0;title\x07\x9b31m",
        "<script>alert(1)</script><img src=x onerror=alert(1)>&bomb;]]><!--",
        "=cmd|' /C calc'!A0",
        "@SUM(1+1)*cmd",
        "1 Q0 2 3 4 tag",
        "CON",
        "[x](javascript:alert(1)) | cell | `code` **bold**",
        "\\input{/etc/passwd} \\write18{touch x} $x^2$ % # & ~ _",
        "\ud800 half",
        "\U0001f4a5" * 20,
    ]


def write_hostile_dataset(project: Path, mark: Path) -> Path:
    """Write the dataset below a project; the path of its dataset file, from the project."""
    folder = project / PLACE
    texts = hostile_texts(mark)
    _write_repositories(folder / "repos $(touch x)", texts)
    _write_list(folder / "list $(touch x).csv", texts)
    _write_questions(folder / "questions `touch x`.json", texts)
    _write_posts(folder / "posts; touch x.xml", texts)
    _write_users(folder / "users & touch x.xml", texts)
    dataset = {
        "name": "hostile",
        "repositories": "list $(touch x).csv",
        "source": {"kind": "directory", "path": "repos $(touch x)"},
        "questions": "questions `touch x`.json",
        "posts": {
            "path": "posts; touch x.xml",
            "users": "users & touch x.xml",
            "maximum_broken": 1,
        },
        "shards": 1,
    }
    (folder / "data set.yaml").write_text(yaml.safe_dump(dataset), encoding="utf-8")
    return Path(PLACE) / "data set.yaml"


def java_file(text: str) -> bytes:
    """A class with a text of others in its comments, its strings and as near as can be its names.

    A lone surrogate is written as the bytes that no UTF-8 has.
    """
    inner = text.replace("*/", "* /")
    quoted = json.dumps(text, ensure_ascii=False)
    return f"""package p;
/** {inner} */
class Clip$ {{
    /** Puts {inner} on the clipboard. */
    void offer(String text) {{
        // {" ".join(inner.split())}
        String label = {quoted};
        {CODE}
    }}
    void open(String address) {{
        {POSTED}
    }}
    void $(touch x) {{ `touch x`; }}
    void \u202e\u0435\u0432$(int a) {{ other(a, {quoted}, a); return; }}
}}
""".encode("utf-8", "surrogatepass")


def _write_repositories(folder: Path, texts: list[str]) -> None:
    sound = folder / "good" / "repo"
    sound.mkdir(parents=True)
    for number, text in enumerate(texts):
        (sound / f"Text{number}.java").write_bytes(java_file(text))
        name = text.replace("/", "\u2215").replace("\0", "").encode("utf-8", "surrogatepass")
        if len(name) < 240:
            (sound / os.fsdecode(name + b".java")).write_bytes(java_file(text))
    for name in (b"\xff\xfe.java", b"-rf.java", b" .java", b".java", b"CON.java"):
        (sound / os.fsdecode(name)).write_bytes(java_file("x"))
    (sound / "Deep.java").write_text(
        f"class D {{ int m() {{ return {'(' * 9000}1{')' * 9000}; }} }}"
    )
    (sound / "Nul.java").write_bytes(b"class N { void m() { int a\0 = 1; } }\0")
    (sound / "Link.java").symlink_to("/etc/passwd")
    (sound / "up").symlink_to("../../..")
    os.mkfifo(sound / "Pipe.java")
    (sound / "Folder.java").mkdir()
    secret = folder.parent / "outside" / "secret"
    secret.mkdir(parents=True)
    (secret / "Secret.java").write_text("class Secret { void secret() { int a = 1; } }")


def _write_list(path: Path, texts: list[str]) -> None:
    lines = ["repo,commit,more", "good/repo,,", "good/repo,,twice", "good/absent,,"]
    for text in [*texts, "../outside", "../outside/secret", "..", "a/..", "a/b/c", "/etc"]:
        cell = text.encode("utf-8", "replace").decode().replace('"', '""')
        lines += [f'"{cell}",,', f'"owner/{cell}",,', f'good/repo2,"{cell}",']
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_questions(path: Path, texts: list[str]) -> None:
    questions = [
        {
            "stackoverflow_id": text if text.strip() else "x",
            "question": f"copy text {text} to the clipboard",
            "question_url": text,
            "question_author": text,
            "answer": f"{CODE}\n// {text}",
            "answer_author": text,
            "examples": [],
            "examples_url": [text],
        }
        for text in texts
    ]
    path.write_text(json.dumps([*questions, {**questions[0], "answer": texts[0]}]))


def _write_posts(path: Path, texts: list[str]) -> None:
    rows = [HEAD]
    for number, given in enumerate(texts, 1):
        text = given.encode("utf-8", "replace").decode()
        body = f"<p>{text}</p><pre><code>{POSTED}\n// {text}</code></pre>"
        # A dump is XML 1.0, which cannot hold most of these as they are.
        raw = {"Title": f"How to {text}", "Body": body, "OwnerDisplayName": text}
        asked = question(
            10 * number, "<android><java>", Score=9, ViewCount=90, OwnerUserId=number, **raw,
            AcceptedAnswerId=10 * number + 1,
        )  # fmt: skip
        rows += [asked, answer(10 * number + 1, 10 * number, OwnerUserId=number, **raw)]
        # Sound XML whose title a selection takes, with the same text where it can be written.
        clean = "".join(c for c in text if c.isprintable() or c == "\n")
        raw = {"Title": f"Open {clean} in a browser", "Body": body.replace(text, clean)}
        rows += [
            question(
                10 * number + 5, "<android><java>", Score=9, ViewCount=90, OwnerUserId=number,
                AcceptedAnswerId=10 * number + 6, **raw,
            ),
            answer(10 * number + 6, 10 * number + 5, OwnerDisplayName=clean, **raw),
        ]  # fmt: skip
    rows.append(question(9000, f"<android><$(touch {MARK})><../..>", Title="Tags"))
    rows.append(
        b'  <row Id="9001" PostTypeId="1" Tags="&bomb;" <row <!DOCTYPE x [<!ENTITY a "b">\n'
    )
    path.write_bytes(b"".join([*rows, TAIL]))


def _write_users(path: Path, texts: list[str]) -> None:
    rows = [b"<users>\n"]
    for number, text in enumerate(texts, 1):
        name = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        rows.append(
            f'  <row Id="{number}" DisplayName="{name}" />\n'.encode("utf-8", "surrogatepass")
        )
    path.write_bytes(b"".join([*rows, b"</users>\n"]))
