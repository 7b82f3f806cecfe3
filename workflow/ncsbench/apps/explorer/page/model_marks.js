// Marks of a model: its kind as a sign with a word, its MRR as a bar.
(function (ncsbench) {
  "use strict";

  const { make, draw } = ncsbench.dom;
  const { known } = ncsbench.numbers;
  const { kind } = ncsbench.judged;

  /** Kinds of models: a sign and a word, so that colour is never alone. */
  const KINDS = {
    __proto__: null,
    fusion: ["◆", "several combined"],
    network: ["■", "learnt"],
    vectors: ["▲", "word vectors"],
    words: ["●", "words"],
    chance: ["○", "chance or length"],
    bound: ["□", "upper bound"],
  };

  /** The sign and the word of a model's kind; null where it is not known. */
  function kindMark(summary, model) {
    const [sign, word] = KINDS[kind(summary, model)] || [];
    const mark = make("span", { class: "sign", "aria-hidden": "true" }, sign || "");
    return word ? make("span", { class: `kind ${kind(summary, model)}` }, mark, ` ${word}`) : null;
  }

  /** A bar in the colour of the model's kind with its 95 % interval as a thin line; rows share a scale. */
  function bar(summary, model, [value, low, high], highest) {
    const at = (one) => (100 * Math.min(Number(one), highest)) / highest;
    const line = (from, to, y1, y2) => draw("line", { x1: at(from), x2: at(to), y1, y2 });
    const range = () => [line(low, high, 5, 5), line(low, low, 2, 8), line(high, high, 2, 8)];
    return draw(
      "svg",
      {
        class: `bar ${kind(summary, model)}`,
        viewBox: "0 0 100 10",
        preserveAspectRatio: "none",
        "aria-hidden": "true",
        focusable: "false",
      },
      draw("rect", { class: "value", width: at(value), height: 10 }),
      ...(known(low) && known(high) ? range() : []),
    );
  }

  ncsbench.marks = { kindMark, bar };
})(window.ncsbench);
