"""Extraction of functions, as a multiple of the time that parsing alone takes, per language.

Arguments are files, or folders of files, whose names end as those of a language; without any,
generated sources of all languages are measured.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from tree_sitter import Parser

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.registry import LANGUAGES

FUNCTIONS = 4_000
ROUNDS = 3
GENERATED = {
    "go": """
// Sum%d adds the prices of a basket.
func (b *Basket) Sum%d(prices map[string]int, fallback int) (int, error) {
\ttotal := fallback * 3 // of all
\tfor name, price := range prices {
\t\tif price < 0 || strings.HasPrefix(name, "old-") {
\t\t\treturn 0, fmt.Errorf("no price of %%q: %%d", name, price)
\t\t}
\t\ttotal += price
\t}
\treturn total, nil
}
""",
    "java": """
    /**
     * Adds the prices of a basket.
     *
     * @param prices by name
     */
    public static int sum%d(Map<String, Integer> prices, int fallback%d) {
        int total = fallback * 3; // of all
        for (Map.Entry<String, Integer> entry : prices.entrySet()) {
            if (entry.getValue() < 0 || entry.getKey().startsWith("old-")) {
                throw new IllegalArgumentException("no price of " + entry.getKey());
            }
            total += entry.getValue();
        }
        return total;
    }
""",
    "javascript": """
// Adds the prices of a basket.
Basket.sum%d = function sum%d(prices, fallback) {
  var total = fallback * 3; // of all
  Object.keys(prices).forEach(function (name) {
    if (prices[name] < 0 || name.indexOf("old-") === 0) {
      throw new Error(`no price of ${name}` + /a+b/.test(name));
    }
    total += prices[name];
  });
  return total;
};
""",
    "php": """
    /**
     * Adds the prices of a basket.
     *
     * @param array $prices by name
     */
    public function sum%d(array $prices, int $fallback%d = 0): int
    {
        $total = $fallback * 3; // of all
        foreach ($prices as $name => $price) {
            if ($price < 0 || strpos($name, 'old-') === 0) {
                throw new \\InvalidArgumentException("no price of {$name}");
            }
            $total += $this->round($price);
        }
        return $total;
    }
""",
    "python": '''
def sum%d(prices, fallback%d=0):
    """Add the prices of a basket.

    :param prices: by name
    """
    total = fallback * 3  # of all
    for name, price in prices.items():
        if price < 0 or name.startswith("old-"):
            raise ValueError(f"no price of {name}")
        total += price
    return total

''',
    "ruby": """
    # Adds the prices of a basket.
    def sum%d(prices, fallback%d = 0)
      total = fallback * 3 # of all
      prices.each do |name, price|
        if price < 0 || name.start_with?('old-')
          raise ArgumentError, "no price of #{name}"
        end
        total += price
      end
      total
    end
""",
}
AROUND = {
    "go": ("package shop\n", ""),
    "java": ("class Basket {\n", "}\n"),
    "javascript": ("", ""),
    "php": ("<?php\nclass Basket\n{\n", "}\n"),
    "python": ("", ""),
    "ruby": ("module Shop\n  class Basket\n", "  end\nend\n"),
}


def generate() -> dict[str, list[bytes]]:
    """Files of forty functions each, by language."""
    sources: dict[str, list[bytes]] = {}
    for language, function in GENERATED.items():
        before, after = AROUND[language]
        for first in range(0, FUNCTIONS, 40):
            body = "".join(function % (number, number) for number in range(first, first + 40))
            sources.setdefault(language, []).append((before + body + after).encode())
    return sources


def read(names: list[str]) -> dict[str, list[bytes]]:
    """The given files, and those of the given folders, by language."""
    given = [Path(name) for name in names]
    paths = [inner for one in given for inner in ([one] if one.is_file() else one.rglob("*"))]
    return {
        row.name: [path.read_bytes() for path in sorted(paths) if path.suffix in row.suffixes]
        for row in LANGUAGES.values()
    }


def best(step: Callable[[bytes], object], sources: list[bytes]) -> float:
    """Seconds of processor time, the least of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for source in sources:
            step(source)
        seconds.append(time.process_time() - started)
    return min(seconds)


def main() -> None:
    """Print the ratio of each language."""
    for language, sources in (read(sys.argv[1:]) if sys.argv[1:] else generate()).items():
        if not sources:
            continue
        parsing = best(Parser(LANGUAGES[language].load().GRAMMAR).parse, sources)
        extraction = best(lambda source, name=language: parse_functions(source, name), sources)
        found = sum(len(parse_functions(source, language).functions) for source in sources)
        print(  # noqa: T201
            f"{language:10} {len(sources):6} files {sum(map(len, sources)) / 1e6:7.1f} MB "
            f"{found:8} functions  parsing {parsing:6.2f} s  extraction {extraction:6.2f} s  "
            f"{extraction / parsing:5.2f} x"
        )


if __name__ == "__main__":
    main()
