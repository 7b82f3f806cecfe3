"""Calls and imports that could run what a file says; found in Python sources without running them.

Every finding is a line ``what at line n``. The rules are narrow on purpose: whoever needs one of
these has to say why in the list of exceptions of ``test_sources.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

MODULES = {
    **dict.fromkeys(
        ("pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"),
        "objects of a file can run code",
    ),
    **dict.fromkeys(
        ("socket", "http", "ftplib", "smtplib", "requests", "httpx", "aiohttp", "urllib3"),
        "nothing is fetched",
    ),
    **dict.fromkeys(("urllib.request", "xmlrpc", "telnetlib"), "nothing is fetched"),
    **dict.fromkeys(("tarfile", "zipfile", "patoolib", "py7zr"), "no archive is extracted"),
    **dict.fromkeys(
        ("xml.etree", "xml.dom", "xml.sax", "lxml", "bs4", "xmltodict", "defusedxml"),
        "one reader of XML is enough",
    ),
    **dict.fromkeys(("pty", "code", "codeop", "runpy", "commands", "imp"), "runs code"),
}
"""Modules that are not imported, and why."""

NAMES = {"eval", "exec", "compile", "__import__", "breakpoint", "input"}
"""Built-in functions that are not called."""

ATTRIBUTES = {
    "os": {"system", "popen", "startfile", "fork", "forkpty"},
    "torch": {"load", "hub", "jit", "package"},
    "np": {"fromfile", "loadtxt", "genfromtxt"},
    "pd": {"read_pickle", "eval", "read_html", "read_xml"},
    "yaml": {"load", "load_all", "unsafe_load", "full_load", "full_load_all", "dump"},
    "shutil": {"unpack_archive"},
    "tempfile": {"mktemp"},
    "asyncio": {"create_subprocess_shell"},
    "subprocess": {"getoutput", "getstatusoutput"},
}
"""Functions that are not used, by the name of their module."""

_PREFIXES = {"os": ("exec", "spawn", "posix_spawn")}
_DYNAMIC = ("importlib.import_module", "importlib.util", "importlib.machinery", "importlib.reload")
_COMMANDS = {"run", "Popen", "call", "check_call", "check_output"}


def find_dangers(source: str) -> list[str]:
    """What in a Python source is on the lists above, in the order of its lines."""
    tree = ast.parse(source)
    found = sorted({(node.lineno, what) for node, what in _walk(tree)})
    return [f"{what} at line {line}" for line, what in found]


def _walk(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module(node, alias.name)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                yield from _module(node, f"{node.module}.{alias.name}")
                yield from _attribute(node, f"{node.module}.{alias.name}")
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, ast.unparse(node))
        elif isinstance(node, ast.Call):
            yield from _call(node)


def _module(node: ast.stmt, name: str) -> Iterator[tuple[ast.stmt, str]]:
    for module in MODULES:
        if name == module or name.startswith(f"{module}."):
            yield node, f"import of {module}"


def _attribute(node: ast.expr | ast.stmt, name: str) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    module, _, attribute = name.replace("numpy", "np").replace("pandas", "pd").partition(".")
    listed = attribute.split(".")[0] in ATTRIBUTES.get(module, ())
    if listed or attribute.startswith(_PREFIXES.get(module, ("\0",))):
        yield node, name
    if name.startswith(_DYNAMIC):
        yield node, "dynamic import"


def _call(node: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    name = ast.unparse(node.func)
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    if name in NAMES:
        yield node, f"{name}()"
    if "shell" in keywords:
        yield node, "shell="
    if name in {"np.load", "numpy.load"} and not _is_false(keywords.get("allow_pickle")):
        yield node, "np.load without allow_pickle=False"
    if name.endswith((".extract", ".extractall")):
        yield node, name
    if name.startswith("subprocess.") and name.split(".")[1] in _COMMANDS:
        if node.args and isinstance(node.args[0], ast.Constant | ast.JoinedStr | ast.BinOp):
            yield node, "a command as one text"
    if name.endswith(".load") and not node.args and not keywords:
        yield node, "dynamic import"  # of an entry point


def _is_false(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is False
