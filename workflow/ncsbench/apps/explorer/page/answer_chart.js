// The answer: which row is best, as sentences and as bars.
(function (ncsbench) {
  "use strict";

  const { make, breakable } = ncsbench.dom;
  const { decimal, interval, known } = ncsbench.numbers;
  const { BASELINES, byMrr, label, ours, tableRows } = ncsbench.judged;
  const { kindMark, bar } = ncsbench.marks;
  const MOST = 8;

  /** The sentences of the answer: the first in large type, the others for below the chart. */
  function sentences(answer) {
    const text = (answer?.text || "").replaceAll(" %", "\u00a0%");
    const [first, ...others] = text.split(/(?<=\.)\s+(?=[A-Z])/);
    return [
      first ? make("p", { class: "answer-text" }, first) : null,
      others.length ? make("p", { class: "lead" }, others.join(" ")) : null,
    ];
  }

  /** The best rows by the strict judge, the best row of chance or length last, to compare with. */
  function bestRows(summary) {
    const rows = Object.fromEntries(tableRows(summary).map((row) => [row.model, row]));
    const chance = byMrr(summary).find((model) => BASELINES.includes(model) && model !== "ceiling");
    const models = [...ours(summary).slice(0, MOST), ...(chance ? [chance] : [])];
    return models.map((model) => rows[model]).filter((row) => known(row.strict_mrr));
  }

  function entry(summary, row, highest, same) {
    const { model } = row;
    return make(
      "li",
      null,
      make(
        "span",
        { class: "who" },
        make("b", null, breakable(label(summary, model))),
        " ",
        kindMark(summary, model),
      ),
      bar(summary, model, [row.strict_mrr, row.strict_mrr_low, row.strict_mrr_high], highest),
      make(
        "span",
        { class: "figure-text" },
        make("b", null, decimal(row.strict_mrr)),
        make("span", { class: "interval" }, interval(row.strict_mrr_low, row.strict_mrr_high)),
        same.includes(model) ? make("span", { class: "same" }, " ≈") : null,
      ),
    );
  }

  /** The chart of the best rows with a line that says how to read it. */
  function chart(summary) {
    const rows = bestRows(summary);
    const strict = summary.answer?.judges.find((one) => one.judge === "strict");
    const upper = (row) => Number(row.strict_mrr_high) || Number(row.strict_mrr);
    const highest = Math.max(0.1, ...rows.map(upper));
    const same = strict?.same || [];
    const range = known(rows[0]?.strict_mrr_low) ? "; the thin line is its 95\u00a0% interval" : "";
    const alike = same.length ? " Rows with ≈ cannot be distinguished from the best one." : "";
    return make(
      "section",
      { class: "answer-chart", "aria-labelledby": "best-title" },
      make("h2", { id: "best-title" }, "The best rows by the strict judge"),
      make(
        "p",
        { class: "help" },
        `A longer bar is better${range}.${alike}`,
      ),
      make("ol", { class: "best" }, rows.map((row) => entry(summary, row, highest, same))),
      make(
        "p",
        { class: "help" },
        `The bars are the mean reciprocal rank (MRR): a question counts 1 where the first result is right, ½ where the second is the first right one, and 0 where none of the first ${summary.depth} is.`,
      ),
    );
  }

  function open(summary) {
    const [first, others] = sentences(summary.answer);
    return [first, chart(summary), others];
  }

  ncsbench.answer = { open };
})(window.ncsbench);
