"""Rules that reject question titles which do not ask how to do something in code.

The authors of the evaluation questions used "heuristics" against open-ended and discussion-style
titles and did not publish these heuristics. The rules here are this project's own, written by
reading titles that are not evaluation questions; docs/posts.md gives their reasons and error rates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

MOST_CHARACTERS = 1_000
"""Most characters of a title that the rules read; the site takes at most 150."""


def rejecting_rule(title: str, rules: Sequence[str]) -> str | None:
    """Return the first of the named rules, in this order, that rejects a title; None to keep it."""
    plain = " ".join(title[:MOST_CHARACTERS].lower().replace("\u2019", "'").split())
    return next((name for name in rules if TITLE_RULES[name](plain)), None)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_BEGIN = r"(?:^|[-:|,.?!]\s+|\b(?:java|android|kotlin)\s+)"
"""Pattern of the beginning of a title, or of a part behind a prefix such as "Android: "."""

_HOW = _any(
    r"\bhow\s?-?to\b", r"\bhow (?:do|can|could|would|might|should|shall) (?:i|we|you|one)\b"
)
_WAY = _any(
    r"\bways?\b",
    r"\b(?:java|android|kotlin)? ?equivalent\b",
    r"\b(?:method|function|api|command|syntax|code|regex|replacement) (?:to|for|of)\b",
)

_COMPARISON = _any(
    r"\bdifferences? (?:between|of|in)\b",
    r"\bvs\b",
    r"\bversus\b",
    r"\bcompared (?:to|with)\b",
    r"\bchoos(?:e|ing) between\b",
    r"\b(?:better|faster|slower|worse|more efficient) than\b",
)
_SUBTRACTION = re.compile(
    r"\b(?:calculat|comput|find|get|count|measur|subtract|show)(?:e|ing)?\b.*\bdifference\b"
    r"|\bdifference (?:between|of|in) (?:two |2 )?(?:dates?|times?|days?|timestamps?)\b"
)
_REASON = _any(
    rf"{_BEGIN}(?:\w+ )?why\b",
    r"\bwhy (?:do|does|did|is|are|am|can|can't|would|should|must|not|my|the|i)\b",
    r"\bhow come\b",
    r"\bwhat (?:is|are|causes?|was) (?:the )?(?:reasons?|causes?)\b",
    r"\bwhat causes?\b",
    r"\bwhat(?:'s| is) the (?:point|purpose|use|need|benefit|advantage)\b",
    r"\b(?:purpose|rationale) (?:of|behind)\b",
)
_OPINION = _any(
    rf"{_BEGIN}should\b",
    r"(?<!how )\bshould (?:i|we|you|one)\b(?!.*\binstead\b)",
    rf"{_BEGIN}(?:what|any|some)? ?(?:good|best|biggest) (?:\w+ ){{0,3}}"
    r"(?:librar|reason|pitfall)",
    r"\bwhen (?:to|do you|would you|do i|do we|would i|can i) (?:use|choose)\b",
    rf"{_BEGIN}(?:is|are) (?:it|this|there|using|that) (?:.*\b)?(?:good|bad|ok|okay|safe|worth"
    r"|better|necessary|advisable|advantages?|benefits?|harmful|evil)\b",
    r"\b(?:best|good|bad|common) practices?\b(?! to\b)",
    r"\b(?:good|bad) (?:idea|style|design)\b",
    r"\b(?:pros|pro's) (?:and|&)",
    r"\b(?:dis)?advantages?\b",
    r"\b(?:recommend|suggest)(?:ations?|ions?)?\b",
    r"\b(?:any|some) good\b",
    r"\bbest (?:\w+ )?(?:librar|framework|tool|book|ide\b|tutorial|resource|choice|option)",
    rf"{_BEGIN}(?:which|what) (?:\w+ ){{1,4}}(?:to use|is (?:the )?(?:best|better|faster))\b",
    r"\bwhich (?:is|one is|are) (?:the )?(?:best|better|faster|more)\b",
    r"\bnaming (?:convention|standard)s?\b",
    r"\bhow (?:important|bad|safe|reliable)\b",
)
_CONCEPT = _any(
    rf"{_BEGIN}(?:so )?what (?:exactly )?(?:is|are|was|were)\b",
    rf"{_BEGIN}what's\b",
    r"\bwhat (?:does|did)\b",
    r"\bwhat do (?!i\b|we\b|you\b)",
    r"\bwhat happens\b",
    r"\b(?:meaning|definition|concept) of\b",
    r"\bexplain",
    r"\bexplanation\b",
    rf"{_BEGIN}understand(?:ing)?\b",
    r"\bhow (?:does|do|did|is|are)\b(?! (?:i|we|you|one|u)\b)",
    rf"{_BEGIN}(?:when|where|who) (?:does|do|is|are|was|did)\b(?! (?:i|we|you|one)\b)",
)
_FACT = re.compile(
    r"(?:^|[-:|,.?!]\s+|^in (?:java|android) )"
    r"(?:does|do|did|is|are|must|can|could|will|would|has|have)\b(?! ?n[o']?t\b|')"
)
_FACT_EXCEPTION = _any(
    r"\bpossib(?:le|ility)\b",
    r"\b(?:can|could) (?:i|we|you|one|someone|anyone|any one)\b",
    r"\b(?:is|are) there (?:a|an|any|some)\w*\b(?! (?:\w+ )?(?:reason|cost|plan|penalty))",
    r"\b(?:have|has) (?:a|an|any) (?:\w+ )?way\b",
)
_TROUBLE = _any(
    r"\b[\w.$]*(?:exception|error)s?\b(?! (?:handl|class|type|message))",
    r"\bwarnings?\b",
    r"\bunable\b",
    r"\b(?:ca|could|does|do|did|is|are|was|has|have|wo|would|should) ?n'?t\b",
    r"\b(?:can|could|does|do|did|is|are|was|has|have|will) ?not\b",
    r"\b(?:not|never) (?:\w+ ){0,2}\w+(?:ing|ed)\b",
    r"\bnot (?:work|found|call|show|fire|valid|visible|available|update|load)",
    r"\b(?:problems?|issues?|troubles?|bug|wrong|missing|leaks?|denied|refused)\b",
    r"\b(?:unexpected|unrecognized|unsupported|unresolved|unknown|invalid|illegal|incompatible)\b",
    r"\b(?:null|0|-1|blank|empty|false) (?:page|screen|after|when)\b",
    r"\bno (?:such|\w+ (?:found|provided|associated))\b",
    r"\b(?:strange|weird|gibberish)\b",
)
"""Pattern of words of a symptom that titles about handling the symptom have as well."""
_TROUBLE_SURE = _any(
    r"\bcrash(?:es|ing|ed)?\b",
    r"\bfail(?:s|ed|ing|ure|ures)?\b",
    r"(?:\bnot|n't|\bstop(?:s|ped)?) work",
    r"\b(?:throws|throwing|getting|causes|causing|gives)\b.*(?:exception|error)\b",
    r"\b(?:exception|error|caused by):",
    r"\b(?:returns?|returning|gives?|is|set to|becomes?) (?:always )?(?:null|0|-1|blank|false)\b",
    r"\breturns? .*\b[45]\d\d\b",
    r"\bkeeps \w+ing\b",
    r"\b(?:being )?called (?:twice|multiple times)\b",
    r"\bis duplicating\b",
    r"\bhas stopped\b",
    r"\bexpected\b.*\b(?:but|found)\b",
    r"\brequires (?:that|compiler)\b",
    r"\beven (?:though|if i)\b",
    r"\btrying to\b",
    r"\b(?:i'm|i am|i've|i have)\b",
    r"\battempt to invoke\b",
    r"\bforce closes?\b",
    r"\binconsistent\b",
    r"\bdisappears?\b",
)
_SOLVE = re.compile(r"\b(?:fix|solv|resolv|overcom|correct|get rid of|troubleshoot|debug my)")
_HANDLE = re.compile(
    r"^(?:[\w ]+: ?|[\w ]+ - )?"
    r"(?:can (?:i|we|you)\b|is (?:it|there)\b|regex|(?:the )?best way|"
    r"(?:check|determin|detect|find|handl|catch|throw|ignor|assert|test|suppress|avoid|prevent"
    r"|disabl|creat|custom|show|display|log|us|get|set|mak|remov|filter|simulat|mock|verify"
    r"|replac|add)(?:e|ing|ting)?\b)"
)
_AVOIDED = re.compile(r"\bwithout \w+.*$")
_TOOLS = _any(
    r"\b(?:eclipse|netbeans|intellij|android ?studio|vs ?code|visual studio|ide)\b",
    r"\b(?:gradle|maven|mvn|pom\.xml|proguard|jenkins|docker|kubernetes|sonar\w*|git(?:hub)?)\b",
    r"\b(?:adb|avd|emulators?|ddms|logcat|sdk manager|jarsigner|keytool|zipalign|dex|r\.java)\b",
    r"\b(?:apk|aab|play (?:store|console)|app ?store|ant (?:build|task|script))\b",
    r"\b(?:java_home|android_home|jdk|jre|javac|heap (?:size|space))\b",
    r"\b(?:(?:un|re)?install|decompil|obfuscat)\w*\b",
    r"\bandroid sdk\b",
)
_TOOL_ASIDE = re.compile(r"\b(?:in|using|on|with|from) (?:the )?(?:android ?studio|eclipse)\b")


def _is_trouble(title: str) -> bool:
    told = _AVOIDED.sub("", title)
    sure = _TROUBLE_SURE.search(told) is not None
    if not sure and _TROUBLE.search(told) is None:
        return False
    if _HOW.search(told) is not None:
        return _SOLVE.search(told) is not None
    return sure or _HANDLE.search(told) is None


def _is_about_tools(title: str) -> bool:
    return _TOOLS.search(_TOOL_ASIDE.sub("", title)) is not None


def _found_by(pattern: re.Pattern[str], *exceptions: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda title: (
        bool(pattern.search(title)) and not any(exception.search(title) for exception in exceptions)
    )


TITLE_RULES: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "comparison": _found_by(_COMPARISON, _SUBTRACTION),
        "reason": _found_by(_REASON),
        "opinion": _found_by(_OPINION),
        "concept": _found_by(_CONCEPT, _WAY, _HOW),
        "fact": _found_by(_FACT, _FACT_EXCEPTION, _HOW),
        "trouble": _is_trouble,
        "tools": _is_about_tools,
    }
)
"""Rules by name, in the order in which they are applied. A rule says whether a title, in lower case
with single blanks and plain apostrophes, is of its kind."""
